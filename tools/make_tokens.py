"""Writes the data that the page shares with Python into the page's files; `make tokens` runs it.

The data are the palette and the sizes of `connectk.drawing`, the languages, the limits that the page uses without a
server, and the names of the files that it caches offline. The page is made of plain files, so the shared data must be
written into them.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Mapping
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from types import ModuleType

from connectk import errors, glicko, puzzles, site, texts
from connectk.arena import results_reader
from connectk.arena.openings import fair_openings
from connectk.drawing import measures
from connectk.drawing.palette import BOARD_PALETTES, DARK_COLOURS, DISC_PALETTES, GRADIENTS, LIGHT_COLOURS
from connectk.errors import BadTournament
from connectk.lessons import certificate
from connectk.notation import known_lines, moves, named_starts, parse_duration, saved_game, write_start
from connectk.play import match, service
from connectk.players import levels, registry, swapping
from connectk.puzzles import collection, practice, puzzle
from connectk.referee.verdict import Code
from connectk.rooms import room
from connectk.rules import Position, Variant
from connectk.server import link_previews
from connectk.server.analysis import HINT_PLAYER
from connectk.server.schemas import requests
from connectk.server.settings import Settings
from connectk.solver import solver
from connectk.strangers import phrases
from connectk.why import coach, explainer, wording
from connectk.why import files as why_files

PAGE_FOLDER = Path(__file__).parents[1] / "src/connectk/web"
GENERATED_NOTE = "written by `make tokens` from connectk.drawing"
GENERATED_BLOCK_PATTERN = re.compile(rf"(?<=/\* {GENERATED_NOTE} \*/\n).*?(?=/\* end \*/)", re.DOTALL)
NOT_EMBEDDED = re.compile(r'rel="manifest"|property="og:|name="twitter:')
NOT_FOUND_TEXT_PATTERN = re.compile(r"(?<=<h1>404</h1>\n).*?(?=    </section>)", re.DOTALL)
CACHED_FILES_PATTERN = re.compile(r"(?<=const FILE_NAMES = `\n).*?(?=`;)", re.DOTALL)
CONSTANTS: Mapping[ModuleType, tuple[str, ...]] = {
    solver: ("MAX_BOARD_BITS",),
    moves: ("MAX_WIDTH_WITHOUT_COMMAS",),
    requests: ("MAX_SHOWN_SIDE",),
    link_previews: ("MAX_LINK_CHARS",),
    registry: ("BEST_LEVEL",),
    levels: ("BEST_LEVEL_MOVE_SECONDS", "LEVEL_RATINGS", "LEVEL_DEVIATION"),
    puzzle: ("BASE_PUZZLE_RATING", "RATING_PER_LEVEL", "RATING_PER_DEPTH", "DIFFICULTY_RATINGS", "FORCING_THEMES"),
    collection: ("PUZZLE_STRIDE",),
    glicko: (
        "GLICKO_CENTRE",
        "GLICKO_SCALE",
        "GLICKO_TAU",
        "VOLATILITY_TOLERANCE",
        "NEW_RATING",
        "NEW_DEVIATION",
        "NEW_VOLATILITY",
    ),
    practice: ("REPEAT_INTERVAL_DAYS", "PUZZLE_DEVIATION", "BEGINNER_RATING", "PLACEMENT_PUZZLES", "HELPED_SCORE"),
    site: ("PRECOMPUTED_BOARDS", "DEMO_GAME"),
    texts: ("LANGUAGES",),
    errors: ("MAX_QUOTE_CHARS",),
    swapping: ("GUESSING_KINDS",),
    match: ("ADDED_DISCS",),
    service: ("MIN_RUN_OF_PLACED_DISCS",),
    room: ("FORMATS_IN_ROUNDS",),
    phrases: ("PHRASES", "REPORT_REASONS"),
    certificate: ("TEST_LESSON",),
    coach: ("MAX_COACH_SENTENCES",),
    wording: ("MAX_NAMED_GROUPS",),
    measures: tuple(name for name in vars(measures) if name.isupper()),
}


def _player(kind: registry.PlayerKind) -> dict[str, object]:
    """The facts about a kind of player that the page needs."""
    return {name: getattr(kind, name) for name in ("example", "default", "heavy", "compiled")}


def _fair_starts() -> dict[str, list[str]]:
    """The starts that are proven to be draws, for each board that the page offers and that can be solved at once."""
    found: dict[str, list[str]] = {}
    for variant in map(Variant.parse, site.PRECOMPUTED_BOARDS):
        with suppress(BadTournament):
            starts = fair_openings(variant, seed=0)
            found[str(variant)] = sorted(write_start(Position.from_moves(moves, variant)) for moves in starts)
    return found


def _known_lines() -> dict[str, dict[str, str]]:
    """The names of openings, by board and position. Mirror images are included."""
    found: dict[str, dict[str, str]] = {}
    for name, position in known_lines.KNOWN_LINES.items():
        names = found.setdefault(str(position.variant), {})
        names |= {write_start(position): name, write_start(position.mirrored()): name}
    return found


FAIR_STARTS = _fair_starts()
# Values that are not constants of a module, or whose name is used in two modules.
NAMED_CONSTANTS: Mapping[str, Mapping[str, object]] = {
    saved_game.__name__: {"GAME_FORMAT": saved_game.SAVED_GAME_FORMAT, "GAME_VERSION": saved_game.SAVED_GAME_VERSION},
    why_files.__name__: {
        "EXPLANATION_FORMAT": why_files.EXPLANATION_FORMAT,
        "EXPLANATION_VERSION": why_files.EXPLANATION_VERSION,
        "MAX_EXPLANATION_FILE_BYTES": why_files.MAX_EXPLANATION_FILE_BYTES,
    },
    "connectk.drawing.palette": {
        "GRADIENTS": GRADIENTS,
        "BOARD_STYLES": ["classic", *BOARD_PALETTES],
        "DISC_STYLES": ["board", *DISC_PALETTES],
    },
    explainer.__name__: {
        "MAX_EXPLANATION_BOARDS": explainer.DEFAULT_MAX_BOARDS,
        "EXPLANATION_TIMEOUT_MS": round(1000 * explainer.DEFAULT_EXPLAIN_SECONDS),
        "QUICK_SEARCH_BELOW_DISCS": explainer.QUICK_SEARCH_BELOW_DISCS,
        "QUICK_SEARCH_MIN_CELLS": explainer.QUICK_SEARCH_MIN_CELLS,
        "OPENING_EXPLANATION_TIMEOUT_MS": round(1000 * explainer.OPENING_SECONDS),
        "COACH_TIMEOUT_MS": round(1000 * explainer.COACH_SECONDS),
        "MAX_POSITIONS_TO_CHECK": explainer.MAX_POSITIONS_TO_CHECK,
    },
    "connectk.players": {"PLAYER_KINDS": {name: _player(kind) for name, kind in registry.PLAYER_REGISTRY.items()}},
    puzzles.__name__: {
        "PUZZLE_BOARDS": list(map(str, collection.puzzle_boards())),
        "PUZZLE_THEMES": list(puzzles.Theme),
    },
    named_starts.__name__: {
        "NAMED_STARTS": {
            start.name: {
                "variant": str(start.variant),
                "start": write_start(start.position),
                "last_disc": start.last_disc,
                "even_levels": start.even_levels,
            }
            for start in named_starts.NAMED_STARTS.values()
        }
    },
    results_reader.__name__: {"ARENA_FORMAT": results_reader.RESULTS_FORMAT},
    known_lines.__name__: {"KNOWN_LINES": _known_lines()},
    "connectk.arena.openings": {"FAIR_START_BOARDS": list(FAIR_STARTS)},
    Code.__module__: {"ILLEGAL_GAME_CODE": Code.ILLEGAL_GAME.value},
    "connectk.server.analysis": {
        "HINT_PLAYER": HINT_PLAYER,
        "HINT_TIMEOUT_MS": round(1000 * parse_duration(HINT_PLAYER.partition(":")[2])),
    },
    Settings.__module__: {"ANALYSIS_TIMEOUT_MS": round(1000 * Settings.model_fields["analysis_seconds"].default)},
}
WIDTH_NAMES = ("RING_WIDTH", "STAR_EDGE_WIDTH", "WIN_RING_WIDTH", "WIN_LINK_WIDTH")


def css() -> str:
    """The colours of the light and the dark theme, the widths that the style sheets need, and the boards and discs to
    choose from."""
    lines = [_colour(name, LIGHT_COLOURS[name], DARK_COLOURS[name]) for name in LIGHT_COLOURS]
    lines += [f"--{name.lower().replace('_', '-')}: {getattr(measures, name)};" for name in WIDTH_NAMES]
    chosen = [
        _rule(f'[data-{part}="{kind}"]', [_colour(name, light[name], dark[name]) for name in light])
        for part, palettes in (("board", BOARD_PALETTES), ("discs", DISC_PALETTES))
        for kind, (light, dark) in palettes.items()
    ]
    return "".join([_rule(':root, [data-board="classic"]', lines), *chosen])


def _colour(name: str, light: str, dark: str) -> str:
    return f"--{name}: {light.lower() if light == dark else f'light-dark({light}, {dark})'.lower()};"


def _rule(selector: str, lines: list[str]) -> str:
    return "".join([f"{selector} {{\n", *(f"  {line}\n" for line in lines), "}\n"])


def constants() -> str:
    """The constants that the page shares with Python, most of them under their Python names."""
    plain = {module.__name__: {name: getattr(module, name) for name in names} for module, names in CONSTANTS.items()}
    parts = [f"\n// {module}\n{_constants(values)}" for module, values in {**plain, **NAMED_CONSTANTS}.items()]
    return "".join(["// What the page shares with Python, written by `make tokens` from these modules.\n", *parts])


def fair_starts() -> str:
    """The script with the fair starts. It is a separate module, because the first load of the page does not need it."""
    note = "// Starts after which perfect play is a draw, written by `make tokens` from connectk.arena.openings.\n"
    return note + _constants({"FAIR_STARTS": FAIR_STARTS})


def offline() -> str:
    """The names of the files that the service worker caches. The files of each folder begin on a new line."""
    folders = groupby(sorted(site.offline_files(), key=_place), lambda name: _place(name)[0])
    return "".join(textwrap.fill(" ".join(names), 118, break_on_hyphens=False) + "\n" for _, names in folders)


def _place(name: str) -> tuple[str, str]:
    folder, _, file = name.rpartition("/")
    return folder, file


def _constants(values: Mapping[str, object]) -> str:
    return "".join(f"export const {name} = {json.dumps(value)};\n" for name, value in values.items())


def files() -> dict[Path, str]:
    """The new content of every generated file."""
    tokens, index, manifest = (
        PAGE_FOLDER / "css/tokens.css",
        PAGE_FOLDER / "index.html",
        PAGE_FOLDER / "manifest.webmanifest",
    )
    worker, missing = PAGE_FOLDER / "sw.js", PAGE_FOLDER / "404.html"
    return {
        tokens: GENERATED_BLOCK_PATTERN.sub(lambda _: css(), tokens.read_text(encoding="utf-8")),
        PAGE_FOLDER / "js/common/constants.js": constants(),
        PAGE_FOLDER / "js/match/fair-starts.js": fair_starts(),
        worker: CACHED_FILES_PATTERN.sub(lambda _: offline(), worker.read_text(encoding="utf-8")),
        index: _theme_colours(index.read_text(encoding="utf-8")),
        PAGE_FOLDER / site.EMBED_PAGE: _embedded(_theme_colours(index.read_text(encoding="utf-8"))),
        manifest: _manifest(manifest.read_text(encoding="utf-8")),
        missing: NOT_FOUND_TEXT_PATTERN.sub(lambda _: _missing_page(), missing.read_text(encoding="utf-8")),
    }


def _theme_colours(page: str) -> str:
    for theme, palette in (("light", LIGHT_COLOURS), ("dark", DARK_COLOURS)):
        page = re.sub(rf'({theme}\)" content=")#[0-9a-f]+', rf"\g<1>{palette['paper'].lower()}", page)
    return page


def _embedded(page: str) -> str:
    """The page for a frame in another website. It lies one folder below the page, and nobody installs it or shares its
    link."""
    lines = [line for line in page.splitlines(keepends=True) if not NOT_EMBEDDED.search(line)]
    text = re.sub(r'(href|src)="(?![#/])', r'\1="../', "".join(lines))
    return text.replace('<html lang="en">', '<html lang="en" data-embed>')


def _manifest(text: str) -> str:
    for name, colour in (("background_color", LIGHT_COLOURS["paper"]), ("theme_color", LIGHT_COLOURS["frame"])):
        text = re.sub(rf'("{name}": ")#[0-9a-f]+', rf"\g<1>{colour.lower()}", text)
    return text


def _missing_page() -> str:
    """The text of the page that is shown for missing addresses, in every language."""
    languages = [texts.load_texts(language) for language in texts.LANGUAGES]
    said = [f'      <p lang="{each.language}">{each("page.missing")}.</p>' for each in languages]
    play = " · ".join(f'<span lang="{each.language}">{each("page.nav.play")}</span>' for each in languages)
    return "\n".join([*said, f'      <div class="row"><a class="button main" href="/">{play}</a></div>\n'])


if __name__ == "__main__":
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")
