"""Moved: pictures live in `connectk.drawing`. This name goes with the next release."""

import warnings

from connectk.drawing import draw_gif, draw_png

__all__ = ["draw_gif", "draw_png"]

warnings.warn("connectk.notation.raster is now connectk.drawing", DeprecationWarning, stacklevel=2)
