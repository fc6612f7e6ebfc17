"""The game as questions and answers: for any terminal, a pipe, a small screen or a screen reader."""
