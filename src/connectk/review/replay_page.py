"""Writes a review as one HTML file in which a reader can replay the game. The file uses the board, the panel, the style
and the texts of the web page.

The modules of the web page are embedded as data URLs in an import map. The file therefore needs no build step and loads
no other files.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from connectk.notation import SavedGame
from connectk.review.game_json import game_to_json, threats_to_json
from connectk.review.report import headline, localize_review, summary_sentences, to_json
from connectk.review.review import MoveReview, Review
from connectk.solver.score_views import estimated_scores, exact_scores
from connectk.texts import LANGUAGES, Texts, load_texts
from connectk.web.modules import PAGE_FOLDER, read_scripts
from connectk.why import Why
from connectk.why.json_views import localize_why, why_to_json

if TYPE_CHECKING:
    from connectk.solver.messages import ScoresAnswer
    from connectk.why.messages import WhyAnswer

PAGE_TEMPLATE_FILE = Path(__file__).with_name("page.html")
ENTRY_SCRIPT = Path(__file__).with_name("onefile.js")
STYLESHEET_PATTERN = re.compile(r'<link rel="stylesheet" href="(css/[a-z]+\.css)">')
MAIN_ELEMENT_PATTERN = re.compile(r"<main .*?</main>", re.DOTALL)
PLACEHOLDER_PATTERN = re.compile(r"\{(language|headline|css|imports|main|verdict|texts|facts)\}")


def write_replay_page(saved: SavedGame, review: Review, texts: Texts, whys: Mapping[int, Why] | None = None) -> str:
    """Return the HTML page. It also contains the summary as text, for readers whose browser runs no scripts.

    `whys` are explanations of positions. The key of an explanation is the number of the move that led to its position.
    """
    index = (PAGE_FOLDER / "index.html").read_text(encoding="utf-8")
    styles = STYLESHEET_PATTERN.findall(index) + (["css/why.css"] if whys else [])
    parts = {
        "language": texts.language,
        "headline": escape(headline(saved, texts)),
        "css": "\n".join((PAGE_FOLDER / name).read_text(encoding="utf-8") for name in styles),
        "imports": _json({"imports": _modules()}),
        "main": MAIN_ELEMENT_PATTERN.findall(index)[0],
        "verdict": "".join(f"<p>{escape(line)}</p>" for line in summary_sentences(review, texts, saved.swapped)),
        "texts": _json({language: load_texts(language).catalogue for language in LANGUAGES}),
        "facts": _json(_facts(saved, review, whys or {})),
    }
    return PLACEHOLDER_PATTERN.sub(lambda mark: parts[mark[1]], PAGE_TEMPLATE_FILE.read_text(encoding="utf-8"))


def _json(value: Any) -> str:
    # so that a player's name cannot end the script element
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")


def _modules() -> dict[str, str]:
    """The entry module and all modules that it imports, as data URLs. The keys are absolute names, because a module in
    a data URL cannot import a relative path."""
    sources = {name: script.with_imports("connectk/") for name, script in read_scripts(ENTRY_SCRIPT).items()}
    return {
        f"connectk/{name}": f"data:text/javascript;base64,{b64encode(source.encode()).decode()}"
        for name, source in sources.items()
    }


def _facts(saved: SavedGame, review: Review, whys: Mapping[int, Why]) -> dict[str, Any]:
    """The answers that a server would give to each request of the page. The page itself knows no rules."""
    answer = to_json(saved, review)
    turn = review.turning_point
    return {
        "players": answer["players"],
        "game": game_to_json(review.game),
        "ply": len(review.moves) if turn is None else review.moves.index(turn) + 1,
        "review": {language: localize_review(answer, load_texts(language)) for language in LANGUAGES},
        "scores": [*(_scores(move) for move in review.moves), None],
        "threats": [threats_to_json(position) for position in review.game.positions],
        "whys": _whys(review, whys),
    }


def _whys(review: Review, whys: Mapping[int, Why]) -> dict[str, dict[int, WhyAnswer]] | None:
    """The explanations, by language and then by the ply that the page shows."""
    if not whys:
        return None
    facts = {i: why_to_json(whys[move.number]) for i, move in enumerate(review.moves, start=1) if move.number in whys}
    return {code: {ply: localize_why(one, load_texts(code)) for ply, one in facts.items()} for code in LANGUAGES}


def _scores(move: MoveReview) -> ScoresAnswer:
    """The scores of the columns before a move, as far as the review knows them. They are exact or estimates."""
    known = [move.judged.scores.get(column) for column in range(move.position.variant.width)]
    if move.exact:
        return exact_scores(move.position, [None if score is None else int(score) for score in known])
    return estimated_scores([None if score is None else (-1, 1) for score in known], known)
