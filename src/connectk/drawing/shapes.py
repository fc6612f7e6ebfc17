"""The shapes of a picture, in colours of the palette. `svg` and `raster` draw the same description."""

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
    """Filled, or with an outline of this width."""

    x: float
    y: float
    radius: float
    colour: str
    outline: float = 0


@dataclass(frozen=True, slots=True)
class Holes:
    """A grid of equal circles, one in each cell: the holes of a whole board as one shape."""

    x: float
    y: float
    columns: int
    rows: int
    cell: float
    radius: float
    colour: str


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line through points, its ends round."""

    points: tuple[Point, ...]
    colour: str
    width: float


@dataclass(frozen=True, slots=True)
class Text:
    """`anchor` is what lies at x: the text's start, middle or end; y is its base line."""

    x: float
    y: float
    words: str
    size: float
    colour: str
    anchor: str = "start"
    bold: bool = False


Shape = Rect | Circle | Holes | Stroke | Text


@dataclass(frozen=True, slots=True)
class Picture:
    """Shapes on a sheet of this width and height, painted in order; the title describes the picture."""

    width: float
    height: float
    title: str
    shapes: tuple[Shape, ...]

    def scale_to(self, size: int) -> float:
        """How many pixels a unit takes when the longer side has `size` of them."""
        return size / max(self.width, self.height)
