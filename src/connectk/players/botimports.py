"""Keeps a bot from importing connectk's solver and players, so that the bot must find its moves itself."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import connectk

ALLOWED_SUBPACKAGES = {"rules", "notation", "errors", "texts", "drawing", "files", "system"}  # imported by Position
ALLOWED_PLAYERS = {f"connectk.players.{name}" for name in ("bothost", "botstate", "player", "textprotocol")}
OWN_PACKAGES = ("connectk", "connectz")


def refuse_help() -> None:
    """Refuse all later imports of connectk's solver and players in this process. This cannot be undone, because an
    audit hook cannot be removed."""
    folders = [str(Path(connectk.__file__).parent), *connectk.__path__]

    def check(event: str, facts: tuple[Any, ...]) -> None:
        if event == "import" and (_is_help(str(facts[0])) or _is_core(str(facts[1]), folders)):
            raise ImportError(f"{facts[0]} is not for bots here: connectk's solver and players are switched off.")

    sys.addaudithook(check)


def _is_help(module: str) -> bool:
    first, _, rest = module.partition(".")
    return (
        first in OWN_PACKAGES
        and bool(rest)
        and rest.partition(".")[0] not in ALLOWED_SUBPACKAGES
        and module not in ALLOWED_PLAYERS
    )


def _is_core(file: str, folders: list[str]) -> bool:
    """Whether a compiled module is the core of connectk, even if it is loaded under another name."""
    return Path(file).name.startswith("_native.") or (file.endswith(".so") and file.startswith(tuple(folders)))
