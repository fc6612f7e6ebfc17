"""Reads results files and merges several of them. The files may be damaged or edited by hand, so they are validated."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from connectk.arena.clocks import GameClock
from connectk.arena.match import GameRecord
from connectk.arena.openings import Opening
from connectk.arena.tournament import Key, Tournament
from connectk.errors import BadTournament, ConnectkError
from connectk.notation import parse_moves, write_game_file
from connectk.referee import Code, judge_bytes
from connectk.rules import EndReason, Variant

RESULTS_FORMAT = "connectk-arena"
RESULTS_VERSION, OLDEST_RESULTS_VERSION = 2, 1  # a file of version 2 may have several headers; the last one counts
FORMAT_PREFIX = f'{{"format": "{RESULTS_FORMAT}"'.encode()
RESULT_OF_CODE = {Code.FIRST_WINS: ("first", "line"), Code.SECOND_WINS: ("second", "line"), Code.DRAW: (None, "full")}
OFF_BOARD_REASONS = {EndReason.TIME.value, EndReason.FORFEIT.value}


@dataclass
class Results:
    """The content of a results file: the last header, the openings and the games. A game's key is its players and
    opening."""

    name: str
    header: dict[str, Any] = field(default_factory=dict)
    openings: tuple[Opening, ...] = ()
    records: dict[Key, GameRecord] = field(default_factory=dict)

    @property
    def variant(self) -> Variant:
        return Variant.parse(self.header["variant"])

    @property
    def tournament(self) -> Tournament:
        """The tournament that the header describes."""
        clock = self.header.get("clock")
        return Tournament(
            tuple(self.header["players"]),
            self.variant,
            self.header["games"],
            self.header.get("seconds"),
            self.header["seed"],
            self.header["gauntlet"],
            GameClock.parse(clock) if clock else None,
            swap=self.header.get("swap", False),
        )

    def take(self, facts: Any) -> None:
        """Add the facts of one line: a header or a game."""
        if not isinstance(facts, dict):
            raise BadTournament("error.BadTournament.line.object")
        if "format" in facts:
            self._take_header(facts)
        elif not self.header:
            raise BadTournament("error.BadTournament.line.first")
        else:
            self._take_game(facts)

    def _take_header(self, facts: dict[str, Any]) -> None:
        version = facts.get("version")
        if not (isinstance(version, int) and OLDEST_RESULTS_VERSION <= version <= RESULTS_VERSION):
            raise BadTournament("error.BadTournament.version", version=repr(version), last=RESULTS_VERSION)
        if not all(isinstance(name, str) for name in facts["players"]):
            raise BadTournament("error.BadTournament.line.names")
        self.header = facts
        self.openings = tuple(parse_moves(moves, self.variant) for moves in facts["openings"])
        _ = self.tournament  # raises if it is not valid

    def _take_game(self, facts: Mapping[str, Any]) -> None:
        record = GameRecord.from_json(dict(facts))
        if not {record.first, record.second} <= set(self.header["players"]) or record.first == record.second:
            raise BadTournament("error.BadTournament.line.players")
        if record.key in self.records:
            raise BadTournament("error.BadTournament.line.twice")
        self._check_moves(record)
        self.records[record.key] = record

    def _check_moves(self, record: GameRecord) -> None:
        """Check that the moves begin with the opening and end with the recorded result."""
        columns, opening = record.columns(self.variant), self.openings[record.opening]
        if columns[: len(opening)] != opening:
            raise BadTournament("error.BadTournament.line.opening")
        if len(record.seconds) != len(columns) - len(opening):
            raise BadTournament("error.BadTournament.line.times")
        code = judge_bytes(write_game_file(self.variant, columns)).code
        if code in RESULT_OF_CODE and (_board_winner(record), record.reason) != RESULT_OF_CODE[code]:
            raise BadTournament("error.BadTournament.line.end", code=code.title)
        if code not in RESULT_OF_CODE and (code is not Code.INCOMPLETE or record.reason not in OFF_BOARD_REASONS):
            raise BadTournament("error.BadTournament.line.open")


def _board_winner(record: GameRecord) -> str | None:
    return record.winning_side and str(record.winning_side)


def read_results(data: bytes, name: str) -> Results:
    """The content of all complete lines. An error message has the number of the line, counted from 1."""
    results = Results(name)
    if not (data.startswith(FORMAT_PREFIX) or FORMAT_PREFIX.startswith(data)):
        raise BadTournament("error.BadTournament.not_results", name=name)
    for number, line in enumerate(whole_lines(data).splitlines(), start=1):
        try:
            results.take(json.loads(line))
        except (ConnectkError, ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
            raise BadTournament("error.BadTournament.damaged", name=name, line=number, why=_why(error)) from error
    return results


def whole_lines(data: bytes) -> bytes:
    """The data without the last line if this line is incomplete."""
    return data[: data.rfind(b"\n") + 1]


def _why(error: Exception) -> ConnectkError:
    if isinstance(error, ConnectkError):
        return error
    is_json = not isinstance(error, json.JSONDecodeError | UnicodeDecodeError)
    return BadTournament(f"error.BadTournament.line.{'kind' if is_json else 'json'}")


def merge_results(several: Sequence[Results]) -> tuple[Variant, list[str], list[GameRecord]]:
    """Merge several results files of the same board. Returns the board, the players and the games.

    Players with the same name are the same player, except for bots whose code differs between the files. Equal games
    count only once, so a file that is given twice does no harm.
    """
    several = [results for results in several if results.records]
    if not several:
        raise BadTournament("error.BadTournament.no_records")
    boards = {str(results.variant): results.name for results in several}
    if len(boards) > 1:
        listing = ", ".join(f"{name} ({board})" for board, name in boards.items())
        raise BadTournament("error.BadTournament.boards", boards=listing)
    games = {game: None for results in several for game in _named(results, _changed(several))}
    players = {name: None for game in games for name in (game.first, game.second)}
    return several[0].variant, list(players), list(games)


def _changed(several: Sequence[Results]) -> set[str]:
    """The bots whose code differs between the files."""
    versions: dict[str, set[str]] = {}
    for results in several:
        for name, digest in results.header.get("bots", {}).items():
            versions.setdefault(name, set()).add(digest)
    return {name for name, digests in versions.items() if len(digests) > 1}


def _named(results: Results, changed: set[str]) -> list[GameRecord]:
    """The games of one file. If the code of a bot has changed, its name includes the version, as in mybot.py (3fa1)."""
    bots = results.header.get("bots", {})
    names = {name: f"{name} ({bots[name][:4]})" if name in changed else name for name in results.header["players"]}
    return [replace(game, first=names[game.first], second=names[game.second]) for game in results.records.values()]
