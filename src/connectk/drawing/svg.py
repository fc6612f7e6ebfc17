"""A picture as SVG, which follows the reader's light or dark and needs no other package."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from connectk.drawing.palette import DARK, LIGHT, Palette
from connectk.drawing.shapes import Circle, Holes, Picture, Rect, Shape, Stroke, Text

FONT = "font-family:system-ui,sans-serif;font-variant-numeric:tabular-nums"


def write_svg(picture: Picture, size: int) -> str:
    """The picture, its longer side `size` pixels where nothing else says how large it is shown."""
    scale = picture.scale_to(size)
    box = f'viewBox="0 0 {picture.width:g} {picture.height:g}"'
    wide = f'width="{picture.width * scale:.0f}" height="{picture.height * scale:.0f}"'
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {box} {wide} class="connectk" role="img">',
            f"<title>{escape(picture.title)}</title><style>{_style(picture)}</style>",
            *(_write(shape) for shape in picture.shapes),
            "</svg>",
        ]
    )


def _style(picture: Picture) -> str:
    """The colours that are used. Each rule starts with .connectk: a notebook puts the picture into its own page."""
    names = sorted({shape.colour for shape in picture.shapes})
    text = f".connectk text{{{FONT}}}" if any(isinstance(shape, Text) for shape in picture.shapes) else ""
    dark = "".join(_rules([name for name in names if LIGHT[name] != DARK[name]], DARK))
    return f"{text}{''.join(_rules(names, LIGHT))}@media(prefers-color-scheme:dark){{{dark}}}"


def _rules(names: list[str], palette: Palette) -> Iterator[str]:
    """A filled shape has its colour's name as class, an outline has `outline` as well."""
    for name in names:
        yield f".connectk .{name}{{fill:{palette[name]}}}"
        yield f".connectk .outline.{name}{{fill:none;stroke:{palette[name]}}}"


def _write(shape: Shape) -> str:
    match shape:
        case Rect():
            return _rect(shape)
        case Circle():
            return _circle(shape)
        case Holes():
            return _holes(shape)
        case Stroke():
            return _stroke(shape)
        case Text():
            return _text(shape)


def _rect(rect: Rect) -> str:
    where = f'x="{rect.x:g}" y="{rect.y:g}" width="{rect.width:g}" height="{rect.height:g}"'
    return f'<rect class="{rect.colour}" {where} rx="{rect.radius:g}"/>'


def _circle(circle: Circle) -> str:
    where = f'cx="{circle.x:g}" cy="{circle.y:g}" r="{circle.radius:g}"'
    if circle.outline:
        return f'<circle class="outline {circle.colour}" {where} stroke-width="{circle.outline:g}"/>'
    return f'<circle class="{circle.colour}" {where}/>'


def _holes(holes: Holes) -> str:
    """One repeating pattern. Its id tells its size, so that two pictures in one page do not mix theirs up."""
    cell, middle = holes.cell, holes.cell / 2
    name = f"holes-{holes.x:g}-{holes.y:g}-{cell:g}".replace(".", "_")
    return (
        f'<pattern id="{name}" x="{holes.x:g}" y="{holes.y:g}" width="{cell:g}" height="{cell:g}" '
        f'patternUnits="userSpaceOnUse"><circle class="{holes.colour}" cx="{middle:g}" cy="{middle:g}" '
        f'r="{holes.radius:g}"/></pattern><rect fill="url(#{name})" x="{holes.x:g}" y="{holes.y:g}" '
        f'width="{holes.columns * cell:g}" height="{holes.rows * cell:g}"/>'
    )


def _stroke(stroke: Stroke) -> str:
    points = " ".join(f"{x:g},{y:g}" for x, y in stroke.points)
    look = f'stroke-width="{stroke.width:g}" stroke-linecap="round" stroke-linejoin="round"'
    return f'<polyline class="outline {stroke.colour}" points="{points}" {look}/>'


def _text(text: Text) -> str:
    weight = ' font-weight="600"' if text.bold else ""
    where = f'x="{text.x:g}" y="{text.y:g}" text-anchor="{text.anchor}" font-size="{text.size:g}"{weight}'
    return f'<text class="{text.colour}" {where}>{escape(text.words)}</text>'
