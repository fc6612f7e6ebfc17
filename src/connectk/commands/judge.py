"""`connectk judge`: check game files and report a verdict on each."""

from __future__ import annotations

import gc
import os
import sys
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import typer

from connectk.commands.console import CLUSTER, EXIT_INTERRUPTED, LANGUAGE, ProgressBar, texts_for
from connectk.texts import LanguageName

if TYPE_CHECKING:
    from connectk.cluster.tables import Format
    from connectk.referee import Code, Verdict
    from connectk.texts import Texts

EPILOG = (
    "Examples: connectk judge game.txt · connectk judge games/ · connectk judge --json games/ > verdicts.jsonl · "
    "connectk judge --parquet verdicts.parquet games/ · some-program | connectk judge - · "
    "connectk judge games.jsonl more.tar --parquet verdicts.parquet --cluster local:4"
)


def register(app: typer.Typer) -> None:
    app.command("judge", epilog=EPILOG)(judge)


def judge(
    paths: list[str] = typer.Argument(metavar="PATH"),
    as_json: bool = typer.Option(False, "--json"),
    as_csv: bool = typer.Option(False, "--csv"),
    parquet: str = typer.Option("", metavar="OUT"),
    jsonl: str = typer.Option("", metavar="OUT"),
    cluster: str | None = CLUSTER,
    language: LanguageName | None = LANGUAGE,
) -> None:
    if sum([as_json, as_csv, bool(parquet), bool(jsonl)]) > 1:
        raise typer.BadParameter(texts_for()("judge.one_form"))
    if cluster and not (parquet or jsonl):
        raise typer.BadParameter(texts_for()("judge.to_file"), param_hint="--cluster")
    texts = texts_for(language)
    sys.set_int_max_str_digits(0)  # a verdict may print a column number with thousands of digits
    gc.disable()  # verdicts form no cycles, and collecting among 100,000 of them is slow
    try:
        if parquet or jsonl:
            counts = _judge_to_file(parquet or jsonl, "parquet" if parquet else "jsonl", paths, cluster, texts)
        else:
            counts = _judge(paths, as_json=as_json, as_csv=as_csv, texts=texts)
    except KeyboardInterrupt:
        print(texts("report.stopped"), file=sys.stderr)
        raise typer.Exit(EXIT_INTERRUPTED) from None
    finally:
        gc.enable()
    if not all(code.is_valid_game for code in counts):
        raise typer.Exit(1)


def _judge(paths: list[str], *, as_json: bool, as_csv: bool, texts: Texts) -> Counter[Code]:
    counts: Counter[Code] = Counter()
    names, verdicts = _judge_files(paths)
    verdicts = _count_verdicts(verdicts, counts)
    if as_json:
        _print_json(names, verdicts)
    elif as_csv:
        _print_csv(names, verdicts)
    else:
        _print_table(names, list(_with_progress(verdicts, len(names), texts)), texts)
        _print_summary(counts, texts)
    return counts


def _judge_files(paths: list[str]) -> tuple[list[str], Iterator[Verdict]]:
    """Return the file names and an iterator over their verdicts."""
    from connectk.referee import find_game_files, judge_many
    from connectk.referee.shards import has_many, judge_all

    if any(map(has_many, paths)):
        judged = list(judge_all(paths))
        return [name for name, _ in judged], iter([verdict for _, verdict in judged])
    files = list(find_game_files(paths))
    return [os.fsencode(file).decode("utf-8", "backslashreplace") for file in files], judge_many(files)


def _judge_to_file(out: str, form: Format, paths: list[str], cluster: str | None, texts: Texts) -> Counter[Code]:
    """Write the verdicts to a file or to shards, locally or on a cluster. Running it again resumes a stopped job."""
    from connectk.cluster import PartsFolder, open_pool, run_job
    from connectk.cluster.files import parts_folder_of
    from connectk.cluster.tables import join, require_pyarrow
    from connectk.errors import FileNotWritable, MissingExtra
    from connectk.referee.report import parquet_schema
    from connectk.referee.shards import GameCollection

    try:
        if form == "parquet":
            require_pyarrow()
        folder = parts_folder_of(out)
    except (MissingExtra, FileNotWritable) as error:
        raise typer.BadParameter(error.localize(texts), param_hint=f"--{form}") from None
    games = GameCollection(paths, form)
    counts: Counter[Code] = Counter()
    with PartsFolder(folder, games.plan | {"form": form}) as parts:
        with open_pool(cluster, threads=True) as pool, ProgressBar(texts("judge.working"), texts) as bar:
            for path in paths[:1]:
                pool.require_visible(path)
            run_job(pool, games.sources, parts, progress=bar.show)
        contents = _count_contents(parts.contents(len(games.sources)), form, counts)
        join(contents, out, form, parquet_schema() if form == "parquet" else None)
        parts.remove()
    _print_summary(counts, texts)
    return counts


def _count_contents(contents: Iterator[bytes], form: Format, counts: Counter[Code]) -> Iterator[bytes]:
    from connectk.referee.shards import codes_in

    for content in contents:
        counts.update(codes_in(content, form))
        yield content


def _count_verdicts(verdicts: Iterator[Verdict], counts: Counter[Code]) -> Iterator[Verdict]:
    for verdict in verdicts:
        counts[verdict.code] += 1
        yield verdict


def _with_progress(verdicts: Iterator[Verdict], total: int, texts: Texts) -> Iterator[Verdict]:
    """Show a progress bar if stderr is a terminal."""
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

    from connectk.referee.report import VERDICT_COLUMNS, table_row

    writer = csv.DictWriter(sys.stdout, VERDICT_COLUMNS, lineterminator="\n")
    writer.writeheader()
    for path, verdict in zip(names, verdicts, strict=True):
        writer.writerow(table_row(path, verdict))


def _print_table(names: list[str], verdicts: list[Verdict], texts: Texts) -> None:
    from connectk.referee.report import table_lines

    for line in table_lines(names, verdicts, texts):
        print(line)
    print()


def _print_summary(counts: Counter[Code], texts: Texts) -> None:
    from connectk.referee.report import summary_lines

    for line in summary_lines(counts, texts):
        print(line)
