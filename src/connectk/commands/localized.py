"""Typer commands with help in the user's language.

The text `usage.judge` is the help of that command, `usage.judge.paths` that of its argument, and
`usage.option.language` that of an option without a text of its own. Without a text, the English help is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from typing import Any, TypeVar

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup

from connectk.commands.console import reset_language, texts_for
from connectk.texts import Texts

Function = TypeVar("Function", bound=Callable[..., Any])


class LocalizedCommand(TyperCommand):
    def get_usage(self, ctx: Any) -> str:
        return _localized_usage(super().get_usage(ctx))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        _HelpPage(self, ctx).format_help(ctx, formatter)


class LocalizedGroup(TyperGroup):
    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if ctx.parent is None:
            reset_language()
        command = super().get_command(ctx, cmd_name)
        if command is not None:
            path = cmd_name if ctx.parent is None else f"{ctx.info_name}.{cmd_name}"
            _localize(command, ctx, f"usage.{path}", texts_for())
        return command

    def get_help(self, ctx: Any) -> str:
        if ctx.parent is None:
            _localize(self, ctx, "usage.connectk", texts_for())
        return super().get_help(ctx)

    def get_usage(self, ctx: Any) -> str:
        return _localized_usage(super().get_usage(ctx))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        _HelpPage(self, ctx).format_help(ctx, formatter)


class LocalizedTyper(typer.Typer):
    """A Typer app whose commands use `LocalizedCommand` by default."""

    def command(
        self, name: str | None = None, *, cls: type[TyperCommand] | None = None, **settings: Any
    ) -> Callable[[Function], Function]:
        return super().command(name, cls=cls or LocalizedCommand, **settings)


class _HelpPage(TyperGroup):
    """A command used only to format help: its parameters contain, translated, the notes Typer adds in English."""

    def __init__(self, command: Any, ctx: Any) -> None:
        texts, epilog = texts_for(), command.epilog or ""
        for english, key in (("Examples:", "head.examples"), ("Example:", "head.example")):
            epilog = epilog.replace(english, texts(key))
        super().__init__(
            name=command.name,
            commands=_shown_commands(command, ctx, texts("head.commands")),
            params=[_shown_parameter(parameter, ctx, texts) for parameter in command.get_params(ctx)],
            help=command.help,
            epilog=epilog,
            add_help_option=False,
        )
        self._usage: str = command.get_usage(ctx)

    def get_usage(self, ctx: Any) -> str:
        return self._usage


def _localize(command: Any, ctx: Any, key: str, texts: Texts) -> None:
    command.help = _text(texts, key) or command.help
    for parameter in command.params:
        own, common = f"{key}.{parameter.name}", f"usage.option.{parameter.name}"
        parameter.help = _text(texts, own) or parameter.help or _text(texts, common)
    if option := command.get_help_option(ctx):
        option.help = _text(texts, "usage.option.help")


def _text(texts: Texts, key: str) -> str | None:
    return texts(key) if key in texts.catalogue else None


def _localized_usage(usage: str) -> str:
    return usage.replace("Usage:", texts_for()("head.usage"), 1)


def _shown_commands(command: Any, ctx: Any, panel: str) -> dict[str, Any]:
    if not isinstance(command, TyperGroup):
        return {}
    shown: dict[str, Any] = {name: copy(command.get_command(ctx, name)) for name in command.list_commands(ctx)}
    for one in shown.values():
        one.rich_help_panel = panel
    return shown


def _shown_parameter(parameter: Any, ctx: Any, texts: Texts) -> Any:
    shown = copy(parameter)
    shown.help = " ".join([parameter.help or "", *_parameter_notes(parameter, ctx, texts)])
    shown.rich_help_panel = texts("head.arguments" if isinstance(parameter, TyperArgument) else "head.options")
    shown.show_envvar = shown.show_default = shown.required = False
    return shown


def _parameter_notes(parameter: Any, ctx: Any, texts: Texts) -> Iterator[str]:
    """The environment variable, default and 'required' notes of a parameter, in Typer's styles."""
    from rich.markup import escape  # slow to import

    if parameter.envvar and parameter.show_envvar:
        yield f"[dim yellow]{escape(texts('head.variable', value=parameter.envvar))}[/]"
    if default := _default(parameter, ctx):
        yield f"[dim]{escape(texts('head.default', value=default))}[/]"
    if parameter.required:
        yield f"[dim red]{escape(texts('head.required'))}[/]"


def _default(parameter: Any, ctx: Any) -> str:
    """The default as text; empty if it is hidden, missing, or a flag that is off."""
    if isinstance(parameter.show_default, str):
        return f"({parameter.show_default})"
    value = parameter.get_default(ctx, call=False)
    nothing = value is None or value is False or value in ([], ())
    return "" if nothing or not parameter.show_default else str(value)
