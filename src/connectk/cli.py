"""The `connectk` command: registers all commands and prints an error as one sentence."""

from __future__ import annotations

import errno
import os
import sys

import typer

from connectk.commands import (
    admin,
    arena,
    atlas,
    backup,
    book,
    check,
    config,
    connect,
    dataset,
    fair,
    gui,
    help_command,
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
    room,
    serve,
    site,
    solve,
    why,
)
from connectk.commands.console import texts_for
from connectk.commands.localized import LocalizedGroup, LocalizedTyper
from connectk.errors import ConnectkError, localize_reason
from connectk.system import follow_ascii_locale, open_closed_streams, replace_unencodable_characters, wrapped

WRITE_ERRNOS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EPIPE)

app = LocalizedTyper(
    name="connectk",
    cls=LocalizedGroup,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (
    *(play, gui, learn, puzzle),
    *(solve, why, review, fair, atlas, book),
    *(players, new_bot, check, arena, ratings, measure, connect),
    *(judge, dataset, site),
    *(serve, room, backup, purge, admin),
    *(config, help_command),
):
    command.register(app)


def _version(asked: bool) -> None:
    if asked:
        from connectk import __version__

        typer.echo(f"connectk {__version__}")
        raise typer.Exit


@app.callback(epilog="connectk play\nconnectk solve 4455\nconnectk --language fi play")
def options(
    version: bool = typer.Option(False, "-V", "--version", callback=_version, is_eager=True),
) -> None:
    pass


def main() -> None:
    """Run a command. A `ConnectkError` or a failed write is printed as one sentence, with exit status 2."""
    open_closed_streams()
    replace_unencodable_characters()
    follow_ascii_locale()
    try:
        _run()
    except ConnectkError as error:
        _say(error.localize(texts_for()))
        sys.exit(2)
    except OSError as error:
        if error.errno not in WRITE_ERRNOS:
            raise
        if error.errno != errno.EPIPE:  # a closed pipe needs no message
            texts = texts_for()
            _say(texts("error.output", reason=localize_reason(error.strerror or str(error), texts)))
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # so that the flush at exit does not fail again
        sys.exit(1 if error.errno == errno.EPIPE else 2)


def _say(sentence: str) -> None:
    print(wrapped(f"connectk: {sentence}", sys.stderr), file=sys.stderr)


def _run() -> None:
    try:
        app()
    finally:
        sys.stdout.flush()  # flush now, because at exit Python would print its own error
