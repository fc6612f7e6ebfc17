"""Tests the settings of commands: an option overrides an environment variable, a variable overrides the file, and the
file overrides the default."""

import json

import pytest
from typer.testing import CliRunner

from connectk.cli import app
from connectk.settings import BadSetting, load_settings, parse_setting, save_setting, settings_file
from connectk.texts import LANGUAGES, load_texts
from tests.terminal.command import Done, run_in_process


@pytest.fixture(autouse=True)
def _own_file(tmp_path, monkeypatch):
    monkeypatch.setenv("CONNECTK_SETTINGS", str(tmp_path / "folder" / "settings.toml"))
    monkeypatch.setenv("CONNECTK_LANGUAGE", "")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")


def run(*words: str) -> Done:
    return run_in_process(*words)


def test_a_flag_wins_over_the_environment_over_the_file_over_the_default(monkeypatch):
    assert load_settings().language == "en"
    save_setting("language", "fi")
    assert load_settings().language == "fi"
    monkeypatch.setenv("CONNECTK_LANGUAGE", "sv")
    assert load_settings().language == "sv"
    assert load_settings({"language": "en"}).language == "en"


def test_the_common_options_may_stand_before_and_after_the_command():
    """Common options may stand before or after the command. If one is given twice, the last one counts."""
    assert "Paras jatko" in run("--language", "fi", "solve", "44").stdout
    assert "Bästa fortsättning" in run("--language", "fi", "solve", "44", "--language", "sv").stdout
    assert json.loads(run("--json", "solve", "44").stdout)["moves"] == "44"


def test_a_variable_holds_for_every_command(monkeypatch):
    """`CONNECTK_...` variables apply to every command, and options override them."""
    monkeypatch.setenv("CONNECTK_JSON", "1")
    monkeypatch.setenv("CONNECTK_ASCII", "yes")
    assert json.loads(run("solve", "44").stdout)["score"] is not None
    assert json.loads(run("players").stdout)[0]["player"]
    said = run("solve", "44", "--no-json").stdout
    assert said.isascii()
    assert "x" in said


def test_config_shows_changes_and_removes(monkeypatch):
    assert 'language = "en"' in run("config").stdout
    assert run("config", "language", "fi").returncode == 0
    assert "asetustiedosto" in run("config", "language").stdout
    run("config", "plain", "true")
    assert settings_file().read_text() == 'language = "fi"\nplain = true\n'
    run("config", "language", "--remove")
    assert load_settings().language == "en"
    assert json.loads(run("config", "--json").stdout)["plain"] is True


@pytest.mark.parametrize(("name", "value"), [("colour", "red"), ("language", "tlh"), ("plain", "perhaps")])
def test_a_setting_that_cannot_be_is_refused(name, value):
    with pytest.raises(BadSetting):
        parse_setting(name, value)
    done = run("config", name, value)
    assert done.returncode == 2
    assert name in done.stderr
    assert not settings_file().exists()


def test_the_server_is_an_address():
    """The setting `server` must be an address. The terminal offers this server to users who want to play online."""
    assert "'ftp://x' is not the address of a server" in run("config", "server", "ftp://x").stderr
    run("config", "server", "192.168.1.20:8000")
    assert load_settings().server == "http://192.168.1.20:8000"


def test_a_damaged_settings_file_is_named_in_a_sentence():
    settings_file().parent.mkdir()
    settings_file().write_text("language = \n")
    done = run("solve", "44")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert str(settings_file()) in done.stderr


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("words", "key"),
    [
        (["slove"], "error.BadUsage.no_command_but"),
        (["solve", "--foo"], "error.BadUsage.no_option_but"),
        (["solve", "--jobs"], "error.BadUsage.no_value"),
        (["solve", "--jobs", "x"], "error.BadUsage.value"),
        (["solve", "--jobs", "0"], "error.BadUsage.value"),
        (["solve", "--goal", "best"], "error.BadUsage.value"),
        (["puzzle", "--day", "soon"], "error.BadUsage.value"),
        (["solve", "44", "55"], "error.BadUsage.extra"),
        (["measure"], "error.BadUsage.missing"),
        (["--plain"], "error.BadUsage.missing"),
        (["help", "admin", "end", "all"], "error.BadUsage.extra"),
        (["help", "solve", "44"], "error.BadUsage.extra"),
        (["review", "44", "--out", "x.gif"], "error.BadUsage.out"),
    ],
)
def test_wrong_usage_is_a_sentence_in_the_language(words, key, language):
    """Wrong usage is reported in the user's language, although Typer and pydantic have only English messages."""
    texts = load_texts(language)
    sentence = texts.catalogue[key]
    beginning = max((part for part in sentence.replace("{", "}").split("}")), key=len)
    done = run("--language", language, *words)
    assert done.returncode == 2
    assert done.stderr.startswith("connectk: ")
    assert beginning.strip() in done.stderr


@pytest.mark.parametrize("words", ["--language fi --foo", "solve --foo --language fi", "--foo --language=fi solve"])
def test_wrong_usage_is_told_in_the_language_wherever_it_is_asked_for(words):
    """Wrong usage is reported in the language of `--language`, even if Typer stops before it reads that option."""
    assert "Valintaa --foo ei ole" in run(*words.split()).stderr


@pytest.mark.parametrize(
    ("words", "key"),
    [
        ("why --check none.json", "missing"),
        ("ratings none.jsonl", "missing"),
        ("solve --from none.txt --out scores.jsonl", "missing"),
        ("room make --server 127.0.0.1:1", "refused"),
    ],
)
def test_the_reasons_of_the_system_are_told_in_the_language(words, key):
    """Errors of the operating system are reported in the user's language, although Python gives them in English."""
    assert load_texts("fi")(f"error.because.{key}") in run("--language", "fi", *words.split()).stderr


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("words", ["solve 44", "players", "review 3344 --time 10ms", "play --help", "fair 5x4x4"])
def test_ascii_is_nothing_but_ascii(words, language):
    """With `--ascii`, letters such as ä lose their dots, because a terminal with another encoding may show them
    wrongly."""
    done = run("--ascii", "--language", language, *words.split())
    assert done.returncode == 0
    assert done.stdout
    assert done.stdout.isascii()


def test_help_names_no_type_and_gives_an_example_a_line():
    said = CliRunner().invoke(app, ["solve", "--help"]).output
    for word in ("<int", "<bool>", "<str>", "(60)", "╭"):
        assert word not in said
    assert "\n  connectk solve 4455\n" in said
    assert CliRunner().invoke(app, ["help", "solve"]).output.strip() == said.strip()
    assert "connectk 0." in CliRunner().invoke(app, ["-V"]).output


@pytest.mark.parametrize(
    ("line", "suggested"),
    [
        ("connectk atl", "atlas"),
        ("connectk arena gree", "greedy"),
        ("connectk play --player level:1", "level:1 level:10"),
        ("connectk play --start five", "five-in-a-row"),
        ("connectk fair 8", "8x8x4"),
        ("connectk config nothing", ""),
        ("connectk config lang", "language"),
        ("connectk help atl", "atlas"),
        ("connectk --language f", "fi"),
        ("connectk solve --goal r", "result"),
    ],
)
def test_the_shell_is_told_how_a_line_may_go_on(line, suggested, monkeypatch):
    words = line.split()
    asked = {"_CONNECTK_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    for name, value in asked.items():
        monkeypatch.setenv(name, value)
    assert run().stdout.split() == suggested.split()


def test_players_and_boards_are_completed():
    """After `connectk --install-completion`, the shell completes the names of players and boards."""
    from connectk.commands.completion import complete_player, complete_variant

    assert "level:3" in list(complete_player("level:"))
    assert list(complete_variant("9x7")) == ["9x7x4", "9x7x5"]
