"""Prints the standings on a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from connectk.arena.forfeit_texts import localize_forfeit
from connectk.arena.match import GameRecord
from connectk.arena.ratings import different_games, rating_difference
from connectk.arena.standings import Standing, Standings, format_elo, format_margin
from connectk.texts import Texts, load_texts

FILE_WIDTH_CHARS = 200  # the width of the tables if the output is not a terminal
MIN_NAME_CHARS = 12  # at least so many characters of a name are shown
STANDINGS_COLUMNS = ("points", "games", "won", "drawn", "lost", "forfeits", "time", "slowest")
FIRST_TABLE_COLUMNS = 4  # columns that are always in the first table: Elo, its interval, points and games


def print_standings(
    standings: Standings, records: Sequence[GameRecord], console: Console | None = None, texts: Texts | None = None
) -> None:
    """Print ratings, cross tables and a summary. The tables fit the width of the console. The default language is
    English."""
    console, texts = console or Console(highlight=False), texts or load_texts("en")
    if not console.is_terminal:
        console = Console(highlight=False, width=FILE_WIDTH_CHARS)
    for table in _ratings(standings, console.width, texts):
        console.print(table)
    console.print(texts("arena.scale"), style="dim")
    if len(standings.groups) > 1:
        groups = " | ".join(", ".join(group) for group in standings.groups)
        console.print(texts("arena.no_scale", groups=groups), style="yellow", markup=False)
    for table in _crosstables(standings, console.width, texts):
        console.print(table)
    console.print(_summary(standings, texts))
    if [len(group) for group in standings.groups] == [2]:
        console.print(_comparison(standings.groups[0], records, texts), markup=False)
    for fault in standings.forfeits:
        reason = localize_forfeit(fault.reason, texts)
        console.print(texts("arena.fault", reason=reason, count=fault.times), style="red", markup=False)


def _ratings(standings: Standings, width: int, texts: Texts) -> list[Table]:
    """The ratings in one table if it fits the width. Otherwise they are in two tables, and the first of these has Elo,
    interval, points and games."""
    cells = [_cells(line) for line in standings.lines]
    names, title = [line.name for line in standings.lines], texts("arena.table.player")
    whole = ["Elo", "±95%", *(texts(f"arena.table.{column}") for column in STANDINGS_COLUMNS)]
    if _width(whole, cells) + _max_length([*names, title]) <= width:
        return [_table(whole, names, cells, width, title)]
    return [
        _table(whole[part], names, [row[part] for row in cells], width, title)
        for part in (slice(FIRST_TABLE_COLUMNS), slice(FIRST_TABLE_COLUMNS, None))
    ]


def _table(
    headings: Sequence[str], names: Sequence[str], rows: Sequence[Sequence[str]], width: int, title: str
) -> Table:
    """A table with numbered lines. If a name is too long, its beginning is cut off."""
    room = max(MIN_NAME_CHARS, width - _width(headings, rows))
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("")
    table.add_column(title, no_wrap=True)
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    for place, (name, row) in enumerate(zip(names, rows, strict=True), start=1):
        table.add_row(str(place), Text(_shortened(name, room)), *row)
    return table


def _width(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    """The width of all columns except the column of names. Two spaces follow each column."""
    columns = zip(headings, *rows, strict=True)
    return len(str(len(rows))) + 2 + sum(_max_length(column) + 2 for column in columns)


def _max_length(words: Iterable[str]) -> int:
    return max(map(len, words))


def _shortened(name: str, room: int) -> str:
    return name if len(name) <= room else f"…{name[1 - room :]}"


def _cells(line: Standing) -> list[str]:
    counts = [str(count) for count in (line.games, line.wins, line.draws, line.losses, line.forfeits)]
    times = [_time(line.seconds), _time(line.slowest)]
    return [format_elo(line.elo), format_margin(line.margin), f"{line.points:g}", *counts, *times]


def _time(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 1 else f"{1000 * seconds:.1f} ms"


def _crosstables(standings: Standings, width: int, texts: Texts) -> list[Table]:
    """The points of each player against each other player. They are split into tables that fit the width."""
    lines = standings.lines
    if len(lines) < 3:
        return []
    names = [line.name for line in lines]
    scores = [[_score(standings.crosstable[one].get(other)) for other in names] for one in names]
    widest = max(_max_length(row) for row in scores) + 2
    title = texts("arena.table.against")
    many = max(1, (width - max(MIN_NAME_CHARS, len(title)) - 2 - len(str(len(lines))) - 2) // widest)
    blocks = [range(start, min(start + many, len(lines))) for start in range(0, len(lines), many)]
    return [
        _table([str(i + 1) for i in block], names, [[row[i] for i in block] for row in scores], width, title)
        for block in blocks
    ]


def _score(met: tuple[float, int] | None) -> str:
    return "·" if met is None else f"{met[0]:g}/{met[1]}"


def _summary(standings: Standings, texts: Texts) -> str:
    counted = [texts("arena.games", count=standings.games), texts("arena.draws", count=standings.draws)]
    if standings.different_games < standings.games:
        counted.insert(1, texts("arena.different", count=standings.different_games))
    return " ".join([*counted, texts("arena.length", discs=f"{standings.mean_length:.1f}")])


def _comparison(players: Sequence[str], records: Sequence[GameRecord], texts: Texts) -> str:
    """A sentence that compares two players. It names the stronger player first."""
    first, second = players
    gap = rating_difference(players, different_games([r for r in records if {r.first, r.second} == set(players)]))
    key = "arena.stronger" if gap.elo > gap.margin else "arena.not_told_apart"
    return texts(key, first=first, second=second, elo=round(gap.elo), margin=f"{gap.margin:.0f}")
