"""Writes the files of `connectk new-bot`: a small bot that can play, and a test for it."""

from __future__ import annotations

import sys
from keyword import iskeyword
from pathlib import Path

from connectk.errors import BotUnusable, FileNotWritable
from connectk.files import write_file

BOT_TEMPLATE = '''\
"""A bot for Connect Four and every connect-k game.

    How strong is it?               connectk arena {file} random --games 20
    Does it do what it should?      pytest {test}
    Is it ready to be handed in?    connectk check {file}
"""

import random


def choose(position):
    """The column of the next disc, counted from 0. Change this function: it is your bot."""
    for column in position.legal_columns:
        if wins(position, column):
            return column
    return random.choice(near_the_centre(position, safe_columns(position) or position.legal_columns))


def wins(position, column):
    """Whether a disc in this column makes a line."""
    after = position.drop(column).outcome
    return after is not None and not after.is_draw


def safe_columns(position):
    """The columns after which the opponent has no line at once."""
    return [column for column in position.legal_columns if not can_win(position.drop(column))]


def can_win(position):
    return any(wins(position, column) for column in position.legal_columns)


def near_the_centre(position, columns):
    """Those of the columns that are nearest to the middle of the board."""
    middle = (position.variant.width - 1) / 2
    nearest = min(abs(column - middle) for column in columns)
    return [column for column in columns if abs(column - middle) == nearest]
'''

TEST_TEMPLATE = '''\
"""What {file} must be able to do. Run it with: pytest {test}"""

from {module} import choose

from connectk import Position, Variant


def test_it_completes_its_own_line():
    assert choose(Position.from_moves("112233")) == 3


def test_it_stops_the_line_of_its_opponent():
    assert choose(Position.from_moves("41424")) == 3


def test_it_plays_on_any_board():
    position = Position.start(Variant(width=9, height=7, run=5))
    while position.outcome is None:
        position = position.drop(choose(position))
'''


def write_new_bot(path: Path) -> Path:
    """Write a bot, and a test in the same folder; return the path of the test. Raises an error if one of the two files
    exists already."""
    if path.suffix != ".py" or not path.stem.isidentifier():
        raise BotUnusable(str(path), "error.BotUnusable.bad_name")
    if iskeyword(path.stem):
        raise BotUnusable(str(path), "error.BotUnusable.keyword", word=path.stem)
    if path.stem in {*sys.stdlib_module_names, "connectk", "connectz", "pytest"}:
        raise BotUnusable(str(path), "error.BotUnusable.hides", module=path.stem)
    test = path.with_name(f"test_{path.name}")
    for file in (path, test):
        if file.exists():
            raise BotUnusable(str(file), "error.BotUnusable.there")
    if not path.parent.is_dir():
        raise FileNotWritable(str(path), "error.because.no_folder")
    names = {"file": path.name, "test": test.name, "module": path.stem}
    write_file(path, BOT_TEMPLATE.format(**names))
    write_file(test, TEST_TEMPLATE.format(**names))
    return test
