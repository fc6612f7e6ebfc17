"""Tests the swap rule on the page: with a friend on a server, and against the computer without one."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.web.conftest import OpenTable
from tests.web.test_friends import joined


def test_a_friend_takes_the_first_disc_over(open_table: OpenTable) -> None:
    """Ann reads that Bob may take her disc. Bob takes it, and both play on from their new sides."""
    ann = open_table()
    ann.page.get_by_role("button", name="Invite a friend").click()
    ann.page.get_by_label("Your name").fill("Ann")
    ann.page.get_by_label("Beginning").select_option("swap")
    ann.press("Make the link")
    expect(ann.page.locator(".qr svg")).to_be_visible()
    bob = joined(open_table, ann.invitation())
    ann.expect_turn("Your turn.")
    ann.drop(4)
    expect(ann.page.locator("#panel").get_by_text("Bob may take over your disc.")).to_be_visible()
    bob.expect_turn("Your turn.")
    bob.press("Swap sides")
    expect(bob.live).to_have_text("You have swapped sides: the first disc is yours now.")
    expect(ann.live).to_have_text("Bob has swapped sides and takes over the first disc.")
    bob.expect_turn("Ann to move.")
    expect(bob.page.locator("#below .name")).to_have_text("Bob")
    ann.expect_turn("Your turn.")
    ann.drop(4)
    bob.expect_turn("Your turn.")
    bob.expect_discs(2)
    expect(bob.page.get_by_role("button", name="Swap sides")).to_have_count(0)
    bob.drop(1)
    ann.expect_discs(3)


def test_two_at_one_screen_may_swap(open_table: OpenTable) -> None:
    """Two people at one screen may swap once. Then the second player drops the next disc as usual."""
    table = open_table()
    table.more()
    table.page.get_by_label("Beginning").select_option("swap")
    table.two_here()
    table.drop(4)
    table.press("Swap sides")
    expect(table.page.get_by_role("button", name="Swap sides")).to_have_count(0)
    table.drop(4)
    table.expect_discs(2)


def test_two_friends_begin_with_three_discs(open_table: OpenTable) -> None:
    """Ann places three discs, Bob places two more and leaves the choice to Ann, who swaps. Both see the same board."""
    ann = open_table()
    ann.page.get_by_role("button", name="Invite a friend").click()
    ann.page.get_by_label("Your name").fill("Ann")
    ann.page.get_by_label("Beginning").select_option("three")
    ann.press("Make the link")
    expect(ann.page.locator(".qr svg")).to_be_visible()
    bob = joined(open_table, ann.invitation())
    ann.expect_turn("Your turn.")
    panel = bob.page.locator("#panel")
    expect(panel.get_by_text("Ann places discs of both colours. You then choose a side.")).to_be_visible()
    expect(ann.page.locator("#panel").get_by_text("Place 3 more discs")).to_be_visible()
    for column in (1, 4, 4):
        ann.drop(column)
    ann.expect_discs(3)
    bob.expect_turn("Your turn.")
    bob.press("Place two more")
    expect(ann.live).to_have_text("Bob places two more discs. Ann then chooses a side.")
    bob.drop(2)
    expect(panel.get_by_text("Place one more disc. Ann then chooses a side.")).to_be_visible()
    bob.drop(2)
    ann.expect_turn("Your turn.")
    expect(ann.page.get_by_role("button", name="Place two more")).to_have_count(0)
    ann.press("Swap sides")
    bob.expect_turn("Your turn.")
    bob.drop(3)
    ann.expect_discs(6)
    ann.expect_turn("Your turn.")


def test_three_discs_at_one_screen_and_where_they_cannot_be_placed(open_table: OpenTable) -> None:
    """Two people at one screen can begin with three discs, except on boards on which three in a row win."""
    table = open_table()
    table.more()
    table.page.get_by_label("Beginning").select_option("three")
    table.page.get_by_label("Board", exact=True).select_option("5x4x3")
    expect(table.page.get_by_label("Beginning")).to_have_value("plain")
    table.page.get_by_label("Board", exact=True).select_option("7x6x4")
    expect(table.page.get_by_label("Beginning")).to_have_value("three")
    table.two_here()
    for column in (1, 4, 4):
        table.drop(column)
    table.press("Swap sides")
    table.drop(3)
    table.expect_discs(4)
