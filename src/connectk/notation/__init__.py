"""Converts text to values and back; only this package counts columns from 1."""

from connectk.notation.connect_z_file import GameFile, parse_game_file, write_game_file
from connectk.notation.diagram import draw_diagram, parse_diagram
from connectk.notation.files import FileKind, kind_of, parse_game
from connectk.notation.moves import parse_duration, parse_moves, parse_variant, write_moves
from connectk.notation.positions import parse_any, read_game, read_position
from connectk.notation.saved_game import SavedGame, parse_saved_game, write_saved_game
from connectk.notation.start import parse_start, start_from_columns, write_start

__all__ = [
    "FileKind",
    "GameFile",
    "SavedGame",
    "draw_diagram",
    "kind_of",
    "parse_any",
    "parse_diagram",
    "parse_duration",
    "parse_game",
    "parse_game_file",
    "parse_moves",
    "parse_saved_game",
    "parse_start",
    "parse_variant",
    "read_game",
    "read_position",
    "start_from_columns",
    "write_game_file",
    "write_moves",
    "write_saved_game",
    "write_start",
]
