"""The standings on a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from connectk.arena.match import Record
from connectk.arena.ratings import difference
from connectk.arena.standings import Standing, Standings
from connectk.arena.tournament import Tournament

WIDEST_CROSSTABLE = 12  # players


def print_standings(tournament: Tournament, standings: Standings, records: Sequence[Record]) -> None:
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=200)  # a file has room; nothing is cut short
    console.print(_ratings(standings))
    if 2 < len(standings.lines) <= WIDEST_CROSSTABLE:
        console.print(_crosstable(standings))
    console.print(_summary(standings))
    if len(tournament.players) == 2:
        console.print(_comparison(tournament, records))
    for reason in standings.forfeits:
        console.print(f"Forfeit: {reason}", style="red", markup=False)


def _ratings(standings: Standings) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("")
    table.add_column("player", no_wrap=True)
    for heading in ("Elo", "±95%", "points", "games", "won", "drawn", "lost", "forfeits", "mean time", "slowest"):
        table.add_column(heading, justify="right", no_wrap=True)
    for place, line in enumerate(standings.lines, start=1):
        table.add_row(str(place), *_cells(line))
    return table


def _cells(line: Standing) -> list[str]:
    times = [_time(line.seconds), _time(line.slowest)]
    counts = [str(count) for count in (line.games, line.wins, line.draws, line.losses, line.forfeits)]
    return [line.name, f"{line.elo:+.0f}", f"{line.margin:.0f}", f"{line.points:g}", *counts, *times]


def _time(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 1 else f"{1000 * seconds:.1f} ms"


def _crosstable(standings: Standings) -> Table:
    """Points of the player in a row against the player in a column."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("")
    table.add_column("points against", no_wrap=True)
    for place in range(len(standings.lines)):
        table.add_column(str(place + 1), justify="right", no_wrap=True)
    for place, line in enumerate(standings.lines, start=1):
        met = standings.crosstable[line.name]
        table.add_row(str(place), line.name, *(_score(met.get(other.name)) for other in standings.lines))
    return table


def _score(met: tuple[float, int] | None) -> str:
    return "·" if met is None else f"{met[0]:g}/{met[1]}"


def _summary(standings: Standings) -> str:
    games, draws = _count(standings.games, "game"), _count(standings.draws, "draw")
    return f"{games}, {draws}, {standings.mean_length:.1f} discs on average."


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _comparison(tournament: Tournament, records: Sequence[Record]) -> str:
    first, second = tournament.players
    gap = difference(tournament.players, records)
    word = "stronger" if gap.elo >= 0 else "weaker"
    return f"{first} is {abs(gap.elo):.0f} ± {gap.margin:.0f} Elo {word} than {second}."
