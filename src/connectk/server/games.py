"""Games as the page shows them: every board, every open column and every line is worked out here, by the rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from connectk.notation import parse_moves, parse_start, parse_variant, write_moves, write_start
from connectk.play.refusals import BoardTooLarge
from connectk.rules import Cell, Game, Position, Result, Side, Variant
from connectk.rules.threats import line_through, threats
from connectk.server.schemas import (
    WIDEST,
    Disc,
    GameMomentView,
    GameOrder,
    ThreatView,
    WholeGameAnswer,
    WrittenGameView,
)
from connectk.server.views import SIDE_NAMES, board_view, moment_view, result_view, variant_view


def read_game(order: GameOrder) -> Game:
    """The game, if the rules allow it."""
    variant = shown_variant(parse_variant(order.variant))
    loose = order.discs is not None
    start = (
        Position.from_columns(_columns_of(order.discs or ()), variant) if loose else parse_start(order.start, variant)
    )
    return Game(start, parse_moves(order.moves, variant))


def check_cells(variant: Variant, largest: int) -> None:
    if variant.cells > largest:
        raise BoardTooLarge(f"This server plays on boards of up to {largest} cells.")


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


def game_view(game: Game) -> WholeGameAnswer:
    """The whole game: the board at its start, then what was open and where the disc fell at every ply."""
    text = written(game)
    return {
        "variant": variant_view(game.variant),
        "start": text["start"],
        "moves": text["moves"],
        "columns": list(game.moves),
        "board": board_view(game.start),
        "positions": [_moment(position) for position in game.positions],
    }


def written(game: Game) -> WrittenGameView:
    """The game as it stands in an address."""
    moves = write_moves(game.moves, game.variant)
    return {"variant": str(game.variant), "start": write_start(game.start), "moves": moves}


def _moment(position: Position) -> GameMomentView:
    result = result_view(Result.of(position.outcome) if position.outcome else None)
    return {**moment_view(position), "result": result}


def threat_views(position: Position) -> list[ThreatView]:
    """Every threat of both sides; those that the next disc can reach first. None once the game is over."""
    if position.outcome is not None:
        return []
    views = [_view(position, cell, side) for side in Side for cell in sorted(threats(position, side))]
    return sorted(views, key=lambda view: not view["now"])


def _view(position: Position, cell: Cell, side: Side) -> ThreatView:
    return {
        "column": cell.column,
        "row": cell.row,
        "side": SIDE_NAMES[side],
        "line": list(line_through(position, cell, side)),
        "now": cell.row == position.height_of(cell.column),
    }
