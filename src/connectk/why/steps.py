"""An explanation as JSON, step by step: worked out once, and told in any language."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from connectk import _native
from connectk.notation.views import variant_view
from connectk.texts import Texts
from connectk.why.boards import Step, shown_pages, step_of, told_line, told_pages
from connectk.why.checker import CheckedExplanation
from connectk.why.explainer import Why
from connectk.why.files import to_json
from connectk.why.telling import known_of, say, say_known

if TYPE_CHECKING:
    from connectk.why.messages import UnsaidStep, WhyAnswer, WhyFacts, WhyStepView


def steps_of(why: Why) -> tuple[Step, ...]:
    """Of what was found; without an explanation, best play as one step. None of a game that is over."""
    if why.found is not None:
        return tuple(step for shown in shown_pages(why.found) for step in shown.steps)
    position = why.solution.position
    return () if position.outcome else (step_of(told_line(position, why.line), position),)


def why_facts(why: Why) -> WhyFacts:
    """All of it but the words, which `in_language` adds."""
    if why.found is not None:
        return explanation_facts(why.found)
    position = why.solution.position
    return {
        "variant": variant_view(position.variant),
        "known": known_of(why),
        "steps": [] if position.outcome else [_view(told_line(position, why.line))],
        "claim": None,
        "kind": None,
        "boards": 0,
        "checked": 0,
        "explanation": None,
    }


def explanation_facts(found: CheckedExplanation) -> WhyFacts:
    """The same of an explanation from anywhere."""
    pages, written = told_pages(found), to_json(found.explanation)
    return {
        "variant": variant_view(found.explanation.position.variant),
        "known": None,
        "steps": [_view(step) for page in pages for step in page.steps],
        "claim": written["claim"],
        "kind": found.explanation.kind,
        "checked": found.checked,
        "explanation": written,
        "boards": len(pages),
    }


def _view(step: _native.Step) -> UnsaidStep:
    return cast("UnsaidStep", step.as_dict())


def in_language(facts: WhyFacts, texts: Texts) -> WhyAnswer:
    """The JSON of an explanation with its words; the one given is left as it is."""
    steps: list[WhyStepView] = [{**step, "words": say(step["kind"], step["facts"], texts)} for step in facts["steps"]]
    return {**facts, "headline": _headline(facts, texts), "steps": steps}


def _headline(facts: WhyFacts, texts: Texts) -> str:
    claim, known = facts["claim"], facts["known"]
    if claim is None:
        assert known is not None  # where nothing is claimed
        return say_known(known, texts)
    counted = texts("why.boards", count=facts["boards"]), texts("why.checked", count=facts["checked"])
    return " ".join((texts(f"why.claim.{claim['side']}.{claim['result']}"), *counted))
