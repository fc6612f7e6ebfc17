"""A friend on a server, played from the terminal: over a real server, which may go away for a while."""

import json
import stat
import sys
import time
from contextlib import nullcontext
from queue import Empty, SimpleQueue
from threading import Event, Thread
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectk.errors import ConnectkError, MissingExtra
from connectk.rules import Side, Variant
from connectk.terminal import invitations, online
from connectk.terminal.invitations import HeldSeats, NotAnInvitation, Opening, ServerAway, ServerRefused, invite, join
from connectk.terminal.online import OnlineMatch, ServerNews
from connectk.terminal.screen.app import ConnectkApp
from connectk.terminal.screen.online import OnlineScreen
from connectk.terminal.settings import ConflictingWishes, NoServer, TerminalSettings, Wishes
from connectk.terminal.store import KeptGames
from connectk.texts import load_texts
from tests.terminal.command import pipe
from tests.terminal.screens import Person
from tests.web.serving import Server, free_port

PATIENCE = 30.0  # seconds, on a busy machine


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with Server(free_port(), tmp_path_factory.mktemp("server")) as server:
        yield server


class Friend:
    """Follows a match and can be waited for."""

    def __init__(self, seat):
        self.news = SimpleQueue()
        self.heard = []
        self.online = OnlineMatch(seat, self.news.put)
        self.online.begin()

    def wait_until(self, happened):
        while not happened():
            try:
                self.heard.append(self.news.get(timeout=PATIENCE))
            except Empty:
                raise AssertionError(f"it did not happen; heard {self.heard}") from None

    @property
    def moves(self):
        return self.online.known.game.moves if self.online.known else None

    def is_offered(self, what):
        offer = self.online.known.state["offer"]
        return offer is not None and offer["what"] == what

    def drop(self, column):
        self.wait_until(lambda: self.online.known and self.online.known.our_turn)
        before = self.moves
        self.online.drop(column)
        self.wait_until(lambda: self.moves != before)


@pytest.fixture
def pair(server, tmp_path):
    """Ann invites, Bob joins; both follow."""
    ann_seat = invite(server.url, Opening(), "Ann", HeldSeats(tmp_path / "ann.json"))
    bob_seat = join(ann_seat.link, "Bob", HeldSeats(tmp_path / "bob.json"))
    ann, bob = Friend(ann_seat), Friend(bob_seat)
    for friend in (ann, bob):
        friend.wait_until(lambda friend=friend: friend.online.known and not friend.online.known.state["waiting"])
    yield SimpleNamespace(ann=ann, bob=bob, ann_seat=ann_seat, bob_seat=bob_seat)
    for friend in (ann, bob):
        friend.online.close()


def test_two_friends_play_a_game_to_its_end(pair):
    """Each sees the other's discs and name, and how it ended."""
    for ann, bob in ((3, 3), (4, 4), (5, 5)):
        pair.ann.drop(ann)
        pair.bob.wait_until(lambda: pair.bob.moves == pair.ann.moves)
        pair.bob.drop(bob)
    pair.ann.drop(6)
    pair.bob.wait_until(lambda: pair.bob.online.known.state["result"])
    assert pair.bob.online.known.names == {Side.FIRST: "Ann", Side.SECOND: "Bob"}
    assert pair.bob.online.known.game.outcome.winner is Side.FIRST
    assert not pair.bob.online.known.our_turn


def test_offers_are_made_and_answered(pair):
    """A take-back, then a draw."""
    pair.ann.drop(3)
    pair.ann.online.ask({"type": "take_back"})
    pair.bob.wait_until(lambda: pair.bob.is_offered("take_back"))
    pair.bob.online.ask({"type": "accept"})
    pair.ann.wait_until(lambda: pair.ann.moves == ())
    pair.ann.online.ask({"type": "offer_draw"})
    pair.bob.wait_until(lambda: pair.bob.is_offered("draw"))
    pair.bob.online.ask({"type": "accept"})
    pair.ann.wait_until(lambda: pair.ann.online.known.state["result"])
    assert pair.ann.online.known.state["result"]["reason"] == "agreed"


def test_a_rematch_is_followed_with_sides_swapped(pair):
    """Both go on to the new match by themselves."""
    pair.ann.online.ask({"type": "resign"})
    pair.bob.wait_until(lambda: pair.bob.online.known.state["result"])
    pair.bob.online.ask({"type": "rematch"})
    pair.ann.wait_until(lambda: pair.ann.is_offered("rematch"))
    pair.ann.online.ask({"type": "accept"})
    for friend in (pair.ann, pair.bob):
        friend.wait_until(lambda friend=friend: friend.online.known.state["result"] is None)
    assert pair.ann.online.known.side is Side.SECOND
    assert online.ServerNews.LOST not in pair.ann.heard
    pair.bob.drop(3)


def test_a_refusal_is_told(pair):
    """In words, and nothing changes."""
    pair.bob.online.drop(3)
    pair.bob.wait_until(lambda: any(isinstance(news, ServerRefused) for news in pair.bob.heard))
    assert pair.bob.moves == ()


def test_the_same_link_leads_back_to_the_same_seat(pair, tmp_path):
    """For who joined and for who invited; whoever comes third is told that both seats are taken."""
    assert join(pair.ann_seat.link, "Bob", HeldSeats(tmp_path / "bob.json")).secret == pair.bob_seat.secret
    assert join(pair.ann_seat.link, None, HeldSeats(tmp_path / "ann.json")).secret == pair.ann_seat.secret
    with pytest.raises(ServerRefused) as refused:
        join(pair.ann_seat.link, "Eve", HeldSeats(tmp_path / "eve.json"))
    assert HeldSeats(tmp_path / "eve.json").find(pair.ann_seat.server, pair.ann_seat.match) is None
    assert refused.value.said_in(load_texts("fi")) == load_texts("fi")("refused.seat_taken")


def test_an_answer_that_got_lost_costs_no_seat(server, tmp_path, monkeypatch):
    """The same command again takes the seat that was already given."""
    seats = HeldSeats(tmp_path / "bob.json")
    link = invite(server.url, Opening(), "Ann", HeldSeats(tmp_path / "ann.json")).link
    really = invitations.ask_server

    def lost(*asked):
        really(*asked)
        raise ServerAway(server.url, "gone")

    monkeypatch.setattr(invitations, "ask_server", lost)
    with pytest.raises(ServerAway):
        join(link, "Bob", seats)
    monkeypatch.setattr(invitations, "ask_server", really)
    bob = Friend(join(link, "Bob", seats))
    bob.wait_until(lambda: bob.online.known and bob.online.known.side is Side.SECOND)
    bob.online.close()


def test_secrets_are_for_their_owner_alone(pair, tmp_path):
    """Nobody else on the machine reads them."""
    assert stat.S_IMODE((tmp_path / "bob.json").stat().st_mode) == 0o600


def test_a_server_that_went_away_is_come_back_to(tmp_path, monkeypatch):
    """What was dropped meanwhile is played once when it is back."""
    monkeypatch.setattr(online, "LONGEST_REST", 0.5)
    server = Server(free_port(), tmp_path)
    with server:
        ann_seat = invite(server.url, Opening(Variant(5, 4, 3), (0,)), "Ann", HeldSeats(tmp_path / "ann.json"))
        bob = Friend(join(ann_seat.link, "Bob", HeldSeats(tmp_path / "bob.json")))
        bob.wait_until(lambda: bob.online.known and bob.online.known.our_turn)
        server.stop()
        bob.wait_until(lambda: online.ServerNews.LOST in bob.heard)
        bob.online.drop(2)
        server.start()
        bob.wait_until(lambda: bob.moves == (0, 2))
        bob.wait_until(lambda: online.ServerNews.BACK in bob.heard)
        bob.online.close()


def test_what_is_asked_before_the_welcome_is_sent_once(monkeypatch):
    """An offer has no key by which a server would know it again."""
    sent, hello, said = [], Event(), SimpleQueue()

    class Socket(nullcontext):
        close_code = None
        __iter__ = lambda _: iter(said.get, None)  # noqa: E731
        close_socket = lambda _: said.put(None)  # noqa: E731

        def send(self, text):
            sent.append(json.loads(text)["type"])
            hello.set()

        def __enter__(self):
            return self

    monkeypatch.setattr(online, "connector", lambda: lambda _: Socket())
    friend = Friend(invitations.HeldSeat("http://127.0.0.1:1", "a", "b"))
    hello.wait(PATIENCE)
    friend.online.ask({"type": "offer_draw"})
    said.put(json.dumps({"type": "welcome", "seq": 0, "match": None, "sides": []}))
    said.put(json.dumps({"type": "done", "id": 1}))
    friend.wait_until(lambda: not friend.online.is_asking)
    assert sent == ["hello", "offer_draw"]
    friend.online.close()


@pytest.mark.parametrize("link", ["", "hello", "http://host/", "ftp://host/#/join/a/b", "http://host/#/join/a"])
def test_what_is_no_invitation_is_refused(link, tmp_path):
    """Before anyone is asked."""
    with pytest.raises(NotAnInvitation):
        join(link, None, HeldSeats(tmp_path / "seats.json"))


@given(st.text())
def test_any_text_is_an_invitation_or_refused(text):
    """No text does anything else, as long as nobody listens."""
    if not invitations.LINK.fullmatch(text.strip()):
        with pytest.raises(NotAnInvitation):
            join(text, None, HeldSeats())


def test_a_server_that_is_not_there_is_told(tmp_path):
    """With its address."""
    with pytest.raises(ServerAway, match=r"127\.0\.0\.1"):
        invite(f"127.0.0.1:{free_port()}", Opening(), None, HeldSeats(tmp_path / "seats.json"))


@pytest.mark.parametrize(
    ("wishes", "error"),
    [
        (Wishes(invite=True), NoServer),
        (Wishes(invite=True, level=3), ConflictingWishes),
        (Wishes(invite=True, first="computer"), ConflictingWishes),
        (Wishes(join="x", variant="7x6x4"), ConflictingWishes),
        (Wishes(join="x", invite=True), ConflictingWishes),
    ],
)
def test_wishes_that_do_not_go_together_are_refused(wishes, error, tmp_path):
    """As everywhere."""
    with pytest.raises(error):
        wishes.seat(None, None, HeldSeats(tmp_path / "seats.json"))
    with pytest.raises(ConflictingWishes):
        Wishes(first="friend").match(KeptGames(tmp_path / "games"))


def test_what_to_install_is_said(monkeypatch, tmp_path):
    """Where the socket's package is missing."""
    monkeypatch.setitem(sys.modules, "websockets.sync.client", None)
    with pytest.raises(MissingExtra, match=r"connectk\[online\]"):
        OnlineMatch(invitations.HeldSeat("http://127.0.0.1:1", "a", "b"), print)


def test_names_from_elsewhere_do_nothing_to_a_terminal(server, tmp_path):
    """Control characters are shown, not obeyed."""
    assert invitations.harmless("A\x1b[2Jnn\n") == "A?[2Jnn?"


@pytest.mark.parametrize("lag", [0.0, 0.3])
def test_a_whole_game_in_plain_words(server, tmp_path, monkeypatch, lag):
    """Ann in a pipe, Bob beside her; she reads every move and the end. She is asked once for each of her own, also
    where something else comes before its answer, such as who is there."""
    hear = OnlineMatch._hear

    def hear_late(online, message):
        if lag and message["type"] == "event":
            online._tell(ServerNews.CHANGED)
            time.sleep(lag)
        hear(online, message)

    monkeypatch.setattr(OnlineMatch, "_hear", hear_late)
    seats = HeldSeats(tmp_path / "bob.json")
    seat = invite(server.url, Opening(), "Bob", seats)
    bob = Friend(seat)
    bob.wait_until(lambda: bob.online.known)
    answers = iter((3, 3, 3, 3))

    def reply():
        for column in answers:
            bob.wait_until(lambda: bob.online.known and bob.online.known.our_turn)
            bob.drop(column)

    thread = Thread(target=reply, daemon=True)
    thread.start()
    done = pipe(tmp_path, "--plain", "--join", seat.link, "--name", "Ann", answers="1\n2\n9\n1\n")
    thread.join(PATIENCE)
    assert done.returncode == 0, done.stderr
    assert "You dropped in column 1, row 1." in done.stdout
    assert "Bob (○) dropped in column 4, row 4." in done.stdout
    assert "Bob (○) wins." in done.stdout
    bob.online.close()


@pytest.mark.anyio
async def test_on_the_screen(server, tmp_path):
    """The link while waiting, then the game: discs, offers, resigning that asks once."""
    seats = HeldSeats(tmp_path / "seats.json")
    seat = invite(server.url, Opening(), "Ann", seats)
    app = ConnectkApp(
        TerminalSettings(theme="dark", reduced_motion=True, kept=KeptGames(tmp_path / "games")), seat=seat
    )
    async with app.run_test(size=(100, 30)) as pilot:
        person = Person(app, pilot)
        await person.wait_until(lambda: "Waiting for your friend." in person.reads)
        assert seat.link[:60] in person.sees
        bob = Friend(join(seat.link, "Bob", HeldSeats(tmp_path / "bob.json")))
        await person.wait_until(lambda: "Your turn (○)." in person.reads)
        await person.press("4")
        await person.wait_until(lambda: "Bob (●) to move." in person.reads)
        await person.press("4")
        await person.wait_until(lambda: "It is the other player's turn." in person.reads)
        bob.drop(3)
        await person.wait_until(lambda: "2 moves" in person.reads)
        bob.online.ask({"type": "offer_draw"})
        await person.wait_until(lambda: "Bob offers a draw." in person.reads)
        await person.press("n")
        await person.wait_until(lambda: "Your turn (○)." in person.reads)
        await person.press("x")
        assert "Give this game up?" in person.sees
        await person.press("n", "x", "y")
        await person.wait_until(lambda: "resigned." in person.reads)
        await person.press("escape")
        assert not app.is_running
        bob.online.close()


def test_a_seat_file_that_is_damaged_is_as_good_as_none(tmp_path):
    """Whatever stands there."""
    path = tmp_path / "seats.json"
    for text in ("", "[]", "{", json.dumps({"http://h m": 3})):
        path.write_text(text)
        assert HeldSeats(path).find("http://h", "m") is None
    assert issubclass(ServerAway, ConnectkError)


def test_nothing_is_told_to_a_screen_that_is_not_there_yet(monkeypatch):
    """The server may answer before the screen is on: what it said would be lost, and the match with it."""
    followed = []
    monkeypatch.setattr(online, "work_beside", followed.append)
    screen = OnlineScreen(invitations.HeldSeat("http://127.0.0.1:1", "a", "b"))
    assert not followed
    screen._online.begin()
    assert len(followed) == 1
