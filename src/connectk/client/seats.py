"""Invites people to matches on a server, joins such matches, and saves the secrets of the seats."""

from __future__ import annotations

import json
import re
import secrets
from dataclasses import dataclass, field
from pathlib import Path

from connectk.client.api import Json, ServerRefused, address_of, post
from connectk.errors import ConnectkError
from connectk.notation import write_start
from connectk.notation.views import variant_view
from connectk.rules import Game
from connectk.system import state_folder, write_atomically

# As the page shares it, or with the address behind the `#`, as earlier versions did.
JOIN_LINK_PATTERN = re.compile(r"(https?://[^/\s#?]+)/?(?:#/?join/([\w-]+)/|i/([\w-]+)(?:\?lang=\w+)?#)([\w-]+)/?")
MAX_SAVED_SEATS = 100


@dataclass(eq=False)
class NotAnInvitation(ConnectkError):
    """The text is not an invitation link."""

    key = "error.NotAnInvitation"
    link: str


@dataclass(frozen=True)
class HeldSeat:
    """A seat in a match, and its secret. `link` is the invitation link for the opponent, or empty if this player
    invited nobody."""

    server: str
    match: str
    secret: str
    link: str = ""


class HeldSeats:
    """The saved secrets of the seats that users of this machine have taken. With them, a link leads back to the same
    seat."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or state_folder() / "seats.json"

    def find(self, server: str, match: str) -> tuple[str, bool] | None:
        """The saved secret of a seat, and whether the server has confirmed that the seat is taken. None if no secret is
        saved."""
        match self._load().get(f"{server} {match}"):
            case {"secret": str(secret), "taken": bool(taken)}:
                return secret, taken
        return None

    def own_link(self, server: str, match: str) -> str:
        """The link with which this user invited somebody to the match. Empty if there is no such link."""
        saved = self._load().get(f"{server} {match}")
        return str(saved.get("link", "")) if isinstance(saved, dict) else ""

    def save(self, seat: HeldSeat, taken: bool = True) -> None:
        """Save the secret of a seat in a file that only this user can read. If the file cannot be written, nothing is
        saved."""
        entry = {"secret": seat.secret, **({"link": seat.link} if seat.link else {})}
        self._write({**self._load(), f"{seat.server} {seat.match}": {**entry, "taken": taken}})

    def remove(self, seat: HeldSeat) -> None:
        self._write({name: saved for name, saved in self._load().items() if name != f"{seat.server} {seat.match}"})

    def _write(self, saved: Json) -> None:
        newest = dict(list(saved.items())[-MAX_SAVED_SEATS:])
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
class InvitationOptions:
    """The game that an invitation offers: the moves so far, whether the invited friend moves first, and the swap
    rule."""

    game: Game = field(default_factory=Game)
    friend_first: bool = False
    swap: bool = False


def join(link: str, name: str | None, seats: HeldSeats) -> HeldSeat:
    """Take the free seat of the match that a link leads to. If this user already has a seat there, return that seat."""
    found = JOIN_LINK_PATTERN.fullmatch(link.strip())
    if not found:
        raise NotAnInvitation(link)
    server, match, invitation = found[1], found[2] or found[3], found[4]
    secret, taken = seats.find(server, match) or (secrets.token_urlsafe(32), False)
    seat = HeldSeat(server, match, secret, seats.own_link(server, match))
    if not taken:
        _take(seat, invitation, name, seats)
    return seat


def _take(seat: HeldSeat, invitation: str, name: str | None, seats: HeldSeats) -> None:
    """Take a seat. Its secret is saved before the request, so that the same link leads to this seat even if no answer
    arrives."""
    seats.save(seat, taken=False)
    body = {"invitation": invitation, "secret": seat.secret, **({"name": name} if name else {})}
    try:
        post(seat.server, f"/api/matches/{seat.match}/join", body)
    except ServerRefused:
        seats.remove(seat)
        raise
    seats.save(seat)


def invite(server: str, opening: InvitationOptions, name: str | None, seats: HeldSeats) -> HeldSeat:
    """Create a match with a free seat. Returns this player's seat with the link for the opponent."""
    server = address_of(server)
    me: Json = {"kind": "me", **({"name": name} if name else {})}
    order = [{"kind": "invited"}, me] if opening.friend_first else [me, {"kind": "invited"}]
    game = opening.game
    board: Json = {"variant": variant_view(game.variant), "start": write_start(game.start), "moves": list(game.moves)}
    board |= {"swap": True} if opening.swap else {}
    made = post(server, "/api/matches", {"first": order[0], "second": order[1], **board})
    match = str(made["match"]["id"])
    seat = HeldSeat(server, match, str(made["secret"]), f"{server}/i/{match}#{made['invitation']}")
    seats.save(seat)
    return seat
