"""The settings of a server. A flag overrides the environment (`CONNECTK_*`). The environment overrides the file, and
the file overrides the default."""

from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from sqlalchemy import make_url

from connectk.errors import LocalizedError
from connectk.storage.database import is_sqlite

SETTINGS_FILE, ENVIRONMENT_PREFIX = "connectk.toml", "CONNECTK_"
# The start of pydantic's error type, and the key of the text that says what the setting should be.
EXPECTATION_KEYS = {
    "greater_than_equal": "least",
    "greater_than": "more",
    "less_than_equal": "most",
    "string_pattern": "choice",
    "int": "number",
    "float": "number",
    "finite": "number",
    "bool": "yes",
    "extra": "unknown",
}


class BadSettings(LocalizedError):
    """The settings cannot be used. The message says why."""


def _parse_json_list(value: Any) -> Any:
    """Reads a list from an environment variable, which holds it as JSON."""
    return json.loads(value) if isinstance(value, str) else value


class Settings(BaseModel):
    """The options of a server. Each field can also be set as `CONNECTK_...` in the environment, or in the file. The
    text with the key `setting.` and the field's name explains the field."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    host: str = Field("127.0.0.1")
    port: int = Field(8000, ge=0, le=65535)
    database: str = Field("sqlite:///connectk.db")
    workers: int = Field(1, ge=1, le=64)
    log: str = Field("text", pattern="^(text|json)$")
    log_level: str = Field("info", pattern="^(debug|info|warning|error)$")
    origins: Annotated[tuple[str, ...], BeforeValidator(_parse_json_list)] = ()
    allowed_hosts: Annotated[tuple[str, ...], BeforeValidator(_parse_json_list)] = ()
    proxies: int = Field(0, ge=0, le=10)
    closable: bool = Field(False)
    network_host: str = Field("")
    thinkers: int = Field(1, ge=1, le=64)
    move_seconds: float = Field(5.0, gt=0, le=3600)
    demo_seconds: float = Field(1.0, gt=0, le=3600)
    analysis_seconds: float = Field(10.0, gt=0, le=3600)
    upload_seconds: float = Field(5.0, gt=0, le=3600)
    address_waiting: int = Field(64, ge=1)
    max_board_cells: int = Field(10_000, ge=1, le=1_000_000)
    seat_rate: float = Field(20.0, gt=0)
    address_rate: float = Field(500.0, gt=0)
    max_sockets: int = Field(5000, ge=1)
    address_sockets: int = Field(500, ge=1)
    address_connections: int = Field(500, ge=1)
    header_seconds: float = Field(10.0, gt=0)
    body_seconds: float = Field(60.0, gt=0)
    address_open: int = Field(1000, ge=1)
    server_open: int = Field(20_000, ge=1)
    address_matches: int = Field(2000, ge=1)
    server_matches: int = Field(20_000, ge=1)
    address_analyses: int = Field(5000, ge=1)
    server_analyses: int = Field(50_000, ge=1)
    address_uploads: int = Field(1000, ge=1)
    server_uploads: int = Field(10_000, ge=1)
    address_megabytes: int = Field(1000, ge=1)
    server_megabytes: int = Field(20_000, ge=1)
    address_rooms: int = Field(30, ge=1)
    server_rooms: int = Field(1000, ge=1)
    address_joins: int = Field(60, ge=1)
    wrong_codes: int = Field(60, ge=1)
    room_members: int = Field(150, ge=2, le=1000)
    room_games: int = Field(2000, ge=1, le=20_000)
    room_hours: float = Field(24.0, gt=0)
    address_seeks: int = Field(1000, ge=1)
    server_seeks: int = Field(20_000, ge=1)
    address_profiles: int = Field(200, ge=1)
    server_profiles: int = Field(5000, ge=1)
    address_reports: int = Field(30, ge=1)
    address_open_seeks: int = Field(50, ge=1)
    same_address_rated: bool = Field(False)
    keep_days: float = Field(0.0, ge=0)
    room_keep_days: float = Field(400.0, ge=0)
    shared_limits: str = Field("", pattern="^((rediss?|unix)://.*)?$")
    shutdown_seconds: int = Field(10, ge=0)

    def shown(self, changed: bool = False) -> dict[str, Any]:
        """The settings for people and for the log, without passwords. With `changed`, only those that differ from the
        defaults."""
        values = self.model_dump(exclude_defaults=changed)
        for name in ("database", "shared_limits"):
            if "://" in values.get(name, ""):
                values[name] = make_url(values[name]).render_as_string(hide_password=True)
        return values


def load_settings(file: str | None = None, **flags: Any) -> Settings:
    """The settings from these flags, the environment, the file and the defaults. A flag that is None or an empty list
    counts as not given."""
    given = {name: value for name, value in flags.items() if value not in (None, [])}
    try:
        settings = Settings(**{**_from_file(file), **_from_environment(), **given})
    except (ValidationError, ValueError) as error:
        raise _bad_settings(error) from error
    if is_sqlite(settings.database) and settings.workers > 1:
        raise BadSettings("error.BadSettings.sqlite")
    return settings


def _from_file(file: str | None) -> dict[str, Any]:
    path = Path(file or SETTINGS_FILE)
    if file is not None and not path.is_file():
        raise BadSettings("error.BadSettings.no_file", file=file)
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def _from_environment() -> dict[str, str]:
    variables = {name: f"{ENVIRONMENT_PREFIX}{name.upper()}" for name in Settings.model_fields}
    return {name: os.environ[variable] for name, variable in variables.items() if variable in os.environ}


def to_environment(settings: Settings) -> dict[str, str]:
    """The environment variables that give another process the same settings."""
    values = settings.model_dump()
    return {
        f"{ENVIRONMENT_PREFIX}{name.upper()}": value if isinstance(value, str) else json.dumps(value)
        for name, value in values.items()
    }


def _bad_settings(error: Exception) -> BadSettings:
    if not isinstance(error, ValidationError):
        return BadSettings("error.BadSettings.unreadable", reason=error)
    first = error.errors(include_input=False)[0]
    name = ".".join(str(part) for part in first["loc"])
    wanted = next((word for start, word in EXPECTATION_KEYS.items() if first["type"].startswith(start)), None)
    reason = _expectation(wanted, first.get("ctx", {})) if wanted else f"{first['msg']}."
    return BadSettings("error.BadSettings.value", name=name, reason=reason)


def _expectation(word: str, facts: dict[str, Any]) -> BadSettings:
    limit = next(iter(facts.values()), "")
    return BadSettings(f"error.BadSettings.{word}", limit=limit, choices=str(limit).strip("^()$").replace("|", ", "))
