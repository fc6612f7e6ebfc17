"""The game as lines of text: for any terminal, a pipe, a small screen or a screen reader."""
