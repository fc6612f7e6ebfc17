"""Positions with the exact score of every column, as a dataset; and a reader for the UCI connect-4 set.

`connectk dataset` makes one. docs/reference/dataset.md says what is in it.
"""

from connectk.dataset.making import Recipe, make_dataset
from connectk.dataset.mix import Mix
from connectk.dataset.uci import read_uci

__all__ = ["Mix", "Recipe", "make_dataset", "read_uci"]
