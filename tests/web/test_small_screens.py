"""On phones, tablets, with large text and forced colours, nothing is cut off, covered, out of reach or wasted."""

from __future__ import annotations

import itertools

import pytest
from playwright.sync_api import Locator, expect

from tests.web.conftest import DESKTOP, OpenTable
from tests.web.test_everyone import SCREENS, SCROLL_SCRIPT

PHONE = {"width": 390, "height": 844}
SMALL_PHONE = {"width": 360, "height": 640}
LANDSCAPE = {"width": 844, "height": 390}
TABLET = {"width": 820, "height": 1180}
GAME = "#/game/7x6x4/4444453323351"


# Colours as drawn. Text in the colour of its background could not be read.
COLOURS_SCRIPT = (
    "(one) => { const { color, backgroundColor } = getComputedStyle(one); return [color, backgroundColor]; }"
)
LAYOUT_SCRIPT = """(board) => {
    const svg = board.firstElementChild, place = board.parentElement;
    const drawn = svg.querySelector(".frame").getBoundingClientRect(), inside = place.getBoundingClientRect();
    const numbers = [...svg.querySelectorAll(".number")].map((one) => one.getBoundingClientRect());
    return {
        margin: drawn.left - inside.left,
        columns: [inside.left - drawn.left, drawn.right - inside.right],
        cell: svg.querySelector(".cell").getBoundingClientRect().width,
        number: Math.min(...numbers.map((one) => one.height)),
        overlap: numbers.some((one, at) => at && numbers[at - 1].right > one.left && one.left > numbers[at - 1].left),
        rows: svg.querySelectorAll("[role=row]").length,
        said: Number(svg.querySelector("[role=grid]").getAttribute("aria-rowcount")),
    };
}"""


@pytest.mark.parametrize("size", [30, 50])
def test_a_large_board_on_a_phone_shows_a_part_that_can_be_played_on(open_table: OpenTable, size: int) -> None:
    """A large board on a phone shows a playable part with large cells: the rows with discs and a few more. A map shows
    the whole board."""
    me = open_table(f"#/game/{size}x{size}x5/-", viewport=PHONE, has_touch=True)
    expect(me.page.locator(".overview .map-window")).to_be_visible()
    me.next_frame()
    laid_out = me.board.evaluate(LAYOUT_SCRIPT)

    assert laid_out["margin"] <= 0
    left, right = laid_out["columns"]
    assert abs(left - right) < 20
    assert laid_out["cell"] >= 22
    assert laid_out["number"] >= 11
    assert not laid_out["overlap"]
    assert (laid_out["rows"], laid_out["said"]) == (8, size)

    me.press("Whole board")

    text, ground = me.button("Whole board").evaluate(COLOURS_SCRIPT)
    assert text != ground
    me.next_frame()
    laid_out = me.board.evaluate(LAYOUT_SCRIPT)
    assert laid_out["rows"] == size
    assert laid_out["margin"] >= 0
    assert laid_out["number"] >= 11
    assert not laid_out["overlap"]


def test_a_large_board_fills_a_desktop_s_height(open_table: OpenTable) -> None:
    me = open_table("#/game/30x30x6/-")
    expect(me.page.locator(".overview .map-window")).to_be_visible()
    me.next_frame()
    place = me.page.locator(".place")

    assert place.evaluate("(one) => one.scrollHeight - one.clientHeight") <= 0
    assert me.page.get_by_role("row").count() > 15
    assert place.evaluate("(one) => one.getBoundingClientRect().bottom") < me.page.evaluate("innerHeight")


def test_rows_are_added_above_the_discs_and_none_is_cut(open_table: OpenTable) -> None:
    me = open_table("#/game/30x30x6/" + ",".join(["15"] * 7), viewport=PHONE, has_touch=True)
    expect(me.page.get_by_role("row")).to_have_count(12)
    me.visit("#/game/30x30x6/" + ",".join(["15"] * 28))
    expect(me.page.get_by_role("row")).to_have_count(30)
    me.next_frame()
    me.page.locator(".place").evaluate("(place) => place.scrollTo(0, 0)")

    beyond = me.page.evaluate(
        """() => {
            const { bottom } = document.querySelector(".place").getBoundingClientRect();
            const rows = [...document.querySelectorAll(".cell[aria-colindex='1']")];
            return Math.min(...rows.map((row) => Math.abs(row.getBoundingClientRect().bottom - bottom)));
        }"""
    )
    assert beyond < 1.5


def test_a_landscape_phone_s_board_fills_the_height(open_table: OpenTable) -> None:
    me = open_table(viewport=LANDSCAPE, has_touch=True)
    me.page.locator("connectk-board[data-open]").wait_for()
    box = me.board.bounding_box()
    assert box is not None
    assert box["height"] > 380

    me.cell(4, 1).click()

    me.expect_turn("Your turn.")
    for name in ("Undo", "Hint"):
        expect(me.button(name)).to_be_in_viewport(ratio=1)
    assert me.board.bounding_box() == box


# Elements that are cut off: wider than their place in the window, or too small for their words.
CUT_OFF_SCRIPT = """() => [...document.querySelectorAll("button, a, label, h1, h2, select, input, p, summary, .seat")]
    .filter((one) => one.checkVisibility() && !one.closest(".unseen, .skip, .nav, .scroll"))
    .filter((one) => {
        const { left, right } = one.getBoundingClientRect();
        if (left < -1 || right > innerWidth + 1) return true;
        const isBox = one.localName !== "input" && getComputedStyle(one).display !== "inline" && one.clientWidth > 0;
        return isBox && one.scrollWidth > one.clientWidth + 2;
    })
    .map((one) => one.outerHTML.slice(0, 120))"""
DOUBLE_TEXT_SCRIPT = "document.documentElement.style.fontSize = '200%'"


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("language", ["en", "fi"])
def test_nothing_is_cut_off_at_twice_the_text(open_table: OpenTable, viewport: dict[str, int], language: str) -> None:
    me = open_table(viewport=viewport, locale=language, has_touch=True)
    for path in [*SCREENS, "#/"]:
        me.visit(path or "#/")
        me.page.evaluate(DOUBLE_TEXT_SCRIPT)
        me.next_frame()
        assert me.page.evaluate(CUT_OFF_SCRIPT) == [], path
    me.page.locator(".choices button").nth(1).click()
    expect(me.headline).to_be_visible()
    assert me.page.evaluate(CUT_OFF_SCRIPT) == []


def test_no_opponent_s_name_is_broken_at_twice_the_text(open_table: OpenTable) -> None:
    me = open_table(viewport=PHONE, has_touch=True, is_mobile=True)
    me.page.evaluate(DOUBLE_TEXT_SCRIPT)
    me.next_frame()

    heights = me.page.locator(".opponents label").evaluate_all("(all) => all.map((one) => one.offsetHeight)")
    assert len(heights) == 10
    assert len(set(heights)) == 1


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("language", ["en", "fi", "sv"])
def test_a_review_needs_no_sideways_scrolling_at_twice_the_text(
    open_table: OpenTable, viewport: dict[str, int], language: str
) -> None:
    """A review at twice the text size needs no sideways scrolling, including the parts that load late."""
    me = open_table(GAME, viewport=viewport, locale=language, has_touch=True)
    expect(me.page.locator("#turning")).to_be_visible()
    me.page.evaluate(DOUBLE_TEXT_SCRIPT)
    me.next_frame()

    assert me.page.evaluate(SCROLL_SCRIPT) <= 0
    assert me.page.evaluate(CUT_OFF_SCRIPT) == []


def test_the_current_screen_is_marked_in_forced_colours(open_table: OpenTable) -> None:
    me = open_table(forced_colors="active")
    border = "(link) => getComputedStyle(link).borderBottomColor"
    links = me.page.locator(".nav a")
    expect(links.first).to_have_attribute("aria-current", "page")
    colours = [link.evaluate(border) for link in links.all()]

    assert colours[0] not in colours[1:]


def test_screens_fit_one_line_on_a_small_phone_in_finnish(open_table: OpenTable) -> None:
    me = open_table(viewport=SMALL_PHONE, locale="fi-FI")
    boxes = [link.bounding_box() for link in me.page.locator(".nav a").all()]

    assert len({round(box["y"]) for box in boxes if box}) == 1
    assert all(box and box["x"] + box["width"] <= 360 for box in boxes)


def test_a_notice_covers_no_name(open_table: OpenTable) -> None:
    """A notice covers no name and moves no element."""
    me = open_table(viewport=PHONE, has_touch=True)
    me.two_here()
    seats = me.page.locator(".seat")
    before = [seat.bounding_box() for seat in seats.all()]
    me.page.evaluate("dispatchEvent(new Event('connectk-away'))")
    expect(me.page.get_by_role("alert")).to_be_in_viewport(ratio=1)

    notice = me.page.get_by_role("alert").bounding_box()
    assert notice
    assert [seat.bounding_box() for seat in seats.all()] == before
    assert all(box and box["y"] + box["height"] <= notice["y"] for box in before)


@pytest.mark.parametrize("viewport", [PHONE, TABLET], ids=["phone", "tablet"])
def test_below_the_board_everything_begins_at_one_edge(open_table: OpenTable, viewport: dict[str, int]) -> None:
    me = open_table("#/game/7x6x4/4453", viewport=viewport, has_touch=True)
    left = [me.page.locator(one).first.bounding_box() for one in ("#below .chip", "h1", ".steps button")]

    assert len({box and round(box["x"]) for box in left}) == 1


def test_no_button_lies_over_another_on_a_phone(open_table: OpenTable) -> None:
    """On a phone, no button overlaps another, and the room between a sentence and its buttons fits the sentence."""
    me = open_table(viewport=SMALL_PHONE, has_touch=True)
    me.two_here()
    buttons = [box for one in me.page.locator("main button").all() if (box := one.bounding_box())]
    rows = sorted({(round(box["y"]), round(box["y"] + box["height"])) for box in buttons})

    assert all(above[1] <= below[0] for above, below in itertools.pairwise(rows))
    headline, controls = me.headline.bounding_box(), me.page.locator(".controls").bounding_box()
    assert headline
    assert controls
    assert controls["y"] - headline["y"] - headline["height"] < 64


def overlap(one: Locator, other: Locator) -> bool:
    """Return whether two elements cover each other."""
    here, there = one.bounding_box(), other.bounding_box()
    assert here
    assert there
    return all(
        here[start] < there[start] + there[length] - 1 and there[start] < here[start] + here[length] - 1
        for start, length in (("x", "width"), ("y", "height"))
    )


@pytest.mark.parametrize(
    "viewport", [LANDSCAPE, PHONE, TABLET, DESKTOP], ids=["landscape", "phone", "tablet", "desktop"]
)
@pytest.mark.parametrize("text", ["100%", "200%"])
def test_the_demo_s_badge_covers_no_link_and_no_hole(
    open_table: OpenTable, viewport: dict[str, int], text: str
) -> None:
    me = open_table(viewport=viewport, has_touch=True)
    badge = me.button("Demo: tap to play")
    expect(badge).to_be_visible()
    me.page.evaluate("(size) => { document.documentElement.style.fontSize = size; }", text)
    me.next_frame()

    links = me.page.locator(".head a, .head button, h1").all()
    assert [link.inner_text() for link in links if overlap(badge, link)] == []
    assert not overlap(badge, me.page.locator("connectk-board .frame"))


@pytest.mark.parametrize("language", ["en", "fi", "sv"])
def test_nothing_scrolls_sideways_on_a_small_phone_once_everything_is_there(
    open_table: OpenTable, language: str
) -> None:
    """On a small phone nothing scrolls sideways, even after the accuracies, the turning point and the coach's words
    have loaded."""
    me = open_table(GAME, viewport=SMALL_PHONE, locale=language, has_touch=True)
    expect(me.page.locator("#turning")).to_be_visible()
    assert me.page.evaluate(SCROLL_SCRIPT) <= 0
    assert me.page.evaluate(CUT_OFF_SCRIPT) == []

    me.page.goto(me.page.url.partition("#")[0] + "#/why/7x6x4/44")
    expect(me.page.locator(".why-coach p").first).to_be_visible()
    expect(me.page.locator("#turning, .review-facts p").first).to_be_attached()
    assert me.page.evaluate(SCROLL_SCRIPT) <= 0


@pytest.mark.parametrize("screen", ["#/puzzle", "#/learn/2", "#/editor"])
def test_a_phone_wastes_no_room_between_a_board_and_its_words(open_table: OpenTable, screen: str) -> None:
    """On a phone, the room above the board is only as high as a hovering disc."""
    me = open_table(screen, viewport=PHONE, has_touch=True)
    expect(me.page.get_by_role("heading", level=1)).to_be_visible()
    me.next_frame()
    numbers, heading = (
        me.page.locator("connectk-board .number").first.bounding_box(),
        me.page.locator("h1").bounding_box(),
    )
    assert numbers
    assert heading
    assert 0 <= heading["y"] - numbers["y"] - numbers["height"] < 40
    nav, frame = me.page.locator(".nav").bounding_box(), me.page.locator("connectk-board .frame").bounding_box()
    assert nav
    assert frame
    assert frame["y"] - nav["y"] - nav["height"] < 80


def test_the_first_screen_s_words_keep_clear_of_a_wide_board_s_numbers(open_table: OpenTable) -> None:
    me = open_table(viewport=PHONE, has_touch=True)
    me.more()
    me.page.get_by_label("Board", exact=True).select_option("9x7x5")
    expect(me.page.locator("connectk-board .number")).to_have_count(9)
    me.next_frame()

    numbers, seat = (
        me.page.locator("connectk-board .number").last.bounding_box(),
        me.page.locator("#below").bounding_box(),
    )
    assert numbers
    assert seat
    assert seat["y"] >= numbers["y"] + numbers["height"]


def test_a_match_that_begins_far_down_the_page_shows_its_board(open_table: OpenTable) -> None:
    """A match that begins far down the page scrolls its board into view only once, so that a second tap hits the same
    column."""
    me = open_table(viewport=SMALL_PHONE, has_touch=True)
    me.two_here()
    expect(me.board).to_be_in_viewport(ratio=0.99)
    me.page.evaluate("scrollTo(0, 60)")
    me.drop(4)
    me.expect_discs(1)

    assert me.page.evaluate("scrollY") == 60


def test_a_screen_that_is_opened_far_down_the_page_begins_at_its_top(open_table: OpenTable) -> None:
    """A screen opened from far down the page begins at its top, and Back returns to the earlier place."""
    me = open_table(viewport=PHONE, has_touch=True)
    lessons = me.page.get_by_role("link", name="Lessons")
    lessons.scroll_into_view_if_needed()
    me.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    lessons.tap()
    expect(me.page.get_by_text("14. A test of all")).to_be_visible()
    me.page.wait_for_function("() => scrollY === 0")

    me.page.evaluate("scrollTo(0, 200)")
    me.page.get_by_role("link", name="14. A test of all").tap()
    expect(me.board).to_be_visible()
    me.page.go_back()
    expect(me.page.get_by_text("14. A test of all")).to_be_visible()

    me.page.wait_for_function("() => scrollY > 0")  # the browser scrolls back once the screen is drawn


@pytest.mark.parametrize(("screen", "button"), [("#/watch", "Start the demo"), ("#/rooms", "Make the room")])
def test_a_form_without_a_game_comes_before_its_empty_board_on_a_phone(
    open_table: OpenTable, screen: str, button: str
) -> None:
    me = open_table(screen, viewport=PHONE, has_touch=True)

    expect(me.button(button)).to_be_in_viewport(ratio=1)


def test_no_button_looks_hovered_where_there_are_only_fingers(open_table: OpenTable) -> None:
    """On a device with only touch, no button looks hovered after a tap."""
    ground = "(one) => getComputedStyle(one).backgroundColor"
    for fingers in (True, False):
        me = open_table(viewport=PHONE, has_touch=fingers, is_mobile=fingers)
        me.two_here()
        before = me.button("Hint").evaluate(ground)
        me.button("Hint").hover()
        assert (me.button("Hint").evaluate(ground) == before) == fingers


def test_the_chosen_opponent_is_marked_in_forced_colours(open_table: OpenTable) -> None:
    me = open_table(forced_colors="active")
    border = "(all) => all.map((one) => getComputedStyle(one).borderTopColor)"
    expect(me.page.get_by_role("radio", name="Pip")).to_be_checked()
    colours = me.page.locator(".opponents label > span:not(.beaten)").evaluate_all(border)

    assert colours[0] not in colours[1:]


@pytest.mark.parametrize("locale", ["en-GB", "fi-FI", "sv-SE"])
def test_the_language_is_named_in_full_on_a_small_phone(open_table: OpenTable, locale: str) -> None:
    me = open_table(viewport=SMALL_PHONE, locale=locale)
    cut = me.page.locator("#language").evaluate(
        """(select) => {
            const { width } = select.getBoundingClientRect();
            select.style.cssText = "max-width: none; min-width: max-content";
            return select.getBoundingClientRect().width - width;
        }"""
    )

    assert cut <= 0


def test_whoever_invites_on_a_phone_sees_link_share_and_code_first(open_table: OpenTable) -> None:
    me = open_table("#/invite", viewport=PHONE, has_touch=True)
    me.press("Make the link")

    expect(me.page.get_by_role("textbox", name="Link")).to_be_in_viewport(ratio=1)
    expect(me.button("Copy the link")).to_be_in_viewport(ratio=1)
    expect(me.page.locator(".qr svg")).to_be_in_viewport(ratio=0.99)


def test_each_lesson_shows_its_board_two_in_a_row_on_a_phone(open_table: OpenTable) -> None:
    me = open_table("#/learn", viewport=SMALL_PHONE, has_touch=True)
    expect(me.page.locator(".lessons .mini")).to_have_count(14)
    lefts = me.page.locator(".lessons a").evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().left)")
    assert len(set(lefts)) == 2
