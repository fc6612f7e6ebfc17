"""Tests servers behind a real nginx and a real Caddy with the samples in deploy/: addresses, pipelining, sockets, lost
servers."""

import shutil
import socket
import subprocess
import uuid
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.server.clients import ME, Socket, drop, make, make_for_two
from tests.server.load import LoadGenerator
from tests.server.proxy import NO_CADDY, NO_NGINX, Caddy, Nginx, nginx, replaced, write_main
from tests.server.serving import ROOT, Client, ServerProcess, free_fixed_port, serving, settings_for
from tests.server.test_kill import check_everything
from tests.server.test_postgres import run_load
from tests.storage.conftest import postgres  # noqa: F401

needs_nginx = pytest.mark.skipif(nginx() is None, reason=NO_NGINX)
needs_caddy = pytest.mark.skipif(not shutil.which("caddy"), reason=NO_CADDY)
PROXY_OPTIONS = ("--proxies", "1")
MATCH_QUOTA = 5


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(lambda folder, port: Nginx(folder, [port]), id="nginx", marks=needs_nginx),
        pytest.param(Caddy, id="caddy", marks=needs_caddy),
    ],
)
def proxy(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nginx | Caddy]:
    """A proxy in front of one server that lets an address create five matches an hour."""
    folder = tmp_path_factory.mktemp("proxy")
    settings = settings_for(folder, proxies=1, address_matches=MATCH_QUOTA)
    with serving(settings) as client:
        proxy = request.param(folder, client.port)
        yield proxy
        proxy.stop()


def client_of(proxy: Nginx | Caddy, source: str, **headers: str) -> httpx.Client:
    """A client at this address of the loopback network."""
    host = "[::1]" if ":" in source else "127.0.0.1"
    transport = httpx.HTTPTransport(local_address=source)
    return httpx.Client(
        base_url=f"http://{host}:{proxy.port}", transport=transport, headers=headers, timeout=60, trust_env=False
    )


def made_until_refused(client: httpx.Client) -> int:
    for number in range(2 * MATCH_QUOTA):
        if client.post("/api/matches", json={"first": ME, "second": ME}).status_code == 429:
            return number
    return 2 * MATCH_QUOTA


def test_a_forged_address_is_not_believed(proxy: Nginx | Caddy):
    """The server counts a client by the address that the proxy sees, also with IPv6. A forged X-Forwarded-For has no
    effect."""
    with client_of(proxy, "127.0.0.5", **{"X-Forwarded-For": "203.0.113.9"}) as forger:
        assert made_until_refused(forger) == MATCH_QUOTA
    for forged in ("198.51.100.1", "127.0.0.1, 10.0.0.1", "not an address", "::1"):
        with client_of(proxy, "127.0.0.5", **{"X-Forwarded-For": forged}) as again:
            assert made_until_refused(again) == 0
    for other in ("127.0.0.6", "::1"):
        with client_of(proxy, other) as honest:
            assert made_until_refused(honest) == MATCH_QUOTA


def test_the_page_and_a_game_over_sockets_go_through(proxy: Nginx | Caddy):
    """The page's files and a match between two sockets pass through the proxy, and its blocked paths do not."""
    with client_of(proxy, "127.0.0.7") as client:
        assert "<title" in client.get("/").text
        assert client.get("/metrics").status_code == 404
        match_id, mine, yours = make_for_two(client)
    away = Client(proxy.port)
    with Socket(away, match_id, mine, after=0) as first, Socket(away, match_id, yours, after=0) as second:
        for ply, (player, column) in enumerate(((first, 3), (second, 4), (first, 3))):
            player.send({"type": "drop", "column": column, "ply": ply})
            for listener in (first, second):
                assert dropped(listener) == column


def dropped(listener: Socket) -> int:
    """The column of the next drop that arrives at a socket."""
    while (message := listener.receive()).get("event") != "dropped":
        pass
    return message["column"]


def test_a_page_of_this_site_may_act_and_one_of_another_may_not(proxy: Nginx | Caddy):
    """Behind the proxy, the server accepts requests from its own site's page and refuses those from another site's."""
    order = {"first": ME, "second": ME}
    with client_of(proxy, "127.0.0.8") as client:
        for origin, status in ((f"http://127.0.0.1:{proxy.port}", 201), ("https://elsewhere.example", 403)):
            assert client.post("/api/matches", json=order, headers={"Origin": origin}).status_code == status


def test_pipelined_requests_are_answered_in_order(proxy: Nginx | Caddy):
    """Three hundred requests on one connection are answered in order, while another client is served."""
    request = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    last = request.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
    with socket.create_connection(("127.0.0.1", proxy.port), 60) as connection, client_of(proxy, "127.0.0.9") as other:
        connection.sendall(request * 299 + last)
        assert other.get("/healthz").status_code == 200
        answers = b"".join(iter(lambda: connection.recv(1 << 16), b""))
    assert answers.count(b"HTTP/1.1 200 OK") == 300


@needs_nginx
@pytest.mark.anyio
async def test_three_servers_one_of_which_dies_and_all_of_which_are_replaced(postgres, tmp_path: Path):  # noqa: F811
    """One of three servers is killed during games, then all are restarted, as for an update. No acknowledged drop is
    lost, and all games go on."""
    database = postgres.create(uuid.uuid4().hex)
    ports = [free_fixed_port() for _ in range(3)]
    servers = [ServerProcess(database, *PROXY_OPTIONS, "--port", str(port)) for port in ports]
    proxy = Nginx(tmp_path, ports)
    load = LoadGenerator(12, lambda: proxy.port)

    def kill() -> None:
        servers[0].kill()

    def replace(number: int) -> None:
        if number:
            servers[number].stop()
        servers[number] = ServerProcess(database, *PROXY_OPTIONS, "--port", str(ports[number]))

    await run_load(load, kill, lambda: replace(0), lambda: replace(1), lambda: replace(2))
    for server in servers:
        server.stop()
    proxy.stop()

    assert load.returns > 0
    assert check_everything(database, load) >= load.acknowledged >= 300


@pytest.mark.anyio
async def test_watchers_at_all_servers_see_a_match_that_is_played_at_one(postgres, tmp_path: Path):  # noqa: F811
    """Watchers at all servers see a match that is played at one. A server gets the events only of matches watched
    there."""
    settings = settings_for(tmp_path, database=postgres.create(uuid.uuid4().hex))
    with serving(settings) as first, serving(settings) as second, serving(settings) as third:
        made, unseen = make(first, public=True), make(first, public=True)
        received: list[str] = []
        third.host.service.subscribe(lambda news: received.append(news.name) if not news.is_own else None)
        with Socket(second, made["match"]["id"], after=0) as here, Socket(third, made["match"]["id"], after=0) as there:
            for match in (unseen, made):
                for ply in range(3):
                    assert drop(first, match["match"]["id"], match["secret"], 3, ply).status_code == 201
            for watcher in (here, there):
                assert [watcher.receive()["seq"] for _ in range(3)] == [1, 2, 3]
    assert made["match"]["id"] in received
    assert unseen["match"]["id"] not in received


@needs_nginx
def test_the_sample_is_valid_with_its_certificate(tmp_path: Path):
    """nginx accepts the sample configuration, in which only the ports and the path of the certificate are changed."""
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    subject = ["-subj", "/CN=play.school.example", "-days", "2"]
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-keyout",
        key,
        "-out",
        certificate,
        *subject,
    ]
    subprocess.run(command, check=True, capture_output=True)
    port, secure = free_fixed_port(), free_fixed_port()
    changes = {
        "listen 80;": f"listen 127.0.0.1:{port};",
        "listen [::]:80;": f"listen [::1]:{port};",
        "listen 443 ssl;": f"listen 127.0.0.1:{secure} ssl;",
        "listen [::]:443 ssl;": f"listen [::1]:{secure} ssl;",
        "/etc/letsencrypt/live/play.school.example/fullchain.pem": str(certificate),
        "/etc/letsencrypt/live/play.school.example/privkey.pem": str(key),
    }
    (tmp_path / "connectk.conf").write_text(replaced((ROOT / "deploy/nginx.conf").read_text("utf-8"), changes))
    program = nginx()
    assert program
    checked = subprocess.run([program, "-t", "-c", write_main(tmp_path)], capture_output=True, text=True, check=False)
    assert "test is successful" in checked.stderr, checked.stderr
