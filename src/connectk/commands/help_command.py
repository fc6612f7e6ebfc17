"""`connectk help`: show the help of a command."""

from __future__ import annotations

from typing import Any

import typer

from connectk.commands.completion import complete_command
from connectk.commands.localized import QuietCommand
from connectk.commands.usage import BadUsage

EPILOG = """
connectk help
connectk help solve
connectk help puzzle make
"""


def register(app: typer.Typer) -> None:
    app.command("help", cls=QuietCommand, epilog=EPILOG)(show_help)


def show_help(
    context: typer.Context, words: list[str] = typer.Argument(None, metavar="COMMAND", autocompletion=complete_command)
) -> None:
    shown: Any = context.find_root()
    for number, word in enumerate(words or ()):
        if not hasattr(shown.command, "list_commands"):
            raise BadUsage("error.BadUsage.extra", words=" ".join(words[number:]))
        name, command, _ = shown.command.resolve_command(shown, [word])
        shown = command.make_context(name, [], parent=shown, resilient_parsing=True)
    typer.echo(shown.command.get_help(shown), nl=False)
