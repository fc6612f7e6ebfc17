"""`connectk serve`: the game server."""

from __future__ import annotations

import typer

EXAMPLES = """
Examples:

connectk serve

connectk serve --port 9000 --database sqlite:///games.db

connectk serve --host 0.0.0.0 --workers 4 --database postgresql://connectk@localhost/connectk

CONNECTK_PORT=9000 connectk serve --show-settings

Every option is also a variable CONNECTK_... and a line of connectk.toml; a flag wins over the environment, the
environment over the file.
"""


def register(app: typer.Typer) -> None:
    app.command("serve", epilog=EXAMPLES)(serve)


def serve(
    host: str | None = typer.Option(None, help="Address to listen on; 0.0.0.0 for every one. [default: 127.0.0.1]"),
    port: int | None = typer.Option(None, help="Port to listen on; 0 for any that is free. [default: 8000]"),
    database: str | None = typer.Option(
        None, help="A SQLite file or postgresql://user@host/name. [default: sqlite:///connectk.db]"
    ),
    workers: int | None = typer.Option(None, help="Processes; more than one needs PostgreSQL. [default: 1]"),
    thinkers: int | None = typer.Option(
        None, help="Processes for computer players, and as many for analysis. [default: 1]"
    ),
    log: str | None = typer.Option(None, help="Log lines for people (text) or programs (json). [default: text]"),
    log_level: str | None = typer.Option(None, help="debug, info, warning or error. [default: info]"),
    closable: bool | None = typer.Option(None, "--closable", help="Let a page on this machine stop the server."),
    config: str | None = typer.Option(None, help="A settings file. [default: connectk.toml where there is one]"),
    show_settings: bool = typer.Option(False, "--show-settings", help="Print the settings, secrets masked, and stop."),
) -> None:
    """Serve matches to browsers and programs: https and sockets, nothing lost."""
    from connectk.server.settings import load_settings

    settings = load_settings(
        config,
        host=host,
        port=port,
        database=database,
        workers=workers,
        thinkers=thinkers,
        log=log,
        log_level=log_level,
        closable=closable,
    )
    if show_settings:
        for name, value in settings.shown().items():
            typer.echo(f"{name} = {value!r}")
        return
    from connectk.server.running import run

    run(settings)
