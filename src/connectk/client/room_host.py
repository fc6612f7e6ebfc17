"""Lets a program host a room: create the room, start it, and download its results."""

from __future__ import annotations

import re
import time
import zipfile
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path, PurePosixPath

from connectk.client.api import Json, address_of, download, get, post, sanitize
from connectk.client.seats import HeldSeat, HeldSeats
from connectk.errors import ConnectkError
from connectk.files import write_file
from connectk.play.secrets_and_codes import parse_room_code
from connectk.watch import Progress, Report

HOST_LINK_PATTERN = re.compile(r"(https?://[^/\s#?]+)/?#/?room/([\w-]+)/host/([\w-]+)/?")
TABLES = ("table", "crosstable", "grades", "graded-games")
GAMES_ARCHIVE, REVIEWS_ARCHIVE = "games", "reviews"  # archives
DOWNLOAD_TIMEOUT_SECONDS = 300.0  # the server may review a long game first


@dataclass(eq=False)
class NotYourRoom(ConnectkError):
    """This computer does not have the secret of the room's host."""

    key = "error.NotYourRoom"
    code: str


class HostedRoom:
    """A room on a server, and the secret of its host."""

    def __init__(self, server: str, code: str, secret: str, address: str | None = None) -> None:
        self.server, self.code, self._secret = server, code, secret
        self._address = address or server  # where others reach the server

    @property
    def link(self) -> str:
        """The address for joining the room."""
        return f"{self._address}/#/room/{self.code}"

    @property
    def host_link(self) -> str:
        """The link for further hosts: everybody who opens it becomes a host of the room."""
        return f"{self.server}/#/room/{self.code}/host/{self._secret}"

    @property
    def wall_link(self) -> str:
        return f"{self.server}/#/wall/{self.code}"

    def start(self) -> Json:
        """Begin the tournament and return the room."""
        return dict(post(self.server, f"/api/rooms/{self.code}/begin", {}, self._secret)["room"])

    def load(self) -> Json:
        """The current state of the room."""
        return dict(get(self.server, f"/api/rooms/{self.code}", self._secret)["room"])

    def review_games(self, progress: Progress) -> list[Json]:
        """Wait until the server has reviewed all games, and return how well each member has played."""
        began = time.monotonic()
        while True:
            answer = get(self.server, f"/api/rooms/{self.code}/grades", self._secret, DOWNLOAD_TIMEOUT_SECONDS)
            reviewed, seconds = answer["reviewed"], time.monotonic() - began
            progress(Report(reviewed, reviewed + answer["left"], seconds=seconds))
            if not answer["left"]:
                return list(answer["members"])

    def save_results(self, folder: Path, language: str) -> list[Path]:
        """Save the tables, the games, and a page for each review. Returns the paths of the files and of the folder of
        reviews."""
        folder.mkdir(parents=True, exist_ok=True)
        saved = []
        for name in (*(f"{table}.csv" for table in TABLES), f"{GAMES_ARCHIVE}.zip"):
            write_file(folder / name, self._download(f"{name}?language={language}"))
            saved.append(folder / name)
        reviews = folder / REVIEWS_ARCHIVE
        reviews.mkdir(exist_ok=True)
        with zipfile.ZipFile(BytesIO(self._download(f"{REVIEWS_ARCHIVE}.zip?language={language}"))) as archive:
            for name in archive.namelist():
                write_file(reviews / PurePosixPath(name).name, archive.read(name))
        return [*saved, reviews]

    def _download(self, name: str) -> bytes:
        return download(self.server, f"/api/rooms/{self.code}/{name}", self._secret, DOWNLOAD_TIMEOUT_SECONDS)


def make_room(server: str, order: Json, seats: HeldSeats) -> HostedRoom:
    """Create a room, and save the secret of its host on this computer."""
    server = address_of(server)
    made = post(server, "/api/rooms", order)
    network = get(server, "/api/page/about")["network"] or {}
    room = HostedRoom(server, str(made["room"]["code"]), str(made["secret"]), network.get("address"))
    seats.save(HeldSeat(server, _seat_name(room.code), str(made["secret"])))
    return room


def hosted_room(server: str, room: str, seats: HeldSeats) -> HostedRoom:
    """The room that `room` names: the code of a room that was created on this computer, or the link of a host."""
    if link := HOST_LINK_PATTERN.fullmatch(room.strip()):
        server, code, secret = link.groups()
        seats.save(HeldSeat(server, _seat_name(code), secret))
        return HostedRoom(server, code, secret)
    server, code = address_of(server), parse_room_code(room) or sanitize(room)
    if (held := seats.find(server, _seat_name(code))) is None:
        raise NotYourRoom(code)
    return HostedRoom(server, code, held[0])


def _seat_name(code: str) -> str:
    return f"host of room {code}"
