"""The compiled core of connectk."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeVar

class GameBoard:
    """A board on which the core plays by the rules. The tests compare it with connectk.rules.

    `columns` sets up discs. The discs of a column are listed from the bottom up, as in "xxo". `last` is the column of
    the last drop.
    """

    def __init__(
        self,
        width: int,
        height: int,
        run: int,
        columns: Sequence[tuple[int, str]] = ...,
        last: int | None = None,
    ) -> None: ...
    def drop(self, column: int) -> None: ...
    def legal_columns(self) -> list[int]: ...
    def winning_columns(self) -> tuple[list[int], list[int]]: ...
    def forks(self) -> list[int]: ...
    def winning_cells(self) -> list[tuple[int, int]]: ...
    @property
    def won(self) -> bool: ...
    @property
    def over(self) -> bool: ...

def perft(width: int, height: int, run: int, depth: int) -> int: ...
def count_positions(width: int, height: int, run: int, depth: int) -> list[int]: ...

class StopFlag:
    """Stops a search. Any thread can set the flag, and the search stops within milliseconds. The methods are those of
    `threading.Event`."""

    def __init__(self) -> None: ...
    def set(self) -> None: ...
    def clear(self) -> None: ...
    def is_set(self) -> bool: ...

class Progress:
    """The progress of a search. Another thread can read it. The current question looks `depth` discs ahead."""

    def __init__(self) -> None: ...
    @property
    def lower(self) -> int: ...
    @property
    def upper(self) -> int: ...
    @property
    def depth(self) -> int: ...
    @property
    def nodes(self) -> int: ...

class Bounds:
    """The bounds of a score for the side to move: lower <= score <= upper."""

    @property
    def lower(self) -> int: ...
    @property
    def upper(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    @property
    def source(self) -> Literal["rules", "book", "search"]: ...
    @property
    def exact(self) -> bool: ...
    def as_dict(self) -> dict[str, Any]: ...

class Drops:
    """Columns to drop into. `complete` tells whether these are all the requested columns."""

    @property
    def columns(self) -> list[int]: ...
    @property
    def complete(self) -> bool: ...
    @property
    def nodes(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    def as_dict(self) -> dict[str, Any]: ...

def available_memory() -> int:
    """The number of bytes that the system could still give to this process."""

def bits_of(columns: tuple[int, ...], height: int) -> tuple[int, int]:
    """The bits of the side to move, and the bits of all discs, from `Position.column_codes`."""

def bits_after(width: int, height: int, run: int, columns: Sequence[int]) -> tuple[int, int] | None:
    """The bits after these drops. None if one of the drops is illegal."""

def solver_supports(width: int, height: int, run: int) -> bool: ...

class Solver:
    """Computes exact scores. It uses the book for the positions that the book contains.

    After `allow_readers`, `table_fill`, `recorded_bounds` and `save_positions` may be called while another thread
    searches. `recorded_bounds` are the bounds that the rules or the table know. `save_positions` returns the positions
    of the table that took the most work, and `load_positions` puts them into a table of the same variant.

    A cell has the bit column * (height + 1) + row, with row 0 at the bottom. `own` has the discs of the side to move,
    `all` has the discs of both sides.

    The table is kept between calls. With `table_bytes` 0 it grows with the work. `path` is for tests: automatic,
    one_word or wide_word. A Solver can run only one call at a time.
    """

    def __init__(
        self,
        width: int,
        height: int,
        run: int,
        table_bytes: int = 0,
        path: str = "automatic",
        book: Book | None = None,
    ) -> None: ...
    def find(
        self, columns: tuple[int, ...], found: type[_Found], goal: str, max_nodes: int, clear_table: bool
    ) -> _Found: ...
    def solve(
        self,
        own: int,
        all: int,
        *,
        result_only: bool = False,
        threads: int = 1,
        max_nodes: int = 0,
        stop: StopFlag | None = None,
        progress: Progress | None = None,
    ) -> Bounds: ...
    def solve_window(
        self,
        own: int,
        all: int,
        alpha: int,
        beta: int,
        *,
        threads: int = 1,
        max_nodes: int = 0,
        stop: StopFlag | None = None,
        progress: Progress | None = None,
    ) -> Bounds:
        """Search without the book in the window [alpha, beta]. A score outside the window is only reported as at most
        alpha or at least beta."""

    def score_columns(
        self,
        own: int,
        all: int,
        *,
        result_only: bool = False,
        threads: int = 1,
        max_nodes: int = 0,
        stop: StopFlag | None = None,
        progress: Progress | None = None,
    ) -> list[Bounds | None]:
        """The bounds of each column for the side to move. None for a full column."""

    def best_columns(
        self,
        own: int,
        all: int,
        score: int,
        *,
        result_only: bool = False,
        threads: int = 1,
        max_nodes: int = 0,
        stop: StopFlag | None = None,
        progress: Progress | None = None,
    ) -> Drops:
        """The columns that keep this score or result. The position must not be over."""

    def line(
        self,
        own: int,
        all: int,
        score: int,
        *,
        max_drops: int = 0,
        result_only: bool = False,
        threads: int = 1,
        max_nodes: int = 0,
        stop: StopFlag | None = None,
        progress: Progress | None = None,
    ) -> Drops:
        """A line of best play from a position with this score or result. It goes to the end, or has at most `max_drops`
        drops if that is not 0."""

    def clear_table(self) -> None: ...
    @property
    def table_bytes(self) -> int: ...
    def allow_readers(self) -> None: ...
    @property
    def table_fill(self) -> float: ...
    def recorded_bounds(self, own: int, all: int) -> tuple[int, int]: ...
    def save_positions(self, max_count: int) -> bytes: ...
    def load_positions(self, saved: bytes) -> int: ...

_Found = TypeVar("_Found", bound=tuple[object, ...])

class SolverPool:
    """A pool of threads that solve positions. Each position starts with an empty table. Answers come in the order of
    the tasks.

    The caller keeps the book alive. `submit` returns false for an impossible board. `submit_items` takes positions of
    this variant and, if `strings` is true, moves as plain digits. `submit_rows` takes rows of 64-bit words. Both stop
    at the first item that they cannot read, and return how many items they submitted before it. `take` waits until
    there are `min_count` answers, all answers are there, or the time is over. It appends the answers to a list as
    `found`, a named tuple like Found.
    """

    def __init__(self, threads: int, table_bytes: int = 0) -> None: ...
    def submit(
        self, own: int, all: int, width: int, height: int, run: int, book: Book | None, result_only: bool
    ) -> bool: ...
    def submit_items(
        self,
        items: list[object],
        first: int,
        position: type,
        variant: object,
        strings: bool,
        width: int,
        height: int,
        run: int,
        book: Book | None,
        result_only: bool,
    ) -> int: ...
    def submit_rows(
        self,
        rows: memoryview,
        first: int,
        count: int,
        width: int,
        height: int,
        run: int,
        book: Book | None,
        result_only: bool,
    ) -> int: ...
    def take(self, into: list[_Found], found: type[_Found], goal: str, min_count: int, seconds: float) -> None: ...
    def stop(self) -> None: ...
    def close(self) -> None: ...
    @property
    def open(self) -> int: ...
    @property
    def nodes(self) -> int: ...

# A cell is its column and its row.
_Cell = tuple[int, int]

class Page:
    """One board of an explanation, in the form of the files: a drop, a force, or answers and pages for replies."""

    def __init__(
        self,
        drop: int | None,
        force: Sequence[int],
        answers: list[tuple[_Cell, Sequence[_Cell]]],
        replies: list[tuple[int, int]],
    ) -> None: ...
    @property
    def drop(self) -> int | None: ...
    @property
    def force(self) -> list[int]: ...
    @property
    def answers(self) -> list[tuple[tuple[int, int], list[tuple[int, int]]]]: ...
    @property
    def replies(self) -> list[tuple[int, int]]: ...
    def as_dict(self) -> dict[str, Any]: ...

class Claim:
    """What an explanation claims for a side."""

    @property
    def side(self) -> str: ...
    @property
    def result(self) -> str: ...
    def as_dict(self) -> dict[str, Any]: ...

class Proposal:
    """An explanation that the checker has not seen yet."""

    @property
    def claim(self) -> Claim: ...
    @property
    def pages(self) -> list[Page]: ...
    def as_dict(self) -> dict[str, Any]: ...

class ExplanationPlan:
    """The claims about a position that the search tries to explain: their order, and the time for each. The time counts
    from the creation of this object."""

    def __init__(self, seconds: float) -> None: ...
    @property
    def solver_seconds(self) -> float: ...
    def add_claims(self, lower: int, upper: int, to_move: str, keeper: str | None) -> None: ...
    def next(
        self, solver: Solver, own: int, all: int, *, max_boards: int, stop: StopFlag | None = None
    ) -> Proposal | None: ...

class StepFacts:
    """The facts of a step. Each kind of step has some of these facts, and `as_dict` contains only those."""

    @property
    def column(self) -> int | None: ...
    @property
    def columns(self) -> list[int] | None: ...
    @property
    def line(self) -> list[int] | None: ...
    @property
    def answers(self) -> list[tuple[tuple[int, int], list[tuple[int, int]]]] | None: ...
    @property
    def rule(self) -> str | None: ...
    @property
    def cells(self) -> list[list[tuple[int, int]]] | None: ...
    @property
    def count(self) -> int | None: ...
    def as_dict(self) -> dict[str, Any]: ...

class Reply:
    """A column of the rival, and the number of the page that answers it."""

    @property
    def column(self) -> int: ...
    @property
    def page(self) -> int: ...
    def as_dict(self) -> dict[str, Any]: ...

class Statement:
    """A statement of a step, in the form of the messages."""

    @property
    def kind(self) -> str: ...
    @property
    def side(self) -> str: ...
    @property
    def cells(self) -> list[tuple[int, int]]: ...
    @property
    def lines(self) -> list[list[tuple[int, int]]]: ...
    @property
    def page(self) -> int: ...
    @property
    def moves(self) -> list[int]: ...
    @property
    def unless(self) -> list[int]: ...
    @property
    def holds(self) -> str: ...
    @property
    def count(self) -> int | None: ...
    @property
    def of(self) -> int | None: ...
    def as_dict(self) -> dict[str, Any]: ...

class CoachSentence:
    """A sentence of a coach, made of statements."""

    @property
    def kind(self) -> str: ...
    @property
    def statements(self) -> list[Statement]: ...
    def as_dict(self) -> dict[str, Any]: ...

class Step:
    """One board and one sentence of an explanation, in the form of the messages."""

    @property
    def page(self) -> int: ...
    @property
    def board(self) -> list[str]: ...
    @property
    def side_to_move(self) -> str: ...
    @property
    def last_drop(self) -> tuple[int, int] | None: ...
    @property
    def kind(self) -> str: ...
    @property
    def facts(self) -> StepFacts: ...
    @property
    def played(self) -> list[tuple[int, int]]: ...
    @property
    def pairs(self) -> list[tuple[tuple[int, int], tuple[int, int]]]: ...
    @property
    def lines(self) -> list[list[tuple[int, int]]]: ...
    @property
    def threats(self) -> list[tuple[int, int]]: ...
    @property
    def replies(self) -> list[Reply]: ...
    @property
    def statements(self) -> list[Statement]: ...
    def as_dict(self) -> dict[str, Any]: ...

class ShownPage:
    """A page that play can reach. `path` has the drops from the explained position to the first board of the page."""

    @property
    def number(self) -> int: ...
    @property
    def path(self) -> list[int]: ...
    @property
    def force(self) -> list[int]: ...
    @property
    def steps(self) -> list[Step]: ...
    def as_dict(self) -> dict[str, Any]: ...

class NamedRule:
    """A rule that an explanation uses. The rival never gets all cells of any of these groups, and this stops these
    lines."""

    @property
    def rule(self) -> str: ...
    @property
    def groups(self) -> list[list[tuple[int, int]]]: ...
    @property
    def lines(self) -> list[list[tuple[int, int]]]: ...
    def as_dict(self) -> dict[str, Any]: ...

def explain(
    solver: Solver,
    own: int,
    all: int,
    *,
    keeper: str,
    promise: str,
    max_boards: int,
    seconds: float,
    stop: StopFlag | None = None,
) -> list[Page] | None:
    """Find pages that may show why the keeper wins, or at least draws. `connectk.why.checker` checks whether they
    do."""

def shown_pages(
    width: int,
    height: int,
    run: int,
    own: int,
    all: int,
    last_drop: _Cell | None,
    keeper: str,
    pages: list[Page],
    reached: list[bytes],
) -> list[ShownPage]:
    """The pages of a checked explanation. `reached` has, for each page, the rival's discs in every position, with 16
    bytes for a position."""

def coach(
    width: int,
    height: int,
    run: int,
    own: int,
    all: int,
    last_drop: _Cell | None,
    keeper: str,
    promise: str,
    pages: list[Page],
) -> list[CoachSentence]:
    """At most three sentences about a checked explanation."""

def coach_columns(
    solver: Solver, own: int, all: int, *, seconds: float, stop: StopFlag | None = None
) -> list[CoachSentence]:
    """Sentences about the result of each column, and about what the side to move must do now."""

def line_step(width: int, height: int, run: int, own: int, all: int, last_drop: _Cell | None, line: list[int]) -> Step:
    """A line of best play as one step."""

def named_rules(
    width: int, height: int, run: int, own: int, all: int, page: Page, reached: bytes, only: str | None = None
) -> tuple[list[NamedRule], int]:
    """The rules that a page's answers follow when the rival is to move, and the number of the rival's lines that no
    rule stops."""

MAX_SHOWN_LINE_DISCS: int

def review_game(
    game: GameBoard,
    moves: int,
    *,
    book: Book | None,
    given: int,
    seconds: float,
    threads: int,
    stopped: Callable[[], bool],
    report: Callable[[int], object],
) -> dict[str, Any] | None:
    """Review the last `moves` moves, as native/analysis/review.hpp describes. `report` is called with the number of
    finished moves.

    Returns None if `stopped` returned true.
    """

def sum_up_review(
    moves: Sequence[tuple[int, str, str, float | None, bool, bool, bool, float]], winner: str | None
) -> dict[str, Any]:
    """The totals of a review. Each move has its number, side, label, mark, was_lost, exact, proven and after."""

class Book:
    """An opening book in memory. If the file is damaged or is not an opening book, a ValueError is raised."""

    def __init__(self, file: bytes) -> None: ...
    def score(self, own: int, all: int) -> int | None: ...
    def stored_score(self, own: int, all: int) -> int: ...
    @property
    def variant(self) -> tuple[int, int, int]: ...
    @property
    def discs(self) -> int: ...
    @property
    def entries(self) -> int: ...

def book_frontier(width: int, height: int, run: int, discs: int) -> bytes: ...
def book_board(width: int, height: int, run: int, key: int) -> tuple[int, int]: ...
def solve_keys(solver: Solver, keys: bytes, stop: StopFlag | None = None) -> bytes: ...
def write_book(width: int, height: int, run: int, discs: int, keys: bytes, scores: bytes) -> bytes: ...

# _Judged has the code, the number of moves, the worst offence, the first offence, and the win. An offence is its code
# and its line. A win is the side, the line, the winning disc's column as written, and the cells of the winning lines,
# as columns to the right of that disc, and rows.
_Offence = tuple[int, int] | None
_Win = tuple[int, int, str, list[tuple[int, int]]] | None
_Judged = tuple[int, int, _Offence, _Offence, _Win]

def judge(data: bytes) -> _Judged: ...
def judge_files(paths: list[bytes]) -> list[_Judged]: ...

THINKER_BITS: int

class MinimaxResult:
    """The result of `Thinker.minimax`. `value` is the same as in players/minimax.py."""

    @property
    def value(self) -> int: ...
    @property
    def columns(self) -> list[int]: ...
    @property
    def nodes(self) -> int: ...
    @property
    def complete(self) -> bool: ...
    def as_dict(self) -> dict[str, Any]: ...

class Decision:
    """The result of `Thinker.think`. If `result` is 1 (won) or -1 (lost), `last_disc` is the number of the disc that
    ends the game."""

    @property
    def column(self) -> int: ...
    @property
    def estimate(self) -> int: ...
    @property
    def result(self) -> int: ...
    @property
    def last_disc(self) -> int: ...
    @property
    def depth(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def proven(self) -> bool: ...
    @property
    def line(self) -> list[int]: ...
    def as_dict(self) -> dict[str, Any]: ...

class SimulationResult:
    """The result of `Thinker.simulate`. `mean` is the mean result for the side to move, from -1 to 1."""

    @property
    def column(self) -> int: ...
    @property
    def mean(self) -> float: ...
    @property
    def simulations(self) -> int: ...
    @property
    def line(self) -> list[int]: ...
    def as_dict(self) -> dict[str, Any]: ...

class Level:
    """The abilities of a level without a clock. Chances are in thousandths. native/players/level.hpp describes the
    fields."""

    @property
    def depth(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def random_move_chance(self) -> int: ...
    @property
    def horizontal_sight_chance(self) -> int: ...
    @property
    def diagonal_sight_chance(self) -> int: ...
    @property
    def max_noise(self) -> int: ...
    @property
    def quiescence(self) -> bool: ...
    @property
    def parity(self) -> bool: ...
    def as_dict(self) -> dict[str, Any]: ...

LEVELS: tuple[Level, ...]  # 1 to 9

class Thinker:
    """The searches of the players on one board of up to THINKER_BITS bits. The bits are the same as in Solver.

    Columns in `closed` take no disc. The column -1 in a result means that no column takes a disc. A limit of 0 means no
    limit. A Thinker can run only one call at a time.
    """

    def __init__(
        self, width: int, height: int, run: int, closed: Sequence[int] = ..., table_bytes: int = 16777216
    ) -> None: ...
    def evaluate(self, own: int, all: int, evaluation: str) -> int: ...
    def minimax(
        self, own: int, all: int, depth: int, evaluation: str, stopped: Callable[[], bool] | None = None
    ) -> MinimaxResult: ...
    def play(
        self, own: int, all: int, level: Level, seed: int, stopped: Callable[[], bool] | None = None
    ) -> Decision: ...
    def think(
        self,
        own: int,
        all: int,
        *,
        depth: int = 0,
        nodes: int = 0,
        seconds: float = 0.0,
        threads: int = 1,
        stopped: Callable[[], bool] | None = None,
    ) -> Decision: ...
    def simulate(
        self,
        own: int,
        all: int,
        simulations: int,
        seed: int = 0,
        seconds: float = 0.0,
        stopped: Callable[[], bool] | None = None,
    ) -> SimulationResult: ...
    def clear_table(self) -> None: ...

class Choice:
    """The column that a player of the core chose, and what the search found. If `depth` or `nodes` is 0, the player
    does not report it."""

    @property
    def column(self) -> int: ...
    @property
    def score(self) -> float | None: ...
    @property
    def line(self) -> list[int]: ...
    @property
    def depth(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def proven(self) -> bool: ...
    def as_dict(self) -> dict[str, Any]: ...

class Chooser:
    """Chooses columns as each of the players, on any board, if the game is not over. native/players/chooser.hpp
    describes it.

    It keeps its tables between choices. With `solver_table_bytes` 0 the solver's table grows with the work. `stopped`
    is called every few milliseconds. `play_perfect` needs a board that the solver supports. A Chooser can run only one
    call at a time.
    """

    def __init__(self, solver_table_bytes: int = 0, search_table_bytes: int = 33554432) -> None: ...
    def use_book(self, book: Book | None) -> None: ...
    def clear_table(self) -> None: ...
    def play_greedy(self, board: GameBoard) -> Choice: ...
    def play_minimax(
        self, board: GameBoard, depth: int, evaluation: str, stopped: Callable[[], bool] | None = None
    ) -> Choice: ...
    def play_simulations(
        self, board: GameBoard, games: int, seed: int, stopped: Callable[[], bool] | None = None
    ) -> Choice: ...
    def play_level(
        self, board: GameBoard, level: int, seed: int, stopped: Callable[[], bool] | None = None
    ) -> Choice: ...
    def play_engine(
        self, board: GameBoard, seconds: float, threads: int = 1, stopped: Callable[[], bool] | None = None
    ) -> Choice: ...
    def play_perfect(self, board: GameBoard, stopped: Callable[[], bool] | None = None) -> Choice: ...
    def search(
        self,
        board: GameBoard,
        *,
        depth: int = 0,
        nodes: int = 0,
        seconds: float = 0.0,
        threads: int = 1,
        stopped: Callable[[], bool] | None = None,
    ) -> Choice: ...

def score_columns(
    solver: Solver | None, board: GameBoard, *, seconds: float, stopped: Callable[[], bool] | None = None
) -> Any:
    """The worth of each column, as the message ScoresAnswer. `solver` is None if the board has no solver."""

VAST: int  # replaces any larger size of a board, which no game can fill
FAULT_OUTSIDE: int
FAULT_FULL: int

def words_of(rows: Any) -> Any:
    """A copy of an array of 64-bit words. Python's buffer protocol gives access to the copy."""

class Boards:
    """Many games at once. connectk.arrays.Boards describes the methods.

    The returned arrays can be read without a copy through Python's buffer protocol or DLPack. `which` has numbers of
    games, or is a mask. `drop` returns the game, the column and the fault of the first illegal drop.
    """

    def __init__(self, width: int, height: int, run: int, count: int, keep_moves: bool = False) -> None: ...
    def drop(self, columns: Any, which: Any = None, threads: int = 1) -> tuple[int, int, int] | None: ...
    def play_out(self, seed: int, threads: int = 1) -> None: ...
    def reset(self, which: Any = None) -> None: ...
    def undo(self, which: Any = None) -> int | None: ...
    def step(
        self, columns: Any, out: Any, restart: bool = False, threads: int = 1
    ) -> tuple[tuple[int, int, int] | None, Any, Any]: ...
    def choose(
        self,
        kind: str,
        *,
        number: int = 0,
        evaluation: str = "combined",
        seed: int = 0,
        threads: int = 1,
        stopped: Callable[[], bool] | None = None,
    ) -> Any: ...
    def mirrored(self) -> Boards: ...
    def select(self, which: Any) -> Boards: ...
    def copy(self) -> Boards: ...
    def legal(self, threads: int = 1) -> Any: ...
    def outcome(self) -> Any: ...
    def side_to_move(self) -> Any: ...
    def ply(self) -> Any: ...
    def random_columns(self, seed: int, threads: int = 1) -> Any: ...
    def new_planes(self, dtype: str) -> Any: ...
    def write_planes(self, out: Any, threads: int = 1) -> None: ...
    def bits(self) -> Any: ...
    def set_bits(self, rows: Any) -> int: ...
    def set_up(self, game: int, columns: Sequence[int], sides: Sequence[int]) -> bool: ...
    def discs(self, game: int) -> list[tuple[int, int]]: ...
    def moves(self, game: int) -> list[int]: ...
    @property
    def count(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    @property
    def keeps_moves(self) -> bool: ...
    @property
    def has_players(self) -> bool: ...

class TreeSearch:
    """A tree search whose leaves the caller evaluates. native/network/tree_search.hpp describes it.

    `collect` writes leaves into arrays and returns their number. `apply` takes the evaluations of these leaves. The
    caller repeats both until `is_done` is true.
    """

    def __init__(
        self,
        width: int,
        height: int,
        run: int,
        bits: Any,
        *,
        simulations: int,
        exploration: float,
        considered: int,
        seed: int,
    ) -> None: ...
    def collect(self, planes: Any, masks: Any) -> int: ...
    def apply(self, values: Any, policies: Any) -> None: ...
    def result(self, columns: Any, visits: Any, policies: Any, values: Any) -> None: ...
    @property
    def is_done(self) -> bool: ...
    @property
    def simulations(self) -> int: ...
