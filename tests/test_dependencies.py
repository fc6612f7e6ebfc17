"""Every imported package is declared, and every declared package has a reason."""

import ast
import json
import re
import sys
import tomllib
from importlib.metadata import files, packages_distributions, version
from pathlib import Path

import yaml

import connectk

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
REASONS = (ROOT / "docs/decisions/0010-dependencies.md").read_text("utf-8")
UNINSTALLED_HOMES = {"openenv": ["openenv-core"]}  # of packages that are not part of the dev extra
OWN_PACKAGES = {"connectk", "connectz"}
STANDALONE_MODULES = {"botusage", "isolation"}  # a bot's guard is a program by itself and imports what lies beside it


def name_of(requirement: str) -> str:
    return re.split(r"[^A-Za-z0-9._-]", requirement)[0].lower().replace("_", "-")


def declared() -> set[str]:
    extras = PROJECT["optional-dependencies"].values()
    return {name_of(line) for group in (PROJECT["dependencies"], *extras) for line in group} - OWN_PACKAGES


def imported(folder: Path) -> set[str]:
    """The first part of every imported name, without the standard library and our own packages."""
    names = set()
    for file in folder.rglob("*.py"):
        names |= names_in(file)
    return names - sys.stdlib_module_names - OWN_PACKAGES - STANDALONE_MODULES


def names_in(file: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
    return names


def test_every_import_of_the_package_is_declared():
    """Every imported package is declared, because one that only another package installs may be missing some day."""
    homes = UNINSTALLED_HOMES | packages_distributions()
    names = imported(ROOT / "src")
    assert {name for name in names if not {name_of(home) for home in homes.get(name, [name])} & declared()} == set()


def test_every_dependency_has_its_line_of_reason():
    listed = set(re.findall(r"^\| ([a-z][a-z0-9-]*) \|", REASONS, re.MULTILINE)) - {"package"}
    assert listed == declared()


def test_every_dependency_is_pinned():
    pins = {name_of(line) for line in (ROOT / "constraints.txt").read_text("utf-8").split()}
    assert declared() - pins == set()


def test_the_version_is_written_once() -> None:
    """The version is written only in the package, where the build reads it."""
    assert "version" in PROJECT["dynamic"]
    assert version("connectk") == connectk.__version__


def test_the_wheel_says_what_is_compiled_into_it() -> None:
    """The wheel lists compiled software as PEP 770 requires, with the versions of the build."""
    [bill] = [file for file in files("connectk") or () if file.match("*.dist-info/sboms/*")]
    written = json.loads(bill.locate().read_text("utf-8"))
    assert written["metadata"]["component"]["version"] == connectk.__version__
    assert written["components"][0] | {"name": "nanobind", "version": version("nanobind")} == written["components"][0]


def test_conda_s_recipe_asks_for_what_pip_does() -> None:
    recipe = yaml.safe_load((ROOT / "packaging/conda-forge/recipe.yaml").read_text("utf-8"))
    needed = {line.replace(" ", "") for line in recipe["requirements"]["run"]} - {"python"}
    assert needed == set(PROJECT["dependencies"])
    assert recipe["context"]["version"] == connectk.__version__
