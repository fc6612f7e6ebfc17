"""Tests the swap rule on a server: the second player takes over the first player's side."""

from __future__ import annotations

from typing import Any

from tests.server.clients import ME, Socket, act, drop, look, make, make_for_two


def swapped_match(client: Any) -> tuple[str, str, str]:
    """A match in which Ann has dropped a disc and Bob has taken it over."""
    match_id, ann, bob = make_for_two(client, swap=True)
    assert drop(client, match_id, ann, 3, 0).status_code == 201
    assert act(client, match_id, bob, "swap").status_code == 200
    return match_id, ann, bob


def test_the_second_player_takes_over_the_first_players_side(client):
    """Each socket gets the swap once. Ann is then the second player and drops the next disc over the same socket."""
    match_id, ann, bob = make_for_two(client, swap=True)
    with Socket(client, match_id, ann) as anns, Socket(client, match_id, bob) as bobs:
        anns.ask({"type": "drop", "column": 3, "ply": 0})
        assert bobs.receive()["state"]["can_swap"] is True
        answer, [event] = bobs.ask({"type": "swap"})
        assert (answer["type"], event["event"], event["side"]) == ("done", "swapped", "second")
        assert (event["seats"]["first"]["name"], event["state"]["side_to_move"]) == ("Bob", "second")
        assert anns.receive() == event
        refused, _ = bobs.ask({"type": "drop", "column": 2, "ply": 1})
        assert refused["reason"] == "not_your_turn"
        answer, [dropped] = anns.ask({"type": "drop", "column": 2, "ply": 1})
        assert (answer["type"], dropped["side"]) == ("done", "second")


def test_whoever_comes_back_is_told_the_sides_at_that_moment(client):
    """A client that missed the swap gets its old side and then the event. A new client gets its new side."""
    match_id, _, bob = swapped_match(client)
    with Socket(client, match_id, bob, after=2) as missed:
        assert missed.welcome["sides"] == ["second"]
        assert missed.receive()["event"] == "swapped"
        refused, _ = missed.ask({"type": "drop", "column": 2, "ply": 1})
        assert refused["reason"] == "not_your_turn"
    with Socket(client, match_id, bob, after=3) as missed_swap, Socket(client, match_id, bob) as new:
        assert missed_swap.welcome["sides"] == new.welcome["sides"] == ["first"]


def test_a_swap_is_made_once_and_only_where_it_is_agreed(client):
    match_id, ann, bob = swapped_match(client)
    assert act(client, match_id, ann, "swap").json()["reason"] == "no_swap"
    without, ann, bob = make_for_two(client)
    drop(client, without, ann, 3, 0)
    refusal = act(client, without, bob, "swap")
    assert (refusal.status_code, refusal.json()["message"]) == (409, "Sides cannot be swapped now.")


def test_in_a_rematch_whoever_did_not_begin_begins(client):
    """If Bob has taken over Ann's side, Bob begins the rematch, which has the swap rule again."""
    match_id, ann, bob = swapped_match(client)
    act(client, match_id, ann, "resign")
    act(client, match_id, ann, "rematch")
    made = act(client, match_id, bob, "accept").json()["match"]["state"]["next_match"]
    assert look(client, made, bob)["swap"] is True
    assert drop(client, made, ann, 3, 0).json()["reason"] == "not_your_turn"
    assert drop(client, made, bob, 3, 0).status_code == 201


def test_the_best_level_takes_over_a_winning_disc_and_drops_a_fair_one(client):
    """The best level takes over a winning first disc in the middle, and itself drops a fair one beside the middle."""
    best = {"kind": "player", "player": "perfect"}
    made = make(client, first=ME, second=best, swap=True, moves=[3])
    with Socket(client, made["match"]["id"], made["secret"], after=1) as socket:
        assert socket.receive()["event"] == "swapped"
    made = make(client, first=best, second=ME, swap=True)
    with Socket(client, made["match"]["id"], made["secret"], after=0) as socket:
        assert socket.receive()["column"] in (2, 4)


def test_a_three_disc_start(client):
    """In a three-disc start, Ann places three discs, Bob places two more, and Ann takes the other side."""
    match_id, ann, bob = make_for_two(client, swap=True, swap_discs=3)
    for ply, column in enumerate((0, 3, 3)):
        assert drop(client, match_id, bob, column, ply).json()["reason"] == "not_your_turn"
        assert drop(client, match_id, ann, column, ply).status_code == 201
    with Socket(client, match_id, ann) as anns, Socket(client, match_id, bob) as bobs:
        answer, [event] = bobs.ask({"type": "extend"})
        assert (answer["type"], event["event"], event["seats"]["first"]["name"]) == ("done", "extended", "Bob")
        assert anns.receive() == event
        bobs.ask({"type": "drop", "column": 5, "ply": 3})
        _, [placed] = bobs.ask({"type": "drop", "column": 5, "ply": 4})
        assert (placed["state"]["turn"], placed["state"]["can_swap"], placed["state"]["can_extend"]) == (
            "second",
            True,
            False,
        )
    assert act(client, match_id, ann, "swap").status_code == 200
    found = look(client, match_id, ann)
    assert (found["seats"]["second"]["name"], found["swapped"], found["extended"]) == ("Bob", True, True)
    assert drop(client, match_id, bob, 2, 5).status_code == 201


def test_discs_are_placed_only_where_they_cannot_end_the_game(client):
    for order in ({"start": "4xo"}, {"variant": {"width": 7, "height": 6, "run": 3}}):
        refusal = client.post("/api/matches", json={"first": ME, "second": ME, "swap": True, "swap_discs": 3, **order})
        assert (refusal.status_code, refusal.json()["reason"]) == (422, "bad_swap_discs")


def test_a_level_places_discs_and_chooses_a_side(client):
    """The best level places three discs and lets a person choose. If a person places three winning discs, it takes that
    side."""
    best = {"kind": "player", "player": "perfect"}
    made = make(client, first=best, second=ME, swap=True, swap_discs=3)
    with Socket(client, made["match"]["id"], made["secret"], after=0) as socket:
        states = [socket.receive()["state"] for _ in range(3)]
    assert [state["can_extend"] for state in states] == [False, False, True]
    made = make(client, first=ME, second=best, swap=True, swap_discs=3)
    match_id, secret = made["match"]["id"], made["secret"]
    with Socket(client, match_id, secret) as socket:
        for ply, column in enumerate((3, 0, 3)):
            socket.ask({"type": "drop", "column": column, "ply": ply})
        assert socket.receive()["event"] == "swapped"
