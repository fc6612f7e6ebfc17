"""Tests the count of threats: each side's threats in odd and even rows, and which side first runs out of harmless
cells."""

from __future__ import annotations

import random

from connectk import Game, Position, Side, Variant, parse_diagram
from connectk.notation.views import SIDE_NAMES
from connectk.review import review_game
from connectk.review.report import describe_ledger
from connectk.rules.threats import threats
from connectk.texts import load_texts

NAMES = {Side.FIRST: "Ann", Side.SECOND: "Bo"}


def test_the_ledger_of_each_move_follows_from_the_rules() -> None:
    winners = set()
    for variant in (Variant(5, 4, 3), Variant(6, 5, 4), Variant(4, 6, 4)):
        for seed in range(6):
            dice, game = random.Random(seed), Game(variant)
            while game.outcome is None:
                game.drop(dice.choice(game.position.legal_columns))
            for move in review_game(game, seconds=60).moves:
                assert move.ledger == ledger(move.after_position)
                counted = move.ledger["count"]
                winners.add(counted and counted["winner"])
    assert winners == {None, "first", "second"}


def ledger(position: Position) -> dict[str, object]:
    """The threat counts, computed in plain Python cell by cell."""
    empty: dict[str, object] = {"odd": [], "even": []}
    if position.outcome:
        return {"threats": {"first": empty, "second": empty}, "count": None}
    found = {side: sorted(threats(position, side)) for side in Side}
    by_parity = {
        SIDE_NAMES[side]: {
            "odd": [tuple(cell) for cell in cells if cell.row % 2 == 0],
            "even": [tuple(cell) for cell in cells if cell.row % 2 == 1],
        }
        for side, cells in found.items()
    }
    return {"threats": by_parity, "count": count(position, found)}


def count(position: Position, found: dict[Side, list[tuple[int, int]]]) -> dict[str, object] | None:
    """Let both sides fill harmless cells in turn. Returns which side runs out of them, and who wins then."""
    lowest: dict[int, int] = {}
    for column, row in (cell for cells in found.values() for cell in cells):
        lowest[column] = min(row, lowest.get(column, row))
    if not lowest or any(row == position.height_of(column) for column, row in lowest.items()):
        return None
    height = position.variant.height
    harmless = [
        (column, row)
        for column in range(position.variant.width)
        for row in range(position.height_of(column), lowest.get(column, height + 1) - 1)
        if row < height
    ]
    side = position.side_to_move
    for _ in harmless:
        side = side.other
    wins = all(cell in found[side.other] for cell in lowest.items())
    return {
        "cells": len(harmless),
        "runs_out": SIDE_NAMES[side],
        "winner": SIDE_NAMES[side.other] if wins else None,
    }


def test_the_ledger_is_said_in_words() -> None:
    """The threat counts of a position in words: the first player's threat lies above a cell that neither side wants to
    fill."""
    start = parse_diagram("""
        . . . . . . .
        . . . . . . .
        . . . . . . .
        x x x . . . .
        o o x . . . .
        x x o . . o o
    """)
    move = review_game(Game(start, (6,))).moves[0]

    assert describe_ledger(move.ledger, NAMES, load_texts("en")) == [
        "Threats of Ann (column/row): odd rows 4/3; even rows –.",
        "25 harmless cells are left: if no new threat comes up, the first to drop beneath a threat is Bo.",
        "The count is for Ann.",
    ]
