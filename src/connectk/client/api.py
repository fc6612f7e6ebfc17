"""HTTP requests to a game server, and its errors."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import Any

from connectk.errors import ConnectkError
from connectk.notation import parse_start
from connectk.rules import Game, Variant
from connectk.texts import Texts

REQUEST_TIMEOUT_SECONDS = 10.0
MAX_FOREIGN_TEXT_CHARS = 200  # of names and messages from other users

Json = dict[str, Any]


class ServerUnavailable(ConnectkError):
    """The server does not answer, or does not answer like a game server."""

    key = "error.ServerUnavailable"

    def __init__(self, server: str, reason: str) -> None:
        self.server, self.reason = server, reason
        super().__init__(server, reason)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"server": self.server, "reason": self.reason}


class ServerRefused(ConnectkError):
    """The server refused a request; `reason` is a stable code, `message` its English sentence."""

    def __init__(self, reason: str, message: str) -> None:
        self.reason, self.message = reason, message
        super().__init__(reason, message)

    def __str__(self) -> str:
        return self.message

    def localize(self, texts: Texts) -> str:
        return texts.plain(f"refused.{self.reason}") or sanitize(self.message)


def address_of(server: str) -> str:
    """The server's URL; `http://` is added if the scheme is missing."""
    server = server.rstrip("/")
    return server if server.startswith(("http://", "https://")) else f"http://{server}"


def socket_address(server: str, path: str) -> str:
    return f"ws{server.removeprefix('http')}/api/{path}/socket"


def post(server: str, path: str, body: Json) -> Json:
    request = urllib.request.Request(server + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=REQUEST_TIMEOUT_SECONDS) as answer:
            return dict(json.load(answer))
    except urllib.error.HTTPError as error:
        raise _refusal(server, error) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise ServerUnavailable(server, getattr(reason, "strerror", None) or str(reason)) from error


def _refusal(server: str, error: urllib.error.HTTPError) -> ConnectkError:
    try:
        refusal = json.load(error)
        return ServerRefused(str(refusal["reason"]), str(refusal["message"]))
    except (OSError, ValueError, KeyError, TypeError):
        return ServerUnavailable(server, f"HTTP {error.code}")


def game_of(match: Json) -> Game:
    """The game of a match from the server's JSON; the rules check its moves."""
    variant = Variant(match["variant"]["width"], match["variant"]["height"], match["variant"]["run"])
    return Game(parse_start(match["start"] or "", variant), match["moves"])


def sanitize(text: str) -> str:
    """Text from other users without control characters, and not too long."""
    return "".join(character if character.isprintable() else "?" for character in text)[:MAX_FOREIGN_TEXT_CHARS]
