"""Requests to a game server, and what it refuses."""

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
MAX_NAME = 200  # characters of what others wrote

Json = dict[str, Any]


class ServerAway(ConnectkError):
    """A server that does not answer, or not as a game server does."""

    key = "error.ServerAway"

    def __init__(self, server: str, reason: str) -> None:
        self.server, self.reason = server, reason
        super().__init__(server, reason)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"server": self.server, "reason": self.reason}


class ServerRefused(ConnectkError):
    """What the server says no to; `reason` never changes, `message` is its sentence in English."""

    def __init__(self, reason: str, message: str) -> None:
        self.reason, self.message = reason, message
        super().__init__(reason, message)

    def __str__(self) -> str:
        return self.message

    def localize(self, texts: Texts) -> str:
        return texts.plain(f"refused.{self.reason}") or sanitize(self.message)


def address_of(server: str) -> str:
    """A server as it is asked, also where somebody has left out how."""
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
        raise ServerAway(server, getattr(reason, "strerror", None) or str(reason)) from error


def _refusal(server: str, error: urllib.error.HTTPError) -> ConnectkError:
    try:
        refusal = json.load(error)
        return ServerRefused(str(refusal["reason"]), str(refusal["message"]))
    except (OSError, ValueError, KeyError, TypeError):
        return ServerAway(server, f"HTTP {error.code}")


def game_of(match: Json) -> Game:
    """The game of a match as the server sends it, its moves checked by the rules."""
    variant = Variant(match["variant"]["width"], match["variant"]["height"], match["variant"]["run"])
    return Game(parse_start(match["start"] or "", variant), match["moves"])


def sanitize(text: str) -> str:
    """What others wrote, without characters that do something to a terminal."""
    return "".join(character if character.isprintable() else "?" for character in text)[:MAX_NAME]
