"""Write the palette and the measures of `connectk.drawing` into the page's own files: `make tokens`.

The page loads plain files, so what it shares with pictures and terminal is written into them between two marks.
"""

from __future__ import annotations

import re
from pathlib import Path

from connectk.drawing import measures
from connectk.drawing.palette import DARK, LIGHT

PAGE = Path(__file__).parents[1] / "src/connectk/web"
NOTE = "written by `make tokens` from connectk.drawing"
BLOCK = re.compile(rf"(?<=/\* {NOTE} \*/\n).*?(?=/\* end \*/)", re.DOTALL)
WIDTHS = ("RING_WIDTH", "WON_WIDTH", "LINE_EDGE")


def css() -> str:
    """The colours of both themes, and the widths that the style sheets need."""
    light = [f"--{name}: {colour.lower()};" for name, colour in LIGHT.items()]
    light += [f"--{name.lower().replace('_', '-')}: {getattr(measures, name)};" for name in WIDTHS]
    dark = [f"--{name}: {colour.lower()};" for name, colour in DARK.items() if colour != LIGHT[name]]
    inner = _rule("  ", dark)
    return f"{_rule('', light)}@media (prefers-color-scheme: dark) {{\n{inner}}}\n"


def _rule(indent: str, lines: list[str]) -> str:
    return "".join([f"{indent}:root {{\n", *(f"{indent}  {line}\n" for line in lines), f"{indent}}}\n"])


def script() -> str:
    """The measures as a module."""
    names = [name for name in vars(measures) if name.isupper()]
    lines = [f"export const {name} = {getattr(measures, name)};\n" for name in names]
    return f"// Measures of the board and the graph, {NOTE}.\n{''.join(lines)}"


def files() -> dict[Path, str]:
    """Every file as it should be."""
    tokens, index, manifest = PAGE / "css/tokens.css", PAGE / "index.html", PAGE / "manifest.webmanifest"
    return {
        tokens: BLOCK.sub(lambda _: css(), tokens.read_text(encoding="utf-8")),
        PAGE / "js/measures.js": script(),
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
