"""The environment of one agent passes Gymnasium's own checks and follows the rules, for one game and for many at
once."""

import subprocess
import sys
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from connectk.arrays import Boards
from connectk.envs.gymnasium import ConnectKEnv, ConnectKVectorEnv
from connectk.errors import UnknownPlayer
from connectk.rules import Position, Side

NAME = "connectk.envs.gymnasium:connectk/ConnectK-v0"


@pytest.mark.parametrize(("variant", "opponent"), [("7x6x4", "level:1"), ("4x4x3", "greedy"), ("9x7x5", "random")])
def test_gymnasium_checks_pass(variant: str, opponent: str):
    env = gymnasium.make(NAME, variant=variant, opponent=opponent).unwrapped
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env, skip_render_check=True)
    env.close()


def test_the_environment_is_found_without_importing_us():
    program = f"import gymnasium; print(gymnasium.make({NAME!r}, opponent='random').reset(seed=1)[0].shape)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == "(2, 6, 7)\n", done.stderr


@pytest.mark.parametrize("mode", ["ansi", "rgb_array", "human"])
def test_the_board_can_be_seen(mode: str, capsys: pytest.CaptureFixture[str]):
    env = ConnectKEnv(opponent="random", first="agent", render_mode=mode)
    env.reset(seed=1)
    shown = env.render()
    if mode == "rgb_array":
        assert (shown.ndim, shown.shape[2], shown.dtype) == (3, 3, np.uint8)
    elif mode == "ansi":
        assert shown == str(Position.start())
    else:
        assert capsys.readouterr().out == f"{Position.start()}\n" * 2


@pytest.mark.parametrize(("first", "discs"), [("agent", 0), ("opponent", 1)])
def test_the_first_player_can_be_chosen(first: str, discs: int):
    env = ConnectKEnv(opponent="greedy", first=first)
    seen, info = env.reset(seed=1)
    assert seen[1].sum() == discs
    assert info["action_mask"].tolist() == [1] * 7
    many = ConnectKVectorEnv(5, opponent="greedy", first=first)
    assert many.reset(seed=1)[0][:, 1].sum() == 5 * discs
    with pytest.raises(ValueError, match="first is"):
        ConnectKEnv(first="me")


def test_either_may_begin_by_lot():
    env, many = ConnectKEnv(opponent="random"), ConnectKVectorEnv(40, opponent="random")
    assert {int(env.reset(seed=seed)[0].sum()) for seed in range(20)} == {0, 1}
    assert set(many.reset(seed=1)[0].sum(axis=(1, 2, 3)).tolist()) == {0, 1}


def test_the_same_seed_plays_the_same_game():
    def game(seed: int) -> list[object]:
        env = ConnectKEnv(opponent="level:2")
        seen, _ = env.reset(seed=seed)
        observed: list[object] = [seen.tolist()]
        for column in (3, 2, 4, 1):
            seen, reward, over, _, _ = env.step(column)
            observed += [seen.tolist(), reward, over]
            if over:
                break
        return observed

    assert game(7) == game(7)
    assert [game(7) == game(seed) for seed in (8, 9, 10)] != [True, True, True]


def test_winning_losing_and_what_is_illegal():
    """Against `greedy`, which blocks visible threats, the agent can win and lose. It loses at once by dropping into a
    full column."""
    env = ConnectKEnv("4x4x2", opponent="random", first="agent")
    env.reset(seed=1)
    env.step(0)
    seen, reward, over, cut, _ = env.step(int(np.argmax([env.position.wins(c) for c in range(4)])))
    assert (reward, over, cut) == (1.0, True, False)
    assert seen[0].sum() == 2  # the agent's own discs come first at the end as well

    env = ConnectKEnv("7x6x4", opponent="greedy", first="opponent")
    env.reset(seed=1)
    for column in (0, 0, 0, 1, 1):
        _, reward, over, _, _ = env.step(column)
        if over:
            break
    assert (reward, over) == (-1.0, True)

    env = ConnectKEnv("3x1x3", opponent="greedy", first="agent")
    env.reset(seed=1)
    env.step(0)
    _, reward, over, _, info = env.step(0)
    assert (reward, over, info["illegal"]) == (-1.0, True, True)


def test_a_draw_has_reward_zero():
    env = ConnectKEnv("2x1x2", opponent="greedy", first="agent")
    env.reset(seed=1)
    assert env.step(0)[1:3] == (0.0, True)


def replayed(variant: str, seed: int, steps: int = 60) -> None:
    """Replay thirty simultaneous games step by step, and check each step by the rules."""
    many = ConnectKVectorEnv(30, variant=variant, opponent="random")
    seen, info = many.reset(seed=seed)
    assert many.observation_space.contains(seen)
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        before = [(position, Side(int(side))) for position, side in zip(many.boards, many._sides, strict=True)]
        actions = rng.integers(many.variant.width, size=30)
        seen, rewards, over, cut, info = many.step(actions)
        assert not cut.any()
        final = info.get("final_obs", np.zeros_like(seen))
        for game, (position, side) in enumerate(before):
            check_step(position, side, int(actions[game]), float(rewards[game]), bool(over[game]), final[game])
        assert np.array_equal(info["action_mask"], many.boards.legal)
        assert (seen.sum(axis=(1, 2, 3)) % 2 == many._sides).all()


def check_step(position: Position, side: Side, column: int, reward: float, over: bool, final: np.ndarray) -> None:
    assert position.side_to_move is side
    if not position.can_drop(column):
        assert (reward, over) == (-1.0, True)
        return
    after = position.drop(column)
    if after.outcome is not None:
        won = after.outcome.winner is side
        assert (reward, over) == (1.0 if won else 0.0, True)
        assert final[0].sum() == sum(owner is side for _, owner in after.discs())
        return
    answers = [after.drop(answer).outcome for answer in after.legal_columns]
    if over:
        assert any(answer is not None and (reward == -1.0) == (answer.winner is side.other) for answer in answers)
    else:
        assert reward == 0.0
        assert None in answers


@pytest.mark.parametrize("variant", ["7x6x4", "4x4x3", "9x7x5", "3x2x2"])
def test_many_games_follow_the_rules(variant: str):
    replayed(variant, seed=1)


def test_many_games_are_made_by_gymnasium_and_say_when_they_begin_again():
    env = gymnasium.make_vec(NAME, num_envs=3, vectorization_mode="vector_entry_point", opponent="random")
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    env.reset(seed=3)
    first = [env.step(np.array([0, 1, 2]))[0].tolist() for _ in range(8)]
    env.reset(seed=3)
    assert first == [env.step(np.array([0, 1, 2]))[0].tolist() for _ in range(8)]
    env.close()


def test_an_opponent_may_be_a_function_of_yours():
    leftmost = ConnectKVectorEnv(4, opponent=lambda boards, seed: boards.legal.argmax(axis=1), first="opponent")
    seen, _ = leftmost.reset(seed=1)
    assert seen[:, 1, 0, 0].tolist() == [1, 1, 1, 1]


def test_an_unknown_opponent_is_refused():
    with pytest.raises(UnknownPlayer):
        ConnectKVectorEnv(2, opponent="nobody")


def test_a_player_answers_every_board_and_goes_with_the_environment():
    """With the same seed, an opponent plays the same game. With another seed, a level plays another game. Closing the
    environment closes the opponent."""

    def answers(seed: int) -> list[object]:
        env = ConnectKVectorEnv(12, opponent="level:1", first="opponent")
        observed = [env.reset(seed=seed)[0].tolist(), env.step(np.full(12, 3))[0].tolist()]
        env.close()
        return observed

    assert answers(1) == answers(1)
    assert any(answers(1) != answers(seed) for seed in (2, 3, 4))

    closed = []

    class Leftmost:
        def __call__(self, boards: Boards, seed: int) -> object:
            return boards.legal.argmax(axis=1)

        def close(self) -> None:
            closed.append(True)

    ConnectKVectorEnv(2, opponent=Leftmost()).close()
    assert closed == [True]
