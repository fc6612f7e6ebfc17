"""Tests `connectk check`, with which a student tests a bot before handing it in."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from connectk import Variant
from connectk.players.botprocess import BotLimits
from connectk.players.bots import BotOptions
from connectk.players.selftest import BOARD_COUNT, GAME_COUNT, TACTIC_COUNT, SelfTest, examine_bot
from connectk.players.template import write_new_bot
from connectk.texts import LANGUAGES, load_texts
from connectk.watch import Report
from tests.terminal.command import run_in_process

OPTIONS = BotOptions(BotLimits(start=60.0, grace=30.0))


def examined(path: Path, text: str, seconds: float = 30.0, options: BotOptions = OPTIONS) -> SelfTest:
    path.write_text(text)
    return examine_bot(str(path), Variant(5, 4, 4), seconds, options)


def test_a_new_bot_passes(tmp_path: Path) -> None:
    """A bot from the template passes the check: it answers, wins and blocks. All steps of the check are reported."""
    reports: list[Report] = []
    write_new_bot(tmp_path / "mybot.py")
    found = examine_bot(str(tmp_path / "mybot.py"), Variant(), 30.0, OPTIONS, progress=reports.append)

    assert found.verdict == "passed"
    assert found.faults == ()
    counts = {check.name: (check.done, check.of) for check in found.checks.values()}
    assert counts["wins"] == counts["blocks"] == (TACTIC_COUNT, TACTIC_COUNT)
    assert counts["games"] == (GAME_COUNT, GAME_COUNT)
    assert counts["legal"] == counts["time"] >= (BOARD_COUNT + 2 * TACTIC_COUNT, BOARD_COUNT + 2 * TACTIC_COUNT)
    assert (reports[-1].done, reports[-1].total) == (BOARD_COUNT + 2 * TACTIC_COUNT + GAME_COUNT,) * 2


def test_a_bot_that_overlooks_lines_and_prints_passes_with_remarks(tmp_path: Path) -> None:
    text = "def choose(position):\n    print('hm')\n    return position.legal_columns[0]\n"
    found = examined(tmp_path / "bot.py", text)

    assert found.verdict == "remark"
    assert {check.name for check in found.checks.values() if check.status == "remark"} >= {"silent", "blocks"}
    assert found.printed.startswith("hm")
    assert found.checks["blocks"].example


def test_where_a_bot_crashes_is_said(tmp_path: Path) -> None:
    """The report names the line of the program and the moves that lead to the position."""
    text = "def choose(position):\n    if position.ply > 4: return {}[0]\n    return position.legal_columns[0]\n"
    found = examined(tmp_path / "bot.py", text)

    assert found.verdict == "failed"
    assert [fault.reason.endswith("KeyError: 0 (line 2)") for fault in found.faults] == [True]
    assert len(found.checks["legal"].example or "") > 4
    assert found.checks["games"].done == 0


@pytest.mark.parametrize(
    ("text", "failed"),
    [
        ("def choose(position) return 0", "starts"),
        ("def choose(position): return 99", "legal"),
        ("import time\ndef choose(position):\n    time.sleep(0.05)\n    return position.legal_columns[0]", "time"),
    ],
)
def test_what_a_bot_cannot_is_a_failure(text: str, failed: str, tmp_path: Path) -> None:
    quick = BotOptions(BotLimits(start=60.0, grace=0.001))
    found = examined(tmp_path / "bot.py", text, *((0.03, quick) if failed == "time" else ()))

    assert found.verdict == "failed"
    assert found.checks[failed].status == "failed"
    assert found.checks["starts"].status == ("failed" if failed == "starts" else "passed")


def test_a_program_is_checked_too(tmp_path: Path) -> None:
    path = tmp_path / "program"
    path.write_text(
        f"#!{sys.executable}\nimport sys\nfor line in sys.stdin:\n"
        "    if line.startswith('connectk'): print('ready', flush=True)\n"
        "    if line.startswith('go'): print('bestmove 1', flush=True)\n"
    )
    path.chmod(0o755)
    found = examine_bot(str(path), Variant(5, 4, 4), 30.0, OPTIONS)

    assert found.verdict == "failed"  # column 1 is full on some of the boards
    assert found.checks["starts"].status == "passed"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_verdict_is_said_and_is_the_exit_status(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.py").write_text("def choose(position): return 99\n")
    done = run_in_process("check", "bad.py", "--variant", "5x4x4", "--startup", "60s", "--language", language)
    texts = load_texts(language)

    assert done.returncode == 1
    assert texts("check.verdict.failed", bot="bad.py") in done.stdout
    assert texts("check.games") in done.stdout


def test_the_report_is_json_for_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_new_bot(Path("mybot.py"))
    done = run_in_process("check", "mybot.py", "--variant", "5x4x4", "--startup", "60s", "--time", "30s", "--json")
    report = json.loads(done.stdout)

    assert done.returncode == 0
    assert report["verdict"] in ("passed", "remark")
    assert {check["name"] for check in report["checks"]} >= {"starts", "legal", "time", "games", "wins", "blocks"}


def test_a_name_that_is_no_file_is_refused_before_any_test() -> None:
    done = run_in_process("check", "nosuch.py")
    said = "connectk: nosuch.py is not a file; a bot is a Python file or a program.\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)
