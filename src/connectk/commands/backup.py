"""`connectk backup` and `connectk restore`: all matches in one file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from connectk.commands.console import texts_for
from connectk.commands.serve import require_server

if TYPE_CHECKING:
    from sqlalchemy import Engine

FILE = typer.Argument()
DATABASE = typer.Option(None)


def register(app: typer.Typer) -> None:
    app.command("backup", epilog="Example: connectk backup matches.gz --database sqlite:///games.db")(backup)
    app.command("restore", epilog="Example: connectk restore matches.gz --database postgresql://me@localhost/games")(
        restore
    )


def backup(file: Path = FILE, database: str | None = DATABASE) -> None:
    require_server()
    from connectk.storage.backup import write_backup

    _run(file, database, write_backup, "saved")


def restore(file: Path = FILE, database: str | None = DATABASE) -> None:
    require_server()
    from connectk.server.settings import load_settings
    from connectk.storage.backup import read_backup
    from connectk.storage.database import prepare

    lock = prepare(load_settings(database=database).database)
    _run(file, database, read_backup, "restored")
    if lock:
        lock.close()


def _run(file: Path, database: str | None, work: Callable[[Engine, Path], dict[str, int]], done: str) -> None:
    from connectk.server.settings import load_settings
    from connectk.storage.database import open_database

    engine = open_database(load_settings(database=database).database)
    counts = work(engine, file)
    engine.dispose()
    texts = texts_for()
    matches, discs = texts("count.matches", count=counts["matches"]), texts("count.discs", count=counts["drops"])
    typer.echo(texts(f"backup.{done}", matches=matches, discs=discs))
