"""What the command line asks for: how the program looks and speaks, which game it starts with, what it refuses."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from connectk.errors import ConnectkError
from connectk.players.registry import load_player
from connectk.rules import Position, Variant
from connectk.terminal.match import LocalMatch, Mode, NewGame, level_name
from connectk.terminal.store import Autosave, open_game
from connectk.texts import Texts


@dataclass(frozen=True)
class Settings:
    """The same for every game of one program."""

    language: str = "en"
    theme: str = "auto"
    ascii_only: bool = False
    reduced_motion: bool = False
    autosave: Autosave = field(default_factory=Autosave)


class ConflictingWishes(ConnectkError):
    """Two options that cannot both be had."""

    key = "error.ConflictingWishes"

    def __init__(self, one: str, other: str) -> None:
        self.one, self.other = one, other
        super().__init__(one, other)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"one": self.one, "other": self.other}


@dataclass(frozen=True, slots=True)
class Wishes:
    """The options about the game; None or nothing where none was given."""

    two_players: bool = False
    demo: bool = False
    first: str | None = None
    level: int | None = None
    players: tuple[str, ...] = ()
    variant: str | None = None
    start: str | None = None
    load: Path | None = None
    resume: bool = False

    @property
    def say_something(self) -> bool:
        return self != Wishes()

    def match(self, autosave: Autosave) -> LocalMatch:
        """The game asked for; what contradicts itself, or does not exist, is refused."""
        self._check()
        if self.resume:
            return autosave.load()
        return self._opened(self.load) if self.load else self._new_game().match()

    def _check(self) -> None:
        given = {option: value for option, value in self._by_option().items() if value not in (None, False, ())}
        for one, others in CONFLICTS.items():
            for other in others:
                if one in given and other in given:
                    raise ConflictingWishes(one, other)
        if len(self.players) > (2 if self.demo else 1):
            raise ConflictingWishes(f"--player {self.players[0]}", f"--player {self.players[-1]}")
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
        }

    def _new_game(self) -> NewGame:
        variant = Variant.parse(self.variant) if self.variant is not None else Variant()
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

    def _opened(self, path: Path) -> LocalMatch:
        """A saved game with the players it names, or those that other options put in their place."""
        match = LocalMatch.of(open_game(path))
        chosen = self.two_players or self.demo or self.first or self.level or self.players
        if chosen and not match.is_over:
            match.seats = self._new_game_from(match).match().seats
        return match

    def _new_game_from(self, match: LocalMatch) -> NewGame:
        return NewGame(self._mode, self.first == "computer", self._names(), match.position)


CONFLICTS = {
    "--two-players": ("--demo", "--first", "--level", "--player"),
    "--demo": ("--first",),
    "--level": ("--player",),
    "--load": ("--resume", "--variant", "--start"),
    "--resume": ("--two-players", "--demo", "--first", "--level", "--player", "--variant", "--start"),
}


def explain(error: ConnectkError, texts: Texts) -> str:
    """One sentence for the person who asked."""
    return error.said_in(texts)
