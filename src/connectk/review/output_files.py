"""Writes a review to SVG, PNG and HTML files."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from connectk.drawing import DEFAULT_PICTURE_PIXELS, to_png, to_svg
from connectk.errors import MissingExtra, UnsupportedVariant
from connectk.files import require_writable, write_file
from connectk.notation import SavedGame
from connectk.review.review import Review
from connectk.rules import Variant
from connectk.texts import Texts
from connectk.why import Why

MAX_REVIEW_PICTURE_CELLS = 1000  # with more cells, a picture would show only dots


def check_output_files(variant: Variant, *, svg: Path | None, png: Path | None, html: Path | None) -> None:
    """Raise an error if one of the output files cannot be written. This check comes before the review starts."""
    wanted = [path for path in (svg, png, html) if path is not None]
    require_writable(*wanted)
    if wanted and variant.cells > MAX_REVIEW_PICTURE_CELLS:
        raise UnsupportedVariant(variant, "error.UnsupportedVariant.review", most=f"{MAX_REVIEW_PICTURE_CELLS:,}")
    if png is not None and find_spec("PIL") is None:
        raise MissingExtra("pictures", "pictures")


def write_review_files(
    saved: SavedGame,
    review: Review,
    texts: Texts,
    *,
    svg: Path | None = None,
    png: Path | None = None,
    html: Path | None = None,
    size: int = DEFAULT_PICTURE_PIXELS,
    whys: Mapping[int, Why] | None = None,
) -> None:
    """Write the requested files. `size` is the longer side of a picture in pixels. `whys` are the explanations for the
    HTML page; the keys are the move numbers.
    """
    from connectk.review.picture import draw_review
    from connectk.review.replay_page import write_replay_page

    if svg is not None:
        write_file(svg, to_svg(draw_review(saved, review, texts), size))
    if png is not None:
        write_file(png, to_png(draw_review(saved, review, texts), size))
    if html is not None:
        write_file(html, write_replay_page(saved, review, texts, whys or {}))
