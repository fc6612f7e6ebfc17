"""The scenarios of `tests/data/match_scenarios.json`: what is done to a match, and what follows.

A scenario has the board, the seats ("me", "computer", "other", "free"), the clock in seconds and increment, and the
moves that were played at 0 s. Each step says what is done, when and by which sides ("by": those of "me", unless it says
otherwise), and either the event that follows or why it is refused; "then" has some of what is told afterwards. What
exists with a server only is marked `server`; all else is run by the page's rules too (`tests/core/test_match_here.py`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from connectk.errors import ConnectkError
from connectk.notation import parse_start
from connectk.play import ruling
from connectk.play.events import NAMES, Dropped, Event, facts_of
from connectk.play.match import Match, Seat, Setup, TimeControl
from connectk.play.refusals import reason_of
from connectk.rules import Side, Variant
from connectk.server.views import state_view
from connectk.texts import load_texts

Step = dict[str, Any]
DEFAULTS = {
    "variant": "7x6x4",
    "start": "",
    "seats": ["me", "me"],
    "clock": None,
    "moves": [],
    "rounds": 1,
    "server": False,
}
SEATS = {
    "me": Seat("", holder="me"),
    "computer": Seat("", "random"),
    "other": Seat("", holder="other"),
    "free": Seat(""),
}
FILE = Path(__file__).parents[1] / "data/match_scenarios.json"
SCENARIOS: list[dict[str, Any]] = [DEFAULTS | scenario for scenario in json.loads(FILE.read_text(encoding="utf-8"))]


def refusals_of(scenarios: Iterable[dict[str, Any]]) -> set[str]:
    return {step["refused"] for scenario in scenarios for step in scenario["steps"] if "refused" in step}


def actions_of(scenarios: Iterable[dict[str, Any]]) -> set[str]:
    return {step["do"] for scenario in scenarios for step in scenario["steps"]}


def begun(scenario: dict[str, Any]) -> Match:
    """The match with the moves before the first step."""
    first, second = (SEATS[seat] for seat in scenario["seats"])
    control = TimeControl(*scenario["clock"]) if scenario["clock"] else None
    start = parse_start(scenario["start"], Variant.parse(scenario["variant"]))
    match = Match.new("0", Setup(start, first, second, control=control, room=scenario.get("room")), 0.0)
    for column in scenario["moves"] * scenario["rounds"]:
        match = match.after(Dropped(match.position.side_to_move, column, 0.0))
    return replace(match, seq=0)


def play(scenario: dict[str, Any], language: str = "en") -> list[dict[str, Any]]:
    """The event that followed each step, or why it was refused and in which words, and what is told of the match
    afterwards."""
    match, answers = begun(scenario), []
    for step in scenario["steps"]:
        event, refused, said = None, None, None
        try:
            event = decide(match, step)
            match = match.after(event) if event else match
        except ConnectkError as error:
            event, refused, said = None, reason_of(error), error.localize(load_texts(language))
        answers.append({"event": event and plain_event(event), "refused": refused, "said": said, "told": told(match)})
    return answers


def decide(match: Match, step: Step) -> Event | None:
    """What `connectk.play.ruling` says."""
    sides, now = sides_of(match, step), step["at"]
    match step["do"]:
        case "drop":
            side, ply = ruling.seat_to_play(match, sides), step.get("ply", match.ply)
            return ruling.drop(match, side, step["column"], ply, now, took=step.get("took"))
        case "join":
            return ruling.join(match, step["name"], step["holder"], now)
        case "take_back" | "redo" as deed:
            event: Event = getattr(ruling, deed)(match, sides, step.get("to_ply"), now)
            return event
        case "rematch" | "accept" as deed:
            made: Event | None = getattr(ruling, deed)(match, sides, "next", now)
            return made
        case "call_time" | "abort" as deed:
            ended: Event = getattr(ruling, deed)(match, now)
            return ended
        case "forfeit":
            return ruling.forfeit(match, *sides, now)
        case deed:
            other: Event = getattr(ruling, deed)(match, sides, now)
            return other


def sides_of(match: Match, step: Step) -> frozenset[Side]:
    if "by" in step:
        return frozenset(Side[name.upper()] for name in step["by"])
    return frozenset(side for side in Side if match.seat(side).holder == "me")


def plain_event(event: Event) -> dict[str, Any]:
    return {"event": NAMES[type(event)], "at": event.at, **facts_of(event)}


def told(match: Match) -> dict[str, Any]:
    return {**state_view(match), "moves": list(match.moves), "undone": list(match.undone)}


def check(scenario: dict[str, Any], answers: list[dict[str, Any]]) -> None:
    """Whether that is what the scenario says."""
    for step, answer in zip(scenario["steps"], answers, strict=True):
        event = step.get("event") and {"at": step["at"], **step["event"]}
        expected = {"event": event, "refused": step.get("refused"), "told": answer["told"] | step.get("then", {})}
        assert plain(answer) == plain(answer | expected), (scenario["about"], step)


def plain(value: Any) -> Any:
    """As JSON has it, with times to the millisecond."""
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return round(value, 3) if isinstance(value, float) else value
