"""`connectk admin`: list and end matches, close rooms and block addresses on a running server."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import typer

from connectk.commands.console import texts_for
from connectk.commands.localized import LocalizedGroup, LocalizedTyper
from connectk.commands.serve import require_server

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from connectk.texts import Texts

DATABASE = typer.Option(None)
LIMIT = typer.Option(50, min=1)
MATCH = typer.Argument()
ROOM = typer.Argument()
ADDRESS = typer.Argument()
admin = LocalizedTyper(cls=LocalizedGroup, no_args_is_help=True)


def register(app: typer.Typer) -> None:
    app.add_typer(admin, name="admin")


@admin.command("list", epilog="Example: connectk admin list --database sqlite:///games.db")
def list_matches(limit: int = LIMIT, database: str | None = DATABASE) -> None:
    from connectk.storage.admin import BLOCK, open_matches, open_rooms, orders_of

    texts, engine = texts_for(), _open(database)
    for match in open_matches(engine, limit):
        discs, ago = texts("count.discs", count=match.discs), _ago(match.changed, texts)
        typer.echo(f"{match.id}  {match.variant}  {discs}  {ago}  {match.first} - {match.second}")
    for room in open_rooms(engine, limit):
        typer.echo(f"{texts('admin.room', code=room.code)}  {_ago(room.changed, texts)}  {room.title}")
    with engine.connect() as connection:
        for address in orders_of(connection, BLOCK):
            typer.echo(texts("admin.blocked", address=address))
    engine.dispose()


def _ago(moment: float, texts: Texts) -> str:
    return texts("admin.ago", seconds=max(0, round(time.time() - moment)))


@admin.command(epilog="Example: connectk admin end 5f2c...")
def end(match: str = MATCH, database: str | None = DATABASE) -> None:
    _send_order(database, "end", match)


@admin.command("close-room", epilog="Example: connectk admin close-room ABC346")
def close_room(room: str = ROOM, database: str | None = DATABASE) -> None:
    _send_order(database, "close", room.upper())


@admin.command(epilog="Example: connectk admin block 192.0.2.7")
def block(address: str = ADDRESS, database: str | None = DATABASE) -> None:
    _send_order(database, "block", address)


@admin.command(epilog="Example: connectk admin unblock 192.0.2.7")
def unblock(address: str = ADDRESS, database: str | None = DATABASE) -> None:
    from connectk.storage.admin import BLOCK, remove_order

    engine = _open(database)
    remove_order(engine, BLOCK, address)
    engine.dispose()


def _send_order(database: str | None, kind: str, value: str) -> None:
    from connectk.storage.admin import add_order

    engine = _open(database)
    add_order(engine, kind, value[:100])
    engine.dispose()


def _open(database: str | None) -> Engine:
    require_server()
    from connectk.server.settings import load_settings
    from connectk.storage.database import open_database

    return open_database(load_settings(database=database).database)
