"""An analysis has a time limit, shares the processors fairly, ends when nobody waits for it, and never delays
players."""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from connectk.notation import parse_saved_game
from connectk.notation.saved_game import SavedGame
from connectk.review import Label
from connectk.rules import Game, Position, Variant
from connectk.texts import LANGUAGES
from connectk.thinking.queue import Requester
from tests.server.clients import Socket, bearer, make
from tests.server.serving import serving, settings_for
from tests.server.slowness import slowness

HARD_ORDER = {"variant": {"width": 9, "height": 9, "run": 5}}  # no solver finishes this in a second


@pytest.fixture(scope="module")
def hasty(tmp_path_factory):
    """A server that spends at most two seconds on an analysis."""
    with serving(settings_for(tmp_path_factory.mktemp("hasty"), analysis_seconds=2)) as client:
        yield client


def test_scores_of_the_empty_board(client):
    answer = client.post("/api/scores", json={}).json()
    assert (answer["exact"], answer["scores"]) == (True, [-2, -1, 0, 1, 0, -1, -2])


def test_scores_of_a_match_over_its_socket(client):
    made = make(client, moves=[0] * 6)
    with Socket(client, made["match"]["id"], made["secret"]) as socket:
        answer, _ = socket.ask({"type": "analyse", "id": 5})
        assert (answer["type"], answer["id"], answer["ply"]) == ("analysis", 5, 6)
        assert answer["scores"][0] is None
        assert socket.ask({"type": "analyse", "ply": 0})[0]["scores"] == [-2, -1, 0, 1, 0, -1, -2]
        assert socket.ask({"type": "hint"})[0]["column"] in range(1, 7)


def test_time_is_bounded_and_bounds_are_told(hasty):
    """A position that would take days to solve is answered in time, with bounds instead of exact scores."""
    answer = hasty.post("/api/scores", json=HARD_ORDER, timeout=120).json()
    assert answer["exact"] is False
    assert answer["scores"] is None
    assert all(low <= high for low, high in answer["bounds"])


def test_of_a_board_too_large_to_solve_nothing_is_known(client):
    answer = client.post("/api/scores", json={"variant": {"width": 30, "height": 30, "run": 5}}).json()
    assert (answer["exact"], answer["scores"], len(answer["bounds"])) == (False, None, 30)


def test_what_is_not_proved_in_time_is_an_estimate_called_so(client):
    """On an unsolved board, each open column gets an estimate that is called one, and an immediate win is
    recognized."""
    order = {"variant": {"width": 9, "height": 7, "run": 5}, "moves": [0, 1, 0, 1, 0, 1, 0, 1], "seconds": 0.5}
    answer = client.post("/api/scores", json=order).json()
    assert (answer["exact"], answer["scores"]) == (False, None)
    assert all(-1 <= estimate <= 1 for estimate in answer["estimates"])
    assert answer["estimates"][0] == 1


def test_a_question_in_a_hurry_goes_before_an_older_one(client):
    """A new question of a socket replaces its long-running one, which ends with a refusal."""
    made = make(client, variant={"width": 9, "height": 7, "run": 5})
    with Socket(client, made["match"]["id"], made["secret"]) as socket:
        socket.send({"type": "analyse", "id": 1})
        socket.send({"type": "analyse", "id": 2, "seconds": 0.2})
        answers = {answer["id"]: answer["type"] for answer in (socket.receive(), socket.receive())}
    assert answers == {1: "refused", 2: "analysis"}


def test_an_analysis_is_given_up_when_the_asker_leaves(tmp_path):
    """When clients disconnect, their analyses stop, so that the only worker process can answer another client."""
    with serving(settings_for(tmp_path, analysis_seconds=3600)) as client:
        for _ in range(3):
            with pytest.raises(httpx.TimeoutException):
                client.post("/api/scores", json=HARD_ORDER, timeout=1)
        with Socket(client, (made := make(client, **HARD_ORDER))["match"]["id"], made["secret"]) as socket:
            _wait_until(lambda: client.host._analysts.queue._free)
            socket.send({"type": "analyse"})
            _wait_until(lambda: not client.host._analysts.queue._free)
        assert client.post("/api/scores", json={"moves": [3]}, timeout=120).json()["exact"]


def _wait_until(so: Callable[[], object]) -> None:
    while not so():
        time.sleep(0.01)


def test_the_same_position_is_not_worked_out_twice(client):
    """Two orders of the same moves lead to the same position, which is analysed once."""
    client.post("/api/scores", json={"moves": [0, 1, 2, 3]})
    thinkers = client.host._short_analysts
    asked = []
    think, thinkers.think = thinkers.think, lambda *arguments: asked.append(arguments) or think(*arguments)
    assert client.post("/api/scores", json={"moves": [2, 3, 0, 1]}).json()["exact"]
    thinkers.think = think
    assert asked == []


@pytest.mark.anyio
async def test_matches_go_on_while_eight_analyses_run(tmp_path):
    """Players' drops and a computer player's answers arrive while eight analyses of ten minutes are running."""

    async def storm(client) -> None:
        async with httpx.AsyncClient(base_url=client.base_url, timeout=None, trust_env=False) as askers:
            questions = [askers.post("/api/scores", json=HARD_ORDER | {"moves": [n % 9, n // 9]}) for n in range(8)]
            waiting = [asyncio.ensure_future(question) for question in questions]
            while client.host._analysts.queue.waiting < 7:  # one is being thought about
                await asyncio.sleep(0.01)
            await asyncio.to_thread(_play, client)
            assert not any(task.done() for task in waiting)
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)

    with serving(settings_for(tmp_path, analysis_seconds=600)) as client:
        await storm(client)


def _play(client) -> None:
    made = make(client, second={"kind": "player", "player": "greedy"})
    with Socket(client, made["match"]["id"], made["secret"]) as socket:
        state = made["match"]["state"]
        for _ in range(4):
            socket.send({"type": "drop", "column": state["legal_columns"][0], "ply": state["ply"]})
            messages = [socket.receive() for _ in range(3)]
            state = next(m["state"] for m in reversed(messages) if m["type"] == "event")


LONG_REVIEW = {"variant": {"width": 100, "height": 100, "run": 50}, "moves": [n % 100 for n in range(3000)]}


@pytest.mark.anyio
async def test_a_hint_overtakes_any_number_of_reviews(client):
    """A hint and a score are answered before any of eight running reviews ends."""
    async with httpx.AsyncClient(base_url=client.base_url, timeout=None, trust_env=False) as askers:
        reviews = [asyncio.ensure_future(askers.post("/api/review", json=long_review(n))) for n in range(8)]
        while client.host._analysts.queue.waiting < 7:
            await asyncio.sleep(0.01)
        hint = await askers.post("/api/hint", json={"moves": [3, 3, 2]})
        scores = await askers.post("/api/scores", json={"moves": [3, 3, 2]})
        assert (hint.status_code, scores.json()["exact"]) == (200, True)
        assert not any(review.done() for review in reviews)
        for review in reviews:
            review.cancel()
        await asyncio.gather(*reviews, return_exceptions=True)


@pytest.mark.anyio
async def test_a_short_review_overtakes_a_long_one(tmp_path):
    """A short review does not wait for the end of a long one, because the server reviews one position at a time."""
    saved = SavedGame(Game(Position.start(Variant()), (3, 3, 4, 4, 5, 5, 6)))
    long = SavedGame(Game(Position.start(Variant(100, 100, 50)), tuple(LONG_REVIEW["moves"])))
    with serving(settings_for(tmp_path, analysis_seconds=600)) as client:

        def ask(name: str, game: SavedGame) -> Any:
            review = client.host.analysis.review(Requester(name, name), game)
            return asyncio.run_coroutine_threadsafe(review, client.host.loop)

        slow = ask("ann", long)
        while client.host._analysts.queue._free:
            await asyncio.sleep(0.01)
        assert len((await asyncio.wrap_future(ask("bob", saved)))["moves"]) == 7
        assert not slow.done()
        slow.cancel()


def long_review(number: int) -> dict[str, Any]:
    return LONG_REVIEW | {"moves": [number, *LONG_REVIEW["moves"]]}


@pytest.mark.deep
def test_hints_beside_reviews_take_half_a_second_at_most(tmp_path):
    """Twenty hints on a board without a book take at most half a second each beside eight reviews of three thousand
    moves."""
    slow = slowness()
    with serving(settings_for(tmp_path)) as client, ThreadPoolExecutor(8) as threads:
        client.post("/api/hint", json=HARD_ORDER)  # its worker has started
        asked = [threads.submit(client.post, "/api/review", json=long_review(n)) for n in range(8)]
        _wait_until(lambda: client.host._analysts.queue.waiting >= 7)
        seconds = []
        for number in range(20):
            began = time.perf_counter()
            assert client.post("/api/hint", json=HARD_ORDER | {"moves": [number % 9, 4]}).status_code == 200
            seconds.append(time.perf_counter() - began)
        assert not all(one.done() for one in asked)
        print("hints beside eight reviews, seconds:", sorted(round(one, 3) for one in seconds))
        assert max(seconds) < 0.5 * slow


def test_a_review_labels_every_move(client):
    answer = client.post("/api/review", json={"moves": [3, 3, 4, 4, 5, 5, 6]}).json()
    assert len(answer["moves"]) == 7
    assert {move["label"] for move in answer["moves"]} <= {label.value for label in Label}
    assert answer["marks"]["first"]["estimated"] == 0
    assert set(answer["accuracy"]) == {"first", "second"}
    made = make(client, moves=[3, 3, 4])
    review = client.get(f"/api/matches/{made['match']['id']}/review", headers=bearer(made["secret"])).json()
    assert [move["column"] for move in review["moves"]] == [3, 3, 4]
    assert client.post("/api/review", json={}).status_code == 422


def test_a_review_gives_its_reasons_in_the_language_asked_for(client):
    """A review in a second language reuses the analysis of the first."""
    moves = [4, 2, 5, 2, 6, 5, 6]  # the last one leaves a win lying
    asked = {
        language: client.post("/api/review", json={"moves": moves, "language": language}).json()
        for language in LANGUAGES
    }
    why = {language: answer["moves"][-1]["reason"] for language, answer in asked.items()}
    assert why["fi"] == "Sarakkeessa 4 olisi saanut heti 4 peräkkäin."
    assert why["sv"] == "Kolumn 4 hade gett 4 i rad direkt."
    assert why["en"] == "Column 4 would have made 4 in a row at once."
    made = make(client, moves=moves)
    address = f"/api/matches/{made['match']['id']}/review?language=fi"
    assert client.get(address, headers=bearer(made["secret"])).json()["moves"][-1]["reason"] == why["fi"]
    assert client.post("/api/review", json={"moves": moves, "language": "tlh"}).status_code == 422


def test_a_connect_z_upload_is_judged(client):
    answer = client.post("/api/judge", content=b"7 6 4\n1\n2\n1\n2\n1\n2\n1\n").json()
    assert (answer["code"], answer["winner"], answer["game"]["moves"]) == (1, "first", [0, 1, 0, 1, 0, 1, 0])
    assert client.post("/api/judge", content=b"not a game").json()["code"] == 8
    assert client.post("/api/judge", content=b"").json()["code"] == 8
    assert client.post("/api/judge", content=b"7 6 4\n9\n").json()["game"] is None


def test_pictures_of_boards_and_games(client):
    starts = {"svg": b"<svg", "png": b"\x89PNG", "gif": b"GIF89a"}
    made = make(client, moves=[3, 3])
    for kind, start in starts.items():
        free = client.get(f"/api/picture.{kind}?moves=4453&variant=7x6x4&start=1xo")
        own = client.get(f"/api/matches/{made['match']['id']}/picture.{kind}", headers=bearer(made["secret"]))
        for answer in (free, own):
            assert answer.content.startswith(start)
            assert answer.headers["content-type"].startswith("image/")
            assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    assert client.get(f"/api/matches/{made['match']['id']}/picture.png").status_code == 404
    assert client.get("/api/picture.png?moves=9").status_code == 422


def test_a_match_is_saved_and_read_back(client):
    made = make(client, first={"kind": "me", "name": "Änn"}, moves=[3, 3])
    text = client.get(f"/api/matches/{made['match']['id']}/saved", headers=bearer(made["secret"])).text
    saved = parse_saved_game(text)
    assert saved.game.moves == (3, 3)
    answer = client.post("/api/saved", content=text.encode()).json()
    assert (answer["moves"], answer["players"]["first"]) == ([3, 3], "Änn")
    assert client.post("/api/saved", content=b"{}").status_code == 422
    assert client.post("/api/saved", content=b"\xff\xfe").status_code == 422


def test_a_board_for_the_page(client):
    assert client.post("/api/position", json={"moves": [3, 3]}).json() == {
        "ply": 2,
        "side_to_move": "first",
        "legal_columns": [0, 1, 2, 3, 4, 5, 6],
        "board": ["", "", "", "xo", "", "", ""],
        "winning_lines": [],
        "last_drop": [3, 1],
    }


def test_nobody_is_judged_for_moves_that_were_given(client):
    """The page tells the server how many first moves of a file were given, and nobody is judged for them."""
    answer = client.post("/api/review", json={"moves": [0, 3, 3, 3], "given": 1}).json()

    assert answer["given"] == 1
    assert answer["moves"][0]["label"] == "given"
    assert answer["moves"][0]["worth_after"] == {"kind": "loses", "count": 20, "score": 0.0}
