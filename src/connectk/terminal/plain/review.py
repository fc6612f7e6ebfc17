"""A review in sentences, with the graph."""

from __future__ import annotations

from queue import SimpleQueue

from connectk.review import Label, Review
from connectk.rules import Side
from connectk.terminal.glyphs import LETTERS, SIGNS
from connectk.terminal.graph import Graph
from connectk.terminal.plain.game import PlainGame
from connectk.terminal.reviewing import (
    Progress,
    ReviewSearch,
    graph_of,
    say_accuracy,
    say_move,
    say_reason,
    say_turning_point,
)

WIDTH, HEIGHT = 72, 7


def say_review(played: PlainGame) -> None:
    """The graph, every move that was not best, how well each side played, and where the game turned."""
    talk, texts, match = played.talk, played.texts, played.match
    talk.say(texts("review.thinking"))
    review = _review(played)
    if isinstance(review, Exception):
        talk.say(str(review))
        return
    talk.say(f"\n{_drawn(graph_of(review), played)}\n")
    for ply, move in enumerate(review.moves, start=1):
        if move.label is not Label.BEST:
            story = say_move(move, texts) + say_reason(move, texts)
            talk.say(texts("review.move", ply=ply, column=move.column + 1, story=story))
    for side in Side:
        talk.say(say_accuracy(review, side, played.sentences.name(match, side), texts))
    talk.say(say_turning_point(review, texts))


def _drawn(graph: Graph, played: PlainGame) -> str:
    first, *middle, second = graph.draw(WIDTH, HEIGHT)
    lines = [f"○ {first}", *(f"  {line}" for line in middle), f"● {second}"]
    text = "\n".join(line.rstrip() for line in lines)
    return text.translate(SIGNS) if played.discs is LETTERS else text


def _review(played: PlainGame) -> Review | Exception:
    told: SimpleQueue[Progress | Review | Exception] = SimpleQueue()
    search = ReviewSearch(played.match.game, told.put)
    try:
        while isinstance(news := told.get(), tuple):
            pass
        return news
    finally:
        search.stop()
