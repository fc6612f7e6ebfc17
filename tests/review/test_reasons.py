"""The sentence that says why, in every language."""

from __future__ import annotations

from typing import Any

import pytest

from connectk import Game, parse_moves
from connectk.notation import SavedGame
from connectk.review import review_game
from connectk.review.reasons import Reason
from connectk.review.report import in_language, to_json
from connectk.texts import LANGUAGES, load_texts

SIDES = {"winner": "second", "loser": "first"}
THREAT = {"column": 2, "threat_column": 4, "row": 3, "run": 4, "move": 30, **SIDES}
FORK = {"column": 3, "columns": [1, 5], "winner": "first"}
KINDS: dict[str, dict[str, Any]] = {
    "missed_win": {"columns": [3, 5], "run": 4},
    "allowed_win": {"columns": [3], "winner": "first", "run": 4},
    "allowed_win_on_top": {"columns": [3], "winner": "first", "run": 4},
    "missed_fork": FORK,
    "allowed_fork": FORK | {"columns": [4]},
    "missed_lasting_threat": THREAT,
    "missed_coming_threat": THREAT,
    "missed_open_play": THREAT,
    "allowed_lasting_threat": THREAT,
    "allowed_coming_threat": THREAT,
    "allowed_open_play": THREAT,
    "score_prefers": {"columns": (0, 2, 6)},
    "engine_prefers": {"columns": (0,)},
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_a_sentence_in_every_language(kind: str, language: str) -> None:
    """With its facts filled in, and not in English where another language was asked for."""
    reason = Reason(kind, KINDS[kind])
    said = reason.say(load_texts(language))

    assert said[0].isupper()
    assert said.endswith(".")
    assert not set(said) & set("{}")
    assert (said == reason.text) == (language == "en")


@pytest.mark.parametrize(
    ("language", "kind", "said"),
    [
        ("en", "missed_win", "Columns 4 and 6 would have made 4 in a row at once."),
        ("fi", "missed_win", "Sarakkeissa 4 ja 6 olisi saanut heti 4 peräkkäin."),
        ("sv", "missed_win", "Kolumnerna 4 och 6 hade gett 4 i rad direkt."),
        ("fi", "allowed_win", "Siirto jättää auki sarakkeen 4, jossa ensimmäinen pelaaja saa 4 peräkkäin."),
        (
            "fi",
            "allowed_lasting_threat",
            "Siirto johtaa häviöön: toisen pelaajan uhka sarakkeessa 5, rivillä 4 (parillinen rivi), säilyy, kunnes "
            "ensimmäinen pelaaja joutuu pudottamaan kiekon sen alle (siirto 30).",
        ),
        ("en", "score_prefers", "The exact score prefers columns 1, 3 and 7."),
    ],
)
def test_columns_are_counted_and_inflected(language: str, kind: str, said: str) -> None:
    """One column or several, and the case that the language asks for."""
    assert Reason(kind, KINDS[kind]).say(load_texts(language)) == said


def test_the_json_of_a_review_is_told_in_another_language_and_stays_as_it_was() -> None:
    """What is remembered for everyone is not changed by the one who asked in Swedish."""
    game = Game(moves=parse_moves("5363767"))
    told = to_json(SavedGame(game), review_game(game))

    swedish = in_language(told, load_texts("sv"))

    assert swedish["moves"][-1]["reason"] == "Kolumn 4 hade gett 4 i rad direkt."
    assert told["moves"][-1]["reason"] == "Column 4 would have made 4 in a row at once."
    assert in_language(told, load_texts("en")) == told
