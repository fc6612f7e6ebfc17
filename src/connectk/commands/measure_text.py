"""`connectk measure --text`: measures a program or a server that answers in words."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from connectk.commands.console import ProgressBar, console, settings, texts_for
from connectk.commands.usage import BadUsage

if TYPE_CHECKING:
    from connectk.envs.measure_text import TextMeasurement
    from connectk.rules import Variant
    from connectk.texts import Texts


@dataclass(frozen=True, slots=True)
class TextOptions:
    """The options of `connectk measure` for agents that answer in words."""

    agent: str
    model: str
    key_variable: str
    prompt: str
    parsing: str
    price: str | None
    record: Path | None


def measure_text(
    options: TextOptions, variant: Variant, positions: Any, seed: int, seconds: float | None, limit: float
) -> TextMeasurement:
    """Ask the agent until the time is up, and print the results so far."""
    from connectk.envs import measure_text as measured
    from connectk.players.text_agents import text_agent
    from connectk.players.text_prompts import PARSINGS, PROMPT_STYLES
    from connectk.watch import stop_after

    texts = texts_for()
    style = next((known for known in PROMPT_STYLES if known == options.prompt), None)
    parsing = next((known for known in PARSINGS if known == options.parsing), None)
    if style is None or parsing is None:
        wrong = options.parsing if style else options.prompt
        raise BadUsage("error.BadUsage.text_choice", given=wrong, known=", ".join(PARSINGS if style else PROMPT_STYLES))
    agent = text_agent(options.agent, options.model, options.key_variable)
    with ProgressBar(agent.name, texts) as bar:
        return measured.measure_text(
            agent,
            variant,
            positions,
            style=style,
            parsing=parsing,
            record=options.record,
            prices=prices_of(options.price),
            seed=seed,
            seconds=seconds,
            progress=bar.show,
            stop=stop_after(limit),
        )


def prices_of(text: str | None) -> tuple[float, float] | None:
    """Parse `IN,OUT`: the price of a million input tokens and of a million output tokens."""
    if text is None:
        return None
    try:
        read, written = (float(part) for part in text.split(","))
    except ValueError:
        read = written = -1.0
    if not (0 <= read < float("inf") and 0 <= written < float("inf")):
        raise BadUsage("error.BadUsage.price", given=text)
    return read, written


def print_text(found: TextMeasurement, texts: Texts) -> None:
    """Print facts about the answers themselves, below the table of the measurement."""
    paper = console()
    paper.print(texts("measure.text.illegal", count=found.illegal), markup=False)
    paper.print(texts("measure.text.unreadable", count=found.unreadable), markup=False)
    answers = max(1, found.measurement.all.positions)
    each = f"{found.seconds / answers:.1f}"
    paper.print(texts("measure.text.seconds", seconds=f"{found.seconds:.1f}", each=each), markup=False)
    if found.prompt_tokens is not None and found.answer_tokens is not None:
        counts = {"read": f"{found.prompt_tokens:,}", "written": f"{found.answer_tokens:,}"}
        paper.print(texts("measure.text.tokens", **counts), markup=False)
    if found.cost is not None:
        paper.print(texts("measure.text.cost", cost=f"{found.cost:.4f}"), markup=False)


def print_json(found: TextMeasurement) -> bool:
    """Print the measurement as JSON if the user asked for it. Returns whether it was printed."""
    if settings().json:
        print(json.dumps(found.to_json(), indent=2))
    return settings().json
