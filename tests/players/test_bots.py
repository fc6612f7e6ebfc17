"""Tests bots of users, in Python, for Kaggle or as programs, and how bots that misbehave are stopped."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from connectk import Position, Variant, parse_diagram
from connectk.errors import BotForfeit, BotUnusable, FileNotWritable, UnsupportedVariant
from connectk.players.botprocess import BotLimits
from connectk.players.bots import Bot, load_bot
from connectk.players.player import Clock
from connectk.players.template import write_new_bot
from connectk.players.textprotocol import MoveHistory, drops_to, parse_info, parse_position, write_position

LIMITS = BotLimits(start=60.0, think=60.0, memory=300 << 20, processes=16)
Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def _write(text: str, name: str = "bot.py", mode: int = 0o644) -> Path:
        path = tmp_path / name
        path.write_text(text)
        path.chmod(mode)
        return path

    return _write


@pytest.fixture
def no_processes_left(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Checks that a test leaves no process behind. A bot's processes are found by a variable that they inherit from the
    test."""
    mark = f"LC_COLLATE={uuid.uuid4()}"
    monkeypatch.setenv(*mark.split("="))
    yield
    assert _carriers(mark) == []


def _carriers(mark: str) -> list[str]:
    return [entry.name for entry in Path("/proc").glob("[0-9]*") if mark.encode() in _environment(entry)]


def _environment(process: Path) -> bytes:
    try:
        return (process / "environ").read_bytes()
    except OSError:
        return b""


def choose(bot: Bot, moves: str = "4453", seconds: float | None = None, variant: Variant | None = None) -> int:
    try:
        return bot.choose(Position.from_moves(moves, variant or Variant()), Clock(seconds)).column
    finally:
        bot.close()


def test_a_python_function_is_a_bot(write: Write, no_processes_left: None) -> None:
    bot = load_bot(write("def choose(position):\n    return position.legal_columns[-1]"), limits=LIMITS)

    assert choose(bot) == 6


def test_a_function_of_two_arguments_gets_the_clock(write: Write) -> None:
    bot = load_bot(write("def choose(position, clock):\n    return 5 if 0 < clock.left <= 30 else 1"), limits=LIMITS)

    assert choose(bot, seconds=30.0) == 5


KAGGLE_BOT = """
def helper(a, b):
    return a

def my_agent(observation, configuration):
    bottom = configuration.columns * (configuration.rows - 1)
    assert observation.board is observation["board"] and len(observation.board) == bottom + 7
    assert observation.board[bottom:] == [0, 0, 1, 2, 1, 0, 0], observation.board
    assert observation.mark == 2 and configuration["inarow"] == 4 and configuration.timeout > 0
    return 4
"""


def test_a_kaggle_agent_plays_unchanged(write: Write, no_processes_left: None) -> None:
    """A Kaggle agent works unchanged: it may read the observation by attribute or by item, from the top left cell
    on."""
    assert choose(load_bot(write(KAGGLE_BOT), limits=LIMITS), "345") == 4


@pytest.mark.parametrize(
    "last",
    [
        "def anything_at_all(o, c): return 2",
        "anything = lambda o: 2",
        "class Agent:\n    def __call__(self, o, c): return 2\nagent_of_mine = Agent()",
    ],
)
def test_kaggle_takes_the_last_thing_that_can_be_called(write: Write, last: str) -> None:
    """The last callable of a Kaggle file is the bot, whatever its name, even if `agent` comes before it."""
    bot = load_bot(write(f"def agent(observation, configuration):\n    return 6\n{last}\nNOTHING = 3\n"), limits=LIMITS)

    assert choose(bot) == 2


SHELL_BOT = """#!/bin/sh
while read word rest; do
    case $word in
        connectk) echo "name Shell"; echo ready ;;
        position) echo "$rest" >&2; moves=${rest##* } ;;
        go) echo "info score 1.5 depth 3 nodes 10 line $moves 2"; echo "bestmove $moves" ;;
        quit) exit ;;
    esac
done
"""


def test_a_program_in_any_language_is_a_bot(write: Write, no_processes_left: None) -> None:
    bot = load_bot(write(SHELL_BOT, "bot.sh", 0o755), limits=LIMITS)

    choice = bot.choose(Position.from_moves("3"), Clock(60))
    bot.close()

    assert choice.column == 2
    assert (choice.thought.score, choice.thought.depth, choice.thought.nodes) == (1.5, 3, 10)
    assert choice.thought.line == (2, 1)


def test_a_seed_makes_a_random_bot_repeat_itself(write: Write) -> None:
    path = write("import random\ndef choose(position):\n    return random.randrange(7)")

    games = [_five_choices(load_bot(path, seed=seed, limits=LIMITS)) for seed in (1, 1, 2)]

    assert games[0] == games[1] != games[2]


def _five_choices(bot: Bot) -> list[int]:
    choices = [bot.choose(Position.start(), Clock()).column for _ in range(5)]
    bot.close()
    return choices


MISBEHAVING_BOTS = {
    "crash": "def choose(position):\n    return share(0)\ndef share(by):\n    return 1 // by",
    "exit": "import os\ndef choose(position): os._exit(0)",
    "late": "def choose(position):\n    while True: pass",
    "deaf": "import signal, time\n"
    "for s in (15, 2, 1): signal.signal(s, signal.SIG_IGN)\ndef choose(position): time.sleep(60)",
    "illegal": "def choose(position): return 7",
    "negative": "def choose(position): return -1",
    "none": "def choose(position): return None",
    "flood": "def choose(position):\n    while True: print('spam' * 1000)",
    "orphan": "import os, time\ndef choose(position):\n    if os.fork() == 0:\n        os.setsid()\n"
    "        if os.fork() == 0: time.sleep(60)\n        os._exit(0)\n    raise SystemExit(3)",
    "memory": "import time\ndef choose(position):\n    hoard = []\n"
    "    while True:\n        hoard.append(b'x' * 10**7)\n        time.sleep(0.02)",
    # Doubles ten times: far over the limit, yet a broken guard would not take the machine with it.
    "bomb": "import os, time\ndef choose(position):\n    for _ in range(10):\n"
    "        if os.fork() == 0: os.setsid()\n    time.sleep(60)",
}
REASONS = {
    "crash": (
        "crash",
        "stopped running (exit status 1): ZeroDivisionError: integer division or modulo by zero (line 4)",
    ),
    "exit": ("crash", "stopped running (exit status 0)."),
    "late": ("late", "did not answer in time."),
    "deaf": ("late", "did not answer in time."),
    "illegal": ("illegal", "chose column 7, counted from 0; on 7x6x4 there are 0 to 6."),
    "negative": ("illegal", "chose column -1, counted from 0; on 7x6x4 there are 0 to 6."),
    "none": ("crash", "The bot answered None, not a column."),
    "flood": ("flood", "wrote more than 64 KB without an answer."),
    "orphan": ("crash", "stopped running (exit status 3)."),
    "memory": ("memory", "300 MB are allowed."),
}


@pytest.mark.parametrize("kind", REASONS)
def test_a_misbehaving_bot_forfeits_with_the_reason(kind: str, write: Write, no_processes_left: None) -> None:
    seconds = 0.5 if REASONS[kind][0] == "late" else 60
    bot = load_bot(write(MISBEHAVING_BOTS[kind]), limits=LIMITS)

    with pytest.raises(BotForfeit) as forfeit:
        choose(bot, seconds=seconds)

    assert forfeit.value.cause == REASONS[kind][0]
    assert REASONS[kind][1] in str(forfeit.value)


def test_a_fork_bomb_is_killed_with_all_its_processes(write: Write, no_processes_left: None) -> None:
    """A fork bomb is killed long before its time is up. For root, the guard counts processes; for others, the kernel
    limits them."""
    bot = load_bot(write(MISBEHAVING_BOTS["bomb"]), limits=LIMITS)

    with pytest.raises(BotForfeit) as forfeit:
        choose(bot, seconds=60)

    assert forfeit.value.cause in ({"processes"} if os.getuid() == 0 else {"processes", "crash", "flood"})


def test_a_bot_plays_on_after_a_forfeit(write: Write, no_processes_left: None) -> None:
    """After a forfeit, the bot's next choice starts a new process."""
    bot = load_bot(write("def choose(position): return 9 if position.ply else 3"), limits=LIMITS)

    with pytest.raises(BotForfeit):
        bot.choose(Position.from_moves("4"), Clock())

    assert bot.choose(Position.start(), Clock()).column == 3
    bot.close()


def test_an_unrequested_answer_is_discarded(write: Write, no_processes_left: None) -> None:
    """If a bot sends two answers at once, the second one is discarded before the next question."""
    chatty = SHELL_BOT.replace('echo "bestmove $moves"', r'printf "bestmove 1\nbestmove 7\n"')
    bot = load_bot(write(chatty, "bot.sh", 0o755), limits=LIMITS)

    choices = [bot.choose(Position.start(), Clock(60)).column for _ in range(3)]
    bot.close()

    assert choices == [0, 0, 0]


def test_stop_ends_a_bot_that_thinks(write: Write, no_processes_left: None) -> None:
    bot = load_bot(write(MISBEHAVING_BOTS["late"]), limits=LIMITS)
    clock = Clock(60)
    threading.Timer(0.2, clock.stop.set).start()

    with pytest.raises(BotForfeit, match="was stopped"):
        bot.choose(Position.start(), clock)


def test_no_process_is_left_when_connectk_is_killed(write: Write, no_processes_left: None) -> None:
    path = write(MISBEHAVING_BOTS["late"])
    program = (
        "from connectk.players.bots import load_bot, Clock, Position\n"
        f"bot = load_bot({str(path)!r})\nprint('ready', flush=True)\nbot.choose(Position.start(), Clock(60))"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as connectk:
        assert connectk.stdout is not None
        assert connectk.stdout.readline() == "ready\n"
        connectk.kill()

    mark = f"LC_COLLATE={os.environ['LC_COLLATE']}"
    deadline = time.monotonic() + 60
    while _carriers(mark) and time.monotonic() < deadline:
        time.sleep(0.02)


UNUSABLE_BOTS = {
    "without entry point": (
        "x = 1",
        "has no function choose(position), no class Bot with it and no agent(observation, configuration).",
    ),
    "that raises": ("raise ValueError('no')", "cannot be started: it stopped running (exit status 1): ValueError: no"),
    "that is not Python": ("def choose(", "SyntaxError"),
    "that hangs": ("while True: pass", "cannot be started: it did not answer in time."),
}


@pytest.mark.parametrize("kind", UNUSABLE_BOTS)
def test_a_file_that_cannot_be_a_bot_is_refused(kind: str, write: Write, no_processes_left: None) -> None:
    text, reason = UNUSABLE_BOTS[kind]

    with pytest.raises(BotUnusable) as refusal:
        load_bot(write(text), limits=replace(LIMITS, start=1.0 if "hangs" in kind else 60.0))

    assert reason in str(refusal.value)


def test_a_missing_file_and_one_that_is_no_program_are_refused(write: Write, tmp_path: Path) -> None:
    with pytest.raises(BotUnusable, match="is not a file"):
        load_bot(tmp_path / "missing.py")
    with pytest.raises(BotUnusable, match="make it executable"):
        load_bot(write("#!/bin/sh", "bot.sh"))
    with pytest.raises(BotUnusable, match=r"cannot be started: it stopped running .*Exec format error"):
        load_bot(write("no program", "bot", 0o755))


def test_a_board_beyond_any_line_of_text_is_refused(write: Write) -> None:
    bot = load_bot(write("def choose(position): return 0"), limits=LIMITS)

    with pytest.raises(UnsupportedVariant):
        choose(bot, "", variant=Variant(10**6, 10**6, 4))


@given(st.lists(st.integers(0, 6), max_size=42))
@settings(deadline=None)
def test_a_position_survives_the_text(columns: list[int]) -> None:
    """A position survives the text protocol, with its list of drops and as rows alone."""
    position = _played(columns)

    assert parse_position(write_position(position, drops_to(position)), position.variant) == position
    assert parse_position(write_position(position, None), position.variant) == position


def _played(columns: list[int]) -> Position:
    position = Position.start()
    for column in columns:
        if position.can_drop(column) and position.drop(column).outcome is None:
            position = position.drop(column)
    return position


def test_drops_are_found_on_a_large_board_and_refused_where_there_are_none() -> None:
    large = Position.from_moves([column for column in range(60) for _ in range(3)], Variant(60, 60, 20))
    upside_down = parse_diagram("x\no", Variant(1, 2, 2))

    assert Position.from_moves(drops_to(large) or (), large.variant) == large
    assert drops_to(upside_down) is None


def test_the_list_of_drops_grows_with_the_game() -> None:
    """The list of drops that a bot gets begins with the previous list, so a bot can keep its knowledge of the game."""
    history, position = MoveHistory(), Position.from_moves("4455")
    before = history.moves_to(position)
    assert before is not None

    assert history.moves_to(position.drop(3).drop(0)) == (*before, 3, 0)


def test_an_unreadable_thought_is_passed_over() -> None:
    assert parse_info("info score high") is None
    assert parse_info("bestmove 4") is None


def test_a_new_bot_plays_and_its_test_passes(tmp_path: Path) -> None:
    test = write_new_bot(tmp_path / "mybot.py")
    alone = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # our plugins load slowly; users have none
    command = [sys.executable, "-m", "pytest", "-q", "-c", os.devnull, str(test)]
    checked = subprocess.run(command, cwd=tmp_path, env=alone)

    assert checked.returncode == 0
    assert choose(load_bot(tmp_path / "mybot.py", limits=LIMITS), "112233") == 3


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("random.py", "would hide the module random"),
        ("connectk.py", "would hide the module connectk"),
        ("class.py", "class is a word of Python's language"),
    ],
)
def test_a_new_bot_has_a_name_that_python_can_import(name: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(BotUnusable, match=reason):
        write_new_bot(tmp_path / name)

    assert list(tmp_path.iterdir()) == []


def test_a_new_bot_overwrites_nothing(tmp_path: Path) -> None:
    (tmp_path / "test_mybot.py").write_text("mine")

    with pytest.raises(BotUnusable, match="is there already"):
        write_new_bot(tmp_path / "mybot.py")
    with pytest.raises(BotUnusable, match="is not a name"):
        write_new_bot(tmp_path / "my-bot.py")
    with pytest.raises(FileNotWritable, match="folder does not exist"):
        write_new_bot(tmp_path / "missing" / "mybot.py")

    assert [file.name for file in tmp_path.iterdir()] == ["test_mybot.py"]


EXAMPLES = Path(__file__).parents[2] / "examples"
COMPILERS = {".c": ["cc"], ".cpp": ["c++", "-std=c++17"]}


def runnable(example: Path, folder: Path) -> Path:
    """The example itself, or the program that a compiler has made from it."""
    if example.suffix not in COMPILERS:
        return example
    subprocess.run([*COMPILERS[example.suffix], "-O1", "-Wall", "-Werror", "-o", folder / "bot", example], check=True)
    return folder / "bot"


@pytest.mark.parametrize("example", ["bot_python.py", "bot_kaggle.py", "bot_sh", "bot_c.c", "bot_cpp.cpp"])
def test_the_examples_play_on_any_board(example: str, tmp_path: Path, no_processes_left: None) -> None:
    path = runnable(EXAMPLES / example, tmp_path)
    bot, position = load_bot(path, limits=LIMITS), Position.start(Variant(5, 4, 4))

    while position.outcome is None:
        position = position.drop(bot.choose(position, Clock()).column)
    bot.close()


@pytest.mark.parametrize("example", ["bot_python.py", "bot_kaggle.py", "bot_c.c", "bot_cpp.cpp"])
def test_the_better_examples_see_a_win(example: str, tmp_path: Path) -> None:
    path = runnable(EXAMPLES / example, tmp_path)

    assert choose(load_bot(path, limits=LIMITS), "112233") == 3
