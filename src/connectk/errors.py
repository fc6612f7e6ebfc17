"""All exceptions of connectk, as one tree.

    ConnectkError
    ├── ImpossibleVariant
    ├── IllegalDrop
    │   ├── ColumnFull  ColumnOutOfRange  GameAlreadyOver  IllegalDropInGame
    ├── ImpossiblePosition
    │   ├── FloatingDisc  TooManyDiscs  WrongDiscCount  BothSidesWon  PlayedAfterWin
    ├── LocalizedError
    │   ├── NotationError
    │   │   └── UnplayableMove
    │   ├── UnsupportedVariant  UnknownPlayer  BadEvaluation  BadTournament  BadDataset
    │   └── BotError
    │       └── BotUnusable  BotForfeit  TextServerFailed
    ├── FileError
    │   └── FileNotWritable  FileNotReadable
    ├── NothingToUndo  NothingToRedo  BadTimeLimit
    ├── DamagedBook  TableTooLarge  BadPosition
    ├── ExplanationRefused  NoPuzzles  BadPictureSize  MissingExtra
    ├── BadCluster  PoolLost  PoisonTask  JobMismatch  JobInUse
    └── SearchStopped

An error is named after the broken rule. Its attributes are the facts, in which columns count from 0. Its message is for
people, so columns count from 1 in the message. The messages are in the catalogues of `texts`, in every language. Only
programmers see `DamagedBook` and `SearchStopped`, so these have only English messages. An error class with several
possible messages is a `LocalizedError`.
"""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from connectk.texts import Texts, load_texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from connectk.rules.outcome import Outcome, Side
    from connectk.rules.position import Position
    from connectk.rules.variant import Variant
    from connectk.solver.solution import Found


MAX_QUOTE_CHARS = 40  # of user input that is shown in a message
TEXT_KEY_PREFIXES = ("error.", "notation.", "why.")  # the prefixes of text keys; any other text is a finished message
SYSTEM_REASON_KEYS = {
    os.strerror(number): f"error.because.{name}"
    for name, numbers in {
        "missing": (errno.ENOENT,),
        "denied": (errno.EACCES, errno.EPERM),
        "folder": (errno.EISDIR,),
        "disk_full": (errno.ENOSPC, errno.EDQUOT),
        "read_only": (errno.EROFS,),
        "long_name": (errno.ENAMETOOLONG,),
        "refused": (errno.ECONNREFUSED,),
        "unreachable": (errno.EHOSTUNREACH, errno.ENETUNREACH),
    }.items()
    for number in numbers
}


def format_number(number: int) -> str:
    """A number as text for a message. A very large number is rounded, because Python writes no more than 4300
    digits."""
    return str(number) if number.bit_length() < 400 else f"(about 10^{number.bit_length() * 30103 // 100000})"


def quoted(text: str) -> str:
    """User input for a message: shortened, and with control characters escaped."""
    return repr(text if len(text) <= MAX_QUOTE_CHARS else f"{text[: MAX_QUOTE_CHARS - 3]}...")[1:-1]


def localize_error(error: Exception, texts: Texts) -> str:
    """The message of any exception, translated if it is a `ConnectkError`."""
    return error.localize(texts) if isinstance(error, ConnectkError) else str(error)


def localize_reason(reason: str, texts: Texts) -> str:
    """The reason why a system call failed: a text key, or the system's own message. The common messages are
    translated."""
    key = SYSTEM_REASON_KEYS.get(reason, reason)
    return texts(key) if key.startswith(TEXT_KEY_PREFIXES) else reason


class ConnectkError(Exception):
    """The base class of all errors of connectk. An error with facts is a dataclass, and its fields are the facts."""

    key = ""  # the key of the message in the catalogues; empty if the class has no such message
    __match_args__: tuple[str, ...] = ()  # the names of a dataclass's fields

    def __post_init__(self) -> None:
        self.args = tuple(getattr(self, name) for name in self.__match_args__)  # for unpickling

    def __str__(self) -> str:
        return self.localize(load_texts("en")) if self.key else super().__str__()

    def localize(self, texts: Texts) -> str:
        """The message in this language. If there is no translation, the English message."""
        return texts(self.key, **self.facts(texts)) if self.key else str(self)

    def localize_within(self, texts: Texts) -> str:
        """The message as a part of a longer sentence that already names the subject."""
        return self.localize(texts)

    def facts(self, texts: Texts) -> dict[str, object]:
        """The values for the placeholders of the message. By default these are the fields, with columns and rows
        counted from 1."""
        return {name: getattr(self, name) for name in self.__match_args__}


class LocalizedError(ConnectkError):
    """An error with several possible messages.

    `reason` is a text key, and `params` are the values for its placeholders; a value may be another error. Instead of a
    key, `reason` may be a finished sentence, for example one from third-party code.
    """

    def __init__(self, reason: str, /, **params: object) -> None:
        self.reason, self.params = reason, params
        self.key = reason if reason.startswith(TEXT_KEY_PREFIXES) else ""
        super().__init__(*self.args)  # all positional arguments, because unpickling calls the class with them

    def __str__(self) -> str:
        return self.localize(load_texts("en"))

    def localize(self, texts: Texts) -> str:
        return super().localize(texts) if self.key else self.fallback()

    def fallback(self) -> str:
        """The message if `reason` is not a text key."""
        return self.reason

    def facts(self, texts: Texts) -> dict[str, object]:
        return {name: _localize_param(texts, fact) for name, fact in self.params.items()}

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.args, self.params)


def _localize_param(texts: Texts, fact: object) -> object:
    if isinstance(fact, str) and fact in SYSTEM_REASON_KEYS:
        return localize_reason(fact, texts)
    return fact.localize_within(texts) if isinstance(fact, ConnectkError) else fact


def _rebuild(kind: type[LocalizedError], given: tuple[str, ...], params: dict[str, object]) -> LocalizedError:
    return kind(*given, **params)


@dataclass(eq=False)
class ImpossibleVariant(ConnectkError):
    """A board without cells, or a board on which no line fits."""

    width: int
    height: int
    run: int

    def __post_init__(self) -> None:
        super().__post_init__()
        small = min(self.width, self.height, self.run) < 1
        self.key = "error.ImpossibleVariant.small" if small else "error.ImpossibleVariant.run"

    def facts(self, texts: Texts) -> dict[str, object]:
        return {name: format_number(getattr(self, name)) for name in self.__match_args__}


class UnsupportedVariant(LocalizedError):
    """A valid variant that this part of the program does not support."""

    def __init__(self, variant: Variant, reason: str, /, **params: object) -> None:
        self.variant = variant
        super().__init__(reason, **params)

    def fallback(self) -> str:
        return f"{self.variant}: {self.reason}"

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"variant": self.variant, **super().facts(texts)}


class IllegalDrop(ConnectkError):
    """The base class of errors about a disc that cannot be dropped into this column, or cannot be dropped now."""


@dataclass(eq=False)
class ColumnOutOfRange(IllegalDrop):
    """The board has no such column."""

    key = "error.ColumnOutOfRange"
    column: int
    width: int

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"column": format_number(self.column + 1), "width": format_number(self.width)}


@dataclass(eq=False)
class ColumnFull(IllegalDrop):
    """The chosen column has no room for another disc."""

    key = "error.ColumnFull"
    column: int

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"column": format_number(self.column + 1)}


@dataclass(eq=False)
class GameAlreadyOver(IllegalDrop):
    """A disc was dropped after the game had ended."""

    key = "error.GameAlreadyOver"
    outcome: Outcome


@dataclass(eq=False)
class IllegalDropInGame(IllegalDrop):
    """An illegal drop in one game of a batch. `index` is the number of the game, counted from 0. `reason` is the error
    in that game.

    The message counts games and columns from 0, as the arrays do.
    """

    index: int
    reason: IllegalDrop

    def __post_init__(self) -> None:
        super().__post_init__()
        self.key = "error.IllegalDropInGame.over"
        if isinstance(self.reason, ColumnFull):
            self.key = "error.IllegalDropInGame.full"
        elif isinstance(self.reason, ColumnOutOfRange):
            self.key = "error.IllegalDropInGame.outside"

    def facts(self, texts: Texts) -> dict[str, object]:
        last = getattr(self.reason, "width", 0) - 1
        return {"game": self.index, "column": getattr(self.reason, "column", None), "last": last}


class ImpossiblePosition(ConnectkError):
    """A position that no game can reach."""


@dataclass(eq=False)
class FloatingDisc(ImpossiblePosition):
    """A disc with an empty cell beneath it."""

    key = "error.FloatingDisc"
    column: int
    row: int

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"column": format_number(self.column + 1), "row": format_number(self.row + 1)}


@dataclass(eq=False)
class TooManyDiscs(ImpossiblePosition):
    """More discs in a column than it has cells."""

    key = "error.TooManyDiscs"
    column: int
    discs: int
    height: int

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"column": format_number(self.column + 1), "discs": self.discs, "height": self.height}


@dataclass(eq=False)
class WrongDiscCount(ImpossiblePosition):
    """The two players' numbers of discs are impossible, because the players take turns."""

    first: int
    second: int
    side_to_move: Side | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self.key = "error.WrongDiscCount.turn" if self.side_to_move else "error.WrongDiscCount"

    def facts(self, texts: Texts) -> dict[str, object]:
        turn = {"side": texts(f"board.{self.side_to_move}")} if self.side_to_move else {}
        return {"first": self.first, "second": self.second, **turn}


class BothSidesWon(ImpossiblePosition):
    """Both sides have a line, which is impossible because the first line ends the game."""

    key = "error.BothSidesWon"


@dataclass(eq=False)
class PlayedAfterWin(ImpossiblePosition):
    """One side has a line, but the other side moved after the line was complete."""

    key = "error.PlayedAfterWin"
    winner: Side

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"side": texts(f"board.{self.winner}")}


class NotationError(LocalizedError):
    """Text that cannot be parsed. `line` is its line number, counted from 1. `text` is the part that cannot be
    parsed."""

    def __init__(self, reason: str, /, *, text: str | None = None, line: int | None = None, **params: object) -> None:
        self.text, self.line = text, line
        super().__init__(reason, **params)

    def localize(self, texts: Texts) -> str:
        sentence = super().localize(texts)
        return texts("notation.line", line=self.line, reason=sentence) if self.line else sentence

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"text": quoted(self.text or ""), **super().facts(texts)}

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.args, {"text": self.text, "line": self.line, **self.params})


class UnplayableMove(NotationError):
    """A list of moves with an illegal drop. `number` is the place of the drop in the list, counted from 1. `error` is
    the reason."""

    def __init__(self, number: int, error: ConnectkError) -> None:
        self.number, self.error = number, error
        super().__init__("error.UnplayableMove", number=number, why=error)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.number, self.error)


class NothingToUndo(ConnectkError):
    """There is no move to undo at the start of a game."""

    key = "error.NothingToUndo"


class NothingToRedo(ConnectkError):
    """There is no undone move to redo."""

    key = "error.NothingToRedo"


class DamagedBook(ConnectkError):
    """An opening book that is truncated or changed, or a file that is not an opening book."""

    def __init__(self, path: str, reason: str) -> None:
        self.path, self.reason = path, reason
        super().__init__(f"{path}: {reason}.")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.path, self.reason)


class UnknownPlayer(LocalizedError):
    """No player has this name, or the player does not accept these options."""

    def __init__(self, name: str, reason: str = "error.UnknownPlayer", /, **params: object) -> None:
        self.name = name
        super().__init__(reason, **params)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"name": self.name, **super().facts(texts)}


class BadEvaluation(LocalizedError):
    """An evaluation that does not exist, raises an error, or returns something that is not a number."""

    def __init__(self, name: str, reason: str, position: Position | None = None, /, **params: object) -> None:
        self.name, self.position = name, position
        super().__init__(reason, **params)

    def localize(self, texts: Texts) -> str:
        sentence = super().localize(texts)
        if self.position is None:
            return sentence
        turn = texts("error.BadEvaluation.position", side=texts(f"board.{self.position.side_to_move}"))
        return f"{sentence} {turn}\n{self.position}"

    def fallback(self) -> str:
        return f"{self.name} {self.reason}"

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"name": self.name, **super().facts(texts)}


@dataclass(eq=False)
class BadTimeLimit(ConnectkError):
    """A time limit that is not a positive number of seconds."""

    key = "error.time_of_zero"
    seconds: float

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"text": f"{self.seconds:g}s"}


class SearchStopped(ConnectkError):
    """A search was stopped before every column had its exact score. `bounds` are the bounds proven so far."""

    def __init__(self, bounds: tuple[tuple[int, int] | None, ...]) -> None:
        self.bounds = bounds
        super().__init__("The search was stopped before it was done.")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.bounds,)


@dataclass(eq=False)
class TableTooLarge(ConnectkError):
    """A solver's table that does not fit into memory."""

    requested_mb: float
    max_mb: int
    tables: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        self.key = "error.TableTooLarge" if self.tables == 1 else "error.TableTooLarge.each"

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"wanted": f"{self.requested_mb:.0f}", "most": self.max_mb, "tables": self.tables}


@dataclass(eq=False)
class BadPosition(ConnectkError):
    """An invalid position in a batch. `index` is its number, counted from 0. `answers` are the results of the positions
    before it."""

    key = "error.BadPosition"
    index: int
    reason: ConnectkError | str
    answers: Sequence[Found] = ()

    def facts(self, texts: Texts) -> dict[str, object]:
        reason = self.reason.localize(texts) if isinstance(self.reason, ConnectkError) else self.reason
        return {"index": self.index, "reason": reason}


class ExplanationRefused(ConnectkError):
    """An explanation that the checker refuses. `fault` is a one-word code. `line` are the moves that lead to the fault,
    with columns counted from 0."""

    def __init__(self, fault: str, line: Sequence[int] = ()) -> None:
        self.fault, self.line = fault, tuple(line)
        self.key = f"why.refused.{fault}"
        super().__init__(fault, self.line)

    def facts(self, texts: Texts) -> dict[str, object]:
        moves = ",".join(format_number(column + 1) for column in self.line)
        return {"where": texts("why.after_moves", moves=moves) if moves else texts("why.at_once")}


class BotError(LocalizedError):
    """The base class of errors caused by a bot."""

    bot: str

    def localize_within(self, texts: Texts) -> str:
        return texts(self.key, **self.facts(texts) | {"bot": texts("error.bot_it")}) if self.key else self.reason

    def fallback(self) -> str:
        return f"{self.bot} {self.reason}"

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"bot": self.bot, **super().facts(texts)}


class BotUnusable(BotError):
    """A bot that cannot be started."""

    def __init__(self, bot: str, reason: str, /, **params: object) -> None:
        self.bot = bot
        super().__init__(reason, **params)


class TextServerFailed(BotError):
    """A server that a bot uses does not answer, or refuses to. This is not the bot's fault, so the bot does not lose
    the game."""

    def __init__(self, bot: str, reason: str, /, **params: object) -> None:
        self.bot = bot
        super().__init__(reason, **params)


class BotForfeit(BotError):
    """A bot that broke a limit or a rule during a game. `cause` is a one-word code."""

    def __init__(self, bot: str, cause: str, reason: str, /, **params: object) -> None:
        self.bot, self.cause = bot, cause
        super().__init__(reason, **params)


class BadTournament(LocalizedError):
    """A tournament that cannot be played, or results that belong to another tournament."""


@dataclass(eq=False)
class FileError(ConnectkError):
    """A file that cannot be used. `reason` is a text key or the system's message."""

    path: str
    reason: str

    def facts(self, texts: Texts) -> dict[str, object]:
        reason = localize_reason(self.reason, texts)
        return {"file": self.path, "reason": reason, "why": reason}


class FileNotWritable(FileError):
    """No file can be written at this path."""

    key = "error.save"


class FileNotReadable(FileError):
    """A file cannot be read or has the wrong content."""

    key = "error.unreadable"


@dataclass(eq=False)
class BadPictureSize(ConnectkError):
    """A picture size outside the allowed range."""

    key = "error.BadPictureSize"
    size: int
    min_size: int
    max_size: int

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"size": f"{self.size:,}", "least": self.min_size, "most": f"{self.max_size:,}"}


@dataclass(eq=False)
class MissingExtra(ConnectkError):
    """A feature needs a package that is not installed. `what` is the feature. `extra` is the optional extra of connectk
    that installs the package."""

    key = "error.MissingExtra"
    what: str
    extra: str

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"what": texts(f"error.needs.{self.what}"), "extra": self.extra}


class BadCluster(ConnectkError):
    """A cluster that cannot be used. `key` is the text key of the reason."""

    def __init__(self, key: str, address: str, *, path: str = "", version: str = "") -> None:
        self.key, self.address, self.path, self.version = key, address, path, version
        super().__init__(key, address)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"address": self.address, "path": self.path, "version": self.version}


@dataclass(eq=False)
class PoolLost(ConnectkError):
    """The workers are lost, because the scheduler of a cluster or a process of this computer has ended."""

    address: str
    place: str = ""
    is_kept: bool = True  # whether the same command continues the work

    def localize(self, texts: Texts) -> str:
        what = texts("error.PoolLost.cluster", address=self.address) if self.address else texts("error.PoolLost.here")
        if not self.is_kept:
            return what
        kept = texts("error.PoolLost.kept", place=self.place) if self.place else texts("error.PoolLost.again")
        return f"{what} {kept}"

    def __str__(self) -> str:
        return self.localize(load_texts("en"))


class PoisonTask(ConnectkError):
    """Every worker that ran this task crashed."""

    key = "error.PoisonTask"


@dataclass(eq=False)
class NoPuzzles(ConnectkError):
    """There is no puzzle for this board, or this position makes no puzzle."""

    board: str
    position: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self.key = "error.NoPuzzles" if self.position is None else "error.NoPuzzles.position"

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"board": self.board} if self.position is None else {"position": quoted(self.position)}


@dataclass(eq=False)
class JobMismatch(ConnectkError):
    """The folder has the output of another job, or the inputs have changed since the job began."""

    key = "error.JobMismatch"
    place: str


class JobInUse(JobMismatch):
    """Another process is running the same job in this folder."""

    key = "error.JobInUse"


class BadDataset(LocalizedError):
    """A dataset that cannot be made, read or verified."""
