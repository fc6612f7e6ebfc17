"""`connectk site`: write the page as a folder of files that any web server can serve."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from connectk.commands.console import print_json, settings, texts_for
from connectk.errors import FileNotWritable

if TYPE_CHECKING:
    from connectk.texts import Texts

OUT_ARGUMENT = typer.Argument(metavar="FOLDER")
DOCS_OPTION = typer.Option(False, "--docs")
ADDRESS_OPTION = typer.Option("", "--address", metavar="URL")
REPLACE_OPTION = typer.Option(False, "--replace")


def register(app: typer.Typer) -> None:
    app.command("site", epilog="connectk site public")(site)


def site(
    out: Path = OUT_ARGUMENT,
    docs: bool = DOCS_OPTION,
    replace: bool = REPLACE_OPTION,
    address: str = ADDRESS_OPTION,
) -> None:
    from connectk.site import write_site

    texts = texts_for()
    if out.exists() and not out.is_dir():
        raise FileNotWritable(str(out), "error.because.not_folder")
    if not replace and _has_files(out) and not _may_write_into(out, texts):
        raise FileNotWritable(str(out), "error.because.has_files")
    try:
        names = write_site(out, docs, address)
    except OSError as error:
        raise FileNotWritable(str(out), error.strerror or str(error)) from error
    if settings().json:
        print_json({"folder": str(out), "files": names})
    else:
        typer.echo(texts("site.written", count=len(names), folder=out))


def _has_files(folder: Path) -> bool:
    return folder.is_dir() and any(folder.iterdir())


def _may_write_into(folder: Path, texts: Texts) -> bool:
    """Ask the user whether to replace existing files. A program, which cannot be asked, must pass `--replace`."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    print(texts("site.ask", folder=folder), texts("site.default_no"), end=" ", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in {*texts("ask.yes").split(), "y", "yes"}
