"""The games of several results files as one: the same player is the same wherever it played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from connectk.arena.match import Record
from connectk.arena.reading import Results
from connectk.errors import BadTournament
from connectk.rules import Variant


def pooled(several: Sequence[Results]) -> tuple[Variant, list[str], list[Record]]:
    """The board, the players and their games. A file given twice counts once; a bot that has changed is another one."""
    several = [results for results in several if results.records]
    if not several:
        raise BadTournament("error.BadTournament.no_records")
    boards = {str(results.variant): results.name for results in several}
    if len(boards) > 1:
        told = ", ".join(f"{name} ({board})" for board, name in boards.items())
        raise BadTournament("error.BadTournament.boards", boards=told)
    games = {game: None for results in several for game in _named(results, _changed(several))}
    players = {name: None for game in games for name in (game.first, game.second)}
    return several[0].variant, list(players), list(games)


def _changed(several: Sequence[Results]) -> set[str]:
    """Bots whose file was not the same everywhere."""
    versions: dict[str, set[str]] = {}
    for results in several:
        for name, digest in results.header.get("bots", {}).items():
            versions.setdefault(name, set()).add(digest)
    return {name for name, digests in versions.items() if len(digests) > 1}


def _named(results: Results, changed: set[str]) -> list[Record]:
    """The games with the bots that have changed told apart: mybot.py (3fa1)."""
    bots = results.header.get("bots", {})
    names = {name: f"{name} ({bots[name][:4]})" if name in changed else name for name in results.header["players"]}
    return [replace(game, first=names[game.first], second=names[game.second]) for game in results.records.values()]
