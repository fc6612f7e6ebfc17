"""Every action, every event and every refusal of a match, from the list in `tests/data/match_scenarios.json`."""

from __future__ import annotations

from typing import Any

import pytest

from connectk.play import ruling
from connectk.play.events import MATCH_EVENT_CLASSES
from connectk.play.refusals import REASON_CODES, Refusal
from tests.play.scenarios import SCENARIOS, actions_of, check, play, refusals_of

NOT_ACTIONS = {"check_name", "seat_to_play"}


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario["about"])
def test_a_scenario_of_a_match(scenario: dict[str, Any]) -> None:
    check(scenario, play(scenario))


def test_every_refusal_has_a_scenario() -> None:
    """Every refusal has a scenario, both those of `ruling` and those of the rules of the game."""
    known = {kind for kind in vars(ruling).values() if isinstance(kind, type) and issubclass(kind, Refusal)}
    assert refusals_of(SCENARIOS) == {kind.reason for kind in known} | set(REASON_CODES.values())


def test_every_action_and_every_event_has_a_scenario() -> None:
    own = {name for name, action in vars(ruling).items() if getattr(action, "__module__", "") == ruling.__name__}
    assert actions_of(SCENARIOS) == {name for name in own if not name.startswith("_")} - NOT_ACTIONS
    events = [step["event"] for scenario in SCENARIOS for step in scenario["steps"] if step.get("event")]
    assert {event["event"] for event in events} == set(MATCH_EVENT_CLASSES)
