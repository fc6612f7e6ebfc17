"""Tests the review as one file, opened from a disk without a server and without a network, in three languages."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from connectk import Game, Side, parse_moves
from connectk.notation import SavedGame
from connectk.review import review_game
from connectk.review.blunder_explanations import explain_blunders
from connectk.review.replay_page import write_replay_page
from connectk.texts import load_texts

pytestmark = pytest.mark.web
WON_GAME = "4444453323351"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    saved = SavedGame(Game(moves=parse_moves(WON_GAME)), {Side.FIRST: "Ann", Side.SECOND: "<b>Bo</b>"}, given=1)
    page = write_replay_page(saved, review_game(saved.game, given=1), load_texts("en"))
    path = tmp_path_factory.mktemp("review") / "review.html"
    path.write_text(page, encoding="utf-8")
    return path


@pytest.fixture
def opened(browser: Browser, written: Path) -> Page:
    """A browser without a network. Any error in a script fails the test."""
    context = browser.new_context(offline=True, locale="en-GB", reduced_motion="reduce")
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda request: errors.append(request.url) if request.url.startswith("http") else None)
    page.goto(written.as_uri())
    page.locator("#turning").wait_for()
    yield page
    context.close()
    assert errors == []


def test_it_opens_at_the_turning_point_and_says_why(opened: Page) -> None:
    expect(opened.locator("#turning")).to_contain_text("The turning point.")
    expect(opened.locator(".seat, .moves").first).to_be_visible()
    expect(opened.locator("connectk-board .disc").first).to_be_visible()
    expect(opened.get_by_text("<b>Bo</b>").first).to_be_visible()


def test_the_game_is_walked_with_keys_and_buttons(opened: Page) -> None:
    discs = opened.locator("connectk-board .disc:not(.ghost)")
    opened.keyboard.press("Home")
    expect(discs).to_have_count(0)
    opened.keyboard.press("ArrowRight")
    expect(discs).to_have_count(1)
    opened.get_by_role("button", name="To the end").click()
    expect(discs).to_have_count(len(WON_GAME))


def test_it_speaks_three_languages(opened: Page) -> None:
    """A review as one file is translated into three languages, including the reasons."""
    for language, words in (("fi", "Käännekohta."), ("sv", "Vändpunkten."), ("en", "The turning point.")):
        opened.locator("#language").select_option(language)
        expect(opened.locator("#turning")).to_contain_text(words)
        expect(opened.locator("html")).to_have_attribute("lang", language)


def test_a_disc_that_was_given_is_marked(opened: Page) -> None:
    opened.keyboard.press("Home")
    opened.keyboard.press("ArrowRight")
    expect(opened.locator(".sentence")).to_contain_text("Given.")


def test_what_needs_a_server_is_not_offered(opened: Page) -> None:
    expect(opened.get_by_role("button", name="Play from here")).to_have_count(0)


def test_a_file_made_with_whys_explains_its_blunders(browser: Browser, tmp_path: Path) -> None:
    """A review made with explanations explains its blunders, and only these, step by step without a server."""
    saved = SavedGame(Game(moves=parse_moves("3344251")))
    review = review_game(saved.game)
    path = tmp_path / "review.html"
    path.write_text(write_replay_page(saved, review, load_texts("en"), explain_blunders(review, 5)), encoding="utf-8")
    page = browser.new_context(offline=True, locale="sv-SE", reduced_motion="reduce").new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(path.as_uri())
    page.locator("#turning").get_by_role("button", name="Varför?").click()
    shown = page.locator("dialog.why")
    expect(shown.locator(".why-headline")).to_contain_text("Första spelaren vinner.")
    page.keyboard.press("End")
    expect(shown.locator(".why-words")).to_have_text("Kolumn 5 gör raden hel.")
    assert shown.evaluate("(one) => getComputedStyle(one.querySelector('.why-marks')).position") == "absolute"
    page.keyboard.press("Escape")
    page.keyboard.press("Home")
    expect(page.locator(".onwards button")).to_be_hidden()
    page.context.close()
    assert errors == []
