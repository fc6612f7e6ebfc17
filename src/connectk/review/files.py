"""The files that a review is written to."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from connectk.drawing import DEFAULT_PIXELS, to_png, to_svg
from connectk.errors import FileNotWritable, MissingExtra, UnsupportedVariant
from connectk.notation import SavedGame
from connectk.review.review import Review
from connectk.rules import Variant
from connectk.texts import Texts
from connectk.why import Why

MOST_CELLS = 1000  # in a picture; more would be dots


def check_files(variant: Variant, *, svg: Path | None, png: Path | None, html: Path | None) -> None:
    """Say what cannot be written before the work, not after it."""
    wanted = [path for path in (svg, png, html) if path is not None]
    for path in wanted:
        if not path.absolute().parent.is_dir() or path.is_dir():
            raise FileNotWritable(str(path), f"error.because.{'folder' if path.is_dir() else 'no_folder'}")
    if wanted and variant.cells > MOST_CELLS:
        raise UnsupportedVariant(variant, "error.UnsupportedVariant.review", most=f"{MOST_CELLS:,}")
    if png is not None and find_spec("PIL") is None:
        raise MissingExtra("pictures", "pictures")


def write_files(
    saved: SavedGame,
    review: Review,
    texts: Texts,
    *,
    svg: Path | None = None,
    png: Path | None = None,
    html: Path | None = None,
    size: int = DEFAULT_PIXELS,
    whys: Mapping[int, Why] | None = None,
) -> None:
    """Write those that are wanted; `size` is the pixels of a picture's longer side, `whys` go into the page."""
    from connectk.review.page import draw_page
    from connectk.review.picture import draw_review

    try:
        if svg is not None:
            svg.write_text(to_svg(draw_review(saved, review, texts), size), encoding="utf-8")
        if png is not None:
            png.write_bytes(to_png(draw_review(saved, review, texts), size))
        if html is not None:
            html.write_text(draw_page(saved, review, texts, whys or {}), encoding="utf-8")
    except OSError as error:
        raise FileNotWritable(str(error.filename), f"{error.strerror}") from error
