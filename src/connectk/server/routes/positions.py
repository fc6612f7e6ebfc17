"""Questions about positions and games, and their pictures."""

from __future__ import annotations

from collections.abc import Awaitable
from contextlib import nullcontext
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Query, Request, Response

from connectk.drawing import LARGEST, SIZE, SMALLEST
from connectk.notation.moves import parse_variant
from connectk.notation.saved import SavedGame, write_saved_game
from connectk.players.registry import REGISTRY
from connectk.rules import Side
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
    saved_match,
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
    WhyAnswer,
    WhyOrder,
)
from connectk.server.uploads import DrawnGame, Kind, PlayedGame, WrittenGame
from connectk.solver.solver import require_supported
from connectk.texts import load_texts

router = APIRouter(prefix="/api", tags=["positions"], responses=REFUSED)
T = TypeVar("T")
LARGE = 64 * 1024  # bytes
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


async def worked_on(request: Request, host: Host, job: str, *arguments: Any) -> Any:
    """A file and what `uploads` makes of it; of large ones only a few are in memory at once."""
    asker = asker_of(request)
    async with host.limits.large.turn(asker.address) if _may_be_large(request) else nullcontext():
        body = await request.body()
        return await given_up(request, host.work(asker, job, body, *arguments))


def _may_be_large(request: Request) -> bool:
    length = request.headers.get("content-length", "")
    return not length.isdigit() or int(length) > LARGE


@router.get("/players", response_model=PlayersAnswer)
async def players() -> Any:
    """The computer players."""
    say = load_texts("en")
    return {"players": [{"name": one.example, "sentence": say(f"players.{kind}")} for kind, one in REGISTRY.items()]}


@router.post("/position", response_model=PositionView)
async def position(order: PositionOrder, host: HostHere, asker: AskerHere) -> Any:
    """A board with its legal columns and winning lines, or what is wrong with it."""
    return views.position_view(await position_of(order, host, asker.address))


@router.post("/scores", response_model=ScoresAnswer)
async def scores(order: ScoresOrder, host: HostHere, asker: AskerHere, request: Request) -> Any:
    """What each column is worth under perfect play, from the side to move: 0 a draw, more is a sooner win."""
    work = host.analyst.scores(asker, await position_of(order, host, asker.address), order.seconds)
    return await given_up(request, work)


@router.post("/review", response_model=ReviewAnswer)
async def review(order: ReviewOrder, host: HostHere, asker: AskerHere, request: Request) -> Any:
    """A game, move by move: what each move was worth, its label, the accuracy of both sides and the turning point."""
    saved = SavedGame(await game_of(order, host, asker.address), given=min(order.given, len(order.moves)))
    return await given_up(request, host.analyst.review(asker, saved, order.language))


@router.get("/matches/{match_id}/review", response_model=ReviewAnswer, tags=["matches"])
async def match_review(
    admitted: Admitted, host: HostHere, asker: AskerHere, request: Request, language: Language = "en"
) -> Any:
    """The same of a match."""
    saved = await saved_match(admitted, host, asker.address)
    return await given_up(request, host.analyst.review(asker, saved, language))


@router.post("/why", response_model=WhyAnswer)
async def why(order: WhyOrder, host: HostHere, asker: AskerHere, request: Request) -> Any:
    """Why a side wins this position, or holds at least a draw: a force, a strategy or a few boards, step by step."""
    position = await position_of(order, host, asker.address)
    require_supported(position.variant)
    side = Side[order.side.upper()] if order.side else None
    return await given_up(request, host.analyst.why(asker, position, side, order.language))


@router.post("/why/check", response_model=WhyAnswer, openapi_extra=body_of("application/json"))
async def check_why(host: HostHere, request: Request, language: Language = "en") -> Any:
    """An explanation from a file, played through against every reply and told step by step."""
    return await worked_on(request, host, "explanation", language)


@router.post("/saved", response_model=GameAnswer, openapi_extra=body_of("application/json"))
async def saved_game(host: HostHere, request: Request) -> Any:
    """Read a saved game, as `connectk` writes it, and see what it holds."""
    return await worked_on(request, host, "saved", host.settings.largest_board)


@router.post("/judge", response_model=VerdictAnswer, openapi_extra=body_of("text/plain"))
async def judge(host: HostHere, request: Request) -> Any:
    """Judge a Connect-Z file; the game comes with the answer where it is one that can be shown."""
    return await worked_on(request, host, "judge", host.settings.largest_board)


@router.post("/hint", response_model=HintAnswer)
async def hint(order: PositionOrder, host: HostHere, asker: AskerHere, request: Request) -> Any:
    """A good column, on any board."""
    work = host.analyst.hint(asker, await position_of(order, host, asker.address))
    return await given_up(request, work)


# Pictures. In an address, as in all text, columns are counted from 1.

TYPES = {"svg": "image/svg+xml", "png": "image/png", "gif": "image/gif"}
PICTURE: dict[int | str, dict[str, Any]] = {**REFUSED, 200: {"content": {kind: {} for kind in TYPES.values()}}}
SAVED: dict[int | str, dict[str, Any]] = {**REFUSED, 200: {"content": {"application/json": {}}}}
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
    check_board(parse_variant(variant), host)
    return await _drawn(kind, WrittenGame(variant, start, moves), size, host, request)


@pictures.get("/matches/{match_id}/picture.{kind}", response_class=Response, responses=PICTURE)
async def match_picture(
    kind: Kind, admitted: Admitted, host: HostHere, request: Request, size: Size = SIZE
) -> Response:
    """The match as SVG or PNG, or as an animated GIF."""
    match = admitted.match
    return await _drawn(kind, PlayedGame(match.setup.start, match.moves), size, host, request)


@pictures.get("/matches/{match_id}/saved", tags=["matches"], response_class=Response, responses=SAVED)
async def saved(admitted: Admitted, host: HostHere, asker: AskerHere) -> Response:
    """The match as a saved game, which every part of connectk reads."""
    saved = await saved_match(admitted, host, asker.address)
    return Response(write_saved_game(saved), media_type="application/json")


async def _drawn(kind: Kind, game: DrawnGame, size: int, host: Host, request: Request) -> Response:
    body = await given_up(request, host.work(asker_of(request), "picture", kind, game, size))
    if isinstance(body, Response):
        return body
    return Response(body, media_type=TYPES[kind], headers={"cache-control": "private, max-age=60"})
