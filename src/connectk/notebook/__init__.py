"""A board for notebooks such as JupyterLab, VS Code, marimo and Colab. On it a person plays, sets up positions, and
sees scores and reviews.

It needs the extra `connectk[notebook]`. If the extra is installed, a notebook shows a `Position` as such a board.
Otherwise it shows a still picture.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from connectk.notebook.board_widget import BoardWidget

__all__ = ["BoardWidget"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from connectk.errors import MissingExtra

    try:
        from connectk.notebook.board_widget import BoardWidget
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("anywidget", "ipywidgets", "traitlets"):
            raise
        raise MissingExtra("notebooks", "notebook") from None
    globals()[name] = BoardWidget
    return BoardWidget
