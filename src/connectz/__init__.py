"""The name under which those who know the Connect-Z challenge look: `connectz.parse_and_play(path)` gives the code."""

from connectk.connectz import main, parse_and_play

__all__ = ["main", "parse_and_play"]
