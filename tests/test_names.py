"""One name for each thing: whoever reads a class's name in a message or a search finds one class."""

import ast
import re
from collections import defaultdict
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

import connectk
from connectk import _native

SOURCES = Path(connectk.__file__).parent
# A match and a room are told by events of their own; somebody may come into both, and an offer be declined in both.
EVENTS = {"Joined": {"play/events.py", "rooms/events.py"}, "Declined": {"play/events.py", "rooms/events.py"}}


@cache
def classes() -> dict[str, set[str]]:
    """The modules of the package that define a class of this name; what is inside a class is named by it."""
    found = defaultdict(set)
    for file in SOURCES.rglob("*.py"):
        for node in ast.parse(file.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef):
                found[node.name].add(file.relative_to(SOURCES).as_posix())
    return found


def test_no_two_classes_have_the_same_name():
    """Except for those that are listed here with a reason."""
    several = {name: modules for name, modules in classes().items() if len(modules) > 1}
    assert several == EVENTS


def glossary() -> set[str]:
    """What stands between backticks in the glossary and is a name of ours: `play.match.Match`, `HeldSeat`."""
    text = (Path(__file__).parents[1] / "docs/design.md").read_text("utf-8").partition("## Glossary")[2]
    return set(re.findall(r"`([a-z_]+(?:\.\w+)+|[A-Z]\w+)`", text))


@pytest.mark.parametrize("name", sorted(glossary()))
def test_the_glossary_names_what_there_is(name):
    """A class that its module gives, or a module."""
    *place, last = name.split(".")
    if place:
        module = f"connectk.{'.'.join(place)}"
        assert hasattr(import_module(module), last) or import_module(f"connectk.{name}")
    else:
        assert last in classes() or hasattr(_native, last)
