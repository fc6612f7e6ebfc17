"""`connectk players`: who can play."""

from __future__ import annotations

import typer


def register(app: typer.Typer) -> None:
    app.command("players", epilog="Example: connectk arena minimax:3 minimax:5,lines level:4 --games 40")(players)


def players() -> None:
    from connectk.players.evaluations import NAMED
    from connectk.players.registry import REGISTRY

    rows = [(entry.example, entry.sentence) for entry in REGISTRY.values()]
    rows += [("mybot.py", "a Python bot of yours"), ("./my-program", "a program that speaks the text protocol")]
    width = max(len(example) for example, _ in rows)
    for example, sentence in rows:
        typer.echo(f"{example:<{width}}  {sentence}")
    typer.echo(f"Evaluations for minimax: {', '.join(NAMED)}, or yours as in minimax:4,myfile.py:evaluate")
