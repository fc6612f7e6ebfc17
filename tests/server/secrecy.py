"""Collects the secrets that these tests' servers have issued, and searches the logs for them."""

import json
import re
from typing import Any

import httpx

SECRETS = {"secret", "invitation"}
SECRET_LIKE_PATTERN = re.compile(r"[A-Za-z0-9_-]{16,}")  # as long as secrets are, or longer
GIVEN_SECRETS: set[str] = set()
LOGGED_LINES: list[str] = []  # by server processes, since the last test


def note(answer: Any) -> None:
    """Records all secrets in an answer, however deeply nested."""
    if isinstance(answer, dict):
        GIVEN_SECRETS.update(value for name, value in answer.items() if name in SECRETS and isinstance(value, str))
    for value in answer.values() if isinstance(answer, dict) else answer if isinstance(answer, list) else ():
        note(value)


def leaked(*texts: str) -> set[str]:
    """The secrets that this text contains."""
    return {word for text in texts for word in SECRET_LIKE_PATTERN.findall(text)} & GIVEN_SECRETS


def record_answers() -> None:
    """Patches httpx to record the secrets in every JSON answer."""
    read = httpx.Response.json

    def noting(response: httpx.Response, **options: Any) -> Any:
        answer = read(response, **options)
        note(answer)
        return answer

    httpx.Response.json = noting  # type: ignore[method-assign]


def note_message(text: str) -> dict[str, Any]:
    """Parse a message of a socket and record its secrets."""
    message: dict[str, Any] = json.loads(text)
    note(message)
    return message
