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


def local_match(known: MatchSnapshot, texts: Texts) -> LocalMatch:
    """Convert to a local match, with the friend's name in the other seat."""
    names = {side: known.names[side] or texts("play.free_seat") for side in Side}
    return LocalMatch(known.game, {side: PERSON if side is known.side else names[side] for side in Side})


def match_status(known: MatchSnapshot, sentences: Sentences) -> str:
    """Return a sentence about the match: who is awaited, whose turn it is, what is offered, or how it ended."""
    texts, offer = sentences.texts, known.state["offer"]
    if offer:
        own = known.side is not None and offer["side"] == str(known.side)
        name = known.names[Side[offer["side"].upper()]]
        return texts(f"offer.own.{offer['what']}") if own else texts(f"offer.{offer['what']}", name=name)
    if known.state["waiting"]:
        return texts("play.waiting")
    return _ending(known, sentences) if known.state["result"] else sentences.turn(local_match(known, texts))


def _ending(known: MatchSnapshot, sentences: Sentences) -> str:
    result, match = known.state["result"], local_match(known, sentences.texts)
    if result["reason"] in ("line", "full"):
        return sentences.result(match)
    winner = Side[result["winner"].upper()] if result["winner"] else None
    if winner is None:
        return sentences.texts("result.agreed")
    return sentences.texts(f"result.{result['reason']}", name=sentences.name(match, winner.other))
