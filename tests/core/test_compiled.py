"""The page's compiled core gives the same results as Python's core: rules, scores, node counts, drops and verdicts."""

from __future__ import annotations

import gzip
import json
import random
import subprocess
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from tools.make_core import PROGRAMS, fingerprint

from connectk import _native
from connectk.errors import ImpossiblePosition, UnsupportedVariant
from connectk.notation import SavedGame, parse_moves
from connectk.notation.start import parse_start
from connectk.players.levels import level_player
from connectk.players.player import Clock
from connectk.players.registry import cannot_play
from connectk.review import review_game
from connectk.review.game_json import game_to_json, threats_to_json
from connectk.review.report import to_json
from connectk.rules import Game, Position, Side, Variant
from connectk.solver.bitboards import bitboards_of
from connectk.solver.solver import require_supported
from tests.core.asking import NODE, PAGE, ask, asked, spoken

DATA = Path(__file__).parents[1] / "data"
MAX_BYTES = 160_000
TABLE_BYTES = 1 << 25  # of the page's solver
VARIANTS = [
    Variant(7, 6, 4),
    Variant(5, 4, 3),
    Variant(9, 7, 5),
    Variant(15, 15, 5),
    Variant(20, 20, 5),
    Variant(30, 30, 6),
    Variant(100, 100, 5),
    Variant(1, 4, 2),
]


def random_game(variant: Variant, seed: int, most: int = 60) -> Game:
    dice, game = random.Random(seed), Game(variant)
    while game.outcome is None and len(game.moves) < most:
        game.drop(dice.choice(game.position.legal_columns))
    return game


GAMES = [random_game(variant, seed) for variant in VARIANTS for seed in range(4)]
MANY_CELLS = 100  # on such boards the strongest levels think for a long time
FEWER_GAMES = [game for number, game in enumerate(GAMES) if number % 4 == 0 or game.variant.cells < MANY_CELLS]


LITTLE_MEMORY_SCRIPT = """
import { readFileSync } from "node:fs";
const { Memory } = WebAssembly;
const asked = [];
WebAssembly.Memory = function (how) {
  asked.push(how.maximum);
  if (how.maximum > 1024) throw new RangeError("no room");
  return new Memory(how);
};
const [, page] = process.argv;
const { startCore } = await import(`${page}/js/core/numbers.js`);
const core = await startCore(new WebAssembly.Module(readFileSync(`${page}/core/connectk.wasm`)));
const { lower, upper } = core.solve({ variant: { width: 6, height: 5, run: 4 }, discs: [], moves: [] }, 0);
console.log(JSON.stringify({ asked, lower, upper }));
"""


def test_where_much_memory_is_not_to_be_had_less_must_do() -> None:
    """If a small device refuses a large piece of shared memory, the page requests smaller ones."""
    command = [str(NODE), "--input-type=module", "--eval", LITTLE_MEMORY_SCRIPT, str(PAGE)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == {"asked": [8192, 4096, 2048, 1024], "lower": 0, "upper": 0}


def test_the_compiled_files_fit_their_sources() -> None:
    """The compiled files belong to the current sources. If this test fails, run `make core`."""
    assert json.loads((PAGE / "core/connectk.json").read_text()) == {
        program: fingerprint(program) for program in PROGRAMS
    }


def test_it_is_small() -> None:
    """The first compiled file is below a size limit. The second, for reviews and explanations, is well below twice its
    size."""
    first, second = (len(gzip.compress((PAGE / f"core/{name}.wasm").read_bytes(), 9)) for name in PROGRAMS)
    assert first < MAX_BYTES
    assert second < 1.75 * first


def test_it_plays_by_the_rules() -> None:
    """On boards of all sizes, the page's core gives the open columns, lines and results of the rules."""
    answers = ask(["game", asked(game.start, game.moves)] for game in GAMES)
    for game, answer in zip(GAMES, answers, strict=True):
        facts = json.loads(json.dumps(game_to_json(game)))
        assert answer["board"] == [game.start.letters(column) for column in range(game.variant.width)]
        assert answer["positions"] == facts["positions"]


def test_it_sees_the_same_threats() -> None:
    positions = [game.positions[len(game.moves) * part // 4] for game in GAMES for part in (2, 3)]
    open_ones = [position for position in positions if position.outcome is None and position.variant.width < 100]
    answers = ask(["threats", asked(position)] for position in open_ones)
    for position, threats in zip(open_ones, answers, strict=True):
        expected = json.loads(json.dumps(threats_to_json(position)))
        order = lambda threat: (not threat["now"], threat["side"], threat["column"], threat["row"])  # noqa: E731
        assert sorted(threats, key=order) == sorted(expected, key=order)
        assert [threat["now"] for threat in threats] == sorted((threat["now"] for threat in threats), reverse=True)


@pytest.mark.parametrize(
    ("start", "rule"),
    [
        ([(0, 1, 0)], "FloatingDisc"),
        ([(0, 0, 0), (1, 0, 0)], "WrongDiscCount"),
        ([(9, 0, 0)], "ColumnOutOfRange"),
        ([(0, row, row % 2) for row in range(7)], "TooManyDiscs"),
        ([(c, 0, 0) for c in range(4)] + [(c, 1, 1) for c in range(4)], "BothSidesWon"),
        ([(c, 0, 0) for c in range(4)] + [(c, 1, 1) for c in range(3)] + [(5, 0, 1)], "PlayedAfterWin"),
    ],
)
def test_it_refuses_the_same_boards(start: list[tuple[int, int, int]], rule: str) -> None:
    columns: dict[int, list[Side | None]] = {}
    for column, row, side in start:
        cells = columns.setdefault(column, [])
        cells.extend([None] * (row + 1 - len(cells)))
        cells[row] = Side(side)
    with pytest.raises((ImpossiblePosition, Exception)) as refused:
        Position.from_columns(columns)
    [answer] = ask([["moment", {**asked(Position()), "discs": start}]])

    assert type(refused.value).__name__ == rule == answer["broken"]["rule"]


def test_what_needs_the_solver_is_refused_where_there_is_none() -> None:
    """Boards beyond 128 bits have no solver. The page's core refuses them with the same sentence as Python, and never
    calls an estimate perfect play."""
    variant = Variant(30, 30, 6)
    position = asked(Position.start(variant))
    questions = [["choose", position, "perfect", 100, [0, 0]], ["solve", position, 1000], ["why", position, None]]
    answers = [answer["broken"] for answer in ask(questions)]
    words = ask([spoken("en", "later"), *(["brokenRuleText", broken] for broken in answers)])[1:]
    with pytest.raises(UnsupportedVariant) as refused:
        require_supported(variant)

    assert [broken["rule"].removeprefix("UnsupportedVariant.") for broken in answers] == ["perfect", "solver", "solver"]
    assert words == [str(cannot_play("perfect", variant)), str(refused.value), str(refused.value)]


def test_a_board_that_is_set_up_goes_on_as_it_would() -> None:
    start = parse_start("4xoxo.5xx.3oo")
    game = Game(start, parse_moves("4453"))
    [answer] = ask([["game", asked(start, game.moves)]])
    assert answer["positions"] == json.loads(json.dumps(game_to_json(game)))["positions"]


@pytest.mark.parametrize(
    "games", [FEWER_GAMES, pytest.param(GAMES, marks=pytest.mark.deep)], ids=["one of each large board", "all"]
)
def test_levels_play_the_same_drops_with_the_same_seed(games: list[Game]) -> None:
    """With the same seed, a level plays the same drops on the page and in Python, on small and on large boards."""
    questions, expected = [], []
    for game in games:
        position = game.positions[len(game.moves) // 2]
        for level in range(1, 10) if position.outcome is None else ():
            seed = 977 * level
            questions.append(["choose", asked(game.start, game.moves[: position.ply]), f"level:{level}", 0, [seed, 0]])
            expected.append(level_player(level, seed).choose(position, Clock()).column)

    assert {question[2] for question in questions} == {f"level:{level}" for level in range(1, 10)}
    assert [answer["column"] for answer in ask(questions)] == expected


def test_the_time_of_a_search_counts_from_the_question() -> None:
    """The page's core counts the time of a search from the question. A question that arrives late still gets a short
    search."""
    at_once, late, later = ask([["timeLeft", 500, 0], ["timeLeft", 500, 200], ["timeLeft", 500, 900]])
    assert 0 < later < late < at_once < 500
    assert at_once - late == 200


def positions_of(name: str, most: int) -> list[Position]:
    variant = Variant.parse(name)
    lines = (DATA / f"solver/{name}.txt").read_text().splitlines()
    chosen = lines[:: max(1, len(lines) // most)]
    return [Position.from_moves(line.split()[0] if line.split()[1:] else "", variant) for line in chosen]


def check_scores(names: list[str], most: int, nodes: int) -> None:
    for name in names:
        positions = positions_of(name, most)
        answers = ask(["solve", asked(position), nodes] for position in positions)
        for position, answer in zip(positions, answers, strict=True):
            variant = position.variant
            solver = _native.Solver(variant.width, variant.height, variant.run, TABLE_BYTES)
            found = solver.solve(*bitboards_of(position), max_nodes=nodes)
            assert answer == {"lower": found.lower, "upper": found.upper, "nodes": found.nodes, "threads": 1}, position


def test_it_finds_the_same_scores_with_as_many_nodes() -> None:
    check_scores(["5x5x4", "8x3x3", "7x6x4"], most=4, nodes=100_000)


@pytest.mark.deep
def test_it_finds_the_same_scores_on_every_set() -> None:
    check_scores(sorted(file.stem for file in (DATA / "solver").glob("*.txt")), most=60, nodes=1_000_000)


def test_it_judges_files_as_the_referee_does() -> None:
    codes = json.loads((DATA / "referee/codes.json").read_text())
    files = sorted((DATA / "referee").glob("*.txt"))
    answers = ask(["judge", b64encode(file.read_bytes()).decode()] for file in files)
    for file, answer in zip(files, answers, strict=True):
        verdict = _native.judge(file.read_bytes())
        assert answer["code"] == verdict[0], file.name
        assert file.name not in codes or answer["code"] == codes[file.name], file.name


REVIEWED_GAMES = [("7x6x4", "", "44444326555"), ("5x4x3", "", "33241"), ("5x5x4", "", "3333344421"),
            ("7x6x4", "4xo.5x.3o", "445322"), ("4x5x4", "", "12344321")]  # fmt: skip
LOCALIZED_KEYS = {"before_words", "after_words", "reason"}
# Several lines may be equally long and good. The table decides which of them is found.
LINE_KEYS = ["better_line", "better_cells", "refutation", "refutation_cells"]


def test_it_reviews_a_game_as_python_does() -> None:
    """The page's core reviews a game with the same results as Python. Both use the opening book."""
    variants = [(Variant.parse(name), start, moves) for name, start, moves in REVIEWED_GAMES]
    games = [Game(parse_start(start, variant), parse_moves(moves, variant)) for variant, start, moves in variants]
    questions = [["review", asked(game.start, game.moves), 1, 60_000] for game in games]
    answers = ask([["book", str(connectk_book())], *questions])[1:]
    for game, answer in zip(games, rounded(answers), strict=True):
        expected = rounded(to_json(SavedGame(game), review_game(game, given=1, seconds=60)))
        for move_answer, move in zip(answer.pop("moves"), expected.pop("moves"), strict=True):
            alike = move.keys() - LOCALIZED_KEYS - set(LINE_KEYS)
            assert {key: move_answer[key] for key in alike} == {key: move[key] for key in alike}
            assert [len(move_answer[key]) for key in LINE_KEYS] == [len(move[key]) for key in LINE_KEYS]
        assert answer | {"variant": str(game.variant), "players": {}} == expected


def rounded(facts: Any) -> Any:
    return json.loads(json.dumps(facts), parse_float=lambda text: round(float(text), 4))


def test_a_book_that_comes_takes_nothing_away() -> None:
    """After the book is loaded, the page's core keeps its earlier results, so the same positions need almost no
    search."""
    beyond_the_book = [position for position in positions_of("7x6x4", 200) if 14 <= position.ply <= 16][:3]
    questions = [["choose", asked(position), "perfect", 0, [0, 0]] for position in beyond_the_book]
    answers = ask([*questions, ["book", str(connectk_book())], *questions])
    before, after = (sum(one["thought"]["nodes"] or 0 for one in half) for half in (answers[:3], answers[4:]))
    assert before > 10_000 > after


def connectk_book() -> Path:
    import connectk.solver.book

    return Path(connectk.solver.book.__file__).parent / "7x6x4.book"
