"""Decides how a notebook shows a position: as a board to play on, or as a still picture."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from connectk.rules import Position

Bundle = dict[str, Any]  # the same object in several formats, by their MIME types


def bundle_of(position: Position) -> Bundle:
    """The still picture. In a running notebook with the extra `connectk[notebook]`, also the board.

    A notebook prefers the board. If the board cannot be shown, as in a file on a web site, the picture is shown.
    """
    still: Bundle = {"text/plain": repr(position), "image/svg+xml": position._repr_svg_()}
    if not _has_kernel() or find_spec("anywidget") is None:
        return still
    from connectk.notebook.board_widget import BoardWidget

    shown = BoardWidget(position)._repr_mimebundle_()
    bundle = shown[0] if isinstance(shown, tuple) else shown
    return still | (bundle or {}) | {"text/plain": still["text/plain"]}


def _has_kernel() -> bool:
    """Whether this process is the kernel of a notebook. IPython in a terminal is no kernel, and could not show a
    board."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return getattr(shell, "kernel", None) is not None
