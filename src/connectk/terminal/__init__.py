"""The game for a person at a terminal, as plain text or on the full screen."""
