"""The quiet type beside the board."""

from __future__ import annotations

from textual.content import Content

from connectk.notation import write_moves
from connectk.rules import Side
from connectk.terminal.hints import Hint
from connectk.terminal.match import Match
from connectk.terminal.sentences import Sentences
from connectk.texts import Texts

MOST_COLUMNS_LISTED = 16


def seats(match: Match, to_move: Side | None, sentences: Sentences, marker: str) -> Content:
    """Both players, with a mark at whose turn it is."""
    lines = []
    for side, style in ((Side.FIRST, "$first"), (Side.SECOND, "$second")):
        name = (f" {sentences.seat(match, side)}", "bold" if side is to_move else "$quiet")
        lines.append(Content.assemble(f"{marker if side is to_move else ' '} ", (sentences.discs[side], style), name))
    return Content("\n").join(lines)


def moves(match: Match, ply: int, texts: Texts) -> Content:
    """The moves of the game, those after `ply` quietly; nothing before the first."""
    played, variant = match.game.moves, match.game.variant
    if not played:
        return Content("")
    whole, until = write_moves(played, variant), write_moves(played[:ply], variant)
    label = texts("panel.moves", count=len(played))
    return Content.assemble((label, "$quiet"), f"\n{until}", (whole[len(until) :], "$quiet"))


def hint(found: Hint, texts: Texts, in_one_line: bool = False) -> Content:
    """What each column is worth, a star at the best; then how the search is doing."""
    lines = [_column_line(column, found, texts) for column in sorted(found.worths)[:MOST_COLUMNS_LISTED]]
    if found.advice is not None and not _is_settled(found):
        lines.append(Content(texts("hint.advice", column=found.advice + 1)))
    if not found.is_finished:
        seen = f"{found.positions_seen:,}".replace(",", " ")
        lines.append(Content.styled(texts("hint.looking", seconds=int(found.seconds), seen=seen), "$quiet"))
    return Content("  " if in_one_line else "\n").join(lines)


def _is_settled(found: Hint) -> bool:
    return bool(found.worths) and all(worth.is_known for worth in found.worths.values())


def _column_line(column: int, found: Hint, texts: Texts) -> Content:
    worth = found.worths[column]
    style = "$good" if worth.lower > 0 else "$bad" if worth.upper < 0 else ""
    mark = "*" if column in found.best_columns else " "
    return Content.assemble((f"{mark}{column + 1:>3}  ", "bold"), (worth.words(texts), style))
