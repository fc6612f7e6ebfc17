"""The certificate for a learner who has solved the test at the end of the lessons. It is an A4 page to print."""

from __future__ import annotations

from datetime import date

from connectk.drawing import Picture
from connectk.drawing.shapes import Circle, Rect, Shape, Stroke, Text
from connectk.lessons import Lesson, lessons
from connectk.texts import Texts

PAGE_WIDTH, PAGE_HEIGHT = 1240.0, 1754.0  # A4 at 150 dots per inch
EDGE, THICK_LINE_WIDTH, THIN_LINE_WIDTH = 80.0, 6.0, 2.0
TITLE_SIZE, NAME_SIZE, TEXT_SIZE = 80.0, 60.0, 32.0
LARGE_DISC_RADIUS, DISC_DISTANCE = 34.0, 110.0
TEST_LESSON = "test"  # the name of the lesson that ends with a certificate


def final_test() -> tuple[int, Lesson]:
    """The lesson that is the final test, and the number of this lesson, counted from 1."""
    return next((number, lesson) for number, lesson in enumerate(lessons(), start=1) if lesson.name == TEST_LESSON)


def draw_certificate(name: str, day: date, texts: Texts) -> Picture:
    """A page that states who solved the test, and the date."""
    middle, (_, test) = PAGE_WIDTH / 2, final_test()
    title = texts("learn.certificate.title")
    shapes: list[Shape] = [
        Rect(0, 0, PAGE_WIDTH, PAGE_HEIGHT, "paper"),
        *_frame(EDGE, THICK_LINE_WIDTH),
        *_frame(EDGE + 20, THIN_LINE_WIDTH),
        Text(middle, 480, title, TITLE_SIZE, "ink", "middle", bold=True),
        *_four_discs(middle, 620),
        Text(middle, 860, name, NAME_SIZE, "ink", "middle", bold=True),
        Stroke(((middle - 380, 890), (middle + 380, 890)), "quiet", THIN_LINE_WIDTH),
        Text(middle, 980, texts("learn.certificate.solved", count=len(test.cards)), TEXT_SIZE, "ink", "middle"),
        Text(middle, 1300, day.isoformat(), TEXT_SIZE, "ink", "middle"),
        Text(middle, 1580, "connectk", TEXT_SIZE, "quiet", "middle"),
    ]
    return Picture(PAGE_WIDTH, PAGE_HEIGHT, f"{title}: {name}", tuple(shapes))


def _frame(edge: float, width: float) -> list[Shape]:
    left, top, right, bottom = edge, edge, PAGE_WIDTH - edge, PAGE_HEIGHT - edge
    corners = ((left, top), (right, top), (right, bottom), (left, bottom), (left, top))
    return [Stroke(corners, "ink", width)]


def _four_discs(middle: float, y: float) -> list[Shape]:
    """Four discs in a row, in thin lines that save ink."""
    discs = [middle + (index - 1.5) * DISC_DISTANCE for index in range(4)]
    return [
        Circle(x, y, radius, "ink", THICK_LINE_WIDTH)
        for x in discs
        for radius in (LARGE_DISC_RADIUS, 0.6 * LARGE_DISC_RADIUS)
    ]
