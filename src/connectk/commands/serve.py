"""`connectk serve`: run the game server."""

from __future__ import annotations

import re
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import typer

from connectk.commands.console import texts_for
from connectk.commands.localized import QuietCommand, parameters_of
from connectk.errors import MissingExtra

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

EXAMPLES = """
connectk serve
connectk serve --port 9000 --database sqlite:///games.db
connectk serve --host 0.0.0.0 --workers 4 --database postgresql:///connectk
CONNECTK_PORT=9000 connectk serve --show-settings
"""


class SettingsCommand(QuietCommand):
    """A command that has a flag for each setting of the server. It imports the settings only when it runs, so that
    other commands start quickly."""

    def get_params(self, ctx: Any) -> list[Any]:
        return [*setting_flags(), *super().get_params(ctx)]

    def invoke(self, ctx: Any) -> Any:
        ctx.obj = {flag.name: ctx.params.pop(flag.name) for flag in setting_flags()}
        return super().invoke(ctx)


def setting_flags() -> list[Any]:
    """Make a flag with its help for each setting."""
    require_server()
    from connectk.server.settings import Settings

    return parameters_of({name: _option(name, field) for name, field in Settings.model_fields.items()})


def _option(name: str, field: FieldInfo) -> tuple[Any, Any]:
    """The type and the option of one setting. The option's value is None if the user does not give the flag."""
    kind: Any = list[str] if isinstance(field.default, tuple) else field.annotation
    word = "--" + name.removesuffix("s" if kind == list[str] else "").replace("_", "-")
    default = "" if field.default in ((), "") else str(field.default).lower()
    pattern = next((one.pattern for one in field.metadata if getattr(one, "pattern", None)), None)
    choices = pattern.strip("^()$") if pattern else ""  # such as text|json; other patterns name no choices
    help_text = texts_for()(f"setting.{name}")
    return kind | None, typer.Option(
        None,
        word,
        help=help_text,
        show_default=default or False,
        metavar=choices if re.fullmatch(r"[a-z|]+", choices) else None,
    )


def register(app: typer.Typer) -> None:
    app.command("serve", cls=SettingsCommand, epilog=EXAMPLES)(serve)


def serve(
    context: typer.Context,
    config: str | None = typer.Option(None),
    show_settings: bool = typer.Option(False, "--show-settings"),
) -> None:
    from connectk.server.settings import load_settings

    settings = load_settings(config, **context.obj)
    if show_settings:
        for name, value in settings.shown().items():
            typer.echo(f"{name} = {value!r}")
        return
    from connectk.server.runner import run

    run(settings)


def require_server() -> None:
    """Raise `MissingExtra` if the packages that a server needs are not installed."""
    needed = ("fastapi", "uvicorn", "sqlalchemy", "alembic", "pydantic", "structlog", "prometheus_client")
    if any(find_spec(name) is None for name in needed):
        raise MissingExtra("server", "server")
