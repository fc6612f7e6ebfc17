"""A file that someone dropped on the page: a saved game, moves, or a Connect-Z file with the referee's verdict."""

from __future__ import annotations

from typing import cast

from connectk.arena.reading import read_results
from connectk.arena.standings import standings
from connectk.errors import BadTournament, ConnectkError
from connectk.notation import FileKind, kind_of, parse_game, parse_game_file
from connectk.referee import Code, judge_bytes
from connectk.rules import Game, Variant
from connectk.server.games import shown_variant, written
from connectk.server.schemas import ArenaAnswer, FileAnswer
from connectk.server.views import players_view
from connectk.texts import Texts


def read_file(data: bytes, texts: Texts) -> FileAnswer:
    """The game that a file holds, who played, and what the referee says; no game where none can be shown."""
    if kind_of(data) is FileKind.CONNECT_Z:
        return _connect_z(data, texts)
    saved = parse_game(data)
    shown_variant(saved.game.variant)
    return {"game": written(saved.game), "players": players_view(saved.players), "given": saved.given, "verdict": ""}


def _connect_z(data: bytes, texts: Texts) -> FileAnswer:
    """As far as the game can be played; the verdict says what is wrong after that."""
    verdict = judge_bytes(data)
    words = texts(f"verdict.{verdict.code.value}", code=verdict.code.value, line=verdict.line or "")
    if verdict.code >= Code.ILLEGAL_GAME:
        return {"game": None, "players": {}, "given": 0, "verdict": words}
    width, height, run, columns = parse_game_file(data)
    game = Game(shown_variant(Variant(width, height, run)))
    for column in columns:
        try:
            game.drop(column)
        except ConnectkError as error:
            words = f"{words} {error.said_in(texts)}"
            break
    return {"game": written(game), "players": {}, "given": 0, "verdict": words}


def arena_view(data: bytes) -> ArenaAnswer:
    """The standings; a last line that was cut short while it was written is left out."""
    results = read_results(data, "The file")
    if not results.header:
        raise BadTournament("The file is empty.")
    table = standings(results.header["players"], results.variant, list(results.records.values()))
    return cast("ArenaAnswer", table.to_json())
