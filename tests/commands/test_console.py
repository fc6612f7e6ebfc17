"""Tests the behaviour that all commands share: help and errors in the user's language, and the signs for discs."""

import io
import json
import os
import re
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
from connectk.commands.helppage import help_text
from connectk.commands.localized import common_options
from connectk.notation import draw_diagram
from connectk.referee import Code
from connectk.system import wrapped
from connectk.texts import LANGUAGES, load_texts
from tests.terminal.command import CONNECTK, Done, run_in_process

COMMANDS = typer.main.get_command(app)
NAMES = sorted(COMMANDS.commands)


def run(*arguments: str, language: str = "en", encoding: str = "utf-8", **environment: str) -> Done:
    locale = {"LC_ALL": f"{language}_XX.UTF-8", "COLUMNS": "200", "CONNECTK_LANGUAGE": ""}
    with patch.dict(os.environ, {**locale, **environment}):
        return run_in_process(*arguments, encoding=encoding)


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_is_localized(language):
    """The list of commands and the help of one command are in the user's language."""
    texts = load_texts(language)

    said = " ".join(run("--help", language=language).stdout.split())
    assert texts("usage.connectk") in said
    assert all(texts(f"usage.{name}").split("\n")[0][:60] in said for name in NAMES)

    said = " ".join(run("judge", "-h", language=language).stdout.split())
    assert texts("usage.judge.paths") in said
    assert texts("usage.option.help") in said


def help_paths(command, words=()):
    yield words
    for name, inner in getattr(command, "commands", {}).items():
        yield from help_paths(inner, (*words, name))


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_fits_80_columns_and_is_broken_between_words(language):
    """Help texts fit 80 columns and break between words. Each example is a single line, so that it can be pasted."""
    for words in help_paths(COMMANDS):
        lines = run("--language", language, *words, "--help", COLUMNS="80").stdout.splitlines()
        assert max(map(len, lines)) <= 80, words
        assert not [line for line in lines if re.search(r"[a-z]-$", line) and "[" not in line], words


@pytest.mark.parametrize("words", ["admin", "puzzle", "admin close-room", "puzzle make"])
def test_help_is_the_same_by_any_name_of_the_program(words, monkeypatch):
    """Help is the same under any name of the program. Earlier, `python -m connectk admin --help` failed with a
    traceback."""
    monkeypatch.setenv("CONNECTK_LANGUAGE", "en")
    said, other = (
        CliRunner().invoke(app, [*words.split(), "--help"], prog_name=name).output
        for name in ("connectk", "python -m connectk")
    )
    assert other.partition("\n")[0] == said.partition("\n")[0].replace("connectk", "python -m connectk", 1)
    assert other.partition("\n")[2] == said.partition("\n")[2]


def test_a_language_asked_for_holds_for_one_run(monkeypatch):
    """`--language` affects only one run, so that one process can run commands in different languages."""
    CliRunner().invoke(app, ["solve", "4455", "--language", "en"])
    monkeypatch.setenv("CONNECTK_LANGUAGE", "fi")
    said = CliRunner().invoke(app, ["play", "--help"], env={"COLUMNS": "200"}).output
    assert load_texts("fi")("usage.play.two_players") in " ".join(said.split())


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
@pytest.mark.parametrize(
    "command", ["arena", "ratings", "serve", "backup", "purge", "gui", "admin list", "puzzle", "puzzle make"]
)
def test_nothing_of_the_help_is_english_only(command, language):
    """All parts of the help are translated: headings, arguments, options, defaults and server settings."""
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
    texts, path = load_texts("en"), f"usage.{name}"
    command = COMMANDS.get_command(typer.Context(COMMANDS), name)
    assert texts(path)
    parameters = command.get_params(typer.Context(command))
    assert [parameter.name for parameter in parameters if not help_text(parameter, path, texts)] == []


@pytest.mark.parametrize("name", NAMES)
def test_no_two_options_of_a_command_have_the_same_name(name):
    command = COMMANDS.get_command(typer.Context(COMMANDS), name)
    words = [word for one in command.get_params(typer.Context(command)) for word in (*one.opts, *one.secondary_opts)]
    assert sorted(words) == sorted(set(words))


@pytest.mark.parametrize(
    ("locale", "disc"),
    [
        ({"LC_ALL": "C"}, "x"),
        ({"LANG": "POSIX"}, "x"),
        ({}, "○"),
        ({"LC_ALL": "C", "PYTHONIOENCODING": "utf-8"}, "○"),
        ({"LC_ALL": "C.UTF-8", "LANG": "C"}, "○"),
    ],
)
def test_the_locale_c_gets_ascii(locale, disc):
    """The locales C and POSIX give ASCII output. Without any locale, or with an explicit encoding, the output is not
    ASCII."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHON"))}
    done = subprocess.run([*CONNECTK, "solve", "44"], env={**kept, **locale}, capture_output=True, check=True)
    assert f". . . {disc} . . ." in done.stdout.decode()
    assert done.stdout.isascii() == (disc == "x")


@pytest.mark.parametrize("words", ["solve", "why --limit 1s", "review"])
def test_a_position_that_is_piped_in_is_read_without_a_dash(words):
    """A position that is piped in is read without a dash. Otherwise the command would silently answer for the empty
    board."""
    runs = [([], b"445566\n"), (["445566"], b"")]
    first, other = (
        subprocess.run([*CONNECTK, *words.split(), *more], input=text, capture_output=True, check=True).stdout.decode()
        for more, text in runs
    )
    assert re.sub(r"[\d.]+ s\.", "", first) == re.sub(r"[\d.]+ s\.", "", other)


@pytest.mark.parametrize("lines", [["445566", "44"], ["445566 18"], ["-"]])
def test_a_list_that_is_piped_in_is_solved_without_a_dash(lines):
    done = subprocess.run([*CONNECTK, "solve"], input="\n".join(lines).encode(), capture_output=True, check=True)
    told = [line.split()[0] for line in done.stdout.decode().splitlines()]
    assert told[: len(lines)] == [line.split()[0] for line in lines]


def test_nothing_piped_in_is_the_empty_board():
    empty = subprocess.run([*CONNECTK, "solve", "--json"], input=b"", capture_output=True, check=True)
    assert json.loads(empty.stdout)["ply"] == 0


@pytest.mark.parametrize("words", ["solve", "why", "puzzle make six.txt", "arena greedy random --jobs 1"])
def test_a_board_beyond_any_number_of_the_core_is_refused(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run_in_process(*words.split(), "--variant", "99999999999x6x4")
    assert done.returncode == 2
    assert re.fullmatch(r"connectk: 99999999999x6x4: \D+ [\d,]+ .*\n", done.stderr), done.stderr


@pytest.mark.parametrize(
    ("words", "work"),
    [
        ("atlas 9x9x4", "connectk.atlas.solve_board"),
        ("check bot.py", "connectk.players.selftest.examine_bot"),
        ("fair", "connectk.fairness.judge_starts"),
        ("measure greedy", "connectk.envs.measure"),
        ("review 3344", "connectk.review.review_game"),
        ("why 3344", "connectk.why.explain"),
    ],
)
def test_ctrl_c_is_answered_with_a_word(words, work, tmp_path, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(work, interrupted)
    (tmp_path / "bot.py").touch()
    done = run_in_process(*words.split())
    assert (done.returncode, done.stderr) == (130, "Stopped.\n")


@pytest.mark.parametrize("words", ["site", "dataset --positions 2 --variant 4x4x4 --out"])
def test_a_folder_that_is_a_file_is_called_one(words, tmp_path):
    (tmp_path / "file").write_text("precious")
    done = run_in_process(*words.split(), str(tmp_path / "file"))
    assert (done.returncode, "it is a file, not a folder" in done.stderr) == (2, True)


def test_every_text_of_the_help_belongs_to_something():
    """Every help text belongs to an option or command that exists."""
    options = {
        name: {parameter.name for parameter in command.params} | set(common_options())
        for name, command in COMMANDS.commands.items()
    }
    options["connectk"] = {parameter.name for parameter in COMMANDS.params}
    options["option"] = {"help"}.union(*options.values())
    for group in ("admin", "puzzle", "room"):
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
    why = load_texts(language)("error.ColumnOutOfRange", column=8, width=7)
    assert done.stderr == f"connectk: {load_texts(language)('error.UnplayableMove', number=2, why=why)}\n"


def test_the_language_can_be_asked_for():
    """`--language` overrides the environment variable, which overrides the locale."""
    assert "Paras jatko" in run("solve", "4455", "--language", "fi", language="sv").stdout
    assert "Paras jatko" in run("solve", "4455", language="sv", CONNECTK_LANGUAGE="fi").stdout
    assert "Bästa fortsättning" in run("solve", "4455", language="sv").stdout


def test_an_unknown_language_is_english(monkeypatch):
    monkeypatch.setenv("CONNECTK_LANGUAGE", "tlh")
    monkeypatch.setenv("LC_ALL", "C")
    assert texts_for().language == "en"


@pytest.mark.parametrize(("encoding", "discs"), [("utf-8", "○●"), ("cp1252", "xo"), ("ascii", "xo")])
def test_discs_are_round_if_the_terminal_can_show_them(monkeypatch, encoding, discs):
    """Every command draws the first player's disc as ○, or as x on a terminal that cannot show ○."""
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
    """JSON and CSV contain the English names of the codes, because programs rely on them."""
    assert [code.title for code in Code] == [
        *("draw", "win for player 1", "win for player 2", "incomplete", "illegal continue"),
        *("illegal row", "illegal column", "illegal game", "invalid file", "file error"),
    ]


def test_the_shell_completes_commands():
    words = {"_CONNECTK_COMPLETE": "complete_bash", "COMP_WORDS": "connectk ju", "COMP_CWORD": "1"}
    command = Path(sys.executable).with_name("connectk")
    done = subprocess.run([command], env={**os.environ, **words}, capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.split() == ["judge"]


def test_a_sentence_on_a_terminal_ends_its_lines_between_words(monkeypatch):
    """Sentences on a terminal break between words; in a pipe each is a single line."""
    sentence = "connectk: 'http://ftp://x' is no invitation; it looks like http://host:8000/#/join/..."
    monkeypatch.setenv("COLUMNS", "40")
    stream = io.StringIO()
    assert wrapped(sentence, stream) == sentence
    monkeypatch.setattr(stream, "isatty", lambda: True)
    lines = wrapped(sentence, stream).splitlines()
    assert " ".join(lines) == sentence
    assert len(lines) == 3
