"""The standings on a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from connectk.arena.faults import localize_forfeit
from connectk.arena.match import Record
from connectk.arena.ratings import difference
from connectk.arena.standings import Standing, Standings, write_elo
from connectk.texts import Texts, load_texts

FILE_WIDTH = 200  # characters of a line if the output is not a terminal
MIN_NAME_CHARS = 12  # that are always shown of a name
COLUMNS = ("points", "games", "won", "drawn", "lost", "forfeits", "time", "slowest")
FIRST_TABLE_COLUMNS = 4  # columns that are always in the first table: Elo, its interval, points and games


def print_standings(
    standings: Standings, records: Sequence[Record], console: Console | None = None, texts: Texts | None = None
) -> None:
    """Print ratings, cross tables and a summary within the console's width, by default in English."""
    console, texts = console or Console(highlight=False), texts or load_texts("en")
    if not console.is_terminal:
        console = Console(highlight=False, width=FILE_WIDTH)
    for table in (*_ratings(standings, console.width, texts), *_crosstables(standings, console.width, texts)):
        console.print(table)
    console.print(_summary(standings, texts))
    if len(standings.lines) == 2:
        console.print(_comparison([line.name for line in standings.lines], records, texts), markup=False)
    for reason in standings.forfeits:
        console.print(texts("arena.forfeit", reason=localize_forfeit(reason, texts)), style="red", markup=False)


def _ratings(standings: Standings, width: int, texts: Texts) -> list[Table]:
    """One table if it fits the width, otherwise two: Elo, interval, points and games in the first."""
    cells = [_cells(line) for line in standings.lines]
    names, title = [line.name for line in standings.lines], texts("arena.table.player")
    whole = ["Elo", "±95%", *(texts(f"arena.table.{column}") for column in COLUMNS)]
    if _width(whole, cells) + _longest([*names, title]) <= width:
        return [_table(whole, names, cells, width, title)]
    return [
        _table(whole[part], names, [row[part] for row in cells], width, title)
        for part in (slice(FIRST_TABLE_COLUMNS), slice(FIRST_TABLE_COLUMNS, None))
    ]


def _table(
    headings: Sequence[str], names: Sequence[str], rows: Sequence[Sequence[str]], width: int, title: str
) -> Table:
    """Ranked lines; the beginning of a name that is too long is cut off."""
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
    """The width of all columns but the names, with two spaces after each."""
    columns = zip(headings, *rows, strict=True)
    return len(str(len(rows))) + 2 + sum(_longest(column) + 2 for column in columns)


def _longest(words: Iterable[str]) -> int:
    return max(map(len, words))


def _shortened(name: str, room: int) -> str:
    return name if len(name) <= room else f"…{name[1 - room :]}"


def _cells(line: Standing) -> list[str]:
    counts = [str(count) for count in (line.games, line.wins, line.draws, line.losses, line.forfeits)]
    times = [_time(line.seconds), _time(line.slowest)]
    return [write_elo(line.elo), f"{line.margin:.0f}", f"{line.points:g}", *counts, *times]


def _time(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 1 else f"{1000 * seconds:.1f} ms"


def _crosstables(standings: Standings, width: int, texts: Texts) -> list[Table]:
    """The points of each row's player against each column's player, split into tables that fit the width."""
    lines = standings.lines
    if len(lines) < 3:
        return []
    names = [line.name for line in lines]
    scores = [[_score(standings.crosstable[one].get(other)) for other in names] for one in names]
    widest = max(_longest(row) for row in scores) + 2
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
    return " ".join([*counted, texts("arena.length", discs=f"{standings.mean_length:.1f}")])


def _comparison(players: Sequence[str], records: Sequence[Record], texts: Texts) -> str:
    """The stronger one first: the standings are in that order."""
    first, second = players
    gap = difference(players, records)
    return texts("arena.stronger", first=first, second=second, elo=f"{gap.elo:.0f}", margin=f"{gap.margin:.0f}")
