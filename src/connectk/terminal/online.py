"""Sentences about a match or a room on a server. Also opens the match or room of a link or a code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from connectk.client.api import ServerRefused
from connectk.client.match import MatchSnapshot, ServerEvent
from connectk.client.room import RoomBoard, RoomPerson
from connectk.client.seats import (
    JOIN_LINK_PATTERN,
    HeldSeat,
    HeldSeats,
    InvitationOptions,
    NotAnInvitation,
    invite,
    join,
)
from connectk.play.secrets_and_codes import parse_room_code
from connectk.rules import Game, Position, Side
from connectk.terminal.match import PERSON_SEAT, LocalMatch
from connectk.terminal.sentences import Sentences
from connectk.texts import Texts

LOCAL_SERVER = "http://127.0.0.1:8000"
MemberFactory = Callable[[Callable[..., None], Callable[[RoomBoard], None]], RoomPerson]
NEWS_TEXT_KEYS = {
    ServerEvent.DISCONNECTED: "play.reconnecting",
    ServerEvent.RECONNECTED: "play.back",
    ServerEvent.NOT_FOUND: "refused.not_found",
}


def news_text(news: ServerEvent | ServerRefused, texts: Texts) -> str:
    """The sentence for a change of the connection, or for a refusal. There is no sentence for `ServerEvent.CHANGED`."""
    return news.localize(texts) if isinstance(news, ServerRefused) else texts(NEWS_TEXT_KEYS[news])


def local_match(snapshot: MatchSnapshot, texts: Texts) -> LocalMatch:
    """The match as a `LocalMatch`, with the friend's name in the other seat."""
    seats = {side: PERSON_SEAT if side is snapshot.side else name_of(snapshot, side, texts) for side in Side}
    return LocalMatch(snapshot.game, seats)


def name_of(snapshot: MatchSnapshot, side: Side, texts: Texts) -> str:
    """The name of a player. Somebody without a name is called a guest."""
    return snapshot.names[side] or texts("play.free_seat" if snapshot.state["waiting"] else "name.guest")


def match_status(snapshot: MatchSnapshot, sentences: Sentences) -> str:
    """A sentence about the match: who is missing, whose turn it is, what a player offers, or how it ended."""
    texts, offer = sentences.texts, snapshot.state["offer"]
    if offer:
        own = snapshot.side is not None and offer["side"] == str(snapshot.side)
        name = name_of(snapshot, Side[offer["side"].upper()], texts)
        return texts(f"offer.own.{offer['what']}") if own else texts(f"offer.{offer['what']}", name=name)
    if snapshot.state["waiting"]:
        return texts("play.waiting")
    if snapshot.state["result"]:
        return _ending(snapshot, sentences)
    if snapshot.state["turn"] != snapshot.state["side_to_move"]:  # one player places the discs of both
        placer = Side[snapshot.state["turn"].upper()]
        return texts(
            "place.also_you" if placer is snapshot.side else "place.also", name=name_of(snapshot, placer, texts)
        )
    return sentences.turn(local_match(snapshot, texts))


def _ending(snapshot: MatchSnapshot, sentences: Sentences) -> str:
    result, match = snapshot.state["result"], local_match(snapshot, sentences.texts)
    if result["reason"] in ("line", "full"):
        return sentences.result(match)
    winner = Side[result["winner"].upper()] if result["winner"] else None
    if winner is None:
        return sentences.texts("result.agreed")
    return sentences.texts(f"result.{result['reason']}", name=sentences.name(match, winner.other))


@dataclass(frozen=True)
class OnlineChoice:
    """The match or room in which the user wants to play.

    `link` is the link of a match or a room, or the code of a room. It is empty for a new invitation.
    """

    server: str
    link: str
    name: str
    start: Position

    @property
    def room_code(self) -> str | None:
        """The code of a room; None if this is a match. Raises `NotAnInvitation`."""
        if not self.link or JOIN_LINK_PATTERN.search(self.link):
            return None
        code = parse_room_code(self.link.rpartition("/#/room/")[2])
        if not code:
            raise NotAnInvitation(self.link)
        return code

    def seat(self, seats: HeldSeats) -> HeldSeat:
        """Ask the server for a seat in the match."""
        name = self.name or None
        return (
            join(self.link, name, seats)
            if self.link
            else invite(self.server, InvitationOptions(Game(self.start)), name, seats)
        )

    def member(self, seats: HeldSeats) -> MemberFactory:
        """Returns a function that makes this user a member of the room. A user who returns gets the same place
        again."""
        server, code, name = self.link.rpartition("/#/room/")[0] or self.server, self.room_code or "", self.name or "?"

        def make(report: Callable[..., None], on_board: Callable[[RoomBoard], None]) -> RoomPerson:
            held = seats.find(server, f"room {code} {name}")
            member = RoomPerson(server, code, name, report, on_board, held and held[0])
            seats.save(member.seat)  # before joining, so that a member who returns gets the same place
            return member

        return make


def room_status(board: RoomBoard, sentences: Sentences) -> str:
    """A sentence about a match in a room: whose turn it is, or what a player offers."""
    texts = sentences.texts
    if board.state["result"]:
        return texts("online.room.waiting")
    if board.is_asked:
        return texts(f"online.room.offer.{board.state['offer']['what']}")
    if board.is_ours and board.state["can_swap"]:
        return texts("swap.yours")
    if not board.is_ours:
        return texts("online.room.their_turn")
    return sentences.own_turn(board.game.position.side_to_move)
