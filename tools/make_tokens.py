"""Write what the page shares with Python into its files, `make tokens`: the palette and the measures of
`connectk.drawing`, the languages, the numbers that it goes by without a server, the names of what it keeps offline.

The page loads plain files, so what it shares with Python is written into them.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Mapping
from itertools import groupby
from pathlib import Path
from types import ModuleType

from connectk import puzzles, site, texts
from connectk.drawing import measures
from connectk.drawing.palette import DARK, DISC_PALETTES, LIGHT
from connectk.notation import moves, parse_duration, saved
from connectk.players import levels, registry
from connectk.puzzles import collection, practice, puzzle, rating
from connectk.referee.verdict import Code
from connectk.server.analysis import HINT_PLAYER
from connectk.server.schemas import orders
from connectk.server.settings import Settings
from connectk.solver import solver
from connectk.why import explainer
from connectk.why import files as why_files

PAGE = Path(__file__).parents[1] / "src/connectk/web"
NOTE = "written by `make tokens` from connectk.drawing"
BLOCK = re.compile(rf"(?<=/\* {NOTE} \*/\n).*?(?=/\* end \*/)", re.DOTALL)
MISSING = re.compile(r"(?<=<h1>404</h1>\n).*?(?=    </section>)", re.DOTALL)
KEPT = re.compile(r"(?<=const NAMES = `\n).*?(?=`;)", re.DOTALL)
CONSTANTS: Mapping[ModuleType, tuple[str, ...]] = {
    solver: ("MAX_BOARD_BITS",),
    moves: ("MAX_WIDTH_WITHOUT_COMMAS",),
    orders: ("MAX_SHOWN_SIDE",),
    registry: ("BEST_LEVEL",),
    levels: ("BEST_SECONDS",),
    puzzle: ("BASE_PUZZLE_RATING", "RATING_PER_LEVEL", "RATING_PER_DEPTH", "DIFFICULTY_RATINGS"),
    collection: ("PUZZLE_STRIDE",),
    rating: ("CENTRE", "SCALE", "TAU", "VOLATILITY_TOLERANCE", "NEW_RATING", "NEW_DEVIATION", "NEW_VOLATILITY"),
    practice: ("REPEAT_INTERVAL_DAYS", "PUZZLE_DEVIATION"),
    site: ("PRECOMPUTED_BOARDS", "DEMO_GAME"),
    texts: ("LANGUAGES",),
    measures: tuple(name for name in vars(measures) if name.isupper()),
}


def _player(kind: registry.PlayerKind) -> dict[str, object]:
    """What the page needs to know of a kind of player."""
    return {name: getattr(kind, name) for name in ("example", "default", "heavy", "compiled")}


# What is no constant of a module, or has a name there that two modules share.
NAMED: Mapping[str, Mapping[str, object]] = {
    saved.__name__: {"GAME_FORMAT": saved.SAVED_GAME_FORMAT, "GAME_VERSION": saved.SAVED_GAME_VERSION},
    why_files.__name__: {
        "WHY_FORMAT": why_files.FORMAT,
        "WHY_VERSION": why_files.VERSION,
        "LARGEST_WHY": why_files.LARGEST_FILE,
    },
    explainer.__name__: {
        "WHY_BOARDS": explainer.BOARDS,
        "WHY_MS": round(1000 * explainer.SECONDS),
        "WHY_POSITIONS": explainer.CHECKED,
    },
    "connectk.players": {"PLAYERS": {name: _player(kind) for name, kind in registry.REGISTRY.items()}},
    puzzles.__name__: {"PUZZLE_BOARDS": list(map(str, collection.puzzle_boards())), "THEMES": list(puzzles.Theme)},
    Code.__module__: {"ILLEGAL_GAME": Code.ILLEGAL_GAME.value},
    "connectk.server.analysis": {
        "HINT_PLAYER": HINT_PLAYER,
        "HINT_MS": round(1000 * parse_duration(HINT_PLAYER.partition(":")[2])),
    },
    Settings.__module__: {"ANALYSIS_MS": round(1000 * Settings.model_fields["analysis_seconds"].default)},
}
WIDTHS = ("RING_WIDTH", "WON_WIDTH", "LINE_EDGE")


def css() -> str:
    """The colours for light and dark, the widths that the style sheets need, and the discs that can be chosen."""
    lines = [_colour(name, LIGHT[name], DARK[name]) for name in LIGHT]
    lines += [f"--{name.lower().replace('_', '-')}: {getattr(measures, name)};" for name in WIDTHS]
    discs = [
        _rule(f'[data-discs="{kind}"]', [_colour(name, light[name], dark[name]) for name in light])
        for kind, (light, dark) in DISC_PALETTES.items()
    ]
    return "".join([_rule(":root", lines), *discs])


def _colour(name: str, light: str, dark: str) -> str:
    return f"--{name}: {light.lower() if light == dark else f'light-dark({light}, {dark})'.lower()};"


def _rule(selector: str, lines: list[str]) -> str:
    return "".join([f"{selector} {{\n", *(f"  {line}\n" for line in lines), "}\n"])


def constants() -> str:
    """What page and Python share, most of it under its name in Python."""
    plain = {module.__name__: {name: getattr(module, name) for name in names} for module, names in CONSTANTS.items()}
    parts = [f"\n// {module}\n{_constants(values)}" for module, values in {**plain, **NAMED}.items()]
    return "".join(["// What the page shares with Python, written by `make tokens` from these modules.\n", *parts])


def offline() -> str:
    """What the service worker keeps, a paragraph for each folder."""
    folders = groupby(sorted(site.offline_files(), key=_place), lambda name: _place(name)[0])
    return "".join(textwrap.fill(" ".join(names), 118) + "\n" for _, names in folders)


def _place(name: str) -> tuple[str, str]:
    folder, _, file = name.rpartition("/")
    return folder, file


def _constants(values: Mapping[str, object]) -> str:
    return "".join(f"export const {name} = {json.dumps(value)};\n" for name, value in values.items())


def files() -> dict[Path, str]:
    """Every file as it should be."""
    tokens, index, manifest = PAGE / "css/tokens.css", PAGE / "index.html", PAGE / "manifest.webmanifest"
    worker, missing = PAGE / "sw.js", PAGE / "404.html"
    return {
        tokens: BLOCK.sub(lambda _: css(), tokens.read_text(encoding="utf-8")),
        PAGE / "js/common/constants.js": constants(),
        worker: KEPT.sub(lambda _: offline(), worker.read_text(encoding="utf-8")),
        index: _theme_colours(index.read_text(encoding="utf-8")),
        manifest: _manifest(manifest.read_text(encoding="utf-8")),
        missing: MISSING.sub(lambda _: _missing_page(), missing.read_text(encoding="utf-8")),
    }


def _theme_colours(page: str) -> str:
    for theme, palette in (("light", LIGHT), ("dark", DARK)):
        page = re.sub(rf'({theme}\)" content=")#[0-9a-f]+', rf"\g<1>{palette['paper'].lower()}", page)
    return page


def _manifest(text: str) -> str:
    for name, colour in (("background_color", LIGHT["paper"]), ("theme_color", LIGHT["frame"])):
        text = re.sub(rf'("{name}": ")#[0-9a-f]+', rf"\g<1>{colour.lower()}", text)
    return text


def _missing_page() -> str:
    """What the page for an address that leads nowhere says, in every language."""
    languages = [texts.load_texts(language) for language in texts.LANGUAGES]
    said = [f'      <p lang="{each.language}">{each("page.missing")}.</p>' for each in languages]
    play = " · ".join(f'<span lang="{each.language}">{each("page.nav.play")}</span>' for each in languages)
    return "\n".join([*said, f'      <div class="row"><a class="button main" href="/">{play}</a></div>\n'])


if __name__ == "__main__":
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")
