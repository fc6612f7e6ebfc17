"""connectk's players can act as Kaggle agents, which get the board in Kaggle's form."""

from hypothesis import given

from connectk.envs.kaggle import agent, position_from_observation
from connectk.players import Clock, load_player
from connectk.players.bothost import configuration, observation
from connectk.rules import Position
from tests.strategies import positions


@given(positions())
def test_what_kaggle_shows_is_the_position(position: Position):
    """An observation that `bothost` writes for Kaggle agents can be converted back to the same position."""
    assert position_from_observation(observation(position), configuration(position, 1.0)) == position


def test_the_agent_plays_as_its_player():
    position = Position.from_moves("4455")
    chosen = agent("perfect")(observation(position), configuration(position, 1.0))
    assert chosen == load_player("perfect").choose(position, Clock()).column


def test_a_plain_dictionary_will_do():
    shown = {"board": [0] * 42, "mark": 1, "step": 0}
    assert agent("perfect")(shown, {"columns": 7, "rows": 6, "inarow": 4}) == 3
