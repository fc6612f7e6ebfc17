"""Tests that the examples in the documentation give the documented results."""

import doctest
import importlib
import re
from pathlib import Path

import pytest

import connectk
from connectk import notation, referee, rules, solver

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_examples_give_what_they_show(page):
    flags = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    examples = doctest.DocTestParser().get_doctest(page.read_text(encoding="utf-8"), {}, page.name, str(page), 0)
    assert doctest.DocTestRunner(optionflags=flags).run(examples).failed == 0


def modules_with_examples():
    files = sorted((ROOT / "src/connectk").rglob("*.py"))
    shown = [file.relative_to(ROOT / "src").with_suffix("") for file in files if ">>>" in file.read_text("utf-8")]
    return [".".join(path.parts).removesuffix(".__init__") for path in shown]


@pytest.mark.parametrize("module", modules_with_examples())
def test_examples_in_docstrings_give_what_they_show(module):
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    run = doctest.testmod(importlib.import_module(module), optionflags=flags)
    assert run.failed == 0
    assert run.attempted


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    for link in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8")):
        if "://" not in link:
            assert (page.parent / link).exists(), link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_make_targets_that_are_named_exist(page):
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"`make ([a-z-]+)`", page.read_text(encoding="utf-8"))) <= targets


def test_the_map_shows_every_room():
    """The design page lists exactly the top-level folders and modules of the package and of the core."""
    page = (ROOT / "docs/design.md").read_text(encoding="utf-8")
    shown = page[page.index("```") : page.index("```", page.index("```") + 3)]
    rooms = {
        f"{room.name}/"
        for top in ("src/connectk", "native")
        for room in (ROOT / top).iterdir()
        if any(room.glob("*.*"))
    }
    files = {file.name for file in (ROOT / "src/connectk").glob("*.py") if not file.name.startswith("__")}
    there = (rooms | files) - {"__pycache__/"}

    assert there - set(re.findall(r"[a-z_]+/|[a-z_]+\.py", shown)) == set()
    assert set(re.findall(r"^  ([a-z_]+/)", shown, re.MULTILINE)) <= rooms


def test_the_public_names_are_documented():
    """The reference has all public names of `connectk`, its rules and its notation."""
    reference = "\n".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs").rglob("*.md"))
    names = {*connectk.__all__, *rules.__all__, *notation.__all__, *referee.__all__, *solver.__all__}
    assert {name for name in names if not re.search(rf"\b{name}\b", reference)} == set()
