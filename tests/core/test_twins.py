"""What the page works out itself where there is no server, beside what Python has: pictures, and what a file holds."""

from __future__ import annotations

import random
from collections.abc import Iterator
from xml.etree import ElementTree

from connectk.drawing.board import picture_of
from connectk.drawing.shapes import Circle, Holes, Rect, Shape, Stroke, Text
from connectk.notation import FileKind, kind_of, parse_moves
from connectk.notation.start import parse_start
from connectk.review.facts import game_facts
from connectk.rules import Game, Variant
from tests.core.asking import ask

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
