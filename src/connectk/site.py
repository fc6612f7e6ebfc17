"""Writes the page as a folder of static files for any web host; the compiled core then runs in the browser.

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
from connectk.review.game_json import game_to_json
from connectk.rules import Game, Variant
from connectk.texts import LANGUAGES
from connectk.texts.page import PagePart, page_texts
from connectk.web.complete_address import PICTURE_PATH, with_address

PACKAGE_FOLDER = Path(connectk.__file__).parent
PAGE_FOLDER = PACKAGE_FOLDER / "web"
BOOK_FILE = PACKAGE_FOLDER / "solver/book/7x6x4.book"
EXTRA_TEXT_PARTS: tuple[PagePart, ...] = ("later", "learn", "why")
PAGE_FILE_SUFFIXES = (".css", ".js", ".png", ".svg", ".wasm", ".webmanifest")
CONTENT_SECURITY_POLICY = (  # `blob:` is for pictures that are painted from SVG
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' blob:; "
    "base-uri 'none'; form-action 'self'; object-src 'none'"
)
EMBED_PAGE = "embed/index.html"
ONLINE_ONLY_FILES = (EMBED_PAGE, "sw.js", PICTURE_PATH, "js/open-link.js")
PRECOMPUTED_BOARDS = ("7x6x4", "5x4x3", "6x5x4", "9x7x5", "10x8x4", "30x30x6")  # offered by the page
DEMO_GAME = "44444752232255311"  # the animation on the first board


def write_site(out: Path, docs: bool = False, address: str = "") -> list[str]:
    """Write the folder, and return the names of its files. If `docs` is true, the footer links to documentation in
    `docs/`. If `address` is the address of the site, a shared link to the site shows a preview picture."""
    files = dict(_files(docs, address))
    files["sw.js"] = files["sw.js"].replace(b'const VERSION = ""', f'const VERSION = "-{_version(files)}"'.encode())
    for name, content in files.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return sorted(files)


def _version(files: dict[str, bytes]) -> str:
    """A hash of all files. It stays the same as long as no file changes."""
    names = sorted(files)
    return hashlib.sha256(b"".join(name.encode() + hashlib.sha256(files[name]).digest() for name in names)).hexdigest()[
        :16
    ]


def _files(docs: bool, address: str) -> Iterator[tuple[str, bytes]]:
    yield from _page(address)
    yield f"book/{BOOK_FILE.name}", BOOK_FILE.read_bytes()
    yield "first.json", json.dumps(first_boards(docs)).encode()


def _page(address: str = "") -> Iterator[tuple[str, bytes]]:
    yield "index.html", _page_html("index.html", address)
    yield EMBED_PAGE, _page_html(EMBED_PAGE)
    for path in sorted(PAGE_FOLDER.rglob("*")):
        if path.suffix in PAGE_FILE_SUFFIXES:
            yield path.relative_to(PAGE_FOLDER).as_posix(), path.read_bytes()
    for language in LANGUAGES:
        yield f"texts/{language}.json", page_texts(language)
        for part in EXTRA_TEXT_PARTS:
            yield f"texts/{part}/{language}.json", page_texts(language, part)
    yield "lessons/lessons.json", (PACKAGE_FOLDER / "lessons/lessons.json").read_bytes()
    for path in sorted((PACKAGE_FOLDER / "puzzles/data").iterdir()):
        yield f"puzzles/{path.name}", path.read_bytes()


def offline_files() -> list[str]:
    """The files that the service worker caches for offline use. The file of the service worker is not included, because
    the browser caches it."""
    names = ["./" if name == "index.html" else name for name, _ in _page()]
    return [name for name in names if name not in ONLINE_ONLY_FILES]


def _page_html(name: str, address: str = "") -> bytes:
    """The HTML of the page, or of the page in a frame.

    It is marked as running without a server and has a content security policy. If the site's address is given, the tags
    for link previews contain it.
    """
    text = (PAGE_FOLDER / name).read_text(encoding="utf-8")
    policy = (
        f'<meta charset="utf-8">\n  <meta http-equiv="Content-Security-Policy" content="{CONTENT_SECURITY_POLICY}">'
    )
    text = text.replace('<html lang="en"', '<html lang="en" data-alone')
    if address:
        text = with_address(text, address)
    return text.replace('<meta charset="utf-8">', policy).encode()


def first_boards(docs: bool = False) -> dict[str, object]:
    """The data of the page's first boards. It is computed in advance, so that the boards show before the core is
    loaded."""
    games = {f"{board}/": Game(Variant.parse(board)) for board in PRECOMPUTED_BOARDS}
    games[f"7x6x4/{DEMO_GAME}"] = Game(Variant(), parse_moves(DEMO_GAME))
    facts = {name: game_to_json(game) for name, game in games.items()}
    return {"version": connectk.__version__, "docs": docs, "games": facts}
