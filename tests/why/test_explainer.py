"""Tests that explanations are true, for both players and on boards of all kinds."""

import threading

from hypothesis import given, settings
from hypothesis import strategies as st

from connectk import solve
from connectk.notation import parse_diagram, read_position
from connectk.rules import Position, Side, Variant
from connectk.why import Promise, check, explain
from connectk.why.explainer import explain_claim

BOARDS = [Variant(), Variant(6, 5, 4), Variant(5, 5, 3), Variant(8, 5, 5), Variant(5, 6, 4), Variant(9, 10, 4)]


@st.composite
def open_positions(draw: st.DrawFn) -> Position:
    """A late position of a game in which nobody completes a line."""
    variant = draw(st.sampled_from(BOARDS))
    position = Position(variant)
    for choice in draw(st.lists(st.integers(0, 99), min_size=variant.cells // 2, max_size=variant.cells - 2)):
        columns = [column for column in position.legal_columns if not position.wins(column)]
        if not columns:
            break
        position = position.drop(columns[choice % len(columns)])
    return position


@settings(max_examples=40, deadline=None)
@given(open_positions())
def test_explanations_agree_with_the_solver(position):
    """Explanations agree with the solver: the winner is right, only draws are claimed to be held, and the checker
    accepts them."""
    found = explain(position, seconds=3)
    explanation, result = found.explanation, solve(position, goal="result").result
    if explanation is None:
        return
    keeper_moves = explanation.claim.keeper is position.side_to_move
    if explanation.claim.promise is Promise.WINS:
        assert result == ("win" if keeper_moves else "loss")
    else:
        assert result == "draw"
    assert check(explanation) <= found.checked


def test_a_win_at_once_is_a_force_of_one_drop():
    position = parse_diagram("o o o . . . .\nx x x . . . .", side_to_move=Side.FIRST)
    explanation = explain(position).explanation
    assert explanation is not None
    assert explanation.kind == "force"
    assert explanation.pages[0].force == (3,)


def test_a_threat_over_an_odd_row_is_a_strategy():
    """A threat in an odd row is a strategy: the first player answers above each disc until the rival must drop beneath
    it."""
    found = explain(Position.from_moves("4444443265353"))
    assert found.explanation is not None
    assert (found.explanation.kind, found.explanation.claim.keeper) == ("strategy", Side.FIRST)
    assert found.explanation.claim.promise is Promise.WINS
    assert found.checked > 100


def test_the_side_can_be_chosen():
    """In a drawn position, the caller chooses the side whose draw is explained."""
    position = Position(Variant(4, 4, 4))
    for side in Side:
        explanation = explain(position, side=side).explanation
        assert explanation is not None
        assert (explanation.claim.keeper, explanation.claim.promise) == (side, Promise.HOLDS)


def test_without_a_short_explanation_there_is_a_line():
    """If there is no short explanation and no certified strategy, the result is a line of best play to the end."""
    position = Position.from_moves("4411225")
    found = explain(position, boards=1, seconds=1)
    assert found.explanation is None
    for column in found.line:
        assert position.outcome is None
        position = position.drop(column)
    assert position.outcome is not None


def test_a_finished_game_has_nothing_to_explain():
    found = explain(Position.from_moves("1122334"))
    assert found.explanation is None
    assert found.line == ()


def test_a_stop_ends_the_search():
    found = explain(Position(), stop=lambda: True)
    assert found.explanation is None


def test_a_stop_ends_the_check_too(monkeypatch):
    """If the check is stopped before its end, no explanation is shown."""
    monkeypatch.setattr("connectk.watch.PROGRESS_INTERVAL_SECONDS", 0.0)
    position, stages, stop = Position(Variant(4, 4, 4)), set(), threading.Event()
    found = explain(position, progress=lambda report: stages.add(report.stage))
    assert {"checking"} <= stages <= {"solving", "explaining", "checking"}
    assert len(found.explanation.pages) > 1

    def on_report(report):
        if report.stage == "checking":
            stop.set()

    assert explain_claim(position, found.explanation.claim, stop=stop, progress=on_report) is None
    assert stop.is_set()


def test_a_shorter_explanation_is_looked_for():
    """If the quick search finds an explanation with many boards, a second search finds a shorter one, here with one
    board."""
    for start in ("1xoxoo.2xox.3xoo.4oxxo.5oxoxxo.6oo.7xxoxx", "1xo.2xxxo.3xox.4oxoo.5o.6oxoxox.7xo"):
        found = explain(read_position(start)).explanation
        assert found is not None
        assert found.size == 1
