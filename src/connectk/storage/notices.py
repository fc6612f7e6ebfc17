"""The messages that processes send each other through PostgreSQL, and the channels for them.

Each match has a channel of its own. A process listens to it while it has players or spectators of the match. The common
channel carries the news for every process: finished or deleted matches, and the events of rooms.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import sqlalchemy
from sqlalchemy import Connection

from connectk.play.events import MATCH_EVENT_NAMES, event_from, facts_of
from connectk.play.protocols import MATCH_DELETED, MATCH_OVER, Change, News, RecordedEvent
from connectk.play.secrets_and_codes import is_match_id
from connectk.rooms.room import Room

COMMON_CHANNEL = "connectk_news"
NOTIFY_STATEMENT = sqlalchemy.text("""
    SELECT pg_notify(channel, message)
    FROM unnest(CAST(:channels AS text[]), CAST(:messages AS text[])) AS notices (channel, message)
""")
MAX_NOTIFY_BYTES = 7900  # the size of one message; PostgreSQL allows less than 8000 bytes


class Notice(NamedTuple):
    """A message, and the channel on which it is sent."""

    channel: str
    message: str


def channel_of(name: str) -> str:
    """The channel for news of this match or room. All rooms share the common channel."""
    return f"connectk_{name}" if is_match_id(name) else COMMON_CHANNEL


def notices_of(changes: Sequence[Change]) -> list[Notice]:
    """The notices about these changes, with the events of each match in order. They are packed into as few notices as
    possible, because transactions with notices wait for each other."""
    texts: dict[str, list[str]] = {}
    for change in changes:
        texts.setdefault(channel_of(change.after.id), []).append(_text(change))
    over = [(change.after.id, MATCH_OVER) for change in changes if change.after.result and not change.before.result]
    return [notice for channel, some in texts.items() for notice in _notices(channel, some)] + _common(over)


def notify_deleted(connection: Connection, names: Sequence[str]) -> None:
    """Tell every process on a shared database to evict these matches and rooms. The notice is sent when the transaction
    commits."""
    if names and connection.dialect.name == "postgresql":
        notices = _common((name, MATCH_DELETED) for name in names)
        connection.execute(NOTIFY_STATEMENT, notice_columns(notices))


def room_notices(rooms: Iterable[Room]) -> list[Notice]:
    """Notices with only the number of each room's last event. Processes read the event itself from the store."""
    return _common((room.code, room.seq) for room in rooms)


def _common(news: Iterable[tuple[str, int]]) -> list[Notice]:
    return _notices(COMMON_CHANNEL, map(json.dumps, news))


def _notices(channel: str, texts: Iterable[str]) -> list[Notice]:
    return [Notice(channel, "[" + ",".join(group) + "]") for group in batched_texts(texts, MAX_NOTIFY_BYTES - 2)]


def _text(change: Change) -> str:
    event, match = change.recorded.event, change.after
    whole = [match.id, match.seq, MATCH_EVENT_NAMES[type(event)], event.at, facts_of(event), change.recorded.key]
    text = json.dumps(whole, separators=(",", ":"))
    return text if len(text) <= MAX_NOTIFY_BYTES - 2 else json.dumps(whole[:2])


def batched_texts(texts: Iterable[str], max_bytes: int) -> Iterator[list[str]]:
    """Yields the ASCII texts in batches. A batch, joined with one character between its texts, has at most `max_bytes`
    bytes."""
    group: list[str] = []
    length = 0
    for text in texts:
        if group and length + len(text) > max_bytes:
            yield group
            group, length = [], 0
        group.append(text)
        length += len(text) + 1
    if group:
        yield group


def read_news(message: str) -> Iterator[News]:
    """Yields the news in a message. If an event was too long for the message, the news contains only its number."""
    for match_id, seq, *rest in json.loads(message):
        if rest:
            kind, at, facts, key = rest
            yield News(match_id, seq, RecordedEvent(event_from(kind, at, facts), key))
        else:
            yield News(match_id, seq)


class Ephemeral(NamedTuple):
    """A message about a match or a room, with the name of the sending process. Such messages are never stored."""

    process: str
    name: str
    text: str


def ephemeral_notices(process: str, unsent: dict[str, str]) -> list[Notice]:
    """Notices for messages that are not stored. `unsent` has the last message about each match or room."""
    by_channel: dict[str, list[str]] = {}
    for name, text in unsent.items():
        by_channel.setdefault(channel_of(name), []).append(f"{name} {text}")
    return [
        Notice(channel, "\n".join([process, *group]))
        for channel, texts in by_channel.items()
        for group in batched_texts(texts, MAX_NOTIFY_BYTES - len(process) - 1)
    ]


def notice_columns(notices: Iterable[Notice]) -> dict[str, list[str]]:
    """The parameters for `NOTIFY_STATEMENT`, which sends these notices."""
    both = list(notices)
    return {"channels": [notice.channel for notice in both], "messages": [notice.message for notice in both]}


def is_ephemeral(message: str) -> bool:
    return not message.startswith("[")


def read_ephemeral(message: str) -> Iterator[Ephemeral]:
    process, *texts = message.split("\n")
    for text in texts:
        name, _, rest = text.partition(" ")
        yield Ephemeral(process, name, rest)
