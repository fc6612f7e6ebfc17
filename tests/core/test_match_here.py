"""A match that the page plays without a server: held to what `connectk.play` rules and folds, deed by deed."""

from __future__ import annotations

import random
from typing import Any

import pytest

from connectk.errors import ConnectkError
from connectk.notation import parse_start
from connectk.notation.views import variant_view
from connectk.play import ruling
from connectk.play.match import Match, Seat, Setup, TimeControl
from connectk.play.refusals import reason_of
from connectk.rules import Side, Variant
from connectk.server.views import state_view
from tests.core.asking import ask

Deed = dict[str, Any]
BEGAN = 1000.0
COMPUTER = "random"  # here one who takes the first open column
BOARDS = [("7x6x4", ""), ("5x4x3", ""), ("7x6x4", "4xo.5x")]
CONTROLS = [None, TimeControl(40, 2), TimeControl(8)]
KINDS = {"drop": 14, "take_back": 5, "redo": 5, "wait": 3, "resign": 0.3, "offer_draw": 0.3, "rematch": 1}


def random_deeds(dice: random.Random, width: int) -> list[Deed]:
    """Mostly drops, with some that are refused."""
    return [random_deed(kind, dice, width) for kind in dice.choices(list(KINDS), list(KINDS.values()), k=40)]


def random_deed(kind: str, dice: random.Random, width: int) -> Deed:
    match kind:
        case "drop":
            return {"type": kind, "column": dice.randrange(width)}
        case "wait":
            return {"wait": dice.choice((1, 4, 9))}
        case "take_back" | "redo":
            return {"type": kind, "to_ply": dice.choice((None, None, dice.randrange(14)))}
    return {"type": kind}


class Table:
    """The match in Python: one person with the seats that no computer has."""

    def __init__(self, variant: str, start: str, computer: Side | None, control: TimeControl | None) -> None:
        self.now = BEGAN
        seats = [Seat("", COMPUTER) if side is computer else Seat("", holder="me") for side in Side]
        self.sides = frozenset(side for side in Side if side is not computer)
        setup = Setup(parse_start(start, Variant.parse(variant)), seats[0], seats[1], control=control)
        self.match = Match.new("0", setup, self.now)

    def do(self, deed: Deed) -> str | None:
        """Why it is refused."""
        try:
            if "wait" in deed:
                self._wait(deed["wait"])
            else:
                self._rule(deed)
        except ConnectkError as error:
            return reason_of(error)
        return None

    def _wait(self, seconds: float) -> None:
        self.now += seconds
        if self.match.deadline is not None and self.match.deadline <= self.now:
            self.match = self.match.after(ruling.call_time(self.match, self.now))

    def _rule(self, deed: Deed) -> None:
        match, sides, now = self.match, self.sides, self.now
        event: Any
        match deed["type"]:
            case "drop":
                event = ruling.drop(match, match.position.side_to_move, deed["column"], match.ply, now)
            case "rematch":
                event = ruling.rematch(match, sides, "1", now)
            case "take_back" | "redo" as kind:
                event = getattr(ruling, kind)(match, sides, deed["to_ply"], now)
            case kind:
                event = getattr(ruling, kind)(match, sides, now)
        if event:
            self.match = match.after(event)

    def let_the_computer_play(self) -> None:
        position = self.match.position
        if self.match.is_running and self.match.seat(position.side_to_move).player:
            side, column = position.side_to_move, position.legal_columns[0]
            self.match = self.match.after(ruling.drop(self.match, side, column, self.match.ply, self.now))

    def told(self, refused: str | None) -> dict[str, Any]:
        state: dict[str, Any] = {**state_view(self.match), "next_match": self.match.next_match is not None}
        return {"refused": refused, "moves": self.match.moves, "undone": self.match.undone, "state": state}


@pytest.mark.parametrize("computer", [None, *Side], ids=["two here", "computer first", "computer second"])
def test_the_page_rules_as_python_does(computer: Side | None) -> None:
    """Board, turn, result, clock and what can be played again are the same after each deed, refused or not."""
    dice = random.Random(3)
    met: set[str] = set()
    tables = [(*board, computer, control) for board in BOARDS for control in CONTROLS] * 6
    scripts = [random_deeds(dice, Variant.parse(name).width) for name, *_ in tables]
    questions = [["match", order(*table), deeds] for table, deeds in zip(tables, scripts, strict=True)]
    for facts, deeds, answers in zip(tables, scripts, ask(questions), strict=True):
        table = Table(*facts)
        for number, answer in enumerate(answers):
            refused = table.do(deeds[number - 1]) if number else None
            table.let_the_computer_play()
            assert plain(answer) == plain(table.told(refused)), (facts, deeds[:number])
            met.add(refused or "done")
        met.add(table.match.result.reason.value if table.match.result else "open")
    assert met >= {"match_over", "column_full", "nothing_to_redo", "nothing_to_take_back", "match_open"}
    assert met >= {"done", "open", "line", "resigned", "time", "declined" if computer else "agreed"}


def order(name: str, start: str, computer: Side | None, control: TimeControl | None) -> dict[str, Any]:
    seats = {str(side): {"kind": "player", "player": COMPUTER} if side is computer else {"kind": "me"} for side in Side}
    clock = control and {"seconds": control.seconds, "increment": control.increment}
    return {"variant": variant_view(Variant.parse(name)), "start": start, "clock": clock, **seats}


def plain(value: Any) -> Any:
    """As JSON has it, with times to the millisecond."""
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return round(value, 3) if isinstance(value, float) else value
