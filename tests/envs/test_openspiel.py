"""connectk's players work as OpenSpiel bots, and OpenSpiel bots work as players, on boards of several sizes."""

import random

import pytest

from connectk import solve
from connectk.envs.openspiel import (
    as_bot,
    as_player,
    openspiel_game,
    position_from_state,
    solver_policy,
    variant_of_game,
)
from connectk.players import Clock, load_player
from connectk.rules import Position, Variant

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not part of the dev extra: pip install open_spiel")
VARIANTS = ["7x6x4", "5x4x3", "9x7x5"]


def uniform(game: object, side: int) -> object:
    return pyspiel.make_uniform_random_bot(side, 1)


@pytest.mark.parametrize("size", VARIANTS)
def test_states_are_positions(size: str):
    """connectk has the same positions as a random OpenSpiel game, to its end."""
    variant, rng = Variant.parse(size), random.Random(1)
    state = openspiel_game(variant).new_initial_state()
    assert variant_of_game(state.get_game()) == variant
    while not state.is_terminal():
        assert list(position_from_state(state).legal_columns) == state.legal_actions()
        state.apply_action(rng.choice(state.legal_actions()))
    outcome = position_from_state(state).outcome
    assert outcome is not None
    winner = {1.0: 0, -1.0: 1, 0.0: None}[state.returns()[0]]
    assert (None if outcome.winner is None else outcome.winner.value) == winner


@pytest.mark.parametrize("size", VARIANTS)
def test_players_play_where_openspiel_evaluates_bots(size: str):
    game = openspiel_game(Variant.parse(size))
    bots = [as_bot("greedy"), pyspiel.make_uniform_random_bot(1, 5)]
    results = [pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)[0] for seed in range(10)]
    assert sum(results) >= 6


@pytest.mark.parametrize("size", VARIANTS)
def test_openspiel_bots_play_as_players(size: str):
    variant = Variant.parse(size)
    player, position = as_player(uniform, name="uniform"), Position.start(variant)
    for _ in range(2):
        position = Position.start(variant)
        player.new_game(1)
        while position.outcome is None:
            column = player.choose(position, Clock()).column
            assert position.can_drop(column)
            position = position.drop(column)
    assert player.name == "uniform"
    player.close()


def test_bots_of_openspiel_meet_ours_in_the_arena(tmp_path):
    bot = tmp_path / "spiel.py"
    bot.write_text(
        "import pyspiel\n"
        "from connectk.envs.openspiel import chooser\n"
        "choose = chooser(lambda game, side: pyspiel.make_uniform_random_bot(side, 1))\n"
    )
    player = load_player(str(bot))
    try:
        assert Position.start().can_drop(player.choose(Position.start(), Clock(20)).column)
    finally:
        player.close()


@pytest.mark.parametrize("size", ["7x6x4", "5x4x3"])
def test_the_solver_is_a_policy(size: str):
    """The policy chooses among the solver's best columns. Its value equals the result of a game that it plays against
    itself."""
    from open_spiel.python import policy as policies

    variant, rng = Variant.parse(size), random.Random(1)
    game = openspiel_game(variant)
    perfect = solver_policy(game)
    assert isinstance(perfect, policies.Policy)
    state = game.new_initial_state()
    value = perfect.value(state)
    while not state.is_terminal():
        probabilities = perfect.action_probabilities(state)
        assert sum(probabilities.values()) == pytest.approx(1)
        assert tuple(probabilities) == solve(position_from_state(state)).best_columns
        state.apply_action(rng.choice(list(probabilities)))
    assert state.returns()[0] == value
