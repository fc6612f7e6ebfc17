"""The shapes of a picture, in colours or gradients of the palette; `svg`, `raster` and `pdf` draw them."""

from __future__ import annotations

from dataclasses import dataclass

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Rect:
    x: float
    y: float
    width: float
    height: float
    colour: str
    radius: float = 0


@dataclass(frozen=True, slots=True)
class Circle:
    """A filled circle. If a width is given, an outline of that width."""

    x: float
    y: float
    radius: float
    colour: str
    outline: float = 0


@dataclass(frozen=True, slots=True)
class Polygon:
    """A filled polygon around a point. A stroke of width `edge` makes its corners round."""

    x: float
    y: float
    corners: tuple[Point, ...]
    colour: str
    edge: float = 0


@dataclass(frozen=True, slots=True)
class Holes:
    """A grid of equal circles, one for each cell: the holes of a board.

    With a `shift`, only a crescent of each circle is painted, which is the inner edge at the top of the hole. It
    remains when the same circle, moved down by `shift`, is cut out. If `shift` is negative, it is the inner edge at the
    bottom.
    """

    x: float
    y: float
    columns: int
    rows: int
    cell: float
    radius: float
    colour: str
    shift: float = 0


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line through points, with round ends."""

    points: tuple[Point, ...]
    colour: str
    width: float


@dataclass(frozen=True, slots=True)
class Text:
    """A text. `anchor` tells whether x is its start, middle or end. y is the baseline."""

    x: float
    y: float
    words: str
    size: float
    colour: str
    anchor: str = "start"
    bold: bool = False


Shape = Rect | Circle | Polygon | Holes | Stroke | Text


@dataclass(frozen=True, slots=True)
class Picture:
    """Shapes on a sheet of this width and height. They are painted in order."""

    width: float
    height: float
    title: str
    shapes: tuple[Shape, ...]

    def scale_to(self, size: int) -> float:
        """The number of pixels in a unit, if the longer side has `size` pixels."""
        return size / max(self.width, self.height)
