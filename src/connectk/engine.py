"""Moved: the players live in `connectk.players`. This name and its modules go with the next release."""

import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

from connectk.players import Choice, Clock, Player, Thought, load_player

__all__ = ["Choice", "Clock", "Player", "Thought", "load_player"]
__path__: list[str] = []  # so that it may have modules
ELSEWHERE = {f"{__name__}.threats": "connectk.rules.threats"}


class _OldModules(MetaPathFinder, Loader):
    """`connectk.engine.minimax` is `connectk.players.minimax` itself, not a copy."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return ModuleSpec(fullname, self) if fullname.startswith(f"{__name__}.") else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = import_module(ELSEWHERE.get(spec.name) or spec.name.replace(__name__, "connectk.players", 1))
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = module.__spec__ and module.__spec__.loader_state  # its own again


sys.meta_path.append(_OldModules())
warnings.warn("connectk.engine is now connectk.players", DeprecationWarning, stacklevel=2)
