"""Tests a match on a server, played in the terminal."""

import time
from threading import Thread

import httpx
import pytest

from connectk.client.match import OnlineMatch, ServerEvent
from connectk.client.seats import HeldSeat, HeldSeats, InvitationOptions, invite, join
from connectk.rules import Position
from connectk.terminal.online import OnlineChoice
from connectk.terminal.plain.game import Prompter
from connectk.terminal.plain.room import PlainRoom
from connectk.terminal.plain.speech import BoardDescriber
from connectk.terminal.screen import online as screen_online
from connectk.terminal.screen.app import ConnectkApp
from connectk.terminal.screen.online import OnlineScreen
from connectk.terminal.screen.online_dialog import OnlineDialog
from connectk.terminal.screen.replay import ReplayScreen
from connectk.terminal.screen.start import StartScreen
from connectk.terminal.sentences import ROUND_DISCS
from connectk.terminal.settings import ConflictingOptions, FriendNotInvited, GameOptions, NoServer, TerminalSettings
from connectk.terminal.store import Autosaves
from connectk.texts import load_texts
from tests.client.friends import TIMEOUT_SECONDS, Friend
from tests.server.clients import bearer
from tests.server.room_clients import make_room
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
    """Online options that contradict each other get the same error as other such options."""
    with pytest.raises(error):
        options.seat(None, None, HeldSeats(tmp_path / "seats.json"))


def test_a_friend_who_is_not_invited_has_no_first_move(tmp_path):
    """`--first friend` without an invitation is refused, and the error names the option `--invite`."""
    with pytest.raises(FriendNotInvited, match="--invite"):
        GameOptions(first="friend").match(Autosaves(tmp_path / "games"))


@pytest.mark.parametrize("lag", [0.0, 0.3])
def test_a_whole_game_in_plain_words(server, tmp_path, monkeypatch, lag):
    """Ann plays a game as text and Bob by requests. Ann reads every move and the end, and is asked once for each of her
    moves."""
    on_message = OnlineMatch._on_message

    def on_message_late(online, message):
        if lag and message["type"] == "event":
            online._notify(ServerEvent.CHANGED)
            time.sleep(lag)
        on_message(online, message)

    monkeypatch.setattr(OnlineMatch, "_on_message", on_message_late)
    seats = HeldSeats(tmp_path / "bob.json")
    seat = invite(server.url, InvitationOptions(), "Bob", seats)
    bob = Friend(seat)
    bob.wait_until(lambda: bob.online.snapshot)
    answers = iter((3, 3, 3, 3))

    def reply():
        for column in answers:
            bob.wait_until(lambda: bob.online.snapshot and bob.online.snapshot.is_our_turn)
            bob.drop(column)

    thread = Thread(target=reply, daemon=True)
    thread.start()
    done = pipe(tmp_path, "--plain", "--join", seat.link, "--name", "Ann", answers="1\n2\n9\n1\nv\nq\n")
    thread.join(TIMEOUT_SECONDS)
    assert done.returncode == 0, done.stderr
    assert "You dropped in column 1, row 1." in done.stdout
    assert "Bob (○) dropped in column 4, row 4." in done.stdout
    assert "Bob (○) wins.\nThe winning line: column 4, row 1;" in done.stdout
    assert "r asks for a rematch, v reviews the game, q leaves." in done.stdout
    assert "First player: Bob (○). Second player: You (●)." in done.stdout
    assert "The turning point" in done.stdout
    bob.online.close()


@pytest.mark.anyio
async def test_on_the_screen(server, tmp_path):
    """The screen shows the invitation link while Ann waits, then the game with its offers. Resigning asks one
    question."""
    seats = HeldSeats(tmp_path / "seats.json")
    seat = invite(server.url, InvitationOptions(), "Ann", seats)
    app = ConnectkApp(
        TerminalSettings(theme="dark", reduced_motion=True, autosaves=Autosaves(tmp_path / "games")), seat=seat
    )
    async with app.run_test(size=(100, 30)) as pilot:
        user = ScreenUser(app, pilot)
        await user.wait_until(lambda: "Waiting for your friend." in user.side_text)
        assert seat.link in user.screen.splitlines()
        assert len(seat.link) <= 80
        bob = Friend(join(seat.link, None, HeldSeats(tmp_path / "bob.json")))
        await user.wait_until(lambda: "Your turn (○)." in user.side_text)
        await user.press("4")
        await user.wait_until(lambda: "Guest (●) to move." in user.side_text)
        await user.press("4")
        await user.wait_until(lambda: "It is the other player's turn." in user.side_text)
        bob.drop(3)
        await user.wait_until(lambda: "2 moves" in user.side_text)
        bob.online.request({"type": "offer_draw"})
        await user.wait_until(lambda: "Guest offers a draw." in user.side_text)
        await user.press("n")
        await user.wait_until(lambda: "Your turn (○)." in user.side_text)
        await user.press("x")
        assert "Give this game up?" in user.screen
        await user.press("n", "x", "y")
        await user.wait_until(lambda: "resigned." in user.side_text)
        await user.press("?")
        assert "r asks for a rematch" in user.screen
        await user.press("escape", "v")
        await user.wait_until(lambda: isinstance(user.app.screen, ReplayScreen))
        await user.press("escape", "n")
        assert not bob.is_offered("rematch"), "n only means no"
        await user.press("r")
        bob.wait_until(lambda: bob.is_offered("rematch"))
        await user.press("escape")
        assert not app.is_running
        bob.online.close()


def test_events_wait_until_the_screen_is_mounted(monkeypatch):
    """The connection starts only when the screen is mounted; otherwise its first event would be lost."""
    followed = []
    monkeypatch.setattr(screen_online, "run_in_background", followed.append)
    OnlineScreen(HeldSeat("http://127.0.0.1:1", "a", "b"))
    assert not followed


@pytest.fixture
def start_screen(tmp_path, monkeypatch):
    """An app on its start screen that saves its seats in the test's folder."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return ConnectkApp(TerminalSettings(theme="dark", reduced_motion=True, autosaves=Autosaves(tmp_path / "games")))


async def open_dialog(user, **fields):
    """Fill in the fields of the online dialog."""
    user.app.screen.query_one("#online").focus()
    await user.press("enter")
    await user.wait_until(lambda: isinstance(user.app.screen, OnlineDialog))
    for name, value in fields.items():
        user.app.screen.query_one(f"#online-{name}").value = value
    await user.press("enter")


@pytest.mark.anyio
async def test_ones_own_link_leads_back_and_says_so(server, tmp_path, start_screen):
    """A person who opens their own invitation link returns to their seat, and the text beside the board says so."""
    link = invite(server.url, InvitationOptions(), "Ann", HeldSeats()).link
    async with start_screen.run_test(size=(80, 24)) as pilot:
        user = ScreenUser(start_screen, pilot)
        await open_dialog(user, server=server.url, link=link)
        await user.wait_until(lambda: "Waiting for your friend." in user.side_text)
        own = "This is your own invitation: you are back in your seat."
        assert own in " ".join(user.side_text.split())
        bob = Friend(join(link, "Bob", HeldSeats(tmp_path / "bob.json")))
        await user.wait_until(lambda: "Your turn (○)." in user.side_text)
        await user.press("4")
        await user.wait_until(lambda: "Bob (●) to move." in user.side_text)
        assert own not in " ".join(user.side_text.split())
        bob.online.close()


@pytest.mark.anyio
async def test_a_friend_is_invited_from_the_start_screen(server, tmp_path, start_screen):
    """A friend is invited from the start screen. The dialog refuses an address without a server, and leaving
    returns."""
    async with start_screen.run_test(size=(80, 24)) as pilot:
        user = ScreenUser(start_screen, pilot)
        await open_dialog(user, server="ftp://x", name="Ann")
        await user.wait_until(lambda: "is not the address of a server" in user.screen.replace("\n", " "))
        user.app.screen.query_one("#online-server").value = server.url
        await user.press("enter")
        await user.wait_until(lambda: "Waiting for your friend." in user.side_text)
        link = start_screen.screen._online.seat.link
        bob = Friend(join(link, "Bob", HeldSeats(tmp_path / "bob.json")))
        await user.wait_until(lambda: "Your turn (○)." in user.side_text)
        await user.press("4")
        await user.wait_until(lambda: "Bob (●) to move." in user.side_text)
        await user.press("escape", "y")
        await user.wait_until(lambda: isinstance(user.app.screen, StartScreen))
        bob.online.close()


@pytest.mark.anyio
async def test_a_person_plays_in_a_room(server, start_screen):
    """A person enters a room by its code and plays the room's matches one after the other, here against level 1."""
    with httpx.Client(base_url=server.url) as client:
        code, host = make_room(client, format="round_robin", variant={"width": 4, "height": 4, "run": 3})
        client.post(f"/api/rooms/{code}/levels", json={"level": 1}, headers=bearer(host)).raise_for_status()
        async with start_screen.run_test(size=(80, 24)) as pilot:
            user = ScreenUser(start_screen, pilot)
            await open_dialog(user, server=server.url, link=code.lower(), name="Ann")
            await user.wait_until(lambda: "Ann is in the room" in user.side_text)
            client.post(f"/api/rooms/{code}/begin", headers=bearer(host)).raise_for_status()
            await user.wait_until(lambda: "turn" in user.side_text)
            while not any(word in user.side_text for word in ("Won against", "Lost to", "A draw with")):
                if "Your turn" in user.side_text:
                    ply = user.app.screen.board.position.ply
                    await user.press(str(user.app.screen.board.position.legal_columns[0] + 1))
                    await user.wait_until(lambda ply=ply: user.app.screen.board.position.ply > ply)
                await user.pilot.pause(0.02)
            await user.press("escape")
            await user.wait_until(lambda: isinstance(user.app.screen, StartScreen))


class RoomPrompter(Prompter):
    """Asks for the board, the threats and the help, then answers every question with the first column that is not
    full."""

    def __init__(self):
        super().__init__(load_texts("en"))
        self.said, self.words = [], ["b", "t", "99", "?"]

    def say(self, text=""):
        self.said.append(text)

    def ask(self, question):
        if self.words:
            return self.words.pop(0)
        board = self.room._board
        return str(board.game.position.legal_columns[0] + 1)


def test_a_person_plays_in_a_room_by_text(server, tmp_path):
    """In a room as text, each move is printed once, and the board, the threats and the help on request."""
    with httpx.Client(base_url=server.url) as client:
        code, host = make_room(client, format="round_robin", variant={"width": 4, "height": 4, "run": 3})
        client.post(f"/api/rooms/{code}/levels", json={"level": 1}, headers=bearer(host)).raise_for_status()
        choice = OnlineChoice(server.url, code.lower(), "Ann", Position.start())
        prompter = RoomPrompter()
        room = PlainRoom(
            choice.member(HeldSeats(tmp_path / "seats.json")),
            prompter,
            BoardDescriber(prompter.texts, ROUND_DISCS, draws=False),
        )
        prompter.room = room
        playing = Thread(target=room.play, daemon=True)
        playing.start()
        until = time.monotonic() + TIMEOUT_SECONDS
        while not any("Ann is in the room" in text for text in prompter.said):
            assert time.monotonic() < until, prompter.said
            time.sleep(0.02)
        client.post(f"/api/rooms/{code}/begin", headers=bearer(host)).raise_for_status()
        playing.join(TIMEOUT_SECONDS)
    said = "\n".join(prompter.said)
    assert not playing.is_alive(), said
    assert not prompter.words
    assert "There is no column 99; the columns are 1 to 4." in said
    assert any(words in said for words in ("Won against", "Lost to", "A draw with"))
    moves = [text for text in prompter.said if "dropped in" in text]
    assert len(moves) == len(room._board.game.moves) == len(set(moves))


def test_the_menu_of_text_leads_to_a_server(tmp_path):
    """The text menu reports an invalid room code and an unreachable server, and is then shown again."""
    said = pipe(tmp_path, "--plain", answers="6\nno-code\n\nAnn\n6\n\n127.0.0.1:1\nAnn\nq\n").stdout
    assert "no-code" in said
    assert "there is no server at this address" in said
    assert said.count("play on a server") == 3


def test_a_room_is_entered_from_the_command_line(server, tmp_path):
    """A room can be entered by its link on the command line. The opponent is level 1, so at most eight discs are
    needed."""
    with httpx.Client(base_url=server.url) as client:
        code, host = make_room(client, format="round_robin", variant={"width": 4, "height": 4, "run": 3})
        client.post(f"/api/rooms/{code}/levels", json={"level": 1}, headers=bearer(host)).raise_for_status()

        def begin():
            members = f"/api/rooms/{code}"
            until = time.monotonic() + TIMEOUT_SECONDS
            while "Ann" not in client.get(members).text and time.monotonic() < until:
                time.sleep(0.02)
            client.post(f"{members}/begin", headers=bearer(host)).raise_for_status()

        beginning = Thread(target=begin, daemon=True)
        beginning.start()
        link = f"{server.url}/#/room/{code}"
        done = pipe(tmp_path, "--plain", "--join", link, "--name", "Ann", answers="1\n2\n3\n4\n" * 8)
        beginning.join(TIMEOUT_SECONDS)
    assert done.returncode == 0, done.stderr
    assert "Ann is in the room" in done.stdout
    assert any(words in done.stdout for words in ("Won against", "Lost to", "A draw with"))


def test_a_mistyped_code_of_a_room_is_refused(tmp_path):
    done = pipe(tmp_path, "--plain", "--join", "nowhere")
    assert (done.returncode, done.stdout) == (2, "")
    assert "nowhere" in done.stderr
