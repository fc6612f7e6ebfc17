"""Secrets, of which only hashes are stored, and room codes: short, in letters and digits that look different."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets

SECRET_BYTES = 24  # 192 bits
MATCH_ID = re.compile("[0-9a-f]{32}")
CODE_LETTERS = "ABCDEFGHJKMNPQRTUVWXYZ346789"  # without 0 and O, 1, I and L, 2 (as Z), 5 and S
CODE_LENGTH = 6
CODE = re.compile(f"[{CODE_LETTERS}]{{{CODE_LENGTH}}}")


def new_secret() -> str:
    return secrets.token_urlsafe(SECRET_BYTES)


def invitation_of(secret: str) -> str:
    """The invitation code, derived from the secret of the creator's seat, so that it can be shown again."""
    digest = hmac.digest(secret.encode(), b"connectk invitation", "sha256")
    return base64.urlsafe_b64encode(digest[:SECRET_BYTES]).decode()


def new_match_id() -> str:
    """128 random bits in hexadecimal."""
    return secrets.token_hex(16)


def is_match_id(text: str) -> bool:
    """Whether it has the form of a match id; nothing else is looked up in the database."""
    return MATCH_ID.fullmatch(text) is not None


def hash_of(secret: str) -> str:
    """A secret is long and random, so a fast hash is as good as a slow one."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def opens(secret: str, hashed: str | None) -> bool:
    return hashed is not None and hmac.compare_digest(hash_of(secret), hashed)


def new_code() -> str:
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def read_code(text: str) -> str | None:
    """A typed code, in any case, with spaces or dashes; None if it is not valid."""
    code = re.sub(r"[\s-]", "", text).upper()
    return code if CODE.fullmatch(code) else None
