"""Tests bots over several games: starting only once, all of their files, their own Python, and no harm to others."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from connectk import Position, Variant
from connectk.errors import BotForfeit, BotUnusable, UnsupportedVariant
from connectk.players import Clock, load_player, start_new_game, why_not
from connectk.players.botprocess import BotLimits
from connectk.players.bots import Bot, BotOptions, load_bot
from connectk.players.botstate import keeps_state
from connectk.players.isolation import missing_protections
from connectk.players.player import require_able
from connectk.players.registry import cannot_play
from connectk.players.textprotocol import ShownPosition
from connectk.players.versions import files_of, version_of

LIMITS = BotLimits(start=60.0, think=60.0)
COUNTING_BOT = "asked = []\ndef choose(position):\n    asked.append(position)\n    return len(asked) - 1\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def bot_of(folder: Path, text: str, **options: object) -> Bot:
    (folder / "bot.py").write_text(text)
    return load_bot(folder / "bot.py", limits=LIMITS, **options)  # type: ignore[arg-type]


def column(bot: Bot) -> int:
    return bot.choose(Position.start(), Clock()).column


def test_a_bot_stays_alive_between_games_without_keeping_state(folder: Path):
    """A bot's process is reused, but each game begins without state from the game before."""
    bot = bot_of(folder, COUNTING_BOT)
    process, games = bot._process, []
    for _ in range(3):
        bot.new_game()
        games.append([column(bot), column(bot)])
    alive = bot._process is process
    bot.close()

    assert games == [[0, 1]] * 3
    assert alive


@pytest.mark.parametrize(
    "start",
    ["FRESH = True\n", "import threading, time\nthreading.Thread(target=time.sleep, args=[99], daemon=True).start()\n"],
)
def test_a_bot_that_asks_or_has_threads_gets_a_fresh_process(folder: Path, start: str):
    """A bot with `FRESH = True` or with threads gets a new process for each game, started before its first choice."""
    bot = bot_of(folder, start + COUNTING_BOT)
    first, choices = bot._process, [column(bot), column(bot)]
    bot.new_game()
    second, more = bot._process, [column(bot)]
    bot.close()

    assert choices + more == [0, 1, 0]
    assert second not in (None, first)


STATELESS_BOT = """
import math, random
from collections import Counter
from enum import Enum
from helper import third
SIZES = (3, (4, 5))
class Kind(Enum):
    A = 1
class Line:
    length = 4
    def __init__(self, cells): self.cells = cells
    @property
    def end(self): return self.cells[-1]
def choose(position, depth=2):
    counts = Counter(position.legal_columns)
    return max(counts, key=lambda column: counts[column])
"""


@pytest.mark.parametrize(
    "more",
    [
        "",
        "seen = []",
        "cache = {}",
        "turn = 0\ndef choose(position):\n    global turn\n    turn += 1\n    return turn",
        "def choose(position, memory=[]): return 3",
        "from functools import lru_cache\n@lru_cache\ndef best(column): return column",
        "def note(position): choose.last = position",
        "def note(position): globals()['x'] = position",
        "class Memory:\n    games = []",
        "brain = Line([1])",
        "def counter():\n    seen = [0]\n    def count(): seen[0] += 1\n    return count\ncount = counter()",
        "import helper_with_list",
    ],
)
def test_a_bot_that_may_remember_is_known(folder: Path, more: str, monkeypatch: pytest.MonkeyPatch):
    """A bot whose modules contain only functions, classes and constants keeps no state; any other bot may."""
    monkeypatch.syspath_prepend(str(folder))
    (folder / "helper.py").write_text("LIMIT = 3\ndef third(x): return x[LIMIT - 1]\n")
    (folder / "helper_with_list.py").write_text("seen = []\n")
    (folder / "bot.py").write_text(STATELESS_BOT + more)
    spec = spec_from_file_location("bot", folder / "bot.py")
    assert spec is not None
    assert spec.loader is not None
    bot = module_from_spec(spec)
    spec.loader.exec_module(bot)

    assert keeps_state(bot, folder) == bool(more)


def test_a_bot_without_memory_is_not_even_forked(folder: Path):
    """A bot that keeps no state plays all its games in one process, without a fork."""
    bot = bot_of(folder, "import os\ndef choose(position): return os.getpid() % 7")
    columns = set()
    for _ in range(8):
        bot.new_game()
        columns.add(column(bot))
    bot.close()

    assert len(columns) == 1


def test_each_game_has_luck_of_its_own(folder: Path):
    """The same seed gives a bot the same random numbers in each game, whatever earlier games have drawn."""
    bot = bot_of(folder, "import random\ndef choose(position): return random.randrange(7)", seed=1)
    games = []
    for seed in (1, 2, 1):
        bot.new_game(seed)
        games.append([column(bot) for _ in range(8)])
    bot.close()

    assert games[0] == games[2] != games[1]


def test_a_crash_in_one_game_is_reported_and_the_next_is_played(folder: Path):
    """The reason for a crash names the line in the bot's file, even if the game ran in a fork. The next game is
    played."""
    bot = bot_of(folder, "def choose(position):\n    return 1 // (position.ply - 1)")
    with pytest.raises(BotForfeit, match=r"ZeroDivisionError.*\(line 2\)"):
        bot.choose(Position.from_moves("4"), Clock())
    bot.new_game()
    after = bot.choose(Position.from_moves("444"), Clock()).column
    bot.close()

    assert after == 0


def test_a_bot_is_all_of_its_files(folder: Path):
    """The version of a bot covers its modules and the files that it reads. If one of them changes, the version
    changes."""
    (folder / "helper.py").write_text("import deeper\n")
    (folder / "deeper.py").write_text("x = 1\n")
    (folder / "weights.txt").write_text("3")
    (folder / "unused.py").write_text("x = 1\n")
    path = folder / "bot.py"
    path.write_text(
        "import helper, pathlib\nbest = int(pathlib.Path(__file__).with_name('weights.txt').read_text())\n"
        "def choose(position): return best\n"
    )
    options = BotOptions(LIMITS)
    names = {file.name for file in files_of(str(path), options)}
    versions = [version_of(str(path), options)]
    for name in ("unused.py", "deeper.py", "weights.txt"):
        (folder / name).write_text(f"{len(versions)}2345 ")
        versions.append(version_of(str(path), options))

    assert names == {"bot.py", "helper.py", "deeper.py", "weights.txt"}
    assert versions[0] == versions[1]
    assert len(set(versions)) == 3


LAZY_BOT = """
import pathlib
weights = []
def choose(position):
    if position.ply > 30:
        from helper import pick
        return pick(position)
    if not weights: weights.extend(pathlib.Path(__file__).with_name("weights.txt").read_text())
    return int(weights[0])
"""


def test_what_a_bot_loads_only_when_it_plays_counts_too(folder: Path):
    """The version of a bot also covers modules that are imported late and files that are read late."""
    for name, text in {
        "helper.py": "from parts import deeper\ndef pick(position): return 3\n",
        "parts/__init__.py": "from . import other\n",
        "parts/deeper.py": "",
        "parts/other.py": "",
        "weights.txt": "3",
        "requirements.txt": "",
        "bot.py": LAZY_BOT,
    }.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    files = {
        str(file.relative_to(folder)) for file in files_of(str(folder / "bot.py"), BotOptions(LIMITS, sys.executable))
    }

    assert files == {"bot.py", "helper.py", "parts/__init__.py", "parts/deeper.py", "parts/other.py", "weights.txt"}


def test_what_a_bot_asks_to_have_installed_counts(folder: Path, monkeypatch: pytest.MonkeyPatch):
    """A bot that requires another version of a package is another version of the bot."""
    monkeypatch.setattr("connectk.players.bots.python_for", lambda bot, named: sys.executable)
    (folder / "bot.py").write_text("def choose(position): return 3\n")
    (folder / "requirements.txt").write_text("numpy==1.26\n")
    before = version_of(str(folder / "bot.py"), BotOptions(LIMITS))
    (folder / "requirements.txt").write_text("numpy==2.1\n")

    assert version_of(str(folder / "bot.py"), BotOptions(LIMITS)) != before


def test_an_evaluation_is_all_of_its_files_too(folder: Path, monkeypatch: pytest.MonkeyPatch):
    """The version of an evaluation covers the modules that it imports from its own folder."""
    monkeypatch.syspath_prepend(str(folder))
    (folder / "beside_evaluation.py").write_text("x = 1\n")
    (folder / "mine.py").write_text("import beside_evaluation\ndef evaluate(position, side): return 0\n")
    name = f"minimax:2,{folder / 'mine.py'}:evaluate"
    before = version_of(name)
    (folder / "beside_evaluation.py").write_text("x = 12\n")

    assert version_of(name) != before
    assert version_of("minimax:2,centre") is None


UNFLUSHED_BOT = f"""#!{sys.executable}
import sys
for line in sys.stdin:
    if line.startswith("connectk"): print("ready", flush=True)
    if line.startswith("go"): print("bestmove 4")
"""


def test_a_bot_that_did_not_flush_gets_that_reason(folder: Path, monkeypatch: pytest.MonkeyPatch):
    """If a bot's answer stays in its output buffer, the reason for the forfeit is the missing flush."""
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    path = folder / "program"
    path.write_text(UNFLUSHED_BOT)
    path.chmod(0o755)
    bot = load_bot(path, limits=BotLimits(start=60.0, think=1.0))

    with pytest.raises(BotForfeit, match="did not flush its output") as forfeit:
        column(bot)
    assert forfeit.value.cause == "late"


SLEEPING_BOTS = {
    "for a time": "time.sleep(1.5)",
    "until another thread has slept": "t = threading.Thread(target=time.sleep, args=(1.5,)); t.start(); t.join()",
    "in a command": "subprocess.run(['sleep', '1.5'])",
}


@pytest.mark.parametrize("kind", SLEEPING_BOTS)
def test_a_slow_bot_is_late_and_nothing_else(kind: str, folder: Path):
    """A bot that answers and flushes shortly after its limit is reported as late, not as a bot that did not flush."""
    path = folder / "program"
    slow = UNFLUSHED_BOT.replace("import sys", "import subprocess, sys, threading, time")
    path.write_text(slow.replace('print("bestmove 4")', f'{SLEEPING_BOTS[kind]}; print("bestmove 4", flush=True)'))
    path.chmod(0o755)

    with pytest.raises(BotForfeit, match=r"did not answer in time\.$"):
        column(load_bot(path, limits=BotLimits(start=60.0, think=0.5)))


def test_a_bot_that_waits_for_more_input_has_no_answer_to_flush(folder: Path):
    path = folder / "program"
    path.write_text(UNFLUSHED_BOT.replace("bestmove 4", "info depth 4"))
    path.chmod(0o755)

    with pytest.raises(BotForfeit, match=r"did not answer in time\.$"):
        column(load_bot(path, limits=BotLimits(start=60.0, think=0.2)))


def test_an_illegal_column_of_a_program_is_counted_from_one(folder: Path):
    """The reason for an illegal column repeats the number that the program wrote, counted from 1."""
    path = folder / "program"
    path.write_text(UNFLUSHED_BOT.replace('"bestmove 4"', '"bestmove 8", flush=True'))
    path.chmod(0o755)

    with pytest.raises(BotForfeit, match=r"chose column 8, counted from 1; on 7x6x4 there are 1 to 7\."):
        column(load_bot(path, limits=LIMITS))


def test_a_full_column_is_counted_as_the_bot_counts(folder: Path):
    """The reason for a full column counts from 0 for a bot in Python, as the bot itself does."""
    bot = bot_of(folder, "def choose(position): return 3")

    with pytest.raises(BotForfeit, match="chose column 3, counted from 0, which is full"):
        bot.choose(Position.from_moves("444444"), Clock())


RETRYING_BOT = """
import os, signal, socket, sys, tempfile
VICTIM, PLACE = {victim}, {place!r}
def kill(): os.kill(VICTIM, signal.SIGKILL)
def slow(): os.setpriority(os.PRIO_PROCESS, VICTIM, 19)
def connect(): socket.socket()
def send(): socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
def write(): open(PLACE + "/written", "w")
def remove(): os.unlink(PLACE + "/kept")
def permit(): os.chmod(PLACE + "/kept", 0)
def works(act):
    try: act()
    except OSError: return False
    return True
def choose(position):
    done = [act.__name__ for act in (kill, slow, connect, send, write, remove, permit) if works(act)]
    with tempfile.NamedTemporaryFile("w") as file: file.write("scratch")
    sys.exit("did " + ", ".join(done)) if done else None
    return 5
"""


@pytest.mark.skipif(bool(missing_protections()), reason="this system cannot keep bots apart")
def test_a_bot_is_isolated(folder: Path):
    """The bot cannot send signals, use the network, or write outside its scratch folder. It cannot kill the process
    that it attacks."""
    (folder / "kept").write_text("kept")
    victim = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    bot = bot_of(folder, RETRYING_BOT.format(victim=victim.pid, place=str(folder)))
    chosen = column(bot)
    bot.close()
    alive = victim.poll() is None
    victim.communicate()

    assert chosen == 5
    assert alive
    assert sorted(path.name for path in folder.iterdir() if path.name != "__pycache__") == ["bot.py", "kept"]


def test_a_bots_scratch_folder_ends_with_it(folder: Path, monkeypatch: pytest.MonkeyPatch):
    """A bot's scratch folder is removed when the bot ends. Links to other places are removed, but not their targets."""
    scratches = folder / "scratches"
    scratches.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratches))
    bot = bot_of(
        folder,
        "import os, tempfile\ndef choose(position):\n    place = tempfile.mkdtemp()\n"
        "    os.symlink('/', place + '/link')\n    open(place + '/file', 'w').close()\n    return 2",
    )
    assert column(bot) == 2
    assert len(list(scratches.glob("*/*/*"))) == 2
    bot.close()
    assert list(scratches.iterdir()) == []


def test_a_bot_runs_in_the_python_that_is_named(folder: Path):
    """A bot in a named Python can import the packages of that Python, and connectk."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    (packages,) = folder.glob("venv/lib/*/site-packages")
    (packages / "its_own.py").write_text("BEST = 4\n")
    text = "import its_own\nfrom connectk import Position\ndef choose(position): return its_own.BEST"
    bot = bot_of(folder, text, python=str(folder / "venv" / "bin" / "python"))
    chosen = column(bot)
    bot.close()

    assert chosen == 4
    with pytest.raises(BotUnusable, match="no Python at"):
        bot_of(folder, text, python="no-such-python")


@pytest.mark.deep
def test_a_bot_with_numpy_meets_others_in_the_arena(folder: Path, monkeypatch: pytest.MonkeyPatch):
    """numpy from a bot's requirements.txt is installed into a new Python, which a second run can name."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    monkeypatch.chdir(folder)
    (folder / "requirements.txt").write_text("numpy\n")
    (folder / "bot.py").write_text(
        "import numpy as np\ndef choose(position): return int(np.random.choice(position.legal_columns))\n"
    )
    arena = [
        sys.executable,
        "-m",
        "connectk",
        "arena",
        "bot.py",
        "random",
        "--games",
        "4",
        "--startup",
        "60s",
        "--json",
    ]
    first = subprocess.run(arena, capture_output=True, text=True, check=True)
    (folder / "requirements.txt").unlink()
    (python,) = folder.glob("cache/connectk/bots/*/bin/python")
    second = subprocess.run([*arena, "--python", str(python)], capture_output=True, text=True, check=True)

    assert "installing what its requirements.txt asks for" in first.stderr
    for done in (first, second):
        assert json.loads(done.stdout)["games"] == 4
        assert json.loads(done.stdout)["forfeits"] == []


def test_requirements_beside_a_bot_are_installed(folder: Path, monkeypatch: pytest.MonkeyPatch):
    """The packages in a bot's requirements.txt are installed once and then reused. A failed installation is one
    sentence."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    wheel = folder / "wanted-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as package:
        package.writestr("wanted.py", "BEST = 6\n")
        package.writestr("wanted-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: wanted\nVersion: 1.0\n")
        package.writestr("wanted-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        package.writestr("wanted-1.0.dist-info/RECORD", "")
    (folder / "requirements.txt").write_text(f"--no-index\n{wheel}\n")
    for _ in range(2):
        bot = bot_of(folder, "import wanted\ndef choose(position): return wanted.BEST")
        assert column(bot) == 6
        bot.close()
        wheel.unlink(missing_ok=True)
    (folder / "requirements.txt").write_text("--no-index\nno-such-package-at-all\n")
    with pytest.raises(BotUnusable, match=r"requirements.txt: ERROR: .*no-such-package"):
        bot_of(folder, "")


def test_a_position_that_goes_on_is_played_on():
    """Only new drops are played when a position continues a game. Any other position is set up anew from its moves or
    its board."""
    shown = ShownPosition()
    for line in (
        "variant 7x6x4",
        f"position {'/'.join(['.......'] * 6)} moves",
        "position x moves 4 4",
        "position x moves 4 4 5 3",
        "position x moves 1",
    ):
        shown.update(line.partition(" ")[0], line)
        if "moves" in line:
            assert shown.position == Position.from_moves([int(move) - 1 for move in line.split()[3:]])
    board = "/".join(["......."] * 5 + ["xo....."])
    shown.update("position", f"position {board}")
    assert shown.position == Position.from_moves("12")
    shown.update("position", "position x moves 4")
    assert shown.position == Position.from_moves("4")


@pytest.mark.parametrize("name", ["random", "greedy", "minimax:2", "engine:20ms", "mcts:50", "perfect", "level:3"])
def test_a_player_that_begins_a_new_game_plays_it_as_the_first(name: str):
    """With the same seed a player plays the same game, whatever it played before."""
    position = Position.from_moves("4453")
    used, new = load_player(name, seed=3), load_player(name, seed=9)
    used.choose(Position.start(), Clock())
    assert start_new_game(used, 9)
    assert used.choose(position, Clock()).column == new.choose(position, Clock()).column


def test_a_player_that_cannot_play_is_refused_before_the_game(folder: Path):
    """A player that cannot play on a board is refused before the game, such as `perfect` beyond the solver's limit."""
    vast = Variant(100, 100, 5)
    with pytest.raises(UnsupportedVariant, match="perfect cannot play there: it solves boards of up to 128 bits"):
        require_able(load_player("perfect"), vast)
    assert why_not(load_player("perfect"), Variant()) is None
    assert why_not(load_player("engine:10ms"), vast) is None
    bot = bot_of(folder, COUNTING_BOT)
    bot.close()
    assert "100,000 cells" in (why_not(bot, Variant(1000, 1000, 4)) or "")
    assert "100,000 cells" in str(cannot_play("never-started.py", Variant(1000, 1000, 4)))
    assert "128 bits" in str(cannot_play("perfect", vast))
    assert cannot_play("level:3", vast) is None
