"""A board for notebooks (JupyterLab, VS Code, marimo, Colab): to play against a level, set up, score and review.

It needs the extra `connectk[notebook]`. Where that is installed, a notebook shows a `Position` as such a board, and
otherwise as a still picture.
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
