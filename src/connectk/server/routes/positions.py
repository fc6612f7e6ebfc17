"""Questions about positions and games, and their pictures."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response

from connectk.drawing import LARGEST, SIZE, SMALLEST, draw_gif, draw_png, draw_svg
from connectk.errors import NotationError
from connectk.notation.gamefile import parse_game_file
from connectk.notation.moves import parse_moves, parse_variant
from connectk.notation.saved import SavedGame, parse_saved_game, write_saved_game
from connectk.players.registry import REGISTRY
from connectk.referee import Verdict, judge_bytes
from connectk.rules import Game, Side, Variant
from connectk.server import views
from connectk.server.analysis import unless_gone
from connectk.server.dependencies import Admitted, AskerHere, HostHere, check_board, position_of, set_up, start_of
from connectk.server.routes.matches import REFUSED
from connectk.server.schemas import (
    GameAnswer,
    HintAnswer,
    Language,
    PlayersAnswer,
    PositionOrder,
    PositionView,
    ReviewAnswer,
    ReviewOrder,
    ScoresAnswer,
    VerdictAnswer,
)

router = APIRouter(prefix="/api", tags=["positions"], responses=REFUSED)
GONE = Response(status_code=499)  # nobody hears it


def body_of(kind: str) -> dict[str, Any]:
    """For the OpenAPI page: the request's body is a file, as it is."""
    return {"requestBody": {"required": True, "content": {kind: {"schema": {"type": "string"}}}}}


async def left(request: Request) -> None:
    """Returns when the asker has hung up."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


@router.get("/players", response_model=PlayersAnswer)
async def players() -> Any:
    """The computer players."""
    return {"players": [{"name": entry.example, "sentence": entry.sentence} for entry in REGISTRY.values()]}


@router.post("/position", response_model=PositionView)
async def position(order: PositionOrder, host: HostHere) -> Any:
    """A board with its legal columns and winning lines, or what is wrong with it."""
    return views.position_view(position_of(order, host))


@router.post("/scores", response_model=ScoresAnswer)
async def scores(order: PositionOrder, host: HostHere, asker: AskerHere, request: Request) -> Any:
    """What each column is worth under perfect play, from the side to move: 0 a draw, more is a sooner win."""
    work = host.analyst.scores(asker, position_of(order, host))
    return await unless_gone(work, lambda: left(request)) or GONE


@router.post("/review", response_model=ReviewAnswer)
async def review(order: ReviewOrder, host: HostHere, asker: AskerHere, request: Request) -> Any:
    """A game, move by move: what each move was worth, its label, the accuracy of both sides and the turning point."""
    saved = SavedGame(Game(start_of(order, host), order.moves), given=min(order.given, len(order.moves)))
    return await unless_gone(host.analyst.review(asker, saved, order.language), lambda: left(request)) or GONE


@router.get("/matches/{match_id}/review", response_model=ReviewAnswer, tags=["matches"])
async def match_review(
    admitted: Admitted, host: HostHere, asker: AskerHere, request: Request, language: Language = "en"
) -> Any:
    """The same of a match."""
    work = host.analyst.review(asker, views.saved_of(admitted.match), language)
    return await unless_gone(work, lambda: left(request)) or GONE


@router.post("/saved", response_model=GameAnswer, openapi_extra=body_of("application/json"))
async def saved_game(host: HostHere, request: Request) -> Any:
    """Read a saved game, as `connectk` writes it, and see what it holds."""
    saved = await asyncio.to_thread(_read_saved, await request.body())
    check_board(saved.game.variant, host)
    return views.game_view(saved)


def _read_saved(body: bytes) -> SavedGame:
    try:
        return parse_saved_game(body.decode())
    except UnicodeDecodeError as error:
        raise NotationError("A saved game is text.") from error


@router.post("/judge", response_model=VerdictAnswer, openapi_extra=body_of("text/plain"))
async def judge(host: HostHere, request: Request) -> Any:
    """Judge a Connect-Z file; the game comes with the answer where it is one that can be shown."""
    body = await request.body()
    verdict = await asyncio.to_thread(judge_bytes, body)
    game = _game_of(body, host) if verdict.code.is_valid_game else None
    return _verdict_view(verdict, game)


def _game_of(body: bytes, host: HostHere) -> Game | None:
    file = parse_game_file(body)
    if file.width * file.height > host.settings.largest_board:
        return None
    return Game(Variant(file.width, file.height, file.run), file.columns)


def _verdict_view(verdict: Verdict, game: Game | None) -> VerdictAnswer:
    return {
        "game": views.game_view(SavedGame(game)) if game else None,
        "code": int(verdict.code),
        "title": verdict.code.title,
        "line": verdict.line,
        "moves": verdict.moves,
        "winner": views.SIDE_NAMES[verdict.winner] if isinstance(verdict.winner, Side) else None,
        "winning_cells": list(verdict.winning_cells),
    }


@router.post("/hint", response_model=HintAnswer)
async def hint(order: PositionOrder, host: HostHere, asker: AskerHere, request: Request) -> Any:
    """A good column, on any board."""
    work = host.analyst.hint(asker, position_of(order, host))
    return await unless_gone(work, lambda: left(request)) or GONE


# Pictures. In an address, as in all text, columns are counted from 1.

Kind = Literal["svg", "png", "gif"]
TYPES = {"svg": "image/svg+xml", "png": "image/png", "gif": "image/gif"}
PICTURE: dict[int | str, dict[str, Any]] = {**REFUSED, 200: {"content": {kind: {} for kind in TYPES.values()}}}
Size = Annotated[int, Query(ge=SMALLEST, le=LARGEST, description="Pixels of the longer side.")]
pictures = APIRouter(prefix="/api", tags=["pictures"])


@pictures.get("/picture.{kind}", response_class=Response, responses=PICTURE)
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


@pictures.get("/matches/{match_id}/picture.{kind}", response_class=Response, responses=PICTURE)
async def match_picture(kind: Kind, admitted: Admitted, size: Size = SIZE) -> Response:
    """The match as SVG or PNG, or as an animated GIF."""
    return await _drawn(kind, views.saved_of(admitted.match).game, size)


@pictures.get("/matches/{match_id}/saved", tags=["matches"], responses=REFUSED)
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
