"""The game for a person at a keyboard."""
