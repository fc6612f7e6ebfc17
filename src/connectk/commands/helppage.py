"""Writes the help of a command: what it does, its arguments and options, and examples to paste.

The text `usage.judge` is the help of the command `judge`. The text `usage.judge.paths` is the help of its argument
`paths`. The text `usage.option.language` is the help of the option `--language`, which several commands have."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Iterator
from typing import Any

from connectk.commands.console import settings
from connectk.texts import Texts

MAX_WIDTH_CHARS = 100
MAX_HELP_NAME_CHARS = 26  # a longer name stands on a line of its own
COMMAND_GROUPS = {
    "play": ("play", "gui", "learn", "puzzle"),
    "solve": ("solve", "why", "review", "fair", "atlas", "book"),
    "bots": ("players", "new-bot", "check", "arena", "ratings", "measure", "connect"),
    "files": ("judge", "dataset", "site"),
    "server": ("serve", "room", "backup", "restore", "purge", "admin"),
    "program": ("config", "help"),
}
BOLD, NORMAL = "\x1b[1m", "\x1b[0m"

Row = tuple[str, str]


def help_page(command: Any, ctx: Any, texts: Texts) -> str:
    """The whole help of a command, as text."""
    parameters = [one for one in command.get_params(ctx) if not getattr(one, "hidden", False)]
    arguments = [one for one in parameters if one.param_type_name == "argument"]
    options = [one for one in parameters if one.param_type_name == "option"]
    path = command_key(ctx)
    sections = [
        usage_line(command, ctx, texts),
        _paragraphs(_text(texts, path) or command.help or ""),
        _section("head.arguments", [(display_name(a), _help(a, path, ctx, texts)) for a in arguments], texts),
        *_command_sections(command, ctx, texts),
        _section("head.options", [(display_name(o), _help(o, path, ctx, texts)) for o in options], texts),
        _examples(command.epilog or "", texts),
    ]
    return "\n\n".join(filter(None, sections)) + "\n"


def command_key(ctx: Any) -> str:
    """The key of a command's help, such as `usage.puzzle.make`. It does not contain the name of the program."""
    words: list[str] = []
    while ctx.parent is not None:
        words.insert(0, ctx.info_name)
        ctx = ctx.parent
    return f"usage.{'.'.join(words) or 'connectk'}"


def usage_line(command: Any, ctx: Any, texts: Texts) -> str:
    arguments = [one for one in command.get_params(ctx) if one.param_type_name == "argument"]
    words = [display_name(one) if one.required else f"[{display_name(one)}]" for one in arguments]
    if hasattr(command, "list_commands"):
        required = not command.invoke_without_command
        words.append(texts("head.command") if required else f"[{texts('head.command')}]")
    return " ".join([bold(texts("head.usage")), ctx.command_path, *words, texts("head.some_options")])


def bold(text: str) -> str:
    return f"{BOLD}{text}{NORMAL}" if _is_styled() else text


def _is_styled() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and not settings().plain


def _width() -> int:
    return min(MAX_WIDTH_CHARS, shutil.get_terminal_size().columns)


def _paragraphs(text: str) -> str:
    return "\n\n".join(textwrap.fill(part, _width(), break_on_hyphens=False) for part in text.split("\n\n"))


def _text(texts: Texts, key: str) -> str:
    return texts(key) if key in texts.catalogue else ""


def display_name(parameter: Any) -> str:
    """The name of a parameter as the help shows it: `POSITION`, `FILE...`, `-h, --help` or `--jobs N`."""
    if parameter.param_type_name == "argument":
        return str(parameter.metavar or parameter.name).upper() + ("..." if parameter.nargs != 1 else "")
    words = ", ".join(sorted(parameter.opts, key=len))
    return words if parameter.is_flag else f"{words} {_metavar(parameter)}"


def _metavar(parameter: Any) -> str:
    """The word for the value of an option, such as `N` or `FILE`. Without this, Typer would show the name of a Python
    type."""
    kind = parameter.type_descriptor
    if parameter.metavar:
        return str(parameter.metavar)
    if kind.is_choice:
        return "|".join(str(getattr(choice, "value", choice)) for choice in kind.choices)
    names = {"int": "N", "float": "N", "Path": "FILE", "bool": "true|false"}
    return next((name for word, name in names.items() if word in str(kind.annotation)), "TEXT")


def help_text(parameter: Any, path: str, texts: Texts) -> str:
    """The help of a parameter; empty if there is none."""
    own, common = _text(texts, f"{path}.{parameter.name}"), _text(texts, f"usage.option.{parameter.name}")
    if parameter.name == "help":  # Typer has its own text for this option
        return common
    return own or parameter.help or common


def _help(parameter: Any, path: str, ctx: Any, texts: Texts) -> str:
    notes = [texts("head.default", value=default)] if (default := _default(parameter, ctx)) else []
    if parameter.required:
        notes.append(texts("head.required"))
    return " ".join([help_text(parameter, path, texts), *notes])


def _default(parameter: Any, ctx: Any) -> str:
    """The default of a parameter as text.

    Empty if there is no default, if the parameter hides its default, or for a flag that is off.
    """
    if isinstance(parameter.show_default, str):
        return str(parameter.show_default)
    value = parameter.get_default(ctx, call=False)
    nothing = value is None or value is False or value in ([], (), "")
    return "" if nothing or not parameter.show_default else str(getattr(value, "value", value))


def _section(heading: str, rows: list[Row], texts: Texts) -> str:
    if not rows:
        return ""
    column = min(MAX_HELP_NAME_CHARS, _width() // 3, max(len(name) for name, _ in rows)) + 4
    return "\n".join([bold(texts(heading)), *(line for row in rows for line in _row_lines(row, column))])


def _row_lines(row: Row, column: int) -> Iterator[str]:
    """The name of a parameter and its help beside it. If the name is too long, the help begins on the next line."""
    name, explanation = f"  {row[0]}", row[1]
    lines = textwrap.wrap(explanation, max(20, _width() - column), break_on_hyphens=False) or [""]
    if len(name) > column - 2:
        yield name
        name = ""
    yield f"{name:<{column}}{lines[0]}".rstrip()
    yield from (" " * column + line for line in lines[1:])


def _command_sections(command: Any, ctx: Any, texts: Texts) -> Iterator[str]:
    """The lists of commands in the help of a group. The commands of `connectk` itself are grouped by purpose."""
    if not hasattr(command, "list_commands"):
        return
    names, path = command.list_commands(ctx), "" if ctx.parent is None else f"{command_key(ctx)[6:]}."
    groups = COMMAND_GROUPS if ctx.parent is None else {"": tuple(names)}
    for group, members in groups.items():
        rows = [(name, _summary(texts(f"usage.{path}{name}"))) for name in members if name in names]
        yield _section(f"head.group.{group}" if group else "head.commands", rows, texts)


def _summary(text: str) -> str:
    """The first paragraph of a help text."""
    return text.split("\n\n")[0]


def _examples(epilog: str, texts: Texts) -> str:
    lines = [line.strip() for line in epilog.strip().splitlines() if line.strip()]
    return "\n".join([bold(texts("head.examples")), *(f"  {line}" for line in lines)]) if lines else ""
