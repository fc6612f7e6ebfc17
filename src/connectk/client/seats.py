"""Seats in matches on a server: inviting and joining over HTTP, and the saved secrets of seats."""

from __future__ import annotations

import json
import re
import secrets
from dataclasses import dataclass
from pathlib import Path

from connectk.client.api import Json, ServerRefused, address_of, post
from connectk.errors import ConnectkError
from connectk.rules import CLASSIC, Variant
from connectk.system import state_folder, write_atomically
from connectk.texts import Texts

LINK = re.compile(r"(https?://[^/\s#?]+)/?#/?join/([\w-]+)/([\w-]+)/?")
MAX_SEATS = 100


class NotAnInvitation(ConnectkError):
    """The text is not an invitation link."""

    key = "error.NotAnInvitation"

    def __init__(self, link: str) -> None:
        self.link = link
        super().__init__(link)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"link": self.link}


@dataclass(frozen=True)
class HeldSeat:
    """A seat in a match and its secret. `link` invites the opponent and is empty once both seats are taken."""

    server: str
    match: str
    secret: str
    link: str = ""


class HeldSeats:
    """The saved secrets of the seats taken on this machine, so that the same link leads back to the same seat."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or state_folder() / "seats.json"

    def find(self, server: str, match: str) -> tuple[str, bool] | None:
        """The secret, and whether the server has confirmed the seat."""
        match self._load().get(f"{server} {match}"):
            case {"secret": str(secret), "taken": bool(taken)}:
                return secret, taken
        return None

    def save(self, seat: HeldSeat, taken: bool = True) -> None:
        """Save the secret, readable by its owner only; a file that cannot be written is ignored."""
        self._write({**self._load(), f"{seat.server} {seat.match}": {"secret": seat.secret, "taken": taken}})

    def remove(self, seat: HeldSeat) -> None:
        self._write({name: saved for name, saved in self._load().items() if name != f"{seat.server} {seat.match}"})

    def _write(self, saved: Json) -> None:
        newest = dict(list(saved.items())[-MAX_SEATS:])
        try:
            write_atomically(self.path, lambda: json.dumps(newest, indent=2) + "\n", mode=0o600)
        except OSError:
            return

    def _load(self) -> Json:
        try:
            saved = json.loads(self.path.read_bytes())
        except (OSError, ValueError):
            return {}
        return saved if isinstance(saved, dict) else {}


@dataclass(frozen=True)
class Opening:
    """The options of an invitation: the board, moves already played, and who moves next."""

    variant: Variant = CLASSIC
    moves: tuple[int, ...] = ()
    friend_first: bool = False


def join(link: str, name: str | None, seats: HeldSeats) -> HeldSeat:
    """Take the free seat that a link leads to, or return to the one taken on this machine before."""
    found = LINK.fullmatch(link.strip())
    if not found:
        raise NotAnInvitation(link)
    server, match, invitation = found.groups()
    secret, taken = seats.find(server, match) or (secrets.token_urlsafe(32), False)
    seat = HeldSeat(server, match, secret)
    if not taken:
        _take(seat, invitation, name, seats)
    return seat


def _take(seat: HeldSeat, invitation: str, name: str | None, seats: HeldSeats) -> None:
    """Save the secret before the request: if the answer is lost, a repeated request gives the same seat."""
    seats.save(seat, taken=False)
    body = {"invitation": invitation, "secret": seat.secret, **({"name": name} if name else {})}
    try:
        post(seat.server, f"/api/matches/{seat.match}/join", body)
    except ServerRefused:
        seats.remove(seat)
        raise
    seats.save(seat)


def invite(server: str, opening: Opening, name: str | None, seats: HeldSeats) -> HeldSeat:
    """Create a match with a free seat and a link to it."""
    server = address_of(server)
    me: Json = {"kind": "me", **({"name": name} if name else {})}
    order = [{"kind": "invited"}, me] if opening.friend_first else [me, {"kind": "invited"}]
    variant = opening.variant
    size = {"width": variant.width, "height": variant.height, "run": variant.run}
    made = post(
        server, "/api/matches", {"first": order[0], "second": order[1], "variant": size, "moves": list(opening.moves)}
    )
    match = str(made["match"]["id"])
    seat = HeldSeat(server, match, str(made["secret"]), f"{server}/#/join/{match}/{made['invitation']}")
    seats.save(seat)
    return seat
