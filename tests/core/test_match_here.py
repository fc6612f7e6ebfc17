"""Tests a match that the page plays without a server.

It runs the scenarios of `connectk.play`. It also makes random requests to slow workers, and compares the result with
Python's rules.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

from connectk.errors import ConnectkError
from connectk.notation import parse_start
from connectk.notation.views import variant_view
from connectk.play import ruling
from connectk.play.events import Event
from connectk.play.match import Match, MatchSetup, Seat, TimeControl
from connectk.play.refusals import reason_of
from connectk.rules import Side, Variant
from connectk.server.views import state_view
from tests.core.asking import ask, spoken
from tests.play.scenarios import (
    SCENARIOS,
    actions_of,
    check,
    decide,
    plain,
    plain_event,
    play,
    refusals_of,
    state_facts,
)

Order = dict[str, Any]
START_TIME = 1000.0
LOCAL_SCENARIOS = [scenario for scenario in SCENARIOS if not scenario["server"]]
LANGUAGES = ("en", "fi", "sv")
BOARDS = [("7x6x4", ""), ("5x4x3", ""), ("7x6x4", "4xo.5x")]
CONTROLS = [None, TimeControl(40, 2), TimeControl(8)]
OPPONENTS = {
    "drop": 14,
    "swap": 1,
    "extend": 1,
    "take_back": 5,
    "redo": 5,
    "resign": 0.3,
    "offer_draw": 0.3,
    "rematch": 1,
    "accept": 0.3,
}
PAUSES_SECONDS = (0, 0.004, 0.03, 0.4, 0.4, 1, 4, 7.99)  # until the next order
WORKER_DELAYS_MS = (0, 1, 15, 15, 120, 700)  # until a worker has an answer


class Table(NamedTuple):
    variant: str = "7x6x4"
    start: str = ""
    computer: Side | None = None
    control: TimeControl | None = None
    player: str = "random"  # here one who takes the first open column
    swap: bool = False
    swap_discs: int = 1

    @property
    def order(self) -> dict[str, Any]:
        seats = [
            {"kind": "player", "player": self.player} if side is self.computer else {"kind": "me"} for side in Side
        ]
        clock = self.control and {"seconds": self.control.seconds, "increment": self.control.increment}
        view = variant_view(Variant.parse(self.variant))
        seats_order = {"first": seats[0], "second": seats[1]}
        return {
            "variant": view,
            "start": self.start,
            "clock": clock,
            "swap": self.swap,
            "swap_discs": self.swap_discs,
            **seats_order,
        }

    @property
    def match(self) -> Match:
        first, second = (Seat("", self.player) if side is self.computer else Seat("", holder="me") for side in Side)
        start = parse_start(self.start, Variant.parse(self.variant))
        rules: dict[str, Any] = {"control": self.control, "swap": self.swap, "swap_discs": self.swap_discs}
        return Match.new("0", MatchSetup(start, first, second, **rules), START_TIME)


def played(table: Table, orders: Sequence[Order], delays: Sequence[int] = (0,)) -> list[dict[str, Any]]:
    """Let the page run these requests, check its log with Python's rules, and return the log: messages and refused
    requests."""
    [log] = ask([["match", table.order, orders, delays]])
    Replay(table.match).check_log(log)
    return log


def refusals(log: list[dict[str, Any]]) -> list[str | None]:
    """The reason for each refused request, and None for each request that was not refused."""
    answers = {entry["answered"]: entry["refused"] for entry in log if "answered" in entry}
    return [answers[number] for number in sorted(answers)]


def messages_in(log: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [entry["message"] for entry in log if "message" in entry]


class Replay:
    """Replays the page's match in Python, and compares the answer and the state after each request."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.met: set[str] = set()

    def check_log(self, log: list[dict[str, Any]]) -> None:
        news: dict[str, Any] | None = None
        for entry in log:
            if "answered" in entry:
                self._answered(log[entry["answered"]], entry["refused"], news)
                news = None
            elif "message" in entry and not self._by_itself(entry["message"]):
                news = entry["message"]
        assert news is None
        assert all("lost" not in entry for entry in log)
        assert {entry["answered"] for entry in log if "answered" in entry} == {
            number for number, entry in enumerate(log) if "order" in entry
        }
        self._at_rest()

    def _answered(self, entry: dict[str, Any], refused: str | None, news: dict[str, Any] | None) -> None:
        """Check a request and the message with which the page answered it."""
        step = {"do": entry["order"]["type"], "at": entry["at"], **entry["order"]}
        assert not self.match.is_overdue(step["at"]), step
        event, reason = None, None
        try:
            event = decide(self.match, step)
            self.match = self.match.after(event) if event else self.match
        except ConnectkError as error:
            event, reason = None, reason_of(error)
        assert refused == reason, step
        self._same(event, news)
        self.met.add(refused or "done")

    def _by_itself(self, news: dict[str, Any]) -> bool:
        """Check a message that no request caused: a window opens, a computer drops, swaps or gives up, or the time runs
        out."""
        if news["event"] == "welcome":
            assert plain(news["state"]) == plain(state_view(self.match))
            return True
        side = self.match.turn
        if news["event"] == "dropped" and self.match.seat(side).player:
            took = news["thought"].get("nodes", 0) / 1000
            event: Event = ruling.drop(self.match, side, news["column"], self.match.ply, news["at"], took=took)
        elif news["event"] == "swapped" and self.match.seat(side).player:
            event = ruling.swap(self.match, frozenset({side}), news["at"])
        elif news["event"] == "ended" and news["result"]["reason"] == "time":
            event = ruling.call_time(self.match, news["at"])
        elif news["event"] == "ended" and news["result"]["reason"] == "forfeit":
            event = ruling.forfeit(self.match, side, news["at"])
        else:
            return False
        self.match = self.match.after(event)
        self._same(event, news)
        return True

    def _same(self, event: Event | None, news: dict[str, Any] | None) -> None:
        """Compare the event, board, turn, result, clock and redoable drops of the page with Python's."""
        assert (event is None) == (news is None)
        if event is None or news is None:
            return
        self.met.add(news["event"])
        expected = {name: value for name, value in plain_event(event).items() if name not in ("took", "match")}
        assert plain(news) == plain(news | expected)
        state = {name: value for name, value in state_facts(self.match).items() if name in news["state"]}
        assert plain(news["state"]) == plain(state | {"next_match": news["state"]["next_match"]})
        assert (news["state"]["next_match"] is None) == (self.match.next_match is None)
        assert list(news.get("moves", self.match.moves)) == list(self.match.moves)
        assert news["seq"] == self.match.seq

    def _at_rest(self) -> None:
        """Check that the match is over or is waiting for a person without a clock."""
        match = self.match
        self.met.add(match.result.reason.value if match.result else "open")
        assert match.result or (match.deadline is None and not match.seat(match.turn).player)


def test_the_page_rules_as_the_scenarios_say() -> None:
    """In each scenario, the page and Python give the same event or refusal, in every language, and the same state of
    the match."""
    for language in LANGUAGES:
        questions = [spoken(language, "first"), *(["scenario", as_asked(scenario)] for scenario in LOCAL_SCENARIOS)]
        for scenario, answers in zip(LOCAL_SCENARIOS, ask(questions)[1:], strict=True):
            check(scenario, answers)
            assert plain(answers) == plain(play(scenario, language)), scenario["about"]


def as_asked(scenario: dict[str, Any]) -> dict[str, Any]:
    kinds = {"me": {"kind": "person", "name": "", "player": None}, "computer": {"kind": "player", "player": "random"}}
    setup = {
        "variant": variant_view(Variant.parse(scenario["variant"])),
        "start": scenario["start"],
        "seats": {str(side): kinds[seat] for side, seat in zip(Side, scenario["seats"], strict=True)},
        "clock": scenario["clock"] and dict(zip(("seconds", "increment"), scenario["clock"], strict=True)),
        "swap": scenario["swap"],
        "swap_discs": scenario["swap_discs"],
        "previous": None,
    }
    return {"setup": setup, "moves": scenario["moves"], "steps": scenario["steps"]}


def test_everything_that_the_page_refuses_has_a_scenario() -> None:
    """The page's functions have the same names as Python's, and each of their refusals has a scenario."""
    [rules] = ask([["rules"]])
    assert refusals_of(LOCAL_SCENARIOS) == set(rules["reasons"])
    assert {camel(name) for name in actions_of(LOCAL_SCENARIOS)} | {"seatToPlay"} == set(rules["actions"])
    server_only = {"join", "abort", "check_name", "expire_offer", "next_game"}
    own = {name for name, function in vars(ruling).items() if getattr(function, "__module__", "") == ruling.__name__}
    assert {camel(name) for name in own if not name.startswith("_")} - set(rules["actions"]) == {
        camel(name) for name in server_only
    }


def camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(other.capitalize() for other in others)


WIN = [{"type": "drop", "column": column, "ply": ply, "at": 1002} for ply, column in enumerate((0, 1, 0, 1))]


def test_a_disc_dropped_before_the_flag_wins_although_the_worker_is_slow() -> None:
    """A winning disc dropped 15 ms before the time is over wins, although the page's worker needs 40 ms to process
    it."""
    winning = {"type": "drop", "column": 0, "ply": 4, "at": 1009.985}
    log = played(Table("5x4x3", control=TimeControl(8)), [*WIN, winning], (1, 1, 1, 1, 1, 1, 40))
    assert [news["state"]["result"] for news in messages_in(log)] == [
        None,
        None,
        None,
        None,
        None,
        {"winner": "first", "reason": "line"},
    ]


def test_a_disc_dropped_after_the_flag_is_no_win_although_nobody_has_called_time() -> None:
    """A disc dropped at the exact end of the time does not win, even if the page's worker is still busy."""
    late = {"type": "drop", "column": 0, "ply": 4, "at": 1010}
    log = played(Table("5x4x3", control=TimeControl(8)), [*WIN, late], (1, 1, 1, 1, 1, 9000))
    assert refusals(log)[-1] == "match_over"
    assert log[-2]["message"]["result"] == {"winner": "second", "reason": "time"}


def test_the_flag_falls_also_when_the_time_of_day_is_turned_back() -> None:
    """If the system clock is set back, the timer of a turn fires too early, and the page starts it again."""
    first = {"type": "drop", "column": 0, "ply": 0, "at": 1000}
    log = played(Table(control=TimeControl(8)), [first, {"type": "redo", "at": 1004, "turnBack": 3}])
    assert (log[-1]["message"]["result"]["reason"], log[-1]["message"]["at"]) == ("time", 1008)


def test_a_drop_that_was_meant_for_another_moment_is_not_played() -> None:
    log = played(Table(), [{"type": "drop", "column": 3, "ply": ply, "at": 1002} for ply in (99, 0, 0)])
    assert refusals(log) == ["stale", None, "stale"]


def test_nobody_drops_the_computers_disc_and_it_goes_on_thinking() -> None:
    """A refused drop on the computer's turn does not disturb the computer, which drops at its usual time."""
    orders = [{"type": "drop", "column": 3, "ply": 0, "at": 1002}, {"type": "redo", "at": 1003}]
    log = played(Table(computer=Side.FIRST), orders, (0, 0, 5000))
    assert refusals(log) == ["not_your_turn", "nothing_to_redo"]
    assert [(news["column"], round(news["at"])) for news in messages_in(log)[1:]] == [(0, 1006)]


def test_a_computer_that_has_no_answer_forfeits() -> None:
    log = played(Table(computer=Side.FIRST, player="broken"), [])
    assert log[-1]["message"]["result"] == {"winner": "second", "reason": "forfeit"}


def test_two_windows_with_one_match_play_one_game() -> None:
    """If a match is open in two windows, a window that missed a disc is refused, gets the new board and can play on."""
    orders = [{"type": "drop", "column": 3, "ply": 0, "at": 1002}, {"type": "take_back", "at": 1003, "window": 1}]
    orders += [{"type": "drop", "column": 4, "ply": 1, "at": 1004}, {"type": "drop", "column": 4, "ply": 0, "at": 1005}]
    [log] = ask([["match", Table().order, orders, [0]]])
    assert refusals(log) == [None, None, "stale", None]
    assert [news["moves"] for news in messages_in(log) if news["event"] == "welcome"] == [[], []]
    assert [news["column"] for news in messages_in(log) if news["event"] == "dropped"] == [3, 4]


@pytest.mark.parametrize("computer", [None, *Side], ids=["two here", "computer first", "computer second"])
def test_the_page_judges_whatever_is_done_as_python_does(computer: Side | None) -> None:
    """The page treats random requests as Python does, each by the time at which it was made: outdated plies, drops on
    the computer's turn, and drops after the time is over."""
    dice, met = random.Random(3), set[str]()
    rows = [(*board, computer, control) for board in BOARDS for control in CONTROLS]
    rules: list[dict[str, Any]] = [{}, {"swap": True}, {"swap": True, "swap_discs": 3}]
    tables = [Table(*row, **rule) for row in rows for rule in rules] * 2
    scripts = [random_orders(dice, Variant.parse(table.variant).width) for table in tables]
    delays = [dice.choices(WORKER_DELAYS_MS, k=29) for _ in tables]
    questions = [["match", table.order, *script] for table, *script in zip(tables, scripts, delays, strict=True)]
    for table, log in zip(tables, ask(questions), strict=True):
        replay = Replay(table.match)
        replay.check_log(log)
        met |= replay.met
    assert met >= {
        "done",
        "match_over",
        "column_full",
        "stale",
        "nothing_to_redo",
        "nothing_to_take_back",
        "match_open",
        "no_swap",
        "swapped",
    }
    assert "extended" in met or computer is Side.SECOND
    assert met >= {"open", "line", "resigned", "time", "no_offer"} | (
        {"declined", "not_your_turn"} if computer else {"agreed"}
    )


def random_orders(dice: random.Random, width: int) -> list[Order]:
    """Drops for the board that the page shows, mixed with some requests that are refused."""
    now, orders = START_TIME + 2, []
    for kind in dice.choices(list(OPPONENTS), list(OPPONENTS.values()), k=40):
        order: Order = {"type": kind, "at": now}
        match kind:
            case "drop":
                order |= {"column": min(dice.choices(range(width), k=2)), "ahead": dice.choice((0,) * 9 + (-1, 1, 99))}
            case "take_back" | "redo":
                order |= {"to_ply": dice.choice((None, None, dice.randrange(14)))}
        orders.append(order)
        now = round(now + dice.choice(PAUSES_SECONDS), 3)
    return orders
