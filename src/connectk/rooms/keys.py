"""A room's code: short enough to be typed from a wall, in letters and digits that nobody mistakes for each other."""

from __future__ import annotations

import re
import secrets

LETTERS = "ABCDEFGHJKMNPQRTUVWXYZ346789"  # without 0 and O, 1, I and L, 2 (as Z), 5 and S
LENGTH = 6
CODE = re.compile(f"[{LETTERS}]{{{LENGTH}}}")


def new_code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


def read_code(text: str) -> str | None:
    """The code that somebody typed, with small letters, spaces or dashes; None where it can be none."""
    code = re.sub(r"[\s-]", "", text).upper()
    return code if CODE.fullmatch(code) else None
