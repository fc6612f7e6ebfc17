"""Simulates a person at the page."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

# A browser's message if the server is gone when it looks for a newer service worker.
OFFLINE_ERRORS = {"ERR_CONNECTION_REFUSED", "fetching the script"}
DISC_SELECTOR = "connectk-board .disc:not(.ghost)"
STATE_SCRIPT = """() => {
    const { hand, open } = document.querySelector("connectk-board").state;
    const headline = document.querySelector(".headline").textContent;
    return { mine: hand !== null && headline === "Your turn.", column: open[0] };
}"""


class Table:
    """One person who uses the page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.expected_complaints: set[str] = set()

    @property
    def board(self) -> Locator:
        return self.page.locator("connectk-board")

    @property
    def discs(self) -> Locator:
        return self.page.locator(DISC_SELECTOR)

    @property
    def headline(self) -> Locator:
        return self.page.locator(".headline")

    @property
    def detail(self) -> Locator:
        return self.page.locator(".deal p")

    @property
    def live(self) -> Locator:
        return self.page.locator("#live")

    def second_card(self, lesson: int, cards: int) -> Locator:
        """Go to the first exercise of a lesson, which is its second card. Returns the element that shows the lesson's
        answers."""
        self.visit(f"#/learn/{lesson}")
        self.page.locator("#learn-next").click()
        expect(self.page.locator("main")).to_contain_text(f"card 2 of {cards}")
        return self.page.locator("#learn-status")

    def cell(self, column: int, row: int) -> Locator:
        """A cell of the board, with column and row counted from 1."""
        found = self.page.locator(f'.cell[aria-label^="Column {column}, row {row}:"]')
        return found.filter(visible=True)  # a dialog that was closed leaves the page a moment later

    def visit(self, path: str) -> None:
        """Go to another screen and wait until its heading has replaced the heading of the last screen."""
        self.page.evaluate("document.querySelector('h1')?.classList.add('left')")
        self.page.goto(self.page.url.partition("#")[0] + path)
        expect(self.page.locator("h1:not(.left)")).to_be_visible()

    def drop(self, column: int) -> None:
        """Click on a column."""
        self.cell(column, 1).click()

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def press(self, name: str) -> None:
        self.button(name).click()

    def two_here(self) -> None:
        """Begin a game of two people at one screen."""
        self.press("Two at this screen Take turns on one board")
        expect(self.headline).to_be_visible()

    def more(self) -> None:
        """Open the fields for the board, the clock and who starts."""
        self.page.get_by_text("Board, clock and who starts").click()

    def sure(self, name: str) -> None:
        """Press a button that asks for confirmation, and confirm."""
        self.press(name)
        self.page.get_by_role("dialog").get_by_role("button", name=name, exact=True).click()

    def pick(self, name: str) -> None:
        """Choose the radio button with this name."""
        self.page.get_by_role("radio", name=name, exact=True).check()

    def go(self, name: str) -> None:
        self.page.get_by_role("navigation").get_by_role("link", name=name, exact=True).click()

    def expect_discs(self, count: int) -> None:
        expect(self.discs).to_have_count(count)

    def expect_turn(self, words: str) -> None:
        expect(self.headline).to_contain_text(words)

    def play_until_over(self) -> None:
        """Drop into any open column whenever it is this person's turn, until the game is over."""
        for _ in range(2000):
            if self.is_over():
                return
            state = self.page.evaluate(STATE_SCRIPT)
            if state["mine"]:
                self.cell(state["column"] + 1, 1).press(str(state["column"] + 1))
            self.page.wait_for_timeout(30)
        raise AssertionError("the game does not end")

    def is_over(self) -> bool:
        return self.page.locator("[name=rematch]").is_visible()

    def drop_file(self, name: str, text: str) -> None:
        """Drop a file on the page."""
        self.page.evaluate(
            """([name, text]) => {
                const data = new DataTransfer();
                data.items.add(new File([text], name));
                const facts = { dataTransfer: data, bubbles: true, cancelable: true };
                for (const type of ["dragenter", "dragover", "drop"])
                    document.body.dispatchEvent(new DragEvent(type, facts));
            }""",
            [name, text],
        )

    def saved_seat(self, match: str, secret: str) -> None:
        """Store a seat's secret, as if this browser had created the match."""
        seats = json.dumps(json.dumps([[match, secret]]))
        self.page.evaluate(f"localStorage.setItem('connectk.seats', {seats})")

    def escape(self) -> None:
        """Close a dialog, and wait until it is gone from the page."""
        self.page.keyboard.press("Escape")
        expect(self.page.locator("dialog")).to_have_count(0)

    def next_frame(self) -> None:
        """Wait for two frames, so that the page has reacted to the last change, such as a new board size."""
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def note(self, selector: str) -> None:
        """Record every text that this element shows from now on, even briefly."""
        self.page.evaluate(
            """(selector) => {
                window.noted = new Set();
                const note = (one) => window.noted.add(one.textContent);
                const look = () => document.querySelectorAll(selector).forEach(note);
                const everything = { subtree: true, childList: true, attributes: true, characterData: true };
                new MutationObserver(look).observe(document.body, everything);
            }""",
            selector,
        )

    def expect_noted(self, words: str) -> None:
        self.page.wait_for_function("(words) => [...window.noted].some((one) => one.includes(words))", arg=words)

    def reports(self) -> list[Any]:
        found: list[Any] = self.page.evaluate("window.reports ?? []")
        return found

    def invitation(self) -> str:
        """The address to send to a friend."""
        link = self.page.get_by_role("textbox", name="Link")
        expect(link).to_have_value(re.compile("/i/[0-9a-f]{32}#"))
        address: str = link.input_value()
        return re.sub(r"^https?://[^/]+/", "", address)
