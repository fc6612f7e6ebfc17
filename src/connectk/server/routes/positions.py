"""Answers questions about positions and games, and draws their pictures."""

from __future__ import annotations

from collections.abc import Awaitable
from contextlib import nullcontext
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Query, Request, Response

from connectk.drawing import DEFAULT_PICTURE_PIXELS, MAX_PICTURE_PIXELS, MIN_PICTURE_PIXELS
from connectk.notation.moves import parse_variant
from connectk.notation.saved_game import SavedGame, write_saved_game
from connectk.players.registry import PLAYER_REGISTRY
from connectk.rules import Side
from connectk.server import views
from connectk.server.analysis import unless_disconnected
from connectk.server.dependencies import (
    HostDep,
    MatchAccessDep,
    RequesterDep,
    check_board,
    game_of,
    position_of,
    requester_of,
    saved_match,
)
from connectk.server.host import Host
from connectk.server.routes.matches import REFUSAL_RESPONSES
from connectk.server.schemas import (
    ExplorerAnswer,
    GameAnswer,
    HintAnswer,
    Language,
    PlayersAnswer,
    PositionRequest,
    PositionView,
    ReviewAnswer,
    ReviewRequest,
    ScoresAnswer,
    ScoresRequest,
    Start,
    VerdictAnswer,
    WhyAnswer,
    WhyRequest,
)
from connectk.server.uploads import DrawnGame, Kind, PlayedGame, WrittenGame
from connectk.solver.solver import require_supported
from connectk.texts import load_texts

router = APIRouter(prefix="/api", tags=["positions"], responses=REFUSAL_RESPONSES)
T = TypeVar("T")
LARGE_UPLOAD_BYTES = 64 * 1024
CLIENT_DISCONNECTED = Response(status_code=499)  # never sent


def file_body_schema(kind: str) -> dict[str, Any]:
    """The OpenAPI description of a request whose body is a file."""
    return {"requestBody": {"required": True, "content": {kind: {"schema": {"type": "string"}}}}}


async def wait_for_disconnect(request: Request) -> None:
    """Returns when the client has disconnected."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def unless_client_disconnects(request: Request, work: Awaitable[T]) -> T | Response:
    """The result of `work`. If the client disconnects first, the work is cancelled."""
    return await unless_disconnected(work, lambda: wait_for_disconnect(request)) or CLIENT_DISCONNECTED


async def process_upload(request: Request, host: Host, job: str, *arguments: Any) -> Any:
    """Runs a job of `uploads` with the body of a request. Only a few large bodies are in memory at a time."""
    requester = requester_of(request)
    async with host.limits.large_uploads.slot(requester.address) if _may_be_large(request) else nullcontext():
        body = await request.body()
        return await unless_client_disconnects(request, host.run_job(requester, job, body, *arguments))


def _may_be_large(request: Request) -> bool:
    length = request.headers.get("content-length", "")
    return not length.isdigit() or int(length) > LARGE_UPLOAD_BYTES


@router.get("/players", response_model=PlayersAnswer)
async def players() -> Any:
    """All computer players, each with a sentence about it."""
    say = load_texts("en")
    return {
        "players": [{"name": one.example, "sentence": say(f"players.{kind}")} for kind, one in PLAYER_REGISTRY.items()]
    }


@router.post("/position", response_model=PositionView)
async def position(body: PositionRequest, host: HostDep, requester: RequesterDep) -> Any:
    """A board with its legal columns and winning lines. If the request is wrong, the answer says what is wrong."""
    return views.position_view(await position_of(body, host, requester.address))


@router.post("/scores", response_model=ScoresAnswer)
async def scores(body: ScoresRequest, host: HostDep, requester: RequesterDep, request: Request) -> Any:
    """The score of each column under perfect play, for the side to move. 0 is a draw. A higher score is a sooner
    win."""
    work = host.analysis.scores(requester, await position_of(body, host, requester.address), body.seconds)
    return await unless_client_disconnects(request, work)


@router.post("/explorer", response_model=ExplorerAnswer)
async def explorer(body: PositionRequest, host: HostDep, requester: RequesterDep) -> Any:
    """How often each column of a position was played on this server, and the results of these matches.

    A finished match is counted within seconds. Only positions with fewer than sixteen discs are counted.
    """
    return await host.openings.explore(await position_of(body, host, requester.address))


@router.post("/review", response_model=ReviewAnswer)
async def review(body: ReviewRequest, host: HostDep, requester: RequesterDep, request: Request) -> Any:
    """The review of a game: what each move was worth, its label, the accuracy of both sides and the turning point."""
    saved = SavedGame(await game_of(body, host, requester.address), given=min(body.given, len(body.moves)))
    return await unless_client_disconnects(request, host.analysis.review(requester, saved, body.language))


@router.get("/matches/{match_id}/review", response_model=ReviewAnswer, tags=["matches"])
async def match_review(
    access: MatchAccessDep, host: HostDep, requester: RequesterDep, request: Request, language: Language = "en"
) -> Any:
    """The review of a match, move by move."""
    saved = await saved_match(access, host, requester.address)
    return await unless_client_disconnects(request, host.analysis.review(requester, saved, language))


@router.post("/why", response_model=WhyAnswer)
async def why(body: WhyRequest, host: HostDep, requester: RequesterDep, request: Request) -> Any:
    """Explain why a side wins this position or holds at least a draw.

    The explanation is a forced sequence, a strategy or a few boards.
    """
    position = await position_of(body, host, requester.address)
    require_supported(position.variant)
    side = Side[body.side.upper()] if body.side else None
    return await unless_client_disconnects(request, host.analysis.why(requester, position, side, body.language))


@router.post("/why/check", response_model=WhyAnswer, openapi_extra=file_body_schema("application/json"))
async def check_why(host: HostDep, request: Request, language: Language = "en") -> Any:
    """Check an explanation from a file against every reply, and show it step by step."""
    return await process_upload(request, host, "explanation", language)


@router.post("/saved", response_model=GameAnswer, openapi_extra=file_body_schema("application/json"))
async def saved_game(host: HostDep, request: Request) -> Any:
    """Read a saved game that `connectk` has written."""
    return await process_upload(request, host, "saved", host.settings.max_board_cells)


@router.post("/judge", response_model=VerdictAnswer, openapi_extra=file_body_schema("text/plain"))
async def judge(host: HostDep, request: Request) -> Any:
    """Judge a Connect-Z file. The answer contains the game if it is legal and can be shown."""
    return await process_upload(request, host, "judge", host.settings.max_board_cells)


@router.post("/hint", response_model=HintAnswer)
async def hint(body: PositionRequest, host: HostDep, requester: RequesterDep, request: Request) -> Any:
    """A good column for the side to move. This works on any board."""
    work = host.analysis.hint(requester, await position_of(body, host, requester.address))
    return await unless_client_disconnects(request, work)


# Pictures. In an address, as in all text, columns are counted from 1.

MEDIA_TYPES = {"svg": "image/svg+xml", "png": "image/png", "gif": "image/gif"}
PICTURE_RESPONSES: dict[int | str, dict[str, Any]] = {
    **REFUSAL_RESPONSES,
    200: {"content": {kind: {} for kind in MEDIA_TYPES.values()}},
}
SAVED_GAME_RESPONSES: dict[int | str, dict[str, Any]] = {
    **REFUSAL_RESPONSES,
    200: {"content": {"application/json": {}}},
}
Size = Annotated[int, Query(ge=MIN_PICTURE_PIXELS, le=MAX_PICTURE_PIXELS, description="Pixels of the longer side.")]
pictures = APIRouter(prefix="/api", tags=["pictures"])


@pictures.get("/picture.{kind}", response_class=Response, responses=PICTURE_RESPONSES)
async def picture(
    kind: Kind,
    host: HostDep,
    request: Request,
    variant: Annotated[str, Query(max_length=40, description="As in 7x6x4.")] = "7x6x4",
    start: Annotated[Start, Query()] = "",
    moves: Annotated[str, Query(max_length=40_000, description="As in 4453; columns from 1.")] = "",
    size: Size = DEFAULT_PICTURE_PIXELS,
) -> Response:
    """A picture of a board as SVG or PNG, or of the game as an animated GIF."""
    check_board(parse_variant(variant), host)
    return await _picture_response(kind, WrittenGame(variant, start, moves), size, host, request)


@pictures.get("/matches/{match_id}/picture.{kind}", response_class=Response, responses=PICTURE_RESPONSES)
async def match_picture(
    kind: Kind, access: MatchAccessDep, host: HostDep, request: Request, size: Size = DEFAULT_PICTURE_PIXELS
) -> Response:
    """A picture of the match as SVG or PNG, or as an animated GIF."""
    match = access.match
    return await _picture_response(kind, PlayedGame(match.setup.start, match.moves), size, host, request)


@pictures.get("/matches/{match_id}/saved", tags=["matches"], response_class=Response, responses=SAVED_GAME_RESPONSES)
async def saved(access: MatchAccessDep, host: HostDep, requester: RequesterDep) -> Response:
    """The match as a saved game. Every part of connectk can read it."""
    saved = await saved_match(access, host, requester.address)
    return Response(write_saved_game(saved), media_type="application/json")


async def _picture_response(kind: Kind, game: DrawnGame, size: int, host: Host, request: Request) -> Response:
    body = await unless_client_disconnects(request, host.run_job(requester_of(request), "picture", kind, game, size))
    if isinstance(body, Response):
        return body
    return Response(body, media_type=MEDIA_TYPES[kind], headers={"cache-control": "private, max-age=60"})
