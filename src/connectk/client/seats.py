"""Seats in matches on a server: invitations made and followed over HTTP, and the secrets that lead back to a seat."""

from __future__ import annotations

import json
import re
import secrets
from dataclasses import dataclass
from pathlib import Path

from connectk.client.api import Json, ServerRefused, address_of, post
from connectk.errors import ConnectkError
from connectk.rules import CLASSIC, Variant
from connectk.system import state_folder, write_whole
from connectk.texts import Texts

LINK = re.compile(r"(https?://[^/\s#?]+)/?#/?join/([\w-]+)/([\w-]+)/?")
MAX_SEATS = 100


class NotAnInvitation(ConnectkError):
    """Text that is no link to a match."""

    key = "error.NotAnInvitation"

    def __init__(self, link: str) -> None:
        self.link = link
        super().__init__(link)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"link": self.link}


@dataclass(frozen=True)
class HeldSeat:
    """A place in a match: whoever has its secret plays there. `link` invites the other, until one has come."""

    server: str
    match: str
    secret: str
    link: str = ""


class HeldSeats:
    """The secrets of the seats taken from here, so that the same link leads back to the same seat."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or state_folder() / "seats.json"

    def find(self, server: str, match: str) -> tuple[str, bool] | None:
        """The secret, and whether the server has said that the seat is ours."""
        match self._all().get(f"{server} {match}"):
            case {"secret": str(secret), "taken": bool(taken)}:
                return secret, taken
        return None

    def keep(self, seat: HeldSeat, taken: bool = True) -> None:
        """For its owner's eyes only; where it cannot be written, leaving means losing the seat."""
        self._write({**self._all(), f"{seat.server} {seat.match}": {"secret": seat.secret, "taken": taken}})

    def forget(self, seat: HeldSeat) -> None:
        self._write({name: known for name, known in self._all().items() if name != f"{seat.server} {seat.match}"})

    def _write(self, known: Json) -> None:
        newest = dict(list(known.items())[-MAX_SEATS:])
        try:
            write_whole(self.path, lambda: json.dumps(newest, indent=2) + "\n", mode=0o600)
        except OSError:
            return

    def _all(self) -> Json:
        try:
            known = json.loads(self.path.read_bytes())
        except (OSError, ValueError):
            return {}
        return known if isinstance(known, dict) else {}


@dataclass(frozen=True)
class Opening:
    """What an inviter may choose: the board, moves already played, and who makes the next one."""

    variant: Variant = CLASSIC
    moves: tuple[int, ...] = ()
    friend_first: bool = False


def join(link: str, name: str | None, seats: HeldSeats) -> HeldSeat:
    """The free seat that a link leads to, or the one taken from here before."""
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
    """Kept before it is asked for: should the answer get lost, asking again gives the same seat."""
    seats.keep(seat, taken=False)
    body = {"invitation": invitation, "secret": seat.secret, **({"name": name} if name else {})}
    try:
        post(seat.server, f"/api/matches/{seat.match}/join", body)
    except ServerRefused:
        seats.forget(seat)
        raise
    seats.keep(seat)


def invite(server: str, opening: Opening, name: str | None, seats: HeldSeats) -> HeldSeat:
    """A new match with a free seat, and the link that leads to it."""
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
    seats.keep(seat)
    return seat
