"""The command `connectz FILE`: prints the result code of a game file, as the Connect-Z challenge requires.

The exit status is always 0. The module imports only the core, so that it starts quickly.
"""

from __future__ import annotations

import os
import sys

from connectk._native import judge_files

HELP_TEXT = """\
connectz FILE: print what a game file is, as one number.

The first line of the file is `width height run`; every further line is a column, counted from 1.

  0  draw                 5  illegal row: the column is full
  1  player 1 won         6  illegal column: the board has no such column
  2  player 2 won         7  illegal game: no line fits on the board
  3  incomplete           8  invalid file
  4  illegal continue     9  the file cannot be read

`connectk judge FILE...` also says which line is wrong, who won and where, for as many files as you like."""


def parse_and_play(path: str | bytes | os.PathLike[str] | os.PathLike[bytes]) -> int:
    """The result code of a game file, from 0 to 9."""
    return judge_files([os.fsencode(path)])[0][0]


def main() -> None:
    try:
        print(_answer(sys.argv[1:]), flush=True)
    except OSError as error:  # a closed pipe or a full disk
        if not isinstance(error, BrokenPipeError):
            print(f"connectz: the answer cannot be written: {error.strerror}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # so that the flush at exit does not fail again


def _answer(arguments: list[str]) -> str | int:
    if arguments in (["--help"], ["-h"]):
        return HELP_TEXT
    if len(arguments) != 1:
        return "connectz.py: Provide one input file"
    return parse_and_play(arguments[0])


if __name__ == "__main__":
    main()
