"""Tests rooms over HTTP and sockets: the rights of each person, many clients at once, and secrets that stay secret."""

import asyncio
import csv
import io
import json
import zipfile
from collections import Counter

import pytest
from pydantic import TypeAdapter
from websockets.sync.client import connect

from connectk.notation import parse_saved_game
from connectk.rooms.events import Joined
from connectk.rooms.standings import ratings
from connectk.rules import Side
from connectk.server import roomviews, schemas, views
from connectk.server.limits import RateLimiter
from tests.rooms.playing import begun, ended, room_of, with_pairs
from tests.server import secrecy
from tests.server.clients import Socket, bearer
from tests.server.room_clients import RoomClient, enter, make_room
from tests.server.serving import serving, settings_for

SMALL = {"width": 5, "height": 4, "run": 3}
ROOM_SERVER_MESSAGE = TypeAdapter(schemas.RoomServerMessage)


def ask(client, code, what, secret=None, /, **body):
    return client.post(f"/api/rooms/{code}/{what}", json=body, headers=bearer(secret) if secret else {})


def look(client, code, secret=None):
    return client.get(f"/api/rooms/{code}", headers=bearer(secret) if secret else {}).json()


class Sitting:
    """A socket at a room, after its hello message."""

    def __init__(self, client, code, secret=None, **hello):
        url = f"ws://127.0.0.1:{client.port}/api/rooms/{code}/socket"
        self._context = connect(url, compression=None, proxy=None, open_timeout=60)
        self.raw = self._context.__enter__()
        self.send({"type": "hello", "secret": secret, **hello})
        self.welcome = self.receive("welcome", "refused")

    def send(self, message):
        self.raw.send(json.dumps(message))

    def receive(self, *kinds):
        """The next message of one of these kinds. Every message is parsed strictly."""
        while True:
            text = self.raw.recv(timeout=60)
            ROOM_SERVER_MESSAGE.validate_json(text, strict=True, extra="forbid")
            message = secrecy.note_message(text)
            if message["type"] in kinds:
                return message

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._context.__exit__(None, None, None)


def test_people_join_by_a_name_and_the_host_sees_renames_removes_and_closes(client):
    code, host = make_room(client, title="Class 7B", format="challenges")
    ann, hers = enter(client, code.lower(), "Ann")
    bob, his = enter(client, f" {code[:3]}-{code[3:]}", "Bob")
    assert [m["name"] for m in look(client, code)["room"]["members"]] == ["Ann", "Bob"]
    assert ask(client, code, f"members/{bob}/rename", host, name="Robert").status_code == 200
    assert ask(client, code, f"members/{bob}/rename", host, name="ann").json()["reason"] == "name_taken"
    assert ask(client, code, f"members/{ann}/remove", his).json()["reason"] == "not_host"
    assert ask(client, code, f"members/{bob}/remove", host).status_code == 200
    assert ask(client, code, "here", his).json()["reason"] == "no_member"
    assert ask(client, code, "close", hers).json()["reason"] == "not_host"
    assert ask(client, code, "close", host).json()["room"]["state"]["closed"]
    assert ask(client, code, "join", name="Cleo").json()["reason"] == "room_closed"


def test_a_stranger_who_joins_without_end_is_stopped_and_locked_out(tmp_path):
    """An address can add only a few members a minute. The host can remove members, which makes room for others, and
    lock the room."""
    with serving(settings_for(tmp_path, address_joins=20, room_members=30)) as client:
        code, host = make_room(client, format="challenges")
        answers = [ask(client, code, "join", name=f"Stranger {number}") for number in range(40)]
        inside = [answer.json() for answer in answers if answer.status_code == 200]
        assert 20 <= len(inside) < 40
        assert {answer.json()["reason"] for answer in answers if answer.status_code != 200} == {"too_fast"}
        again = {"name": "Stranger 0", "secret": inside[0]["secret"]}
        assert client.post(f"/api/rooms/{code}/join", json=again).json()["you"] == inside[0]["you"]

        assert ask(client, code, "lock", inside[0]["secret"]).json()["reason"] == "not_host"
        assert ask(client, code, "lock", host).json()["room"]["state"]["locked"]
        client.host.limits.joins = RateLimiter(1000)
        assert ask(client, code, "join", name="Cleo").json()["reason"] == "room_locked"
        for entry in inside:
            ask(client, code, f"members/{entry['you']}/remove", host)
        assert not ask(client, code, "unlock", host).json()["room"]["state"]["locked"]
        for number in range(30):
            assert ask(client, code, "join", name=f"Pupil {number}").status_code == 200
        assert ask(client, code, "join", name="One more").json()["reason"] == "room_full"


def test_a_code_is_not_enough_to_act(client):
    """Anyone with the room's code can watch. Members need their own secrets to act, and the host needs the host's
    secret."""
    code, host = make_room(client, format="challenges")
    ann, hers = enter(client, code, "Ann")
    bob, his = enter(client, code, "Bob")
    for what, body in (
        ("begin", {}),
        ("close", {}),
        ("levels", {"level": 3}),
        (f"members/{ann}/rename", {"name": "X"}),
    ):
        for secret in (None, hers, "x" * 32):
            assert ask(client, code, what, secret, **body).status_code in (403, 404), what
    assert ask(client, code, "challenge", None, to=bob).json()["reason"] == "no_member"
    ask(client, code, "challenge", hers, to=bob)
    assert ask(client, code, "reply", host, by=ann, yes=True).json()["reason"] == "no_member"
    assert ask(client, code, "reply", his, by=ann, yes=True).status_code == 200
    with Sitting(client, code, his) as playing, Sitting(client, code) as watching:
        match = playing.receive("match")
        drop = {"type": "drop", "match": match["match"]["id"], "column": 3, "ply": 0, "id": 1}
        watching.send(drop)
        assert watching.receive("refused", "done")["reason"] == "not_found"
        assert client.get(f"/api/matches/{match['match']['id']}").status_code == 404
        assert client.get(f"/api/matches/{match['match']['id']}", headers=bearer(hers)).status_code == 200


def test_nothing_is_taken_back_in_a_room_and_there_is_no_rematch(client):
    code, host = make_room(client, format="round_robin", games=1)
    ann, hers = enter(client, code, "Ann")
    ask(client, code, "levels", host, level=1)
    ask(client, code, "begin", host)
    with Sitting(client, code, hers) as playing:
        match_id = playing.receive("match")["match"]["id"]
        headers = bearer(hers)
        for what in ("take-back", "rematch"):
            answer = client.post(f"/api/matches/{match_id}/{what}", json={}, headers=headers)
            assert answer.json()["reason"] == "room_decides"
        with Socket(client, match_id, hers) as board:
            assert board.ask({"type": "hint", "id": 1})[0]["reason"] == "room_decides"
        playing.send({"type": "resign", "match": match_id, "id": 5})
        assert playing.receive("done", "refused")["type"] == "done"
        scored = playing.receive("changed")
        assert scored["event"] == "scored"
        assert scored["meetings"][0]["winner"] != ann
        assert playing.receive("changed")["event"] == "closed"


def test_one_who_never_comes_loses_and_is_paired_again_when_back(client):
    code, host = make_room(client, format="ladder", show_seconds=4)
    ann, hers = enter(client, code, "Ann")
    bob, _ = enter(client, code, "Bob")
    with Sitting(client, code, hers) as waiting:
        ask(client, code, "begin", host)
        match = waiting.receive("match")
        if match["sides"] == ["first"]:
            waiting.send({"type": "drop", "match": match["match"]["id"], "column": 3, "ply": 0, "id": 1})
        while (scored := waiting.receive("changed"))["event"] != "scored":
            pass
        assert scored["meetings"][0]["no_show"] == bob
        assert {m["number"]: m["away"] for m in scored["members"]} == {ann: False, bob: True}
        assert waiting.receive("standings")["lines"][0]["member"] == ann


@pytest.mark.anyio
async def test_a_swiss_evening_with_the_table_the_games_and_the_reviews(client):
    """Bots and levels play three Swiss rounds by themselves. Then the table, the games and the reviews are
    available."""
    code, host = make_room(client, format="swiss", rounds=3, title="Friday", variant=SMALL)
    ask(client, code, "levels", host, level=2)
    ask(client, code, "levels", host, level=4)
    bots = [RoomClient(lambda: client.port, code, f"=bot {n}", seed=n) for n in range(3)]
    for bot in bots:
        await bot.join()
    await asyncio.to_thread(ask, client, code, "begin", host)
    await asyncio.wait_for(asyncio.gather(*(bot.play() for bot in bots)), 120)
    room = look(client, code)["room"]
    assert room["state"]["round"] == 3
    assert len(room["state"]["byes"]) == 3
    games = client.get(f"/api/rooms/{code}/games").json()["games"]
    assert len(games) == 6
    archive = zipfile.ZipFile(io.BytesIO(client.get(f"/api/rooms/{code}/games.zip").content))
    assert len(archive.namelist()) == 6
    first = parse_saved_game(archive.read(archive.namelist()[0]).decode())
    assert str(first.game.variant) == "5x4x3"
    assert set(map(str, first.players.values())) == {games[0]["first"], games[0]["second"]}
    rows = read_csv(client, code, "table.csv")
    assert sum(float(row["points"]) for row in rows) == 6 + 3
    assert {row["name"][:2] for row in rows if row["kind"] == "bot"} == {"'="}
    assert any(row["rating"] == "400" for row in rows)
    client.host.hub._ratings[code] = 1, {}  # ratings from before the last games
    assert read_csv(client, code, "table.csv") == rows
    listed = read_csv(client, code, "games.csv")
    assert [(int(row["number"]), int(row["round"])) for row in listed] == [(g["number"], g["round"]) for g in games]
    assert {row["result"] for row in listed} <= {"1-0", "0-1", "1/2-1/2"}
    crossed = read_csv(client, code, "crosstable.csv")
    assert [row["name"] for row in crossed] == [row["name"] for row in rows]
    assert [row[row["name"]] for row in crossed] == ["x"] * 5
    lines = client.get(f"/api/rooms/{code}/crosstable").json()["lines"]
    assert sum(sum(map(sum, line["results"])) for line in lines) == 6
    assert [line["name"] for line in lines] == [row["name"].removeprefix("'") for row in rows]


def read_csv(client, code, file, secret=None):
    headers = bearer(secret) if secret else {}
    text = client.get(f"/api/rooms/{code}/{file}", headers=headers).content.decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text)))


def test_a_bot_that_crashes_is_shown_with_its_reason(client):
    """A crashed bot's reason is stored before its game is lost, and everyone hears it once, even if the bot repeats
    it."""
    code, host = make_room(client, format="round_robin")
    _, his = enter(client, code, "Robo", "bot")
    enter(client, code, "Ann")
    with Sitting(client, code, his) as bot, Sitting(client, code) as watching:
        ask(client, code, "begin", host)
        match_id = bot.receive("match")["match"]["id"]
        failure = {"type": "fail", "match": match_id, "words": "IndexError: list index out of range", "id": 7}
        watching.send(failure)
        assert watching.receive("refused", "done")["reason"] == "not_found"
        bot.send(failure)
        while (change := watching.receive("changed"))["event"] != "failed":
            pass
        assert change["meetings"][0]["failure"] == failure["words"]
        scored = watching.receive("changed")
        assert (scored["event"], scored["meetings"][0]["reason"]) == ("scored", "resigned")
        assert bot.receive("done")["id"] == 7
        bot.send(failure)
        assert bot.receive("refused")["reason"] in ("room_closed", "not_your_game")
    assert look(client, code)["room"]["meetings"][0]["failure"] == failure["words"]


def test_a_rating_of_fewer_than_ten_games_is_a_guess():
    """A member's rating after fewer than ten games is marked as uncertain. The rating of a computer level is fixed."""
    room = room_of(2, "ladder").after(Joined("Level 4", "level", None, "level:4", 0.0))
    room = begun(room)
    for number in range(45):
        room = with_pairs(room, float(number))
        for meeting in list(room.open_meetings):
            room = ended(room, meeting.number, Side.FIRST, float(number))
        lines = {line["member"]: line for line in roomviews.lines_view(room, ratings(room))}
        for member in (1, 2):
            games = sum(member in meeting.members for meeting in room.meetings)
            assert lines[member]["provisional"] == (0 < games < roomviews.MIN_RATED_GAMES)
        assert not lines[3]["provisional"]
    assert max(line["games"] for line in lines.values()) >= roomviews.MIN_RATED_GAMES


def test_openings_are_drawn_or_given(client):
    code, host = make_room(client, format="round_robin", openings=[[3, 3]])
    _, hers = enter(client, code, "Ann")
    ask(client, code, "levels", host, level=1)
    ask(client, code, "begin", host)
    with Sitting(client, code, hers) as playing:
        assert playing.receive("match")["match"]["start"] == "4xo"
    assert client.post("/api/rooms", json={"openings": [[0, 1, 0, 1, 0, 1, 0]]}).json()["reason"] == "match_over"
    drawn, _ = make_room(client, openings="balanced", variant=SMALL)
    assert len(client.host.rooms._rooms[drawn].room.setup.openings) == 8


@pytest.mark.anyio
@pytest.mark.parametrize("count", [12, pytest.param(40, marks=pytest.mark.deep)])
async def test_many_clients_play_a_ladder_and_nobody_hears_another_s_secret(client, count):
    """In a ladder of many clients, no client misses an event or hears another's secret, and every acknowledged drop is
    on its board."""
    code, host = make_room(client, format="ladder")
    members = [
        RoomClient(lambda: client.port, code, f"Member {n}", "bot" if n % 3 else "person", n) for n in range(count)
    ]
    await asyncio.gather(*(member.join() for member in members))
    playing = [asyncio.ensure_future(member.play()) for member in members]
    wall = Wall(client.port, code)
    watching = asyncio.ensure_future(wall.watch())
    await asyncio.to_thread(ask, client, code, "begin", host)
    while wall.scored < 2 * count:
        await asyncio.sleep(0.05)
        assert not any(task.done() for task in playing), [task for task in playing if task.done()]
    await asyncio.to_thread(ask, client, code, "close", host)
    await asyncio.wait_for(asyncio.gather(*playing), 60)
    await asyncio.wait_for(watching, 60)
    room = client.host.rooms._rooms[code].room
    found = await client_matches(client, [meeting.match for meeting in room.meetings])
    for member in members:
        for match_id, ply, column in member.acknowledged:
            assert found[match_id].moves[ply] == column
    assert min(Counter(n for m in room.meetings for n in m.members).values()) >= 2
    own = {member.secret for member in members} | {host}
    for member in members:
        words = {
            word for message in member.received for word in secrecy.SECRET_LIKE_PATTERN.findall(json.dumps(message))
        }
        assert not words & own
    hashes = {m.holder for m in room.members}
    assert not hashes & {word for text in wall.texts for word in secrecy.SECRET_LIKE_PATTERN.findall(text)}


async def client_matches(client, ids):
    asked = asyncio.run_coroutine_threadsafe(client.host.store.matches_of(ids), client.host.loop)
    return await asyncio.wrap_future(asked)


class Wall:
    def __init__(self, port, code):
        self._url, self.scored, self.texts = f"ws://127.0.0.1:{port}/api/rooms/{code}/socket", 0, []

    async def watch(self):
        from websockets.asyncio.client import connect as open_socket

        async with open_socket(self._url, compression=None, proxy=None, max_size=1 << 24) as socket:
            await socket.send(json.dumps({"type": "hello", "boards": True}))
            while True:
                self.texts.append(await asyncio.wait_for(socket.recv(), 120))
                message = json.loads(self.texts[-1])
                self.scored += message.get("event") == "scored"
                if message.get("event") == "closed":
                    return


def test_codes_cannot_be_guessed_at_any_useful_rate(tmp_path):
    """After several wrong codes, an address gets no answer to any code, right or wrong. Members keep their access."""
    with serving(settings_for(tmp_path, wrong_codes=5)) as client:
        code, host = make_room(client)
        _, hers = enter(client, code, "Ann")
        wrong = [f"{code[:4]}{tail}" for tail in ("AA", "BB", "CC", "DD", "EE", "FF", "GG") if not code.endswith(tail)]
        statuses = [client.get(f"/api/rooms/{guess}").status_code for guess in wrong[:6]]
        assert statuses == [404] * 5 + [429]
        assert client.get(f"/api/rooms/{code}").status_code == 429
        assert client.get(f"/api/rooms/{code}", headers=bearer("y" * 32)).status_code == 429
        with Sitting(client, code) as refused:
            assert refused.welcome["reason"] == "too_many"
        assert client.get(f"/api/rooms/{code}", headers=bearer(hers)).status_code == 200
        assert client.get(f"/api/rooms/{code}", headers=bearer(host)).json()["host"] is True


def test_rooms_have_limits(tmp_path):
    with serving(settings_for(tmp_path, room_members=3, address_rooms=1, room_games=2)) as client:
        code, host = make_room(client, format="ladder", variant={"width": 4, "height": 4, "run": 3})
        for level in (1, 2):
            ask(client, code, "levels", host, level=level)
        enter(client, code, "Ann")
        assert ask(client, code, "join", name="Bob").json()["reason"] == "room_full"
        assert client.post("/api/rooms", json={}).json()["reason"] == "too_many"


def test_an_administrator_closes_a_room(client):
    from connectk.storage.admin import close_room, open_rooms
    from connectk.storage.database import open_database

    code, _ = make_room(client, title="Too loud")
    database = open_database(client.host.settings.database)
    assert code in [room.code for room in open_rooms(database, 100)]
    with Sitting(client, code) as sitting:
        close_room(database, code)
        assert sitting.receive("changed")["event"] == "closed"
    database.dispose()


def test_a_bad_message_is_refused_and_nothing_else_happens(client):
    code, _ = make_room(client)
    with Sitting(client, code) as sitting:
        for text in ("{", '{"type":"drop"}', '{"type":"hello"}', '{"type":"here"}'):
            sitting.raw.send(text)
            assert sitting.receive("refused")["reason"] in ("bad_request", "no_member")
        sitting.send({"type": "ping", "id": 3})
        assert sitting.receive("pong")["id"] == 3


def test_a_wall_gets_its_boards_one_by_one_and_others_are_served_between(client, monkeypatch):
    """A wall gets its boards one by one, so that other requests do not wait: at most two are encoded per iteration of
    the loop."""
    code, host = make_room(client, format="round_robin", variant=SMALL)
    for number in range(16):
        enter(client, code, f"Member {number}")
    ask(client, code, "begin", host)
    rounds = Rounds(client.host.loop)
    written = []
    view = views.match_view
    monkeypatch.setattr(views, "match_view", lambda match: written.append(rounds.number) or view(match))
    with Sitting(client, code, boards=True) as wall, Sitting(client, code, boards=True) as other:
        for sitting in (wall, other):
            assert len({sitting.receive("match")["match"]["id"] for _ in range(8)}) == 8
    rounds.stop()
    assert len(written) == 16
    assert max(Counter(written).values()) <= 2


class Rounds:
    """Counts the iterations of an event loop."""

    def __init__(self, loop):
        self.number, self._loop, self._going = 0, loop, True
        loop.call_soon_threadsafe(self._next)

    def _next(self):
        self.number += 1
        if self._going:
            self._loop.call_soon(self._next)

    def stop(self):
        self._going = False
