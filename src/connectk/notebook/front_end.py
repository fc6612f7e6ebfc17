"""The front end of the notebook's board as one script and one stylesheet. They contain the page's own modules and a
small loader.

anywidget loads only one script. The loader makes a blob URL of each module, so no build step and no second board is
needed.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

from connectk import __version__
from connectk.texts import load_texts
from connectk.web.modules import PAGE_FOLDER, read_scripts

ENTRY_SCRIPT = Path(__file__).with_name("widget.js")
STYLESHEETS = ("tokens", "board", "controls", "review")
OWN_STYLESHEET = Path(__file__).with_name("widget.css")
PAGE_TAG = "connectk-board"
TAG = f"connectk-board-{re.sub('[^a-z0-9]', '-', __version__.lower())}"  # other versions may be in the same document
TEXT_KEY_PREFIXES = ("board.", "worth.")
TEXT_KEYS = (
    *("editor.brush", "editor.clear", "editor.erase", "editor.title", "home.computer", "home.friend", "home.opponents"),
    *("name.level", "notebook.done", "play.restart", "play.review", "play.scores", "play.undo"),
    *("review.back", "review.first", "review.graph", "review.last", "review.next", "side.first", "side.second"),
)

LOADER = """
const scripts = %(scripts)s;
const css = %(css)s;
const key = Symbol.for("connectk notebook %(version)s");
async function load() {
  const urls = {};
  for (const { name, texts, imports } of scripts) {
    const source = texts.map((text, at) => (at ? urls[imports[at - 1]] : "") + text).join("");
    urls[name] = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  }
  return import(urls[scripts.at(-1).name]);
}
async function render(context) {
  globalThis[key] ??= load();
  return (await globalThis[key]).render(context, { css, tag: "%(tag)s" });
}
export default { render };
"""


@cache
def front_end() -> str:
    """The script that anywidget loads."""
    scripts = [
        {"name": name, "texts": script.texts, "imports": script.imports}
        for name, script in read_scripts(ENTRY_SCRIPT).items()
    ]
    facts = {"scripts": json.dumps(scripts), "css": json.dumps(stylesheet()), "version": __version__, "tag": TAG}
    return LOADER % facts


def stylesheet() -> str:
    """The page's styles for a shadow tree. Rules for the root of the document apply to the host of the tree."""
    files = [*(PAGE_FOLDER / "css" / f"{name}.css" for name in STYLESHEETS), OWN_STYLESHEET]
    css = "\n".join(file.read_text(encoding="utf-8") for file in files)
    css = re.sub(r":root(\[[^\]]*\])", r":host(\1)", css).replace(":root", ":host")
    return css.replace(PAGE_TAG, TAG)


@cache
def front_end_texts(language: str) -> dict[str, object]:
    """The texts that the front end shows, by key."""
    catalogue = load_texts(language).catalogue
    return {key: text for key, text in catalogue.items() if key in TEXT_KEYS or key.startswith(TEXT_KEY_PREFIXES)}
