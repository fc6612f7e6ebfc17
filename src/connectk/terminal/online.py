"""Texts about a match on a server."""

from __future__ import annotations

from connectk.client.api import ServerRefused
from connectk.client.match import MatchSnapshot, ServerEvent
from connectk.rules import Side
from connectk.terminal.match import PERSON, LocalMatch
from connectk.terminal.sentences import Sentences
from connectk.texts import Texts

NEWS_TEXT_KEYS = {
    ServerEvent.DISCONNECTED: "play.reconnecting",
    ServerEvent.RECONNECTED: "play.back",
    ServerEvent.NOT_FOUND: "refused.not_found",
}


def news_text(news: ServerEvent | ServerRefused, texts: Texts) -> str:
    """Return the text for a connection event or a refusal; a change of the match has none."""
    return news.localize(texts) if isinstance(news, ServerRefused) else texts(NEWS_TEXT_KEYS[news])


def local_match(snapshot: MatchSnapshot, texts: Texts) -> LocalMatch:
    """Convert to a local match, with the friend's name in the other seat."""
    names = {side: snapshot.names[side] or texts("play.free_seat") for side in Side}
    return LocalMatch(snapshot.game, {side: PERSON if side is snapshot.side else names[side] for side in Side})


def match_status(snapshot: MatchSnapshot, sentences: Sentences) -> str:
    """Return a sentence about the match: who is awaited, whose turn it is, what is offered, or how it ended."""
    texts, offer = sentences.texts, snapshot.state["offer"]
    if offer:
        own = snapshot.side is not None and offer["side"] == str(snapshot.side)
        name = snapshot.names[Side[offer["side"].upper()]]
        return texts(f"offer.own.{offer['what']}") if own else texts(f"offer.{offer['what']}", name=name)
    if snapshot.state["waiting"]:
        return texts("play.waiting")
    return _ending(snapshot, sentences) if snapshot.state["result"] else sentences.turn(local_match(snapshot, texts))


def _ending(snapshot: MatchSnapshot, sentences: Sentences) -> str:
    result, match = snapshot.state["result"], local_match(snapshot, sentences.texts)
    if result["reason"] in ("line", "full"):
        return sentences.result(match)
    winner = Side[result["winner"].upper()] if result["winner"] else None
    if winner is None:
        return sentences.texts("result.agreed")
    return sentences.texts(f"result.{result['reason']}", name=sentences.name(match, winner.other))
