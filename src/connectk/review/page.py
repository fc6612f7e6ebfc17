"""A review as a page that replays the game and needs nothing but itself."""

from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path
from typing import Any

from connectk.drawing.palette import css_variables
from connectk.notation import SavedGame
from connectk.review.report import headline, to_json, verdict
from connectk.review.review import MoveReview, Review
from connectk.texts import Texts

MARK = re.compile(r"\{(headline|verdict|data|tokens)\}")
TEMPLATE = Path(__file__).with_name("page.html")


def draw_page(saved: SavedGame, review: Review, texts: Texts) -> str:
    """The page as text; what the reader's scripts cannot show stands in it as words too."""
    data = json.dumps(_data(saved, review, texts)).replace("<", "\\u003c")  # no name can end the script
    lines = "".join(f"<p>{escape(line)}</p>" for line in verdict(review, texts))
    parts = {
        "{headline}": escape(headline(saved, texts)),
        "{verdict}": lines,
        "{data}": data,
        "{tokens}": css_variables(),
    }
    return MARK.sub(lambda mark: parts[mark[0]], TEMPLATE.read_text(encoding="utf-8"))


def _data(saved: SavedGame, review: Review, texts: Texts) -> dict[str, Any]:
    """What is drawn: the page computes no rule, so every cell is told."""
    facts = to_json(saved, review, texts)
    for told, move in zip(facts["moves"], review.moves, strict=True):
        told["column_words"] = _column_words(move, texts)
        told["best_cells"] = [[column, move.position.height_of(column)] for column in move.best_columns]
    variant, position = review.game.variant, review.game.position
    return {
        **facts,
        "width": variant.width,
        "height": variant.height,
        "start": [[*cell, side.value] for cell, side in review.game.start.discs()],
        "lines": [[list(cell) for cell in line] for line in position.winning_lines],
        "winning_cells": [list(cell) for cell in position.winning_cells],
    }


def _column_words(move: MoveReview, texts: Texts) -> list[str]:
    judged, columns = move.judged, range(move.position.variant.width)
    return [judged.worth(column, move.position).say(texts) if column in judged.scores else "" for column in columns]
