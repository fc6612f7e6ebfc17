"""`connectk backup` and `connectk restore`: write all matches and rooms to one file, and read them back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from connectk.commands.console import print_json, settings, texts_for
from connectk.commands.serve import require_server

if TYPE_CHECKING:
    from sqlalchemy import Engine

FILE_ARGUMENT = typer.Argument()
DATABASE_OPTION = typer.Option(None)


def register(app: typer.Typer) -> None:
    app.command("backup", epilog="connectk backup matches.gz --database sqlite:///games.db")(backup)
    app.command("restore", epilog="connectk restore matches.gz --database postgresql://me@localhost/games")(restore)


def backup(file: Path = FILE_ARGUMENT, database: str | None = DATABASE_OPTION) -> None:
    with open_existing(database) as engine:
        from connectk.storage.backup import write_backup

        _print_counts(write_backup(engine, file), "saved")


def restore(file: Path = FILE_ARGUMENT, database: str | None = DATABASE_OPTION) -> None:
    require_server()
    from connectk.server.settings import load_settings
    from connectk.storage.backup import check_backup, read_backup
    from connectk.storage.database import existing_database, prepare_database

    settings = load_settings(database=database)
    check_backup(file, settings.max_board_cells)  # before a database is created for it
    url = settings.database
    lock = prepare_database(url)
    with existing_database(url) as engine:
        counts = read_backup(engine, file, settings.max_board_cells)
    if lock:
        lock.close()
    _print_counts(counts, "restored")


@contextmanager
def open_existing(database: str | None) -> Iterator[Engine]:
    """Open the database that the option names. Without the option, open the database of the server's settings. The
    database must exist."""
    require_server()
    from connectk.server.settings import load_settings
    from connectk.storage.database import existing_database

    with existing_database(load_settings(database=database).database) as engine:
        yield engine


def _print_counts(counts: dict[str, int], done: str) -> None:
    if settings().json:
        print_json(counts)
        return
    texts = texts_for()
    matches, discs = texts("count.matches", count=counts["matches"]), texts("count.discs", count=counts["drops"])
    typer.echo(texts(f"backup.{done}", matches=matches, discs=discs))
