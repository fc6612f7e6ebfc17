"""`connectk serve`: run the game server."""

from __future__ import annotations

import inspect
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import typer

from connectk.commands.console import texts_for
from connectk.commands.localized import LocalizedCommand
from connectk.errors import MissingExtra

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

EXAMPLES = """
Examples:

connectk serve

connectk serve --port 9000 --database sqlite:///games.db

connectk serve --host 0.0.0.0 --workers 4 --database postgresql://connectk@localhost/connectk

CONNECTK_PORT=9000 connectk serve --show-settings
"""


class SettingsCommand(LocalizedCommand):
    """A command whose flags are the server's settings, imported only when it runs to keep other commands quick."""

    def get_params(self, ctx: Any) -> list[Any]:
        return [*setting_flags(), *super().get_params(ctx)]

    def invoke(self, ctx: Any) -> Any:
        ctx.obj = {flag.name: ctx.params.pop(flag.name) for flag in setting_flags()}
        return super().invoke(ctx)


def setting_flags() -> list[Any]:
    """Return a flag with help for each setting."""
    require_server()
    from connectk.server.settings import Settings

    def flags(**_: Any) -> None: ...

    parameters = [_parameter(name, field) for name, field in Settings.model_fields.items()]
    flags.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    flags.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    one = typer.Typer(add_completion=False)
    one.command()(flags)
    return typer.main.get_command(one).params


def _parameter(name: str, field: FieldInfo) -> inspect.Parameter:
    """Describe a setting as an option whose value is None if it is not given."""
    kind: Any = list[str] if isinstance(field.default, tuple) else field.annotation
    word = "--" + name.removesuffix("s" if kind == list[str] else "").replace("_", "-")
    default = "none" if field.default == () else str(field.default)
    option = typer.Option(None, word, help=texts_for()(f"setting.{name}"), show_default=default)
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=option, annotation=kind | None)


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
    """Raise `MissingExtra` if the server's dependencies are not installed."""
    needed = ("fastapi", "uvicorn", "sqlalchemy", "alembic", "pydantic", "structlog", "prometheus_client")
    if any(find_spec(name) is None for name in needed):
        raise MissingExtra("server", "server")
