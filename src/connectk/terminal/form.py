"""The choices that a user makes before a game, and the file that remembers them."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from connectk.errors import ConnectkError, NotationError
from connectk.players.registry import PLAYER_REGISTRY
from connectk.rules import CLASSIC, Position, Variant
from connectk.system import state_folder, write_atomically
from connectk.terminal.match import LocalMatch, Mode, NewGame, level_name
from connectk.terminal.store import open_game

OTHER_CHOICE = "other"
LISTED_PLAYERS = [
    kind.example for name, kind in PLAYER_REGISTRY.items() if name != "level"
]  # levels are listed separately


@dataclass
class GameForm:
    """The current value of every field. If a value is OTHER_CHOICE, the text field below it has the real value."""

    mode: str = Mode.COMPUTER.value
    starts: str = "you"
    player: str = level_name(5)
    name: str = ""
    second: str = level_name(5)
    second_name: str = ""
    board: str = str(CLASSIC)
    size: str = ""
    opening: str = ""  # moves, or the path of a saved game

    def visible_fields(self) -> dict[str, bool]:
        """For each field, whether it is shown in the current mode."""
        demo, computer = self.mode == Mode.DEMO.value, self.mode != Mode.TWO_PLAYERS.value
        return {
            "starts": computer and not demo,
            "player": computer,
            "name": computer and self.player == OTHER_CHOICE,
            "second": demo,
            "second_name": demo and self.second == OTHER_CHOICE,
            "board": not self._opening_is_file,
            "size": self.board == OTHER_CHOICE and not self._opening_is_file,
        }

    @property
    def _opening_is_file(self) -> bool:
        return bool(re.search(r"[^\d\s,]", self.opening))

    def selected_players(self) -> list[str]:
        visible_fields = self.visible_fields()
        return [name for row, name in zip(("player", "second"), self._players(), strict=True) if visible_fields[row]]

    def _players(self) -> tuple[str, str]:
        first = self.name.strip() if self.player == OTHER_CHOICE else self.player
        second = self.second_name.strip() if self.second == OTHER_CHOICE else self.second
        return first, second

    def start_position(self) -> Position:
        """Return the position that the game starts from."""
        return (
            self._open_saved_game().position
            if self._opening_is_file
            else Position.from_moves(self.opening, self.variant)
        )

    def error_text_key(self, error: NotationError) -> tuple[str, str]:
        """The key of an error message and the text of the field that cannot be read; None if all fields can be read."""
        if self._opening_is_file:
            return "error.not_a_game", self.opening.strip()
        if error.text == self.size and self.board == OTHER_CHOICE:
            return "error.not_a_board", self.size
        return "error.not_moves", self.opening.strip()

    @property
    def variant(self) -> Variant:
        return Variant.parse(self.size if self.board == OTHER_CHOICE else self.board)

    def _open_saved_game(self) -> LocalMatch:
        return LocalMatch.of(open_game(Path(self.opening.strip())))

    def match(self) -> LocalMatch:
        """The chosen game. A saved game keeps its moves, so that the user can undo and redo them."""
        if not self._opening_is_file:
            return self._new_game(self.start_position()).match()
        match = self._open_saved_game()
        if not match.is_over:
            match.seats = self._new_game(match.position).match().seats
        return match

    def _new_game(self, start: Position) -> NewGame:
        return NewGame(Mode(self.mode), self.starts == "computer", self._players(), start)


@dataclass
class Preferences:
    """The user's last choices. Options of the command and environment variables override them."""

    language: str | None = None
    theme: str | None = None
    reduced_motion: bool = False
    hints_stay: bool = False
    form: GameForm = field(default_factory=GameForm)
    path: Path | None = None  # None: `save` does nothing

    @classmethod
    def load(cls, path: Path | None = None) -> Preferences:
        """Read the preferences of this user. If the file is missing or damaged, the defaults are used."""
        path = path or state_folder() / "choices.json"
        try:
            document = json.loads(path.read_bytes())
            found = cls(
                **_valid_fields(cls, document), form=GameForm(**_valid_fields(GameForm, document["form"])), path=path
            )
            Mode(found.form.mode), found.form.variant  # raises for a value that no menu offers
        except (OSError, ValueError, KeyError, AttributeError, ConnectkError):
            return cls(path=path)
        return found

    def save(self) -> None:
        """Write the preferences. If the file cannot be written, the preferences are lost."""
        if self.path is None:
            return
        document = asdict(self)
        del document["path"], document["form"]["opening"]
        with suppress(OSError):
            write_atomically(self.path, lambda: json.dumps(document, ensure_ascii=False, indent=2) + "\n")


def _valid_fields(kind: type[Any], document: dict[str, Any]) -> dict[str, Any]:
    """The values that fit a field of the class by name and type."""
    plain = {entry.name: kinds for entry in fields(kind) if (kinds := JSON_TYPES.get(str(entry.type)))}
    return {name: document[name] for name, kinds in plain.items() if isinstance(document.get(name), kinds)}


JSON_TYPES = {"str": str, "str | None": str, "bool": bool}
