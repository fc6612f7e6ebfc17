"""`connectk admin`: list and end matches, close and delete rooms, and block addresses, while the server runs."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import typer

from connectk.commands import admin_conduct
from connectk.commands.backup import DATABASE_OPTION, open_existing
from connectk.commands.console import print_json, settings, texts_for
from connectk.commands.localized import LocalizedGroup, LocalizedTyper

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from connectk.storage.deletion import DeletionPlan
    from connectk.texts import Texts

COUNT_OPTION = typer.Option(50, min=1)
MATCH_ARGUMENT = typer.Argument()
ROOM_ARGUMENT = typer.Argument()
NAME_ARGUMENT = typer.Argument()
YES_OPTION = typer.Option(False, "--yes", "-y")
ADDRESS_ARGUMENT = typer.Argument()
admin = LocalizedTyper(cls=LocalizedGroup, no_args_is_help=True)


def register(app: typer.Typer) -> None:
    admin_conduct.register(admin)
    app.add_typer(admin, name="admin")


@admin.command("list", epilog="connectk admin list --database sqlite:///games.db")
def list_matches(count: int = COUNT_OPTION, database: str | None = DATABASE_OPTION) -> None:
    with open_existing(database) as engine:
        _print_list(engine, count, texts_for())


def _print_list(engine: Engine, count: int, texts: Texts) -> None:
    from connectk.storage.admin import BLOCK_ADDRESS, open_matches, open_rooms, orders_of

    if settings().json:
        print_json(_facts(engine, count))
        return
    for match in open_matches(engine, count):
        discs, ago = texts("count.discs", count=match.discs), _ago(match.changed, texts)
        typer.echo(f"{match.id}  {match.variant}  {discs}  {ago}  {match.first} - {match.second}")
    for room in open_rooms(engine, count):
        typer.echo(f"{texts('admin.room', code=room.code)}  {_ago(room.changed, texts)}  {room.title}")
    with engine.connect() as connection:
        for address in orders_of(connection, BLOCK_ADDRESS):
            typer.echo(texts("admin.blocked", address=address))


def _facts(engine: Engine, count: int) -> dict[str, object]:
    from connectk.storage.admin import BLOCK_ADDRESS, open_matches, open_rooms, orders_of

    with engine.connect() as connection:
        blocked = orders_of(connection, BLOCK_ADDRESS)
    matches = [match._asdict() for match in open_matches(engine, count)]
    return {"matches": matches, "rooms": [room._asdict() for room in open_rooms(engine, count)], "blocked": blocked}


def _ago(moment: float, texts: Texts) -> str:
    return texts("admin.ago", seconds=max(0, round(time.time() - moment)))


@admin.command(epilog="connectk admin end 5f2c...")
def end(match: str = MATCH_ARGUMENT, database: str | None = DATABASE_OPTION) -> None:
    with open_existing(database) as engine:
        from connectk.storage.admin import end_match

        end_match(engine, match)


@admin.command("close-room", epilog="connectk admin close-room ABC346")
def close_room(room: str = ROOM_ARGUMENT, database: str | None = DATABASE_OPTION) -> None:
    with open_existing(database) as engine:
        from connectk.storage.admin import close_room

        close_room(engine, room.upper())


@admin.command("delete-room", epilog="connectk admin delete-room ABC346\nconnectk admin delete-room ABC346 --yes")
def delete_room(room: str = ROOM_ARGUMENT, yes: bool = YES_OPTION, database: str | None = DATABASE_OPTION) -> None:
    with open_existing(database) as engine:
        from connectk.storage.deletion import delete_room, plan_room_deletion

        code = room.upper()
        found = plan_room_deletion(engine, code)
        _confirm("admin.ask_room", found, yes, code=code)
        delete_room(engine, code)
        _print_deleted("admin.deleted_room", found, code=code)


@admin.command(
    "delete-member",
    epilog='connectk admin delete-member ABC346 Ann\nconnectk admin delete-member ABC346 "Ann B." --yes',
)
def delete_member(
    room: str = ROOM_ARGUMENT,
    name: str = NAME_ARGUMENT,
    yes: bool = YES_OPTION,
    database: str | None = DATABASE_OPTION,
) -> None:
    with open_existing(database) as engine:
        from connectk.storage.deletion import delete_member, plan_member_deletion

        code = room.upper()
        found = plan_member_deletion(engine, code, name)
        _confirm("admin.ask_member", found, yes, code=code, name=name)
        delete_member(engine, code, name)
        _print_deleted("admin.deleted_member", found, code=code, name=name)


def _confirm(question: str, found: DeletionPlan, yes: bool, **facts: str) -> None:
    """Ask the user to confirm a deletion. Any answer other than yes ends the command."""
    texts = texts_for()
    if yes:
        return
    print(
        texts(question, **facts, **_counts(found, texts)),
        texts("site.default_no"),
        end=" ",
        file=sys.stderr,
        flush=True,
    )
    if sys.stdin.readline().strip().lower() not in {*texts("ask.yes").split(), "y", "yes"}:
        print(texts("admin.kept"), file=sys.stderr)
        raise typer.Exit(1)


def _print_deleted(sentence: str, found: DeletionPlan, **facts: str) -> None:
    if settings().json:
        members = found.members
        print_json({"room": facts["code"], "members": members, "matches": len(found.matches)})
        return
    texts = texts_for()
    typer.echo(texts(sentence, **facts, **_counts(found, texts)))


def _counts(found: DeletionPlan, texts: Texts) -> dict[str, str]:
    members, games = len(found.members), len(found.matches)
    return {
        "title": found.title,
        "members": texts("count.members", count=members),
        "games": texts("count.games", count=games),
    }


@admin.command(epilog="connectk admin block 192.0.2.7")
def block(address: str = ADDRESS_ARGUMENT, database: str | None = DATABASE_OPTION) -> None:
    with open_existing(database) as engine:
        from connectk.storage.admin import block_address

        block_address(engine, address)


@admin.command(epilog="connectk admin unblock 192.0.2.7")
def unblock(address: str = ADDRESS_ARGUMENT, database: str | None = DATABASE_OPTION) -> None:
    with open_existing(database) as engine:
        from connectk.storage.admin import unblock_address

        unblock_address(engine, address)
