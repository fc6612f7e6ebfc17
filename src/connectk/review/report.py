"""Converts a review to sentences in any language, and to JSON. Columns count from 1 in sentences, and from 0 in
JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from connectk.notation import SavedGame, draw_diagram
from connectk.notation.views import SIDE_NAMES, players_view
from connectk.review.reasons import describe_reason
from connectk.review.review import Label, MoveReview, Review
from connectk.review.variation_boards import MAX_SHOWN_LINE_DISCS, play_numbered
from connectk.rules import Position, Side
from connectk.solver.worth import Worth
from connectk.texts import Texts, list_words, load_texts

if TYPE_CHECKING:
    from connectk.review.messages import LedgerView, MarksView, MoveReviewView, ReviewAnswer, WorthView


MAX_NEAR_LOSS_DISCS = 5  # with so few discs the winner completes a line; a person counts such a game as lost


def headline(saved: SavedGame, texts: Texts) -> str:
    """A headline such as 'Ann (first) against level:5 (second), 7x6x4: the second player won after 22 discs.'"""
    names = {str(side): _name(saved, side, texts) for side in Side}
    return texts("report.headline", **names, variant=saved.game.variant, ending=_ending(saved, texts))


def _name(saved: SavedGame, side: Side, texts: Texts) -> str:
    side_word, name = texts(f"side.{side}"), saved.players.get(side)
    if name:
        return f"{name} ({side_word.lower()})"
    return side_word if side is Side.FIRST else side_word.lower()


def _ending(saved: SavedGame, texts: Texts) -> str:
    discs = saved.game.position.ply
    if saved.result is None:
        return texts("report.unfinished", count=discs)
    reason = saved.result.reason.value
    if saved.result.winner is None:
        return texts(f"report.drawn.{reason}", count=discs)
    return texts(f"report.won.{reason}", count=discs, winner=texts(f"reason.side.{saved.result.winner}"))


def summary_sentences(review: Review, texts: Texts, swapped: bool | None = None) -> list[str]:
    """Sentences about how well each side played and which move decided the game. `swapped` is the field `swapped` of
    the saved game."""
    lines = [describe_given_moves(review, texts)] if review.given else []
    lines += [] if swapped is None else [describe_swap(review, swapped, texts)]
    lines += [describe_accuracy(review, side, texts(f"side.{side}"), texts) for side in Side]
    lines += [describe_turning_point(review, texts), *describe_lines(review.turning_point, texts)]
    lines += describe_losing_move(review, texts)
    estimates = sum(not move.proven for move in review.moves)
    if estimates:
        lines.append(texts("report.estimates", estimates=estimates, count=len(review.moves)))
    return lines


def describe_given_moves(review: Review, texts: Texts) -> str:
    """A sentence such as 'The first 12 discs were given; nobody is judged for them.'"""
    return texts("review.given", count=review.given)


def describe_swap(review: Review, swapped: bool, texts: Texts) -> str:
    """Sentences such as 'The first disc was taken over.', and whether this choice was right."""
    start = review.game.start
    ply = (start.side_to_move is Side.FIRST) + 0
    if ply >= len(review.moves):
        return texts("review.swap.open")
    choice = review.moves[ply]
    taken = texts("review.swap.taken" if swapped else "review.swap.kept", worth=choice.worth_before.say(texts))
    return f"{taken} {texts(f'review.swap.{_swap_verdict(choice, swapped)}')}"


def _swap_verdict(choice: MoveReview, swapped: bool) -> str:
    """The quality of the choice of side, according to the worth of the position for the side that chose."""
    if not choice.worth_before.is_proven:
        return "estimate"
    if choice.before == 0:
        return "even"
    return "right" if swapped == (choice.before < 0) else "wrong"


def percent(review: Review, side: Side) -> str:
    """A side's accuracy in percent. A dash if none of the side's moves can be judged."""
    accuracy = review.accuracy(side)
    return "-" if accuracy is None else f"{accuracy:.0f}\u00a0%"


def describe_accuracy(review: Review, side: Side, name: str, texts: Texts) -> str:
    """A side's accuracy, the number of estimates in it, and the side's mistakes: 'Ann: accuracy 83 %. Missed block
    1.'"""
    value, marks = percent(review, side), review.marks[side]
    if marks.estimated:
        value += f" ({texts('review.estimated_share', estimated=marks.estimated, count=marks.count)})"
    counts = {label: review.count(side, label) for label in Label if label.is_flawed}
    named = ", ".join(f"{texts(f'label.{label.value}').lower()} {count}" for label, count in counts.items() if count)
    sentence = texts("review.accuracy", name=name, accuracy=value)
    return f"{sentence} {named[0].upper()}{named[1:]}." if named else sentence


def mistakes(review: Review, texts: Texts, names: Mapping[Side, str] | None = None) -> list[str]:
    """A sentence about each flawed move. It says who made the move, what the move threw away, and why."""
    names = names or _side_names(texts)
    return [_told("report.move", move, review, names, texts) for move in review.moves if move.label.is_flawed]


def _side_names(texts: Texts) -> dict[Side, str]:
    return {side: texts(f"reason.side.{side}") for side in Side}


def describe_move(move: MoveReview, texts: Texts) -> str:
    """A sentence such as 'Blunder: from 'wins in 5' to 'draw'. Better: column 3 or 4.'"""
    label, became = texts(f"label.{move.label.value}"), move.worth_after.say(texts)
    if move.label in (Label.BEST, Label.GIVEN):
        return texts("review.best", label=label, worth=became)
    better = list_words([str(column + 1) for column in move.best_columns], "review.or", texts)
    return texts("review.worse", label=label, was=move.worth_before.say(texts), became=became, columns=better)


def describe_reasons(move: MoveReview, texts: Texts) -> str:
    """Sentences that say why a move was flawed and how hard that was to see. Each sentence begins with a space.

    The text is empty if the move was not flawed.
    """
    sentences = [*(describe_reason(reason, texts) for reason in move.reasons), *_how_hard_to_see(move, texts)]
    return "".join(f" {sentence}" for sentence in sentences)


def _how_hard_to_see(move: MoveReview, texts: Texts) -> list[str]:
    if move.label not in (Label.MISTAKE, Label.FINE_POINT) or move.seen_by is None:
        return []
    return [texts("review.seen_by", count=move.seen_by) if move.seen_by else texts("review.seen_by_none")]


def describe_ledger(ledger: LedgerView, names: Mapping[Side, str], texts: Texts) -> list[str]:
    """A sentence for each side that has threats, and a sentence about which side runs out of harmless cells first."""
    threats, count = ledger["threats"], ledger["count"]
    cells_by_side = {Side.FIRST: threats["first"], Side.SECOND: threats["second"]}
    lines = [
        texts("ledger.side", name=names[side], odd=_cell_list(cells["odd"]), even=_cell_list(cells["even"]))
        for side, cells in cells_by_side.items()
        if cells["odd"] or cells["even"]
    ]
    if count is None:
        return [*lines, texts("ledger.now")] if lines else []
    by_name = {SIDE_NAMES[side]: name for side, name in names.items()}
    lines.append(texts("ledger.count", count=count["cells"], loser=by_name[count["runs_out"]]))
    if count["winner"]:
        lines.append(texts("ledger.wins", winner=by_name[count["winner"]]))
    return lines


def _cell_list(cells: Sequence[Sequence[int]]) -> str:
    """Cells as text, such as '3/5, 4/1'. The column comes before the row. The text is a dash if there are no cells."""
    return ", ".join(f"{column + 1}/{row + 1}" for column, row in cells) or "–"


def describe_turning_point(review: Review, texts: Texts, names: Mapping[Side, str] | None = None) -> str:
    """Sentences about the turning point and the reason for it.

    If the game was as good as lost before the turning point, the sentences begin with the move that lost it, which is
    hard to see.
    """
    move, lost = review.turning_point, review.lost_at
    if move is None:
        return _without_turning_point(review, texts)
    names = names or _side_names(texts)
    if lost is not None and _came_too_late(review):
        return f"{_told('review.lost_hidden', lost, review, names, texts)} " + _told(
            "review.plainest", move, review, names, texts
        )
    key = "review.finest_point" if move.label is Label.FINE_POINT else "review.turning_point"
    return _told(key, move, review, names, texts)


def describe_losing_move(review: Review, texts: Texts, names: Mapping[Side, str] | None = None) -> list[str]:
    """A sentence about the move that lost the game by exact scores. Empty if this move is the turning point or was
    named together with it."""
    lost = review.lost_at
    if lost is None or lost is review.turning_point or _came_too_late(review):
        return []
    names = names or _side_names(texts)
    facts = {"ply": lost.number - review.game.start.ply, "name": names[lost.side], "column": lost.column + 1}
    return [texts("review.lost_exactly", **facts, story=describe_move(lost, texts))]


def _came_too_late(review: Review) -> bool:
    """Whether the game was as good as lost before the turning point. In that case an earlier move lost it."""
    turn = review.turning_point
    if turn is None or turn.fell or review.lost_at in (None, turn):
        return False
    before = turn.worth_before
    return before.kind == "loses" and before.count <= MAX_NEAR_LOSS_DISCS


def _told(key: str, move: MoveReview, review: Review, names: Mapping[Side, str], texts: Texts) -> str:
    facts = {"ply": move.number - review.game.start.ply, "name": names[move.side], "column": move.column + 1}
    return texts(key, **facts, story=describe_move(move, texts)) + describe_reasons(move, texts)


def _without_turning_point(review: Review, texts: Texts) -> str:
    judged = review.moves[min(review.given, len(review.moves) - 1)]
    score = judged.before if judged.side is Side.FIRST else -judged.before
    if not judged.worth_before.is_proven or score == 0:
        return texts("review.no_turning")
    winner = Side.FIRST if score > 0 else Side.SECOND
    return texts("report.all_along", winner=texts(f"reason.side.{winner}"))


def describe_lines(move: MoveReview | None, texts: Texts) -> list[str]:
    """Two sentences about a flawed move: the better line, and the line that refutes the move."""
    if move is None:
        return []
    lines = {"review.better_line": move.better_line, "review.refutation": move.refutation}
    return [texts(key, moves=format_line(line)).replace("….", "…") for key, line in lines.items() if line]


def format_line(line: Sequence[int]) -> str:
    """A line of play as text, such as '4 5 5 3'. A long line is cut off."""
    columns = " ".join(str(column + 1) for column in line[:MAX_SHOWN_LINE_DISCS])
    return f"{columns} …" if len(line) > MAX_SHOWN_LINE_DISCS else columns


def draw_numbered_line(position: Position, line: Sequence[int], discs: str = "xo") -> str:
    """The board as characters, where numbers mark the drops of a line."""
    marks = {cell: str(number) for cell, number in play_numbered(position, line)[1].items()}
    return draw_diagram(position, marks, discs)


def to_json(saved: SavedGame, review: Review, texts: Texts | None = None) -> ReviewAnswer:
    """The review as JSON, with its sentences in the language of `texts`. The default language is English."""
    turn, winner = review.turning_point, saved.result and saved.result.winner
    answer: ReviewAnswer = {
        "variant": str(review.game.variant),
        "players": players_view(saved.players),
        "winner": SIDE_NAMES[winner] if winner else None,
        "given": review.given,
        "exact": review.exact,
        "accuracy": {"first": review.accuracy(Side.FIRST), "second": review.accuracy(Side.SECOND)},
        "marks": {"first": _marks_json(review, Side.FIRST), "second": _marks_json(review, Side.SECOND)},
        "turning_point": turn.number if turn else None,
        "lost_at": review.lost_at.number if review.lost_at else None,
        "advantage": round(review.moves[0].advantage_before, 4),
        "moves": [_move_json(move) for move in review.moves],
    }
    return localize_review(answer, texts or load_texts("en"))


def localize_review(answer: ReviewAnswer, texts: Texts) -> ReviewAnswer:
    """A copy of a review's JSON with its sentences in the language of `texts`."""
    return {**answer, "moves": [_localized_move(move, texts) for move in answer["moves"]]}


def _localized_move(move: MoveReviewView, texts: Texts) -> MoveReviewView:
    sentences = [describe_reason(reason, texts) for reason in move["reasons"]]
    return {
        **move,
        "before_words": Worth(**move["worth_before"]).say(texts),
        "after_words": Worth(**move["worth_after"]).say(texts),
        "reason": " ".join(sentences) or None,
    }


def _marks_json(review: Review, side: Side) -> MarksView:
    marks = review.marks[side]
    return {"count": marks.count, "estimated": marks.estimated}


def _move_json(move: MoveReview) -> MoveReviewView:
    """A move as JSON without its sentences; `localize_review` adds them."""
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
        "seen_by": move.seen_by,
        "was_lost": move.was_lost,
        "reasons": list(move.reasons),
        "better_line": list(move.better_line),
        "refutation": list(move.refutation),
        "better_cells": _cells_of(move.position, move.better_line),
        "refutation_cells": _cells_of(move.after_position, move.refutation),
        "ledger": move.ledger,
        "before_words": "",
        "after_words": "",
        "reason": None,
    }


def _cells_of(position: Position, line: Sequence[int]) -> list[tuple[int, int]]:
    """The cells of the first drops of a line. The number of drops is limited to what a board shows."""
    return list(play_numbered(position, line)[1])


def _worth_json(worth: Worth) -> WorthView:
    return {"kind": worth.kind, "count": worth.count, "score": round(worth.score, 4)}


def _shown_width(move: MoveReview) -> int:
    """The number of columns whose score is shown. These are all columns or, if the scores are estimates, the columns up
    to the last estimate."""
    return move.position.variant.width if move.exact else max(move.judged.scores) + 1
