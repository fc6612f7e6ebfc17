"""Converts explanations to JSON. The JSON without sentences is made once; then the sentences are added in any
language."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from connectk import _native
from connectk.notation.views import SIDE_NAMES, variant_view
from connectk.texts import Texts
from connectk.why.checker import CheckedExplanation
from connectk.why.coach import coach, coach_for, describe_coach
from connectk.why.explainer import Why
from connectk.why.files import to_json
from connectk.why.openings import OpeningPage
from connectk.why.steps import Step, from_native_step, native_best_line_step, native_pages, shown_pages
from connectk.why.wording import describe_known_result, known_result, say

if TYPE_CHECKING:
    from connectk.why.messages import CoachSentenceView, OpeningView, UnlocalizedStep, WhyAnswer, WhyFacts, WhyStepView


def steps_for(why: Why) -> tuple[Step, ...]:
    """The steps to show: those of the explanation or, without an explanation, one step with the line of best play.

    There are no steps if there is no explanation and the game is over or a certified strategy reaches the position.
    """
    if why.found is not None:
        return tuple(step for shown in shown_pages(why.found) for step in shown.steps)
    position = why.solution.position
    return (
        ()
        if position.outcome or why.opening
        else (from_native_step(native_best_line_step(position, why.line), position),)
    )


def why_to_json(why: Why) -> WhyFacts:
    """A result as JSON without sentences; `localize_why` adds them."""
    if why.found is not None:
        return explanation_to_json(why.found)
    position = why.solution.position
    return {
        "variant": variant_view(position.variant),
        "known": known_result(why),
        "steps": [] if position.outcome or why.opening else [_view(native_best_line_step(position, why.line))],
        "coach": list(coach_for(why)),
        "opening": opening_to_json(why.opening),
        "claim": None,
        "kind": None,
        "boards": 0,
        "checked": 0,
        "explanation": None,
    }


def explanation_to_json(found: CheckedExplanation) -> WhyFacts:
    """A checked explanation as JSON without sentences."""
    pages, written = native_pages(found), to_json(found.explanation)
    return {
        "variant": variant_view(found.explanation.position.variant),
        "known": None,
        "steps": [_view(step) for page in pages for step in page.steps],
        "coach": coach(found),
        "opening": None,
        "claim": written["claim"],
        "kind": found.explanation.kind,
        "checked": found.checked,
        "explanation": written,
        "boards": len(pages),
    }


def opening_to_json(opening: OpeningPage | None) -> OpeningView | None:
    """The moves of a certified strategy in a position, as JSON."""
    if opening is None:
        return None
    return {
        "claim": {"side": SIDE_NAMES[opening.claim.keeper], "result": opening.claim.promise.value},
        "boards": opening.boards,
        "drop": opening.drop,
        "answers": [{"reply": one.reply, "answer": one.answer, "wins": one.wins} for one in opening.answers],
    }


def _view(step: _native.Step) -> UnlocalizedStep:
    return cast("UnlocalizedStep", step.as_dict())


def localize_why(facts: WhyFacts, texts: Texts) -> WhyAnswer:
    """A copy of the JSON with the sentences in the language of `texts`."""
    steps: list[WhyStepView] = [{**step, "words": say(step["kind"], step["facts"], texts)} for step in facts["steps"]]
    localized_coach: list[CoachSentenceView] = [{**one, "words": describe_coach(one, texts)} for one in facts["coach"]]
    return {**facts, "headline": _headline(facts, texts), "coach": localized_coach, "steps": steps}


def _headline(facts: WhyFacts, texts: Texts) -> str:
    claim, known = facts["claim"], facts["known"]
    if claim is None:
        assert known is not None  # always set where nothing is claimed
        return describe_known_result(known, texts)
    counted = texts("why.boards", count=facts["boards"]), texts("why.checked", count=facts["checked"])
    return " ".join((texts(f"why.claim.{claim['side']}.{claim['result']}"), *counted))
