"""Every statement of a review is true, says whether it holds in every line of play, and has a sentence in every
language."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from connectk import Game, Variant, parse_moves
from connectk.notation import SavedGame
from connectk.players.levels import level_player
from connectk.players.player import Clock
from connectk.review import review_game
from connectk.review.messages import ReasonKind
from connectk.review.reasons import describe_reason
from connectk.review.report import localize_review, to_json
from connectk.texts import LANGUAGES, load_texts
from tests.review.claims import require_true

AT_ONCE: dict[str, Any] = {"columns": [3], "cells": [(3, 2)], "line": [3], "side": "first"}
FORK: dict[str, Any] = {"columns": [1, 5], "cells": [(1, 0), (5, 0)], "line": [3], "side": "first"}
FORCE: dict[str, Any] = {"columns": [3], "cells": [(5, 2)], "line": [3, 4, 5], "side": "second", "disc": 17}
LINE: dict[str, Any] = {"columns": [4], "cells": [(4, 3)], "line": [2, 4, 4], "side": "second", "disc": 30}
KINDS: dict[str, dict[str, Any]] = {
    "missed_win": AT_ONCE | {"columns": [3, 5]},
    "missed_block": AT_ONCE,
    "allowed_win": AT_ONCE,
    "allowed_win_on_top": AT_ONCE,
    "missed_fork": FORK,
    "allowed_fork": FORK | {"columns": [4]},
    "missed_force": FORCE,
    "allowed_force": FORCE,
    "missed_line": LINE,
    "allowed_line": LINE,
    "missed_line_beneath": LINE | {"last_column": False},
    "allowed_line_beneath": LINE | {"last_column": True},
}


def reason(kind: str, facts: dict[str, Any]) -> Any:
    holds = "one_line" if "line" in kind else "every_line"
    return {"kind": kind, "holds": holds, "run": 4, **facts}


def games(count: int) -> Iterator[Game]:
    """Games of random players and of levels, on the classic board and on small ones."""
    for seed in range(count):
        dice = random.Random(seed)
        game = Game(Variant() if seed % 2 == 0 else Variant(*dice.choice([(5, 4, 3), (6, 5, 4), (5, 5, 4)])))
        players = [level_player(dice.randint(1, 6), seed + side) for side in range(2)]
        while game.outcome is None:
            game.drop(players[game.position.side_to_move.value].choose(game.position, Clock()).column)
        yield game


def walk(count: int) -> set[str]:
    """Check every reason in the reviews of this many games. Returns the kinds of reasons that occurred."""
    kinds = set()
    for game in games(count):
        for move in review_game(game, seconds=60).moves:
            assert bool(move.reasons) <= move.label.is_flawed
            for one in move.reasons:
                require_true(move, one)
                kinds.add(one["kind"])
    return kinds


def test_every_reason_of_some_games_is_true() -> None:
    """A statement about every line is true for any reply, and a statement about one line says that it is about one
    line."""
    assert walk(12) >= {"missed_win", "missed_block", "allowed_fork", "allowed_line_beneath"}


@pytest.mark.deep
def test_every_reason_of_a_hundred_games_is_true() -> None:
    assert walk(100) >= set(KINDS) - {"allowed_win"}


@pytest.mark.parametrize("moves", ["1", "445", "4444431", "454416756764"])
def test_a_win_that_is_far_away_is_told_as_one_line_among_others(moves: str) -> None:
    """A distant win is described as one line among others: 'One way it ...', without 'must', 'has', 'only', 'even' or
    'odd'."""
    for move in review_game(Game(moves=parse_moves(moves))).moves:
        for one in move.reasons:
            require_true(move, one)
            if one["holds"] == "one_line":
                assert describe_reason(one, load_texts("en")).startswith("One way it ")
        assert not set(move.reason.split()) & {"must", "has", "only", "even", "odd"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_a_sentence_in_every_language(kind: str, language: str) -> None:
    """Every kind of reason has a sentence in every language, with its facts in it."""
    said = describe_reason(reason(kind, KINDS[kind]), load_texts(language))

    assert said[0].isupper()
    assert said.endswith(".")
    assert not set(said) & set("{}")
    assert (said == describe_reason(reason(kind, KINDS[kind]), load_texts("en"))) == (language == "en")
    one_way = {"en": "One way it ", "fi": "Näin ", "sv": "Så "}[language]
    assert said.startswith(one_way) == ("line" in kind)


def test_every_kind_is_told_here() -> None:
    assert set(KINDS) == set(ReasonKind.__args__)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("language", "kind", "said"),
    [
        ("en", "missed_win", "Columns 4 and 6 would have made 4 in a row at once."),
        ("fi", "missed_win", "Sarakkeissa 4 ja 6 olisi saanut heti 4 peräkkäin."),
        ("sv", "missed_win", "Kolumnerna 4 och 6 hade gett 4 i rad direkt."),
        ("fi", "allowed_win", "Siirto jättää auki sarakkeen 4, jossa ensimmäinen pelaaja saa 4 peräkkäin."),
        (
            "en",
            "allowed_force",
            "It lets the second player win by force, threat after threat: 4 (5) 6 (replies in brackets).",
        ),
        (
            "en",
            "allowed_line_beneath",
            "One way it can go: the first player ends up dropping beneath column 5, row 4, where the second player "
            "completes 4 in a row with disc 30. By then no other column is open.",
        ),
    ],
)
def test_columns_are_counted_and_inflected(language: str, kind: str, said: str) -> None:
    """Sentences are inflected for one column or several, in the grammatical case that the language requires."""
    assert describe_reason(reason(kind, KINDS[kind]), load_texts(language)) == said


def test_the_json_of_a_review_is_told_in_another_language_and_stays_as_it_was() -> None:
    """Translating the JSON of a review into Swedish does not change the cached review."""
    game = Game(moves=parse_moves("5363767"))
    english = to_json(SavedGame(game), review_game(game))

    swedish = localize_review(english, load_texts("sv"))

    assert swedish["moves"][-1]["reason"] == "Kolumn 4 hade gett 4 i rad direkt."
    assert english["moves"][-1]["reason"] == "Column 4 would have made 4 in a row at once."
    assert localize_review(english, load_texts("en")) == english
