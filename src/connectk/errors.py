"""Every way in which connectk can refuse, as one tree.

    ConnectkError
    ├── ImpossibleVariant
    ├── IllegalDrop
    │   ├── ColumnFull  ColumnOutOfRange  GameAlreadyOver  IllegalDropInGame
    ├── ImpossiblePosition
    │   ├── FloatingDisc  TooManyDiscs  WrongDiscCount  BothSidesWon  PlayedAfterWin
    ├── WordedError
    │   ├── NotationError
    │   │   └── UnplayableMove
    │   ├── UnsupportedVariant  UnknownPlayer  BadEvaluation  BadTournament  BadDataset
    │   └── BotError
    │       └── BotUnusable  BotForfeit
    ├── FileRefused
    │   └── FileNotWritable  FileNotReadable
    ├── NothingToUndo  NothingToRedo  ClockWithoutTime
    ├── DamagedBook  TableTooLarge  BadPosition
    ├── ExplanationRefused  NoPuzzles  PictureSize  MissingExtra
    ├── BadCluster  PoolLost  TaskDeadly  OtherWork  WorkInUse
    └── SearchStopped

An error is named after the broken rule, carries the facts as attributes (columns from 0), and says what is wrong in
a sentence for a person (columns from 1). The sentences are in the catalogues of `texts`, in every language; what only
programmers meet, `DamagedBook` and `SearchStopped`, is said in English only. One that has several reasons is a
`WordedError` and is told which.
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


LONGEST_QUOTE = 40  # characters of what somebody wrote
KEYS = ("error.", "notation.", "why.")  # how the keys of refusals begin


def readable(number: int) -> str:
    """A number in a message; Python itself refuses to write one of more than 4300 digits."""
    return str(number) if number.bit_length() < 400 else f"(about 10^{number.bit_length() * 30103 // 100000})"


def quoted(text: str) -> str:
    """What somebody wrote, for a message: not too much of it, and nothing that a terminal would obey."""
    return repr(text if len(text) <= LONGEST_QUOTE else f"{text[: LONGEST_QUOTE - 3]}...")[1:-1]


def said(error: Exception, texts: Texts) -> str:
    """Any error in the person's language, as far as it is one of these."""
    return error.said_in(texts) if isinstance(error, ConnectkError) else str(error)


class ConnectkError(Exception):
    """Anything that connectk refuses."""

    key = ""  # the key of its sentence in the catalogues, where it has one

    def __str__(self) -> str:
        return self.said_in(load_texts("en")) if self.key else super().__str__()

    def said_in(self, texts: Texts) -> str:
        """One sentence in the person's language; what has no text there keeps its English one."""
        return texts(self.key, **self.facts(texts)) if self.key else str(self)

    def said_within(self, texts: Texts) -> str:
        """The same as a part of another sentence, which tells whom it is about."""
        return self.said_in(texts)

    def facts(self, texts: Texts) -> dict[str, object]:
        """What the sentence tells, counted from 1."""
        return {}


class WordedError(ConnectkError):
    """Refused for one of several reasons.

    `reason` is the key of a text, whose facts are named then (one may be another refusal); or, from somebody else's
    code, a sentence.
    """

    def __init__(self, reason: str, /, **told: object) -> None:
        self.reason, self.told = reason, told
        self.key = reason if reason.startswith(KEYS) else ""
        super().__init__(*self.args)  # all that was given by place: a copy in another process is made from it

    def __str__(self) -> str:
        return self.said_in(load_texts("en"))

    def said_in(self, texts: Texts) -> str:
        return super().said_in(texts) if self.key else self.own_words()

    def own_words(self) -> str:
        """The sentence where there is no text of it."""
        return self.reason

    def facts(self, texts: Texts) -> dict[str, object]:
        return {name: _told_in(texts, fact) for name, fact in self.told.items()}

    def __reduce__(self) -> tuple[object, ...]:
        return _made_again, (type(self), self.args, self.told)


def _told_in(texts: Texts, fact: object) -> object:
    return fact.said_within(texts) if isinstance(fact, ConnectkError) else fact


def _made_again(kind: type[WordedError], given: tuple[str, ...], told: dict[str, object]) -> WordedError:
    return kind(*given, **told)


class ImpossibleVariant(ConnectkError):
    """No game can be played, or no line made, on such a board."""

    def __init__(self, width: int, height: int, run: int) -> None:
        self.width, self.height, self.run = width, height, run
        small = min(width, height, run) < 1
        self.key = "error.ImpossibleVariant.small" if small else "error.ImpossibleVariant.run"
        super().__init__(width, height, run)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"width": readable(self.width), "height": readable(self.height), "run": readable(self.run)}


class UnsupportedVariant(WordedError):
    """A sound variant that this part of the program cannot take on."""

    def __init__(self, variant: Variant, reason: str, /, **told: object) -> None:
        self.variant = variant
        super().__init__(reason, **told)

    def own_words(self) -> str:
        return f"{self.variant}: {self.reason}"

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"variant": self.variant, **super().facts(texts)}


class IllegalDrop(ConnectkError):
    """A disc that may not be dropped there, or not now."""


class ColumnOutOfRange(IllegalDrop):
    """The board has no such column."""

    key = "error.ColumnOutOfRange"

    def __init__(self, column: int, width: int) -> None:
        self.column, self.width = column, width
        super().__init__(column, width)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"column": readable(self.column + 1), "width": readable(self.width)}


class ColumnFull(IllegalDrop):
    """The chosen column has no room for another disc."""

    key = "error.ColumnFull"

    def __init__(self, column: int) -> None:
        self.column = column
        super().__init__(column)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"column": readable(self.column + 1)}


class GameAlreadyOver(IllegalDrop):
    """A disc was dropped after the game had ended."""

    key = "error.GameAlreadyOver"

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        super().__init__(outcome)


class IllegalDropInGame(IllegalDrop):
    """One of many games refuses its disc; `index` counts from 0, `reason` is what that game alone would say."""

    key = "error.IllegalDropInGame"

    def __init__(self, index: int, reason: IllegalDrop) -> None:
        self.index, self.reason = index, reason
        super().__init__(index, reason)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"game": self.index + 1, "reason": self.reason.said_in(texts)}


class ImpossiblePosition(ConnectkError):
    """A set-up board that no game can reach."""


class FloatingDisc(ImpossiblePosition):
    """A disc with an empty cell beneath it."""

    key = "error.FloatingDisc"

    def __init__(self, column: int, row: int) -> None:
        self.column, self.row = column, row
        super().__init__(column, row)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"column": readable(self.column + 1), "row": readable(self.row + 1)}


class TooManyDiscs(ImpossiblePosition):
    """More discs in a column than it has cells."""

    key = "error.TooManyDiscs"

    def __init__(self, column: int, discs: int, height: int) -> None:
        self.column, self.discs, self.height = column, discs, height
        super().__init__(column, discs, height)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"column": readable(self.column + 1), "discs": self.discs, "height": self.height}


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
    """Both players have a line, but the first line ends the game."""

    key = "error.BothSidesWon"


class PlayedAfterWin(ImpossiblePosition):
    """One player has a line, yet the other has moved since."""

    key = "error.PlayedAfterWin"

    def __init__(self, winner: Side) -> None:
        self.winner = winner
        super().__init__(winner)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"side": texts(f"board.{self.winner}")}


class NotationError(WordedError):
    """Text that does not say what it should; `line` counts from 1, `text` is what was found."""

    def __init__(self, reason: str, /, *, text: str | None = None, line: int | None = None, **told: object) -> None:
        self.text, self.line = text, line
        super().__init__(reason, **told)

    def said_in(self, texts: Texts) -> str:
        sentence = super().said_in(texts)
        return texts("notation.line", line=self.line, reason=sentence) if self.line else sentence

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"text": quoted(self.text or ""), **super().facts(texts)}

    def __reduce__(self) -> tuple[object, ...]:
        return _made_again, (type(self), self.args, {"text": self.text, "line": self.line, **self.told})


class UnplayableMove(NotationError):
    """A list of drops in which one cannot be made: `number` counts from 1, `error` is why."""

    def __init__(self, number: int, error: ConnectkError) -> None:
        self.number, self.error = number, error
        super().__init__("error.UnplayableMove", number=number, why=error)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.number, self.error)


class NothingToUndo(ConnectkError):
    """Undo was asked for at the start of the game."""

    key = "error.NothingToUndo"


class NothingToRedo(ConnectkError):
    """Redo was asked for at the newest move."""

    key = "error.NothingToRedo"


class DamagedBook(ConnectkError):
    """An opening book's file is cut short, altered, or no book at all."""

    def __init__(self, path: str, reason: str) -> None:
        self.path, self.reason = path, reason
        super().__init__(f"{path}: {reason}.")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.path, self.reason)


class UnknownPlayer(WordedError):
    """No player has such a name, or it says something that no player understands."""

    def __init__(self, name: str, reason: str = "error.UnknownPlayer", /, **told: object) -> None:
        self.name = name
        super().__init__(reason, **told)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"name": self.name, **super().facts(texts)}


class BadEvaluation(WordedError):
    """An evaluation that cannot be found, raises, or answers with something that is no number."""

    def __init__(self, name: str, reason: str, position: Position | None = None, /, **told: object) -> None:
        self.name, self.position = name, position
        super().__init__(reason, **told)

    def said_in(self, texts: Texts) -> str:
        sentence = super().said_in(texts)
        if self.position is None:
            return sentence
        turn = texts("error.BadEvaluation.position", side=texts(f"board.{self.position.side_to_move}"))
        return f"{sentence} {turn}\n{self.position}"

    def own_words(self) -> str:
        return f"{self.name} {self.reason}"

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"name": self.name, **super().facts(texts)}


class ClockWithoutTime(ConnectkError):
    """A clock of zero seconds, or less, or of no number."""

    key = "error.time_of_zero"

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        super().__init__(seconds)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"text": f"{self.seconds:g}s"}


class SearchStopped(ConnectkError):
    """A search was stopped before every column had its exact score; `bounds` holds what was known by then."""

    def __init__(self, bounds: tuple[tuple[int, int] | None, ...]) -> None:
        self.bounds = bounds
        super().__init__("The search was stopped before it was done.")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.bounds,)


class TableTooLarge(ConnectkError):
    """A solver's table that the machine has no memory for."""

    def __init__(self, wanted_mb: float, most_mb: int, tables: int = 1) -> None:
        self.wanted_mb, self.most_mb, self.tables = wanted_mb, most_mb, tables
        self.key = "error.TableTooLarge" if tables == 1 else "error.TableTooLarge.each"
        super().__init__(wanted_mb, most_mb, tables)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"wanted": f"{self.wanted_mb:.0f}", "most": self.most_mb, "tables": self.tables}


class BadPosition(ConnectkError):
    """One of many positions cannot be read; `index` counts from 0, `answers` are those of all before it."""

    key = "error.BadPosition"

    def __init__(self, index: int, reason: ConnectkError | str, answers: Sequence[Found] = ()) -> None:
        self.index, self.reason, self.answers = index, reason, answers
        super().__init__(index, reason, answers)

    def facts(self, texts: Texts) -> dict[str, object]:
        reason = self.reason.said_in(texts) if isinstance(self.reason, ConnectkError) else self.reason
        return {"number": self.index + 1, "reason": reason}

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.index, self.reason, self.answers)


class ExplanationRefused(ConnectkError):
    """An explanation that does not hold; `fault` is one word for it, `line` how play gets there, columns from 0."""

    def __init__(self, fault: str, line: Sequence[int] = ()) -> None:
        self.fault, self.line = fault, tuple(line)
        self.key = f"why.refused.{fault}"
        super().__init__(fault, self.line)

    def facts(self, texts: Texts) -> dict[str, object]:
        moves = ",".join(readable(column + 1) for column in self.line)
        return {"where": texts("why.after_moves", moves=moves) if moves else texts("why.at_once")}


class BotError(WordedError):
    """Something that a bot did, or cannot do."""

    bot: str

    def said_within(self, texts: Texts) -> str:
        return texts(self.key, **self.facts(texts) | {"bot": texts("error.bot_it")}) if self.key else self.reason

    def own_words(self) -> str:
        return f"{self.bot} {self.reason}"

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"bot": self.bot, **super().facts(texts)}


class BotUnusable(BotError):
    """A bot that cannot be started at all."""

    def __init__(self, bot: str, reason: str, /, **told: object) -> None:
        self.bot = bot
        super().__init__(reason, **told)


class BotForfeit(BotError):
    """A bot that broke a limit or a rule in the middle of a game; `cause` is one word for it."""

    def __init__(self, bot: str, cause: str, reason: str, /, **told: object) -> None:
        self.bot, self.cause = bot, cause
        super().__init__(reason, **told)


class BadTournament(WordedError):
    """A tournament that cannot be played, or results that are not its own."""


class FileRefused(ConnectkError):
    """A file that cannot be used; `reason` is the key of some words, or what the system says."""

    def __init__(self, path: str, reason: str) -> None:
        self.path, self.reason = path, reason
        super().__init__(path, reason)

    def facts(self, texts: Texts) -> dict[str, object]:
        reason = texts(self.reason) if self.reason.startswith(KEYS) else self.reason
        return {"file": self.path, "reason": reason, "why": reason}


class FileNotWritable(FileRefused):
    """A file that was asked for has no place to be."""

    key = "error.save"


class FileNotReadable(FileRefused):
    """A file that was named cannot be read, or is not what it should be."""

    key = "error.unreadable"


class PictureSize(ConnectkError):
    """A picture that would be too small to see, or too large for anyone's memory."""

    key = "error.PictureSize"

    def __init__(self, size: int, least: int, most: int) -> None:
        self.size, self.least, self.most = size, least, most
        super().__init__(size, least, most)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"size": f"{self.size:,}", "least": self.least, "most": f"{self.most:,}"}


class MissingExtra(ConnectkError):
    """Something that needs a package which is not installed: `what` is one word for it, `extra` the part of
    connectk that brings it."""

    key = "error.MissingExtra"

    def __init__(self, what: str, extra: str) -> None:
        self.what, self.extra = what, extra
        super().__init__(what, extra)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"what": texts(f"error.needs.{self.what}"), "extra": self.extra}


class BadCluster(ConnectkError):
    """A cluster that cannot be used; the key of its text says why."""

    def __init__(self, key: str, address: str, *, path: str = "", version: str = "") -> None:
        self.key, self.address, self.path, self.version = key, address, path, version
        super().__init__(key, address)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"address": self.address, "path": self.path, "version": self.version}


class PoolLost(ConnectkError):
    """Nobody is left to work: the scheduler of a cluster, or a process of this machine, is gone."""

    def __init__(self, address: str, place: str = "") -> None:
        self.address, self.place = address, place
        super().__init__(address, place)

    def said_in(self, texts: Texts) -> str:
        what = texts("error.PoolLost.cluster", address=self.address) if self.address else texts("error.PoolLost.here")
        kept = texts("error.PoolLost.kept", place=self.place) if self.place else texts("error.PoolLost.again")
        return f"{what} {kept}"

    def __str__(self) -> str:
        return self.said_in(load_texts("en"))


class TaskDeadly(ConnectkError):
    """Whoever works on this task dies."""

    key = "error.TaskDeadly"


class NoPuzzles(ConnectkError):
    """Puzzles were asked for that there are none of."""

    key = "error.NoPuzzles"

    def __init__(self, board: str) -> None:
        self.board = board
        super().__init__(board)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"board": self.board}


class OtherWork(ConnectkError):
    """A folder with the parts of another job, or of an input that has changed since."""

    key = "error.OtherWork"

    def __init__(self, place: str) -> None:
        self.place = place
        super().__init__(place)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"place": self.place}


class WorkInUse(OtherWork):
    """The same job is being done already."""

    key = "error.WorkInUse"


class BadDataset(WordedError):
    """A dataset that cannot be made, read or trusted."""
