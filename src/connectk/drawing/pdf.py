"""Writes pictures as the pages of a PDF. Its text can be searched and copied. No other package is needed.

The text uses the standard fonts that every PDF reader has. These fonts have the letters of western Europe, and the
symbols of the two sides come from ZapfDingbats. The colours are those of the light theme. A gradient is replaced by its
middle colour.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence

from connectk.drawing.palette import LIGHT_COLOURS, tones_of
from connectk.drawing.shapes import Circle, Holes, Picture, Point, Polygon, Rect, Shape, Stroke, Text

POINTS_PER_UNIT = 72 / 150
BEZIER_HANDLE = 0.5523  # as a share of the radius: the handle length of the four Bezier curves that make a circle
PDF_FONTS = {"F1": "Helvetica", "F2": "Helvetica-Bold", "F3": "ZapfDingbats"}
SYMBOL_CHARACTERS = {"○": "m", "●": "l"}  # the characters of ZapfDingbats that draw these symbols
DIGIT_WIDTH, LETTER_WIDTH = 0.556, 0.5  # as shares of the font size; the width of letters is an average


def write_pdf(pages: Sequence[Picture]) -> bytes:
    """The pictures as the pages of a PDF. A unit of a picture is 1/150 inch."""
    return _write_file([_catalogue(), _page_list(len(pages)), *_fonts(), *_page_objects(pages)])


def _catalogue() -> bytes:
    return b"<</Type/Catalog/Pages 2 0 R>>"


def _page_list(count: int) -> bytes:
    first = 3 + len(PDF_FONTS)
    kids = " ".join(f"{first + 2 * number} 0 R" for number in range(count))
    return f"<</Type/Pages/Count {count}/Kids[{kids}]>>".encode()


def _fonts() -> Iterator[bytes]:
    for name in PDF_FONTS.values():
        encoding = "" if name == PDF_FONTS["F3"] else "/Encoding/WinAnsiEncoding"
        yield f"<</Type/Font/Subtype/Type1/BaseFont/{name}{encoding}>>".encode()


def _page_objects(pages: Sequence[Picture]) -> Iterator[bytes]:
    """Yields two objects for each page: its description and its content."""
    fonts = "".join(f"/{key} {number} 0 R" for number, key in enumerate(PDF_FONTS, start=3))
    for number, page in enumerate(pages):
        wide, high = page.width * POINTS_PER_UNIT, page.height * POINTS_PER_UNIT
        content = 4 + len(PDF_FONTS) + 2 * number
        yield (
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {wide:.2f} {high:.2f}]"
            f"/Resources<</Font<<{fonts}>> >> /Contents {content} 0 R>>"
        ).encode()
        drawn = zlib.compress(_draw(page).encode("cp1252", "replace"))
        yield f"<</Filter/FlateDecode/Length {len(drawn)}>>stream\n".encode() + drawn + b"\nendstream"


def _write_file(objects: Sequence[bytes]) -> bytes:
    """The bytes of the file: the numbered objects, and a table with the offset of each object in the file."""
    written, places = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", []
    for number, body in enumerate(objects, start=1):
        places.append(len(written))
        written += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(objects) + 1
    end = f"trailer<</Size {size}/Root 1 0 R>>\nstartxref\n{len(written)}\n%%EOF\n"
    return written + f"xref\n0 {size}\n0000000000 65535 f \n{table}{end}".encode()


def _draw(page: Picture) -> str:
    """The content of a page, in the picture's units from its upper left corner."""
    scale, high = POINTS_PER_UNIT, page.height * POINTS_PER_UNIT
    return "\n".join(
        [
            f"{scale:.4f} 0 0 {-scale:.4f} 0 {high:.2f} cm 1 j 1 J",
            *(line for shape in page.shapes if shape.colour != "paper" for line in _shape(shape)),
        ]
    )


def _shape(shape: Shape) -> Iterator[str]:
    red, green, blue = _colour(shape.colour)
    yield f"{red} {green} {blue} rg {red} {green} {blue} RG"
    match shape:
        case Rect():
            yield f"{shape.x:.2f} {shape.y:.2f} {shape.width:.2f} {shape.height:.2f} re f"
        case Circle():
            way = "S" if shape.outline else "f"
            yield f"{shape.outline:.2f} w {_circle(shape.x, shape.y, shape.radius)} {way}"
        case Polygon():
            yield f"{shape.edge:.2f} w {_path([(shape.x + x, shape.y + y) for x, y in shape.corners])} b"
        case Holes():
            if not shape.shift:
                yield from _holes(shape)
        case Stroke():
            yield f"{shape.width:.2f} w {_path(shape.points)} S"
        case Text():
            yield from _text(shape)


def _colour(name: str) -> tuple[str, str, str]:
    tones = list(tones_of(name))
    value = LIGHT_COLOURS[tones[len(tones) // 2]]
    red, green, blue = (f"{int(value[start : start + 2], 16) / 255:.3f}" for start in (1, 3, 5))
    return red, green, blue


def _path(points: Sequence[Point]) -> str:
    first, *others = points
    return " ".join([f"{first[0]:.2f} {first[1]:.2f} m", *(f"{x:.2f} {y:.2f} l" for x, y in others)])


def _circle(x: float, y: float, radius: float) -> str:
    handle = BEZIER_HANDLE * radius
    curves = [
        (x + radius, y + handle, x + handle, y + radius, x, y + radius),
        (x - handle, y + radius, x - radius, y + handle, x - radius, y),
        (x - radius, y - handle, x - handle, y - radius, x, y - radius),
        (x + handle, y - radius, x + radius, y - handle, x + radius, y),
    ]
    drawn = (" ".join(f"{number:.2f}" for number in curve) + " c" for curve in curves)
    return " ".join([f"{x + radius:.2f} {y:.2f} m", *drawn])


def _holes(holes: Holes) -> Iterator[str]:
    for column in range(holes.columns):
        for row in range(holes.rows):
            x, y = holes.x + (column + 0.5) * holes.cell, holes.y + (row + 0.5) * holes.cell
            yield f"{_circle(x, y, holes.radius)} f"


def _text(text: Text) -> Iterator[str]:
    """Yields the operators that write a text, one font after the other. The matrix turns the text upright, because y
    grows downwards."""
    share = {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor]
    left = text.x - share * _width(text)
    yield f"BT 1 0 0 -1 {left:.2f} {text.y:.2f} Tm"
    for font, words in _runs(text):
        escaped = words.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
        yield f"/{font} {text.size:.2f} Tf ({escaped}) Tj"
    yield "ET"


def _runs(text: Text) -> Iterator[tuple[str, str]]:
    """Divides a text into runs, each in a single font. Yields the font and the characters of each run."""
    plain, run = "F2" if text.bold else "F1", ""
    for character in text.words:
        if character in SYMBOL_CHARACTERS:
            if run:
                yield plain, run
            yield "F3", SYMBOL_CHARACTERS[character]
            run = ""
        else:
            run += character
    if run:
        yield plain, run


def _width(text: Text) -> float:
    return text.size * sum(DIGIT_WIDTH if character.isdigit() else LETTER_WIDTH for character in text.words)
