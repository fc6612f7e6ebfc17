"""Reads the paths of shared links and makes their previews, which other sites show: a title, a sentence and a board."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple
from urllib.parse import quote

from cachetools import LRUCache

from connectk.notation import parse_moves, parse_start, parse_variant, write_moves, write_start
from connectk.play.match import Match, Seat
from connectk.play.refusals import Refusal
from connectk.puzzles import puzzle_of_day, shipped_puzzles
from connectk.puzzles.puzzle import Puzzle
from connectk.rules import CLASSIC, Game, Position, Side, Variant
from connectk.server.games import check_cells, check_showable
from connectk.server.limits import HourlyQuota
from connectk.texts import Texts
from connectk.thinking.pool import ThinkingPool
from connectk.thinking.queue import Requester

MAX_PICTURES_BYTES = 8 * 1024 * 1024  # of the cache
MAX_LINK_CHARS = 2000  # the page shares a longer game with an address behind the `#`
TODAY = "today"  # instead of a date: the puzzle of the day on which the link is opened
VARIATION_PATTERN = re.compile(r"(\d{1,4})\.([\d,]+)")


class LinkPreview(NamedTuple):
    """The preview of a link. `screen` is the part after the `#` in the page's address that the link opens."""

    screen: str
    title: str
    words: str
    position: Position


class LinkNotFound(Refusal):
    """The path of a link does not lead to anything."""

    reason = "not_found"
    key = "page.missing"


def read_game_link(parts: Sequence[str], texts: Texts, max_cells: int) -> LinkPreview:
    """The preview of a game's link. Its parts are the variant, moves, start and variation, as in the page's addresses.
    `-` stands for an empty part."""
    if not 1 <= len(parts) <= 4:
        raise LinkNotFound
    variant_text, moves, start, tries = (*(part if part != "-" else "" for part in parts), "", "", "")[:4]
    variant = check_showable(parse_variant(variant_text))
    check_cells(variant, max_cells)
    game = Game(parse_start(start, variant), parse_moves(moves, variant))
    found = VARIATION_PATTERN.fullmatch(tries) if tries else None
    if tries and not found:
        raise LinkNotFound
    shown = game if found is None else _with_variation(game, int(found[1]), found[2])
    position = shown.position
    tail = [write_start(game.start) or "-", tries] if tries else [write_start(game.start)] if start else []
    screen = "/".join(["/game", str(variant), write_moves(game.moves, variant) or "-", *map(quote, tail)])
    return LinkPreview(screen, _game_title(variant, texts), _state(position, texts), position)


def _with_variation(game: Game, ply: int, moves: str) -> Game:
    """A variation of `game`: its first `ply` moves, followed by `moves`."""
    variant = game.start.variant
    return Game(game.start, [*game.moves[:ply], *parse_moves(moves, variant)])


def _game_title(variant: Variant, texts: Texts) -> str:
    if variant == CLASSIC:
        return texts("preview.game")
    return texts("preview.game.board", width=variant.width, height=variant.height, run=variant.run)


def _state(position: Position, texts: Texts) -> str:
    """The number of discs on the board, and who has won or is to move."""
    discs = texts("count.discs", count=position.ply)
    if position.outcome is None:
        return f"{discs}. {_to_move(position, texts)}"
    winner = position.outcome.winner
    return f"{discs}. {texts('result.draw') if winner is None else texts('result.other', name=texts(f'name.{winner}'))}"


def _to_move(position: Position, texts: Texts) -> str:
    return texts("turn.other", name=texts(f"name.{position.side_to_move}"))


def read_puzzle_link(parts: Sequence[str], texts: Texts) -> LinkPreview:
    """The preview of a shipped puzzle's link. Its parts are the board, and the puzzle's start, a date such as
    2026-11-16, or `today`."""
    if len(parts) != 2:
        raise LinkNotFound
    variant = parse_variant(parts[0])
    puzzles = shipped_puzzles(variant)
    if not puzzles:
        raise LinkNotFound
    puzzle, title = _puzzle_of(parts[1], puzzles, texts)
    position = puzzle.position
    words = f"{_to_move(position, texts)} {texts(f'puzzle.task.{puzzle.aim}')}"
    return LinkPreview(f"/puzzle/{variant}/{quote(parts[1])}", title, words, position)


def _puzzle_of(which: str, puzzles: Sequence[Puzzle], texts: Texts) -> tuple[Puzzle, str]:
    """The puzzle that a link names, and its title."""
    if which == TODAY:
        return puzzle_of_day(date.today(), puzzles), texts("preview.puzzle")
    if re.fullmatch(r"\d{4}-\d\d-\d\d", which):
        try:
            return puzzle_of_day(date.fromisoformat(which), puzzles), texts("puzzle.of_day", day=which).rstrip(".")
        except ValueError:
            raise LinkNotFound from None
    found = next((puzzle for puzzle in puzzles if puzzle.start == which), None)
    if found is None:
        raise LinkNotFound
    return found, texts("preview.puzzle")


def match_preview(match: Match, texts: Texts) -> LinkPreview:
    """The preview of a public match's link, with the names of its players."""
    names = [_seat_name(seat, side, texts) for side, seat in zip(Side, match.seats, strict=True)]
    return LinkPreview(f"/match/{match.id}", " – ".join(names), _state(match.position, texts), match.position)


def _seat_name(seat: Seat, side: Side, texts: Texts) -> str:
    """The name of the player in this seat. A computer player without a name of its own has the same name as on the
    page."""
    if seat.player and seat.name in ("", seat.player):
        kind, _, number = seat.player.partition(":")
        return texts(f"opponent.{number}" if kind == "level" else f"player.{kind}")
    return seat.name or texts(f"name.{side}")


def invitation_preview(match_id: str, match: Match | None, texts: Texts) -> LinkPreview:
    """The preview of an invitation's link. If the invitation is no longer open, `match` is None, and the preview shows
    nothing of the match."""
    position = match.setup.start if match else Position.start(CLASSIC)
    host = next((seat.name for seat in match.seats if not seat.is_free and seat.name), "") if match else ""
    variant = position.variant
    return LinkPreview(
        f"/join/{match_id}/",
        texts("join.lead_name", name=host).rstrip(".") if host else texts("join.lead").rstrip("."),
        texts("join.board", width=variant.width, height=variant.height, run=variant.run),
        position,
    )


class PreviewPictures:
    """Draws the pictures of link previews in a worker process. The most recently used pictures are cached."""

    def __init__(self, workers: ThinkingPool, quota: HourlyQuota, seconds: float) -> None:
        self._workers, self._quota, self._seconds = workers, quota, seconds
        self._drawn: LRUCache[tuple[str, ...], bytes] = LRUCache(MAX_PICTURES_BYTES, getsizeof=len)
        self._drawing: dict[tuple[str, ...], asyncio.Task[bytes]] = {}

    async def of(self, preview: LinkPreview, requester: Requester) -> bytes:
        """The picture as PNG. Several requests for the same new picture wait for one drawing."""
        key = (str(preview.position.variant), write_start(preview.position), preview.title, preview.words)
        if (drawn := self._drawn.get(key)) is not None:
            return drawn
        if key not in self._drawing:
            self._quota.take(requester.address)
            self._drawing[key] = asyncio.create_task(self._draw(key, preview, requester))
        return await asyncio.shield(self._drawing[key])

    async def _draw(self, key: tuple[str, ...], preview: LinkPreview, requester: Requester) -> bytes:
        try:
            arguments = preview.position, preview.title, preview.words
            answer = await self._workers.think(requester, "preview", arguments, self._seconds)
            picture: bytes = answer.value
            if len(picture) <= MAX_PICTURES_BYTES:
                self._drawn[key] = picture
            return picture
        finally:
            del self._drawing[key]
