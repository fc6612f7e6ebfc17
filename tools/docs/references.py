"""Links inline code in the guides to the API reference. For example, `solve_many` becomes a link to its docstring."""

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
    """The full name for each public name, such as `connectk.solver.solve_many` for `solve_many`."""
    return {
        name: f"{module}.{name}"
        for module in MODULES
        for name in getattr(importlib.import_module(module), "__all__", ())
    }


def link_names(app: Sphinx, doctree: nodes.document) -> None:
    """Turn inline code with a public name into a link. The code may have `connectk.` before the name, or arguments
    after it."""
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
    """Remove the docstrings "Alias for field number 0", which Python gives to the fields of named tuples."""
    if lines and lines[0].startswith("Alias for field number"):
        lines.clear()


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("doctree-read", link_names)
    app.setup_extension("sphinx.ext.autodoc")
    app.connect("autodoc-process-docstring", drop_generated_docstrings)
    return {"parallel_read_safe": True, "version": "1"}
