"""Typer commands that show help and errors in the user's language, and the options that all commands share."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from functools import cache, partial
from itertools import pairwise
from typing import Any, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup
from typer.exceptions import TyperException

from connectk.commands.console import reset_flags, store_flag, texts_for
from connectk.commands.helppage import help_page, usage_line
from connectk.commands.usage import BadUsage, sentence_of
from connectk.settings import SETTING_CHOICES, ThemeName
from connectk.system import wrapped
from connectk.texts import LanguageName

Function = TypeVar("Function", bound=Callable[..., Any])


def _store(parameter: typer.CallbackParam, value: Any) -> Any:
    """Remember the value of a common option. If it is given twice, the last value counts."""
    if value is not None:
        store_flag(str(parameter.name), value)
    return value


def _option(*words: str, **settings: Any) -> Any:
    return typer.Option(None, *words, callback=_store, is_eager=True, expose_value=False, **settings)


LANGUAGE_OPTION = _option("--language", metavar="|".join(SETTING_CHOICES["language"]))
JSON_OPTION = _option("--json/--no-json")
PLAIN_OPTION = _option("--plain/--no-plain")
ASCII_OPTION = _option("--ascii/--no-ascii")
BOARD_OPTION = _option("--board/--no-board")
REDUCED_MOTION_OPTION = _option("--reduced-motion/--motion")
THEME_OPTION = _option("--theme", metavar="|".join(SETTING_CHOICES["theme"]))
SWITCH_OPTIONS = {
    "json": JSON_OPTION,
    "plain": PLAIN_OPTION,
    "ascii": ASCII_OPTION,
    "board": BOARD_OPTION,
    "reduced_motion": REDUCED_MOTION_OPTION,
}
LANGUAGE_WORDS = re.compile(rf"--language[= ]({'|'.join(SETTING_CHOICES['language'])})\b.*")
COMMON_OPTION_NAMES = ("language", "plain", "ascii")
JSON_OPTION_NAMES = (*COMMON_OPTION_NAMES, "json")
SCREEN_OPTION_NAMES = (*COMMON_OPTION_NAMES, "board", "reduced_motion", "theme")


@cache
def common_options() -> dict[str, Any]:
    """The options that several commands share, as parameters of Typer. They are built only once."""
    kinds: dict[str, tuple[Any, Any]] = {name: (bool | None, option) for name, option in SWITCH_OPTIONS.items()}
    kinds |= {"language": (LanguageName | None, LANGUAGE_OPTION), "theme": (ThemeName | None, THEME_OPTION)}
    return {parameter.name: parameter for parameter in parameters_of(kinds)}


def parameters_of(kinds: dict[str, tuple[Any, Any]]) -> list[Any]:
    """Builds parameters of Typer from a type and a `typer.Option` for each name."""

    def options(**_: Any) -> None: ...

    kind = inspect.Parameter.KEYWORD_ONLY
    parameters = [inspect.Parameter(name, kind, default=one, annotation=of) for name, (of, one) in kinds.items()]
    options.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    options.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    app = typer.Typer(add_completion=False)
    app.command()(options)
    return typer.main.get_command(app).params


class _WithCommonOptions:
    """The common base of commands and groups: it adds the shared options, and help in the user's language."""

    common: tuple[str, ...] = JSON_OPTION_NAMES

    def get_params(self, ctx: Any) -> list[Any]:
        found = super().get_params(ctx)  # type: ignore[misc]
        return [*found[:-1], *(common_options()[name] for name in self.common), *found[-1:]]

    def get_usage(self, ctx: Any) -> str:
        return usage_line(self, ctx, texts_for())

    def format_help(self, ctx: Any, formatter: Any) -> None:
        formatter.write(help_page(self, ctx, texts_for()))


class LocalizedCommand(_WithCommonOptions, TyperCommand):
    """A command that also has the options that all commands share."""


class BoardCommand(LocalizedCommand):
    """A command that draws boards, or describes them with `--no-board`."""

    common = (*JSON_OPTION_NAMES, "board")


class QuietCommand(LocalizedCommand):
    """A command without the option `--json`, because the command prints no answer."""

    common = COMMON_OPTION_NAMES


class ScreenCommand(LocalizedCommand):
    """An interactive command, which runs on the full screen or as text."""

    common: tuple[str, ...] = SCREEN_OPTION_NAMES


class LocalizedGroup(_WithCommonOptions, TyperGroup):
    """A group of commands. The options that all commands share may also stand before the name of the command."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            close = get_close_matches(name, self.list_commands(ctx), 1)
            key = "error.BadUsage.no_command_but" if close else "error.BadUsage.no_command"
            raise BadUsage(key, name=name, close=close[0] if close else "", command=ctx.command_path)
        return super().resolve_command(ctx, args)

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **settings: Any,
    ) -> Any:
        """Run a command. If the command line is wrong, print one sentence and exit with status 2."""
        reset_flags()
        words = sys.argv[1:] if args is None else args
        run = partial(super().main, args, prog_name, complete_var, False, windows_expand_args, **settings)
        if not standalone_mode:
            return run()
        try:
            status = run()
        except TyperException as error:
            sys.exit(_print_usage_error(error, words))
        except typer.Abort:
            sys.exit(1)
        sys.exit(status if isinstance(status, int) else 0)


class ScreenGroup(LocalizedGroup):
    """An interactive group of commands that also runs without the name of a command. Its `--theme` is the theme of a
    puzzle, not a colour theme."""

    common = (*(name for name in SCREEN_OPTION_NAMES if name != "theme"), "json")


class LocalizedTyper(typer.Typer):
    """A Typer app whose commands use the class `LocalizedCommand` by default."""

    def command(
        self, name: str | None = None, *, cls: type[TyperCommand] | None = None, **settings: Any
    ) -> Callable[[Function], Function]:
        return super().command(name, cls=cls or LocalizedCommand, **settings)


def _print_usage_error(error: Any, words: Sequence[str]) -> int:
    """Print what is wrong with the command line. If no command is named, print the help. Returns the exit status."""
    texts, context = texts_for(_language_in(words)), getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError":
        print(error.format_message().rstrip("\n"))
        return 0
    print(wrapped(f"connectk: {sentence_of(error, texts)}", sys.stderr), file=sys.stderr)
    if context is not None:
        print(texts("error.BadUsage.help", command=f"{context.command_path} --help"), file=sys.stderr)
    return 2


def _language_in(words: Sequence[str]) -> str | None:
    """The language that a command line asks for. It is found even if Typer has stopped at an earlier error."""
    given = [found[1] for found in map(LANGUAGE_WORDS.fullmatch, map(" ".join, pairwise([*words, ""]))) if found]
    return given[-1] if given else None
