"""Makes and checks the secrets of seats and the codes of rooms. Only hashes of secrets are stored. Codes are short, so
that people can type them."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets

SECRET_BYTES = 24  # 192 bits
INVITATION_BYTES = 16  # 128 bits: the link of a server on this computer fits on a line of 80 characters
MATCH_ID_PATTERN = re.compile("[0-9a-f]{32}")
ROOM_CODE_LETTERS = "ABCDEFGHJKMNPQRTUVWXYZ346789"  # without 0 and O, 1, I and L, 2 (as Z), 5 and S
ROOM_CODE_LENGTH = 6
ROOM_CODE_PATTERN = re.compile(f"[{ROOM_CODE_LETTERS}]{{{ROOM_CODE_LENGTH}}}")


def new_secret() -> str:
    return secrets.token_urlsafe(SECRET_BYTES)


def invitation_code_for(secret: str) -> str:
    """The invitation code for the secret of a match's creator. It is computed from the secret, so that it can be shown
    again."""
    digest = hmac.digest(secret.encode(), b"connectk invitation", "sha256")
    return base64.urlsafe_b64encode(digest[:INVITATION_BYTES]).decode().rstrip("=")


def new_match_id() -> str:
    """A new match id: 128 random bits in hexadecimal."""
    return secrets.token_hex(16)


def is_match_id(text: str) -> bool:
    """Whether a text looks like the id of a match. The server refuses any other text without asking the database."""
    return MATCH_ID_PATTERN.fullmatch(text) is not None


def hash_secret(secret: str) -> str:
    """The hash of a secret. A secret is long and random, so a fast hash is as safe as a slow one."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def secret_matches(secret: str, hashed: str | None) -> bool:
    return hashed is not None and hmac.compare_digest(hash_secret(secret), hashed)


def new_room_code() -> str:
    return "".join(secrets.choice(ROOM_CODE_LETTERS) for _ in range(ROOM_CODE_LENGTH))


def parse_room_code(text: str) -> str | None:
    """The room code in the text that somebody has typed. Upper or lower case, spaces and dashes do not matter. Returns
    None if the text is not a code."""
    code = re.sub(r"[\s-]", "", text).upper()
    return code if ROOM_CODE_PATTERN.fullmatch(code) else None
