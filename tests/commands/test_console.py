"""Shared by all commands: localized help and errors, and the disc characters."""

import io
import os
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import pytest
import typer
from typer.testing import CliRunner

from connectk import Position, parse_diagram
from connectk.cli import app
from connectk.commands.console import terminal_discs, texts_for
from connectk.notation import draw_diagram
from connectk.referee import Code
from connectk.texts import LANGUAGES, load_texts
from tests.terminal.command import Done, run_in_process

COMMANDS = typer.main.get_command(app)
NAMES = sorted(COMMANDS.commands)


def run(*arguments: str, language: str = "en", encoding: str = "utf-8", **environment: str) -> Done:
    locale = {"LC_ALL": f"{language}_XX.UTF-8", "COLUMNS": "200", "CONNECTK_LANGUAGE": ""}
    with patch.dict(os.environ, {**locale, **environment}):
        return run_in_process(*arguments, encoding=encoding)


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_is_localized(language):
    """The list of commands, and the help of one of them."""
    texts = load_texts(language)

    said = " ".join(run("--help", language=language).stdout.split())
    assert texts("usage.connectk") in said
    assert all(texts(f"usage.{name}").split("\n")[0][:60] in said for name in NAMES)

    said = " ".join(run("judge", "-h", language=language).stdout.split())
    assert texts("usage.judge.paths") in said
    assert texts("usage.option.help") in said


def test_a_language_asked_for_holds_for_one_run(monkeypatch):
    """Several commands can run in one process."""
    CliRunner().invoke(app, ["solve", "4455", "--language", "en"])
    monkeypatch.setenv("CONNECTK_LANGUAGE", "fi")
    said = CliRunner().invoke(app, ["play", "--help"], env={"COLUMNS": "200"}).output
    assert load_texts("fi")("usage.play.two_players") in " ".join(said.split())


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
@pytest.mark.parametrize(
    "command", ["arena", "ratings", "serve", "backup", "purge", "gui", "admin list", "puzzle", "puzzle make"]
)
def test_nothing_of_the_help_is_english_only(command, language):
    """Headings, arguments and options, what they are by default, and the server's settings."""
    said = run(*command.split(), "--help", language=language, TERM="dumb", NO_COLOR="1").stdout
    texts = load_texts(language)
    assert texts("head.usage") in said
    assert texts("head.options") in said
    assert "Usage:" not in said
    whole = " ".join(said.split())
    for key, text in load_texts("en").catalogue.items():
        if key.startswith(("usage.option.", f"usage.{command.replace(' ', '.')}.", "setting.")):
            assert text not in whole or texts(key) == text, key


def test_every_setting_of_the_server_is_explained():
    from connectk.server.settings import Settings

    explained_settings = {
        key.removeprefix("setting.") for key in load_texts("en").catalogue if key.startswith("setting.")
    }
    assert explained_settings == set(Settings.model_fields)


@pytest.mark.parametrize("name", NAMES)
def test_every_option_of_every_command_is_explained(name, monkeypatch):
    monkeypatch.setenv("LC_ALL", "C")
    context = typer.Context(COMMANDS)
    command = COMMANDS.get_command(context, name)
    assert command.help
    assert [parameter.name for parameter in command.get_params(context) if not parameter.help] == []


def test_every_text_of_the_help_belongs_to_something():
    """Texts of removed options are found."""
    options = {name: {parameter.name for parameter in command.params} for name, command in COMMANDS.commands.items()}
    options["connectk"] = {parameter.name for parameter in COMMANDS.params}
    options["option"] = {"help"}.union(*options.values())
    for group in ("admin", "puzzle"):
        inner = COMMANDS.commands[group].commands
        options[group] |= {f"{name}.{one.name}" for name, command in inner.items() for one in command.params} | set(
            inner
        )
    for key in load_texts("en").catalogue:
        group, _, rest = key.partition(".")
        command, _, option = rest.partition(".")
        assert group != "usage" or (command in options and (not option or option in options[command])), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_errors_are_localized(language):
    done = run("solve", "48", language=language)
    assert done.returncode == 2
    assert done.stderr == "connectk: " + load_texts(language)("error.ColumnOutOfRange", column=8, width=7) + "\n"


def test_the_language_can_be_asked_for():
    """An option beats the variable, and the variable the locale."""
    assert "Paras jatko" in run("solve", "4455", "--language", "fi", language="sv").stdout
    assert "Paras jatko" in run("solve", "4455", language="sv", CONNECTK_LANGUAGE="fi").stdout
    assert "Bästa fortsättning" in run("solve", "4455", language="sv").stdout


def test_an_unknown_language_is_english(monkeypatch):
    monkeypatch.setenv("CONNECTK_LANGUAGE", "tlh")
    monkeypatch.setenv("LC_ALL", "C")
    assert texts_for().language == "en"


@pytest.mark.parametrize(("encoding", "discs"), [("utf-8", "○●"), ("cp1252", "xo"), ("ascii", "xo")])
def test_discs_are_round_if_the_terminal_can_show_them(monkeypatch, encoding, discs):
    """○ is the first player's disc in every command; where it cannot be written, x is."""
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding=encoding))
    assert terminal_discs() == discs


def test_solve_and_review_draw_the_discs_of_the_game():
    assert ". . . ● ● . .\n. . . ○ ○ . ." in run("solve", "4455").stdout
    assert ". . . o o . .\n. . . x x . ." in run("solve", "4455", encoding="ascii").stdout
    assert "○" in run("review", "44").stdout


def test_a_board_in_round_discs_is_read_back():
    won = Position.from_moves("1212121")
    drawn = draw_diagram(won, discs="○●")
    assert "◎" in drawn
    assert parse_diagram(drawn) == won


def test_the_codes_have_the_referee_s_names():
    """JSON and CSV call the codes by their English texts, and programs rely on these words."""
    assert [code.title for code in Code] == [
        *("draw", "win for player 1", "win for player 2", "incomplete", "illegal continue"),
        *("illegal row", "illegal column", "illegal game", "invalid file", "file error"),
    ]


def test_the_shell_completes_commands():
    words = {"_CONNECTK_COMPLETE": "complete_bash", "COMP_WORDS": "connectk ju", "COMP_CWORD": "1"}
    command = Path(sys.executable).with_name("connectk")
    done = subprocess.run([command], env={**os.environ, **words}, capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.split() == ["judge"]
