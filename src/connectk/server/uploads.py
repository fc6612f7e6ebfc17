"""A file that someone dropped on the page: a saved game, moves, or a Connect-Z file with the referee's verdict."""

from __future__ import annotations

import json
from typing import cast

from connectk.arena.match import Record
from connectk.arena.results import FORMAT
from connectk.arena.standings import standings
from connectk.arena.tournament import Tournament
from connectk.errors import BadTournament, ConnectkError, NotationError
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
    return {"game": written(saved.game), "players": players_view(saved.players), "verdict": ""}


def _connect_z(data: bytes, texts: Texts) -> FileAnswer:
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
    return {"game": written(game), "players": {}, "verdict": words}


def arena_view(data: bytes) -> ArenaAnswer:
    """The standings; a last line that was cut short while it was written is left out."""
    lines = data[: data.rfind(b"\n") + 1].splitlines()
    try:
        header, *records = [json.loads(line) for line in lines]
        if header["format"] != FORMAT:
            raise BadTournament("This is not a results file of the arena.")
        tournament = Tournament(tuple(header["players"]), Variant.parse(header["variant"]), header["games"])
        table = standings(tournament, [Record.from_json(record) for record in records])
    except ConnectkError:
        raise
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError) as error:
        raise NotationError("This is not a results file of the arena.") from error
    return cast("ArenaAnswer", table.to_json())
