"""Questions about positions and games, over HTTP."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from connectk.engine.registry import REGISTRY
from connectk.server import views
from connectk.server.analysis import unless_gone
from connectk.server.answers import HintAnswer, PlayersAnswer, PositionView, ScoresAnswer
from connectk.server.asking import Asker, HostHere, position_of
from connectk.server.matches import REFUSED
from connectk.server.orders import PositionOrder

router = APIRouter(prefix="/api", tags=["positions"], responses=REFUSED)
GONE = Response(status_code=499)  # nobody hears it


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
async def scores(order: PositionOrder, host: HostHere, asker: Asker, request: Request) -> Any:
    """What each column is worth under perfect play, from the side to move: 0 a draw, more is a sooner win."""
    work = host.analyst.scores(asker, position_of(order, host))
    return await unless_gone(work, lambda: left(request)) or GONE


@router.post("/hint", response_model=HintAnswer)
async def hint(order: PositionOrder, host: HostHere, asker: Asker, request: Request) -> Any:
    """A good column, on any board."""
    work = host.analyst.hint(asker, position_of(order, host), "engine:500ms")
    return await unless_gone(work, lambda: left(request)) or GONE
