"""One frozen set of settings: a flag over the environment (`CONNECTK_*`) over a file over the default."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, TomlConfigSettingsSource
from sqlalchemy import make_url

from connectk.errors import ConnectkError
from connectk.storage.database import is_sqlite

FILE = "connectk.toml"


class BadSettings(ConnectkError):
    """Settings that cannot be used, and why."""


class Settings(BaseSettings):
    """What a server can be told. Every field is also `CONNECTK_...` in the environment and a line of the file."""

    model_config = SettingsConfigDict(env_prefix="CONNECTK_", frozen=True, extra="forbid")
    file: ClassVar[str] = FILE

    host: str = Field("127.0.0.1", description="Address to listen on; 0.0.0.0 for every one.")
    port: int = Field(8000, ge=0, le=65535, description="Port to listen on; 0 for any that is free.")
    database: str = Field("sqlite:///connectk.db", description="A SQLite file or postgresql://user@host/name.")
    workers: int = Field(1, ge=1, le=64, description="Processes; more than one needs PostgreSQL.")
    log: str = Field("text", pattern="^(text|json)$", description="Log lines for people (text) or programs (json).")
    log_level: str = Field("info", pattern="^(debug|info|warning|error)$", description="The least that is logged.")
    origins: tuple[str, ...] = Field((), description="Other sites whose pages may use this server.")
    behind_proxy: bool = Field(False, description="Trust X-Forwarded-For and -Proto, set by a proxy of yours.")
    closable: bool = Field(False, description="Let a page on this machine stop the server.")
    thinkers: int = Field(1, ge=1, le=64, description="Processes for computer players, and as many for analysis.")
    move_seconds: float = Field(5.0, gt=0, le=3600, description="The most a computer player thinks about a move.")
    analysis_seconds: float = Field(10.0, gt=0, le=3600, description="The most an analysis may take.")
    largest_board: int = Field(10_000, ge=1, le=1_000_000, description="The most cells of a board.")
    seat_rate: float = Field(20.0, gt=0, description="Messages a second for each seat or spectator.")
    address_rate: float = Field(500.0, gt=0, description="Requests a second for each address; a class shares one.")
    most_sockets: int = Field(5000, ge=1, description="Sockets open at once, in each process.")
    keep_days: float = Field(0.0, ge=0, description="Delete matches untouched for so many days; 0 keeps them all.")
    shutdown_seconds: int = Field(10, ge=0, description="How long a stop waits for what is under way.")

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, cls.file)

    def shown(self) -> dict[str, Any]:
        """The settings as they may be printed: no password."""
        values = self.model_dump()
        if "://" in self.database:
            values["database"] = make_url(self.database).render_as_string(hide_password=True)
        return values


def load_settings(file: str | None = None, **flags: Any) -> Settings:
    """The settings of a program started with these flags; None is a flag not given."""
    from pathlib import Path

    if file is not None and not Path(file).is_file():
        raise BadSettings(f"There is no settings file {file}.")
    chosen = type("Settings", (Settings,), {"file": file or FILE, "__annotations__": {"file": "ClassVar[str]"}})
    try:
        settings: Settings = chosen(**{name: value for name, value in flags.items() if value is not None})
    except (ValidationError, ValueError) as error:
        raise BadSettings(_sentence(error)) from error
    if is_sqlite(settings.database) and settings.workers > 1:
        raise BadSettings(
            "SQLite is for one process; for more workers name a PostgreSQL database: --database postgresql://..."
        )
    return settings


def _sentence(error: Exception) -> str:
    if not isinstance(error, ValidationError):
        return f"The settings file cannot be read: {error}."
    first = error.errors(include_input=False)[0]
    return f"The setting {'.'.join(str(part) for part in first['loc'])!r} is not valid: {first['msg']}."
