"""`connectk players`: list the players."""

from __future__ import annotations

import typer

from connectk.commands.console import texts_for


def register(app: typer.Typer) -> None:
    app.command("players", epilog="Example: connectk arena minimax:3 minimax:5,lines level:4 --games 40")(players)


def players() -> None:
    from connectk.players.evaluations import NAMED_EVALUATIONS
    from connectk.players.registry import REGISTRY

    texts = texts_for()
    rows = [(entry.example, texts(f"players.{kind}")) for kind, entry in REGISTRY.items()]
    rows += [("mybot.py", texts("players.python")), ("./my-program", texts("players.program"))]
    width = max(len(example) for example, _ in rows)
    for example, sentence in rows:
        typer.echo(f"{example:<{width}}  {sentence}")
    typer.echo(texts("players.evaluations", names=", ".join(NAMED_EVALUATIONS)))
