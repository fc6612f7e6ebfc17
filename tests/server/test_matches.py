"""Tests a match from its creation to the rematch, over HTTP and over the socket."""

import json

import pytest

from connectk.notation import parse_start
from connectk.play.ruling import MAX_REDONE_DISCS
from connectk.solver import solve
from connectk.texts import LANGUAGES, load_texts
from tests.server.clients import INVITED, ME, Socket, act, bearer, drop, look, make, make_for_two

WIN_UP = [3, 4, 3, 4, 3, 4, 3]  # four in the fourth column


def play(client, match_id, secrets, columns, start=0):
    for ply, column in enumerate(columns, start):
        answer = drop(client, match_id, secrets[ply % 2], column, ply)
        assert answer.status_code == 201, answer.text


def test_two_people_play_to_the_end(client):
    """Each drop is answered with its event number. The fourth disc in a column ends the match, and the answer names the
    line."""
    match_id, ann, bob = make_for_two(client)
    play(client, match_id, (ann, bob), WIN_UP)

    state = look(client, match_id, ann)["state"]

    assert state["result"] == {"winner": "first", "reason": "line"}
    assert state["winning_lines"] == [[[3, 0], [3, 1], [3, 2], [3, 3]]]
    assert state["legal_columns"] == []
    assert drop(client, match_id, bob, 0, 7).json()["reason"] == "match_over"


@pytest.mark.parametrize(
    ("secret", "column", "ply", "status", "reason"),
    [
        ("bob", 3, 1, 409, "not_your_turn"),
        ("ann", 3, 0, 409, "stale"),
        ("ann", 3, 2, 409, "stale"),
        ("ann", 7, 1, 422, "column_out_of_range"),
        ("nobody", 3, 1, 404, "not_found"),
        ("invitation", 3, 1, 403, "no_seat"),
    ],
)
def test_wrong_drops_are_refused_and_change_nothing(client, secret, column, ply, status, reason):
    """Illegal drops are refused and change nothing. Ann is second, and Bob has dropped one disc, so at ply 1 it is her
    turn."""
    made = make(client, first=INVITED, second=ME)
    match_id, invitation = made["match"]["id"], made["invitation"]
    bob = act(client, match_id, "none", "join", {"invitation": invitation}).json()["secret"]
    drop(client, match_id, bob, 3, 0)
    before = look(client, match_id, bob)

    refusal = drop(
        client, match_id, {"ann": made["secret"], "bob": bob, "invitation": invitation}.get(secret, "x"), column, ply
    )

    assert (refusal.status_code, refusal.json()["reason"]) == (status, reason)
    assert look(client, match_id, bob) == before


def test_a_full_column_is_refused(client):
    match_id, secret = _alone(client)
    for ply in range(6):
        drop(client, match_id, secret, 0, ply)

    refusal = drop(client, match_id, secret, 0, 6)

    assert (refusal.status_code, refusal.json()) == (
        409,
        {"reason": "column_full", "message": "Column 1 is full, pick another."},
    )


def _alone(client, **order):
    made = make(client, **order)
    return made["match"]["id"], made["secret"]


def test_nobody_drops_before_the_other_seat_is_taken(client):
    made = make(client, second=INVITED)
    assert drop(client, made["match"]["id"], made["secret"], 3, 0).json()["reason"] == "waiting_for_opponent"


def test_the_same_drop_sent_twice_with_one_key_plays_one_disc(client):
    """A drop that is repeated with its key, over HTTP or the socket, gets the first answer again and plays no second
    disc."""
    match_id, secret = _alone(client)
    key = {"Idempotency-Key": "tap-1"}

    first = drop(client, match_id, secret, 3, 0, **key).json()
    again = drop(client, match_id, secret, 3, 0, **key).json()
    with Socket(client, match_id, secret) as socket:
        answer, events = socket.ask({"type": "drop", "column": 3, "ply": 0, "key": "tap-1"})

    assert (first["seq"], again["seq"], answer["type"], answer["seq"], events) == (1, 1, "done", 1, [])
    assert look(client, match_id, secret)["moves"] == [3]


def test_a_key_is_not_taken_for_another_drop(client):
    match_id, ann, _ = make_for_two(client)
    key = {"Idempotency-Key": "tap-1"}
    assert drop(client, match_id, ann, 3, 0, **key).status_code == 201
    assert drop(client, match_id, ann, 3, 0, **key).json()["seq"] == 2
    assert drop(client, match_id, ann, 4, 0, **key).json()["reason"] == "key_reused"


def test_a_private_match_and_a_missing_one_look_alike(client):
    """A private match and a missing one get the same status, words and headers over HTTP, and the same message over the
    socket."""
    private = make(client)["match"]["id"]
    answers = [client.get(f"/api/matches/{match_id}") for match_id in (private, "0" * 32)]

    assert answers[0].status_code == answers[1].status_code == 404
    assert answers[0].content == answers[1].content
    assert dict(answers[0].headers) | {"date": ""} == dict(answers[1].headers) | {"date": ""}
    assert Socket(client, private).welcome == Socket(client, "0" * 32).welcome


def test_public_matches_are_listed_and_watched_by_anyone(client):
    made = make(client, public=True)
    match_id = made["match"]["id"]

    assert match_id in [match["id"] for match in client.get("/api/matches").json()["matches"]]
    with Socket(client, match_id) as watcher:
        assert watcher.welcome["sides"] == []
        drop(client, match_id, made["secret"], 2, 0)
        assert watcher.receive()["column"] == 2
        assert watcher.ask({"type": "drop", "column": 1, "ply": 1})[0]["reason"] == "no_seat"


def test_who_comes_back_hears_what_was_missed_exactly_once(client):
    match_id, secret = _alone(client)
    for ply in range(5):
        drop(client, match_id, secret, ply, ply)

    with Socket(client, match_id, secret, after=2) as socket:
        drop(client, match_id, secret, 5, 5)
        messages = [socket.receive() for _ in range(4)]

    assert socket.welcome["match"] is None
    assert [(event["seq"], event["column"]) for event in messages] == [(3, 2), (4, 3), (5, 4), (6, 5)]
    assert [event["state"]["ply"] for event in messages] == [3, 4, 5, 6]


def test_a_client_from_the_future_gets_the_whole_match(client):
    """If a client knows more events than the server, as after the restore of a backup, it gets the whole match."""
    match_id, secret = _alone(client)
    with Socket(client, match_id, secret, after=99) as socket:
        assert socket.welcome["match"]["seq"] == 0


def test_events_over_http_are_the_same(client):
    match_id, secret = _alone(client)
    with Socket(client, match_id, secret) as socket:
        drop(client, match_id, secret, 3, 0)
        messages = socket.receive()

    answer = client.get(f"/api/matches/{match_id}/events?after=0", headers=bearer(secret)).json()

    assert answer["events"] == [messages]


def test_taking_back_asks_the_other_person(client):
    match_id, ann, bob = make_for_two(client)
    play(client, match_id, (ann, bob), [3, 3])

    assert act(client, match_id, ann, "accept").json()["reason"] == "no_offer"
    asked = act(client, match_id, ann, "take-back", {}).json()["match"]["state"]
    assert asked["offer"] == {"what": "take_back", "side": "first", "to_ply": 0}
    assert act(client, match_id, ann, "take-back", {}).json()["reason"] == "already_offered"
    assert act(client, match_id, ann, "accept").json()["reason"] == "no_offer"
    assert act(client, match_id, bob, "accept").json()["match"]["moves"] == []


def test_declining_leaves_everything_as_it_was(client):
    match_id, ann, bob = make_for_two(client)
    play(client, match_id, (ann, bob), [3])
    act(client, match_id, ann, "take-back", {})

    state = act(client, match_id, bob, "decline").json()["match"]["state"]

    assert (state["offer"], state["ply"]) == (None, 1)


def test_so_many_discs_are_played_again_at_once_and_no_more(client):
    moves = [n % 20 for n in range(MAX_REDONE_DISCS + 10)]
    made = make(client, second=ME, variant={"width": 20, "height": 20, "run": 20}, moves=moves)
    match_id, secret = made["match"]["id"], made["secret"]
    act(client, match_id, secret, "take-back", {"to_ply": 0})
    refused = act(client, match_id, secret, "redo", {"to_ply": MAX_REDONE_DISCS + 1})
    assert (refused.status_code, refused.json()["reason"]) == (413, "too_large")
    assert act(client, match_id, secret, "redo", {"to_ply": MAX_REDONE_DISCS}).json()["match"]["moves"] == moves[:-10]
    assert act(client, match_id, secret, "redo", {"to_ply": len(moves)}).json()["match"]["moves"] == moves


def test_undo_and_redo_on_one_screen(client):
    """A person who plays both sides can take back and redo moves at once, even after the end."""
    match_id, secret = _alone(client)
    play(client, match_id, (secret, secret), WIN_UP)

    back = act(client, match_id, secret, "take-back", {"to_ply": 4}).json()["match"]
    assert (back["moves"], back["state"]["result"], back["state"]["can_redo"]) == (WIN_UP[:4], None, True)
    again = act(client, match_id, secret, "redo", {"to_ply": 7}).json()["match"]
    assert (again["moves"], again["state"]["result"]["winner"]) == (WIN_UP, "first")
    assert act(client, match_id, secret, "redo", {}).json()["reason"] == "nothing_to_redo"


def test_a_draw_is_offered_and_agreed(client):
    match_id, ann, bob = make_for_two(client)
    assert act(client, match_id, ann, "offer-draw").status_code == 200
    state = act(client, match_id, bob, "accept").json()["match"]["state"]
    assert state["result"] == {"winner": None, "reason": "agreed"}


def test_a_rematch_from_a_fair_start_is_asked_for_and_answered(client):
    """If Ann and Bob both ask for a rematch from a fair start, it begins. The server draws a start that is a draw, and
    nobody may swap."""
    match_id, ann, bob = make_for_two(client, swap=True)
    act(client, match_id, ann, "resign")
    with Socket(client, match_id, ann) as anns:
        _, [offered] = anns.ask({"type": "fair_rematch"})
        assert (offered["event"], offered["state"]["offer"]["what"]) == ("rematch_offered", "fair_rematch")
        following = act(client, match_id, bob, "fair-rematch").json()["match"]["state"]["next_match"]
        assert anns.receive()["match"] == following
    made = look(client, following, ann)
    start = parse_start(made["start"])
    assert (start.ply, solve(start).score, made["swap"]) == (3, 0, False)
    assert drop(client, following, ann, 3, 3).status_code == 201  # the second player drops the fourth disc


def test_no_fair_start_on_a_board_that_is_not_solved(client):
    match_id, ann, _ = make_for_two(client, variant={"width": 9, "height": 9, "run": 4})
    act(client, match_id, ann, "resign")
    assert act(client, match_id, ann, "fair-rematch").json()["reason"] == "no_fair_start"


def test_a_rematch_swaps_the_sides_and_keeps_the_secrets(client):
    match_id, ann, bob = make_for_two(client)
    assert act(client, match_id, ann, "rematch").json()["reason"] == "match_open"
    act(client, match_id, ann, "resign")
    assert act(client, match_id, ann, "rematch").json()["match"]["state"]["offer"]["what"] == "rematch"

    following = act(client, match_id, bob, "rematch").json()["match"]["state"]["next_match"]

    assert client.get(f"/api/matches/{following}", headers=bearer(bob)).json()["sides"] == ["first"]
    assert client.get(f"/api/matches/{following}", headers=bearer(ann)).json()["sides"] == ["second"]
    assert act(client, match_id, ann, "rematch").json()["match"]["state"]["next_match"] == following


def test_a_match_begins_from_any_position_on_any_board(client):
    made = make(
        client,
        variant={"width": 4, "height": 3, "run": 3},
        start="1xo.4x",
        moves=[1],
    )["match"]
    assert (made["start"], made["state"]["ply"], made["state"]["board"]) == ("1xo.4x", 4, ["xo", "o", "", "x"])
    assert make(client, variant={"width": 100, "height": 100, "run": 7})["match"]["state"]["ply"] == 0


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        ({"variant": {"width": 2, "height": 2, "run": 3}}, "not_valid"),
        ({"variant": {"width": 1000, "height": 1000, "run": 3}}, "board_too_large"),
        ({"start": "1xx"}, "not_valid"),
        ({"start": "2-x"}, "not_valid"),
        ({"start": "9x"}, "column_out_of_range"),
        ({"start": "1x.1o"}, "not_valid"),
        ({"start": ["x"]}, "bad_request"),
        ({"moves": [0] * 7}, "column_full"),
        ({"first": {"kind": "player", "player": "mybot.py"}}, "unknown_player"),
        ({"first": {"kind": "player", "player": "/bin/sh"}}, "unknown_player"),
        ({"first": {"kind": "player", "player": "minimax:3,/tmp/evil.py:evaluate"}}, "unknown_player"),
        ({"first": {"kind": "player", "player": "engine:1s,threads=64"}}, "unknown_player"),
        ({"first": {"kind": "player", "player": "level:99"}}, "unknown_player"),
        ({"first": {"kind": "me", "name": "a\u0000b"}}, "bad_name"),
        ({"first": {"kind": "me", "name": "x" * 41}}, "bad_name"),
        ({"first": {"kind": "thief"}}, "bad_request"),
        ({"colour": "green"}, "bad_request"),
    ],
)
def test_impossible_orders_are_refused_with_a_reason(client, order, reason):
    answer = client.post("/api/matches", json={"first": ME, "second": ME, **order})
    assert answer.json()["reason"] == reason
    assert answer.status_code in (409, 422)


def test_names_full_of_markup_come_back_as_they_are(client):
    """Names with markup are returned unchanged, because the page shows names as text and its policy forbids scripts."""
    name = "<script>alert(1)</script>"
    made = make(client, first={"kind": "me", "name": name})
    answer = client.get(f"/api/matches/{made['match']['id']}", headers=bearer(made["secret"]))
    assert answer.json()["match"]["seats"]["first"]["name"] == name
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"].startswith("default-src 'self'")


def test_a_computer_player_answers(client):
    made = make(client, second={"kind": "player", "player": "greedy"})
    with Socket(client, made["match"]["id"], made["secret"]) as socket:
        socket.send({"type": "drop", "column": 3, "ply": 0})
        messages = [socket.receive() for _ in range(3)]
    drops = [message for message in messages if message["type"] == "event"]
    assert [event["side"] for event in drops] == ["first", "second"]


def test_a_demo_plays_itself_to_the_end(client):
    player = {"kind": "player", "player": "random"}
    made = make(client, first=player, second=player, public=True, variant={"width": 3, "height": 2, "run": 3})
    with Socket(client, made["match"]["id"], after=0) as socket:
        while socket.receive()["state"]["result"] is None:
            pass


def test_unknown_messages_are_refused_and_the_socket_stays_open(client):
    match_id, secret = _alone(client)
    with Socket(client, match_id, secret) as socket:
        for nonsense in ({"type": "fly"}, {"type": "drop"}, {"type": "drop", "column": "x", "ply": 0}, {}):
            answer, _ = socket.ask(nonsense)
            assert (answer["type"], answer["reason"]) == ("refused", "bad_request")
        assert socket.ask({"type": "ping", "id": 7})[0]["id"] == 7


def test_a_long_absence_is_made_up_for(client):
    """A client that missed too many events gets the whole match, and then the new events."""
    made = make(client, variant={"width": 40, "height": 20, "run": 40}, moves=[n % 40 for n in range(600)])
    with Socket(client, made["match"]["id"], made["secret"], after=3) as socket:
        assert (socket.welcome["seq"], len(socket.welcome["match"]["moves"])) == (600, 600)
        assert socket.ask({"type": "drop", "column": 0, "ply": 600})[1][0]["seq"] == 601


def test_the_others_connection_is_told(client):
    """When people connect or disconnect, the server soon sends one message for all these changes."""
    match_id, ann, bob = make_for_two(client)
    with client.socket(match_id) as raw:
        raw.send(json.dumps({"type": "hello", "secret": ann}))
        raw.recv()
        assert json.loads(raw.recv()) == {"type": "presence", "first": True, "second": False, "watching": 0}
        with Socket(client, match_id, bob):
            assert json.loads(raw.recv())["second"]
        assert not json.loads(raw.recv())["second"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refusal_is_said_in_the_language_that_was_asked_for(client, language):
    """A refusal is a sentence with details in the client's language. Its reason code is the same in every language."""
    texts = load_texts(language)
    wide = client.post(
        "/api/matches", json={"variant": {"width": 1000, "height": 1000}}, headers={"accept-language": language}
    ).json()
    assert wide["reason"] == "board_too_large"
    assert wide["message"] == texts("refused.board_too_large", most=client.host.settings.max_board_cells)
    full = client.post("/api/matches", json={"moves": [0] * 7}, headers={"accept-language": f"{language};q=0.9"}).json()
    assert full == {"reason": "column_full", "message": texts("error.ColumnFull", column=1)}
