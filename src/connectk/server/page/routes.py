"""The page's own questions. What is wrong is said in its language, which it names in `Accept-Language`."""

from __future__ import annotations

import asyncio
import io
from typing import Annotated, Any, Literal

import segno
from fastapi import APIRouter, Depends, Request, Response
from pydantic import BaseModel, Field

import connectk
from connectk.errors import ConnectkError
from connectk.notation import SavedGame, write_saved_game
from connectk.rules import Side
from connectk.server.asking import HostHere, position_of
from connectk.server.matches import REFUSED
from connectk.server.orders import PositionOrder
from connectk.server.page.files import read_file
from connectk.server.page.games import GameOrder, game_view, read_game
from connectk.server.page.results import arena_view
from connectk.server.page.threats import threat_views
from connectk.texts import LANGUAGES, Texts, load_texts

router = APIRouter(prefix="/api/page", tags=["page"], responses=REFUSED)


def texts_of(request: Request) -> Texts:
    """The texts in the asker's language."""
    wanted = request.headers.get("accept-language", "")[:2]
    return load_texts(wanted if wanted in LANGUAGES else "en")


TextsHere = Annotated[Texts, Depends(texts_of)]


def _wrong(error: ConnectkError, texts: Texts) -> dict[str, str]:
    return {"wrong": error.said_in(texts)}


class About(BaseModel):
    version: str
    closable: bool = Field(description="Whether this page may stop the server.")


class TextOrder(BaseModel):
    text: str = Field(min_length=1, max_length=500)  # fits a code however its letters are written


@router.get("/about", response_model=About)
async def about(host: HostHere) -> Any:
    """Which server this is."""
    return {"version": connectk.__version__, "closable": host.settings.closable}


@router.post("/game")
async def game(order: GameOrder, texts: TextsHere) -> dict[str, Any]:
    """A written game with every board on the way; what is wrong with it is an answer too, for an editor asks often."""
    try:
        return await asyncio.to_thread(lambda: game_view(read_game(order)))
    except ConnectkError as error:
        return _wrong(error, texts)


@router.post("/threats")
async def threats(order: PositionOrder, host: HostHere) -> dict[str, Any]:
    """The cells that would win, and why."""
    position = position_of(order, host)
    return {"threats": await asyncio.to_thread(threat_views, position)}


@router.post("/read")
async def read(request: Request, texts: TextsHere) -> dict[str, Any]:
    """The game in a file: a saved game, moves, or a Connect-Z file with its verdict."""
    data = await request.body()
    try:
        return await asyncio.to_thread(read_file, data, texts)
    except ConnectkError as error:
        return _wrong(error, texts)


@router.post("/qr", response_class=Response)
async def qr(order: TextOrder) -> Response:
    """A link to scan. It is sent in the body, so that no log keeps an invitation."""
    picture = io.BytesIO()
    segno.make(order.text, error="m").save(picture, kind="svg", border=2, xmldecl=False, omitsize=True)
    return Response(picture.getvalue(), media_type="image/svg+xml")


@router.post("/arena")
async def arena(request: Request, texts: TextsHere) -> dict[str, Any]:
    """Ratings and crosstable of a results file that `connectk arena` wrote."""
    data = await request.body()
    try:
        return await asyncio.to_thread(arena_view, data)
    except ConnectkError as error:
        return _wrong(error, texts)


class SavedOrder(GameOrder):
    players: dict[Literal["first", "second"], str] = Field({}, max_length=2)


@router.post("/saved", response_class=Response)
async def saved(order: SavedOrder) -> Response:
    """The game as a file that every part of connectk reads."""
    players = {Side[side.upper()]: name[:100] for side, name in order.players.items()}
    return Response(write_saved_game(SavedGame(read_game(order), players)), media_type="application/json")
