"""Stored rooms are read as they were written, also those of older versions."""

import json
from types import SimpleNamespace

from connectk.rooms.room import RoomSetup
from connectk.storage.rooms import _setup_document, room_from
from tests.rooms.playing import room_of

OLDER_SETUP = {
    "title": "Class 7B",
    "host": "hash",
    "format": "swiss",
    "variant": "7x6x4",
    "control": [180.0, 2.0],
    "who": "everyone",
    "rounds": 5,
    "games": 1,
    "show": 60.0,
    "rest": 5.0,
    "openings": [[3, 3]],
}  # as rooms were stored before there were teams


def read(setup):
    return room_from(SimpleNamespace(code="ABCDEF", setup=json.loads(json.dumps(setup)), created=1.0))


def test_a_room_of_an_older_version_is_read():
    room = read(OLDER_SETUP)
    assert (room.setup.teams, room.setup.approval, room.setup.gone) == ((), False, None)
    assert room.hosts == ("hash",)
    assert room.setup.openings == ((3, 3),)


def test_a_setup_is_read_as_it_was_written():
    """Every option of a room survives a conversion to JSON, in which tuples become lists."""
    options = {"teams": ("7A", "7B"), "approval": True, "gone": 30.0, "minutes": 45.0, "openings": ((3,), (2, 4))}
    options |= {"swap": True, "swap_discs": 3}
    setup = room_of(0, "teams", **options).setup
    assert read(_setup_document(setup)).setup == setup
    assert {name for name in RoomSetup.__slots__ if name not in OLDER_SETUP} == options.keys() - OLDER_SETUP.keys()
