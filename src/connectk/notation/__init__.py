"""Text to values and back: the only place that knows that columns are written from 1."""

from connectk.notation.diagram import draw_diagram, parse_diagram
from connectk.notation.duration import parse_duration
from connectk.notation.gamefile import GameFile, parse_game_file, write_game_file
from connectk.notation.moves import parse_moves, parse_variant, write_moves
from connectk.notation.picture import draw_svg
from connectk.notation.saved import SavedGame, parse_saved_game, write_saved_game

__all__ = [
    "GameFile",
    "SavedGame",
    "draw_diagram",
    "draw_svg",
    "parse_diagram",
    "parse_duration",
    "parse_game_file",
    "parse_moves",
    "parse_saved_game",
    "parse_variant",
    "write_game_file",
    "write_moves",
    "write_saved_game",
]
