"""The page as a folder of static files for any web host; the core runs compiled in the browser.

>>> from pathlib import Path
>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as folder:
...     names = write_site(Path(folder))
>>> "index.html" in names
True
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import connectk
from connectk.notation import parse_moves
from connectk.review.facts import game_facts
from connectk.rules import Game, Variant
from connectk.texts import LANGUAGES
from connectk.texts.page import PagePart, page_texts

PACKAGE = Path(connectk.__file__).parent
PAGE = PACKAGE / "web"
BOOK = PACKAGE / "solver/book/7x6x4.book"
EXTRA_TEXT_PARTS: tuple[PagePart, ...] = ("later", "learn", "why")
PAGE_FILE_SUFFIXES = (".css", ".js", ".png", ".svg", ".wasm", ".webmanifest")
CONTENT_SECURITY_POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; base-uri 'none'; form-action 'self'; object-src 'none'"
)
PRECOMPUTED_BOARDS = ("7x6x4", "5x4x3", "6x5x4", "9x7x5", "10x8x4", "30x30x6")  # offered by the page
DEMO_GAME = "44444752232255311"  # the animation on the first board


def write_site(out: Path, docs: bool = False) -> list[str]:
    """Write the folder; returns the names of its files. With `docs`, the footer links to documentation in `docs/`."""
    files = dict(_files(docs))
    files["sw.js"] = files["sw.js"].replace(b'const VERSION = ""', f'const VERSION = "-{_version(files)}"'.encode())
    for name, content in files.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return sorted(files)


def _version(files: dict[str, bytes]) -> str:
    """One hash of all files, so that an unchanged page keeps its version."""
    names = sorted(files)
    return hashlib.sha256(b"".join(name.encode() + hashlib.sha256(files[name]).digest() for name in names)).hexdigest()[
        :16
    ]


def _files(docs: bool) -> Iterator[tuple[str, bytes]]:
    yield from _page()
    yield f"book/{BOOK.name}", BOOK.read_bytes()
    yield "first.json", json.dumps(first_boards(docs)).encode()


def _page() -> Iterator[tuple[str, bytes]]:
    yield "index.html", _index()
    for path in sorted(PAGE.rglob("*")):
        if path.suffix in PAGE_FILE_SUFFIXES:
            yield path.relative_to(PAGE).as_posix(), path.read_bytes()
    for language in LANGUAGES:
        yield f"texts/{language}.json", page_texts(language)
        for part in EXTRA_TEXT_PARTS:
            yield f"texts/{part}/{language}.json", page_texts(language, part)
    yield "lessons/lessons.json", (PACKAGE / "lessons/lessons.json").read_bytes()
    for path in sorted((PACKAGE / "puzzles/data").iterdir()):
        yield f"puzzles/{path.name}", path.read_bytes()


def offline_files() -> list[str]:
    """The files that the service worker caches for offline use; the browser caches the worker itself."""
    names = ["./" if name == "index.html" else name for name, _ in _page()]
    return [name for name in names if name != "sw.js"]


def _index() -> bytes:
    """The HTML marked as running without a server, and its content security policy."""
    text = (PAGE / "index.html").read_text(encoding="utf-8")
    policy = (
        f'<meta charset="utf-8">\n  <meta http-equiv="Content-Security-Policy" content="{CONTENT_SECURITY_POLICY}">'
    )
    text = text.replace('<html lang="en">', '<html lang="en" data-alone>')
    return text.replace('<meta charset="utf-8">', policy).encode()


def first_boards(docs: bool = False) -> dict[str, object]:
    """The facts of the page's first boards, computed in advance so that they show before the core is loaded."""
    games = {f"{board}/": Game(Variant.parse(board)) for board in PRECOMPUTED_BOARDS}
    games[f"7x6x4/{DEMO_GAME}"] = Game(Variant(), parse_moves(DEMO_GAME))
    facts = {name: game_facts(game) for name, game in games.items()}
    return {"version": connectk.__version__, "docs": docs, "games": facts}
