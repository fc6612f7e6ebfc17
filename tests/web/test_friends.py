"""Tests two people in two browsers, and a third who watches."""

from __future__ import annotations

import re

from playwright.sync_api import WebSocketRoute, expect

from tests.web.conftest import OpenTable
from tests.web.serving import Server
from tests.web.table import OFFLINE_ERRORS, Table

MARKUP = "<img src=x onerror=alert(1)>"


def invited(open_table: OpenTable) -> tuple[Table, str]:
    """Ann's page, on which she has made a link."""
    ann = open_table()
    ann.page.get_by_role("button", name="Invite a friend").click()
    ann.page.get_by_label("Your name").fill("Ann")
    ann.press("Make the link")
    expect(ann.page.locator(".qr svg")).to_be_visible()
    return ann, ann.invitation()


def joined(open_table: OpenTable, address: str, name: str = "Bob") -> Table:
    bob = open_table(address)
    bob.page.get_by_label("Your name").fill(name)
    bob.press("Play")
    expect(bob.page).to_have_url(re.compile("#/match/"))
    return bob


def test_a_friend_joins_by_link_and_a_third_watches(open_table: OpenTable) -> None:
    """Two friends play by a link while a third person watches. All see the same, and markup in a name is shown as
    text."""
    ann, address = invited(open_table)
    bob = joined(open_table, address, MARKUP)
    ann.expect_turn("Your turn.")
    cleo = open_table(address)
    expect(ann.page.get_by_text("1 person is watching.")).to_be_visible()

    moves = ((ann, 1), (bob, 2), (ann, 1), (bob, 2), (ann, 1), (bob, 2), (ann, 1))
    for count, (mover, column) in enumerate(moves):
        mover.expect_discs(count)  # "Your turn." may still stand from the turn before
        mover.expect_turn("Your turn.")
        mover.drop(column)

    expect(ann.headline).to_have_text("You win.")
    expect(bob.headline).to_have_text("Ann wins.")
    expect(cleo.headline).to_have_text("Ann wins.")
    expect(cleo.page.locator(".seat .name")).to_have_text([MARKUP, "Ann"])
    expect(cleo.page.locator("img[src=x]")).to_have_count(0)
    cleo.expect_discs(7)
    cleo.drop(1)
    expect(cleo.detail).to_have_text("You are watching; only the players can do that.")


def begun(open_table: OpenTable) -> tuple[Table, Table, str]:
    """Ann, who has dropped a disc, Bob, whose turn it is, and the address of their match."""
    ann, address = invited(open_table)
    bob = joined(open_table, address)
    ann.expect_turn("Your turn.")
    ann.drop(4)
    bob.expect_turn("Your turn.")
    return ann, bob, address


def test_take_back_draw_and_rematch_are_asked_and_answered(open_table: OpenTable) -> None:
    ann, bob, _ = begun(open_table)
    bob.drop(4)
    expect(ann.live).to_have_text("Bob dropped in column 4, row 2.")

    bob.press("Ask to take back")
    expect(ann.page.locator("#panel").get_by_text("Bob asks to take back.")).to_be_visible()
    ann.press("Yes")
    bob.expect_discs(1)
    ann.press("Offer a draw")
    bob.press("No")
    expect(ann.detail).to_have_text("The answer is no.")
    bob.sure("Resign")
    expect(ann.headline).to_have_text("You win. Bob resigned.")
    ann.press("Rematch")
    expect(bob.page.locator("#panel").get_by_text("Ann wants a rematch.")).to_be_visible()
    bob.press("Yes")

    bob.expect_turn("Your turn.")  # the sides are swapped
    ann.expect_turn("Bob to move.")


def test_a_yes_counts_though_something_is_told_while_it_is_pressed(open_table: OpenTable) -> None:
    """News from the server does not replace a button between its press and its release."""
    ann, bob, address = begun(open_table)
    ann.press("Ask to take back")
    bob.button("Yes").hover()
    bob.page.mouse.down()
    open_table(address)
    expect(bob.page.get_by_text("1 person is watching.")).to_be_visible()
    bob.page.mouse.up()
    ann.expect_discs(0)


def test_the_other_s_connection_is_shown(open_table: OpenTable) -> None:
    ann, address = invited(open_table)
    bob = joined(open_table, address)
    ann.expect_turn("Your turn.")

    bob.page.close()

    expect(ann.page.get_by_text("not connected")).to_be_visible()


def test_a_lost_connection_comes_back_and_shows_exactly_what_happened(open_table: OpenTable) -> None:
    """If Ann's connection is cut while she drops a disc, and Bob plays on, she finally sees every disc once."""
    cut = {"off": False}
    sockets: list[WebSocketRoute] = []

    def connect(route: WebSocketRoute) -> None:
        if cut["off"]:
            route.close()
        else:
            sockets.append(route)
            route.connect_to_server()

    ann, address = invited(open_table)
    bob = joined(open_table, address)
    ann.expect_turn("Your turn.")
    bob.page.route_web_socket("**/socket", connect)
    bob.page.reload()
    bob.expect_turn("Ann to move.")

    cut["off"] = True
    for socket in sockets:
        socket.close()
    expect(bob.page.get_by_text("The connection is lost.")).to_be_visible()
    ann.drop(4)
    expect(ann.page.get_by_text("not connected")).to_be_visible()
    bob.expect_discs(0)
    cut["off"] = False

    bob.expect_discs(1)
    expect(bob.page.locator("#notice")).to_be_hidden()
    bob.drop(4)
    ann.expect_discs(2)
    expect(bob.page.locator(".moves li")).to_have_count(2)


def test_a_restarted_server_is_found_again(open_table: OpenTable, own_server: Server) -> None:
    """When the server restarts, the page says that the connection is lost, reconnects, and plays on."""
    me = open_table(url=own_server.url)
    me.expected_complaints |= {"WebSocket connection", *OFFLINE_ERRORS}
    me.two_here()
    me.drop(4)
    me.expect_discs(1)
    expect(me.headline).to_contain_text("Second player")

    own_server.stop()
    expect(me.page.get_by_text("The connection is lost.")).to_be_visible()
    me.drop(4)  # kept until the server is back
    own_server.start()

    expect(me.page.locator("#notice")).to_be_hidden()
    expect(me.page.locator(".moves li")).to_have_count(2)
    me.drop(4)
    me.expect_discs(3)
