"""What every command shares: the language and signs of the terminal it writes to, and help in that language."""

from __future__ import annotations

import os
import sys
from enum import StrEnum
from typing import Any

import typer
from typer.core import TyperGroup

from connectk.texts import Texts, language_of, load_texts

INTERRUPTED = 130  # what shells expect after Ctrl-C
ROUND, LETTERS = "○●", "xo"
WON = "◎◉"  # discs of a winning line


class Language(StrEnum):
    en = "en"
    fi = "fi"
    sv = "sv"


LANGUAGE = typer.Option(None, envvar="CONNECTK_LANGUAGE")


def texts_for(language: Language | None = None) -> Texts:
    """The texts in the language asked for, by an option, `CONNECTK_LANGUAGE` or the locale."""
    wanted = language.value if language else os.environ.get("CONNECTK_LANGUAGE", "")
    return load_texts(wanted if wanted in Language.__members__ else language_of(os.environ))


def discs_here() -> str:
    """The first and the second player's disc: round ones as in the game, letters where the terminal lacks them."""
    try:
        (ROUND + WON).encode(sys.stdout.encoding or "ascii")
    except (UnicodeError, LookupError):
        return LETTERS
    return ROUND


class SpeakingGroup(TyperGroup):
    """The commands, with help in the person's language.

    The text `usage.judge` is the help of that command, `usage.judge.paths` of its argument, and `usage.option.language`
    of that option wherever it has no text of its own. What the catalogue lacks keeps its English.
    """

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        command = super().get_command(ctx, cmd_name)
        if command is not None:
            _speak(command, ctx, f"usage.{cmd_name}", texts_for())
        return command

    def get_help(self, ctx: Any) -> str:
        _speak(self, ctx, "usage.connectk", texts_for())
        return super().get_help(ctx)


def _speak(command: Any, ctx: Any, key: str, texts: Texts) -> None:
    command.help = _said(texts, key) or command.help
    for parameter in command.params:
        if hasattr(parameter, "help"):
            own, common = f"{key}.{parameter.name}", f"usage.option.{parameter.name}"
            parameter.help = _said(texts, own) or parameter.help or _said(texts, common)
    if option := command.get_help_option(ctx):
        option.help = _said(texts, "usage.option.help")


def _said(texts: Texts, key: str) -> str | None:
    return texts(key) if key in texts.catalogue else None
