"""`connectk players`: list the players."""

from __future__ import annotations

import sys

import typer

from connectk.commands.console import hanging_indent, print_json, settings, texts_for
from connectk.system import wrapped

EPILOG = """
connectk players
connectk arena minimax:3 minimax:5,lines level:4 --games 40
"""


def register(app: typer.Typer) -> None:
    app.command("players", epilog=EPILOG)(players)


def players() -> None:
    from connectk.players.evaluations import NAMED_EVALUATIONS
    from connectk.players.registry import PLAYER_REGISTRY

    texts = texts_for()
    rows = [(entry.example, texts(f"players.{kind}")) for kind, entry in PLAYER_REGISTRY.items()]
    rows += [("mybot.py", texts("players.python")), ("./my-program", texts("players.program"))]
    if settings().json:
        print_json([{"player": example, "description": sentence} for example, sentence in rows])
        return
    width = max(len(example) for example, _ in rows)
    for example, sentence in rows:
        typer.echo(hanging_indent(f"{example:<{width}}", sentence))
    typer.echo(wrapped(texts("players.evaluations", names=", ".join(NAMED_EVALUATIONS)), sys.stdout))
