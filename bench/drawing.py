"""Measures the size of pictures and the time to make them: boards as PNG, and games as GIF."""

from __future__ import annotations

import random
import time

from connectk.drawing import DEFAULT_PICTURE_PIXELS, draw_gif, draw_png, draw_svg, raster
from connectk.rules import Game, Variant


def random_game(variant: Variant) -> Game:
    source, game = random.Random(1), Game(variant)
    while game.outcome is None:
        game.drop(source.choice(game.position.legal_columns))
    return game


def clear_caches() -> None:
    """Clear the caches, so that each picture is measured as if it were the first."""
    for kept in (raster._ring, raster._rounded, raster._font):
        kept.cache_clear()


def main() -> None:
    for variant in (Variant(), Variant(20, 20, 7)):
        game = random_game(variant)
        kinds = {
            "SVG": lambda game=game: draw_svg(game.position).encode(),
            "PNG": lambda game=game: draw_png(game.position),
            "GIF": lambda game=game: draw_gif(game),
        }
        for kind, draw in kinds.items():
            clear_caches()
            started = time.process_time()
            size = len(draw())
            spent = 1000 * (time.process_time() - started)
            picture = f"{variant} {len(game.moves)} discs {kind} of {DEFAULT_PICTURE_PIXELS} px"
            print(f"{picture}: {size:,} bytes, {spent:.0f} ms of work")


if __name__ == "__main__":
    main()
