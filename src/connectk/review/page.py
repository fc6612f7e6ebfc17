"""A review as one file that replays the game: the web page's own board, panel, style and words, and the facts.

A browser loads the page's modules from an import map in which each is written out, so nothing is built and nothing is
asked for from anywhere, not even from a server.
"""

from __future__ import annotations

import json
import posixpath
import re
from base64 import b64encode
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import connectk
from connectk.notation import SavedGame
from connectk.review.facts import game_facts, threat_facts
from connectk.review.report import headline, in_language, to_json, verdict
from connectk.review.review import MoveReview, Review
from connectk.solver.facts import estimated_scores, exact_scores
from connectk.texts import LANGUAGES, Texts, load_texts
from connectk.why import Why
from connectk.why.steps import in_language as in_words
from connectk.why.steps import why_facts

if TYPE_CHECKING:
    from connectk.solver.messages import ScoresAnswer
    from connectk.why.messages import WhyAnswer

WEB = Path(connectk.__file__).parent / "web"
TEMPLATE = Path(__file__).with_name("page.html")
ENTRY = Path(__file__).with_name("onefile.js")
# The end of a line: a comment may name a module too.
IMPORT = re.compile(r'((?:^import |\bfrom |await import\()")(\.[./a-z]+\.js)(?=";$|"\))', re.MULTILINE)
STYLESHEET = re.compile(r'<link rel="stylesheet" href="(css/[a-z]+\.css)">')
MAIN = re.compile(r"<main .*?</main>", re.DOTALL)
MARK = re.compile(r"\{(language|headline|css|imports|main|verdict|texts|facts)\}")


def draw_page(saved: SavedGame, review: Review, texts: Texts, whys: Mapping[int, Why] | None = None) -> str:
    """The page as text; what the reader's scripts cannot show stands in it as words too. `whys` are explanations of the
    positions after some moves, by their numbers."""
    index = (WEB / "index.html").read_text(encoding="utf-8")
    styles = STYLESHEET.findall(index) + (["css/why.css"] if whys else [])
    parts = {
        "language": texts.language,
        "headline": escape(headline(saved, texts)),
        "css": "\n".join((WEB / name).read_text(encoding="utf-8") for name in styles),
        "imports": _json({"imports": _modules()}),
        "main": MAIN.findall(index)[0],
        "verdict": "".join(f"<p>{escape(line)}</p>" for line in verdict(review, texts)),
        "texts": _json({language: load_texts(language).catalogue for language in LANGUAGES}),
        "facts": _json(_facts(saved, review, whys or {})),
    }
    return MARK.sub(lambda mark: parts[mark[1]], TEMPLATE.read_text(encoding="utf-8"))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")  # no name can end the script


def _modules() -> dict[str, str]:
    """The entry and all that it imports, each under a name of its own, since a written-out module has no place."""
    found: dict[str, str] = {}
    wanted = [ENTRY.name]
    while wanted:
        name = wanted.pop()
        if name not in found:
            script, imported = _module(name)
            found[name] = b64encode(script.encode()).decode()
            wanted += imported
    return {f"connectk/{name}": f"data:text/javascript;base64,{script}" for name, script in found.items()}


def _module(name: str) -> tuple[str, list[str]]:
    """A script that imports others by their names from the folder of all scripts, and these names."""
    script = (ENTRY if name == ENTRY.name else WEB / "js" / name).read_text(encoding="utf-8")
    folder = posixpath.dirname(name)
    names = {path: posixpath.normpath(posixpath.join(folder, path)) for _, path in IMPORT.findall(script)}
    return IMPORT.sub(lambda found: f"{found[1]}connectk/{names[found[2]]}", script), list(names.values())


def _facts(saved: SavedGame, review: Review, whys: Mapping[int, Why]) -> dict[str, Any]:
    """What the page would ask a server for, each question answered beforehand; the page computes no rule."""
    told = to_json(saved, review)
    turn = review.turning_point
    return {
        "players": told["players"],
        "game": game_facts(review.game),
        "ply": len(review.moves) if turn is None else review.moves.index(turn) + 1,
        "review": {language: in_language(told, load_texts(language)) for language in LANGUAGES},
        "scores": [*(_scores(move) for move in review.moves), None],
        "threats": [threat_facts(position) for position in review.game.positions],
        "whys": _whys(review, whys),
    }


def _whys(review: Review, whys: Mapping[int, Why]) -> dict[str, dict[int, WhyAnswer]] | None:
    """By language, then by the ply that the page shows."""
    if not whys:
        return None
    facts = {i: why_facts(whys[move.number]) for i, move in enumerate(review.moves, start=1) if move.number in whys}
    return {code: {ply: in_words(one, load_texts(code)) for ply, one in facts.items()} for code in LANGUAGES}


def _scores(move: MoveReview) -> ScoresAnswer:
    """The columns of the position before a move: exact, or what was estimated of two of them."""
    known = [move.judged.scores.get(column) for column in range(move.position.variant.width)]
    if move.exact:
        return exact_scores(move.position, [None if score is None else int(score) for score in known])
    return estimated_scores([None if score is None else (-1, 1) for score in known], known)
