"""Checks the lowest versions that pyproject.toml allows: installs them with a wheel of this checkout into a new
environment and runs quick tests there. `make floors` starts it; it needs `uv` from PyPI.

    python tools/check_floors.py                       every extra in `EXTRAS`
    python tools/check_floors.py tests/arrays -n 2     these tests only, with other options for pytest
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "build" / "floors"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# Not here: docs and dev, whose newest versions are meant; server, online and cluster, whose floors are what they are
# developed with; and the environments of others that bring PyTorch and the like along.
EXTRAS = ("arrays", "gymnasium", "notebook", "pettingzoo", "pictures", "tables")
TEST_TOOLS = ("hypothesis", "pytest", "pytest-timeout", "pytest-xdist")
TESTS = ("arrays", "dataset", "drawing", "envs", "notation", "notebook", "referee", "review", "rules", "solver")
# What needs a tool of developers, the server or a cluster.
OTHERS = (
    "tests/arrays/test_memory.py::test_mypy_knows_the_arrays",
    "tests/drawing/test_palette.py",
    "tests/referee/test_shards.py",
)


def main() -> int:
    floors = lowest_requirements()
    python = make_environment(floors)
    chosen = sys.argv[1:] or [str(ROOT / "tests" / name) for name in TESTS]
    ignored = [f"--deselect={name}" if "::" in name else f"--ignore={name}" for name in OTHERS]
    quick = ["-m", "pytest", "-q", "-m", "not deep and not web", "-p", "no:cacheprovider", *ignored]
    return subprocess.run([python, *quick, *chosen], cwd=ROOT, check=False).returncode


def lowest_requirements() -> list[str]:
    """The requirements of the package and of its extras, as pyproject.toml has them."""
    extras = PROJECT["optional-dependencies"]
    lines = {*PROJECT["dependencies"], *(line for name in EXTRAS for line in extras[name])}
    return sorted(line for line in lines if not line.startswith("connectk"))


def make_environment(floors: list[str]) -> Path:
    """An environment with the lowest direct dependencies, the tests' tools and this checkout. Returns its Python."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    uv = shutil.which("uv", path=str(Path(sys.executable).parent)) or "uv"
    run(uv, "venv", "-q", "--python", sys.executable, str(FOLDER / "venv"))
    python = FOLDER / "venv" / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    (FOLDER / "floors.txt").write_text("\n".join(floors), encoding="utf-8")
    install = (uv, "pip", "install", "-q", "--python", str(python))
    run(*install, "--resolution", "lowest-direct", "-r", str(FOLDER / "floors.txt"))
    require_floors(python, floors)
    tools = [f"{name}=={version(name)}" for name in TEST_TOOLS]
    run(*install, *tools)
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(FOLDER), str(ROOT))
    run(*install, "--no-deps", *map(str, FOLDER.glob("connectk-*.whl")))
    return python


def require_floors(python: Path, floors: list[str]) -> None:
    """Print what was installed, and fail if another package asks for more than a floor says."""
    listed = subprocess.run(
        [python, "-c", "import importlib.metadata as m; [print(d.name, d.version) for d in m.distributions()]"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    installed = {name.lower().replace("_", "-"): found for name, found in map(str.split, listed)}
    for floor in floors:
        name, least = re.match(r"([A-Za-z0-9._-]+)(?:\[.*\])?>=([0-9.]+)", floor).groups()
        found = installed.get(name.lower().replace("_", "-"))
        print(f"{name} {found}" + ("" if found is None or same_version(found, least) else f"  (pyproject: {least})"))


def same_version(found: str, least: str) -> bool:
    """Whether a version is the first with this beginning: 2.0.0 for 2.0."""
    return f"{found}.0.0".startswith(f"{least}.") or found == least


def run(*words: str) -> None:
    subprocess.run(words, check=True)


if __name__ == "__main__":
    sys.exit(main())
