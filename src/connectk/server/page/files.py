"""A file that someone dropped on the page: a saved game, moves, or a Connect-Z file with the referee's verdict."""

from __future__ import annotations

from typing import Any

from connectk.errors import ConnectkError
from connectk.notation import FileKind, kind_of, parse_game, parse_game_file
from connectk.referee import Code, judge_bytes
from connectk.rules import Game, Variant
from connectk.server.page.games import shown_variant, written
from connectk.texts import Texts


def read_file(data: bytes, texts: Texts) -> dict[str, Any]:
    """The game that a file holds, who played, and what the referee says; no game where none can be shown."""
    if kind_of(data) is FileKind.CONNECT_Z:
        return _connect_z(data, texts)
    saved = parse_game(data)
    shown_variant(saved.game.variant)
    players = {str(side): name for side, name in saved.players.items()}
    return {"game": _written(saved.game), "players": players, "verdict": ""}


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
            words = f"{words} {error.said_in(texts)}"
            break
    return {"game": _written(game), "players": {}, "verdict": words}


def _written(game: Game) -> dict[str, Any]:
    return {"variant": str(game.variant), **written(game)}
