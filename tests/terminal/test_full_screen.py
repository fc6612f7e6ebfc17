"""Tests the full screen on a real terminal. Every way of ending it restores the terminal and saves the game."""

import os
import re
import signal
import subprocess
import sys

import pytest

from tests.terminal.command import Terminal, autosaved_moves

# A terminal's answer to the question for its colours: it names no colours, only its type.
STYLE = re.compile(rb"\x1b\[([0-9;]*)m")
NO_COLOURS = "\x1b[?1;2c"


@pytest.fixture
def game(tmp_path):
    """A function that starts a game of two players and plays one move."""
    opened = []

    def start(*options, **more):
        terminal = Terminal(tmp_path, "--two-players", "--reduced-motion", *options, **more)
        opened.append(terminal)
        terminal.type(NO_COLOURS)
        terminal.wait_for("First player (○) to move.")
        terminal.type("4")
        terminal.wait_for("Second player (●) to move.")
        return terminal

    yield start
    for terminal in opened:
        terminal.close()


@pytest.mark.parametrize("key", ["\x03", "q"])
def test_leaving_by_key(game, tmp_path, key):
    """During a game, Ctrl-C and q ask one question, and pressing the same key again answers yes."""
    terminal = game()
    terminal.type(key)
    terminal.wait_for("Leave this game?")
    terminal.type(key)
    assert terminal.end() == 0
    assert terminal.is_sane
    assert b"\x1b[?1049l" in terminal.seen, "the other screen is closed"
    assert b"\x1b[?25h" in terminal.seen, "the cursor is shown"
    assert terminal.text.rstrip().endswith("connectk play --resume continues it.")
    assert autosaved_moves(tmp_path) == "4"


@pytest.mark.parametrize("name", [signal.SIGHUP, signal.SIGTERM])
def test_leaving_by_signal(game, tmp_path, name):
    """After SIGHUP or SIGTERM the program restores the terminal and ends."""
    terminal = game()
    terminal.process.send_signal(name)
    terminal.end()
    assert terminal.is_sane
    assert "Traceback" not in terminal.text
    assert autosaved_moves(tmp_path) == "4"


@pytest.mark.parametrize("controlling", [True, False])
def test_the_program_exits_when_the_terminal_closes(game, tmp_path, controlling):
    """The program ends when its terminal closes, with or without a signal."""
    terminal = game(controlling=controlling)
    os.close(terminal.slave)
    os.close(terminal.master)
    terminal.process.wait(timeout=60)
    assert autosaved_moves(tmp_path) == "4"


def test_suspended_and_resumed(game):
    """Ctrl-Z returns to the shell, and fg shows the game again, which can be continued."""
    terminal = game()
    terminal.type("\x1a")
    terminal.wait_until_stopped()
    assert terminal.is_sane
    seen = len(terminal.seen)
    terminal.process.send_signal(signal.SIGCONT)
    terminal.wait_for_bytes(b"\x1b[?1049h", seen)
    terminal.type("4")
    terminal.wait_for("2 moves")


def test_a_held_key_drops_one_disc(game):
    """A held key drops one disc, although a terminal sends it as many separate presses."""
    terminal = game()
    terminal.type("55555")
    terminal.wait_for("2 moves")
    terminal.type("6")
    terminal.wait_for("3 moves")


@pytest.mark.parametrize(("size", "most"), [((80, 24), 30_000), ((200, 60), 115_000)])
def test_a_drop_sends_little_to_the_terminal(tmp_path, size, most):
    """A drop sends little to the terminal, because a connection may be slow. Earlier versions sent 147 or 564 KB."""
    terminal = Terminal(tmp_path, "--two-players", size=size, COLORTERM="truecolor")
    terminal.type(NO_COLOURS)
    terminal.wait_for("First player (○) to move.")
    terminal.read_until_quiet()
    seen = len(terminal.seen)
    terminal.type("4")
    terminal.wait_for("1 move")
    terminal.read_until_quiet()
    assert 1000 < len(terminal.seen) - seen <= most
    terminal.close()


def test_no_colour_is_written_with_no_color(game):
    """With NO_COLOR, only bold, reverse and the terminal's own colours (39 and 49) are written."""
    terminal = game(NO_COLOR="1")
    codes = {code for style in STYLE.findall(terminal.seen) for code in style.split(b";")}
    assert codes <= {b"", b"0", b"1", b"2", b"4", b"7", b"39", b"49"}


def test_a_light_terminal_gets_the_light_theme(tmp_path):
    """The app asks the terminal for its background colour, and uses the light theme on a light one."""
    terminal = Terminal(tmp_path, "--two-players", COLORTERM="truecolor")
    terminal.type("\x1b]11;rgb:ffff/ffff/f0f0\x1b\\\x1b[?1;2c")  # before it can be late
    terminal.wait_for_bytes(b"\x1b]11;?")
    terminal.wait_for("First player (○) to move.")
    assert b"48;2;250;247;242" in terminal.seen
    terminal.close()


def test_textual_is_not_loaded_for_other_commands():
    """Textual is not imported by other commands, to keep `connectk --help` and `import connectk` quick."""
    code = "import sys, connectk.cli; print(any(name.startswith('textual') for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
