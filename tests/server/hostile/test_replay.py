"""Tests matches with very many opening moves. They are read in pages, or sent whole to a client that is far behind, and
are not replayed for each page or client."""

import pytest

from connectk.play.service import EVENTS_PAGE_SIZE
from tests.server.clients import ME, Socket, bearer, make
from tests.server.hostile.conftest import MAX_DROP_SECONDS, Bystander

WIDTH = 97


def long_match(client, discs: int) -> dict:
    """A match with many opening moves, on a board on which nobody can win."""
    variant = {"width": WIDTH, "height": 100, "run": 100}
    return make(client, first=ME, second=ME, variant=variant, moves=[n % WIDTH for n in range(discs)])


def read_all(client, made) -> list[int]:
    seqs, more = [], True
    while more:
        address = f"/api/matches/{made['match']['id']}/events?after={seqs[-1] if seqs else 0}"
        page = client.get(address, headers=bearer(made["secret"])).json()
        assert len(page["events"]) <= EVENTS_PAGE_SIZE
        seqs += [event["seq"] for event in page["events"]]
        more = page["more"]
    return seqs


def test_a_long_match_is_read_in_pages(attacked):
    made = long_match(attacked, 950)
    assert read_all(attacked, made) == list(range(1, 951))


def test_the_next_page_is_played_on_from_the_last_one(attacked, monkeypatch):
    """The server replays the next page of a match from the previous page, not from the beginning."""
    made = long_match(attacked, 900)
    limits = []
    store = attacked.host.store
    load = store.load

    async def noting(match_id, limit=None):
        limits.append(limit)
        return await load(match_id, limit)

    monkeypatch.setattr(store, "load", noting)
    read_all(attacked, made)
    assert limits == [EVENTS_PAGE_SIZE]


def test_one_who_is_far_behind_gets_the_whole_match(attacked):
    """A client that is far behind gets the whole match. A client that is a little behind gets every event."""
    made = long_match(attacked, 900)
    match_id, secret = made["match"]["id"], made["secret"]
    with Socket(attacked, match_id, secret, after=3) as far:
        assert far.welcome["seq"] == 900
        assert len(far.welcome["match"]["moves"]) == 900
        assert far.ask({"type": "ping"})[1] == []
    with Socket(attacked, match_id, secret, after=890) as near:
        assert near.welcome["match"] is None
        assert [event["seq"] for event in near.ask({"type": "ping"})[1]] == list(range(891, 901))


@pytest.mark.deep
def test_the_longest_match_beside_an_ordinary_game(attacked):
    made = long_match(attacked, 9_600)
    with Bystander(attacked) as bystander:
        assert len(read_all(attacked, made)) == 9_600
        sockets = [Socket(attacked, made["match"]["id"], made["secret"], after=0) for _ in range(10)]
        for socket in sockets:
            socket.close()
    assert max(bystander.seconds) < MAX_DROP_SECONDS, max(bystander.seconds)
