"""Questions about positions and games, and their pictures."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Query, Request, Response

from connectk.drawing import LARGEST, SIZE, SMALLEST
from connectk.notation.moves import parse_moves, parse_variant
from connectk.notation.saved import SavedGame, write_saved_game
from connectk.notation.start import parse_start
from connectk.players.registry import REGISTRY
from connectk.rules import Game
from connectk.server import views
from connectk.server.analysis import unless_gone
from connectk.server.dependencies import (
    Admitted,
    AskerHere,
    HostHere,
    asker_of,
    check_board,
    game_of,
    position_of,
)
from connectk.server.host import Host
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
    ScoresOrder,
    Start,
    VerdictAnswer,
)
from connectk.server.uploads import Kind

router = APIRouter(prefix="/api", tags=["positions"], responses=REFUSED)
T = TypeVar("T")
GONE = Response(status_code=499)  # nobody hears it


def body_of(kind: str) -> dict[str, Any]:
    """For the OpenAPI page: the request's body is a file, as it is."""
    return {"requestBody": {"required": True, "content": {kind: {"schema": {"type": "string"}}}}}


async def left(request: Request) -> None:
    """Returns when the asker has hung up."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def given_up(request: Request, work: Awaitable[T]) -> T | Response:
    """The answer of some work, which is given up when the asker hangs up first."""
    return await unless_gone(work, lambda: left(request)) or GONE


@router.get("/players", response_model=PlayersAnswer)
async def players() -> Any:
    """The computer players."""
    return {"players": [{"name": entry.example, "sentence": entry.sentence} for entry in REGISTRY.values()]}


@router.post("/position", response_model=PositionView)
async def position(order: PositionOrder, host: HostHere) -> Any:
    """A board with its legal columns and winning lines, or what is wrong with it."""
    return views.position_view(await position_of(order, host))


@router.post("/scores", response_model=ScoresAnswer)
async def scores(order: ScoresOrder, host: HostHere, asker: AskerHere, request: Request) -> Any:
    """What each column is worth under perfect play, from the side to move: 0 a draw, more is a sooner win."""
    work = host.analyst.scores(asker, await position_of(order, host), order.seconds)
    return await given_up(request, work)


@router.post("/review", response_model=ReviewAnswer)
async def review(order: ReviewOrder, host: HostHere, asker: AskerHere, request: Request) -> Any:
    """A game, move by move: what each move was worth, its label, the accuracy of both sides and the turning point."""
    saved = SavedGame(await game_of(order, host), given=min(order.given, len(order.moves)))
    return await given_up(request, host.analyst.review(asker, saved, order.language))


@router.get("/matches/{match_id}/review", response_model=ReviewAnswer, tags=["matches"])
async def match_review(
    admitted: Admitted, host: HostHere, asker: AskerHere, request: Request, language: Language = "en"
) -> Any:
    """The same of a match."""
    work = host.analyst.review(asker, views.saved_of(admitted.match), language)
    return await given_up(request, work)


@router.post("/saved", response_model=GameAnswer, openapi_extra=body_of("application/json"))
async def saved_game(host: HostHere, asker: AskerHere, request: Request) -> Any:
    """Read a saved game, as `connectk` writes it, and see what it holds."""
    body = await request.body()
    return await given_up(request, host.work(asker, "saved", body, host.settings.largest_board))


@router.post("/judge", response_model=VerdictAnswer, openapi_extra=body_of("text/plain"))
async def judge(host: HostHere, asker: AskerHere, request: Request) -> Any:
    """Judge a Connect-Z file; the game comes with the answer where it is one that can be shown."""
    body = await request.body()
    return await given_up(request, host.work(asker, "judge", body, host.settings.largest_board))


@router.post("/hint", response_model=HintAnswer)
async def hint(order: PositionOrder, host: HostHere, asker: AskerHere, request: Request) -> Any:
    """A good column, on any board."""
    work = host.analyst.hint(asker, await position_of(order, host))
    return await given_up(request, work)


# Pictures. In an address, as in all text, columns are counted from 1.

TYPES = {"svg": "image/svg+xml", "png": "image/png", "gif": "image/gif"}
PICTURE: dict[int | str, dict[str, Any]] = {**REFUSED, 200: {"content": {kind: {} for kind in TYPES.values()}}}
Size = Annotated[int, Query(ge=SMALLEST, le=LARGEST, description="Pixels of the longer side.")]
pictures = APIRouter(prefix="/api", tags=["pictures"])


@pictures.get("/picture.{kind}", response_class=Response, responses=PICTURE)
async def picture(
    kind: Kind,
    host: HostHere,
    request: Request,
    variant: Annotated[str, Query(max_length=40, description="As in 7x6x4.")] = "7x6x4",
    start: Annotated[Start, Query()] = "",
    moves: Annotated[str, Query(max_length=40_000, description="As in 4453; columns from 1.")] = "",
    size: Size = SIZE,
) -> Response:
    """A board as SVG or PNG, or the game as an animated GIF."""
    board = parse_variant(variant)
    check_board(board, host)
    return await _drawn(kind, Game(parse_start(start, board), parse_moves(moves, board)), size, host, request)


@pictures.get("/matches/{match_id}/picture.{kind}", response_class=Response, responses=PICTURE)
async def match_picture(
    kind: Kind, admitted: Admitted, host: HostHere, request: Request, size: Size = SIZE
) -> Response:
    """The match as SVG or PNG, or as an animated GIF."""
    return await _drawn(kind, views.saved_of(admitted.match).game, size, host, request)


@pictures.get("/matches/{match_id}/saved", tags=["matches"], responses=REFUSED)
async def saved(admitted: Admitted) -> Response:
    """The match as a saved game, which every part of connectk reads."""
    return Response(write_saved_game(views.saved_of(admitted.match)), media_type="application/json")


async def _drawn(kind: Kind, game: Game, size: int, host: Host, request: Request) -> Response:
    body = await given_up(request, host.work(asker_of(request), "picture", kind, game, size))
    if isinstance(body, Response):
        return body
    return Response(body, media_type=TYPES[kind], headers={"cache-control": "private, max-age=60"})
