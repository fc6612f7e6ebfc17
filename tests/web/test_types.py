"""The page's scripts are checked against the types of the server's messages, without a build step."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from connectk.server.routes.page import PAGE

TYPESCRIPT = "typescript@7.0.2"


def compiler() -> list[str]:
    """`tsc` of this machine, or the one that npm can fetch; a bare machine has neither."""
    if shutil.which("tsc"):
        return ["tsc"]
    if not shutil.which("npx"):
        pytest.skip("no types to check: install node, and npx fetches TypeScript")
    command = ["npx", "--yes", f"--package={TYPESCRIPT}", "tsc"]
    try:
        subprocess.run([*command, "--version"], capture_output=True, timeout=120, check=True)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        pytest.skip("no types to check: npx could not fetch TypeScript")
    return command


def test_scripts_hold_to_their_types() -> None:
    checked = subprocess.run(
        [*compiler(), "--project", str(PAGE)], capture_output=True, text=True, timeout=300, check=False
    )
    assert checked.stdout == ""
    assert checked.returncode == 0
