"""Checks the folder that `connectk site` writes, without a browser."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from connectk.cli import app
from connectk.site import ONLINE_ONLY_FILES, write_site
from tests.core.asking import NODE

KEPT = """
const location = { href: "http://host/sub/sw.js" }, self = { addEventListener() {} };
const source = require("fs").readFileSync(process.argv[1], "utf8");
const run = new Function("self", "location", `${source}; return [VERSION, FILE_URLS];`);
console.log(JSON.stringify(run(self, location)));
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site") / "sub"
    write_site(out)
    return out


def kept_by(folder: Path) -> tuple[str, list[str]]:
    """The version and the files that the folder's service worker caches."""
    done = subprocess.run([str(NODE), "-e", KEPT, str(folder / "sw.js")], capture_output=True, text=True, check=True)
    version, files = json.loads(done.stdout)
    return version, [address.removeprefix("http://host/sub/") for address in files]


def test_everything_but_the_worker_and_the_book_is_kept_for_offline(folder: Path) -> None:
    """The service worker's list contains every file of the site except its own and the opening books. If a listed file
    were missing, the browser would cache nothing."""
    _, files = kept_by(folder)
    written = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert sorted(name or "index.html" for name in files) == sorted(written - {*ONLINE_ONLY_FILES, "book/7x6x4.book"})


def test_no_address_leaves_the_folder(folder: Path) -> None:
    for name in ("index.html", "manifest.webmanifest"):
        assert not re.findall(r'(?:href|src|start_url|scope)"?[=:] ?"/', (folder / name).read_text(encoding="utf-8"))


def test_its_policy_allows_its_own_files_and_the_core(folder: Path) -> None:
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]+)"', (folder / "index.html").read_text("utf-8"))
    assert "script-src 'self' 'wasm-unsafe-eval';" in policy
    assert not re.search(r"unsafe-inline|unsafe-eval'[^;]*unsafe-eval|https?:|\*", policy)


def test_a_change_makes_a_new_version_and_none_makes_none(folder: Path, tmp_path: Path) -> None:
    write_site(tmp_path / "same")
    write_site(tmp_path / "other", docs=True)
    assert kept_by(tmp_path / "same")[0] == kept_by(folder)[0] != kept_by(tmp_path / "other")[0]


def test_the_command_says_what_it_wrote(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["site", str(tmp_path / "public")])
    assert done.exit_code == 0
    assert re.search(r"Wrote \d+ files to", done.output)
    assert (tmp_path / "public/core/connectk.wasm").is_file()


def test_a_site_that_knows_its_address_has_a_picture(tmp_path: Path) -> None:
    """A site that knows its address gives link previews the complete address of a picture."""
    write_site(tmp_path, address="https://example.org/four/")
    text = (tmp_path / "index.html").read_text("utf-8")
    assert '<meta property="og:image" content="https://example.org/four/icons/preview.png">' in text
    assert '<meta property="og:url" content="https://example.org/four/">' in text
    assert (tmp_path / "icons/preview.png").is_file()
