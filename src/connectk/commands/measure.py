"""`connectk measure`: measure how far a player is from perfect play."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from connectk.commands.console import EXIT_INTERRUPTED, LANGUAGE, texts_for
from connectk.texts import LanguageName

if TYPE_CHECKING:
    from rich.table import Table

    from connectk.envs import Estimate, Measurement
    from connectk.texts import Texts

EPILOG = (
    "Examples: connectk measure mybot.py · connectk measure level:3 --plot level3.svg · "
    "connectk measure mybot.py --variant 6x5x4 --positions 200 · connectk measure mybot.py --moves mine.txt --json"
)
FILE_WIDTH_CHARS = 200


def register(app: typer.Typer) -> None:
    app.command("measure", epilog=EPILOG)(measure)


def measure(
    player: str = typer.Argument(),
    variant: str = typer.Option("7x6x4"),
    positions: int | None = typer.Option(None, min=1),
    moves: Path | None = typer.Option(None),
    time: str | None = typer.Option(None),
    seed: int = typer.Option(1),
    plot: Path | None = typer.Option(None),
    language: LanguageName | None = LANGUAGE,
    as_json: bool = typer.Option(False, "--json"),
) -> None:
    from connectk.commands.arena import check_output_paths
    from connectk.envs.plot import draw_measurement
    from connectk.notation import parse_duration
    from connectk.rules import Variant

    check_output_paths(plot, None)
    texts, board = texts_for(language), Variant.parse(variant)
    asked = positions if moves is None else _lines(moves)
    try:
        found = _measure(player, board, asked, seed, parse_duration(time) if time else None)
    except KeyboardInterrupt:
        raise typer.Exit(EXIT_INTERRUPTED) from None
    if plot is not None:
        plot.write_text(draw_measurement(found, texts), encoding="utf-8")
    if as_json:
        print(json.dumps(found.to_json(), indent=2))
    else:
        _print(found, texts)


def _lines(path: Path) -> list[str]:
    from connectk.notation.files import read_text

    return [line.strip() for line in read_text(path).splitlines() if line.strip()]


def _measure(player: str, variant: object, positions: object, seed: int, seconds: float | None) -> Measurement:
    """Measure the player, with a progress bar if stderr is a terminal."""
    from rich.console import Console
    from rich.progress import Progress

    from connectk.envs import measure as measured

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(player, total=None)
        return measured(
            player,
            variant,  # type: ignore[arg-type]
            positions,  # type: ignore[arg-type]
            seed=seed,
            seconds=seconds,
            progress=lambda report: bar.update(task, completed=report.done, total=report.total),
        )


def _print(found: Measurement, texts: Texts) -> None:
    from rich.console import Console

    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=FILE_WIDTH_CHARS)
    console.print(texts("measure.title", agent=found.agent, variant=str(found.variant)), style="bold", markup=False)
    console.print(_table(found, texts))
    if found.failed:
        console.print(texts("measure.failed", count=found.failed), style="red", markup=False)
    console.print(texts("measure.legend"), style="dim", markup=False)


def _table(found: Measurement, texts: Texts) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column(texts("measure.phase"))
    for heading in ("positions", "perfect", "good", "result_regret", "score_regret"):
        table.add_column(texts(f"measure.{heading}"), justify="right")
    for phase in found.phases:
        shares = (_share(phase.perfect), _share(phase.good))
        regrets = (_mean(phase.result_regret), _mean(phase.score_regret))
        table.add_row(texts(f"measure.{phase.name}"), str(phase.positions), *shares, *regrets)
    return table


def _share(found: Estimate) -> str:
    return f"{found.value:.0%} ({found.low:.0%} – {found.high:.0%})"


def _mean(found: Estimate) -> str:
    return f"{found.value:.2f} ({found.low:.2f} – {found.high:.2f})"
