"""Games as the page shows them: every board, every open column and every line is worked out here, by the rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from pydantic import BaseModel, Field

from connectk.errors import NotationError
from connectk.notation import parse_moves, parse_variant, write_moves
from connectk.play.refusals import BoardTooLarge
from connectk.rules import Game, Position, Result, Side, Variant
from connectk.server.views import board_view, cell_view, result_view, variant_view

WIDEST = 100  # columns, and rows, that a page can show
START = re.compile(r"([0-9]{1,3})([xo]+)")
SIDES: dict[str, Side | None] = {"x": Side.FIRST, "o": Side.SECOND}


class Disc(BaseModel):
    """A disc in a cell, both counted from 0."""

    column: int = Field(ge=0, lt=WIDEST)
    row: int = Field(ge=0, lt=WIDEST)
    side: Literal["first", "second"]


class GameOrder(BaseModel):
    """A game in writing. `start` is such as `4xo.5x`, column from 1 and discs bottom first; or loose discs to check."""

    variant: str = Field("7x6x4", max_length=40)
    moves: str = Field("", max_length=40_000)
    start: str = Field("", max_length=20_000)
    discs: list[Disc] | None = Field(None, max_length=WIDEST * WIDEST)


def read_game(order: GameOrder) -> Game:
    """The game, if the rules allow it."""
    variant = shown_variant(parse_variant(order.variant))
    columns = _columns_of(order.discs) if order.discs is not None else parse_start(order.start)
    return Game(Position.from_columns(columns, variant), parse_moves(order.moves, variant))


def shown_variant(variant: Variant) -> Variant:
    """The variant, if a page can show it."""
    if max(variant.width, variant.height) > WIDEST:
        raise BoardTooLarge(f"The page shows boards of up to {WIDEST} columns and rows.")
    return variant


def _columns_of(discs: Iterable[Disc]) -> Mapping[int, list[Side | None]]:
    columns: dict[int, list[Side | None]] = {}
    for disc in discs:
        cells = columns.setdefault(disc.column, [])
        cells.extend([None] * (disc.row + 1 - len(cells)))
        cells[disc.row] = Side[disc.side.upper()]
    return columns


def parse_start(text: str) -> Mapping[int, list[Side | None]]:
    """The columns that `write_start` wrote."""
    columns: dict[int, list[Side | None]] = {}
    for part in text.split(".") if text else ():
        match = START.fullmatch(part)
        if not match:
            raise NotationError(
                f"{part[:40]!r} is not a column of a start; write column and discs as in 4xo.", text=text
            )
        columns[int(match[1]) - 1] = [SIDES[letter] for letter in match[2]]
    return columns


def write_start(position: Position) -> str:
    """The discs of a position, for an address: `4xo.5x`."""
    columns: dict[int, str] = {}
    for cell, side in position.discs():
        columns[cell.column] = columns.get(cell.column, "") + "xo"[side.value]
    return ".".join(f"{column + 1}{discs}" for column, discs in columns.items())


def game_view(game: Game) -> dict[str, Any]:
    """The whole game: the board at its start, then what was open and where the disc fell at every ply."""
    variant = game.variant
    return {
        "variant": variant_view(variant),
        **written(game),
        "columns": game.moves,
        "board": board_view(game.start),
        "positions": [_moment(position) for position in game.positions],
    }


def written(game: Game) -> dict[str, str]:
    """The game as it stands in an address."""
    return {"start": write_start(game.start), "moves": write_moves(game.moves, game.variant)}


def _moment(position: Position) -> dict[str, Any]:
    """A position without its discs, which the drops before it tell; so the whole game stays small."""
    return {
        "ply": position.ply,
        "side_to_move": None if position.outcome else str(position.side_to_move),
        "legal_columns": position.legal_columns,
        "last_drop": cell_view(position.last_drop),
        "winning_lines": [[list(cell) for cell in line] for line in position.winning_lines],
        "result": result_view(Result.of(position.outcome) if position.outcome else None),
    }
