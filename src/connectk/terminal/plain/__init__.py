"""The game in text lines: for any terminal, a pipe, a small screen or a screen reader."""
