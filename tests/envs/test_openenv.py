"""The game as an OpenEnv environment, alone and with OpenEnv's own server and client."""

import threading
from collections.abc import Iterator

import pytest

from connectk.errors import GameAlreadyOver, UnsupportedVariant
from connectk.notation.start import parse_start
from connectk.rules import Variant
from connectk.solver import score_columns

core = pytest.importorskip("openenv.core", reason="OpenEnv is not part of the dev extra")
from connectk.envs.openenv import AnswerAction, ConnectKEnvironment, create_server  # noqa: E402  # needs OpenEnv


def test_each_answer_is_paid_by_its_exact_regret():
    env = ConnectKEnvironment("5x4x4", opponent="greedy", first="agent", reward_by="score")
    seen = env.reset(seed=1)
    assert (seen.reward, seen.done, seen.legal_columns) == (None, False, [0, 1, 2, 3, 4])
    while not seen.done:
        position = parse_start(env.state.position, Variant(5, 4, 4))
        scores = score_columns(position)
        column = seen.legal_columns[-1]
        seen = env.step(AnswerAction(answer=f"Let us see.\nFinal Answer: {column}"))
        regret = max(score for score in scores if score is not None) - (scores[column] or 0)
        assert (seen.kind, seen.column, seen.score_regret) == ("played", column, regret)
        assert seen.reward == pytest.approx(-regret / 14)
    assert seen.result in (1, 0, -1)
    assert (seen.prompt, seen.legal_columns) == ("", [])
    with pytest.raises(GameAlreadyOver):
        env.step(AnswerAction(answer="0"))
    env.close()


@pytest.mark.parametrize(("answer", "kind"), [("hm", "unreadable"), ("Final Answer: 7", "illegal")])
def test_an_answer_that_cannot_be_played_is_the_worst_and_the_game_goes_on(answer: str, kind: str):
    env = ConnectKEnvironment(opponent="greedy", first="agent")
    env.reset(seed=1)
    seen = env.step(AnswerAction(answer=answer))
    assert (seen.kind, seen.reward, seen.done) == (kind, -1, False)
    assert score_columns("")[seen.column] == -2
    assert env.state.step_count == 1


def test_the_seed_decides_who_begins_and_what_the_opponent_does():
    env = ConnectKEnvironment(opponent="level:1")
    sides = set()
    for seed in range(8):
        first = (env.reset(seed=seed).prompt, env.state.side)
        assert first == (env.reset(seed=seed).prompt, env.state.side)
        sides.add(env.state.side)
    assert sides == {0, 1}


def test_boards_that_cannot_be_solved_are_refused():
    with pytest.raises(UnsupportedVariant):
        ConnectKEnvironment("20x20x5")


@pytest.fixture
def server() -> Iterator[str]:
    uvicorn = pytest.importorskip("uvicorn")
    running = uvicorn.Server(uvicorn.Config(create_server(opponent="random"), port=0, log_level="error"))
    thread = threading.Thread(target=running.run)
    thread.start()
    while not running.started:
        assert thread.is_alive()
    yield f"http://127.0.0.1:{running.servers[0].sockets[0].getsockname()[1]}"
    running.should_exit = True
    thread.join()


def test_openenvs_client_plays_on_its_server(server: str):
    """Two clients of OpenEnv play on OpenEnv's server at the same time, each in its own game."""
    with core.GenericEnvClient(base_url=server).sync() as one, core.GenericEnvClient(base_url=server).sync() as two:
        seen, other = one.reset(seed=1), two.reset(seed=2)
        rewards = []
        while not seen.done:
            seen = one.step({"answer": f"Final Answer: {seen.observation['legal_columns'][0]}"})
            rewards.append(seen.reward)
        assert all(-1 <= reward <= 0 for reward in rewards)
        assert one.state()["step_count"] == len(rewards)
        assert two.state()["step_count"] == 0
        assert "Final Answer: COLUMN" in other.observation["prompt"]
