"""Tests the traits of the notebook's board from Python, and how a notebook shows a position."""

from __future__ import annotations

import re
import subprocess
import sys
from types import SimpleNamespace

import pytest
import traitlets

from connectk import Game, Position, Variant, score_columns
from connectk.notation.moves import parse_moves
from connectk.notebook import BoardWidget, display
from connectk.notebook.front_end import ENTRY_SCRIPT, front_end, front_end_texts, stylesheet
from connectk.rules import Side
from connectk.texts import LANGUAGES
from connectk.web.modules import read_scripts

SMALL = Variant(5, 4, 3)


def test_moves_are_the_game_and_the_game_is_the_moves() -> None:
    board = BoardWidget("4453")
    assert board.position == Position.from_moves("4453")
    board.moves = "44"
    assert board.game == Game(moves=(3, 3))
    board.game = Game(Position.from_moves("12", SMALL), (2, 3))
    assert (board.variant, board.start, board.moves) == ("5x4x3", "1x.2o", "34")
    assert board.position == Position.from_moves("1234", SMALL)
    board.ply = 1
    assert board.position == Position.from_moves("123", SMALL)
    board.position = Position.start()
    assert (board.variant, board.moves, board.ply) == ("7x6x4", "", -1)


@pytest.mark.parametrize(("name", "value"), [("moves", "8"), ("start", "4xx"), ("variant", "7x6"), ("level", 11)])
def test_what_breaks_the_rules_is_refused_and_changes_nothing(name: str, value: object) -> None:
    board = BoardWidget("4453")
    with pytest.raises(traitlets.TraitError):
        setattr(board, name, value)
    assert board.position == Position.from_moves("4453")
    assert board.view["moves"] == "4453"


def test_a_level_answers_each_drop() -> None:
    """Level 5 blocks three discs on their right, and drops first if the person is the second player."""
    board = BoardWidget("4151", level=5)
    board.moves += "6"
    assert len(board.moves) == 6
    assert board.moves[5] in "37"
    assert board.view["undo"] == "4151"
    assert len(BoardWidget(level=1, side="second").moves) == 1


def test_scores_are_those_of_the_solver() -> None:
    board = BoardWidget(Position.start(SMALL), show_scores=True)
    assert board.column_scores == score_columns(Position.start(SMALL))
    board.show_scores = False
    assert board.column_scores is None


def test_a_review_judges_the_moves_and_goes_when_they_change() -> None:
    board = BoardWidget(Game(Variant(7, 6, 4), parse_moves("414252")))
    board.show_review = True
    assert board.review is not None
    assert [mark["kind"] for mark in board.view["marks"]] == [
        move.label.value for move in board.review.moves if move.label.is_flawed
    ]
    assert len(board.view["advantage"]) == 7
    board.moves = "4142"
    assert (board.review, board.show_review, board.view["advantage"]) == (None, False, None)


def test_a_position_is_set_up_and_says_what_is_wrong() -> None:
    board = BoardWidget("44")
    board.editing = True
    assert board.draft == "4xo"
    board.draft = "4xx"
    assert board.view["wrong"]
    assert board.position == Position.from_moves("44")
    board.draft = "4xo.5x"
    assert not board.view["wrong"]
    board.editing = False
    assert (board.start, board.moves) == ("4xo.5x", "")
    assert board.position.side_to_move is Side.SECOND


def test_a_board_that_is_only_looked_at_has_no_open_columns() -> None:
    board = BoardWidget("4453", readonly=True, level=3, side="second")
    assert (board.moves, board.view["board"]["open"], board.view["board"]["hand"]) == ("4453", [], None)


def test_a_notebook_shows_a_board_and_a_terminal_a_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position.from_moves("44")
    still = position._repr_mimebundle_()
    assert set(still) == {"text/plain", "image/svg+xml"}
    notebook = SimpleNamespace(get_ipython=lambda: SimpleNamespace(kernel=object()))
    monkeypatch.setitem(sys.modules, "IPython", notebook)
    live = position._repr_mimebundle_()
    assert set(live) - set(still) == {"application/vnd.jupyter.widget-view+json"}
    assert live["image/svg+xml"] == still["image/svg+xml"]
    monkeypatch.setattr(display, "find_spec", lambda name: None)
    assert position._repr_mimebundle_() == still


def test_without_the_extra_the_board_names_it() -> None:
    script = """
import sys
import connectk
assert not {"anywidget", "ipywidgets", "traitlets"} & set(sys.modules)
sys.modules["anywidget"] = None
import connectk.notebook
try:
    connectk.notebook.BoardWidget
except connectk.errors.MissingExtra as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert (
        done.stdout == "Boards in a notebook need a package that is not installed: pip install 'connectk[notebook]'.\n"
    )


def test_the_front_end_is_the_page_s_own_modules() -> None:
    """No script is missing, and each comes after those that it imports. A loader of blob URLs needs this order."""
    loaded: set[str] = set()
    scripts = read_scripts(ENTRY_SCRIPT)
    for name, script in scripts.items():
        assert set(script.imports) <= loaded
        loaded.add(name)
    assert {"board/board.js", "review/advantage-graph.js", "texts/score-labels.js"} < loaded
    assert len(front_end()) < 200_000


def test_no_style_reaches_the_notebook() -> None:
    assert ":root" not in stylesheet()


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_text_of_the_front_end_is_sent(language: str) -> None:
    keys = set(re.findall(r'\bt\("([a-z._]+)"', ENTRY_SCRIPT.read_text(encoding="utf-8")))
    assert keys <= set(front_end_texts(language))
