"""The compiled core of connectk."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeVar

class GameBoard:
    """A board that the core plays by the rules; the tests hold it to connectk.rules.

    `columns` are set up, each from the bottom up as in "xxo"; the topmost disc of `last` was dropped last.
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
    """Set by any thread, seen by a search within milliseconds; the methods are those of `threading.Event`."""

    def __init__(self) -> None: ...
    def set(self) -> None: ...
    def clear(self) -> None: ...
    def is_set(self) -> bool: ...

class Progress:
    """Where a search stands; read it from another thread. The question under way looks `depth` discs ahead."""

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
    """lower <= score <= upper, from the side to move."""

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
    """Columns, and whether they are all that were asked for."""

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
    """Bytes that the system could still give this process."""

def bits_of(columns: tuple[int, ...], height: int) -> tuple[int, int]:
    """The bits of the side to move and of both, from `Position.column_codes`."""

def bits_after(width: int, height: int, run: int, columns: Sequence[int]) -> tuple[int, int] | None:
    """The bits after these drops; None when one of them is against the rules."""

def solver_supports(width: int, height: int, run: int) -> bool: ...

class Solver:
    """Exact scores, from the book where it reaches.

    Bit column * (height + 1) + row, row 0 at the bottom; `own` is the side to move, `all` both.

    The table is kept between calls; 0 bytes lets it grow with the work. `path` is for tests: automatic, one_word or
    wide_word. One call at a time per Solver.
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
        self, columns: tuple[int, ...], found: type[_Found], goal: str, max_nodes: int, forget: bool
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
        """A search without the book that closes the gap only inside [alpha, beta]."""

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
        """One entry per column, from the side to move: None where no disc fits."""

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
        """The columns that keep this score or result of an open position."""

    def line(
        self,
        own: int,
        all: int,
        score: int,
        *,
        most: int = 0,
        result_only: bool = False,
        threads: int = 1,
        max_nodes: int = 0,
        stop: StopFlag | None = None,
        progress: Progress | None = None,
    ) -> Drops:
        """Best play from a position of this score or result, to the end or for `most` discs."""

    def forget(self) -> None: ...
    @property
    def table_bytes(self) -> int: ...

_Found = TypeVar("_Found", bound=tuple[object, ...])

class Crowd:
    """Many positions solved by several threads, each with an empty table; answers come in the order of the questions.

    No `ask` keeps the book alive. `ask` refuses a board that no game shows. `ask_items` and `ask_rows` tell how many
    they asked, up to the first that is not for them: items from `first` on, positions of this variant and, where
    `texts`, moves as plain digits; rows of 64-bit words. `take` waits until there are `enough` answers, all are there,
    or so many seconds are over, and adds them to a list, each as `found`, which is a named tuple like Found.
    """

    def __init__(self, threads: int, table_bytes: int = 0) -> None: ...
    def ask(
        self, own: int, all: int, width: int, height: int, run: int, book: Book | None, result_only: bool
    ) -> bool: ...
    def ask_items(
        self,
        items: list[object],
        first: int,
        position: type,
        variant: object,
        texts: bool,
        width: int,
        height: int,
        run: int,
        book: Book | None,
        result_only: bool,
    ) -> int: ...
    def ask_rows(
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
    def take(self, into: list[_Found], found: type[_Found], goal: str, enough: int, seconds: float) -> None: ...
    def stop(self) -> None: ...
    def close(self) -> None: ...
    @property
    def open(self) -> int: ...
    @property
    def nodes(self) -> int: ...

# column, row; and what is written of an explanation.
_Cell = tuple[int, int]

class Page:
    """One board of an explanation, as files have it: a drop, a force, or answers and pages for replies."""

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

class Attempt:
    """A claim to try, and for how long."""

    @property
    def claim(self) -> Claim: ...
    @property
    def seconds(self) -> float: ...
    def as_dict(self) -> dict[str, Any]: ...

class ExplanationPlan:
    """Which claims about a position to try to explain, in which order, and for how long each; its clock runs."""

    def __init__(self, seconds: float) -> None: ...
    @property
    def solver_seconds(self) -> float: ...
    def consider(self, lower: int, upper: int, to_move: str, keeper: str | None) -> None: ...
    def next(self) -> Attempt | None: ...

class StepFacts:
    """What a step tells of; each kind has some of these, and `as_dict` no others."""

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
    """A column of the rival, and the page that answers it."""

    @property
    def column(self) -> int: ...
    @property
    def page(self) -> int: ...
    def as_dict(self) -> dict[str, Any]: ...

class Step:
    """One board and one sentence of an explanation, as messages have it."""

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
    def as_dict(self) -> dict[str, Any]: ...

class ShownPage:
    """A page that play can get to, and the drops from the explained position to its first board."""

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
    """A rule at work: the rival never gets all cells of a group, which stops these lines."""

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
    """Pages that may show why the keeper wins, or at least draws; `connectk.why.checker` tells whether they do."""

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
    """Of a checked explanation; `reached` has, by page, the rival's discs in every position, 16 bytes each."""

def line_step(width: int, height: int, run: int, own: int, all: int, last_drop: _Cell | None, line: list[int]) -> Step:
    """Best play as one step."""

def named_rules(
    width: int, height: int, run: int, own: int, all: int, page: Page, reached: bytes, only: str | None = None
) -> tuple[list[NamedRule], int]:
    """The rules that a page's answers amount to, the rival to move, and how many of its lines none stops."""

LONGEST_SHOWN_LINE: int

def review_game(
    game: GameBoard,
    moves: int,
    *,
    book: Book | None,
    given: int,
    seconds: float,
    threads: int,
    stopped: Callable[[], bool],
    told: Callable[[int], object],
) -> dict[str, Any] | None:
    """The last so many moves judged, as native/analysis/review.hpp describes it; `told` hears how many are done.

    None once `stopped`.
    """

class Book:
    """An opening book in memory; a file that is no book, or a damaged one, is a ValueError."""

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

# code; moves; the gravest offence and the first one, as code and line; and the win: side, line, the winning disc's
# column as written, and the cells of its lines as columns to the right of that disc and row.
_Offence = tuple[int, int] | None
_Win = tuple[int, int, str, list[tuple[int, int]]] | None
_Judged = tuple[int, int, _Offence, _Offence, _Win]

def judge(data: bytes) -> _Judged: ...
def judge_files(paths: list[bytes]) -> list[_Judged]: ...

THINKER_BITS: int

class Line:
    """What `Thinker.minimax` found; `value` is that of players/minimax.py."""

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
    """What `Thinker.think` found; a won or lost game (`result` 1 or -1) is decided by the `last_disc`-th disc."""

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

class Simulated:
    """What `Thinker.simulate` found; `mean` is the result for the side to move, from -1 to 1."""

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
    """What one of the levels without a clock sees; chances in thousandths. native/players/level.hpp says more."""

    @property
    def depth(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def careless(self) -> int: ...
    @property
    def straight(self) -> int: ...
    @property
    def slanting(self) -> int: ...
    @property
    def misjudgement(self) -> int: ...
    @property
    def looks_on(self) -> bool: ...
    @property
    def parity(self) -> bool: ...
    def as_dict(self) -> dict[str, Any]: ...

LEVELS: tuple[Level, ...]  # 1 to 9

class Thinker:
    """The players' searches on one board of up to THINKER_BITS bits; the bits are those of Solver.

    Columns in `closed` take no disc. A column of -1 says that no disc fits. 0 is no limit. One call at a time.
    """

    def __init__(
        self, width: int, height: int, run: int, closed: Sequence[int] = ..., table_bytes: int = 16777216
    ) -> None: ...
    def evaluate(self, own: int, all: int, evaluation: str) -> int: ...
    def minimax(
        self, own: int, all: int, depth: int, evaluation: str, stopped: Callable[[], bool] | None = None
    ) -> Line: ...
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
    ) -> Simulated: ...
    def forget(self) -> None: ...

class Choice:
    """The column that a player of the core chose, and what it thought; 0 for depth and nodes: it does not say."""

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
    """The players around the search, on any board of an open game; native/players/chooser.hpp says more.

    It keeps its tables between choices; a solver's of 0 bytes grows with the work. `stopped` is asked every few
    milliseconds. `play_perfect` needs a board that the solver supports. One call at a time.
    """

    def __init__(self, solver_table_bytes: int = 0, search_table_bytes: int = 33554432) -> None: ...
    def use_book(self, book: Book | None) -> None: ...
    def forget(self) -> None: ...
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
    """What each column is worth, as the message ScoresAnswer; no solver where none is for the board."""

VAST: int  # stands for any larger size of a board: no game gets so far
FAULT_OUTSIDE: int
FAULT_FULL: int

class Boards:
    """Many games; connectk.arrays.Boards says what they do.

    Arrays are made without a copy for whoever reads Python's buffers or DLPack. `which` is numbers of games or a mask.
    `drop` answers with the game, the column and the fault of the first disc that is refused.
    """

    def __init__(self, width: int, height: int, run: int, count: int, keep_moves: bool = False) -> None: ...
    def drop(self, columns: Any, which: Any = None, threads: int = 1) -> tuple[int, int, int] | None: ...
    def play_out(self, seed: int, threads: int = 1) -> None: ...
    def reset(self, which: Any = None) -> None: ...
    def select(self, which: Any) -> Boards: ...
    def copy(self) -> Boards: ...
    def legal(self, threads: int = 1) -> Any: ...
    def outcome(self) -> Any: ...
    def side_to_move(self) -> Any: ...
    def ply(self) -> Any: ...
    def random_columns(self, seed: int, threads: int = 1) -> Any: ...
    def new_planes(self, floats: bool) -> Any: ...
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
