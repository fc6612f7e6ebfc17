"""Playing in the terminal: a plain text program and a full-screen program."""
