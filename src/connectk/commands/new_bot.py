"""`connectk new-bot`: write a small bot as a starting point for the user."""

from __future__ import annotations

from pathlib import Path

import typer

from connectk.commands.console import print_json, settings, texts_for


def register(app: typer.Typer) -> None:
    app.command("new-bot", epilog="connectk new-bot mybot.py")(new_bot)


def new_bot(path: Path = typer.Argument(metavar="FILE")) -> None:
    from connectk.players.template import write_new_bot

    test = write_new_bot(path)
    if settings().json:
        print_json({"bot": str(path), "test": str(test)})
        return
    typer.echo(texts_for()("new_bot.written", path=path, test=test))
    typer.echo(f"\n  connectk arena {path} random --games 20\n  pytest {test}\n  connectk check {path}")
