"""`connectk site`: write the page as a folder of static files."""

from __future__ import annotations

from pathlib import Path

import typer

from connectk.commands.console import texts_for
from connectk.errors import FileNotWritable

OUT = typer.Argument()
DOCS = typer.Option(False, "--docs")


def register(app: typer.Typer) -> None:
    app.command("site", epilog="Example: connectk site public")(site)


def site(out: Path = OUT, docs: bool = DOCS) -> None:
    from connectk.site import write_site

    try:
        names = write_site(out, docs)
    except OSError as error:
        raise FileNotWritable(str(out), error.strerror or str(error)) from error
    typer.echo(texts_for()("site.written", count=len(names), folder=out))
