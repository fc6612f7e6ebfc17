"""`connectk judge`: check game files and report a verdict on each."""

from __future__ import annotations

import gc
import os
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import typer

from connectk.commands.console import ProgressBar, console, settings, stopped, texts_for
from connectk.commands.options import CLUSTER_OPTION, OUT_OPTION, outputs

if TYPE_CHECKING:
    from connectk.cluster.tables import Format
    from connectk.referee import Code, Verdict
    from connectk.texts import Texts

EPILOG = """
connectk judge game.txt
connectk judge games/
connectk judge --json games/ > verdicts.jsonl
connectk judge games/ --out verdicts.parquet
printf '7 6 4\\n4\\n4\\n' | connectk judge -
connectk judge games.jsonl more.tar --out verdicts.jsonl --cluster local:4
"""


def register(app: typer.Typer) -> None:
    app.command("judge", epilog=EPILOG)(judge)


def judge(
    paths: list[str] = typer.Argument(metavar="PATH"),
    as_csv: bool = typer.Option(False, "--csv"),
    out: list[str] = OUT_OPTION,
    cluster: str | None = CLUSTER_OPTION,
) -> None:
    texts, files, as_json = texts_for(), list(outputs(out, ".parquet", ".jsonl").values()), settings().json
    if (as_csv and as_json) or len(files) > 1 or (files and as_csv):
        raise typer.BadParameter(texts("judge.one_form"))
    if cluster and not files:
        raise typer.BadParameter(texts("judge.to_file"), param_hint="--cluster")
    sys.set_int_max_str_digits(0)  # a verdict may print a column number with thousands of digits
    gc.disable()  # verdicts form no cycles, and the collector would be slow with 100,000 of them
    try:
        if files:
            counts = _judge_to_file(files[0], paths, cluster, texts)
        else:
            counts = _judge(paths, as_json=as_json, as_csv=as_csv, texts=texts)
    except KeyboardInterrupt:
        raise stopped(texts) from None
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
    """The names of the files, and an iterator over the verdicts on them."""
    from connectk.referee import find_game_files, judge_many
    from connectk.referee.game_sources import has_many, judge_all
    from connectk.referee.reasons import judged_as_saved

    if any(map(has_many, paths)):
        judged = list(judge_all(paths))
        return [name for name, _ in judged], iter([verdict for _, verdict in judged])
    files = list(find_game_files(paths))
    names = [os.fsencode(file).decode("utf-8", "backslashreplace") for file in files]
    return names, map(judged_as_saved, files, judge_many(files))


def _judge_to_file(out: str, paths: list[str], cluster: str | None, texts: Texts) -> Counter[Code]:
    """Write the verdicts to one file or to several files in a folder, on this computer or on a cluster. If the work is
    stopped, running the command again continues it."""
    from connectk.cluster import PartsFolder, open_pool, run_job
    from connectk.cluster.files import parts_folder_of
    from connectk.cluster.tables import join, require_pyarrow
    from connectk.referee.game_sources import GameCollection
    from connectk.referee.verdict_rows import parquet_schema

    form: Format = "parquet" if out.rstrip("/").endswith(".parquet") else "jsonl"
    if form == "parquet":
        require_pyarrow()
    folder = parts_folder_of(out)
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
    from connectk.referee.game_sources import codes_in

    for content in contents:
        counts.update(codes_in(content, form))
        yield content


def _count_verdicts(verdicts: Iterator[Verdict], counts: Counter[Code]) -> Iterator[Verdict]:
    for verdict in verdicts:
        counts[verdict.code] += 1
        yield verdict


def _with_progress(verdicts: Iterator[Verdict], total: int, texts: Texts) -> Iterator[Verdict]:
    """Yield the verdicts, with a progress bar if stderr is a terminal."""
    if not sys.stderr.isatty() or settings().plain:
        yield from verdicts
        return
    from rich.progress import track

    yield from track(verdicts, texts("judge.working"), total, console=console(stderr=True), transient=True)


def _print_json(names: list[str], verdicts: Iterator[Verdict]) -> None:
    from connectk.referee.verdict_rows import json_line

    for path, verdict in zip(names, verdicts, strict=True):
        print(json_line(path, verdict))


def _print_csv(names: list[str], verdicts: Iterator[Verdict]) -> None:
    import csv

    from connectk.referee.verdict_rows import VERDICT_COLUMNS, table_row

    writer = csv.DictWriter(sys.stdout, VERDICT_COLUMNS, lineterminator="\n")
    writer.writeheader()
    for path, verdict in zip(names, verdicts, strict=True):
        writer.writerow(table_row(path, verdict))


def _print_table(names: list[str], verdicts: list[Verdict], texts: Texts) -> None:
    from connectk.referee.verdict_rows import table_lines

    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    for line in table_lines(names, verdicts, texts, width):
        print(line)
    print()


def _print_summary(counts: Counter[Code], texts: Texts) -> None:
    from connectk.referee.verdict_rows import summary_lines

    for line in summary_lines(counts, texts):
        print(line)
