"""Writes a picture as SVG that follows the reader's light or dark theme. It needs no other package."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from math import sqrt

from connectk.drawing.palette import DARK_COLOURS, GRADIENTS, LIGHT_COLOURS, Palette, tones_of
from connectk.drawing.shapes import Circle, Holes, Picture, Polygon, Rect, Shape, Stroke, Text

MARK_COLOURS = {"second-rim", "second-star"}  # the colours of polygons, whose outlines have the same colour
FONT_CSS = "font-family:system-ui,sans-serif;font-variant-numeric:tabular-nums"


def write_svg(picture: Picture, size: int) -> str:
    """The picture as SVG. Its longer side has `size` pixels, unless the web page sets another size."""
    scale = picture.scale_to(size)
    box = f'viewBox="0 0 {picture.width:g} {picture.height:g}"'
    wide = f'width="{picture.width * scale:.0f}" height="{picture.height * scale:.0f}"'
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {box} {wide} class="connectk" role="img">',
            f"<title>{escape(picture.title)}</title><style>{_style(picture)}</style>{_gradients(picture)}",
            *(_write(shape) for shape in picture.shapes),
            "</svg>",
        ]
    )


def _style(picture: Picture) -> str:
    """The CSS of the colours that the picture uses. Each rule begins with `.connectk`, because a notebook embeds the
    picture in its own page."""
    names = sorted({name for shape in picture.shapes for name in tones_of(shape.colour)})
    text = f".connectk text{{{FONT_CSS}}}" if any(isinstance(shape, Text) for shape in picture.shapes) else ""
    dark = "".join(_css_rules([name for name in names if LIGHT_COLOURS[name] != DARK_COLOURS[name]], DARK_COLOURS))
    return f"{text}{''.join(_css_rules(names, LIGHT_COLOURS))}@media(prefers-color-scheme:dark){{{dark}}}"


def _css_rules(names: list[str], palette: Palette) -> Iterator[str]:
    """The CSS rules. The class of a filled shape is the name of its colour; an outline also has the class `outline`."""
    for name in names:
        yield f".connectk .{name}{{fill:{palette[name]};stop-color:{palette[name]}}}"
        yield f".connectk .outline.{name}{{fill:none;stroke:{palette[name]}}}"
        if name in MARK_COLOURS:
            yield f".connectk .edged.{name}{{stroke:{palette[name]}}}"


def _gradients(picture: Picture) -> str:
    """Define the gradients that the picture uses, each from the top to the bottom of a shape. All pictures use the same
    ids."""
    used = sorted({shape.colour for shape in picture.shapes if shape.colour in GRADIENTS})
    return "".join(
        f'<linearGradient id="connectk-{name}" x2="0" y2="1">'
        + "".join(f'<stop offset="{offset:g}" class="{colour}"/>' for offset, colour in GRADIENTS[name])
        + "</linearGradient>"
        for name in used
    )


def _paint(colour: str) -> str:
    """The attribute that gives a shape its colour or its gradient."""
    return f'fill="url(#connectk-{colour})"' if colour in GRADIENTS else f'class="{colour}"'


def _write(shape: Shape) -> str:
    match shape:
        case Rect():
            return _rect(shape)
        case Circle():
            return _circle(shape)
        case Polygon():
            return _polygon(shape)
        case Holes():
            return _holes(shape)
        case Stroke():
            return _stroke(shape)
        case Text():
            return _text(shape)


def _rect(rect: Rect) -> str:
    where = f'x="{rect.x:g}" y="{rect.y:g}" width="{rect.width:g}" height="{rect.height:g}"'
    return f'<rect {_paint(rect.colour)} {where} rx="{rect.radius:g}"/>'


def _circle(circle: Circle) -> str:
    where = f'cx="{circle.x:g}" cy="{circle.y:g}" r="{circle.radius:g}"'
    if circle.outline:
        return f'<circle class="outline {circle.colour}" {where} stroke-width="{circle.outline:g}"/>'
    return f"<circle {_paint(circle.colour)} {where}/>"


def _polygon(polygon: Polygon) -> str:
    corners = " ".join(f"{polygon.x + x:g},{polygon.y + y:g}" for x, y in polygon.corners)
    edge = f'stroke-width="{polygon.edge:g}" stroke-linejoin="round"'
    return f'<polygon class="edged {polygon.colour}" points="{corners}" {edge}/>'


def _holes(holes: Holes) -> str:
    """The holes as one repeated pattern. The pattern's id contains its size, because two pictures in one page may need
    different patterns."""
    cell, middle = holes.cell, holes.cell / 2
    name = f"{holes.colour}-{holes.x:g}-{holes.y:g}-{cell:g}".replace(".", "_")
    hole = f'<circle {_paint(holes.colour)} cx="{middle:g}" cy="{middle:g}" r="{holes.radius:g}"/>'
    return (
        f'<pattern id="{name}" x="{holes.x:g}" y="{holes.y:g}" width="{cell:g}" height="{cell:g}" '
        f'patternUnits="userSpaceOnUse">{_crescent(holes) if holes.shift else hole}</pattern>'
        f'<rect fill="url(#{name})" x="{holes.x:g}" y="{holes.y:g}" '
        f'width="{holes.columns * cell:g}" height="{holes.rows * cell:g}"/>'
    )


def _crescent(holes: Holes) -> str:
    """The path of a crescent. It is a hole from which the same hole, moved down by `shift`, is cut out.

    Two arcs meet halfway. If `shift` is negative, the second hole is moved up.
    """
    middle, radius, half = holes.cell / 2, holes.radius, holes.shift / 2
    reach, outward = sqrt(radius**2 - half**2), int(half > 0)
    arc = f"A{radius:g} {radius:g} 0"
    left, right = (f"{middle + side:g} {middle + half:g}" for side in (-reach, reach))
    return f'<path class="{holes.colour}" d="M{left}{arc} 1 {outward} {right}{arc} 0 {1 - outward} {left}Z"/>'


def _stroke(stroke: Stroke) -> str:
    points = " ".join(f"{x:g},{y:g}" for x, y in stroke.points)
    look = f'stroke-width="{stroke.width:g}" stroke-linecap="round" stroke-linejoin="round"'
    return f'<polyline class="outline {stroke.colour}" points="{points}" {look}/>'


def _text(text: Text) -> str:
    weight = ' font-weight="600"' if text.bold else ""
    where = f'x="{text.x:g}" y="{text.y:g}" text-anchor="{text.anchor}" font-size="{text.size:g}"{weight}'
    return f'<text class="{text.colour}" {where}>{escape(text.words)}</text>'
