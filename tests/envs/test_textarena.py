"""Agents that answer in words play in TextArena like in its own games, with rewards by exact regret."""

from statistics import fmean
from typing import Any

import pytest

from connectk.arrays import Boards
from connectk.rules import Position
from connectk.solver import score_columns

ta = pytest.importorskip("textarena", reason="TextArena is not part of the dev extra")
from connectk.envs.textarena import PlayerAgent, TextArenaEnv  # noqa: E402  # needs TextArena


def played(env: Any, answers: list[str]) -> list[dict[str, Any]]:
    infos = []
    for answer in answers:
        env.get_observation()
        done, info = env.step(answer)
        infos.append(info)
        if done:
            break
    return infos


@pytest.mark.parametrize("name", ["ConnectK-v0", "ConnectK-v0-train", "ConnectK-v0-raw"])
def test_a_game_is_played_by_the_rules_and_paid_by_regret(name: str):
    env = ta.make(name, variant="7x6x4", reward_by="score")
    env.reset(num_players=2, seed=1)
    columns = [3, 2, 3, 2, 3, 2, 3]
    infos = played(env, [f"I think [col {column}] is good" for column in columns])
    rewards, game_info = env.close()

    expected: tuple[list[float], list[float]] = ([], [])
    for ply, (column, info) in enumerate(zip(columns, infos, strict=True)):
        scores = score_columns(Boards.from_moves([columns[:ply]])[0])
        best = max(score for score in scores if score is not None)
        assert (info["column"], info["score_regret"]) == (column, best - (scores[column] or 0))
        expected[ply % 2].append(-info["score_regret"] / 36)
    assert rewards == {player: pytest.approx(fmean(expected[player])) for player in (0, 1)}
    assert game_info[0]["reason"] == "Player 0 has 4 discs in a row."


def test_perfect_players_lose_nothing_whoever_wins():
    env = ta.make("ConnectK-v0", variant="5x4x4")
    env.reset(num_players=2)
    agent, done = PlayerAgent(env, "perfect"), False
    while not done:
        player, seen = env.get_observation()
        assert f"You are Player {player}" in seen
        done, _ = env.step(agent(seen))
    assert env.close()[0] == {0: 0.0, 1: 0.0}
    assert env.position.outcome is not None


@pytest.mark.parametrize("answer", ["column three", "[col 9]", "[-1]", "", "[col 1]"])
def test_an_answer_that_cannot_be_played_is_asked_for_once_more(answer: str):
    """After an illegal answer, the agent may answer once more. A second one ends the game. Each gets the lowest
    reward."""
    env = ta.make("ConnectK-v0-raw", variant="4x2x3")
    env.reset(num_players=2)
    played(env, ["[1]", "[col 1]"])
    before = env.position
    infos = played(env, [answer, "[col 2]", "[col 0]"])
    assert [info["column"] for info in infos] == [None, 2, 0]
    assert infos[0]["reward"] == -1
    assert env.position.ply == before.ply + 2

    infos = played(env, [answer, answer])
    rewards, game_info = env.close()
    assert len(infos) == 2
    assert game_info[0]["invalid_move"]
    assert rewards[0] <= -3 / 5
    assert rewards[1] == fmean(0.0 - choice.result_regret / 2 for choice in env.choices[1])


def test_a_full_board_is_a_draw():
    env = TextArenaEnv("2x1x2")
    env.reset()
    assert [info["column"] for info in played(env, ["[0]", "[1]"])] == [0, 1]
    assert env.close()[1][0]["reason"] == "The board is full."


def test_the_board_shows_wide_columns_above_their_numbers():
    env = TextArenaEnv("12x2x4")
    env.reset()
    played(env, ["[10]"])
    assert env.get_board_str() == "\n".join(
        [" ".join([" ."] * 12), " ".join([" ."] * 10 + [" X", " ."]), " ".join(f"{column:2}" for column in range(12))]
    )
    assert env.position == Position.start(env.variant).drop(10)
