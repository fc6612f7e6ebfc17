"""`connectk play`: a game in the terminal."""

from __future__ import annotations

import typer


def register(app: typer.Typer) -> None:
    app.command("play", epilog="Examples: connectk play · connectk play --variant 9x7x5 --start 4453")(play)


def play(
    variant: str = typer.Option("7x6x4", help="Width, height and run to win."),
    start: str = typer.Option("", help="Moves already played, such as 4453."),
) -> None:
    """Play against the computer or a friend in the terminal."""
    from connectk.rules import Position, Variant
    from connectk.terminal.plain import PlainGame

    PlainGame(Position.from_moves(start, Variant.parse(variant))).run()
