"""Inline code in the guides links to the API reference: `solve_many` leads to what its docstring says."""

from __future__ import annotations

import importlib
from functools import cache
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

# The modules whose public names the reference documents; a page for each in docs/reference/api.
MODULES = (
    "connectk.rules",
    "connectk.notation",
    "connectk.referee",
    "connectk.solver",
    "connectk.why",
    "connectk.review",
    "connectk.players",
    "connectk.arena",
    "connectk.arrays",
    "connectk.drawing",
)


@cache
def public_names() -> dict[str, str]:
    """Where each public name is documented: `solve_many` is `connectk.solver.solve_many`."""
    return {
        name: f"{module}.{name}"
        for module in MODULES
        for name in getattr(importlib.import_module(module), "__all__", ())
    }


def link_names(app: Sphinx, doctree: nodes.document) -> None:
    """Wraps each inline code that is a public name, perhaps with `connectk.` before or arguments behind it."""
    for literal in list(doctree.findall(nodes.literal)):
        target = public_names().get(literal.astext().partition("(")[0].removeprefix("connectk."))
        if target is None or isinstance(literal.parent, nodes.reference | nodes.title | addnodes.pending_xref):
            continue
        link = addnodes.pending_xref(
            "", refdomain="py", reftype="obj", reftarget=target, refdoc=app.env.docname, refwarn=False
        )
        literal.replace_self(link)
        link += literal


def drop_generated_docstrings(
    _app: Sphinx, _what: str, _name: str, _obj: object, _options: object, lines: list[str]
) -> None:
    """A named tuple's fields get "Alias for field number 0" from Python, which tells a reader nothing."""
    if lines and lines[0].startswith("Alias for field number"):
        lines.clear()


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("doctree-read", link_names)
    app.setup_extension("sphinx.ext.autodoc")
    app.connect("autodoc-process-docstring", drop_generated_docstrings)
    return {"parallel_read_safe": True, "version": "1"}
