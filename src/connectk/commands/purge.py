"""`connectk purge`: delete old matches."""

from __future__ import annotations

import time

import typer

from connectk.commands.backup import DATABASE_OPTION, open_existing
from connectk.commands.console import print_json, settings, texts_for


def register(app: typer.Typer) -> None:
    app.command("purge", epilog="connectk purge --older-than 90d")(purge)


def purge(
    older_than: str = typer.Option(..., metavar="TIME"),
    database: str | None = DATABASE_OPTION,
) -> None:
    from connectk.notation import parse_duration

    age = parse_duration(older_than)
    with open_existing(database):  # raises if the name is mistyped, before a database is created
        pass
    count = _purge(database, time.time() - age)
    if settings().json:
        print_json({"matches": count})
        return
    texts = texts_for()
    typer.echo(texts("purge.done", matches=texts("count.matches", count=count)))


def _purge(database: str | None, before: float) -> int:
    from connectk.server.settings import load_settings
    from connectk.storage.database import existing_database, prepare_database
    from connectk.storage.store import purge as delete_all

    url = load_settings(database=database).database
    lock = prepare_database(url)
    try:
        with existing_database(url) as engine:
            return delete_all(engine, before)
    finally:
        if lock:
            lock.close()
