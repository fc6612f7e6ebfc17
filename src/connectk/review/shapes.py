"""A few shapes in named colours, written as SVG, which follows the reader's light or dark, or as PNG."""

from __future__ import annotations

import io
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from connectk.errors import MissingExtra

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

LIGHT = {
    "paper": "#FAF7F2",
    "ink": "#1D2330",
    "quiet": "#5F6673",
    "frame": "#26418F",
    "hole": "#EEF1F8",
    "first": "#F2B41B",
    "second": "#C6402F",
    "ring": "#8A5A00",
    "core": "#4A0D06",
    "won": "#FFFFFF",
    "bad": "#A3302A",
}
DARK = {
    "paper": "#14161A",
    "ink": "#ECEAE4",
    "quiet": "#9AA3B2",
    "frame": "#3D5FC4",
    "hole": "#0E1016",
    "first": "#F5C445",
    "second": "#E0604E",
    "bad": "#F08A7E",
}
FINE = 4  # pixels of the drawing for one unit ...
KEPT = 2  # ... of which so many are kept, which makes edges smooth


@dataclass(frozen=True, slots=True)
class Rect:
    x: float
    y: float
    width: float
    height: float
    colour: str
    radius: float = 0

    def to_svg(self) -> str:
        where = f'x="{self.x:g}" y="{self.y:g}" width="{self.width:g}" height="{self.height:g}" rx="{self.radius:g}"'
        return f'<rect {where} fill="var(--{self.colour})"/>'

    def paint(self, draw: ImageDraw) -> None:
        box = [FINE * value for value in (self.x, self.y, self.x + self.width, self.y + self.height)]
        draw.rounded_rectangle(box, FINE * self.radius, LIGHT[self.colour])


@dataclass(frozen=True, slots=True)
class Circle:
    """Filled, or with an outline of this width."""

    x: float
    y: float
    radius: float
    colour: str
    outline: float = 0

    def to_svg(self) -> str:
        paint = f'fill="none" stroke="var(--{self.colour})" stroke-width="{self.outline:g}"'
        filled = f'fill="var(--{self.colour})"'
        where = f'cx="{self.x:g}" cy="{self.y:g}" r="{self.radius:g}"'
        return f"<circle {where} {paint if self.outline else filled}/>"

    def paint(self, draw: ImageDraw) -> None:
        reach = self.radius + self.outline / 2
        box = [FINE * value for value in (self.x - reach, self.y - reach, self.x + reach, self.y + reach)]
        if self.outline:
            draw.ellipse(box, outline=LIGHT[self.colour], width=round(FINE * self.outline))
        else:
            draw.ellipse(box, LIGHT[self.colour])


@dataclass(frozen=True, slots=True)
class Stroke:
    points: tuple[tuple[float, float], ...]
    colour: str
    width: float

    def to_svg(self) -> str:
        points = " ".join(f"{x:g},{y:g}" for x, y in self.points)
        look = f'fill="none" stroke="var(--{self.colour})" stroke-width="{self.width:g}"'
        return f'<polyline points="{points}" {look} stroke-linecap="round" stroke-linejoin="round"/>'

    def paint(self, draw: ImageDraw) -> None:
        points = [(FINE * x, FINE * y) for x, y in self.points]
        draw.line(points, LIGHT[self.colour], round(FINE * self.width), joint="curve")


@dataclass(frozen=True, slots=True)
class Text:
    """`anchor` is what lies at x: the text's start, middle or end; y is its base line."""

    x: float
    y: float
    words: str
    size: int
    colour: str
    anchor: str = "start"
    bold: bool = False

    def to_svg(self) -> str:
        weight = ' font-weight="600"' if self.bold else ""
        where = f'x="{self.x:g}" y="{self.y:g}" text-anchor="{self.anchor}" font-size="{self.size}"{weight}'
        return f'<text {where} fill="var(--{self.colour})">{escape(self.words)}</text>'

    def paint(self, draw: ImageDraw) -> None:
        from PIL import ImageFont

        draw.text(
            (FINE * self.x, FINE * self.y),
            self.words,
            LIGHT[self.colour],
            ImageFont.load_default(FINE * self.size),
            anchor={"start": "ls", "middle": "ms", "end": "rs"}[self.anchor],
            stroke_width=FINE // 3 if self.bold else 0,
        )


Shape = Rect | Circle | Stroke | Text


@dataclass(frozen=True, slots=True)
class Picture:
    width: float
    height: float
    title: str
    shapes: tuple[Shape, ...]

    def to_svg(self) -> str:
        size = f'viewBox="0 0 {self.width:g} {self.height:g}" width="{self.width:g}" height="{self.height:g}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img"><title>{escape(self.title)}</title>'
        return "".join([head, f"<style>{_style()}</style>", *(shape.to_svg() for shape in self.shapes), "</svg>"])

    def to_png(self) -> bytes:
        """The light picture; needs the extra `connectk[pictures]`."""
        try:
            from PIL import Image, ImageDraw
        except ImportError:
            raise MissingExtra("PNG pictures", "pictures") from None
        image = Image.new("RGB", (round(FINE * self.width), round(FINE * self.height)))
        draw = ImageDraw.Draw(image)
        for shape in self.shapes:
            shape.paint(draw)
        small = image.resize((round(KEPT * self.width), round(KEPT * self.height)), Image.Resampling.LANCZOS)
        file = io.BytesIO()
        small.save(file, "PNG", optimize=True)
        return file.getvalue()


def _style() -> str:
    light = ";".join(f"--{name}:{colour}" for name, colour in LIGHT.items())
    dark = ";".join(f"--{name}:{colour}" for name, colour in DARK.items())
    text = "text{font-family:system-ui,sans-serif;font-variant-numeric:tabular-nums}"
    return f"svg{{{light}}}@media(prefers-color-scheme:dark){{svg{{{dark}}}}}{text}"
