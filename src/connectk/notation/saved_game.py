"""The format of a saved game: JSON that every part of the program reads and writes.

{
  "format": "connectk-game", "version": 2,
  "variant": "7x6x4",
  "start": "4xo",                    discs set up before the first move (start.py); left out for an empty board
  "moves": "4453",                   as text, columns from 1
  "swap": true,                      whether the second player took over the first disc; left out without the swap rule
  "given": 2,                        how many of the first moves no player chose (an arena's opening); left out if 0
  "players": {"first": "Ann", "second": "level:5"},
  "result": {"winner": "first", "reason": "line"},      null while the game is open
  "time": {"started": "2026-11-15T12:00:00+00:00", "ended": null, "seconds": [1.5, 0.2]}
}
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from connectk.errors import ConnectkError, NotationError, UnplayableMove
from connectk.notation.moves import parse_moves, parse_variant, play_moves, write_moves
from connectk.notation.start import parse_start, start_from_columns, write_start
from connectk.rules.game import Game
from connectk.rules.outcome import EndReason, Result, Side

SAVED_GAME_FORMAT, SAVED_GAME_VERSION = "connectk-game", 2


@dataclass(slots=True)
class SavedGame:
    """A game with its metadata. If the game ended on the board, `result` is not needed."""

    game: Game
    players: dict[Side, str] = field(default_factory=dict)
    result: Result | None = None
    started: datetime | None = None
    ended: datetime | None = None
    seconds: tuple[float, ...] = ()
    swapped: bool | None = None  # whether the second player took over the first disc; None without the swap rule
    given: int = 0  # how many of the first discs were not chosen by the players, as in an arena's opening

    def __post_init__(self) -> None:
        if not 0 <= self.given <= len(self.game.moves):
            raise NotationError("error.too_many_given", given=self.given, moves=len(self.game.moves))
        if self.game.outcome:
            self.result = Result.of(self.game.outcome)


def write_saved_game(saved: SavedGame) -> str:
    """Return the saved game as JSON text; `parse_saved_game` reads it back."""
    game = saved.game
    start = write_start(game.start)
    document = {
        "format": SAVED_GAME_FORMAT,
        "version": SAVED_GAME_VERSION,
        "variant": str(game.variant),
        **({"start": start} if start else {}),
        "moves": write_moves(game.moves, game.variant),
        **({} if saved.swapped is None else {"swap": saved.swapped}),
        **({"given": saved.given} if saved.given else {}),
        "players": {str(side): name for side, name in saved.players.items()},
        "result": saved.result and _write_result(saved.result),
        "time": {
            "started": saved.started and saved.started.isoformat(),
            "ended": saved.ended and saved.ended.isoformat(),
            "seconds": list(saved.seconds),
        },
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _write_result(result: Result) -> dict[str, str | None]:
    return {"winner": result.winner and str(result.winner), "reason": result.reason.value}


def parse_saved_game(text: str) -> SavedGame:
    """Parse a saved game, replaying its moves to check them."""
    document = _json(text)
    if not isinstance(document, dict):
        raise NotationError("notation.whole")
    if document.get("format") != SAVED_GAME_FORMAT:
        raise NotationError("notation.format", format=SAVED_GAME_FORMAT)
    if document.get("version") not in range(1, SAVED_GAME_VERSION + 1):
        version = document.get("version")
        raise NotationError("notation.version", version=repr(version), last=SAVED_GAME_VERSION)
    for what in ("variant", "moves"):
        if what not in document:
            raise NotationError("notation.lacks", what=what)
    try:
        return _saved_game(document)
    except UnplayableMove:
        raise
    except ConnectkError as error:
        raise NotationError("notation.unplayable", reason=error, text=text) from error
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise NotationError("notation.damaged", reason=repr(error), text=text) from error


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotationError("notation.not_json", reason=str(error), text=text) from error


def _object(value: Any, what: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise NotationError("notation.not_object", what=what)
    return value


def _saved_game(document: Mapping[str, Any]) -> SavedGame:
    variant = parse_variant(document["variant"])
    start = parse_start(_start_text(document), variant)
    time = _object(document.get("time") or {}, "time")
    return SavedGame(
        game=play_moves(start, parse_moves(document["moves"], variant)),
        players={
            Side[side.upper()]: str(name) for side, name in _object(document.get("players", {}), "players").items()
        },
        result=_parse_result(document.get("result")),
        started=_time(time.get("started")),
        ended=_time(time.get("ended")),
        seconds=tuple(float(seconds) for seconds in time.get("seconds", ())),
        swapped=_swapped(document),
        given=int(document.get("given", 0)),
    )


def _swapped(document: Mapping[str, Any]) -> bool | None:
    swapped = document.get("swap")
    if not isinstance(swapped, bool | None):
        raise TypeError(f"{swapped!r} is not true or false")
    return swapped


def _start_text(document: Mapping[str, Any]) -> str:
    """The start of the game as text. In version 1 of the format, the start was an object of columns, counted from 1."""
    if document["version"] == 1:
        return start_from_columns(_object(document.get("start", {}), "start"), first=1)
    start = document.get("start", "")
    if not isinstance(start, str):
        raise NotationError("notation.start")
    return start


def _parse_result(value: Any) -> Result | None:
    if value is None:
        return None
    result = _object(value, "result")
    winner = result["winner"]
    return Result(Side[winner.upper()] if winner is not None else None, EndReason(result["reason"]))


def _time(value: str | None) -> datetime | None:
    return None if value is None else datetime.fromisoformat(value)
