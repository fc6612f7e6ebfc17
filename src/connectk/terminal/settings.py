"""The settings and game options from a command line, and the errors for options that contradict each other."""

from __future__ import annotations

from dataclasses import dataclass, field

from connectk.client.seats import HeldSeat, HeldSeats, InvitationOptions, invite, join
from connectk.errors import ConnectkError
from connectk.notation import read_game
from connectk.players.registry import load_player
from connectk.rules import Game, Position, Variant
from connectk.settings import UserSettings
from connectk.terminal.match import LocalMatch, Mode, NewGame, level_name
from connectk.terminal.online import LOCAL_SERVER, MemberFactory, OnlineChoice
from connectk.terminal.store import Autosaves, NoSavedGame


@dataclass(frozen=True)
class TerminalSettings(UserSettings):
    """The settings of this run: its language, its look, and the folder of the autosaves."""

    autosaves: Autosaves = field(default_factory=Autosaves)


@dataclass(eq=False)
class ConflictingOptions(ConnectkError):
    """The user gave two options that contradict each other."""

    key = "error.ConflictingOptions"
    one: str
    other: str


class FriendNotInvited(ConnectkError):
    """The option `--first friend` was given without `--invite`."""

    key = "error.FriendNotInvited"


class NoServer(ConnectkError):
    """The option `--invite` was given without `--server`."""

    key = "error.NoServer"


@dataclass(frozen=True, slots=True)
class GameOptions:
    """The options that choose a game. An option that was not given is None, False or empty."""

    two_players: bool = False
    demo: bool = False
    first: str | None = None
    level: int | None = None
    players: tuple[str, ...] = ()
    variant: str | None = None
    start: str | None = None
    load: str | None = None  # a saved game to continue
    resume: bool = False
    join: str | None = None
    invite: bool = False
    swap: bool = False

    @property
    def any_given(self) -> bool:
        return self != GameOptions()

    @property
    def is_online(self) -> bool:
        return self.invite or self.join is not None

    def seat(self, server: str | None, name: str | None, seats: HeldSeats) -> HeldSeat:
        """Join a match on a server, or create one, and return this user's seat in it."""
        self._check()
        if self.join is not None:
            return join(self.join, name, seats)
        if not server:
            raise NoServer
        return invite(server, InvitationOptions(self._start(), self.first == "friend", self.swap), name, seats)

    def room(self, server: str | None, name: str | None, seats: HeldSeats) -> MemberFactory | None:
        """Returns a function that makes this user a member of the room with the given link or code. None if it is not a
        room."""
        if self.join is None:
            return None
        self._check()
        choice = OnlineChoice(server or LOCAL_SERVER, self.join.strip(), name or "", Position.start())
        return choice.member(seats) if choice.room_code else None

    def _start(self) -> Game:
        """The game to start from. `--start` may give it in any notation."""
        return read_game(self.start or "", Variant.parse(self.variant) if self.variant is not None else None).game

    def match(self, autosaves: Autosaves) -> LocalMatch | None:
        """The game to start with. None if `--resume` was given and the user has to choose between several autosaves.

        Raises a `ConnectkError` if options contradict each other, a player is unknown or a file is missing."""
        self._check()
        if self.resume:
            return _only_autosave(autosaves)
        return self._open_saved_game(self.load) if self.load else self._new_game().match()

    def _check(self) -> None:
        given = {option: value for option, value in self._by_option().items() if value not in (None, False, ())}
        if self.first == "friend" and not self.invite:
            raise FriendNotInvited
        for one, others in CONFLICTING_OPTIONS.items():
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
            "--from": self.load,
            "--resume": self.resume,
            "--join": self.join,
            "--invite": self.invite,
            "--swap": self.swap,
            "--first computer": self.first == "computer",
        }

    def _new_game(self) -> NewGame:
        return NewGame(self._mode, self.first == "computer", self._names(), self._start().position, self.swap)

    @property
    def _mode(self) -> Mode:
        return Mode.TWO_PLAYERS if self.two_players else Mode.DEMO if self.demo else Mode.COMPUTER

    def _names(self) -> tuple[str, str]:
        if self.level is not None:
            return level_name(self.level), level_name(self.level)
        if self.players:
            return self.players[0], self.players[-1]
        return NewGame().players

    def _open_saved_game(self, source: str) -> LocalMatch:
        """Open a saved game. Players from the options replace the players from the file."""
        match = LocalMatch.of(read_game(source))
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


LOCAL_GAME_OPTIONS = ("--two-players", "--demo", "--level", "--player", "--from", "--resume")
CONFLICTING_OPTIONS = {
    "--two-players": ("--demo", "--first", "--level", "--player"),
    "--demo": ("--first",),
    "--level": ("--player",),
    "--from": ("--resume", "--variant", "--start", "--swap"),
    "--resume": ("--two-players", "--demo", "--first", "--level", "--player", "--variant", "--start", "--swap"),
    "--join": ("--invite", *LOCAL_GAME_OPTIONS, "--first", "--variant", "--start", "--swap"),
    "--invite": (*LOCAL_GAME_OPTIONS, "--first computer"),
}
