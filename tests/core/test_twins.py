"""What the page works out itself where there is no server, beside what Python has: pictures, and what files hold."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import Any
from xml.etree import ElementTree

import pytest

from connectk.drawing.board import picture_of
from connectk.drawing.shapes import Circle, Holes, Rect, Shape, Stroke, Text
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
from connectk.review.facts import game_facts
from connectk.review.report import in_language, to_json
from connectk.review.review import review_game
from connectk.rules import Game, Position, Side, Variant
from connectk.rules.variant import CLASSIC
from connectk.solver.solver import require_supported
from connectk.texts import LANGUAGES, load_texts
from tests.core.asking import ask, asked, spoken

Drawn = tuple[object, ...]
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
    """Whatever it begins with."""
    dice = random.Random(8)
    files = FILES + ["".join(dice.choices("{7641 \t\r\n,x\v\f", k=dice.randint(1, 9))) for _ in range(500)]
    expected = [kind_of(text.encode()).value for text in files]

    assert ask(["kindOf", text] for text in files) == expected
    assert set(expected) == {kind.value for kind in FileKind}


def told(read: Callable[..., Any], *facts: object) -> Any:
    """What was read, or the text that says why not; a rule that was broken is named."""
    try:
        return read(*facts)
    except NotationError as error:
        return {"refused": error.key}
    except ConnectkError as error:
        return {"broken": type(error).__name__}


def named(answer: Any) -> Any:
    """The same of the page's answer, which brings the facts of a broken rule along."""
    return {"broken": answer["broken"]["rule"]} if isinstance(answer, dict) and "broken" in answer else answer


def test_moves_are_read_and_written_the_same() -> None:
    """With commas and spaces, on boards that need commas and on others, and refused for the same reason."""
    dice = random.Random(5)
    texts = ["", " 445 ", "4,4,5,", "4,,5", "1,,", ",1", "12 3", "10,11", "4 ,5", "0", "1,0", "x", "4,x", "٤"]
    texts += ["".join(dice.choices("1234567890, \n", k=dice.randint(1, 8))) for _ in range(500)]
    widths = [dice.choice((3, 7, 9, 10, 13)) for _ in texts]
    expected = [told(moves_of, text, width) for text, width in zip(texts, widths, strict=True)]

    assert ask(["parseMoves", text, width] for text, width in zip(texts, widths, strict=True)) == expected
    read = [(columns, width) for columns, width in zip(expected, widths, strict=True) if isinstance(columns, list)]
    assert len(read) > 50
    assert ask(["writeMoves", *one] for one in read) == [write_moves(one, Variant(width, 6, 4)) for one, width in read]


def moves_of(text: str, width: int) -> list[int]:
    return list(parse_moves(text, Variant(width, 6, 4)))


def test_a_start_is_read_and_written_the_same() -> None:
    """Of games, and of what an editor or a damaged address may hold, up to the rule that refuses it."""
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
    expected = [told(start_of, text) for text in texts]

    assert [answer[0] if isinstance(answer, list) else answer for answer in answers] == expected
    assert all(answer[1] == answer[0] for answer in answers if isinstance(answer, list))
    assert {type(one) for one in expected} == {str, dict}


def start_of(text: str) -> str:
    return write_start(parse_start(text, CLASSIC))


def test_a_saved_game_is_read_the_same() -> None:
    """Of both versions; the first wrote its start as an object of columns, of which some may be empty."""
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
    """The first version wants an object, and both say so."""
    wrong = ["4xo", ["xo"], None, 3, True]
    refused = ask([*(["parseSaved", old_file(start)] for start in wrong)])
    assert refused == [{"refused": "notation.not_object"}] * len(wrong)
    for start in wrong:
        with pytest.raises(NotationError, match="JSON object"):
            parse_saved_game(old_file(start))


def test_a_saved_game_is_written_the_same() -> None:
    """To the letter, so that both give the same file."""
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
    """Of those that conform: the referee has looked at a file before the page reads it."""
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
    answers = ask([spoken(language, "first", "later"), *(["sayBroken", one] for one in broken)])[1:]

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
    """Of games on small boards, which have reasons of many kinds; and values that are estimates."""
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
    """But for an estimate just between two hundredths, of which Python says the even one."""
    expected = [move for review in reviews for move in in_language(review, load_texts(language))["moves"]]
    moves = [move for review in reviews for move in review["moves"]]
    answers = ask([spoken(language, "first", "later"), *(["said", move] for move in moves)])[1:]

    for name in ("before_words", "after_words", "reason"):
        assert [answer[name] for answer in answers] == [move[name] for move in expected]
    assert len({move["reason_kind"] for move in expected}) > 5


def games() -> Iterator[Game]:
    """Open, drawn and won ones, with several lines as well, on narrow and wide boards; and one that was set up."""
    dice = random.Random(4)
    for name in VARIANTS:
        for most in (4, *[42] * 8):
            game = Game(Variant.parse(name))
            while game.outcome is None and len(game.moves) < most:
                game.drop(dice.choice(game.position.legal_columns))
            yield game
    yield Game(Variant(5, 4, 3), parse_moves("5254251453"))
    yield Game(parse_start("4xo.5x.3o"), parse_moves("445322"))


def test_a_picture_has_the_same_shapes() -> None:
    """The same places, sizes and colours, one over the other in the same order."""
    some = list(games())
    answers = ask(["picture", game_facts(game), len(game.moves)] for game in some)
    for game, answer in zip(some, answers, strict=True):
        expected = [drawn for shape in picture_of(game.position).shapes for drawn in drawn_by_python(shape)]
        found = [drawn_by_page(element) for element in ElementTree.fromstring(answer)]
        assert set(found) == set(expected)
        assert layers(found) == layers(expected)
    assert {len(game.position.winning_lines) for game in some} >= {0, 1, 2}


def layers(drawn: list[Drawn]) -> list[object]:
    """What lies over what, discs aside, which never touch each other."""
    return list(dict.fromkeys(colour for _, colour, *_ in drawn if not str(colour).startswith(("first", "second"))))


def drawn_by_python(shape: Shape) -> Iterator[Drawn]:
    match shape:
        case Rect():
            yield "rect", shape.colour, *numbers(shape.x, shape.y, shape.width, shape.height, shape.radius)
        case Circle():
            yield "circle", shape.colour, *numbers(shape.x, shape.y, shape.radius, shape.outline)
        case Holes():
            for column in range(shape.columns):
                for row in range(shape.rows):
                    x, y = shape.x + (column + 0.5) * shape.cell, shape.y + (row + 0.5) * shape.cell
                    yield "circle", shape.colour, *numbers(x, y, shape.radius, 0)
        case Stroke():
            yield "path", shape.colour, *numbers(*shape.points[0], *shape.points[-1], shape.width)
        case Text():
            yield "text", shape.colour, shape.words, *numbers(shape.x, shape.y, shape.size)


def drawn_by_page(element: ElementTree.Element) -> Drawn:
    kind, has = element.tag.rpartition("}")[2], element.attrib
    colour = has["stroke"] if has["fill"] == "none" else has["fill"]
    width = has.get("stroke-width", "0")
    match kind:
        case "rect":
            return kind, colour, *numbers(*(has[name] for name in ("x", "y", "width", "height", "rx")))
        case "circle":
            return kind, colour, *numbers(has["cx"], has["cy"], has["r"], width)
        case "path":
            return kind, colour, *numbers(*has["d"][1:].replace("L", " ").split(), width)
        case _:
            return kind, colour, element.text, *numbers(has["x"], has["y"], has["font-size"])


def numbers(*some: float | str) -> tuple[float, ...]:
    return tuple(round(float(one), 6) for one in some)
