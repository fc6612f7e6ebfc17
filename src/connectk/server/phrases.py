"""Relays the ready-made phrases and faces that players send each other. They are not stored."""

from __future__ import annotations

from itertools import count

from connectk.play.audiences import Audiences
from connectk.play.protocols import Feed
from connectk.server import schemas, views

PHRASE_PREFIX = "say:"  # begins the names of these messages between processes; no match or room has such a name


class PhraseRelay:
    """Sends a player's phrase or face to everyone who plays or watches the match, including clients of other
    processes."""

    def __init__(self, audiences: Audiences, feed: Feed) -> None:
        self._audiences, self._feed, self._numbers = audiences, feed, count()
        feed.on_ephemeral(self._on_message)

    def say(self, match_id: str, side: schemas.SideName, phrase: schemas.PhraseName) -> None:
        message = views.encode({"type": "said", "side": side, "phrase": phrase})
        self._broadcast(match_id, message)
        # Each message has a name of its own. If several messages have the same name, only the last of them is sent.
        self._feed.send_ephemeral(f"{PHRASE_PREFIX}{match_id}:{next(self._numbers)}", message)

    def _on_message(self, name: str, process: str, text: str) -> None:
        if name.startswith(PHRASE_PREFIX):
            self._broadcast(name.split(":")[1], text)

    def _broadcast(self, match_id: str, message: str) -> None:
        if audience := self._audiences.audience(match_id):
            audience.broadcast(message)
