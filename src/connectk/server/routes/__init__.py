"""What the server answers, by address: one module for each kind of question."""
