"""A match on a server, played in the terminal."""

import time
from threading import Thread

import pytest

from connectk.client.match import OnlineMatch, ServerEvent
from connectk.client.seats import HeldSeat, HeldSeats, Opening, invite, join
from connectk.terminal.screen import online as screen_online
from connectk.terminal.screen.app import ConnectkApp
from connectk.terminal.screen.online import OnlineScreen
from connectk.terminal.settings import ConflictingOptions, GameOptions, NoServer, TerminalSettings
from connectk.terminal.store import Autosaves
from tests.client.friends import TIMEOUT_SECONDS, Friend
from tests.terminal.command import pipe
from tests.terminal.screens import ScreenUser
from tests.web.serving import Server, free_port


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with Server(free_port(), tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (GameOptions(invite=True), NoServer),
        (GameOptions(invite=True, level=3), ConflictingOptions),
        (GameOptions(invite=True, first="computer"), ConflictingOptions),
        (GameOptions(join="x", variant="7x6x4"), ConflictingOptions),
        (GameOptions(join="x", invite=True), ConflictingOptions),
    ],
)
def test_conflicting_online_options_are_refused(options, error, tmp_path):
    """As everywhere."""
    with pytest.raises(error):
        options.seat(None, None, HeldSeats(tmp_path / "seats.json"))
    with pytest.raises(ConflictingOptions):
        GameOptions(first="friend").match(Autosaves(tmp_path / "games"))


@pytest.mark.parametrize("lag", [0.0, 0.3])
def test_a_whole_game_in_plain_words(server, tmp_path, monkeypatch, lag):
    """Ann in a pipe, Bob beside her; she reads every move and the end. She is asked once for each of her own, also
    where something else comes before its answer, such as who is there."""
    hear = OnlineMatch._on_message

    def hear_late(online, message):
        if lag and message["type"] == "event":
            online._notify(ServerEvent.CHANGED)
            time.sleep(lag)
        hear(online, message)

    monkeypatch.setattr(OnlineMatch, "_on_message", hear_late)
    seats = HeldSeats(tmp_path / "bob.json")
    seat = invite(server.url, Opening(), "Bob", seats)
    bob = Friend(seat)
    bob.wait_until(lambda: bob.online.snapshot)
    answers = iter((3, 3, 3, 3))

    def reply():
        for column in answers:
            bob.wait_until(lambda: bob.online.snapshot and bob.online.snapshot.is_our_turn)
            bob.drop(column)

    thread = Thread(target=reply, daemon=True)
    thread.start()
    done = pipe(tmp_path, "--plain", "--join", seat.link, "--name", "Ann", answers="1\n2\n9\n1\n")
    thread.join(TIMEOUT_SECONDS)
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
        TerminalSettings(theme="dark", reduced_motion=True, autosaves=Autosaves(tmp_path / "games")), seat=seat
    )
    async with app.run_test(size=(100, 30)) as pilot:
        user = ScreenUser(app, pilot)
        await user.wait_until(lambda: "Waiting for your friend." in user.side_text)
        assert seat.link[:60] in user.screen
        bob = Friend(join(seat.link, "Bob", HeldSeats(tmp_path / "bob.json")))
        await user.wait_until(lambda: "Your turn (○)." in user.side_text)
        await user.press("4")
        await user.wait_until(lambda: "Bob (●) to move." in user.side_text)
        await user.press("4")
        await user.wait_until(lambda: "It is the other player's turn." in user.side_text)
        bob.drop(3)
        await user.wait_until(lambda: "2 moves" in user.side_text)
        bob.online.request({"type": "offer_draw"})
        await user.wait_until(lambda: "Bob offers a draw." in user.side_text)
        await user.press("n")
        await user.wait_until(lambda: "Your turn (○)." in user.side_text)
        await user.press("x")
        assert "Give this game up?" in user.screen
        await user.press("n", "x", "y")
        await user.wait_until(lambda: "resigned." in user.side_text)
        await user.press("escape")
        assert not app.is_running
        bob.online.close()


def test_events_wait_until_the_screen_is_mounted(monkeypatch):
    """The connection starts only once the screen is mounted, or its first event would be lost."""
    followed = []
    monkeypatch.setattr(screen_online, "run_in_background", followed.append)
    OnlineScreen(HeldSeat("http://127.0.0.1:1", "a", "b"))
    assert not followed
