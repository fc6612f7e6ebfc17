"""A file that someone dropped on the page: a saved game, moves, or a Connect-Z file with the referee's verdict."""

from __future__ import annotations

import re
from typing import Any

from connectk.errors import ConnectkError
from connectk.notation import parse_game_file, parse_moves, parse_saved_game
from connectk.referee import Code, judge_bytes
from connectk.rules import CLASSIC, Game, Variant
from connectk.server.page.games import shown_variant, written
from connectk.texts import Texts
from connectk.texts.refusals import explain

CONNECT_Z = re.compile(rb"\s*[0-9]+[ \t]+[0-9]+[ \t]+[0-9]+[ \t]*(\r|\n|$)")


def read_file(data: bytes, texts: Texts) -> dict[str, Any]:
    """The game that a file holds, who played, and what the referee says; no game where none can be shown."""
    if CONNECT_Z.match(data):
        return _connect_z(data, texts)
    if data.lstrip().startswith(b"{"):
        saved = parse_saved_game(data.decode("utf-8", "replace"))
        shown_variant(saved.game.variant)
        players = {str(side): name for side, name in saved.players.items()}
        return {"game": _written(saved.game), "players": players, "verdict": ""}
    return {"game": _written(Game(CLASSIC, parse_moves(data.decode("utf-8", "replace")))), "players": {}, "verdict": ""}


def _connect_z(data: bytes, texts: Texts) -> dict[str, Any]:
    """As far as the game can be played; the verdict says what is wrong after that."""
    verdict = judge_bytes(data)
    words = texts(f"verdict.{verdict.code.value}", code=verdict.code.value, line=verdict.line or "")
    if verdict.code >= Code.ILLEGAL_GAME:
        return {"game": None, "players": {}, "verdict": words}
    width, height, run, columns = parse_game_file(data)
    game = Game(shown_variant(Variant(width, height, run)))
    for column in columns:
        try:
            game.drop(column)
        except ConnectkError as error:
            words = f"{words} {explain(error, texts)}"
            break
    return {"game": _written(game), "players": {}, "verdict": words}


def _written(game: Game) -> dict[str, Any]:
    return {"variant": str(game.variant), **written(game)}
