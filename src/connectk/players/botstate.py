"""Detects whether a Python bot may keep state from one game to the next.

A bot that consists only of functions and constants keeps no state, so it plays all its games in one process. Any other
bot plays each game in a new fork, which costs some milliseconds. If it is unclear whether a bot keeps state, this
module says that it does.
"""

from __future__ import annotations

import dis
from collections.abc import Iterator
from enum import Enum, EnumMeta
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

IMMUTABLE_TYPES = (int, float, complex, str, bytes, range, type(None), type(Ellipsis), Path)
DYNAMIC_NAMES = {"globals", "vars", "setattr", "delattr", "exec", "eval", "__dict__", "__setattr__"}
GLOBAL_WRITES = ("STORE_GLOBAL", "DELETE_GLOBAL")


def keeps_state(bot: ModuleType, folder: Path) -> bool:
    """Whether anything in the bot may change while the bot plays. Modules from `folder` are part of the bot."""
    return _StateFinder(folder.resolve()).module(bot)


class _StateFinder:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._seen: set[int] = set()

    def module(self, module: ModuleType) -> bool:
        names = {name: value for name, value in vars(module).items() if not name.startswith("__")}
        return any(map(self.changes, names.values()))

    def changes(self, value: Any) -> bool:
        """Whether a value that the bot holds may change while it plays."""
        if id(value) in self._seen or type(value) in IMMUTABLE_TYPES or isinstance(value, bool | BuiltinFunctionType):
            return False
        self._seen.add(id(value))
        if isinstance(value, tuple | frozenset):
            return any(map(self.changes, value))
        if isinstance(value, ModuleType):
            return self._is_beside(value.__dict__.get("__file__")) and self.module(value)
        if isinstance(value, FunctionType):
            return self._is_beside(value.__code__.co_filename) and self._function(value)
        if isinstance(value, type):
            return not isinstance(value, EnumMeta) and self._class(value)
        if isinstance(value, staticmethod | classmethod):
            return self.changes(value.__func__)
        return not isinstance(value, property | Enum)

    def _is_beside(self, file: object) -> bool:
        return isinstance(file, str) and Path(file).resolve().is_relative_to(self._folder)

    def _function(self, function: FunctionType) -> bool:
        cells = [cell.cell_contents for cell in function.__closure__ or () if cell != type(cell)()]
        held = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values(), *cells]
        return bool(function.__dict__) or _writes(function.__code__) or any(map(self.changes, held))

    def _class(self, kind: type) -> bool:
        own = [value for name, value in vars(kind).items() if not name.startswith("__") or callable(value)]
        is_own = any(isinstance(value, FunctionType) and self._is_beside(value.__code__.co_filename) for value in own)
        return (is_own or kind.__module__ == "bot") and any(map(self.changes, own))


def _writes(code: CodeType) -> bool:
    """Whether the code writes to global variables or to attributes of global objects."""
    if DYNAMIC_NAMES & set(code.co_names):
        return True
    before = ""
    for instruction in dis.get_instructions(code):
        if instruction.opname in GLOBAL_WRITES or (instruction.opname == "STORE_ATTR" and before == "LOAD_GLOBAL"):
            return True
        before = instruction.opname
    return any(map(_writes, _inner(code)))


def _inner(code: CodeType) -> Iterator[CodeType]:
    return (constant for constant in code.co_consts if isinstance(constant, CodeType))
