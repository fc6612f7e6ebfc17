"""`connectk gui`: open the page in its own window, or in the browser."""

from __future__ import annotations

from pathlib import Path

import typer

from connectk.commands.localized import QuietCommand

EXAMPLES = """
connectk gui
connectk gui --browser
connectk gui --no-open --port 8000
"""


def register(app: typer.Typer) -> None:
    app.command("gui", cls=QuietCommand, epilog=EXAMPLES)(gui)


def gui(
    browser: bool = typer.Option(False, "--browser"),
    no_open: bool = typer.Option(False, "--no-open"),
    port: int = typer.Option(0, show_default=False),
    database: Path | None = typer.Option(None),
) -> None:
    from connectk.errors import MissingExtra

    try:
        from connectk.server.desktop import PageOpener, serve_desktop
    except ImportError as error:
        raise MissingExtra("page", "server") from error
    serve_desktop(PageOpener(window=not browser, silent=no_open), port, database)
