"""Compares the page with Python where both have code of their own: sentences, and reading and writing files."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from connectk.errors import ConnectkError, NotationError, UnsupportedVariant
from connectk.notation import (
    FileKind,
    SavedGame,
    kind_of,
    parse_game_file,
    parse_moves,
    parse_saved_game,
    parse_start,
    write_game_file,
    write_moves,
    write_saved_game,
    write_start,
)
from connectk.notation.views import players_view, result_view, variant_view
from connectk.players.swapping import fair_column, find_probability, wants_swap
from connectk.review.report import describe_ledger, localize_review, to_json
from connectk.review.review import review_game
from connectk.rules import Game, Position, Side, Variant
from connectk.rules.variant import CLASSIC
from connectk.solver.solver import require_supported
from connectk.texts import LANGUAGES, load_texts
from tests.core.asking import ask, asked, spoken

VARIANTS = ["7x6x4", "5x4x3", "13x5x4", "41x3x3", "3x2x3"]
FILES = [
    "",
    "{}",
    " \n{",
    "7 6 4",
    "7 6 4\n1",
    "\n 7\t6 4 \r\n1\n",
    "7 6\n4",
    "7 6 4 1",
    "7,6,4",
    "445",
    "x",
    "7 6 4x",
    "٧ 6 4",
]


def test_a_file_is_taken_for_the_same() -> None:
    """The page and Python recognize a file as the same kind, whatever its first characters are."""
    dice = random.Random(8)
    files = FILES + ["".join(dice.choices("{7641 \t\r\n,x\v\f", k=dice.randint(1, 9))) for _ in range(500)]
    expected = [kind_of(text.encode()).value for text in files]

    assert ask(["fileKind", text] for text in files) == expected
    assert set(expected) == {kind.value for kind in FileKind}


def result_or_reason(read: Callable[..., Any], *facts: object) -> Any:
    """Return what `read` returns. If it fails, return the key of the reason or the name of the broken rule."""
    try:
        return read(*facts)
    except NotationError as error:
        return {"refused": error.key}
    except ConnectkError as error:
        return {"broken": type(error).__name__}


def named(answer: Any) -> Any:
    """The page's answer in the same form as Python's, without the facts of a broken rule."""
    return {"broken": answer["broken"]["rule"]} if isinstance(answer, dict) and "broken" in answer else answer


def test_moves_are_read_and_written_the_same() -> None:
    """The page and Python parse moves with commas and spaces alike, and refuse bad moves for the same reason."""
    dice = random.Random(5)
    texts = ["", " 445 ", "4,4,5,", "4,,5", "1,,", ",1", "12 3", "10,11", "4 ,5", "0", "1,0", "x", "4,x", "٤"]
    texts += ["".join(dice.choices("1234567890, \n", k=dice.randint(1, 8))) for _ in range(500)]
    widths = [dice.choice((3, 7, 9, 10, 13)) for _ in texts]
    expected = [result_or_reason(moves_of, text, width) for text, width in zip(texts, widths, strict=True)]

    assert ask(["parseMoves", text, width] for text, width in zip(texts, widths, strict=True)) == expected
    read = [(columns, width) for columns, width in zip(expected, widths, strict=True) if isinstance(columns, list)]
    assert len(read) > 50
    assert ask(["writeMoves", *one] for one in read) == [write_moves(one, Variant(width, 6, 4)) for one, width in read]


def moves_of(text: str, width: int) -> list[int]:
    return list(parse_moves(text, Variant(width, 6, 4)))


def test_a_start_is_read_and_written_the_same() -> None:
    """The page and Python parse set-up boards alike, and refuse bad ones by the same rule.

    The boards come from games, or look like those of an editor or a damaged address.
    """
    dice = random.Random(6)
    texts = [write_start(game.position) for game in games() if game.variant == CLASSIC and not game.outcome]
    texts += [
        "",
        "4xo.5x",
        "5x.4xo",
        "04xo",
        "4-x",
        "4x.4o",
        "0x",
        "8x",
        "4",
        "x",
        "4xo.",
        "4xo5x",
        "1xxxx.2ooo",
        "1x-",
    ]
    texts += [
        ".".join(dice.choice(("4xo", "5x", "2o", "1ox", "7xox", "3-o", "6", "9x")) for _ in range(3))
        for _ in range(200)
    ]
    answers = [named(answer) for answer in ask(["start", text, variant_view(CLASSIC)] for text in texts)]
    expected = [result_or_reason(start_of, text) for text in texts]

    assert [answer[0] if isinstance(answer, list) else answer for answer in answers] == expected
    assert all(answer[1] == answer[0] for answer in answers if isinstance(answer, list))
    assert {type(one) for one in expected} == {str, dict}


def start_of(text: str) -> str:
    return write_start(parse_start(text, CLASSIC))


def test_a_saved_game_is_read_the_same() -> None:
    """The page and Python read both versions of the saved game format alike, including version 1 with empty columns."""
    some = [SavedGame(game, {Side.FIRST: "Ann"}, given=min(2, len(game.moves))) for game in games()]
    files = [write_saved_game(saved) for saved in some]
    files += [old_file(start) for start in OLD_STARTS]
    for file, found in zip(files, ask(["parseSaved", file] for file in files), strict=True):
        saved = parse_saved_game(file)
        assert write_start(parse_start(found["start"], saved.game.variant)) == write_start(saved.game.start)
        assert found["variant"] == variant_view(saved.game.variant)
        assert found["moves"] == list(saved.game.moves)
        assert found["players"] == players_view(saved.players)
        assert found["given"] == saved.given


OLD_STARTS: list[dict[str, str]] = [
    {},
    {"3": ""},
    {"4": "xo", "5": "x", "3": "o"},
    {"5": "x...", "4": "xo....", "1": "......", "3": "o"},
    {"7": "x", "3": "", "04": "ox"},
]


def old_file(start: object) -> str:
    return json.dumps({"format": "connectk-game", "version": 1, "variant": "7x6x4", "start": start, "moves": "445"})


def test_a_start_that_cannot_be_read_is_refused() -> None:
    """The page and Python refuse a start of version 1 that is not an object, for the same reason."""
    wrong = ["4xo", ["xo"], None, 3, True]
    refused = ask([*(["parseSaved", old_file(start)] for start in wrong)])
    assert refused == [{"refused": "notation.not_object"}] * len(wrong)
    for start in wrong:
        with pytest.raises(NotationError, match="JSON object"):
            parse_saved_game(old_file(start))


def test_a_saved_game_is_written_the_same() -> None:
    """The page and Python write the same saved game, character by character."""
    some = [SavedGame(game, {Side.FIRST: "Åsa", Side.SECOND: 'level:5 "x"'}) for game in games()]
    questions = [
        {
            "variant": str(saved.game.variant),
            "start": write_start(saved.game.start),
            "moves": write_moves(saved.game.moves, saved.game.variant),
            "players": players_view(saved.players),
            "result": result_view(saved.result),
        }
        for saved in some
    ]

    assert ask(["writeSaved", question] for question in questions) == [write_saved_game(saved) for saved in some]


def test_a_game_file_is_read_the_same() -> None:
    """The page and Python read Connect-Z files alike. The files are valid, because the referee checks a file first."""
    files = [write_game_file(game.variant, game.moves) for game in games()]
    files += [b"7 6 4", b" 7\t6  4 \r\n 1 \r\n2", b"7 6 4\r1\r2\r", b"007 6 4\n03\n"]
    for file, found in zip(files, ask(["parseGameFile", file.decode()] for file in files), strict=True):
        width, height, run, columns = parse_game_file(file)
        assert found == {"variant": {"width": width, "height": height, "run": run}, "moves": list(columns)}


BROKEN = [("9x", ""), ("4-x", ""), ("4xoxoxox", ""), ("1xxx", ""), ("1xxxx.2ooo.3o", ""), ("1xxxx.2oooo", ""),
          ("", "44444444"), ("", "8"), ("", "12121212")]  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_broken_rule_is_said_in_the_same_words(language: str) -> None:
    questions = [["start", start, variant_view(CLASSIC)] for start, moves in BROKEN if not moves]
    questions += [["game", asked(Position(), parse_moves(moves))] for start, moves in BROKEN if moves]
    broken = [answer["broken"] for answer in ask(questions)]
    answers = ask([spoken(language, "first", "later"), *(["brokenRuleText", one] for one in broken)])[1:]

    assert answers == [refusal(start, moves).localize(load_texts(language)) for start, moves in BROKEN]
    assert len({one["rule"] for one in broken}) > 6


def refusal(start: str, moves: str) -> ConnectkError:
    with pytest.raises(ConnectkError) as refused:
        Game(parse_start(start), parse_moves(moves))
    return refused.value


def test_the_same_boards_can_be_explained() -> None:
    variants = [Variant(width, height, 3) for width in range(3, 40) for height in range(3, 40)]
    answers = ask(["canExplain", variant_view(variant)] for variant in variants)

    assert answers == [is_supported(variant) for variant in variants]


def is_supported(variant: Variant) -> bool:
    try:
        require_supported(variant)
    except UnsupportedVariant:
        return False
    return True


@pytest.fixture(scope="module")
def reviews() -> list[Any]:
    """Reviews of games on small boards, with many kinds of reasons and some estimates."""
    dice = random.Random(7)
    some = []
    for name in ["5x4x3", "4x5x4", "5x5x4"] * 8:
        game = Game(Variant.parse(name))
        while not game.outcome:
            game.drop(dice.choice(game.position.legal_columns))
        some.append(to_json(SavedGame(game), review_game(game, seconds=60)))
    about: dict[str, Any] = {"kind": "about", "count": 0, "score": -0.128}
    return [*some, {"moves": [{**some[0]["moves"][0], "worth_before": about, "worth_after": {**about, "score": 0.5}}]}]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_review_is_said_in_the_same_words(reviews: list[Any], language: str) -> None:
    """The page and Python describe a review in the same words, except for estimates exactly between two hundredths."""
    expected = [move for review in reviews for move in localize_review(review, load_texts(language))["moves"]]
    moves = [move for review in reviews for move in review["moves"]]
    answers = ask([spoken(language, "first", "later"), *(["withText", move] for move in moves)])[1:]

    for name in ("before_words", "after_words", "reason"):
        assert [answer[name] for answer in answers] == [move[name] for move in expected]
    assert len({reason["kind"] for move in expected for reason in move["reasons"]}) > 5


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_ledger_is_said_in_the_same_words(reviews: list[Any], language: str) -> None:
    moves = [move for review in reviews for move in review["moves"]]
    names = {side: load_texts(language)(f"reason.side.{side}") for side in ("first", "second")}
    by_side = {Side.FIRST: names["first"], Side.SECOND: names["second"]}
    answers = ask([spoken(language, "first", "later"), *(["ledgerText", move["ledger"], names] for move in moves)])[1:]

    assert answers == [describe_ledger(move["ledger"], by_side, load_texts(language)) for move in moves]
    assert max(map(len, answers)) > 2


class Chance(random.Random):
    """A random generator that always returns this number."""

    def __init__(self, share: float) -> None:
        super().__init__(1)
        self.share = share

    def random(self) -> float:
        return self.share


@pytest.mark.parametrize("player", ["level:1", "level:6", "level:10", "random", "greedy", "perfect", "engine:100ms"])
def test_a_computer_player_swaps_alike(player: str) -> None:
    """For computer players under the swap rule, the page and Python compute the same probability, side and first
    disc."""
    exact = {"exact": True, "scores": [None, -3, -2], "estimates": None}
    guessed = {"exact": False, "scores": None, "estimates": [0.4, None, -0.1]}
    cases: list[tuple[Any, float]] = [
        (scores, share) for scores in (exact, guessed) for share in (0.0, 0.54, 0.7, 0.999)
    ]
    questions = [[name, player, *case] for case in cases for name in ("wantsSwap", "fairColumn")]
    expected = [found(player, scores, Chance(share)) for scores, share in cases for found in (wants_swap, fair_column)]
    assert ask([["findProbability", player], *questions]) == [find_probability(player), *expected]


def games() -> Iterator[Game]:
    """Open, drawn and won games on narrow and wide boards. Some have several lines, and one begins with a board that
    was set up."""
    dice = random.Random(4)
    for name in VARIANTS:
        for most in (4, *[42] * 8):
            game = Game(Variant.parse(name))
            while game.outcome is None and len(game.moves) < most:
                game.drop(dice.choice(game.position.legal_columns))
            yield game
    yield Game(Variant(5, 4, 3), parse_moves("5254251453"))
    yield Game(parse_start("4xo.5x.3o"), parse_moves("445322"))
