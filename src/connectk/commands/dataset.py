"""`connectk dataset`: write positions with the exact score of every column to Parquet files."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

from connectk.commands.console import EXIT_INTERRUPTED, ProgressBar, print_json, settings, texts_for
from connectk.commands.options import CLUSTER_OPTION, JOBS_OPTION, VARIANT_OPTION, board_of

if TYPE_CHECKING:
    from connectk.dataset.finished import DatasetResult
    from connectk.dataset.making import Recipe
    from connectk.texts import Texts
    from connectk.watch import Report

EPILOG = """
connectk dataset --positions 100000 --out small
connectk dataset --variant 6x5x4 --out six
connectk dataset --positions 200000 --balance ply --out even
connectk dataset --mix random=9,perfect=1 --out many --cluster tcp://head:8786
"""


def register(app: typer.Typer) -> None:
    app.command("dataset", epilog=EPILOG)(dataset)


def dataset(
    out: str = typer.Option(..., metavar="FOLDER"),
    variant: str | None = VARIANT_OPTION,
    positions: int = typer.Option(1_000_000, min=1),
    mix: str = typer.Option("random=50,level=40,perfect=10", metavar="SHARES"),
    seed: int = typer.Option(1),
    min_discs: int = typer.Option(0, min=0),
    shard: int = typer.Option(100_000, min=1),
    splits: str = typer.Option("train=90,validation=5,test=5", metavar="SHARES"),
    balance: str = typer.Option("none", metavar="none|ply"),
    planes: bool = typer.Option(False),
    jobs: int | None = JOBS_OPTION,
    cluster: str | None = CLUSTER_OPTION,
) -> None:
    from connectk.dataset import Mix, Recipe, Splits
    from connectk.dataset.making import BALANCES
    from connectk.errors import BadDataset

    texts, board = texts_for(), board_of(variant)
    balanced = next((known for known in BALANCES if known == balance), None)
    if balanced is None:
        raise BadDataset("error.BadDataset.balance", balance=balance, known=", ".join(BALANCES))
    recipe = Recipe(board, positions, Mix.parse(mix), seed, min_discs, shard, Splits.parse(splits), planes, balanced)
    try:
        made = _make(recipe, out, jobs, cluster, texts)
    except KeyboardInterrupt:
        print(texts("dataset.stopped", out=out), file=sys.stderr)
        raise typer.Exit(EXIT_INTERRUPTED) from None
    if settings().json:
        print_json({"folder": out, "files": made.files, "positions": made.positions, "created": made.created})
        return
    key = "dataset.made" if made.created else "dataset.there"
    print(texts(key, count=made.files, positions=f"{made.positions:,}", out=out))
    if made.positions < positions:
        print(texts("dataset.fewer", wanted=f"{positions:,}", variant=board))


def _make(recipe: Recipe, out: str, jobs: int | None, cluster: str | None, texts: Texts) -> DatasetResult:
    from connectk.cluster import open_pool
    from connectk.dataset import make_dataset

    with open_pool(cluster, jobs) as pool, ProgressBar("", texts) as bar:

        def show(report: Report) -> None:
            bar.set_label(texts("dataset.drawing" if report.stage == "drawing" else "dataset.solving"))
            bar.show(report)

        return make_dataset(recipe, out, pool, progress=show)
