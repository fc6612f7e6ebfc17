"""A results file of the arena, as ratings and a crosstable."""

from __future__ import annotations

import json
from typing import Any

from connectk.arena.match import Record
from connectk.arena.results import FORMAT
from connectk.arena.standings import standings
from connectk.arena.tournament import Tournament
from connectk.errors import BadTournament, ConnectkError, NotationError
from connectk.rules import Variant


def arena_view(data: bytes) -> dict[str, Any]:
    """The standings; a last line that was cut short while it was written is left out."""
    lines = data[: data.rfind(b"\n") + 1].splitlines()
    try:
        header, *records = [json.loads(line) for line in lines]
        if header["format"] != FORMAT:
            raise BadTournament("This is not a results file of the arena.")
        tournament = Tournament(tuple(header["players"]), Variant.parse(header["variant"]), header["games"])
        table = standings(tournament, [Record.from_json(record) for record in records])
    except ConnectkError:
        raise
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError) as error:
        raise NotationError("This is not a results file of the arena.") from error
    return table.to_json()
