"""Reads the page's scripts for documents that embed them: a review in one file, and the board of a notebook."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import NamedTuple

PAGE_FOLDER = Path(__file__).parent
# The pattern includes the end of the line, so that it does not match comments that name a module.
IMPORT_PATTERN = re.compile(r'((?:^import |\bfrom |await import\()")(\.[./a-z-]+\.js)(?=";$|"\))', re.MULTILINE)


class Script(NamedTuple):
    """A script, split at the names of the scripts that it imports. `texts` has one more item than `imports`."""

    texts: tuple[str, ...]
    imports: tuple[str, ...]  # paths below js/, such as board/board.js

    def with_imports(self, prefix: str) -> str:
        """The source, with `prefix` and a path in place of each imported name."""
        pieces = [self.texts[0]]
        for name, text in zip(self.imports, self.texts[1:], strict=True):
            pieces += [prefix, name, text]
        return "".join(pieces)


def read_scripts(entry: Path) -> dict[str, Script]:
    """The entry script and all scripts that it imports, by their paths below js/. Each script comes after those that it
    imports.

    The entry script may be in another folder, but its imports are resolved as if it were in js/.
    """
    found: dict[str, Script] = {}

    def read(name: str, path: Path) -> None:
        script = _read_script(path, posixpath.dirname(name))
        for imported in script.imports:
            if imported not in found and imported not in reading:
                reading.add(imported)
                read(imported, PAGE_FOLDER / "js" / imported)
        found[name] = script

    reading = {entry.name}
    read(entry.name, entry)
    return found


def _read_script(path: Path, folder: str) -> Script:
    source = path.read_text(encoding="utf-8")
    texts, imports, done = [], [], 0
    for match in IMPORT_PATTERN.finditer(source):
        texts.append(source[done : match.start(2)])
        imports.append(posixpath.normpath(posixpath.join(folder, match[2])))
        done = match.end(2)
    return Script((*texts, source[done:]), tuple(imports))
