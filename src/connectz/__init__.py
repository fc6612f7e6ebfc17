"""The package `connectz`, named as in the Connect-Z challenge: `connectz.parse_and_play(path)` returns the code of a
file."""

from connectk.connectz import main, parse_and_play

__all__ = ["main", "parse_and_play"]
