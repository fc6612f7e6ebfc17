"""A new language takes one JSON file and one line of code. Commands, terminal, server and page then offer it."""

import json
import re
from pathlib import Path

import pytest

import connectk
from connectk.texts import LANGUAGES, load_texts
from tests.copies import SourceCopy

SOURCES = Path(connectk.__file__).parent
GENERATED = {"constants.js", "sw.js", "404.html"}  # by `make tokens`
LANGUAGE_LITERAL = re.compile("|".join(rf"""["'`]{language}["'`]""" for language in LANGUAGES if language != "en"))
SCRIPT = """
import json, os
from pathlib import Path
from typer.testing import CliRunner
from connectk.cli import app
from connectk.server.app import create_app
from connectk.server.errors import language_of
from connectk.server.settings import Settings
from connectk.site import write_site
from connectk.terminal.screen.start import LANGUAGES
from starlette.requests import Request
from tools import make_descriptions, make_tokens

def run(*words, **environment):
    return CliRunner().invoke(app, words, env=environment).output

wished = Request({"type": "http", "headers": [(b"accept-language", b"xx-XX")]})
files = {path.name: text for path, text in (make_tokens.files() | make_descriptions.files()).items()}
print(json.dumps({
    "site": write_site(Path("site")),
    "option": run("solve", "4455", "--language", "xx"),
    "locale": run("players", LC_ALL="xx_XX.UTF-8", CONNECTK_LANGUAGE=""),
    "help": run("solve", "--help"),
    "menu": LANGUAGES,
    "header": language_of(wished),
    "openapi": json.dumps(create_app(Settings()).openapi()),
    **{name: files[name] for name in ("constants.js", "sw.js", "404.html", "types.d.ts")},
}))
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The output of commands, server and page for an added language: English with a mark before each text."""
    copy = SourceCopy(tmp_path_factory.mktemp("copy"))
    marked = {
        key: f"¤{text}" if isinstance(text, str) else {form: f"¤{words}" for form, words in text.items()}
        for key, text in load_texts("en").catalogue.items()
    }
    copy.write("src/connectk/texts/xx.json", json.dumps(marked))
    copy.add_after("src/connectk/texts/__init__.py", '    "sv": "Svenska",\n', '    "xx": "Xish",\n')
    return json.loads(copy.run(SCRIPT))


def test_commands_and_terminal_use_the_new_language(found):
    assert "¤Best" in found["option"]
    assert "¤" in found["locale"]
    assert "|xx" in found["help"]
    assert found["menu"]["xx"] == "Xish"


def test_the_server_offers_the_new_language(found):
    assert found["header"] == "xx"
    assert ', "xx"]' in found["openapi"]
    assert ' | "xx"' in found["types.d.ts"]


def test_the_page_offers_the_new_language(found):
    """The page offers the new language in its menu, contains its texts, caches them offline, and has it on the page for
    wrong addresses."""
    assert '"xx": "Xish"' in found["constants.js"]
    words = {"texts/xx.json", "texts/later/xx.json", "texts/learn/xx.json", "texts/why/xx.json"}
    assert words <= set(found["site"])
    assert words <= set(found["sw.js"].split())
    assert '<p lang="xx">¤This is not here.</p>' in found["404.html"]


def test_no_code_names_a_language():
    """No code names a language except English, the default."""
    files = [path for kind in ("*.py", "*.js", "*.html") for path in SOURCES.rglob(kind) if path.name not in GENERATED]
    named = {path.name for path in files if LANGUAGE_LITERAL.search(path.read_text(encoding="utf-8"))}
    assert named == {"__init__.py"}
