"""Follows three journeys through the code, and compares them with the lists of files on the design page."""

import re
import sys
import threading
from pathlib import Path

import pytest

import connectk
from connectk import Position, solve
from connectk.thinking import jobs
from tests.server.clients import Socket, make
from tests.server.serving import serving, settings_for

ROOT = Path(connectk.__file__).parent
REPOSITORY = Path(__file__).parents[1]
SHARED_FILES_PATTERN = re.compile(r"(rules|notation)/|(aio|watch|players/player|players/registry|players/view)\.py$")
MAX_FILES = {"a click": 20, "a solve": 7, "a computer's move": 9}
DESIGN = (REPOSITORY / "docs/design.md").read_text("utf-8")
LISTED_FILES = {
    name: re.findall(r"`([\w/-]+\.\w+)`", files)
    for name, files in re.findall(r"^\| \*\*([\w', ]+)\*\* \| (.*) \|$", DESIGN, re.MULTILINE)
}


def python(journey: str) -> set[str]:
    return {file for file in LISTED_FILES[journey] if file.endswith(".py")}


class Footsteps:
    """Records the modules of connectk whose functions are called in the followed threads."""

    def __init__(self) -> None:
        self.seen: set[str] = set()

    def follow(self, frame, event, _argument):
        name = frame.f_code.co_filename
        if event == "call" and name.startswith(str(ROOT)):
            self.seen.add(Path(name).relative_to(ROOT).as_posix())

    def of(self, work) -> set[str]:
        """Call `work` and return the modules that this thread runs."""
        self.seen.clear()
        sys.setprofile(self.follow)
        try:
            work()
        finally:
            sys.setprofile(None)
        return self.passed()

    def passed(self) -> set[str]:
        return {file for file in self.seen.copy() if not SHARED_FILES_PATTERN.match(file)}


@pytest.fixture(scope="module")
def dropped(tmp_path_factory):
    """The server's modules that handle a person's drop, and those for a drop that a computer answers.

    Other tasks of the server run in between, so only modules that several drops have in common count.
    """
    steps = Footsteps()
    threading.setprofile(steps.follow)  # the server's threads begin after this
    try:
        with serving(settings_for(tmp_path_factory.mktemp("journeys"))) as client:
            yield _drops(client, steps), _drops(client, steps, second={"kind": "player", "player": "level:5"})
    finally:
        threading.setprofile(None)


def _drops(client, steps: Footsteps, **seats) -> set[str]:
    made, passed = make(client, **seats), []
    with Socket(client, made["match"]["id"], made["secret"]) as socket:
        for number in range(4):
            steps.seen.clear()
            ply = 2 * number if seats else number
            socket.send({"type": "drop", "column": number, "ply": ply, "id": 1})
            wanted = {"done", "event"} if not seats else {"done", "event", "answer"}
            while wanted:
                message = socket.receive()
                is_answer = message["type"] == "event" and message["ply"] == ply + 1
                wanted.discard("answer" if is_answer else message["type"])
            passed.append(steps.passed())
    return set.intersection(*passed)


def test_a_click(dropped):
    """The modules that the server uses for a click are those on the design page. They handle the drop or are told of
    it."""
    clicked, _ = dropped
    assert clicked == python("a click") | python("also notified")


def test_a_solve():
    solve(Position.start())  # everything that is loaded only once is loaded here
    assert Footsteps().of(lambda: solve(Position.start())) == python("a solve")


def test_a_computers_move(dropped):
    """A computer's move goes from the driver to a thinking process, and from there on like a click."""
    clicked, answered = dropped
    jobs.choose("level:5", Position.start(), seconds=1.0, stop=None)
    thought = Footsteps().of(lambda: jobs.choose("level:5", Position.start(), seconds=1.0, stop=None))
    assert (answered - clicked) | {"play/driver.py"} | thought == python("a computer's move")


@pytest.mark.parametrize("journey", MAX_FILES)
def test_the_files_exist_and_are_few(journey):
    files = LISTED_FILES[journey]
    assert len(files) <= MAX_FILES[journey]
    assert [file for file in files if not any((place / file).is_file() for place in (ROOT, REPOSITORY))] == []
