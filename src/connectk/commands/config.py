"""`connectk config`: show and change the settings of the user."""

from __future__ import annotations

from typing import Any

import typer

from connectk.commands.completion import complete_setting
from connectk.commands.console import given_flags, print_json, settings, texts_for

EPILOG = """
connectk config
connectk config language fi
connectk config plain true
connectk config plain --remove
"""


def register(app: typer.Typer) -> None:
    app.command("config", epilog=EPILOG)(config)


def config(
    name: str | None = typer.Argument(None, metavar="NAME", autocompletion=complete_setting),
    value: str | None = typer.Argument(None, metavar="VALUE"),
    remove: bool = typer.Option(False, "--remove"),
) -> None:
    from connectk.settings import explain_settings, parse_setting, save_setting, settings_file

    texts = texts_for()
    if name == "server" and value:
        from connectk.client.api import address_of

        value = address_of(value)  # raises if this cannot be a server
    if name is not None and (value is not None or remove):
        save_setting(name, None if remove else value)
        typer.echo(texts("config.saved", file=settings_file()))
        return
    found = explain_settings({key: flag for key, flag in given_flags().items() if key != "json"})
    if name is not None:
        if name not in found:
            parse_setting(name, "")  # raises, because no setting has this name
        found = {name: found[name]}
    if settings().json:
        print_json({key: setting for key, (setting, _) in found.items()})
        return
    for key, (setting, source) in found.items():
        typer.echo(f"{key + ' = ' + _shown(setting):<28}{texts(f'config.from.{source}')}")
    typer.echo(texts("config.file", file=settings_file()))


def _shown(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else f'"{value}"'
