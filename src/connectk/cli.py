"""The `connectk` command: gathers the commands and turns errors into one sentence."""

from __future__ import annotations

import errno
import os
import sys

import typer

from connectk.commands import (
    admin,
    arena,
    backup,
    connect,
    dataset,
    gui,
    judge,
    learn,
    measure,
    new_bot,
    play,
    players,
    purge,
    puzzle,
    ratings,
    review,
    serve,
    site,
    solve,
    why,
)
from connectk.commands.console import texts_for
from connectk.commands.localized import LocalizedGroup, LocalizedTyper
from connectk.errors import ConnectkError
from connectk.system import replace_unencodable_characters

WRITE_ERRNOS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EPIPE)

app = LocalizedTyper(
    name="connectk",
    cls=LocalizedGroup,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (
    play,
    gui,
    judge,
    solve,
    why,
    learn,
    puzzle,
    dataset,
    new_bot,
    arena,
    measure,
    ratings,
    review,
    serve,
    site,
    connect,
    backup,
    purge,
    admin,
    players,
):
    command.register(app)


def _version(asked: bool) -> None:
    if asked:
        from connectk import __version__

        typer.echo(f"connectk {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True),
) -> None:
    pass


def main() -> None:
    """Run a command; a `ConnectkError` is printed as one sentence, with exit status 2."""
    replace_unencodable_characters()
    try:
        _run()
    except ConnectkError as error:
        print(f"connectk: {error.localize(texts_for())}", file=sys.stderr)
        sys.exit(2)
    except OSError as error:
        if error.errno not in WRITE_ERRNOS:
            raise
        if error.errno != errno.EPIPE:  # a closed pipe needs no message
            print(f"connectk: {texts_for()('error.output', reason=error.strerror)}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for the flush at exit
        sys.exit(1)


def _run() -> None:
    try:
        app()
    finally:
        sys.stdout.flush()  # here, because Python would print its own error at exit
