"""`connectk room`: create a room for a class on a server, open and start it, and save its results."""

from __future__ import annotations

from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from connectk.commands.connect import LOCAL_SERVER
from connectk.commands.console import ProgressBar, console, print_json, settings, texts_for
from connectk.commands.localized import LocalizedGroup, LocalizedTyper
from connectk.commands.options import VARIANT_OPTION, board_of

if TYPE_CHECKING:
    from connectk.client.api import Json
    from connectk.client.room_host import HostedRoom
    from connectk.texts import Texts

SERVER_OPTION = typer.Option("", metavar="URL", show_default=LOCAL_SERVER)
SECONDS_PER_MINUTE = 60
ROOM_ARGUMENT = typer.Argument(metavar="ROOM")
MAKE_EXAMPLES = """
connectk room make --title "Class 7B" --format knockout
connectk room make --format teams --team 7A --team 7B
connectk room make --fair
connectk room make --three-discs
"""
room = LocalizedTyper(cls=LocalizedGroup, no_args_is_help=True)


class FormatOption(StrEnum):
    swiss = "swiss"
    round_robin = "round_robin"
    knockout = "knockout"
    arena = "arena"
    teams = "teams"
    ladder = "ladder"
    challenges = "challenges"


class WhoOption(StrEnum):
    everyone = "everyone"
    people = "people"
    bots = "bots"


def register(app: typer.Typer) -> None:
    app.add_typer(room, name="room")


@room.command(epilog=MAKE_EXAMPLES)
def make(
    title: str = typer.Option(""),
    kind: FormatOption = typer.Option(FormatOption.swiss, "--format"),
    rounds: int = typer.Option(5, min=1, max=50),
    games: int = typer.Option(1, min=1, max=10),
    limit: str = typer.Option("30min", metavar="TIME"),
    team: list[str] = typer.Option([], metavar="NAME"),
    who: WhoOption = typer.Option(WhoOption.everyone),
    clock: str = typer.Option("3min+2s", metavar="TIME"),
    approval: bool = typer.Option(False, "--approval"),
    balanced: bool = typer.Option(False, "--balanced"),
    fair: bool = typer.Option(False, "--fair"),
    swap: bool = typer.Option(False, "--swap"),
    three_discs: bool = typer.Option(False, "--three-discs"),
    variant: str | None = VARIANT_OPTION,
    server: str = SERVER_OPTION,
) -> None:
    from connectk.arena.clocks import GameClock
    from connectk.client.room_host import make_room
    from connectk.client.seats import HeldSeats
    from connectk.notation import parse_duration
    from connectk.notation.views import variant_view

    order: Json = {"title": title, "format": kind.value, "rounds": rounds, "games": games}
    order |= {"minutes": parse_duration(limit) / SECONDS_PER_MINUTE}
    order |= {
        "who": who.value,
        "approval": approval,
        "openings": "fair" if fair else "balanced" if balanced else "empty",
    }
    order |= {"swap": swap or three_discs, "swap_discs": 3 if three_discs else 1}
    order |= {"clock": asdict(GameClock.parse(clock))}
    order |= {"variant": variant_view(board_of(variant)), **({"teams": team} if team else {})}
    made = make_room(_server(server), order, HeldSeats())
    if settings().json:
        print_json(_links(made))
        return
    for name, value in _links(made).items():
        typer.echo(texts_for()(f"rooms.{name}", value=value))


def _server(server: str) -> str:
    return server or settings().server or LOCAL_SERVER


def _links(made: HostedRoom) -> dict[str, str]:
    return {"code": made.code, "link": made.link, "wall": made.wall_link, "host": made.host_link}


def _hosted(code: str, server: str) -> HostedRoom:
    from connectk.client.room_host import hosted_room
    from connectk.client.seats import HeldSeats

    return hosted_room(_server(server), code, HeldSeats())


@room.command("open", epilog="connectk room open ABC346\nconnectk room open ABC346 --wall")
def open_page(
    code: str = ROOM_ARGUMENT, wall: bool = typer.Option(False, "--wall"), server: str = SERVER_OPTION
) -> None:
    import webbrowser

    hosted = _hosted(code, server)
    link = hosted.wall_link if wall else hosted.host_link
    opened = webbrowser.open(link)
    if settings().json:
        print_json({"link": link, "opened": opened})
    elif not opened:
        typer.echo(link)


@room.command(epilog="connectk room start ABC346")
def start(code: str = ROOM_ARGUMENT, server: str = SERVER_OPTION) -> None:
    begun = _hosted(code, server).start()
    if settings().json:
        print_json(begun)
        return
    count = sum(not (member["left"] or member["waiting"]) for member in begun["members"])
    typer.echo(texts_for()("rooms.started", members=texts_for()("count.members", count=count)))


@room.command(epilog="connectk room results ABC346\nconnectk room results ABC346 --out results/")
def results(
    code: str = ROOM_ARGUMENT,
    out: Path | None = typer.Option(None, "--out", metavar="FOLDER"),
    server: str = SERVER_OPTION,
) -> None:
    texts, hosted = texts_for(), _hosted(code, server)
    grades: list[Json] = []
    files: list[Path] = []
    if out is not None:
        with ProgressBar(texts("rooms.reviewing"), texts) as bar:
            grades = hosted.review_games(bar.show)
        files = hosted.save_results(out, texts.language)
    found = hosted.load()
    if settings().json:
        print_json({"room": found, "grades": grades, "files": [str(path) for path in files]})
        return
    _print_table(found, texts)
    for path in files:
        typer.echo(texts("rooms.saved", file=path))


def _print_table(found: Json, texts: Texts) -> None:
    """Print the standings: rank, name, points, games, and wins, draws and losses."""
    from rich.table import Table

    from connectk.client.api import sanitize

    names = {member["number"]: sanitize(member["name"]) for member in found["members"]}
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("", justify="right")
    table.add_column(texts("room.table.name"))
    for heading in ("points", "games", "record"):
        table.add_column(texts(f"room.table.{heading}"), justify="right")
    for line in found["standings"]:
        record = f"{line['wins']}-{line['draws']}-{line['losses']}"
        cells = [str(line["rank"]), names[line["member"]], f"{line['points']:g}", str(line["games"]), record]
        table.add_row(*(_plain(cell) for cell in cells))
    console().print(table)


def _plain(cell: str) -> str:
    """The text without markup, so that Rich prints every character as it is."""
    from rich.markup import escape

    return escape(cell)
