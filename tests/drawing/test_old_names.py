"""Names that have moved still work for one release, and say where they are."""

import importlib
import sys

import pytest

import connectk.drawing
import connectk.notation


def test_the_old_module_warns():
    sys.modules.pop("connectk.notation.raster", None)
    with pytest.warns(DeprecationWarning, match=r"connectk\.drawing"):
        old = importlib.import_module("connectk.notation.raster")
    assert old.draw_gif is connectk.drawing.draw_gif


def test_the_old_function_warns():
    with pytest.warns(DeprecationWarning, match=r"connectk\.drawing"):
        assert connectk.notation.draw_svg is connectk.drawing.draw_svg
