"""Every secret that a server of this suite has given out, and everything that such a server has logged."""

import json
import re
from typing import Any

import httpx

SECRETS = {"secret", "invitation"}
WORD = re.compile(r"[A-Za-z0-9_-]{16,}")  # as long as secrets are, or longer
GIVEN: set[str] = set()
LOGGED: list[str] = []  # by servers in processes of their own, since the last look


def note(answer: Any) -> None:
    """The secrets in an answer, however deep."""
    if isinstance(answer, dict):
        GIVEN.update(value for name, value in answer.items() if name in SECRETS and isinstance(value, str))
    for value in answer.values() if isinstance(answer, dict) else answer if isinstance(answer, list) else ():
        note(value)


def told(*texts: str) -> set[str]:
    """The secrets that stand in some output."""
    return {word for text in texts for word in WORD.findall(text)} & GIVEN


def watch_answers() -> None:
    """Note what every client of this suite is given, whichever way it asks."""
    read = httpx.Response.json

    def noting(response: httpx.Response, **options: Any) -> Any:
        answer = read(response, **options)
        note(answer)
        return answer

    httpx.Response.json = noting  # type: ignore[method-assign]


def note_message(text: str) -> dict[str, Any]:
    """A message of a socket, read."""
    message: dict[str, Any] = json.loads(text)
    note(message)
    return message
