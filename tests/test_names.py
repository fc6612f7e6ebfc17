"""Each class name of the package means one class, and developers' pages name only existing things."""

import ast
import re
import subprocess
from collections import defaultdict
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

import connectk
from connectk import _native

SOURCES = Path(connectk.__file__).parent
# A match and a room have events of their own; somebody may come into both, and an offer be declined in both.
EVENTS = {"Joined": {"play/events.py", "rooms/events.py"}, "Declined": {"play/events.py", "rooms/events.py"}}


@cache
def classes() -> dict[str, set[str]]:
    """The class names of the package, each with the modules that define it at their top level."""
    found = defaultdict(set)
    for file in SOURCES.rglob("*.py"):
        for node in ast.parse(file.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef):
                found[node.name].add(file.relative_to(SOURCES).as_posix())
    return found


def test_no_two_classes_have_the_same_name():
    """No two classes have the same name, apart from exceptions that are listed here with a reason."""
    several = {name: modules for name, modules in classes().items() if len(modules) > 1}
    assert several == EVENTS


def glossary() -> set[str]:
    """Our own names between backticks in the glossary, such as `play.match.Match` and `HeldSeat`."""
    text = (Path(__file__).parents[1] / "docs/design.md").read_text("utf-8").partition("## Glossary")[2]
    return set(re.findall(r"`([a-z_]+(?:\.\w+)+|[A-Z]\w+)`", text))


@pytest.mark.parametrize("name", sorted(glossary()))
def test_the_glossary_names_what_there_is(name):
    """Each name in the glossary is a module, or a class that its module exports."""
    *place, last = name.split(".")
    if place:
        module = f"connectk.{'.'.join(place)}"
        assert hasattr(import_module(module), last) or import_module(f"connectk.{name}")
    else:
        assert last in classes() or hasattr(_native, last)


REPOSITORY = Path(__file__).parents[1]
DEVELOPER_PAGES = [REPOSITORY / name for name in ("CONTRIBUTING.md", "docs/design.md", "docs/reference/page.md")]
DEVELOPER_PAGES += sorted((REPOSITORY / "docs/decisions").glob("*.md"))
WRITTEN_BY_RECIPES = {"de.json", "leftmost.py", "hello.py", "hello.js", "usage.option.json"}
ELSEWHERE = {
    "axe.min.js",
    "first.json",
    "pthread_create.c",
    "NDEBUG",
}  # of other projects, or made when they are needed


@cache
def sources() -> tuple[set[str], set[str]]:
    """The names of all files of the repository, and the constants in its sources."""
    listed = subprocess.run(["git", "ls-files"], cwd=REPOSITORY, capture_output=True, text=True, check=True).stdout
    files = [REPOSITORY / name for name in listed.splitlines()]
    code = (file for file in files if file.suffix in {".py", ".js", ".cpp", ".hpp"} and file.is_file())
    constants = {name for file in code for name in re.findall(r"\b[A-Z][A-Z_]{4,}\b", file.read_text("utf-8"))}
    return {file.name for file in files}, constants


@pytest.mark.parametrize("page", DEVELOPER_PAGES, ids=lambda page: page.name)
def test_the_files_and_constants_of_a_page_exist(page):
    """Each file and constant that a developers' page names exists, unless a recipe tells the reader to write it."""
    files, constants = sources()
    quoted = re.findall(r"`([^`\n]+)`", page.read_text("utf-8"))
    named = {name.rpartition("/")[2] for name in quoted if re.fullmatch(r"[\w./-]+\.(py|js|cpp|hpp|c|json)", name)}
    named |= {name for name in quoted if re.fullmatch(r"[A-Z][A-Z_]{4,}", name)}
    assert named - files - constants - WRITTEN_BY_RECIPES - ELSEWHERE == set()
