"""Sends HTTP requests to a game server. If the server refuses a request, an exception is raised."""

from __future__ import annotations

import http.client
import json
import re
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any

from connectk.errors import ConnectkError, localize_reason, quoted
from connectk.notation import parse_start
from connectk.rules import Game, Variant
from connectk.texts import Texts

REQUEST_TIMEOUT_SECONDS = 10.0
MAX_FOREIGN_TEXT_CHARS = 200  # the shown length of names and messages from other users
SERVER_ADDRESS = re.compile(r"(https?://)?[^\s/:?#@]+(:[0-9]+)?(/[^\s?#]*)?|(https?://)?\[[0-9a-fA-F:.]+\](:[0-9]+)?")

Json = dict[str, Any]


@dataclass(eq=False)
class ServerUnavailable(ConnectkError):
    """The server does not answer, or the program that answers is not a game server."""

    key = "error.ServerUnavailable"
    server: str
    reason: str

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"server": self.server, "reason": localize_reason(self.reason, texts)}


@dataclass(eq=False)
class BadServerAddress(ConnectkError):
    """The text is not the address of a web server."""

    key = "error.BadServerAddress"
    address: str

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"address": quoted(self.address)}


@dataclass(eq=False)
class ServerRefused(ConnectkError):
    """The server refused a request. `reason` is a code that never changes, and `message` is a sentence for people."""

    reason: str
    message: str

    def __str__(self) -> str:
        return self.message

    def localize(self, texts: Texts) -> str:
        return texts.plain(f"refused.{self.reason}") or sanitize(self.message)


def address_of(server: str) -> str:
    """The server's URL. `http://` is put in front if the user left it out."""
    server = server.strip().rstrip("/")
    if not SERVER_ADDRESS.fullmatch(server):
        raise BadServerAddress(server)
    return server if server.startswith(("http://", "https://")) else f"http://{server}"


def socket_address(server: str, path: str) -> str:
    return f"ws{server.removeprefix('http')}/api/{path}/socket"


def post(server: str, path: str, body: Json, secret: str | None = None) -> Json:
    return _json(server, _answer(server, path, secret, json.dumps(body).encode()))


def get(server: str, path: str, secret: str | None = None, timeout: float = REQUEST_TIMEOUT_SECONDS) -> Json:
    return _json(server, _answer(server, path, secret, timeout=timeout))


def download(server: str, path: str, secret: str | None = None, timeout: float = REQUEST_TIMEOUT_SECONDS) -> bytes:
    """The content of a file. `timeout` limits the wait for each part of it."""
    return _answer(server, path, secret, timeout=timeout)


def _json(server: str, answer: bytes) -> Json:
    try:
        return dict(json.loads(answer))
    except (ValueError, TypeError) as error:
        raise ServerUnavailable(server, str(error)) from error


def _answer(
    server: str, path: str, secret: str | None, body: bytes | None = None, timeout: float = REQUEST_TIMEOUT_SECONDS
) -> bytes:
    """The body of the server's answer. With a `body` the request is a POST request, otherwise a GET request."""
    headers = {"Authorization": f"Bearer {secret}"} if secret else {}
    request = urllib.request.Request(server + path, body, headers | {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            return bytes(answer.read())
    except urllib.error.HTTPError as error:
        raise _refusal(server, error) from error
    except (OSError, ValueError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", None) or error
        raise ServerUnavailable(server, getattr(reason, "strerror", None) or str(reason)) from error


def _refusal(server: str, error: urllib.error.HTTPError) -> ConnectkError:
    try:
        refusal = json.load(error)
        return ServerRefused(str(refusal["reason"]), str(refusal["message"]))
    except (OSError, ValueError, KeyError, TypeError):
        return ServerUnavailable(server, f"HTTP {error.code}")


def game_of(match: Json) -> Game:
    """Read the game of a match from a message of the server. Its moves are replayed, so an illegal move raises an
    error."""
    variant = Variant(match["variant"]["width"], match["variant"]["height"], match["variant"]["run"])
    return Game(parse_start(match["start"] or "", variant), match["moves"])


def sanitize(text: str) -> str:
    """The text of another user, shortened, with control characters replaced by question marks."""
    return "".join(character if character.isprintable() else "?" for character in text)[:MAX_FOREIGN_TEXT_CHARS]
