"""A game, move by move: what was good, what was not, and where it turned."""
