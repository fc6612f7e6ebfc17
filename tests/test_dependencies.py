"""What is imported is declared, and what is declared has a reason."""

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
REASONS = (ROOT / "docs/decisions/0010-dependencies.md").read_text("utf-8")
OURS = {"connectk", "connectz"}
BESIDE = {"isolation"}  # a bot's guard is a program by itself and imports what lies beside it


def name_of(requirement: str) -> str:
    return re.split(r"[^A-Za-z0-9._-]", requirement)[0].lower().replace("_", "-")


def declared() -> set[str]:
    extras = PROJECT["optional-dependencies"].values()
    return {name_of(line) for group in (PROJECT["dependencies"], *extras) for line in group} - OURS


def imported(folder: Path) -> set[str]:
    """The first part of every name that is imported there, the standard library's and our own left out."""
    names = set()
    for file in folder.rglob("*.py"):
        names |= names_in(file)
    return names - sys.stdlib_module_names - OURS - BESIDE


def names_in(file: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
    return names


def test_every_import_of_the_package_is_declared():
    """A package that comes along with another may stop coming along."""
    homes = packages_distributions()
    names = imported(ROOT / "src")
    assert {name for name in names if not {name_of(home) for home in homes.get(name, [name])} & declared()} == set()


def test_every_dependency_has_its_line_of_reason():
    listed = set(re.findall(r"^\| ([a-z][a-z0-9-]*) \|", REASONS, re.MULTILINE)) - {"package"}
    assert listed == declared()


def test_every_dependency_is_pinned():
    pins = {name_of(line) for line in (ROOT / "constraints.txt").read_text("utf-8").split()}
    assert declared() - pins == set()
