"""The settings and game options given on the command line, and the errors for invalid combinations."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from connectk.client.seats import HeldSeat, HeldSeats, Opening, invite, join
from connectk.errors import ConnectkError
from connectk.notation import parse_moves
from connectk.players.registry import load_player
from connectk.rules import Position, Variant
from connectk.terminal.match import LocalMatch, Mode, NewGame, level_name
from connectk.terminal.store import Autosaves, NoSavedGame, open_game
from connectk.texts import Texts


@dataclass(frozen=True)
class TerminalSettings:
    """Settings that apply to every game of one run."""

    language: str = "en"
    theme: str = "auto"
    ascii_only: bool = False
    reduced_motion: bool = False
    autosaves: Autosaves = field(default_factory=Autosaves)


class ConflictingOptions(ConnectkError):
    """Two options that exclude each other."""

    key = "error.ConflictingOptions"

    def __init__(self, one: str, other: str) -> None:
        self.one, self.other = one, other
        super().__init__(one, other)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"one": self.one, "other": self.other}


class NoServer(ConnectkError):
    """`--invite` without `--server`."""

    key = "error.NoServer"


@dataclass(frozen=True, slots=True)
class GameOptions:
    """The game options; None, False or empty if not given."""

    two_players: bool = False
    demo: bool = False
    first: str | None = None
    level: int | None = None
    players: tuple[str, ...] = ()
    variant: str | None = None
    start: str | None = None
    load: Path | None = None
    resume: bool = False
    join: str | None = None
    invite: bool = False

    @property
    def any_given(self) -> bool:
        return self != GameOptions()

    @property
    def is_online(self) -> bool:
        return self.invite or self.join is not None

    def seat(self, server: str | None, name: str | None, seats: HeldSeats) -> HeldSeat:
        """Join or create a match on a server and return our seat in it."""
        self._check()
        if self.join is not None:
            return join(self.join, name, seats)
        if not server:
            raise NoServer
        variant = self._variant()
        opening = Opening(variant, parse_moves(self.start or "", variant), self.first == "friend")
        return invite(server, opening, name, seats)

    def _variant(self) -> Variant:
        return Variant.parse(self.variant) if self.variant is not None else Variant()

    def match(self, autosaves: Autosaves) -> LocalMatch | None:
        """Return the game to start; None if `--resume` has several autosaves to choose from.

        Raises a `ConnectkError` for conflicting options, an unknown player or a missing file.
        """
        self._check()
        if self.resume:
            return _only_autosave(autosaves)
        return self._open_saved_game(self.load) if self.load else self._new_game().match()

    def _check(self) -> None:
        given = {option: value for option, value in self._by_option().items() if value not in (None, False, ())}
        for one, others in CONFLICTS.items():
            for other in others:
                if one in given and other in given:
                    raise ConflictingOptions(one, other)
        if len(self.players) > (2 if self.demo else 1):
            raise ConflictingOptions(f"--player {self.players[0]}", f"--player {self.players[-1]}")
        for name in self.players:
            load_player(name).close()

    def _by_option(self) -> dict[str, object]:
        return {
            "--two-players": self.two_players,
            "--demo": self.demo,
            "--first": self.first,
            "--level": self.level,
            "--player": self.players,
            "--variant": self.variant,
            "--start": self.start,
            "--load": self.load,
            "--resume": self.resume,
            "--join": self.join,
            "--invite": self.invite,
            "--first computer": self.first == "computer",
            "--first friend": self.first == "friend" and not self.invite,
        }

    def _new_game(self) -> NewGame:
        variant = self._variant()
        start = Position.from_moves(self.start or "", variant)
        return NewGame(self._mode, self.first == "computer", self._names(), start)

    @property
    def _mode(self) -> Mode:
        return Mode.TWO_PLAYERS if self.two_players else Mode.DEMO if self.demo else Mode.COMPUTER

    def _names(self) -> tuple[str, str]:
        if self.level is not None:
            return level_name(self.level), level_name(self.level)
        if self.players:
            return self.players[0], self.players[-1]
        return NewGame().players

    def _open_saved_game(self, path: Path) -> LocalMatch:
        """Open a saved game; options about players replace the players it names."""
        match = LocalMatch.of(open_game(path))
        chosen = self.two_players or self.demo or self.first or self.level or self.players
        if chosen and not match.is_over:
            match.seats = self._new_game_from(match).match().seats
        return match

    def _new_game_from(self, match: LocalMatch) -> NewGame:
        return NewGame(self._mode, self.first == "computer", self._names(), match.position)


def _only_autosave(autosaves: Autosaves) -> LocalMatch | None:
    games = autosaves.all()
    if not games:
        raise NoSavedGame
    return games[0].open() if len(games) == 1 else None


LOCAL_GAME_OPTIONS = ("--two-players", "--demo", "--level", "--player", "--load", "--resume")
CONFLICTS = {
    "--two-players": ("--demo", "--first", "--level", "--player"),
    "--demo": ("--first",),
    "--level": ("--player",),
    "--load": ("--resume", "--variant", "--start"),
    "--resume": ("--two-players", "--demo", "--first", "--level", "--player", "--variant", "--start"),
    "--join": ("--invite", *LOCAL_GAME_OPTIONS, "--first", "--variant", "--start"),
    "--invite": (*LOCAL_GAME_OPTIONS, "--first computer"),
    "--first friend": ("--first",),
}
