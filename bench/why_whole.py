"""Builds a certified graph of boards that explains a whole game from the first disc on. A greedy method keeps it small.

    python bench/why_whole.py 6x4x4 --minutes 1 --save holds.json
    python bench/why_whole.py 7x6x4 --side first --promise wins --minutes 60 --state known.txt --save first-wins.json.gz
    python bench/why_whole.py 7x6x4 --moves 1 --minutes 60 --state known1.txt --save second-holds-7x6x4-1.json.gz

The search is the program `why_whole.hpp`, which is compiled first. It writes a line for each position to the file of
`--state`, so that the same command resumes where it stopped. When everything is explained, the remaining time is used
to reduce the number of boards. Then the boards become one explanation, which is written only if the checker accepts it.
If the name ends in .gz, it is written as a graph (`connectk.why.graph_files`), otherwise as an ordinary file.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from operator import eq
from pathlib import Path

from connectk.cluster import open_pool
from connectk.notation import parse_moves
from connectk.rules import Cell, Game, Position, Side, Variant
from connectk.solver.bitboards import bitboards_of
from connectk.system import cores
from connectk.why import Claim, Explanation, Page, Promise, write_explanation
from connectk.why.graph_files import MirroredPages, mirrored, write_graph, write_page_line
from connectk.why.pool_checker import check_in_pool

BENCH_FOLDER = Path(__file__).parent
ROOT = BENCH_FOLDER.parent
BOOK_FILE = ROOT / "src/connectk/solver/book/7x6x4.book"
UNFINISHED_EXIT_CODE = 1  # how the program ends when its time is up

Board = tuple[int, int]  # the discs of the keeper and of the rival, one bit for each cell


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("variant", type=Variant.parse, nargs="?", default=Variant(6, 4, 4))
    parser.add_argument("--moves", default="", help="the drops to the position to explain; the empty board if left out")
    parser.add_argument("--side", choices=("first", "second"), default="second")
    parser.add_argument("--promise", choices=("wins", "holds"), default="holds")
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--threads", type=int, default=cores())
    parser.add_argument("--state", type=Path, help="what is known so far; made if it is not there")
    parser.add_argument(
        "--solution", type=Path, help="what the program found on another machine: only check and write it"
    )
    parser.add_argument("--save", type=Path, help="the explanation")
    parser.add_argument(
        "--set", nargs="*", default=[], metavar="NAME=VALUE", help="as in why_whole.hpp: discs, work, ..."
    )
    run(parser.parse_args())


def run(options: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory() as folder:
        solution = options.solution or Path(folder) / "solution.txt"
        if not options.solution and not search(options, solution):
            print("out of time: the same command goes on from here")
            return
        lines = solution.read_text(encoding="utf-8").splitlines()
    claim = Claim(Side[options.side.upper()], Promise(options.promise))
    pages = MirroredPages(list(map(write_page_line, Graph(options.variant, lines).pages())), options.variant)
    explanation = Explanation(root_of(options, lines[0]), claim, pages)
    print(f"{len(lines):,} positions on {len(pages.lines):,} boards, mirror images apart; checking ...", flush=True)
    with open_pool() as pool:
        print(f"{check_in_pool(pool, explanation):,} positions checked: it holds", flush=True)
    if options.save and options.save.suffix == ".gz":
        options.save.write_bytes(write_graph(explanation, pages))
    elif options.save:
        options.save.write_text(write_explanation(as_ordinary(explanation)), encoding="utf-8")


def root_of(options: argparse.Namespace, line: str) -> Position:
    """The explained position, or its mirror image if the program chose that one."""
    columns = parse_moves(options.moves)
    mirror = [options.variant.width - 1 - column for column in columns]
    for drops in (columns, mirror):
        position = Game(options.variant, drops).position
        own, everyone = bitboards_of(position)
        keeper = own if position.side_to_move is Side[options.side.upper()] else everyone ^ own
        if discs_in(line.split(" ")[0]) == (keeper, everyone ^ keeper):
            return position
    raise AssertionError("the solution is about another position")


def search(options: argparse.Namespace, solution: Path) -> bool:
    words = {
        "variant": options.variant,
        "moves": options.moves,
        "keeper": options.side,
        "promise": options.promise,
        "seconds": 60 * options.minutes,
        "threads": options.threads,
        "state": options.state or "",
        "solution": solution,
        "book": BOOK_FILE if options.variant == Variant() else "",
    }
    done = subprocess.run([program(), *(f"{name}={value}" for name, value in words.items()), *options.set])
    if done.returncode not in (0, UNFINISHED_EXIT_CODE):
        done.check_returncode()
    return done.returncode == 0


def program() -> Path:
    """The path of the compiled program. If a source is newer than the program, it is compiled again."""
    made = ROOT / "build" / "why_whole"
    sources = [*(ROOT / "native").rglob("*.[ch]pp"), *BENCH_FOLDER.glob("why_*.[ch]pp")]
    if not made.exists() or made.stat().st_mtime < max(path.stat().st_mtime for path in sources):
        made.parent.mkdir(exist_ok=True)
        core = [*(ROOT / "native/solver").rglob("*.cpp"), ROOT / "native/memory.cpp"]
        files = [str(path) for path in core if path.name != "bindings.cpp"]
        how = ["c++", "-std=gnu++20", "-O3", "-march=native", f"-I{ROOT / 'native'}"]
        subprocess.run([*how, str(BENCH_FOLDER / "why_whole.cpp"), *files, "-o", str(made), "-lpthread"], check=True)
    return made


class Graph:
    """The solution as pages. Equal pages are merged, also with mirror images.

    Answer tables that answer every reply and do not contradict each other are merged into one. The merged table can
    replace each of them, because an additional answer changes nothing.
    """

    def __init__(self, variant: Variant, lines: Sequence[str]) -> None:
        self.variant, self.stride = variant, variant.height + 1
        self.said = dict(
            line.split(" ", 1) for line in lines
        )  # the keys are the discs of both sides, as the program writes them
        self.found: list[Page] = []
        self.numbers: dict[str, int] = {}  # the number of each page; the keys are the lines of the pages

    def pages(self) -> list[Page]:
        """The pages, beginning with that of the empty board. A reply of -1 means the mirror image of page 0, -2 that of
        page 1, and so on."""
        boards = sorted(map(discs_in, self.said), key=lambda board: -sum(map(int.bit_count, board)))
        known = {board: self.joined(self.page(board, {})) for board in boards if self.has_answer_table(board)}
        for board in boards:
            if board not in known:
                known[board] = self.number_of(self.page(board, known))
        last = len(self.found) - 1

        def back(number: int) -> int:
            return last - number if number >= 0 else ~(last - ~number)

        return [numbered_from_root(numbered(page, back)) for page in reversed(self.found)]

    def has_answer_table(self, board: Board) -> bool:
        """Whether this board's table alone answers every reply."""
        said = self.said[name_of(board)]
        return not said.startswith("!") and "1" not in said.split("/")[1]

    def joined(self, page: Page) -> int:
        """The number of a page with this table, or with a table that includes it."""
        other = mirrored(page, self.variant)
        for number, known in enumerate(self.found):
            for one, seen in ((page, number), (other, ~number)):
                if one.drop == known.drop and all(
                    agree(known.answers.get(c, ()), some) for c, some in one.answers.items()
                ):
                    self.found[number] = with_answers(known, one)
                    return seen
        self.found.append(page)
        return len(self.found) - 1

    def number_of(self, page: Page) -> int:
        """The number of a page, which is added if it is new. The number is negative if only the page's mirror image is
        known."""
        line = write_page_line(page)
        if line not in self.numbers:
            other = numbered_from_root(numbered(mirrored(page, self.variant), lambda one: ~one))
            if (known := self.numbers.get(write_page_line(other))) is not None:
                return ~known
            self.numbers[line] = len(self.found)
            self.found.append(page)
        return self.numbers[line]

    def page(self, board: Board, known: dict[Board, int]) -> Page:
        said = self.said[name_of(board)]
        if said.startswith("!"):
            return Page(force=numbers_in(said[1:]))
        drop, elsewhere, answers = said.split("/")
        keeper, rival = board
        if int(drop) >= 0:
            keeper |= self.after_drop(int(drop), keeper | rival)
        replies = {}
        for column in (at for at, left in enumerate(elsewhere) if left == "1"):
            replies[column] = self.reply((keeper, rival | self.after_drop(column, keeper | rival)), known)
        pairs = [one.split(">") for one in answers.split(";") if one]
        table = {self.cell(int(cell)): tuple(map(self.cell, numbers_in(some))) for cell, some in pairs}
        return numbered_from_root(Page(drop=int(drop) if int(drop) >= 0 else None, answers=table, replies=replies))

    def reply(self, board: Board, known: dict[Board, int]) -> int:
        other = self.mirrored(board[0]), self.mirrored(board[1])
        return ~known[other] if other < board else known[board]

    def after_drop(self, column: int, discs: int) -> int:
        part = (1 << self.variant.height) - 1 << column * self.stride
        return discs + (1 << column * self.stride) & part

    def mirrored(self, discs: int) -> int:
        columns = [discs >> column * self.stride & (1 << self.stride) - 1 for column in range(self.variant.width)]
        return sum(bits << at * self.stride for at, bits in enumerate(reversed(columns)))

    def cell(self, bit: int) -> Cell:
        return Cell(*divmod(bit, self.stride))


def agree(one: Sequence[Cell], other: Sequence[Cell]) -> bool:
    """Whether one of the two lists of answers begins with the other."""
    return all(map(eq, one, other))


def with_answers(page: Page, other: Page) -> Page:
    longer = {cell: max(page.answers.get(cell, ()), some, key=len) for cell, some in other.answers.items()}
    return replace(page, answers={**page.answers, **longer})


def name_of(board: Board) -> str:
    return f"{board[0]:x}:{board[1]:x}"


def discs_in(name: str) -> Board:
    keeper, rival = name.split(":")
    return int(keeper, 16), int(rival, 16)


def numbers_in(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(",")))


def numbered_from_root(page: Page) -> Page:
    return replace(page, answers=dict(sorted(page.answers.items())), replies=dict(sorted(page.replies.items())))


def numbered(page: Page, number: Callable[[int], int]) -> Page:
    return replace(page, replies={column: number(old) for column, old in page.replies.items()})


def as_ordinary(explanation: Explanation) -> Explanation:
    """The explanation with only the reachable pages, including the mirror images that it needs."""
    order, left = dict[int, int](), [0]
    while left:
        if (number := left.pop()) not in order:
            order[number] = len(order)
            left += explanation.pages[number].replies.values()
    return replace(explanation, pages=tuple(numbered(explanation.pages[old], order.__getitem__) for old in order))


if __name__ == "__main__":
    main()
