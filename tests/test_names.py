"""One name for each thing: whoever reads a class's name in a message or a search finds one class."""

import ast
from collections import defaultdict
from pathlib import Path

import connectk

SOURCES = Path(connectk.__file__).parent
# A match and a room are told by events of their own; somebody may come into both, and an offer be declined in both.
EVENTS = {"Joined": {"play/events.py", "rooms/events.py"}, "Declined": {"play/events.py", "rooms/events.py"}}


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
