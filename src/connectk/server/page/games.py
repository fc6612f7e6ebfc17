"""Games as the page shows them: every board, every open column and every line is worked out here, by the rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from pydantic import BaseModel, Field

from connectk.notation import parse_moves, parse_start, parse_variant, write_moves, write_start
from connectk.play.refusals import BoardTooLarge
from connectk.rules import Game, Position, Result, Side, Variant
from connectk.server.views import board_view, cell_view, result_view, variant_view

WIDEST = 100  # columns, and rows, that a page can show


class Disc(BaseModel):
    """A disc in a cell, both counted from 0."""

    column: int = Field(ge=0, lt=WIDEST)
    row: int = Field(ge=0, lt=WIDEST)
    side: Literal["first", "second"]


class GameOrder(BaseModel):
    """A game in writing. `start` is a board set up, such as `4xo.5x`; or loose discs to check."""

    variant: str = Field("7x6x4", max_length=40)
    moves: str = Field("", max_length=40_000)
    start: str = Field("", max_length=20_000)
    discs: list[Disc] | None = Field(None, max_length=WIDEST * WIDEST)


def read_game(order: GameOrder) -> Game:
    """The game, if the rules allow it."""
    variant = shown_variant(parse_variant(order.variant))
    loose = order.discs is not None
    start = (
        Position.from_columns(_columns_of(order.discs or ()), variant) if loose else parse_start(order.start, variant)
    )
    return Game(start, parse_moves(order.moves, variant))


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
