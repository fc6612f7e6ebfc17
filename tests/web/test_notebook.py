"""Tests the notebook's board in a browser. A small page stands in for the notebook, and the widget's Python code runs
in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from connectk import Game, Position, Variant
from connectk.notation.moves import parse_moves
from connectk.notebook import BoardWidget
from tests.web.hosts import serving

# A model as anywidget gives it to a front end. `save_changes` sends what was set, and Python's answers come one by one.
HOST_PAGE = """<!doctype html><meta charset="utf-8"><title>notebook</title><body style="background: white"><main></main>
<script type="module">
const listeners = new Map();
const state = {}, changed = {};
const model = {
  get: (name) => state[name],
  set(name, value) { changed[name] = state[name] = value; },
  async save_changes() {
    const sent = { ...changed };
    for (const name of Object.keys(changed)) delete changed[name];
    window.receive(await window.toPython(sent));
  },
  on: (event, listener) => listeners.set(event, [...(listeners.get(event) ?? []), listener]),
  off: (event, listener) => listeners.set(event, (listeners.get(event) ?? []).filter((one) => one !== listener)),
};
window.receive = (changes) => {
  for (const [name, value] of changes) {
    state[name] = value;
    for (const listener of listeners.get(`change:${name}`) ?? []) listener();
  }
};
window.show = async (start, esm) => {
  Object.assign(state, start);
  const { default: widget } = await import(URL.createObjectURL(new Blob([esm], { type: "text/javascript" })));
  const el = document.createElement("div");
  document.querySelector("main").append(el);
  return void (window.cleanUp = await widget.render({ model, el }));
};
</script>"""


class Notebook:
    """A page that shows one widget. It is connected to the widget in Python as a kernel would be."""

    def __init__(self, page: Page, widget: BoardWidget) -> None:
        self.page, self.widget = page, widget
        self._changes: list[tuple[str, Any]] = []
        self._names = [name for name in widget.keys if not name.startswith("_")]
        widget.observe(lambda change: self._changes.append((change["name"], change["new"])), self._names)
        page.expose_function("toPython", self._set)
        page.evaluate("([state, esm]) => show(state, esm)", [self._state(), widget._esm])

    def _state(self) -> dict[str, Any]:
        sent = self.widget.get_state()
        return {
            name: sent[name] for name in self._names if name in sent and name not in ("layout", "tabbable", "tooltip")
        }

    def _set(self, sent: dict[str, Any]) -> list[tuple[str, Any]]:
        self._changes.clear()
        self.widget.set_state(sent)
        return list(self._changes)

    def change(self, **traits: Any) -> None:
        """Set traits, as a cell of the notebook does."""
        self._changes.clear()
        for name, value in traits.items():
            setattr(self.widget, name, value)
        self.page.evaluate("changes => receive(changes)", list(self._changes))

    @property
    def discs(self) -> Locator:
        return self.page.locator(".disc:not(.ghost)")

    def drop(self, column: int) -> None:
        self.page.get_by_role("gridcell", name=f"Column {column}, row 6").click()

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name)


OpenNotebook = Callable[[BoardWidget], Notebook]


@pytest.fixture
def open_notebook(browser: Browser, tmp_path: Path) -> Iterator[OpenNotebook]:
    context = browser.new_context(locale="en-GB", reduced_motion="reduce")
    errors: list[str] = []
    (tmp_path / "index.html").write_text(HOST_PAGE, encoding="utf-8")
    with serving(tmp_path) as address:

        def open_one(widget: BoardWidget) -> Notebook:
            page = context.new_page()
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
            page.goto(f"{address}index.html")
            return Notebook(page, widget)

        yield open_one
        context.close()
    assert errors == []


def test_a_person_plays_a_level_and_python_follows(open_notebook: OpenNotebook) -> None:
    """Each drop is answered, the board shows what Python sets, and a move is taken back together with its answer."""
    notebook = open_notebook(BoardWidget(level=3))
    notebook.drop(4)
    expect(notebook.discs).to_have_count(2)
    assert notebook.widget.moves[0] == "4"
    assert len(notebook.widget.moves) == 2
    expect(notebook.page.get_by_role("status")).to_have_text("First player to move.")
    notebook.button("Undo").click()
    expect(notebook.discs).to_have_count(0)
    expect(notebook.button("Undo")).to_be_disabled()
    notebook.change(level=0, moves="1213141")
    expect(notebook.page.get_by_role("status")).to_have_text("First player wins.")
    expect(notebook.page.locator(".won")).to_have_count(4)
    notebook.drop(7)
    expect(notebook.discs).to_have_count(7)
    notebook.button("Start again").click()
    expect(notebook.discs).to_have_count(0)
    assert notebook.widget.moves == ""
    notebook.page.get_by_label("Opponent").select_option("Computer, level 2")
    assert notebook.widget.level == 2


def test_scores_and_a_review_are_shown(open_notebook: OpenNotebook) -> None:
    """Each column shows its score, the graph shows its dots, and a step back shows the previous position."""
    notebook = open_notebook(BoardWidget(Game(Variant(7, 6, 4), parse_moves("414252"))))
    page = notebook.page
    page.get_by_label("Show each column's score").check()
    expect(page.locator(".score", has_text="wins").first).to_be_visible()
    page.get_by_label("Review").check()
    dots = page.locator(".graph-dot")
    expect(dots).not_to_have_count(0)
    assert notebook.widget.review is not None
    assert dots.count() == sum(move.label.is_flawed for move in notebook.widget.review.moves)
    notebook.button("One move back").click()
    expect(notebook.discs).to_have_count(5)
    assert notebook.widget.ply == 5
    page.get_by_role("slider").press("Home")
    expect(notebook.discs).to_have_count(0)
    notebook.drop(4)
    expect(notebook.discs).to_have_count(1)
    expect(page.get_by_label("Review")).not_to_be_checked()
    assert (notebook.widget.moves, notebook.widget.ply) == ("4", -1)


def test_a_position_is_set_up_by_hand(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(BoardWidget(Position.from_moves("44")))
    page = notebook.page
    notebook.button("Set up a position").click()
    expect(notebook.discs).to_have_count(2)
    page.get_by_role("gridcell", name="Column 5, row 2").click()
    expect(page.get_by_role("status")).to_have_class("bad")
    assert notebook.widget.position == Position.from_moves("44")
    page.get_by_role("gridcell", name="Column 5, row 2").click()
    page.get_by_role("gridcell", name="Column 5, row 1").click()
    expect(page.get_by_role("status")).to_have_text("Second player to move.")
    notebook.button("Done").click()
    assert notebook.widget.start == "4xo.5x"
    expect(notebook.button("Start again")).to_be_visible()
    notebook.drop(1)
    expect(notebook.discs).to_have_count(4)
    assert notebook.widget.position == Position.from_moves("4451")


def test_the_board_keeps_to_itself(open_notebook: OpenNotebook) -> None:
    """The board does not style the notebook around it. It follows a dark theme, can be used by keys, and can be
    closed."""
    notebook = open_notebook(BoardWidget(language="fi"))
    page = notebook.page
    assert page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--paper')") == ""
    assert page.evaluate("document.body.children.length") == 2  # what the notebook itself has
    expect(notebook.button("Aseta lauta")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(notebook.discs).to_have_count(1)
    assert notebook.widget.moves == "5"
    sheet = page.locator(".sheet")
    light = sheet.evaluate("one => getComputedStyle(one).backgroundColor")
    notebook.change(theme="dark")
    expect(sheet).not_to_have_css("background-color", light)
    notebook.change(readonly=True)
    expect(notebook.button("Aseta lauta")).to_be_hidden()
    page.evaluate("cleanUp()")
    expect(page.locator(".sheet")).to_have_count(0)
