"""The scenarios of `tests/data/match_scenarios.json`: actions in a match and their results.

A scenario has the board, the seats ("me", "computer", "other", "free"), the clock in seconds and increment, the swap
rule with its number of discs, and the moves that were played at 0 s. A step has an action, its time, and the sides that
act ("by"; by default the sides of "me"). It also has the event that follows or the reason of a refusal, and "then" has
parts of the state afterwards. A scenario that needs a server is marked `server`. The page's rules run all others too
(`tests/core/test_match_here.py`).
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
from connectk.play.events import MATCH_EVENT_NAMES, Dropped, Event, facts_of
from connectk.play.match import Match, MatchSetup, Seat, TimeControl
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
    "swap": False,
    "swap_discs": 1,
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
    """The match of a scenario after its opening moves, before the first step."""
    first, second = (SEATS[seat] for seat in scenario["seats"])
    control = TimeControl(*scenario["clock"]) if scenario["clock"] else None
    start = parse_start(scenario["start"], Variant.parse(scenario["variant"]))
    arranged = {"room": scenario.get("room"), "strangers": scenario.get("strangers", False)}
    setup = MatchSetup(start, first, second, control=control, swap=scenario["swap"], **arranged)
    setup = replace(setup, swap_discs=scenario["swap_discs"])
    match = Match.new("0", setup, 0.0)
    for column in scenario["moves"] * scenario["rounds"]:
        match = match.after(Dropped(match.position.side_to_move, column, 0.0))
    return replace(match, seq=0)


def play(scenario: dict[str, Any], language: str = "en") -> list[dict[str, Any]]:
    """For each step: the event that followed or the refusal with its sentence, and the state of the match
    afterwards."""
    match, answers = begun(scenario), []
    for step in scenario["steps"]:
        event, refused, sentence = None, None, None
        try:
            event = decide(match, step)
            match = match.after(event) if event else match
        except ConnectkError as error:
            event, refused, sentence = None, reason_of(error), error.localize(load_texts(language))
        answers.append(
            {
                "event": event and plain_event(event),
                "refused": refused,
                "sentence": sentence,
                "state": state_facts(match),
            }
        )
    return answers


def decide(match: Match, step: Step) -> Event | None:
    """The event that `connectk.play.ruling` returns for this step."""
    sides, now = sides_of(match, step), step["at"]
    match step["do"]:
        case "drop":
            side, ply = ruling.seat_to_play(match, sides), step.get("ply", match.ply)
            return ruling.drop(match, side, step["column"], ply, now, took=step.get("took"))
        case "join":
            return ruling.join(match, step["name"], step["holder"], now)
        case "take_back" | "redo" as action:
            event: Event = getattr(ruling, action)(match, sides, step.get("to_ply"), now)
            return event
        case "rematch":
            return ruling.rematch(match, sides, "next", now, step.get("start"))
        case "accept":
            return ruling.accept(match, sides, "next", now)
        case "next_game":
            return ruling.next_game(match, "next", now)
        case "call_time" | "abort" as action:
            ended: Event = getattr(ruling, action)(match, now)
            return ended
        case "expire_offer":
            return ruling.expire_offer(match, step["seq"], now)
        case "forfeit":
            return ruling.forfeit(match, *sides, now)
        case action:
            other: Event = getattr(ruling, action)(match, sides, now)
            return other


def sides_of(match: Match, step: Step) -> frozenset[Side]:
    if "by" in step:
        return frozenset(Side[name.upper()] for name in step["by"])
    return frozenset(side for side in Side if match.seat(side).holder == "me")


def plain_event(event: Event) -> dict[str, Any]:
    return {"event": MATCH_EVENT_NAMES[type(event)], "at": event.at, **facts_of(event)}


def state_facts(match: Match) -> dict[str, Any]:
    return {**state_view(match), "moves": list(match.moves), "undone": list(match.undone)}


def check(scenario: dict[str, Any], answers: list[dict[str, Any]]) -> None:
    """Check that the answers are those that the scenario expects."""
    for step, answer in zip(scenario["steps"], answers, strict=True):
        event = step.get("event") and {"at": step["at"], **step["event"]}
        expected = {"event": event, "refused": step.get("refused"), "state": answer["state"] | step.get("then", {})}
        assert plain(answer) == plain(answer | expected), (scenario["about"], step)


def plain(value: Any) -> Any:
    """A value as plain JSON, with times rounded to milliseconds."""
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return round(value, 3) if isinstance(value, float) else value
