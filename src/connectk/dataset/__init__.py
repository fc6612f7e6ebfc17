"""Makes and loads datasets of positions with the exact score of every column, and reads the UCI connect-4 set.

`connectk dataset` makes such a dataset; docs/reference/dataset.md describes its content.
"""

from connectk.dataset.loading import load
from connectk.dataset.making import Recipe, make_dataset
from connectk.dataset.mix import Mix
from connectk.dataset.splits import Splits
from connectk.dataset.uci import read_uci

__all__ = ["Mix", "Recipe", "Splits", "load", "make_dataset", "read_uci"]
