"""connectk runs without features that only POSIX systems have. Each part is imported and used without them.

Windows lacks `fcntl`, `resource`, `termios`, `pwd` and `fork`, and its consoles often cannot show most letters.
"""

import os
import subprocess
import sys
import textwrap
from importlib.util import find_spec
from pathlib import Path

import pytest
import typer

import connectk
from connectk.cli import app

SOURCES = Path(connectk.__file__).parent

# Read by every Python that starts in this folder, so that worker processes lack the same.
WITHOUT_POSIX_SCRIPT = """
import os, select, signal, sys, warnings

GONE = {"fcntl", "resource", "termios", "pwd", "grp", "pty", "tty", "syslog", "readline"}

class Lacking:
    def find_spec(self, name, path=None, target=None):
        if name in GONE:
            raise ImportError(f"there is no {name} here", name=name)

for name in GONE:
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Lacking())
for module, names in {
    os: ("fork", "forkpty", "setsid", "killpg", "sched_getaffinity", "sched_setscheduler", "nice", "wait"),
    select: ("poll", "epoll"),
    signal: ("SIGHUP", "SIGUSR1", "SIGALRM", "setitimer", "pthread_sigmask"),
}.items():
    for name in names:
        if hasattr(module, name):
            delattr(module, name)
if "connectk" in os.environ.get("STRICT", ""):
    warnings.filterwarnings("error", category=EncodingWarning, module="connectk")
"""


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory):
    """Runs Python as on a system without these modules and functions."""
    folder = tmp_path_factory.mktemp("elsewhere")
    (folder / "sitecustomize.py").write_text(WITHOUT_POSIX_SCRIPT, encoding="utf-8")
    home = {
        name: str(folder) for name in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")
    }
    environment = {
        **os.environ,
        **home,
        "PYTHONPATH": str(folder),
        "PYTHONWARNDEFAULTENCODING": "1",
        "STRICT": "connectk",
    }

    def run(*arguments: str, typed: str = "", **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=folder,
            env={**environment, **more},
            input=typed,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )

    return run


NOT_IN_DEV = ("openenv", "stable_baselines3", "textarena")  # extras with much behind them


def modules() -> list[str]:
    """Every module of the package, except programs that need `fork` and adapters of packages that are not installed."""
    names = [".".join(file.relative_to(SOURCES.parent).with_suffix("").parts) for file in SOURCES.rglob("*.py")]
    programs = ("__main__", "players.guard", "migrations.env", "migrations.versions")
    programs += tuple(f"envs.{package}" for package in NOT_IN_DEV if find_spec(package) is None)
    return sorted(name.removesuffix(".__init__") for name in names if not any(part in name for part in programs))


def test_everything_is_imported(elsewhere):
    done = elsewhere("-c", "\n".join(f"import {name}" for name in modules()))
    assert done.returncode == 0, done.stderr


IMPORTED_PACKAGES = {
    "rules, notation, referee, solver and players": """
        from connectk import Game, Position, solve
        from connectk.notation import SavedGame, parse_saved_game, write_saved_game
        from connectk.players import Clock, load_player
        from connectk.referee import judge_many
        saved = SavedGame(Game(moves=[3, 3]))
        assert parse_saved_game(write_saved_game(saved)) == saved
        open("game.txt", "wb").write(b"7 6 4\\n1\\n")
        assert [v.code for v in judge_many(["game.txt", "missing"])] == [3, 9]
        assert solve(Position.from_moves("4453")).score == -2
        for name in ("random", "greedy", "minimax:3", "mcts:50", "level:3", "engine:20ms", "perfect"):
            load_player(name, seed=1).choose(Position.from_moves("44535261"), Clock())
    """,
    "review, explanations, lessons, puzzles, pictures and the site": """
        from connectk import Game, Position
        from connectk.drawing import draw_png, draw_svg
        from connectk.lessons import lessons
        from connectk.puzzles import shipped_puzzles
        from connectk.review import review_game
        from connectk.site import write_site
        from connectk.why import check, explain
        from pathlib import Path
        review_game(Game(moves=[3, 3, 4, 4, 2, 2, 5]), seconds=1.0)
        check(explain(Position.from_moves("445566")).explanation)
        assert lessons()[0].cards[0].position.ply and shipped_puzzles()[0].position.ply
        assert "svg" in draw_svg(Game(moves=[3]).position) and draw_png(Game(moves=[3]).position)[1:4] == b"PNG"
        assert "index.html" in write_site(Path("site"))
    """,
    "arrays, environments, measuring and datasets": """
        from connectk import Variant
        from connectk.arrays import Boards
        from connectk.cluster import open_pool
        from connectk.dataset import Recipe, make_dataset
        from connectk.envs import measure
        from connectk.envs.gymnasium import ConnectKEnv
        from pathlib import Path
        assert Boards("7x6x4", 2).ply.tolist() == [0, 0]
        ConnectKEnv().reset(seed=1)
        assert measure("perfect", positions=["4453"]).all.perfect.value == 1
        if __name__ == "__main__":
            for jobs in (1, 2):
                with open_pool(jobs=jobs) as pool:
                    make_dataset(Recipe(Variant(5, 4, 4), positions=20), f"set{jobs}", pool)
                assert Path(f"set{jobs}", "data", "train-00000.parquet").exists()
    """,
    "arena": """
        import runpy, sys
        sys.argv = ["connectk", "arena", "random", "greedy", "--games", "4", "--jobs", "2", "--out", "games/"]
        if __name__ == "__main__":
            try:
                runpy.run_module("connectk", run_name="__main__")
            except SystemExit as end:
                assert not end.code, end.code
    """,
    "storage and server": """
        import asyncio, httpx
        from connectk.server.app import create_app
        from connectk.server.settings import Settings
        from connectk.storage.backup import read_backup, write_backup
        from connectk.storage.database import prepare_database
        from pathlib import Path
        from sqlalchemy import create_engine

        async def main():
            held = prepare_database("sqlite:///games.db")
            app = create_app(Settings(database="sqlite:///games.db"))
            async with app.router.lifespan_context(app):
                transport = httpx.ASGITransport(app=app, client=("127.0.0.1", 1))
                async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
                    made = await client.post("/api/matches", json={"second": {"kind": "player", "player": "random"}})
                    assert made.status_code == 201, made.text
                    room = await client.post("/api/rooms", json={})
                    assert room.status_code == 201, room.text
            if held:
                held.close()

        def move_to_another_file():
            prepare_database("sqlite:///others.db")
            assert write_backup(create_engine("sqlite:///games.db"), Path("games.backup"))["matches"] == 1
            assert read_backup(create_engine("sqlite:///others.db"), Path("games.backup"))["matches"] == 1

        if __name__ == "__main__":
            asyncio.run(main())
            move_to_another_file()
    """,
    "terminal's screen": """
        import asyncio, os
        os.environ["TEXTUAL_DRIVER"] = "textual.drivers.headless_driver:HeadlessDriver"  # Windows has one of its own
        from connectk.terminal.screen.app import ConnectkApp
        from connectk.terminal.settings import TerminalSettings

        async def main():
            program = ConnectkApp(TerminalSettings(theme="dark"))
            async with program.run_test(size=(80, 24)) as pilot:
                await pilot.pause()

        asyncio.run(main())
    """,
}


@pytest.mark.parametrize("part", IMPORTED_PACKAGES)
def test_every_part_is_used(elsewhere, tmp_path, part):
    program = tmp_path / "program.py"
    program.write_text(textwrap.dedent(IMPORTED_PACKAGES[part]), encoding="utf-8")

    done = elsewhere(str(program))

    assert done.returncode == 0, done.stderr


def test_a_bot_says_what_is_missing(elsewhere, tmp_path):
    """On a system without `fork`, a bot is refused with one sentence, because its limits could not be enforced."""
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(position): return 0\n", encoding="utf-8")

    done = elsewhere("-m", "connectk", "arena", str(bot), "random", "--games", "2", "--jobs", "1")

    assert "Traceback" not in done.stderr + done.stdout
    assert "fork" in done.stderr + done.stdout


def test_a_system_that_takes_no_limit_of_memory_does_without():
    """If the system refuses a memory limit, as macOS does, bots start without it and the page can judge files."""
    program = """
        import resource, sys
        from connectk.thinking.process import _limit_memory
        from connectk.players import isolation
        def refuse(limit, values): raise ValueError("current limit exceeds maximum limit")
        resource.setrlimit = refuse
        sys.path.insert(0, isolation.__file__.rpartition("isolation")[0])
        import guard
        guard.lower_limit(resource.RLIMIT_AS, 1 << 30)
        _limit_memory(128)
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(program)], check=True)


COMMANDS = [
    ["--help"],
    *([command, "--help"] for command in typer.main.get_command(app).commands),  # type: ignore[attr-defined]
    ["solve", "4453"],
    ["review", "44"],
    ["players"],
    ["play", "--plain"],
    ["judge", "missing"],
]


@pytest.mark.parametrize(("encoding", "language"), [("cp1252", "en"), ("ascii", "fi"), ("cp437", "sv")])
def test_a_console_that_lacks_letters_is_no_error(elsewhere, encoding, language):
    """A console that lacks letters causes no error in any command. One process runs all commands, because that is
    quicker."""
    program = textwrap.dedent(f"""
        import sys
        from connectk.cli import main
        for arguments in {COMMANDS!r}:
            sys.argv = ["connectk", *arguments]
            try:
                main()
            except SystemExit:
                pass
        sys.stdout.flush()
    """)
    locale = {
        "PYTHONUTF8": "0",
        "PYTHONIOENCODING": encoding,
        "LANG": f"{language}_{language.upper()}.{encoding}",
        "LC_ALL": "",
    }

    done = elsewhere("-c", program, typed="q\n", **locale)

    assert done.returncode == 0, done.stderr
    assert "Error" not in done.stderr
