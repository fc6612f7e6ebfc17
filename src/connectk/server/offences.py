"""Counts refusals, and logs each kind of refusal once a minute, however many there were."""

from __future__ import annotations

from collections import Counter, defaultdict
from ipaddress import ip_address

from connectk.server import monitoring

OFFENCE_REPORT_INTERVAL_SECONDS = 60.0
MAX_ADDRESSES = 1000  # counted for each kind between two reports
LOGGED_REASONS = frozenset(  # the reasons of refusals that have nothing to do with the rules of a game or a room
    {
        "bad_request",
        "blocked",
        "busy",
        "foreign_host",
        "foreign_origin",
        "forbidden",
        "no_room",
        "no_seat",
        "not_allowed",
        "not_host",
        "too_fast",
        "too_large",
        "too_many",
    }
)


class OffenceLog:
    """The number of refusals since the last report, by reason and by what was refused: a request, a connection, a
    socket or a message."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, str]] = Counter()
        self._addresses: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)

    def note(self, what: str, reason: str, address: str | None) -> None:
        kind = what, reason
        self.counts[kind] += 1
        addresses = self._addresses[kind]
        if address and (address in addresses or len(addresses) < MAX_ADDRESSES):
            addresses[address] += 1

    def note_rejected(self, what: str, reason: str, address: str | None) -> None:
        """Counts a connection or socket that was rejected without an ordinary refusal, and adds it to the metrics.
        Ordinary refusals are already in the metrics when they are counted."""
        monitoring.refusals.labels(reason).inc()
        self.note(what, reason, address)

    def report(self) -> None:
        """Logs one line for each kind of refusal. The line names the address that was refused most often."""
        counts, self.counts = self.counts, Counter()
        found, self._addresses = self._addresses, defaultdict(Counter)
        for (what, reason), count in counts.items():
            addresses = found[what, reason]
            facts = {"what": what, "reason": reason, "count": count, "addresses": len(addresses)}
            if addresses:
                facts["busiest"] = _shown(max(addresses, key=addresses.__getitem__))
            monitoring.log.warning("refused", **facts)


def _shown(address: str) -> str:
    """The address for the log. If a client has sent a text that is no address, the text is not logged."""
    try:
        return str(ip_address(address))
    except ValueError:
        return "no address"
