"""A new player needs a module, one line and its texts. Then every list names it and everyone can play against it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from connectk.players.registry import PLAYER_REGISTRY, is_heavy, is_safe
from connectk.texts import LANGUAGES
from connectk.texts.page import page_texts
from tests.copies import SourceCopy

MODULE = """
from connectk.players.player import Choice
from connectk.players.registry import require_no_parameter


class SidlingPlayer:
    name = "sidling"

    def choose(self, position, clock):
        return Choice(position.legal_columns[0])

    def close(self):
        pass


def make_sidling(name, parameter, seed):
    require_no_parameter(name, parameter)
    return SidlingPlayer()
"""
LINE = '    "sidling": PlayerKind("sidling", "sidling:make_sidling"),\n'
SCRIPT = """
import asyncio, json
from typer.testing import CliRunner
from connectk.cli import app
from connectk.players import Clock, load_player
from connectk.rules import Position
from connectk.server.routes.positions import players
from connectk.terminal.form import LISTED_PLAYERS
from connectk.texts import load_texts
from connectk.texts.page import page_texts
from connectk.thinking.jobs import check_player, choose
from tools import make_tokens

def run(*words):
    return CliRunner().invoke(app, words).output

constants = next(text for path, text in make_tokens.files().items() if path.name == "constants.js")
print(json.dumps({
    "column": load_player("sidling").choose(Position.from_moves("11"), Clock()).column,
    "help": run("players"),
    "arena": run("arena", "sidling", "greedy", "--games", "2", "--jobs", "1"),
    "stranger": check_player("sidling"),
    "thinker": choose("sidling", Position.start(), seconds=1.0, stop=None)[0],
    "terminal": LISTED_PLAYERS,
    "server": asyncio.run(players()),
    "page": constants,
    "words": page_texts("en").decode(),
}))
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Adds a player to a copy of the source, and returns the places where the player appears."""
    copy = SourceCopy(tmp_path_factory.mktemp("copy"))
    copy.write("src/connectk/players/sidling.py", MODULE)
    copy.add_after("src/connectk/players/registry.py", "PLAYER_REGISTRY: Mapping[str, PlayerKind] = {\n", LINE)
    texts = '  "player.sidling": "Sidling",\n  "players.sidling": "drops as far left as it can",\n'
    for language in LANGUAGES:
        copy.add_after(f"src/connectk/texts/{language}.json", "{\n", texts)
    return json.loads(copy.run(SCRIPT))


def test_it_plays(found):
    assert found["column"] == found["thinker"] == 0
    assert "sidling" in found["arena"]


def test_commands_and_terminal_list_it(found):
    assert "drops as far left as it can" in found["help"]
    assert "sidling" in found["terminal"]


def test_the_server_offers_it(found):
    assert found["stranger"] == "sidling"
    assert {"name": "sidling", "sentence": "drops as far left as it can"} in found["server"]["players"]


def test_the_page_offers_it(found):
    """The page gets the new player's name and knows that this player needs a server."""
    assert '"sidling": {"example": "sidling", "default": 0, "heavy": false, "compiled": false}' in found["page"]
    assert '"player.sidling":"Sidling"' in found["words"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_has_a_name_for_every_player(language):
    words = json.loads(page_texts(language))
    assert [kind for kind in PLAYER_REGISTRY if kind != "level" and f"player.{kind}" not in words] == []


@pytest.mark.parametrize("name", ["minimax:3,lines", "engine:500ms", "engine:0.5s", "mcts", "level:10", " greedy "])
def test_a_stranger_may_ask_for_numbers_times_and_named_evaluations(name):
    assert is_safe(name)


@pytest.mark.parametrize(
    "name", ["engine:threads=8", "minimax:3,mine.py:f", "mybot.py", "./program", "greedy:lines", ""]
)
def test_a_stranger_may_not_ask_for_files_programs_or_threads(name):
    assert not is_safe(name)


def test_players_that_think_as_long_as_they_may_are_known():
    names = ["engine", "engine:500ms", "perfect", "level:10", "level:1", "level:9", "minimax:10", "mybot.py"]
    assert [name for name in names if is_heavy(name)] == ["engine", "engine:500ms", "perfect", "level:10"]
