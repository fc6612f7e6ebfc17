"""Loads the core with asserts and sanitizers into each Python process; `make sanitize` puts this file on Python's
path."""

import os
import sys
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location


class SanitizedCore:
    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        return spec_from_file_location(name, os.environ["SANITIZED_CORE"]) if name == "connectk._native" else None


sys.meta_path.insert(0, SanitizedCore)
