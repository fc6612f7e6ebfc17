"""Sphinx configuration of the documentation: `make docs`."""

import sys
from collections.abc import Mapping
from pathlib import Path

import connectk
from connectk.drawing.palette import DARK_COLOURS, LIGHT_COLOURS

DOCS_TOOLS_FOLDER = Path(__file__).parent
sys.path.insert(0, str(DOCS_TOOLS_FOLDER))

project = "connectk"
author = "connectk"
version = release = connectk.__version__
extensions = [
    "boards",
    "references",
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx_copybutton",
    "sphinx_design",
]
source_suffix = {".md": "markdown"}
root_doc = "index"
exclude_patterns = ["why/*.json"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
suppress_warnings = ["myst.xref_missing"]  # boards.py checks links to files outside docs/
nitpicky = False
default_role = "py:obj"  # `drop` in a docstring links to the documented name
add_module_names = False
python_use_unqualified_type_names = True
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
highlight_language = "text"
copybutton_exclude = ".linenos, .gp, .go"  # copies neither prompts nor output

html_theme = "furo"
html_title = "connectk"
html_favicon = html_logo = str(Path(connectk.__file__).parent / "web/icons/icon.svg")
html_static_path = [str(DOCS_TOOLS_FOLDER / "static")]
html_css_files = ["tokens.css", "docs.css"]
html_show_sourcelink = False
html_show_copyright = False
html_copy_source = False


def furo_colours(palette: Mapping[str, str]) -> dict[str, str]:
    """The page's palette, with the names that the documentation theme uses for its colours."""
    return {
        "color-brand-primary": palette["link"],
        "color-brand-content": palette["link"],
        "color-brand-visited": palette["link"],
        "color-background-primary": palette["paper"],
        "color-background-secondary": palette["sheet"],
        "color-background-hover": palette["line"],
        "color-background-border": palette["line"],
        "color-foreground-primary": palette["ink"],
        "color-foreground-secondary": palette["quiet"],
        "color-foreground-muted": palette["quiet"],
        "color-foreground-border": palette["edge"],
        "color-inline-code-background": palette["sheet"],
        "color-code-background": palette["sheet"],
        "color-code-foreground": palette["ink"],
        "color-api-name": palette["ink"],
        "color-api-pre-name": palette["quiet"],
        "font-stack": "system-ui, sans-serif",
        "font-stack--monospace": "ui-monospace, monospace",
    }


html_theme_options = {
    "light_css_variables": furo_colours(LIGHT_COLOURS),
    "dark_css_variables": furo_colours(DARK_COLOURS),
    "top_of_page_buttons": [],
}
