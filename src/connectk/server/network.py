"""Opens a server to the local network, if only this machine could reach it before."""

from __future__ import annotations

import asyncio
import socket
from ipaddress import ip_address

import uvicorn

from connectk.play.refusals import Refusal
from connectk.server.settings import Settings

WILDCARD_HOSTS = (
    "0.0.0.0",
    "::",
)  # a server that listens on one of these is reached at each of its machine's addresses
PROBE_ADDRESS = "192.0.2.1"  # reserved for documentation; nothing is sent, the system only chooses the interface


class NoNetwork(Refusal):
    reason = "no_network"


class LanAccess:
    """Knows the address of this machine on its network, and whether other machines can reach the server there."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._server: uvicorn.Server | None = None
        self._opened: str | None = None  # the address at which a page has let the network in

    def attach_server(self, server: uvicorn.Server) -> None:
        """Sets the server to which `open_to_lan` adds a listening socket."""
        self._server = server

    @property
    def address(self) -> str | None:
        """The address under which other machines reach this server. None if only this machine can reach it."""
        if self._settings.host not in WILDCARD_HOSTS:
            return self._opened
        return self._address_with(self._port or self._settings.port)

    @property
    def candidate_address(self) -> str | None:
        """The address under which other machines could reach this server. None without a network, and while the server
        is not listening."""
        return self._address_with(self._port)

    def _address_with(self, port: int | None) -> str | None:
        host = self._settings.network_host or lan_address()
        return f"http://{host}:{port}" if host and port else None

    @property
    def _port(self) -> int | None:
        """The listening port. None after shutdown has begun."""
        listening = self._server.servers[0].sockets if self._server else ()
        return listening[0].getsockname()[1] if listening else None

    async def open_to_lan(self) -> str:
        """Lets the local network reach this server until the server stops. Returns the address."""
        if self.address:
            return self.address
        address, port = self.candidate_address, self._port
        if address is None or self._server is None or port is None:
            raise NoNetwork
        try:
            await _add_listener(self._server, self._settings.network_host or lan_address() or "", port)
        except OSError as error:
            raise NoNetwork from error
        self._opened = address
        return address


def lan_address() -> str | None:
    """This machine's address on its network. None without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((PROBE_ADDRESS, 9))
        except OSError:
            return None
        host: str = probe.getsockname()[0]
    return None if ip_address(host).is_loopback or ip_address(host).is_unspecified else host


async def _add_listener(server: uvicorn.Server, host: str, port: int) -> None:
    """Adds a listening socket to a running server. The server closes it together with its other sockets."""
    config = server.config

    def protocol() -> asyncio.Protocol:
        kind = config.http_protocol_class
        made: asyncio.Protocol = kind(config=config, server_state=server.server_state, app_state=server.lifespan.state)  # type: ignore[call-arg]
        return made

    loop = asyncio.get_running_loop()
    server.servers.append(await loop.create_server(protocol, host, port, backlog=config.backlog))
