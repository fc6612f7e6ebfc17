"""Compares the core's evaluations and searches with their definitions in Python, on boards of up to every word size."""

from __future__ import annotations

import random
import signal
import threading
import time
from itertools import count

import pytest

from connectk import _native
from connectk.players import Clock, load_player
from connectk.players.evaluations import NAMED_EVALUATIONS
from connectk.players.minimax import search
from connectk.players.minimax_player import ConnectRules
from connectk.rules import Position, Side, Variant
from connectk.solver import score_columns
from tests.players.positions import random_position

# One word, two, four, six, eight, twelve and sixteen; flat, narrow and with the shortest runs.
BOARDS = [
    "7x6x4",
    "8x8x4",
    "9x7x5",
    "12x12x5",
    "17x17x5",
    "20x20x5",
    "24x24x5",
    "31x32x5",
    "13x2x3",
    "2x13x3",
    "1x8x3",
    "8x1x3",
    "5x4x2",
    "3x3x3",
    "1x63x4",
]


def core_bits(position: Position) -> tuple[int, int]:
    """The bits of the side to move and the bits of both sides, for a board of any size."""
    sides = dict.fromkeys(Side, 0)
    for cell, side in position.discs():
        sides[side] |= 1 << cell.column * (position.variant.height + 1) + cell.row
    return sides[position.side_to_move], sum(sides.values())


def thinker_for(variant: Variant) -> _native.Thinker:
    return _native.Thinker(variant.width, variant.height, variant.run)


@pytest.mark.parametrize("board", BOARDS)
def test_the_core_evaluates_as_defined(board: str):
    """For each named evaluation, the core returns the number that its definition gives."""
    variant, source = Variant.parse(board), random.Random(board)
    thinker = thinker_for(variant)
    for _ in range(15):
        position = random_position(variant, source)
        own, everyone = core_bits(position)
        for name, evaluate in NAMED_EVALUATIONS.items():
            assert thinker.evaluate(own, everyone, name) == evaluate(position, position.side_to_move)


@pytest.mark.parametrize("board", ["7x6x4", "9x7x5", "12x12x5", "5x4x3", "3x3x3", "4x5x2"])
def test_the_core_searches_as_the_search_for_any_game(board: str):
    """The core's search and the plain search for any game have the same value, line and number of nodes at every
    depth."""
    variant, source = Variant.parse(board), random.Random(board)
    thinker = thinker_for(variant)
    for depth in (1, 2, 3) if variant.cells < 50 else (1, 2):
        position = random_position(variant, source)
        own, everyone = core_bits(position)
        for name, evaluate in NAMED_EVALUATIONS.items():
            expected = search(ConnectRules(), position, depth, lambda p, e=evaluate: e(p, p.side_to_move))
            found = thinker.minimax(own, everyone, depth, name)
            assert (found.value, tuple(found.columns), found.nodes) == (expected.value, expected.line, expected.nodes)


@pytest.mark.parametrize("board", ["4x4x3", "5x4x4", "4x5x3", "6x3x3", "5x5x4"])
def test_what_the_search_proves_is_true(board: str):
    """A search without limits finds the solver's result and a column that keeps it."""
    variant, source = Variant.parse(board), random.Random(board)
    thinker = thinker_for(variant)
    for _ in range(10):
        position = random_position(variant, source)
        own, everyone = core_bits(position)
        decision = thinker.think(own, everyone)
        scores = score_columns(position, goal="result")
        best = max(score for score in scores if score is not None)
        assert decision.proven
        assert decision.result == best
        assert scores[decision.column] == best


def test_nodes_run_out_exactly():
    """The search stops at exactly the given number of nodes."""
    own, everyone = core_bits(Position.start(Variant(9, 9, 5)))
    for nodes in (1, 2, 127, 128, 129, 1000, 1025):
        assert thinker_for(Variant(9, 9, 5)).think(own, everyone, nodes=nodes).nodes == nodes


@pytest.mark.parametrize("ask", ["think", "minimax", "simulate", "play"])
def test_every_search_can_be_stopped(ask: str):
    """An endless search ends when `stop` is set, and an exception raised by `stop` passes through it."""
    own, everyone = core_bits(Position.start(Variant(20, 20, 5)))
    thinker = thinker_for(Variant(20, 20, 5))
    endless = {
        "think": lambda stopped: thinker.think(own, everyone, stopped=stopped),
        "minimax": lambda stopped: thinker.minimax(own, everyone, 60, "combined", stopped),
        "simulate": lambda stopped: thinker.simulate(own, everyone, 1 << 60, stopped=stopped),
        "play": lambda stopped: [thinker.play(own, everyone, _native.LEVELS[8], n, stopped) for n in count()],
    }[ask]
    asked = []

    def stopped() -> bool:
        asked.append(True)
        if len(asked) == 4 and ask != "play":
            return True
        if len(asked) == 4:
            raise RuntimeError("no more")
        return False

    if ask == "play":
        with pytest.raises(RuntimeError, match="no more"):
            endless(stopped)
    else:
        endless(stopped)
    assert len(asked) == 4


def test_several_threads_prove_the_same():
    """Several threads with one shared table get the same result as one thread."""
    variant, source = Variant(5, 4, 4), random.Random(3)
    for _ in range(3):
        position = random_position(variant, source)
        own, everyone = core_bits(position)
        results = {thinker_for(variant).think(own, everyone, threads=n).result for n in (1, 2, 4)}
        assert len(results) == 1


def test_the_engine_is_perfect_on_the_classic_board():
    """The engine's first twelve moves are all best moves, and it reports proven scores."""
    engine = load_player("engine:60s")
    position = Position.start()
    for _ in range(12):
        choice = engine.choose(position, Clock())
        scores = score_columns(position)
        assert choice.thought.proven
        assert scores[choice.column] == choice.thought.score == max(s for s in scores if s is not None)
        position = position.drop(choice.column)


# A busy machine keeps a process waiting, but does not make it work longer: these count the work.
@pytest.mark.parametrize("board", ["8x8x4", "12x12x5", "40x40x5", "1000000x1000000x4"])
def test_the_engine_answers_in_time(board: str):
    """With 100 ms, the engine works for at most 150 ms. The slowest answers are left out, because the machine may be
    the cause."""
    engine, position = load_player("engine:100ms"), Position.start(Variant.parse(board))
    worked = []
    for _ in range(4):
        started = time.process_time()
        choice = engine.choose(position, Clock())
        worked.append(time.process_time() - started)
        position = position.drop(choice.column)
    assert sorted(worked)[1] < 0.15


def test_the_clock_overrules_a_longer_time():
    """`engine:10s` gets only 50 ms if its clock has 50 ms."""
    started = time.process_time()
    load_player("engine:10s").choose(Position.start(Variant(9, 9, 5)), Clock(0.05))
    assert time.process_time() - started < 1.0


def test_a_clock_takes_whatever_says_stop():
    """The stop of a clock can be an event, a flag or a function. Code that has the clock can set the stop."""
    event, flag, said = threading.Event(), _native.StopFlag(), []
    clocks = [Clock(stop=event), Clock(60, flag), Clock(60, lambda: bool(said))]
    assert clocks[0].stop is event
    assert not any(clock.is_up for clock in clocks)
    event.set()
    flag.set()
    said.append(True)
    assert all(clock.is_up for clock in clocks)
    mine = Clock(stop=lambda: False)
    mine.stop.set()
    assert mine.is_up


@pytest.mark.parametrize("name", ["engine:60s", "minimax:30", "mcts:10000000", "perfect"])
def test_a_player_can_be_stopped(name: str):
    """When another thread sets the clock's stop, the player soon returns a legal column."""
    clock, position = Clock(), Position.start(Variant(10, 10, 5))
    threading.Timer(0.1, clock.stop.set).start()
    started = time.process_time()
    choice = load_player(name).choose(position, clock)
    assert time.process_time() - started < 2.0
    assert position.can_drop(choice.column)


@pytest.mark.parametrize("name", ["engine:50ms", "mcts:200", "minimax:2", "level:9"])
def test_beyond_the_numbers_of_the_core_a_player_does_what_is_urgent(name: str):
    """On a board of ten thousand million columns, a player still takes a win."""
    position = Position.from_moves([5, 0, 6, 1, 7, 2], Variant(10**10, 10**10, 4))
    assert load_player(name).choose(position, Clock()).column in (4, 8)


@pytest.mark.parametrize("name", ["perfect", "engine:60s"])
def test_ctrl_c_ends_a_choice(name: str):
    """Ctrl-C ends a choice at once with a KeyboardInterrupt, even inside the core's solver."""
    timer = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        load_player(name).choose(Position.from_moves("1", Variant(9, 8, 4)), Clock())
    timer.join()


@pytest.mark.parametrize("name", ["engine:50ms", "mcts:200", "minimax:2", "level:9"])
def test_a_win_far_from_the_last_disc_is_seen(name: str):
    """On a vast board the core searches only a part around the last disc, but the engine also takes a win outside
    it."""
    moves = [5, 900_000, 6, 900_001, 7, 900_100]
    position = Position.from_moves(moves, Variant(1_000_000, 1_000_000, 4))
    assert load_player(name).choose(position, Clock()).column in (4, 8)


def test_columns_below_the_window_stay_closed():
    """The answer is a legal column even if the search sees only a part high above empty columns, beside a tower of 300
    discs."""
    position = Position.from_moves([3] * 300, Variant(40, 1000, 5))
    choice = load_player("engine:30ms").choose(position, Clock())
    assert position.can_drop(choice.column)


def test_the_engine_reports_its_thought():
    """While nothing is proven, the engine reports a score between -1 and 1, a legal line, a depth and a number of
    nodes."""
    position = Position.start(Variant(9, 9, 5))
    thought = load_player("engine:50ms").choose(position, Clock()).thought
    assert thought.score is not None
    assert -1 <= thought.score <= 1
    assert not thought.proven
    assert thought.depth
    assert thought.nodes
    Position.from_moves(thought.line, position.variant)


def test_simulations_find_a_forced_win():
    """Monte Carlo search finds the win of three discs in a row with two open ends."""
    choice = load_player("mcts:500", seed=1).choose(Position.from_moves("334455"), Clock())
    assert choice.column in (1, 5)
    assert choice.thought.score == pytest.approx(1)


def test_the_same_seed_simulates_the_same():
    """`mcts` with the same seed chooses the same columns."""
    position = Position.start()
    thoughts = {load_player("mcts:300", seed=7).choose(position, Clock()).thought for _ in range(2)}
    assert len(thoughts) == 1
