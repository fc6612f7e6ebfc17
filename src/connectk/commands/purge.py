"""`connectk purge`: delete old matches."""

from __future__ import annotations

import re
import time

import typer

from connectk.commands.backup import DATABASE
from connectk.commands.console import texts_for
from connectk.commands.serve import require_server

SECONDS_PER_UNIT = {"h": 3600.0, "d": 86_400.0}


def register(app: typer.Typer) -> None:
    app.command("purge", epilog="Example: connectk purge --older-than 90d")(purge)


def purge(
    older_than: str = typer.Option(...),
    database: str | None = DATABASE,
) -> None:
    require_server()
    from connectk.server.settings import load_settings
    from connectk.storage.database import open_database, prepare
    from connectk.storage.store import purge as delete_all

    age = re.fullmatch(r"([0-9]+)([hd])", older_than.strip())
    if not age:
        raise typer.BadParameter(texts_for()("purge.age"), param_hint="--older-than")
    url = load_settings(database=database).database
    lock = prepare(url)
    engine = open_database(url)
    count = delete_all(engine, time.time() - int(age[1]) * SECONDS_PER_UNIT[age[2]])
    engine.dispose()
    if lock:
        lock.close()
    texts = texts_for()
    typer.echo(texts("purge.done", matches=texts("count.matches", count=count)))
