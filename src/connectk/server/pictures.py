"""Pictures of boards and games. In an address, as in all text, columns are counted from 1."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response

from connectk.drawing import LARGEST, SIZE, SMALLEST, draw_gif, draw_png, draw_svg
from connectk.notation.moves import parse_moves, parse_variant
from connectk.notation.saved import write_saved_game
from connectk.rules import Game
from connectk.server import views
from connectk.server.asking import Admitted, HostHere, check_board, set_up
from connectk.server.matches import REFUSED

Kind = Literal["svg", "png", "gif"]
TYPES = {"svg": "image/svg+xml", "png": "image/png", "gif": "image/gif"}
PICTURE: dict[int | str, dict[str, Any]] = {**REFUSED, 200: {"content": {kind: {} for kind in TYPES.values()}}}
Size = Annotated[int, Query(ge=SMALLEST, le=LARGEST, description="Pixels of the longer side.")]
router = APIRouter(prefix="/api", tags=["pictures"])


@router.get("/picture.{kind}", response_class=Response, responses=PICTURE)
async def picture(
    kind: Kind,
    host: HostHere,
    variant: Annotated[str, Query(max_length=40, description="As in 7x6x4.")] = "7x6x4",
    start: Annotated[
        str,
        Query(
            max_length=20_000,
            pattern="^[xo.,]*$",
            description="Discs set up: columns set apart by commas, as in ,,xo,x.",
        ),
    ] = "",
    moves: Annotated[str, Query(max_length=40_000, description="As in 4453; columns from 1.")] = "",
    size: Size = SIZE,
) -> Response:
    """A board as SVG or PNG, or the game as an animated GIF."""
    board = parse_variant(variant)
    check_board(board, host)
    return await _drawn(kind, Game(set_up(start.split(","), board), parse_moves(moves, board)), size)


@router.get("/matches/{match_id}/picture.{kind}", response_class=Response, responses=PICTURE)
async def match_picture(kind: Kind, admitted: Admitted, size: Size = SIZE) -> Response:
    """The match as SVG or PNG, or as an animated GIF."""
    return await _drawn(kind, views.saved_of(admitted.match).game, size)


@router.get("/matches/{match_id}/saved", tags=["matches"], responses=REFUSED)
async def saved(admitted: Admitted) -> Response:
    """The match as a saved game, which every part of connectk reads."""
    return Response(write_saved_game(views.saved_of(admitted.match)), media_type="application/json")


async def _drawn(kind: Kind, game: Game, size: int) -> Response:
    """Drawn in a thread, so that others need not wait."""
    body = await asyncio.to_thread(_draw, kind, game, size)
    return Response(body, media_type=TYPES[kind], headers={"cache-control": "private, max-age=60"})


def _draw(kind: Kind, game: Game, size: int) -> str | bytes:
    if kind == "gif":
        return draw_gif(game, size)
    return draw_svg(game.position, size) if kind == "svg" else draw_png(game.position, size)
