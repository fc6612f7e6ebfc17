"""Writes prompts that ask for a move in words, and reads the column in the answer."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple, get_args

from connectk.rules import Position, Side

PromptStyle = Literal["kaggle", "plain"]
Parsing = Literal["strict", "lenient"]
AnswerKind = Literal["played", "illegal", "unreadable"]
PROMPT_STYLES: tuple[PromptStyle, ...] = get_args(PromptStyle)
PARSINGS: tuple[Parsing, ...] = get_args(Parsing)

SYMBOLS = {None: ".", Side.FIRST: "X", Side.SECOND: "O"}
FIRST_COLUMN: dict[PromptStyle, int] = {"kaggle": 0, "plain": 1}  # the number of the leftmost column
NUMBER = r"(-?\d+)"
STRICT: dict[PromptStyle, str] = {
    "kaggle": rf"^[\s*_#]*final answer:[\s*_]*{NUMBER}[\s*_.]*$",  # the last line that is not empty
    "plain": rf"^\s*{NUMBER}\.?\s*$",  # the whole answer
}
LENIENT = (  # the last of the first kind that is found anywhere
    rf"final answer[^\w-]{{0,12}}{NUMBER}\b",
    rf"\bcolumn[^\w-]{{0,6}}{NUMBER}\b",
    rf"(?:\*\*|\\boxed\{{){NUMBER}",
    rf"(?<![\w.-]){NUMBER}\b(?!\.\d)",
)

KAGGLE_PROMPT = """Let us play Connect X.
The board has {rows} rows and {columns} columns. Players take turns to drop a disc into a column, where it falls to the
lowest empty cell. Whoever first has {run} discs in a row, across, upright or diagonally, wins.

You play {own}, your opponent plays {other}, and it is your turn. The board, row by row from the top ('.' is empty):

{board}

You may drop into these columns, counted from 0 at the left: {legal}.
Think as long as you like, then end with a line of exactly this form:
Final Answer: COLUMN
"""
PLAIN_PROMPT = """A board of {columns} columns and {rows} rows; {run} discs in a line win. You are {own}, to move.

{board}

Answer with the number of a column and nothing else: {legal}.
"""
TEMPLATES: dict[PromptStyle, str] = {"kaggle": KAGGLE_PROMPT, "plain": PLAIN_PROMPT}


class ParsedAnswer(NamedTuple):
    """The content of an answer: a column that takes a disc, a number that is no such column, or nothing readable."""

    kind: AnswerKind
    column: int | None  # from 0; only of a drop that is legal


def prompt_for(position: Position, style: PromptStyle = "kaggle") -> str:
    """The prompt for a position. The style "kaggle" resembles the prompts of Kaggle's Game Arena, and the style "plain"
    is as short as possible."""
    variant, first = position.variant, FIRST_COLUMN[style]
    return TEMPLATES[style].format(
        rows=variant.height,
        columns=variant.width,
        run=variant.run,
        own=SYMBOLS[position.side_to_move],
        other=SYMBOLS[position.side_to_move.other],
        board=drawn_board(position) if style == "kaggle" else numbered_board(position, first),
        legal=", ".join(str(column + first) for column in position.legal_columns),
    )


def drawn_board(position: Position, cell_width: int = 1) -> str:
    """The board as letters and dots. The top row comes first."""
    rows = [["."] * position.variant.width for _ in range(position.variant.height)]
    for (column, row), side in position.discs():
        rows[row][column] = SYMBOLS[side]
    return "\n".join(" ".join(cell.rjust(cell_width) for cell in row) for row in reversed(rows))


def numbered_board(position: Position, first_column: int) -> str:
    """The drawn board with the numbers of its columns below it."""
    numbers = [str(column + first_column) for column in range(position.variant.width)]
    cell_width = len(numbers[-1])
    return "\n".join([drawn_board(position, cell_width), " ".join(number.rjust(cell_width) for number in numbers)])


def parse_answer(
    answer: str, position: Position, style: PromptStyle = "kaggle", parsing: Parsing = "strict"
) -> ParsedAnswer:
    """The column that an answer names. With "strict", the answer must have the form that the prompt asks for. With
    "lenient", the answer may have any form, and the last suitable number counts."""
    number = _strict(answer, style) if parsing == "strict" else _lenient(answer)
    if number is None:
        return ParsedAnswer("unreadable", None)
    column = number - FIRST_COLUMN[style]
    return ParsedAnswer("played", column) if position.can_drop(column) else ParsedAnswer("illegal", None)


def _strict(answer: str, style: PromptStyle) -> int | None:
    lines = [line for line in answer.splitlines() if line.strip()]
    text = answer if style == "plain" else lines[-1] if lines else ""
    found = re.match(STRICT[style], text, re.IGNORECASE)
    return int(found[1]) if found else None


def _lenient(answer: str) -> int | None:
    for pattern in LENIENT:
        found = re.findall(pattern, answer, re.IGNORECASE)
        if found:
            return int(found[-1])
    return None
