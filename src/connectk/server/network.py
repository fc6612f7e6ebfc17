"""Who can reach a server that was started for the people at this machine: nobody else, until they are let in."""

from __future__ import annotations

import asyncio
import socket
from ipaddress import ip_address

import uvicorn

from connectk.play.refusals import Refusal
from connectk.server.settings import Settings

PROBE_ADDRESS = "192.0.2.1"  # an address for documentation: nothing is sent there, the system only says how it would go


class NoNetwork(Refusal):
    reason = "no_network"


class Network:
    """The address by which others reach this machine, and whether they may."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._server: uvicorn.Server | None = None
        self.address: str | None = None  # once others are let in

    def serve_with(self, server: uvicorn.Server) -> None:
        """The server that shall listen there as well."""
        self._server = server

    @property
    def possible(self) -> str | None:
        """Where others would find the page; None where no network is, or the server is for all already, or stops."""
        host, port = self._settings.network_host or lan_host(), self._port
        return f"http://{host}:{port}" if host and port else None

    @property
    def _port(self) -> int | None:
        """None of a server that stops: it listens no more, and still answers what was asked before."""
        listening = self._server.servers[0].sockets if self._server else ()
        return listening[0].getsockname()[1] if listening else None

    async def let_in(self) -> str:
        """Listen where others can reach this machine, until the server stops."""
        if self.address:
            return self.address
        address, port = self.possible, self._port
        if address is None or self._server is None or port is None:
            raise NoNetwork
        try:
            await _listen_too(self._server, self._settings.network_host or lan_host() or "", port)
        except OSError as error:
            raise NoNetwork from error
        self.address = address
        return address


def lan_host() -> str | None:
    """This machine's own address on its network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((PROBE_ADDRESS, 9))
        except OSError:
            return None
        host: str = probe.getsockname()[0]
    return None if ip_address(host).is_loopback or ip_address(host).is_unspecified else host


async def _listen_too(server: uvicorn.Server, host: str, port: int) -> None:
    """One more socket for a server that runs; it is closed with the others."""
    config = server.config

    def protocol() -> asyncio.Protocol:
        kind = config.http_protocol_class
        made: asyncio.Protocol = kind(config=config, server_state=server.server_state, app_state=server.lifespan.state)  # type: ignore[call-arg]
        return made

    loop = asyncio.get_running_loop()
    server.servers.append(await loop.create_server(protocol, host, port, backlog=config.backlog))
