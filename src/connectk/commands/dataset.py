"""`connectk dataset`: write positions with the exact score of every column to Parquet files."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

from connectk.commands.console import CLUSTER, EXIT_INTERRUPTED, LANGUAGE, ProgressBar, texts_for
from connectk.texts import LanguageName

if TYPE_CHECKING:
    from connectk.dataset.making import MadeDataset, Recipe
    from connectk.texts import Texts
    from connectk.watch import Report

EPILOG = (
    "Examples: connectk dataset --positions 100000 --out small · connectk dataset --variant 6x5x4 --out six · "
    "connectk dataset --positions 1000000 --mix random=80,perfect=20 --out many --cluster tcp://head:8786"
)


def register(app: typer.Typer) -> None:
    app.command("dataset", epilog=EPILOG)(dataset)


def dataset(
    out: str = typer.Option(..., metavar="DIR"),
    variant: str = typer.Option("7x6x4"),
    positions: int = typer.Option(1_000_000, min=1),
    mix: str = typer.Option("random=50,level=40,perfect=10"),
    seed: int = typer.Option(1),
    least_discs: int = typer.Option(0, min=0),
    shard: int = typer.Option(100_000, min=1),
    jobs: int | None = typer.Option(None, min=1),
    cluster: str | None = CLUSTER,
    language: LanguageName | None = LANGUAGE,
) -> None:
    from connectk.dataset import Mix, Recipe
    from connectk.rules import Variant

    texts = texts_for(language)
    recipe = Recipe(Variant.parse(variant), positions, Mix.parse(mix), seed, least_discs, shard)
    try:
        made = _make(recipe, out, jobs, cluster, texts)
    except KeyboardInterrupt:
        print(texts("dataset.stopped", out=out), file=sys.stderr)
        raise typer.Exit(EXIT_INTERRUPTED) from None
    key = "dataset.made" if made.created else "dataset.there"
    print(texts(key, count=made.files, positions=f"{made.positions:,}", out=out))
    if made.positions < positions:
        print(texts("dataset.fewer", wanted=f"{positions:,}", variant=variant))


def _make(recipe: Recipe, out: str, jobs: int | None, cluster: str | None, texts: Texts) -> MadeDataset:
    from connectk.cluster import open_pool
    from connectk.dataset import make_dataset

    with open_pool(cluster, jobs) as pool, ProgressBar("", texts) as bar:

        def show(report: Report) -> None:
            bar.set_label(texts("dataset.drawing" if report.stage == "drawing" else "dataset.solving"))
            bar.show(report)

        return make_dataset(recipe, out, pool, progress=show)
