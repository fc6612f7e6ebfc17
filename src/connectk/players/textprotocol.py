"""The text protocol between connectk and a bot; docs/reference/bot-protocol.md is its specification.

connectk  connectk 1                              bot  name My bot
connectk                                          bot  ready
connectk  newgame 12
connectk  variant 7x6x4
connectk  position ......./......./......./......./......./...x... moves 4
connectk  go movetime 100                         bot  info score 3 depth 9
connectk                                          bot  bestmove 4
connectk  quit
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from connectk.errors import NotationError, quoted
from connectk.notation import parse_diagram
from connectk.players.player import Thought
from connectk.rules import Position, Side, Variant

PROTOCOL_VERSION = 1
HELLO_LINE = f"connectk {PROTOCOL_VERSION}"
READY_LINE = "ready"
SWAP_LINE, KEEP_LINE = "swap", "keep"  # a bot sends `swap` before `ready` if it knows the rule, and then as its answer
NEW_PROCESS_LINE = "fresh"  # sent by a bot that needs a new process for each game
DISC_SYMBOLS = {None: ".", Side.FIRST: "x", Side.SECOND: "o"}
MAX_ORDER_SEARCH_STEPS = 20_000  # in the search for an order of drops


def write_position(position: Position, moves: Sequence[int] | None) -> str:
    """The line `position ROWS moves COLUMNS`. The top row comes first. COLUMNS are the drops that lead to the position;
    they are left out if they are unknown."""
    line = f"position {_write_rows(position)}"
    return line if moves is None else " ".join([line, "moves", *(str(column + 1) for column in moves)])


def _write_rows(position: Position) -> str:
    width, height = position.variant.width, position.variant.height
    rows = [[DISC_SYMBOLS[None]] * width for _ in range(height)]
    for cell, side in position.discs():
        rows[cell.row][cell.column] = DISC_SYMBOLS[side]
    return "/".join("".join(row) for row in reversed(rows))


def parse_position(line: str, variant: Variant) -> Position:
    """The position of a `position` line."""
    _, rows, *moves = line.split()
    if moves:
        return Position.from_moves([int(column) - 1 for column in moves[1:]], variant)
    return parse_diagram(rows.replace("/", "\n"), variant)


class ShownPosition:
    """The position that the last `variant` and `position` lines describe. While a game continues, only the new moves of
    a line are played."""

    def __init__(self) -> None:
        self.position = Position.start()
        self._moves: list[str] | None = []  # the moves that led to the position; None if unknown

    def update(self, word: str, line: str) -> None:
        if word == "variant":
            variant = Variant.parse(line.split()[1])
            if variant != self.position.variant:
                self.position, self._moves = Position.start(variant), []
            return
        self._show(line, line.split()[3:] if " moves" in line else None)

    def _show(self, line: str, moves: list[str] | None) -> None:
        known = self._moves
        if moves is None or known is None or moves[: len(known)] != known:
            self.position = parse_position(line, self.position.variant)
        else:
            for column in moves[len(known) :]:
                self.position = self.position.drop(int(column) - 1)
        self._moves = moves


def write_new_game(seed: int | None) -> str:
    return "newgame" if seed is None else f"newgame {seed}"


def parse_new_game(line: str) -> int | None:
    """The seed of a `newgame` line."""
    _, _, seed = line.partition(" ")
    return int(seed) if seed else None


def write_go(seconds: float) -> str:
    return f"go movetime {max(1, round(seconds * 1000))}"


def write_swap(seconds: float) -> str:
    """The line that asks the bot whether it takes over the other side."""
    return write_go(seconds).replace("go", SWAP_LINE, 1)


def parse_go(line: str) -> float:
    """The seconds of a `go` or `swap` line."""
    return int(line.split()[2]) / 1000


def parse_answer(line: str) -> int | None:
    """The column in a `bestmove` line, counted from 0. None for any other line."""
    word, _, rest = line.partition(" ")
    if word != "bestmove":
        return None
    if not re.fullmatch(r"-?[0-9]{1,9}", rest.strip()):
        raise NotationError("error.not_a_column", word=quoted(rest.strip()), text=line)
    return int(rest) - 1


def parse_info(line: str) -> Thought | None:
    """The thought in an `info` line. None if the line is malformed or is no `info` line."""
    word, *words = line.split()
    if word != "info":
        return None
    try:
        return _thought(words)
    except (ValueError, IndexError):
        return None


def _thought(words: list[str]) -> Thought:
    head, line = (words[: words.index("line")], words[words.index("line") + 1 :]) if "line" in words else (words, [])
    facts = dict(zip(head[::2], head[1::2], strict=True))
    return Thought(
        score=float(facts["score"]) if "score" in facts else None,
        depth=int(facts["depth"]) if "depth" in facts else None,
        nodes=int(facts["nodes"]) if "nodes" in facts else None,
        line=tuple(int(column) - 1 for column in line),
    )


class MoveHistory:
    """Finds drops that lead to each position that a bot is shown. While a game continues, the drops to the last
    position are extended."""

    def __init__(self) -> None:
        self._position: Position | None = None
        self._moves: tuple[int, ...] | None = None

    def moves_to(self, position: Position) -> tuple[int, ...] | None:
        self._moves = self._extended(position) or drops_to(position)
        self._position = position
        return self._moves

    def _extended(self, position: Position) -> tuple[int, ...] | None:
        """The previous drops and one more drop by each player, if these lead to the position. Otherwise None."""
        if self._moves is None or self._position is None or position.ply - self._position.ply != 2:
            return None
        new = [cell for cell, _ in position.discs() if self._position.disc_at(*cell) is None]
        for first, second in (new, new[::-1]) if len(new) == 2 else ():
            moves = (first.column, second.column)
            if _leads(self._position, moves, position):
                return (*self._moves, *moves)
        return None


def _leads(start: Position, moves: tuple[int, ...], end: Position) -> bool:
    for column in moves:
        if not start.can_drop(column):
            return False
        start = start.drop(column)
    return start == end


def drops_to(position: Position) -> tuple[int, ...] | None:
    """Drops by alternating sides that lead from an empty board to the position. None if the search does not find such
    drops within its limit."""
    stacks: dict[int, list[Side]] = {}
    for cell, side in position.discs():
        stacks.setdefault(cell.column, []).append(side)
    heights = dict.fromkeys(stacks, 0)
    moves: list[int] = []
    dead_ends: set[tuple[int, ...]] = set()
    for _ in range(MAX_ORDER_SEARCH_STEPS):
        if len(moves) == position.ply:
            return tuple(moves)
        column = _next_column(stacks, heights, len(moves), dead_ends)
        if column is not None:
            heights[column] += 1
            moves.append(column)
        elif moves:
            dead_ends.add(tuple(heights.values()))
            heights[moves.pop()] -= 1
        else:
            break
    return None


def _next_column(
    stacks: dict[int, list[Side]], heights: dict[int, int], ply: int, dead_ends: set[tuple[int, ...]]
) -> int | None:
    """The next column to try. Its next disc belongs to the side to move, and a drop there leads to no known dead end.
    None if there is no such column.

    If there are several such columns, the one with the most remaining discs is tried.
    """
    side = Side(ply & 1)
    fitting = [c for c, stack in stacks.items() if heights[c] < len(stack) and stack[heights[c]] is side]
    for column in sorted(fitting, key=lambda c: heights[c] - len(stacks[c])):
        after = tuple(height + (c == column) for c, height in heights.items())
        if after not in dead_ends:
            return column
    return None
