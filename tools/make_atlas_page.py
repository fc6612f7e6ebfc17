"""Writes the tables of `docs/reference/atlas.md` from the rows that ship with connectk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from connectk.atlas import AtlasRow, shipped_atlas
from connectk.texts import load_texts

ATLAS_PAGE = Path(__file__).parent.parent / "docs" / "reference" / "atlas.md"
GENERATED_MARK = "<!-- made by tools/make_atlas_page.py -->\n"


def main() -> None:
    ATLAS_PAGE.write_text(page(), encoding="utf-8")


def page() -> str:
    """The page with new tables below its text."""
    words, _, _ = ATLAS_PAGE.read_text(encoding="utf-8").partition(GENERATED_MARK)
    return f"{words}{GENERATED_MARK}{tables()}"


def tables() -> str:
    """A table for each length of run. The smallest board comes first."""
    rows = sorted(shipped_atlas().values(), key=lambda row: (row.variant.cells, row.variant))
    runs = sorted({row.variant.run for row in rows})
    return "\n".join("\n".join(_table(run, [row for row in rows if row.variant.run == run])) + "\n" for run in runs)


def _table(run: int, rows: list[AtlasRow]) -> Iterator[str]:
    texts = load_texts("en")
    yield f"\n## Run {run}\n"
    yield "| board | with perfect play | score of each first column | positions searched | seconds |"
    yield "|---|---|---|---:|---:|"
    for row in rows:
        winner = row.outcome.winner
        result = texts(f"fair.wins.{winner}", disc=row.last_disc) if winner else texts("fair.draw")
        scores = " ".join(map(str, row.first_moves))
        yield f"| {row.variant} | {result} | {scores} | {row.nodes:,} | {row.seconds:.1f} |"


if __name__ == "__main__":
    main()
