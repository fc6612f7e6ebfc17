"""`connectk judge`: the verdicts on game files."""

from __future__ import annotations

import gc
import os
import sys
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import typer

from connectk.commands.console import INTERRUPTED, LANGUAGE, Language, texts_for

if TYPE_CHECKING:
    from connectk.referee import Code, Verdict
    from connectk.texts import Texts

EPILOG = (
    "Examples: connectk judge game.txt · connectk judge games/ · connectk judge --json games/ > verdicts.jsonl · "
    "connectk judge --parquet verdicts.parquet games/ · some-program | connectk judge -"
)


def register(app: typer.Typer) -> None:
    app.command("judge", epilog=EPILOG)(judge)


def judge(
    paths: list[str] = typer.Argument(metavar="PATH"),
    as_json: bool = typer.Option(False, "--json"),
    as_csv: bool = typer.Option(False, "--csv"),
    parquet: str = typer.Option("", metavar="OUT"),
    language: Language | None = LANGUAGE,
) -> None:
    if sum([as_json, as_csv, bool(parquet)]) > 1:
        raise typer.BadParameter("choose one of --json, --csv and --parquet")
    texts = texts_for(language)
    sys.set_int_max_str_digits(0)  # a column may have thousands of digits, and here it is meant to be written
    gc.disable()  # verdicts form no cycles, and looking for some among 100,000 of them takes a while
    try:
        counts = _judge(paths, as_json=as_json, as_csv=as_csv, parquet=parquet, texts=texts)
    except KeyboardInterrupt:
        print(texts("report.stopped"), file=sys.stderr)
        raise typer.Exit(INTERRUPTED) from None
    finally:
        gc.enable()
    if not all(code.is_valid_game for code in counts):
        raise typer.Exit(1)


def _judge(paths: list[str], *, as_json: bool, as_csv: bool, parquet: str, texts: Texts) -> Counter[Code]:
    from connectk.referee.many import find_game_files, judge_many

    files = list(find_game_files(paths))
    counts: Counter[Code] = Counter()
    verdicts = _counted(judge_many(files), counts)
    names = [os.fsencode(file).decode("utf-8", "backslashreplace") for file in files]
    if as_json:
        _print_json(names, verdicts)
    elif as_csv:
        _print_csv(names, verdicts)
    elif parquet:
        _write_parquet(parquet, names, _with_progress(verdicts, len(names), texts))
        _print_summary(counts, texts)
    else:
        _print_table(names, list(_with_progress(verdicts, len(names), texts)), texts)
        _print_summary(counts, texts)
    return counts


def _counted(verdicts: Iterator[Verdict], counts: Counter[Code]) -> Iterator[Verdict]:
    for verdict in verdicts:
        counts[verdict.code] += 1
        yield verdict


def _with_progress(verdicts: Iterator[Verdict], total: int, texts: Texts) -> Iterator[Verdict]:
    """A bar while it takes long, where somebody can see it."""
    if not sys.stderr.isatty():
        yield from verdicts
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(verdicts, texts("judge.working"), total, console=Console(stderr=True), transient=True)


def _print_json(names: list[str], verdicts: Iterator[Verdict]) -> None:
    from connectk.referee.report import json_line

    for path, verdict in zip(names, verdicts, strict=True):
        print(json_line(path, verdict))


def _print_csv(names: list[str], verdicts: Iterator[Verdict]) -> None:
    import csv

    from connectk.referee.report import COLUMNS, table_row

    writer = csv.DictWriter(sys.stdout, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for path, verdict in zip(names, verdicts, strict=True):
        writer.writerow(table_row(path, verdict))


def _write_parquet(out: str, names: list[str], verdicts: Iterator[Verdict]) -> None:
    try:
        import pyarrow.parquet
    except ImportError:
        message = "Writing Parquet needs pyarrow; install it with: pip install 'connectk[tables]'"
        raise typer.BadParameter(message, param_hint="--parquet") from None
    from connectk.referee.report import parquet_table, table_row

    rows = [table_row(path, verdict) for path, verdict in zip(names, verdicts, strict=True)]
    try:
        pyarrow.parquet.write_table(parquet_table(rows), out)
    except OSError as error:
        raise typer.BadParameter(f"cannot write {out}: {error.strerror or error}", param_hint="--parquet") from None


def _print_table(names: list[str], verdicts: list[Verdict], texts: Texts) -> None:
    from connectk.referee.report import table_lines

    for line in table_lines(names, verdicts, texts):
        print(line)
    print()


def _print_summary(counts: Counter[Code], texts: Texts) -> None:
    from connectk.referee.report import summary_lines

    for line in summary_lines(counts, texts):
        print(line)
