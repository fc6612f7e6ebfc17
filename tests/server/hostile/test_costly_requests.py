"""Tests requests that are few enough to be allowed, but costly: many small parts, long addresses, many mistakes."""

import asyncio
from itertools import pairwise

import pytest
from pydantic import TypeAdapter, ValidationError

from connectk.server import httpconnection, schemas, websocketconnection
from tests.server.hostile.conftest import plays_on
from tests.server.hostile.floods import CHUNKED, HELLO, LONG_QUERY, MESSAGE, UPGRADE
from tests.server.hostile.test_connections import feed, let_run, silent, status_and_reason, upgraded, wired
from tests.server.room_clients import make_room
from tests.server.serving import serving, settings_for


@pytest.mark.anyio
async def test_a_socket_is_not_read_while_its_messages_wait(tmp_path):
    """The server stops reading from a socket whose messages wait, including messages that arrive with the handshake."""

    async def app(scope, receive, send):
        await receive()
        await send({"type": "websocket.accept"})
        await asyncio.Event().wait()

    _, wire = wired(tmp_path, app)
    left = feed(wire, UPGRADE.format(match_id="x").encode() + HELLO + MESSAGE * 10_000)
    for _ in range(20):
        await let_run()
        left = feed(wire, left)
    assert len(left) > len(MESSAGE) * 9_000
    assert len(wire.protocol._messages) <= websocketconnection.PARSED_FRAME_BYTES / len(MESSAGE) + 1
    wire.protocol.connection_lost(None)


@pytest.mark.anyio
async def test_others_take_their_turn_between_the_messages_of_one_read(tmp_path):
    happened = []

    async def take_turns():
        while True:
            happened.append("another")
            await asyncio.sleep(0)

    async with upgraded(tmp_path) as (wire, _, receive, send):
        await send({"type": "websocket.accept"})
        await receive()
        feed(wire, MESSAGE * 60)
        turns = asyncio.ensure_future(take_turns())
        for _ in range(60):
            assert (await receive())["text"] == "{}"
            happened.append("message")
        turns.cancel()
    assert "another" in happened
    assert not any(pair == ("message", "message") for pair in pairwise(happened))


def test_a_body_in_very_many_small_chunks_is_refused(client):
    """A body in very many small chunks is refused. A few small chunks are accepted, and any number of large ones."""
    few = CHUNKED.replace(b"/api/position", b"/api/judge")
    few += b"6\r\n7 6 4\n\r\n" + b"2\r\n1\n\r\n" * (httpconnection.MAX_SHORT_CHUNKS - 2) + b"0\r\n\r\n"
    assert status_and_reason(silent(client.port, few)) == (200, None)
    large = CHUNKED.replace(b"/api/position", b"/api/judge")
    large += b"6\r\n7 6 4\n\r\n" + (b"200\r\n" + b"1\n" * 256 + b"\r\n") * 1000 + b"0\r\n\r\n"
    assert status_and_reason(silent(client.port, large)) == (200, None)
    assert status_and_reason(silent(client.port, CHUNKED + b"1\r\nx\r\n" * 2000)) == (400, "bad_request")
    assert plays_on(client)


@pytest.mark.parametrize(
    "address", ["/" + "a/" * 30, "/" + "../" * 30, "/" + "%2F" * 30, "/api/seeks?" + "a=1&" * 50], ids=len
)
def test_an_address_has_few_parts(client, address):
    """The numbers of path parts and query fields are limited, because the server looks for each part and parses each
    field."""
    asked = f"GET {address} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
    assert status_and_reason(silent(client.port, asked)) == (431, "too_large")
    assert status_and_reason(silent(client.port, LONG_QUERY)) == (431, "too_large")
    assert client.get("/api/picture.svg", params={"moves": "4453", "size": 100}).status_code == 200


def test_of_many_faults_one_is_described():
    with pytest.raises(ValidationError) as wrong:
        TypeAdapter(schemas.PositionRequest).validate_python({"moves": ["a"] * 10_000})
    assert wrong.value.error_count() == 1


@pytest.mark.parametrize(
    "asked",
    [
        {"method": "GET", "url": "/healthz", "headers": {"cookie": "x" * 50_000}},
        {"method": "POST", "url": "/api/position", "json": {"start": "x" * 50_000}},
        {"method": "GET", "url": "/metrics"},
    ],
    ids=["header", "body", "metrics"],
)
def test_a_costly_request_counts_as_several(tmp_path, asked):
    """A costly request counts as several: here as at least eleven of the forty that an address may send at once."""
    with serving(settings_for(tmp_path, address_rate=10)) as client:
        statuses = [client.request(**asked).status_code for _ in range(30)]
        assert statuses[0] in (200, 422)
        assert 429 in statuses


def test_a_crosstable_counts_as_several_requests(tmp_path, monkeypatch):
    """A large crosstable counts as several requests and is made in a thread. In this test even a small table counts as
    large."""
    monkeypatch.setattr("connectk.server.routes.roomresults.CELLS_PER_MOVE", 0.01)
    with serving(settings_for(tmp_path, address_rate=10)) as client:
        code, _ = make_room(client)
        assert client.post(f"/api/rooms/{code}/join", json={"name": "Ann"}).status_code == 200
        statuses = [client.get(f"/api/rooms/{code}/crosstable").status_code for _ in range(40)]
        assert statuses[0] == 200
        assert 429 in statuses


def test_a_blocked_address_has_no_more_requests_than_others(tmp_path):
    with serving(settings_for(tmp_path, address_rate=1)) as client:
        client.host.blocked = frozenset({"127.0.0.1"})
        statuses = [client.get("/healthz").status_code for _ in range(30)]
    assert statuses[0] == 403
    assert 429 in statuses
