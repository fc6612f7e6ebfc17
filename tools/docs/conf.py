"""How Sphinx makes a site of `docs/`: `make docs`."""

import sys
from pathlib import Path

import connectk

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

project = "connectk"
author = "connectk"
version = release = connectk.__version__
extensions = ["boards", "myst_parser", "sphinx.ext.autodoc"]
source_suffix = {".md": "markdown"}
root_doc = "index"
exclude_patterns = ["why/*.json"]
myst_heading_anchors = 3
suppress_warnings = ["myst.xref_missing"]  # links to files of the repository beside docs/: boards.py checks those
nitpicky = False
autodoc_member_order = "bysource"
autodoc_typehints = "none"
pygments_style = "default"
pygments_dark_style = "monokai"
highlight_language = "text"

html_theme = "basic"  # no look of its own: look.css has the page's
html_static_path = [str(HERE / "look.css")]
html_css_files = ["tokens.css", "look.css"]
html_title = "connectk"
html_sidebars = {"**": ["searchfield.html", "globaltoc.html"]}
html_show_sourcelink = False
html_show_copyright = False
html_copy_source = False
html_extra_path: list[str] = []
