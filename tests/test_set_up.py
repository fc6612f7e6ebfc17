"""On a machine without a needed tool, the set-up says what to install. Importing the package stays quick."""

import os
import subprocess
import sys
from pathlib import Path

import connectk

ROOT = Path(__file__).parent.parent
READY = ROOT / "tools" / "machine-ready"


def machine_with(folder: Path, *commands: str) -> dict[str, str]:
    """Environment variables with which only these commands can be found."""
    for command in ("sh", "id", *commands):
        source = sys.executable if command == "python3" else f"/usr/bin/{command}"
        (folder / command).symlink_to(source if Path(source).exists() else f"/bin/{command}")
    return {"PATH": str(folder)}


def ready(environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["/bin/sh", READY], env=environment, capture_output=True, text=True, check=False)


def test_a_machine_without_a_compiler_is_told_what_to_install(tmp_path):
    answer = ready(machine_with(tmp_path, "python3"))
    assert answer.returncode == 1
    assert "needs a C++ compiler" in answer.stderr
    assert "apt-get install g++" in answer.stderr


def test_a_machine_without_python_is_told_what_to_install(tmp_path):
    answer = ready(machine_with(tmp_path))
    assert answer.returncode == 1
    assert "needs Python 3.11 or newer" in answer.stderr


def test_this_machine_is_ready():
    assert ready({"PATH": os.environ["PATH"], "PYTHON": sys.executable}).returncode == 0


def modules_after(statement: str) -> set[str]:
    code = f"{statement}; import sys; print(*sys.modules)"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())


def test_importing_connectk_imports_nothing_heavy():
    heavy = {"typer", "rich", "textual", "pyarrow", "numpy", "connectk.rules", "connectk._native"}
    assert not heavy & modules_after("import connectk")


def test_the_command_imports_nothing_heavy_before_it_is_needed():
    assert not {"textual", "pyarrow", "numpy", "connectk._native"} & modules_after("import connectk.cli")


def test_every_promised_name_is_there():
    for name in connectk.__all__:
        assert getattr(connectk, name)
