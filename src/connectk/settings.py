"""The user's settings for the language and the look of connectk, in every command and in the terminal.

A flag overrides the environment. The environment overrides the settings file. The file overrides the default.

`connectk config` writes the file. The settings of a server are in `connectk.server.settings`.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal, get_args

from connectk.errors import LocalizedError
from connectk.files import write_file
from connectk.texts import LANGUAGES, preferred_language

ThemeName = Literal["auto", "light", "dark"]
SETTING_CHOICES = {"language": tuple(LANGUAGES), "theme": get_args(ThemeName)}
TRUE_WORDS, FALSE_WORDS = ("1", "true", "yes", "on"), ("", "0", "false", "no", "off")
SETTING_LINE_PATTERN = re.compile(r"\s*([A-Za-z_]+)\s*=")


class BadSetting(LocalizedError):
    """A setting that does not exist or cannot have this value."""


@dataclass(frozen=True)
class UserSettings:
    """The user's settings. Each is set by a flag, by `CONNECTK_...` in the environment, or in the settings file."""

    language: str = "en"
    plain: bool = False  # without full screen, colours, boxes and moving progress
    ascii: bool = False  # only ASCII characters
    json: bool = False
    board: bool = True  # whether the plain game draws the board after every move
    reduced_motion: bool = False
    theme: str = "auto"
    pictures: bool = True  # boards and graphs as pictures, where the terminal can show them
    server: str = ""


SETTING_NAMES = tuple(field.name for field in fields(UserSettings))


def load_settings(flags: Mapping[str, Any] | None = None, environment: Mapping[str, str] = os.environ) -> UserSettings:
    """The settings of a program that was started with these flags."""
    found = {name: value for name, (value, _) in explain_settings(flags, environment).items()}
    return UserSettings(**found)


def explain_settings(
    flags: Mapping[str, Any] | None = None, environment: Mapping[str, str] = os.environ
) -> dict[str, tuple[Any, str]]:
    """The value of each setting and its origin: "flag", "environment", "file" or "default"."""
    default = UserSettings(language=preferred_language(environment))
    found = {name: (getattr(default, name), "default") for name in SETTING_NAMES}
    found |= {name: (value, "file") for name, value in _from_file(environment).items()}
    found |= {name: (value, "environment") for name, value in _from_environment(environment).items()}
    return found | {name: (value, "flag") for name, value in (flags or {}).items() if value is not None}


def settings_file(environment: Mapping[str, str] = os.environ) -> Path:
    """The path of this user's settings file. The file may not exist."""
    if place := environment.get("CONNECTK_SETTINGS"):
        return Path(place)
    from platformdirs import user_config_path

    return user_config_path("connectk", appauthor=False) / "settings.toml"


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    """The settings in environment variables. Empty variables and unknown languages are ignored."""
    variables = {name: environment.get(f"CONNECTK_{name.upper()}", "") for name in SETTING_NAMES}
    given = {name: text for name, text in variables.items() if text}
    if given.get("language", "en") not in LANGUAGES:
        del given["language"]
    return {name: parse_setting(name, text) for name, text in given.items()}


def _from_file(environment: Mapping[str, str]) -> dict[str, Any]:
    path = settings_file(environment)
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError) as error:
        raise BadSetting("error.BadSettings.unreadable", reason=f"{path}: {error}") from error
    return {name: parse_setting(name, value) for name, value in document.items()}


def parse_setting(name: str, value: Any) -> Any:
    """Parse the value of a setting. It may be a text, or a value from the settings file. Raises `BadSetting` if it is
    invalid."""
    if name not in SETTING_NAMES:
        raise BadSetting("error.BadSettings.value", name=name, reason=BadSetting("error.BadSettings.unknown"))
    if isinstance(getattr(UserSettings, name), bool):
        return _parse_switch(name, value)
    if name in SETTING_CHOICES and value not in SETTING_CHOICES[name]:
        choices = BadSetting("error.BadSettings.choice", choices=", ".join(SETTING_CHOICES[name]))
        raise BadSetting("error.BadSettings.value", name=name, reason=choices)
    return str(value)


def _parse_switch(name: str, value: Any) -> bool:
    text = str(value).strip().lower()
    if text not in (*TRUE_WORDS, *FALSE_WORDS):
        raise BadSetting("error.BadSettings.value", name=name, reason=BadSetting("error.BadSettings.yes"))
    return text in TRUE_WORDS


def save_setting(name: str, value: Any) -> None:
    """Write a setting to the file. If `value` is None, remove the setting. Other lines of the file stay unchanged."""
    path = settings_file()
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    kept = [line for line in lines if not ((found := SETTING_LINE_PATTERN.match(line)) and found[1] == name)]
    if value is not None:
        kept.append(f"{name} = {json.dumps(parse_setting(name, value), ensure_ascii=False)}")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, "".join(f"{line}\n" for line in kept))
