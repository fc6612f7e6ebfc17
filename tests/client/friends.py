"""Clients of a match that have no user interface."""

from queue import Empty, SimpleQueue
from threading import Thread

from connectk.client.match import OnlineMatch

TIMEOUT_SECONDS = 30.0  # on a busy machine


class Friend:
    """A client that follows a match in a thread."""

    def __init__(self, seat):
        self.news = SimpleQueue()
        self.received = []
        self.online = OnlineMatch(seat, self.news.put)
        Thread(target=self.online.follow, daemon=True).start()

    def wait_until(self, happened):
        while not happened():
            try:
                self.received.append(self.news.get(timeout=TIMEOUT_SECONDS))
            except Empty:
                raise AssertionError(f"the condition was not met; received {self.received}") from None

    @property
    def moves(self):
        return self.online.snapshot.game.moves if self.online.snapshot else None

    def is_offered(self, what):
        offer = self.online.snapshot.state["offer"]
        return offer is not None and offer["what"] == what

    def drop(self, column):
        self.wait_until(lambda: self.online.snapshot and self.online.snapshot.is_our_turn)
        before = self.moves
        self.online.drop(column)
        self.wait_until(lambda: self.moves != before)
