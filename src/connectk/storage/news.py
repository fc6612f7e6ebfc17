"""What a transaction tells the other processes: its events, many in one message, as small as PostgreSQL wants them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from connectk.play.events import NAMES, event_from, facts_of
from connectk.play.protocols import Change, Recorded

CHANNEL = "connectk_news"
LONGEST = 7900  # bytes in one message; PostgreSQL takes fewer than 8000


class News(NamedTuple):
    """An event of a match by its number, and the event itself unless it was too long to tell."""

    match_id: str
    seq: int
    recorded: Recorded | None


def messages_of(changes: Sequence[Change]) -> list[str]:
    """As few as will do: a commit that tells something waits for the others that do, whatever it tells."""
    return ["[" + ",".join(group) + "]" for group in grouped(map(_text, changes), LONGEST - 2)]


def _text(change: Change) -> str:
    event, match = change.recorded.event, change.after
    whole = [match.id, match.seq, NAMES[type(event)], event.at, facts_of(event), change.recorded.key]
    text = json.dumps(whole, separators=(",", ":"))
    return text if len(text) <= LONGEST - 2 else json.dumps(whole[:2])


def grouped(texts: Iterable[str], longest: int) -> Iterator[list[str]]:
    """Texts of ASCII in their order, so many together that with one character between them none is too long."""
    group: list[str] = []
    length = 0
    for text in texts:
        if group and length + len(text) > longest:
            yield group
            group, length = [], 0
        group.append(text)
        length += len(text) + 1
    if group:
        yield group


def read_message(message: str) -> Iterator[News]:
    for match_id, seq, *rest in json.loads(message):
        if rest:
            kind, at, facts, key = rest
            yield News(match_id, seq, Recorded(event_from(kind, at, facts), key))
        else:
            yield News(match_id, seq, None)
