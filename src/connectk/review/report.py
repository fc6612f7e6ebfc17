"""A review in words, and as JSON; columns count from 1 in the words and from 0 in the JSON."""

from __future__ import annotations

from typing import Any

from connectk.notation import SavedGame
from connectk.review.reasons import Reason
from connectk.review.review import Label, MoveReview, Review
from connectk.rules import EndReason, Side
from connectk.texts import Texts

ENDINGS = {
    EndReason.LINE: "",
    EndReason.FULL: "",
    EndReason.RESIGNED: " by resignation",
    EndReason.AGREED: " by agreement",
    EndReason.TIME: " on time",
    EndReason.FORFEIT: " by forfeit",
}


def headline(saved: SavedGame) -> str:
    """Ann (first) against level:5 (second), 7x6x4: the second player won after 22 discs."""
    names = {Side.FIRST: "First", Side.SECOND: "second"}
    names |= {side: f"{name} ({side})" for side, name in saved.players.items()}
    return f"{names[Side.FIRST]} against {names[Side.SECOND]}, {saved.game.variant}: {_ending(saved)}."


def _ending(saved: SavedGame) -> str:
    discs = f"after {saved.game.position.ply} discs"
    if saved.result is None:
        return f"unfinished {discs}"
    if saved.result.winner is None:
        return f"a draw{ENDINGS[saved.result.reason]} {discs}"
    return f"the {saved.result.winner} player won{ENDINGS[saved.result.reason]} {discs}"


def verdict(review: Review) -> list[str]:
    """What to remember: how well each side played, and the move that decided the game."""
    lines = [_accuracy_line(review, side) for side in Side]
    turn = review.turning_point
    lines.append(story(turn) if turn else _without_blunder(review))
    if not review.exact:
        estimates = sum(not move.exact for move in review.moves)
        lines.append(f"{estimates} of {len(review.moves)} moves are judged by the engine's estimate, not exactly.")
    return lines


def _accuracy_line(review: Review, side: Side) -> str:
    accuracy = review.accuracy(side)
    counts = (
        f"{_number(review.count(side, Label.SLIP), 'slip')}, {_number(review.count(side, Label.BLUNDER), 'blunder')}"
    )
    return f"{str(side).capitalize()}: accuracy {'–' if accuracy is None else f'{accuracy:.0f}%'}, {counts}."


def _number(count: int, word: str) -> str:
    return f"{count or 'no'} {word}{'' if count == 1 else 's'}"


def story(move: MoveReview) -> str:
    """Turning point: move 21, first in column 3, from 'wins in 5 discs' to 'loses in 4'. Better: column 5. Why."""
    best = " or ".join(str(column + 1) for column in move.best_columns)
    change = f"from '{move.words(move.before)}' to '{move.words(move.after)}'"
    why = f" {move.reason.text}" if move.reason else ""
    where = f"move {move.number}, {move.side} in column {move.column + 1}"
    return f"Turning point: {where}, {change}. Better: column {best}.{why}"


def _without_blunder(review: Review) -> str:
    first = review.moves[0]
    score = first.before if first.side is Side.FIRST else -first.before
    if not first.exact or score == 0:
        return "Nobody threw the game away."
    return f"Nobody threw the game away: {Side.FIRST if score > 0 else Side.SECOND} had the win all along."


def to_json(saved: SavedGame, review: Review) -> dict[str, Any]:
    turn = review.turning_point
    return {
        "variant": str(review.game.variant),
        "players": {str(side): name for side, name in saved.players.items()},
        "winner": saved.result and saved.result.winner and str(saved.result.winner),
        "exact": review.exact,
        "accuracy": {str(side): review.accuracy(side) for side in Side},
        "turning_point": turn and turn.number,
        "moves": [_move_json(move) for move in review.moves],
    }


def in_language(told: dict[str, Any], texts: Texts) -> dict[str, Any]:
    """The JSON of a review with its reasons said in another language; the one given is left as it is."""
    return told | {"moves": [move | {"reason": _reason_in(move, texts)} for move in told["moves"]]}


def _reason_in(move: dict[str, Any], texts: Texts) -> str | None:
    return Reason(move["reason_kind"], move["reason_facts"]).say(texts) if move["reason_kind"] else None


def _move_json(move: MoveReview) -> dict[str, Any]:
    return {
        "number": move.number,
        "side": str(move.side),
        "column": move.column,
        "row": move.cell.row,
        "before": move.before,
        "after": move.after,
        "before_words": move.words(move.before),
        "after_words": move.words(move.after),
        "exact": move.exact,
        "best_columns": list(move.best_columns),
        "scores": [move.judged.scores.get(column) for column in range(_shown_width(move))],
        "label": move.label.value,
        "advantage": round(move.advantage, 4),
        "reason": move.reason and move.reason.text,
        "reason_kind": move.reason and move.reason.kind,
        "reason_facts": dict(move.reason.facts) if move.reason else {},
        "cells": [list(cell) for cell in move.reason.cells] if move.reason else [],
        "better_line": list(move.reason.line) if move.reason else [],
    }


def _shown_width(move: MoveReview) -> int:
    """One score for each column; on an estimate, up to the last column that was looked at."""
    return move.position.variant.width if move.exact else max(move.judged.scores) + 1
