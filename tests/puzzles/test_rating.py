"""Tests Glicko-2 with the worked example of its author."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectk.glicko import Glicko, RatedGame, rate


def test_the_worked_example_of_the_paper():
    """A player of 1500 beats a player of 1400 and loses to 1550 and 1700. The result is 1464.06, with deviation 151.52
    and volatility 0.05999."""
    games = [RatedGame(Glicko(1400, 30), 1), RatedGame(Glicko(1550, 100), 0), RatedGame(Glicko(1700, 300), 0)]

    after = rate(Glicko(1500, 200, 0.06), games, tau=0.5)

    assert after.rating == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_the_deviation_grows_without_games():
    after = rate(Glicko(1500, 200, 0.06), [])

    assert after.rating == 1500
    assert after.deviation == pytest.approx(200.27, abs=0.01)


@given(st.floats(400, 2800), st.floats(30, 350), st.floats(400, 2800), st.floats(0.03, 0.2))
def test_success_lifts_and_failure_lowers(rating, deviation, opponent, volatility):
    """A success raises every rating and a failure lowers it. The deviation shrinks, apart from the effect of the
    volatility."""
    before = Glicko(rating, deviation, volatility)
    won, lost = (rate(before, [RatedGame(Glicko(opponent, 80), score)]) for score in (1, 0))

    assert lost.rating < before.rating < won.rating
    assert max(won.deviation, lost.deviation) < rate(before, []).deviation + 10
