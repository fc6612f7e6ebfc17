"""`connectk new-bot`: write a small bot to start from."""

from __future__ import annotations

from pathlib import Path

import typer

from connectk.commands.console import texts_for


def register(app: typer.Typer) -> None:
    app.command("new-bot", epilog="Example: connectk new-bot mybot.py")(new_bot)


def new_bot(path: Path = typer.Argument()) -> None:
    from connectk.players.template import write_new_bot

    test = write_new_bot(path)
    typer.echo(texts_for()("new_bot.written", path=path, test=test))
    typer.echo(f"\n  connectk arena {path} random --games 20\n  pytest {test}")
