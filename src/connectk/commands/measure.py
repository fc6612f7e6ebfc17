"""`connectk measure`: measure how far a player is from perfect play."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from connectk.commands.completion import complete_player
from connectk.commands.console import ProgressBar, console, settings, stopped, texts_for
from connectk.commands.measure_text import TextOptions, measure_text, print_json, print_text
from connectk.commands.options import OUT_OPTION, VARIANT_OPTION, board_of, outputs, path_in, variant_of
from connectk.commands.usage import BadUsage

if TYPE_CHECKING:
    from rich.table import Table

    from connectk.envs import Estimate, Measurement, Phase
    from connectk.rules import Position
    from connectk.texts import Texts
    from connectk.watch import Report

MEASUREMENT_COLUMNS = ("phase", "positions", "perfect", "good", "result_regret", "score_regret")
EPILOG = """
connectk measure mybot.py
connectk measure level:3 --out level3.svg
connectk measure mybot.py --variant 6x5x4 --limit 5min
connectk measure greedy --from positions.txt --json
connectk measure --text "echo Final Answer: 3" --out answers.jsonl
"""


def register(app: typer.Typer) -> None:
    app.command("measure", epilog=EPILOG)(measure)


def measure(
    player: str = typer.Argument("", metavar="PLAYER", autocompletion=complete_player),
    variant: str | None = VARIANT_OPTION,
    positions: int | None = typer.Option(None, min=1),
    inputs: list[str] = typer.Option([], "--from", metavar="POSITION"),
    time: str | None = typer.Option(None, metavar="TIME"),
    limit: str = typer.Option("1min", metavar="TIME"),
    seed: int = typer.Option(1),
    out: list[str] = OUT_OPTION,
    text: str | None = typer.Option(None, "--text", metavar="COMMAND|URL"),
    model: str = typer.Option("", metavar="NAME"),
    key_variable: str = typer.Option("", metavar="VARIABLE"),
    prompt: str = typer.Option("kaggle", metavar="kaggle|plain"),
    parsing: str = typer.Option("strict", metavar="strict|lenient"),
    price: str | None = typer.Option(None, metavar="IN,OUT"),
) -> None:
    from connectk.envs.measurement_plot import draw_measurement
    from connectk.errors import LocalizedError
    from connectk.files import require_writable, write_file
    from connectk.notation import parse_duration

    texts, files = texts_for(), outputs(out, ".svg", *([".jsonl"] if text else []))
    plot, record = path_in(files, ".svg"), path_in(files, ".jsonl")
    require_writable(plot, record)
    if not player and not text:
        raise BadUsage("error.BadUsage.missing", name="PLAYER")
    if player and text:
        raise BadUsage("error.BadUsage.measured")
    asked: Any = _positions(inputs, variant) if inputs else positions
    board = asked[0].variant if inputs and asked else board_of(variant)
    order = (player, board, asked, seed, parse_duration(time) if time else None)
    answers = None
    try:
        if text is not None:
            wanted = TextOptions(text, model, key_variable, prompt, parsing, price, record)
            answers = measure_text(wanted, *order[1:], parse_duration(limit))
        found = answers.measurement if answers else _measure(order, parse_duration(limit), texts)
    except KeyboardInterrupt:
        raise stopped(texts) from None
    if not found.all.positions:
        raise LocalizedError("error.nothing_measured", limit=limit)
    if plot is not None:
        write_file(plot, draw_measurement(found, texts))
    if answers is not None and print_json(answers):
        return
    if settings().json:
        print(json.dumps(found.to_json(), indent=2))
    else:
        _print(found, texts)
    if answers is not None:
        print_text(answers, texts)


def _positions(inputs: list[str], variant: str | None) -> list[Position]:
    """The positions to measure with. Each input is a position in any notation, a file with a position on each line,
    or a file of puzzles."""
    from connectk.notation import parse_any, read_position
    from connectk.notation.positions import is_many_lines
    from connectk.puzzles import parse_puzzles
    from connectk.puzzles.files import PUZZLE_FILE_HEADER_PATTERN

    board, found = variant_of(variant), []
    for source in inputs:
        lines = _lines_of(source)
        if lines and PUZZLE_FILE_HEADER_PATTERN.fullmatch(lines[0]):
            found += [one.position for one in parse_puzzles("\n".join(lines))[1]]
        elif lines and not is_many_lines(lines[0]):
            found += [parse_any(line, board).game.position for line in lines]
        else:
            found.append(read_position(source, board))
    return found


def _lines_of(source: str) -> list[str]:
    """The non-empty lines of a list in a `.txt` or `.jsonl` file. Any other input has no lines."""
    from connectk.notation.files import read_text

    is_list = source.endswith((".txt", ".jsonl")) and Path(source).is_file()
    return [line for line in read_text(Path(source)).splitlines() if line.strip()] if is_list else []


def _measure(order: tuple[Any, ...], limit: float, texts: Texts) -> Measurement:
    """Measure the player until the time is up. If stderr is a terminal, show the progress and the remaining time."""
    from connectk.envs import measure as measured
    from connectk.watch import stop_after

    player, variant, positions, seed, seconds = order
    with ProgressBar(player, texts) as bar:

        def show(report: Report) -> None:
            left = texts("work.left", seconds=max(0, round(limit - report.seconds)))
            bar.set_label(f"{player} {report.done}/{report.total} {left}")
            bar.show(report)

        return measured(player, variant, positions, seed=seed, seconds=seconds, progress=show, stop=stop_after(limit))


def _print(found: Measurement, texts: Texts) -> None:
    from connectk.arena.forfeit_texts import localize_forfeit

    paper = console()
    paper.print(texts("measure.title", agent=found.agent, variant=str(found.variant)), style="bold", markup=False)
    paper.print(measurement_table(found, texts))
    if found.all.positions < found.asked:
        paper.print(texts("measure.partly", count=found.all.positions, asked=found.asked), markup=False)
    if found.failed:
        paper.print(texts("measure.failed", count=found.failed), style="red", markup=False)
    for fault in found.faults:
        reason = localize_forfeit(fault.reason, texts)
        paper.print(texts("measure.fault", count=fault.times, reason=reason), style="red", markup=False)
    paper.print(texts("measure.legend"), style="dim", markup=False)


def measurement_table(found: Measurement, texts: Texts) -> Table:
    """A table with a row for each phase. Headings are broken into lines that fit their columns, so that no cell is
    broken."""
    from rich.table import Table

    rows = [_cells(phase, texts) for phase in found.phases]
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name, *cells in zip(MEASUREMENT_COLUMNS, *rows, strict=True):
        heading = textwrap.fill(texts(f"measure.{name}"), max(map(len, cells)), break_long_words=False)
        table.add_column(heading, justify="left" if name == "phase" else "right")
    for row in rows:
        table.add_row(*row)
    return table


def _cells(phase: Phase, texts: Texts) -> list[str]:
    shares = [_share(one, texts) for one in (phase.perfect, phase.good)]
    regrets = [_mean(one, texts) for one in (phase.result_regret, phase.score_regret)]
    return [texts(f"measure.{phase.name}"), str(phase.positions), *shares, *regrets]


def _share(found: Estimate, texts: Texts) -> str:
    return texts("measure.share", value=f"{found.value:.0%}", low=f"{100 * found.low:.0f}", high=f"{found.high:.0%}")


def _mean(found: Estimate, texts: Texts) -> str:
    return texts("measure.mean", value=f"{found.value:.2f}", error=f"{found.high - found.value:.2f}")
