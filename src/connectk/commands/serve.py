"""`connectk serve`: the game server."""

from __future__ import annotations

from importlib.util import find_spec

import typer

from connectk.errors import MissingExtra

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
    move_seconds: float | None = typer.Option(
        None, help="The most a computer player thinks about a move. [default: 5]"
    ),
    analysis_seconds: float | None = typer.Option(None, help="The most an analysis may take. [default: 10]"),
    largest_board: int | None = typer.Option(None, help="The most cells of a board. [default: 10000]"),
    seat_rate: float | None = typer.Option(None, help="Messages a second for each seat. [default: 20]"),
    address_rate: float | None = typer.Option(None, help="Requests a second for each address. [default: 500]"),
    most_sockets: int | None = typer.Option(None, help="Sockets at once, in each process. [default: 5000]"),
    keep_days: float | None = typer.Option(
        None, help="Delete matches untouched for so many days. [default: 0, which keeps them all]"
    ),
    shutdown_seconds: int | None = typer.Option(None, help="How long a stop waits. [default: 10]"),
    origins: list[str] | None = typer.Option(None, "--origin", help="Another site whose pages may use this server."),
    behind_proxy: bool | None = typer.Option(None, "--behind-proxy", help="Trust X-Forwarded-For, set by your proxy."),
    closable: bool | None = typer.Option(None, "--closable", help="Let a page on this machine stop the server."),
    log: str | None = typer.Option(None, help="Log lines for people (text) or programs (json). [default: text]"),
    log_level: str | None = typer.Option(None, help="debug, info, warning or error. [default: info]"),
    config: str | None = typer.Option(None, help="A settings file. [default: connectk.toml where there is one]"),
    show_settings: bool = typer.Option(False, "--show-settings", help="Print the settings, secrets masked, and stop."),
) -> None:
    """Serve matches to browsers and programs over HTTP and sockets; what was acknowledged is stored."""
    flags = dict(locals())
    for name in ("config", "show_settings"):
        del flags[name]
    require_server()
    from connectk.server.settings import load_settings

    settings = load_settings(config, **{**flags, "origins": origins or None})
    if show_settings:
        for name, value in settings.shown().items():
            typer.echo(f"{name} = {value!r}")
        return
    from connectk.server.running import run

    run(settings)


def require_server() -> None:
    """Say in a sentence which extra is missing."""
    needed = ("fastapi", "uvicorn", "sqlalchemy", "alembic", "pydantic_settings", "structlog", "prometheus_client")
    if any(find_spec(name) is None for name in needed):
        raise MissingExtra("The server and its database", "server")
