"""The documentation site builds without a warning, every link works, and the reader can play on every board."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest

ROOT = Path(__file__).parent.parent
LINK = re.compile(r'(?:href|src)="([^"#?:]+)(?:[#?][^"]*)?"')
BOARD = re.compile(r'<a class="board" href="([^"#]+)#(/game/[^"]+)"')

pytestmark = pytest.mark.deep  # it reviews the games of the gallery; `make test-deep` brings Sphinx


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site") / "docs"
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-c", "tools/docs", "docs", str(out)]
    made = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    return out


def test_every_link_leads_somewhere(site: Path) -> None:
    home = (site.parent / "index.html").resolve()  # the page itself, which `connectk site` puts there
    for page in site.rglob("*.html"):
        for link in LINK.findall(page.read_text(encoding="utf-8")):
            target = (page.parent / unquote(link)).resolve()
            assert target == home or target.exists(), f"{page.name}: {link}"


def test_boards_are_drawn_and_can_be_played_on(site: Path) -> None:
    for name in ("index.html", "explanation/gallery.html", "tutorials/first-steps.html"):
        text = (site / name).read_text(encoding="utf-8")
        boards = BOARD.findall(text)
        assert boards, name
        assert all((site / name).parent.joinpath(up).resolve() == site.parent / "index.html" for up, _ in boards)
        assert text.count('class="connectk"') == len(boards)


def test_the_first_page_has_a_playable_board_and_every_section(site: Path) -> None:
    text = (site / "index.html").read_text(encoding="utf-8")
    assert 'class="playable" data-variant="7x6x4"' in text
    assert (site / "_static/play.js").exists()
    sections = ("Tutorials", "How-to guides", "Reference", "Explanation")
    assert all(f'<span class="caption-text">{section}</span>' in text for section in sections)


def test_search_and_guides_find_the_python_reference(site: Path) -> None:
    """The search index contains `solve_many`, the reference shows a docstring, and the guide links to that
    reference."""
    assert '"solve_many"' in (site / "searchindex.js").read_text(encoding="utf-8")
    assert "legal_columns" in (site / "reference/api/rules.html").read_text(encoding="utf-8")
    link = 'href="api/solver.html#connectk.solver.solve_many"'
    assert link in (site / "reference/solver.html").read_text(encoding="utf-8")
