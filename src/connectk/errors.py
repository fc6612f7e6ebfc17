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
    │       └── BotUnusable  BotForfeit
    ├── FileError
    │   └── FileNotWritable  FileNotReadable
    ├── NothingToUndo  NothingToRedo  BadTimeLimit
    ├── DamagedBook  TableTooLarge  BadPosition
    ├── ExplanationRefused  NoPuzzles  BadPictureSize  MissingExtra
    ├── BadCluster  PoolLost  PoisonTask  JobMismatch  JobInUse
    └── SearchStopped

An error is named after the broken rule, carries the facts as attributes (columns from 0), and has a message for people
(columns from 1). The messages are in the catalogues of `texts`, in every language; `DamagedBook` and `SearchStopped`,
which only programmers meet, are in English only. An error class with several possible messages is a `LocalizedError`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from connectk.texts import Texts, load_texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from connectk.rules.outcome import Outcome, Side
    from connectk.rules.position import Position
    from connectk.rules.variant import Variant
    from connectk.solver.solution import Found


MAX_QUOTE_CHARS = 40  # of user input in a message
TEXT_KEY_PREFIXES = ("error.", "notation.", "why.")  # of the text keys that an error may carry


def format_number(number: int) -> str:
    """A number for a message; Python refuses to format one of more than 4300 digits."""
    return str(number) if number.bit_length() < 400 else f"(about 10^{number.bit_length() * 30103 // 100000})"


def quoted(text: str) -> str:
    """User input for a message: shortened, and with control characters escaped."""
    return repr(text if len(text) <= MAX_QUOTE_CHARS else f"{text[: MAX_QUOTE_CHARS - 3]}...")[1:-1]


def localize_error(error: Exception, texts: Texts) -> str:
    """The message of any exception, translated if it is a `ConnectkError`."""
    return error.localize(texts) if isinstance(error, ConnectkError) else str(error)


class ConnectkError(Exception):
    """The base class of all errors of connectk."""

    key = ""  # of its message in the catalogues; empty if it has none

    def __str__(self) -> str:
        return self.localize(load_texts("en")) if self.key else super().__str__()

    def localize(self, texts: Texts) -> str:
        """The message in this language, or in English if it has no translation."""
        return texts(self.key, **self.facts(texts)) if self.key else str(self)

    def localize_within(self, texts: Texts) -> str:
        """The message as part of another sentence that already names the subject."""
        return self.localize(texts)

    def facts(self, texts: Texts) -> dict[str, object]:
        """The values for the placeholders of the message; columns and rows count from 1."""
        return {}


class LocalizedError(ConnectkError):
    """An error with several possible messages.

    `reason` is a text key and `params` are the values for its placeholders (a value may be another error); or `reason`
    is a finished sentence, as it comes from third-party code.
    """

    def __init__(self, reason: str, /, **params: object) -> None:
        self.reason, self.params = reason, params
        self.key = reason if reason.startswith(TEXT_KEY_PREFIXES) else ""
        super().__init__(*self.args)  # all positional arguments: unpickling calls the class with them

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
    return fact.localize_within(texts) if isinstance(fact, ConnectkError) else fact


def _rebuild(kind: type[LocalizedError], given: tuple[str, ...], params: dict[str, object]) -> LocalizedError:
    return kind(*given, **params)


class ImpossibleVariant(ConnectkError):
    """A board without cells, or one that no line fits on."""

    def __init__(self, width: int, height: int, run: int) -> None:
        self.width, self.height, self.run = width, height, run
        small = min(width, height, run) < 1
        self.key = "error.ImpossibleVariant.small" if small else "error.ImpossibleVariant.run"
        super().__init__(width, height, run)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {
            "width": format_number(self.width),
            "height": format_number(self.height),
            "run": format_number(self.run),
        }


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
    """A disc cannot be dropped there, or not now."""


class ColumnOutOfRange(IllegalDrop):
    """The board has no such column."""

    key = "error.ColumnOutOfRange"

    def __init__(self, column: int, width: int) -> None:
        self.column, self.width = column, width
        super().__init__(column, width)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"column": format_number(self.column + 1), "width": format_number(self.width)}


class ColumnFull(IllegalDrop):
    """The chosen column has no room for another disc."""

    key = "error.ColumnFull"

    def __init__(self, column: int) -> None:
        self.column = column
        super().__init__(column)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"column": format_number(self.column + 1)}


class GameAlreadyOver(IllegalDrop):
    """A disc was dropped after the game had ended."""

    key = "error.GameAlreadyOver"

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        super().__init__(outcome)


class IllegalDropInGame(IllegalDrop):
    """An illegal drop in one game of a batch; `index` counts from 0, `reason` is the error of that game."""

    key = "error.IllegalDropInGame"

    def __init__(self, index: int, reason: IllegalDrop) -> None:
        self.index, self.reason = index, reason
        super().__init__(index, reason)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"game": self.index + 1, "reason": self.reason.localize(texts)}


class ImpossiblePosition(ConnectkError):
    """A position that no game can reach."""


class FloatingDisc(ImpossiblePosition):
    """A disc with an empty cell beneath it."""

    key = "error.FloatingDisc"

    def __init__(self, column: int, row: int) -> None:
        self.column, self.row = column, row
        super().__init__(column, row)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"column": format_number(self.column + 1), "row": format_number(self.row + 1)}


class TooManyDiscs(ImpossiblePosition):
    """More discs in a column than it has cells."""

    key = "error.TooManyDiscs"

    def __init__(self, column: int, discs: int, height: int) -> None:
        self.column, self.discs, self.height = column, discs, height
        super().__init__(column, discs, height)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"column": format_number(self.column + 1), "discs": self.discs, "height": self.height}


class WrongDiscCount(ImpossiblePosition):
    """Players take turns, so the counts of their discs must fit the side to move."""

    def __init__(self, first: int, second: int, side_to_move: Side | None = None) -> None:
        self.first, self.second, self.side_to_move = first, second, side_to_move
        self.key = "error.WrongDiscCount.turn" if side_to_move else "error.WrongDiscCount"
        super().__init__(first, second, side_to_move)

    def facts(self, texts: Texts) -> dict[str, object]:
        turn = {"side": texts(f"board.{self.side_to_move}")} if self.side_to_move else {}
        return {"first": self.first, "second": self.second, **turn}


class BothSidesWon(ImpossiblePosition):
    """Both sides have a line, but the first line ends the game."""

    key = "error.BothSidesWon"


class PlayedAfterWin(ImpossiblePosition):
    """One side has a line, yet the other has moved since."""

    key = "error.PlayedAfterWin"

    def __init__(self, winner: Side) -> None:
        self.winner = winner
        super().__init__(winner)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"side": texts(f"board.{self.winner}")}


class NotationError(LocalizedError):
    """Text that cannot be parsed; `line` counts from 1, `text` is what was found."""

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
    """A move list with an illegal drop: `number` counts from 1, `error` says why."""

    def __init__(self, number: int, error: ConnectkError) -> None:
        self.number, self.error = number, error
        super().__init__("error.UnplayableMove", number=number, why=error)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.number, self.error)


class NothingToUndo(ConnectkError):
    """Undo at the start of the game."""

    key = "error.NothingToUndo"


class NothingToRedo(ConnectkError):
    """Redo at the newest move."""

    key = "error.NothingToRedo"


class DamagedBook(ConnectkError):
    """An opening book file that is truncated, altered, or not a book."""

    def __init__(self, path: str, reason: str) -> None:
        self.path, self.reason = path, reason
        super().__init__(f"{path}: {reason}.")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.path, self.reason)


class UnknownPlayer(LocalizedError):
    """No player has this name, or it does not accept these options."""

    def __init__(self, name: str, reason: str = "error.UnknownPlayer", /, **params: object) -> None:
        self.name = name
        super().__init__(reason, **params)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"name": self.name, **super().facts(texts)}


class BadEvaluation(LocalizedError):
    """An evaluation that cannot be found, raises, or returns something that is not a number."""

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


class BadTimeLimit(ConnectkError):
    """A time limit that is not a positive number of seconds."""

    key = "error.time_of_zero"

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        super().__init__(seconds)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"text": f"{self.seconds:g}s"}


class SearchStopped(ConnectkError):
    """A search was stopped before every column had its exact score; `bounds` are the bounds proven so far."""

    def __init__(self, bounds: tuple[tuple[int, int] | None, ...]) -> None:
        self.bounds = bounds
        super().__init__("The search was stopped before it was done.")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.bounds,)


class TableTooLarge(ConnectkError):
    """A solver's table that does not fit into memory."""

    def __init__(self, requested_mb: float, max_mb: int, tables: int = 1) -> None:
        self.requested_mb, self.max_mb, self.tables = requested_mb, max_mb, tables
        self.key = "error.TableTooLarge" if tables == 1 else "error.TableTooLarge.each"
        super().__init__(requested_mb, max_mb, tables)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"wanted": f"{self.requested_mb:.0f}", "most": self.max_mb, "tables": self.tables}


class BadPosition(ConnectkError):
    """An invalid position in a batch; `index` counts from 0, `answers` are the results of all positions before it."""

    key = "error.BadPosition"

    def __init__(self, index: int, reason: ConnectkError | str, answers: Sequence[Found] = ()) -> None:
        self.index, self.reason, self.answers = index, reason, answers
        super().__init__(index, reason, answers)

    def facts(self, texts: Texts) -> dict[str, object]:
        reason = self.reason.localize(texts) if isinstance(self.reason, ConnectkError) else self.reason
        return {"number": self.index + 1, "reason": reason}

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.index, self.reason, self.answers)


class ExplanationRefused(ConnectkError):
    """An explanation that the checker rejects; `fault` is a one-word code, `line` the moves to it, columns from 0."""

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


class BotForfeit(BotError):
    """A bot that broke a limit or a rule during a game; `cause` is a one-word code."""

    def __init__(self, bot: str, cause: str, reason: str, /, **params: object) -> None:
        self.bot, self.cause = bot, cause
        super().__init__(reason, **params)


class BadTournament(LocalizedError):
    """A tournament that cannot be played, or results that belong to another tournament."""


class FileError(ConnectkError):
    """A file that cannot be used; `reason` is a text key or the system's message."""

    def __init__(self, path: str, reason: str) -> None:
        self.path, self.reason = path, reason
        super().__init__(path, reason)

    def facts(self, texts: Texts) -> dict[str, object]:
        reason = texts(self.reason) if self.reason.startswith(TEXT_KEY_PREFIXES) else self.reason
        return {"file": self.path, "reason": reason, "why": reason}


class FileNotWritable(FileError):
    """A file cannot be written there."""

    key = "error.save"


class FileNotReadable(FileError):
    """A file cannot be read or has the wrong content."""

    key = "error.unreadable"


class BadPictureSize(ConnectkError):
    """A picture size outside the allowed range."""

    key = "error.BadPictureSize"

    def __init__(self, size: int, min_size: int, max_size: int) -> None:
        self.size, self.min_size, self.max_size = size, min_size, max_size
        super().__init__(size, min_size, max_size)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"size": f"{self.size:,}", "least": self.min_size, "most": f"{self.max_size:,}"}


class MissingExtra(ConnectkError):
    """A feature needs a package that is not installed: `what` is the feature, `extra` the extra that installs it."""

    key = "error.MissingExtra"

    def __init__(self, what: str, extra: str) -> None:
        self.what, self.extra = what, extra
        super().__init__(what, extra)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"what": texts(f"error.needs.{self.what}"), "extra": self.extra}


class BadCluster(ConnectkError):
    """A cluster that cannot be used; the text key says why."""

    def __init__(self, key: str, address: str, *, path: str = "", version: str = "") -> None:
        self.key, self.address, self.path, self.version = key, address, path, version
        super().__init__(key, address)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"address": self.address, "path": self.path, "version": self.version}


class PoolLost(ConnectkError):
    """No worker is left: the scheduler of a cluster, or a process of this machine, is gone."""

    def __init__(self, address: str, place: str = "") -> None:
        self.address, self.place = address, place
        super().__init__(address, place)

    def localize(self, texts: Texts) -> str:
        what = texts("error.PoolLost.cluster", address=self.address) if self.address else texts("error.PoolLost.here")
        kept = texts("error.PoolLost.kept", place=self.place) if self.place else texts("error.PoolLost.again")
        return f"{what} {kept}"

    def __str__(self) -> str:
        return self.localize(load_texts("en"))


class PoisonTask(ConnectkError):
    """Every worker that ran this task crashed."""

    key = "error.PoisonTask"


class NoPuzzles(ConnectkError):
    """No puzzle matches."""

    key = "error.NoPuzzles"

    def __init__(self, board: str) -> None:
        self.board = board
        super().__init__(board)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"board": self.board}


class JobMismatch(ConnectkError):
    """A folder with the output of another job, or of an input that has changed since."""

    key = "error.JobMismatch"

    def __init__(self, place: str) -> None:
        self.place = place
        super().__init__(place)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"place": self.place}


class JobInUse(JobMismatch):
    """Another process is running the same job in this folder."""

    key = "error.JobInUse"


class BadDataset(LocalizedError):
    """A dataset that cannot be made, read or verified."""
