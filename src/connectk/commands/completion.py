"""Suggests players, boards, starts, settings and commands when the user presses Tab in the shell."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from connectk.settings import SETTING_NAMES

SUGGESTED_BOARDS = ("7x6x4", "6x5x4", "5x4x3", "9x7x4", "9x7x5", "8x8x4")


def complete_player(incomplete: str) -> Iterator[str]:
    """Yields the players and the Python files in this folder whose names begin with the typed text. Such a file may be
    a bot."""
    from connectk.players.registry import BEST_LEVEL, PLAYER_REGISTRY

    levels = [f"level:{level}" for level in range(1, BEST_LEVEL + 1)]
    bots = [path.name for path in Path().glob("*.py")]
    names = dict.fromkeys([*(entry.example for entry in PLAYER_REGISTRY.values()), *levels, *bots])
    yield from (name for name in names if name.startswith(incomplete))


def complete_variant(incomplete: str) -> Iterator[str]:
    yield from (board for board in SUGGESTED_BOARDS if board.startswith(incomplete))


def complete_start(incomplete: str) -> Iterator[str]:
    from connectk.notation.named_starts import NAMED_STARTS

    yield from (name for name in NAMED_STARTS if name.startswith(incomplete))


def complete_board_or_start(incomplete: str) -> Iterator[str]:
    yield from complete_variant(incomplete)
    yield from complete_start(incomplete)


def complete_setting(incomplete: str) -> Iterator[str]:
    yield from (name for name in SETTING_NAMES if name.startswith(incomplete))


def complete_command(context: typer.Context, incomplete: str) -> Iterator[str]:
    root = context.find_root()
    group: Any = root.command
    yield from (name for name in group.list_commands(root) if name.startswith(incomplete))
