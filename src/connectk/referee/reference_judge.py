"""The referee in plain Python. It reads files with `notation` and plays them with `rules`; two tables map the errors
and outcomes to codes.

This is the readable reference. The core has a fast referee, and the tests compare it with this one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from connectk.errors import (
    ColumnFull,
    ColumnOutOfRange,
    ConnectkError,
    GameAlreadyOver,
    IllegalDrop,
    ImpossibleVariant,
    NotationError,
)
from connectk.notation.connect_z_file import GameFile, first_lines, parse_game_file
from connectk.referee.verdict import Code, Offence, Verdict
from connectk.rules import DRAW, Outcome, Position, Side, Variant

CODE_OF_OUTCOME: dict[Outcome | None, Code] = {
    DRAW: Code.DRAW,
    Outcome(winner=Side.FIRST): Code.FIRST_WINS,
    Outcome(winner=Side.SECOND): Code.SECOND_WINS,
    None: Code.INCOMPLETE,
}
CODE_OF_ERROR: dict[type[ConnectkError], Code] = {
    GameAlreadyOver: Code.ILLEGAL_CONTINUE,
    ColumnFull: Code.ILLEGAL_ROW,
    ColumnOutOfRange: Code.ILLEGAL_COLUMN,
    ImpossibleVariant: Code.ILLEGAL_GAME,
    NotationError: Code.INVALID_FILE,
}
FIRST_MOVE_LINE = 2  # line 1 is the header


def judge_plainly(data: bytes) -> Verdict:
    """The verdict on the bytes of a game file."""
    try:
        return _judge(parse_game_file(data), [])
    except NotationError as refusal:
        line = refusal.line or 1
        invalid = Offence(CODE_OF_ERROR[NotationError], line)
        if line == 1:
            return _verdict(None, 0, [invalid])
        return _judge(parse_game_file(first_lines(data, line - 1)), [invalid])


def _judge(file: GameFile, offences: list[Offence]) -> Verdict:
    moves = len(file.columns)
    try:
        position = _play(file)
    except ImpossibleVariant:
        return _verdict(None, moves, [Offence(CODE_OF_ERROR[ImpossibleVariant], 1), *offences])
    return _verdict(position, moves, [*_offences_after(position, file.columns), *offences])


def _play(file: GameFile) -> Position:
    """The position after all moves before the first illegal one."""
    position = Position.start(Variant(file.width, file.height, file.run))
    for column in file.columns:
        try:
            position = position.drop(column)
        except IllegalDrop:
            break
    return position


def _offences_after(position: Position, columns: tuple[int, ...]) -> Iterator[Offence]:
    """The offences from the first illegal move on. Moves after a win still fill the columns, so they can be offences
    too."""
    more: Counter[int] = Counter()
    for line, column in enumerate(columns[position.ply :], start=FIRST_MOVE_LINE + position.ply):
        try:
            position.drop(column)
        except GameAlreadyOver:
            full = position.height_of(column) + more[column] >= position.variant.height
            more[column] += 1
            yield Offence(CODE_OF_ERROR[ColumnFull if full else GameAlreadyOver], line)
        except IllegalDrop as error:
            yield Offence(CODE_OF_ERROR[type(error)], line)


def _verdict(position: Position | None, moves: int, offences: list[Offence]) -> Verdict:
    """Builds the verdict. Its code is the code of the worst offence. If there is no offence, it is the code of the
    outcome."""
    outcome = position.outcome if position else None
    gravest = max(offences, key=lambda offence: (offence.code, -offence.line), default=None)
    winner = outcome.winner if outcome else None
    return Verdict(
        code=gravest.code if gravest else CODE_OF_OUTCOME[outcome],
        moves=moves,
        offence=gravest,
        first_offence=min(offences, key=lambda offence: offence.line, default=None),
        winner=winner,
        winning_line=FIRST_MOVE_LINE + position.ply - 1 if position and winner else None,
        winning_cells=position.winning_cells if position else (),
    )
