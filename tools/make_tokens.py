"""Write the palette and the measures of `connectk.drawing`, and the thresholds of `connectk.review`, into the files of
the page: `make tokens`.

The page loads plain files, so what it shares with pictures, terminal and reviews is written into them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from connectk.drawing import measures
from connectk.drawing.palette import DARK, DISCS, LIGHT
from connectk.review import judging, lines, review

PAGE = Path(__file__).parents[1] / "src/connectk/web"
NOTE = "written by `make tokens` from connectk.drawing"
BLOCK = re.compile(rf"(?<=/\* {NOTE} \*/\n).*?(?=/\* end \*/)", re.DOTALL)
THRESHOLDS = {
    "HOPELESS": judging.HOPELESS,
    "LOOK": judging.LOOK,
    "CLEAR": judging.CLEAR,
    "NOTABLE": judging.NOTABLE,
    "WON": review.WON,
    "LONGEST_LINE": lines.LONGEST_LINE,
}
WIDTHS = ("RING_WIDTH", "WON_WIDTH", "LINE_EDGE")


def css() -> str:
    """The colours for light and dark, the widths that the style sheets need, and the discs that can be chosen."""
    lines = [_colour(name, LIGHT[name], DARK[name]) for name in LIGHT]
    lines += [f"--{name.lower().replace('_', '-')}: {getattr(measures, name)};" for name in WIDTHS]
    discs = [
        _rule(f'[data-discs="{kind}"]', [_colour(name, light[name], dark[name]) for name in light])
        for kind, (light, dark) in DISCS.items()
    ]
    return "".join([_rule(":root", lines), *discs])


def _colour(name: str, light: str, dark: str) -> str:
    return f"--{name}: {light.lower() if light == dark else f'light-dark({light}, {dark})'.lower()};"


def _rule(selector: str, lines: list[str]) -> str:
    return "".join([f"{selector} {{\n", *(f"  {line}\n" for line in lines), "}\n"])


def script() -> str:
    """The measures as a module."""
    values = {name: getattr(measures, name) for name in vars(measures) if name.isupper()}
    return f"// Measures of the board and the graph, {NOTE}.\n{_constants(values)}"


def thresholds() -> str:
    """From where on a drop is a slip or a blunder, and the like."""
    return f"// What connectk.review goes by, written by `make tokens` from it.\n{_constants(THRESHOLDS)}"


def _constants(values: Mapping[str, object]) -> str:
    return "".join(f"export const {name} = {value};\n" for name, value in values.items())


def files() -> dict[Path, str]:
    """Every file as it should be."""
    tokens, index, manifest = PAGE / "css/tokens.css", PAGE / "index.html", PAGE / "manifest.webmanifest"
    return {
        tokens: BLOCK.sub(lambda _: css(), tokens.read_text(encoding="utf-8")),
        PAGE / "js/measures.js": script(),
        PAGE / "js/core/thresholds.js": thresholds(),
        index: _theme_colours(index.read_text(encoding="utf-8")),
        manifest: _manifest(manifest.read_text(encoding="utf-8")),
    }


def _theme_colours(page: str) -> str:
    for theme, palette in (("light", LIGHT), ("dark", DARK)):
        page = re.sub(rf'({theme}\)" content=")#[0-9a-f]+', rf"\g<1>{palette['paper'].lower()}", page)
    return page


def _manifest(text: str) -> str:
    for name, colour in (("background_color", LIGHT["paper"]), ("theme_color", LIGHT["frame"])):
        text = re.sub(rf'("{name}": ")#[0-9a-f]+', rf"\g<1>{colour.lower()}", text)
    return text


if __name__ == "__main__":
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")
