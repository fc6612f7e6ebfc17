"""The server counts refusals, and logs each kind only once a minute, however often it happens."""

import json
from contextlib import ExitStack, suppress

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from connectk.server import monitoring
from connectk.server.errors import REASON_BY_STATUS, STATUS_BY_ERROR
from connectk.server.offences import LOGGED_REASONS, MAX_ADDRESSES, OffenceLog
from tests.server.clients import Socket, make
from tests.server.hostile.test_connections import silent, status_and_reason
from tests.server.serving import serving, settings_for
from tests.server.test_admin import wait_for


@pytest.fixture
def lines(capfd):
    """A function that makes the report and returns the log lines since the test began."""
    monitoring.configure_logging("json", "info")
    capfd.readouterr()

    def report(offences: OffenceLog) -> list[dict]:
        offences.report()
        return [json.loads(line) for line in capfd.readouterr().err.splitlines()]

    yield report
    monitoring.configure_logging("text", "error")


def test_a_kind_is_one_line_with_its_number_and_the_busiest_address(lines):
    offences = OffenceLog()
    for _ in range(3):
        offences.note("request", "too_fast", "192.0.2.7")
    offences.note("request", "too_fast", "2001:db8::")
    offences.note("connection", "busy", "")
    written = [{name: line[name] for name in line if name not in ("timestamp", "level")} for line in lines(offences)]
    assert written == [
        {"event": "refused", "what": "request", "reason": "too_fast", "count": 4, "addresses": 2}
        | {"busiest": "192.0.2.7"},
        {"event": "refused", "what": "connection", "reason": "busy", "count": 1, "addresses": 0},
    ]
    assert lines(offences) == []


def test_addresses_without_end_and_made_up_ones_are_bounded(lines):
    """All refusals are counted, but only a limited number of addresses is stored, and a text that is no address is
    never logged."""
    offences = OffenceLog()
    for number in range(3 * MAX_ADDRESSES):
        offences.note("request", "too_fast", f"my-secret-{number}")
    (line,) = lines(offences)
    assert (line["count"], line["addresses"]) == (3 * MAX_ADDRESSES, MAX_ADDRESSES)
    assert "my-secret" not in json.dumps(line)


def test_every_reason_that_counts_is_one_that_is_answered():
    assert set(STATUS_BY_ERROR) | set(REASON_BY_STATUS.values()) >= LOGGED_REASONS


def kinds(written: list[dict]) -> dict[tuple[str, str], int]:
    return {(line["what"], line["reason"]): line["count"] for line in written if line["event"] == "refused"}


def test_a_flood_of_refused_requests_writes_no_line_for_each(tmp_path, lines):
    """Requests that look for weak points are counted without a log line each. A drop that the rules refuse has its own
    line."""
    with serving(settings_for(tmp_path, log="json", log_level="info", address_matches=3)) as client:
        made = make(client)
        address = f"/api/matches/{made['match']['id']}/drops"
        for _ in range(20):
            client.post("/api/matches", json={})
            client.get("/wp-login.php")
            client.get("/healthz", headers={"authorization": "Bearer x"})
            client.post(address, json={"column": 0, "ply": 5}, headers={"authorization": f"Bearer {made['secret']}"})
        wait_for(lambda: client.host.offences.counts.total() == 38)
    written = lines(client.host.offences)
    assert kinds(written) == {("request", "too_many"): 18, ("request", "not_found"): 20}
    assert {line["busiest"] for line in written if line["event"] == "refused"} == {"127.0.0.1"}
    statuses = [line["status"] for line in written if line["event"] == "request"]
    assert sorted(statuses) == [200] * 20 + [201] * 3 + [409] * 20


def test_connections_and_sockets_that_are_refused_are_counted(tmp_path, lines):
    """Refused connections and sockets are counted and appear in the metrics, even if they never reach the
    application."""
    changes = {"header_seconds": 2.0, "max_sockets": 10, "log": "json", "log_level": "info", "seat_rate": 20}
    with serving(settings_for(tmp_path, **changes)) as client, ExitStack() as stack:
        before = refusals(client, "bad_request")
        assert status_and_reason(silent(client.port)) == (408, "time_is_up")
        for _ in range(3):
            assert status_and_reason(silent(client.port, b"nonsense\r\n\r\n"))[0] == 400
        made = make(client, public=True)
        match_id = made["match"]["id"]
        newcomer = stack.enter_context(client.socket(match_id))
        with pytest.raises(InvalidStatus), client.socket(match_id):
            pass
        newcomer.send("no hello")
        assert json.loads(newcomer.recv(60))["reason"] == "bad_request"
        with pytest.raises(ConnectionClosed):
            newcomer.recv(60)
        with Socket(client, match_id, made["secret"]) as socket:
            for _ in range(100):
                with suppress(ConnectionClosed):
                    socket.send({"type": "ping"})
            while socket.receive()["type"] != "refused":
                pass
        with Socket(client, match_id, made["secret"]) as socket:
            socket.raw.send("x" * 100_000)
            with pytest.raises(ConnectionClosed):
                socket.receive_until_closed()
        wait_for(lambda: ("socket", "too_large") in client.host.offences.counts)
        assert refusals(client, "bad_request") >= before + 3
        counted = kinds(lines(client.host.offences))
    assert counted.pop(("message", "too_fast")) >= 1
    assert counted == {
        ("connection", "time_is_up"): 1,
        ("connection", "bad_request"): 3,
        ("socket", "busy"): 1,
        ("socket", "bad_request"): 1,
        ("socket", "too_large"): 1,
    }


def refusals(client, reason: str) -> float:
    """The number of refusals with this reason, according to the metrics."""
    metric = f'connectk_refusals_total{{reason="{reason}"}} '
    lines = client.get("/metrics").text.splitlines()
    return sum(float(line.removeprefix(metric)) for line in lines if line.startswith(metric))
