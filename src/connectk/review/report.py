"""A review in words of any language we speak, and as JSON; columns count from 1 in the words and from 0 in the JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from connectk.notation import SavedGame, draw_diagram
from connectk.notation.views import SIDE_NAMES, players_view
from connectk.review.lines import LONGEST_LINE, play_line
from connectk.review.reasons import Reason
from connectk.review.review import Label, MoveReview, Review
from connectk.rules import Position, Side
from connectk.solver.words import Worth
from connectk.texts import Texts, load_texts

if TYPE_CHECKING:
    from connectk.review.messages import MoveReviewView, ReviewAnswer, WorthView


def headline(saved: SavedGame, texts: Texts) -> str:
    """Ann (first) against level:5 (second), 7x6x4: the second player won after 22 discs."""
    names = {str(side): _name(saved, side, texts) for side in Side}
    return texts("report.headline", **names, variant=saved.game.variant, ending=_ending(saved, texts))


def _name(saved: SavedGame, side: Side, texts: Texts) -> str:
    said, name = texts(f"side.{side}"), saved.players.get(side)
    if name:
        return f"{name} ({said.lower()})"
    return said if side is Side.FIRST else said.lower()


def _ending(saved: SavedGame, texts: Texts) -> str:
    discs = saved.game.position.ply
    if saved.result is None:
        return texts("report.unfinished", count=discs)
    reason = saved.result.reason.value
    if saved.result.winner is None:
        return texts(f"report.drawn.{reason}", count=discs)
    return texts(f"report.won.{reason}", count=discs, winner=texts(f"reason.side.{saved.result.winner}"))


def verdict(review: Review, texts: Texts) -> list[str]:
    """What to remember: how well each side played, and the move that decided the game."""
    lines = [say_given(review, texts)] if review.given else []
    lines += [say_accuracy(review, side, texts(f"side.{side}"), texts) for side in Side]
    lines += [say_turning_point(review, texts), *say_lines(review.turning_point, texts)]
    estimates = sum(not move.proven for move in review.moves)
    if estimates:
        lines.append(texts("report.estimates", estimates=estimates, count=len(review.moves)))
    return lines


def say_given(review: Review, texts: Texts) -> str:
    """The first 12 discs were given; nobody is judged for them."""
    return texts("review.given", count=review.given)


def say_accuracy(review: Review, side: Side, name: str, texts: Texts) -> str:
    accuracy = review.accuracy(side)
    return texts(
        "review.accuracy",
        name=name,
        accuracy="-" if accuracy is None else f"{accuracy:.0f}\u00a0%",
        slips=review.count(side, Label.SLIP),
        blunders=review.count(side, Label.BLUNDER),
    )


def say_move(move: MoveReview, texts: Texts) -> str:
    """Blunder: from wins in 5 to draw. Better: column 3."""
    label, became = texts(f"label.{move.label.value}"), move.worth_after.say(texts)
    if move.label in (Label.BEST, Label.GIVEN):
        return texts("review.best", label=label, worth=became)
    better = ", ".join(str(column + 1) for column in move.best_columns)
    return texts("review.worse", label=label, was=move.worth_before.say(texts), became=became, columns=better)


def say_reason(move: MoveReview, texts: Texts) -> str:
    """Why a blunder was one; nothing of another move."""
    return f" {move.reason.say(texts)}" if move.reason else ""


def say_turning_point(review: Review, texts: Texts) -> str:
    """The game turned at move 21, column 3, what it threw away and why."""
    move = review.turning_point
    if move is None:
        return _without_blunder(review, texts)
    ply = move.number - review.game.start.ply
    told = texts("review.turning_point", ply=ply, column=move.column + 1, story=say_move(move, texts))
    return told + say_reason(move, texts)


def _without_blunder(review: Review, texts: Texts) -> str:
    judged = review.moves[min(review.given, len(review.moves) - 1)]
    score = judged.before if judged.side is Side.FIRST else -judged.before
    if not judged.worth_before.is_proven or score == 0:
        return texts("review.no_turning_point")
    winner = Side.FIRST if score > 0 else Side.SECOND
    return texts("report.all_along", winner=texts(f"reason.side.{winner}"))


def say_lines(move: MoveReview | None, texts: Texts) -> list[str]:
    """How it should have gone on, and how the move is met."""
    if move is None or move.reason is None:
        return []
    lines = {"review.better_line": move.reason.line, "review.refutation": move.reason.refutation}
    return [texts(key, moves=write_line(line)).replace("….", "…") for key, line in lines.items() if line]


def write_line(line: Sequence[int]) -> str:
    """4 5 5 3, a long one cut short."""
    told = " ".join(str(column + 1) for column in line[:LONGEST_LINE])
    return f"{told} …" if len(line) > LONGEST_LINE else told


def line_on_board(position: Position, line: Sequence[int], discs: str = "xo") -> str:
    """The board with the drops of a line numbered, as many as a digit can count."""
    marks = {cell: str(number) for cell, number in play_line(position, line)[1].items()}
    return draw_diagram(position, marks, discs)


def to_json(saved: SavedGame, review: Review, texts: Texts | None = None) -> ReviewAnswer:
    """Everything, for programs and for the page; what is said is said in the language of `texts`."""
    turn, winner = review.turning_point, saved.result and saved.result.winner
    told: ReviewAnswer = {
        "variant": str(review.game.variant),
        "players": players_view(saved.players),
        "winner": SIDE_NAMES[winner] if winner else None,
        "given": review.given,
        "exact": review.exact,
        "accuracy": {"first": review.accuracy(Side.FIRST), "second": review.accuracy(Side.SECOND)},
        "turning_point": turn.number if turn else None,
        "advantage": round(review.moves[0].advantage_before, 4),
        "moves": [_move_json(move) for move in review.moves],
    }
    return in_language(told, texts or load_texts("en"))


def in_language(told: ReviewAnswer, texts: Texts) -> ReviewAnswer:
    """The JSON of a review with its words said in another language; the one given is left as it is."""
    return {**told, "moves": [_said(move, texts) for move in told["moves"]]}


def _said(move: MoveReviewView, texts: Texts) -> MoveReviewView:
    kind = move["reason_kind"]
    return {
        **move,
        "before_words": Worth(**move["worth_before"]).say(texts),
        "after_words": Worth(**move["worth_after"]).say(texts),
        "reason": Reason(kind, move["reason_facts"]).say(texts) if kind else None,
    }


def _move_json(move: MoveReview) -> MoveReviewView:
    """All but the words, which `in_language` fills in."""
    reason = move.reason
    return {
        "number": move.number,
        "side": SIDE_NAMES[move.side],
        "column": move.column,
        "row": move.cell.row,
        "before": move.before,
        "after": move.after,
        "worth_before": _worth_json(move.worth_before),
        "worth_after": _worth_json(move.worth_after),
        "exact": move.exact,
        "proven": move.proven,
        "best_columns": list(move.best_columns),
        "scores": [move.judged.scores.get(column) for column in range(_shown_width(move))],
        "label": move.label.value,
        "advantage": round(move.advantage, 4),
        "reason_kind": reason.kind if reason else None,
        "reason_facts": reason.facts if reason else {},
        "cells": list(reason.cells) if reason else [],
        "better_line": list(reason.line) if reason else [],
        "refutation": list(reason.refutation) if reason else [],
        "better_cells": _cells_of(move.position, reason.line) if reason else [],
        "refutation_cells": _cells_of(move.after_position, reason.refutation) if reason else [],
        "before_words": "",
        "after_words": "",
        "reason": None,
    }


def _cells_of(position: Position, line: Sequence[int]) -> list[tuple[int, int]]:
    """Where the drops of a line come to lie, as many as are told."""
    return list(play_line(position, line)[1])


def _worth_json(worth: Worth) -> WorthView:
    return {"kind": worth.kind, "count": worth.count, "score": round(worth.score, 4)}


def _shown_width(move: MoveReview) -> int:
    """One score for each column; on an estimate, up to the last column that was looked at."""
    return move.position.variant.width if move.exact else max(move.judged.scores) + 1
