"""The arguments and options that several commands share. Each has the same name and meaning in all of them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from connectk.commands.completion import complete_variant
from connectk.commands.usage import BadUsage
from connectk.system import stdin_has_content

if TYPE_CHECKING:
    from connectk.rules import Variant
    from connectk.texts import Texts

STANDARD_INPUT = "-"
POSITION_ARGUMENT = typer.Argument("", metavar="POSITION")
VARIANT_OPTION = typer.Option(None, metavar="WxHxRUN", show_default="7x6x4", autocompletion=complete_variant)
OUT_OPTION = typer.Option([], "--out", metavar="FILE")
JOBS_OPTION = typer.Option(None, min=1)
CLUSTER_OPTION = typer.Option(None, metavar="WHERE")


def position_or_input(position: str, texts: Texts) -> str:
    """The given position. If there is none but something is piped into the command, the result is `-`, for standard
    input.

    While nothing arrives, a sentence says what the command is waiting for.
    """

    def say_waiting() -> None:
        print(texts("solve.reads_input"), file=sys.stderr, flush=True)

    return STANDARD_INPUT if not position and stdin_has_content(say_waiting) else position


def variant_of(text: str | None) -> Variant | None:
    """The board that `--variant` names. None without `--variant`, because the position itself may name its board."""
    from connectk.rules import Variant

    return None if text is None else Variant.parse(text)


def board_of(text: str | None) -> Variant:
    """The board that `--variant` names, or the classic one."""
    from connectk.rules import CLASSIC

    return variant_of(text) or CLASSIC


def outputs(out: list[str], *kinds: str) -> dict[str, str]:
    """The paths given with `--out`, by file extension. A name that ends with / is a folder for files of that kind."""
    found: dict[str, str] = {}
    for name in out:
        kind = Path(name.rstrip("/")).suffix.lower()
        if kind not in kinds:
            raise BadUsage("error.BadUsage.out", name=name, kinds=", ".join(kinds))
        if kind in found:
            raise BadUsage("error.BadUsage.out_twice", one=found[kind], other=name)
        found[kind] = name
    return found


def path_in(found: dict[str, str], kind: str) -> Path | None:
    return Path(found[kind]) if kind in found else None
