"""Requests of the page only. Errors are in the language of `Accept-Language`."""

from __future__ import annotations

import asyncio
import gzip
import os
import zlib
from pathlib import Path
from typing import Annotated, Any

from cachetools import LRUCache
from fastapi import APIRouter, Depends, FastAPI, HTTPException, Request, Response
from starlette.datastructures import Headers
from starlette.middleware.gzip import DEFAULT_EXCLUDED_CONTENT_TYPES, GZipMiddleware
from starlette.responses import FileResponse
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

import connectk
import connectk.solver.book
import connectk.texts
from connectk.notation import SavedGame, write_saved_game
from connectk.play.live import in_thread_if_long
from connectk.rules import Side
from connectk.server.dependencies import HostDep, client_address, position_of, requester_of
from connectk.server.errors import language_of
from connectk.server.games import read_game, threat_views
from connectk.server.routes.matches import REFUSED
from connectk.server.routes.operations import is_local_page
from connectk.server.routes.positions import file_body_schema, process_upload, unless_client_disconnects
from connectk.server.schemas import (
    AboutAnswer,
    ArenaAnswer,
    FileAnswer,
    GameOrder,
    PositionOrder,
    SavedOrder,
    TextOrder,
    ThreatsAnswer,
    WholeGameAnswer,
    WrongAnswer,
)
from connectk.texts.page import PagePart, page_texts

router = APIRouter(prefix="/api/page", tags=["page"], responses=REFUSED)
LanguageDep = Annotated[str, Depends(language_of)]


@router.get("/about", response_model=AboutAnswer)
async def about(host: HostDep, request: Request) -> Any:
    """Which server this is, and to a page on its own machine, who can reach it."""
    network = (
        {"possible": host.network.candidate_address, "address": host.network.address}
        if is_local_page(request, host)
        else None
    )
    return {"version": connectk.__version__, "closable": is_local_page(request, host), "network": network}


@router.post("/game", response_model=WholeGameAnswer | WrongAnswer)
async def game(order: GameOrder, language: LanguageDep, host: HostDep, request: Request) -> Any:
    """A written game with every board on the way; what is wrong with it is an answer too, for an editor asks often."""
    return await unless_client_disconnects(request, host.run_job(requester_of(request), "whole_game", order, language))


@router.post("/threats", response_model=ThreatsAnswer)
async def threats(order: PositionOrder, host: HostDep, request: Request) -> Any:
    """The cells that would win, and why."""
    address = client_address(request)
    position = await position_of(order, host, address)
    host.limits.charge_replay(address, position.variant.cells)
    return {"threats": await in_thread_if_long(position.variant.cells, threat_views, position)}


@router.post(
    "/read", response_model=FileAnswer | WrongAnswer, openapi_extra=file_body_schema("application/octet-stream")
)
async def read(request: Request, language: LanguageDep, host: HostDep) -> Any:
    """The game in a file: a saved game, moves, or a Connect-Z file with its verdict."""
    return await process_upload(request, host, "read", language)


@router.post("/qr", response_class=Response, responses={200: {"content": {"image/svg+xml": {}}}})
async def qr(order: TextOrder, host: HostDep, request: Request) -> Response:
    """A link to scan. It is sent in the body, so that no log keeps an invitation."""
    picture = await unless_client_disconnects(request, host.run_job(requester_of(request), "qr", order.text))
    return picture if isinstance(picture, Response) else Response(picture, media_type="image/svg+xml")


@router.post("/arena", response_model=ArenaAnswer | WrongAnswer, openapi_extra=file_body_schema("text/plain"))
async def arena(request: Request, language: LanguageDep, host: HostDep) -> Any:
    """Ratings and crosstable of a results file that `connectk arena` wrote."""
    return await process_upload(request, host, "arena", language)


@router.post("/saved", response_class=Response, responses={200: {"content": {"application/json": {}}}})
async def saved(order: SavedOrder, host: HostDep, request: Request) -> Response:
    """The game as a file that every part of connectk reads."""
    players = {Side[side.upper()]: name[:100] for side, name in order.players.items()}
    host.limits.charge_replay(client_address(request), len(order.moves))
    game = await in_thread_if_long(len(order.moves), read_game, order)
    return Response(write_saved_game(SavedGame(game, players)), media_type="application/json")


# The page's files: compressed, and sent again only if they have changed.

PAGE = Path(__file__).parents[2] / "web"
BOOKS = Path(connectk.solver.book.__file__).parent
TEXTS = Path(connectk.texts.__file__).parent
LESSONS, PUZZLES = PAGE.parent / "lessons", PAGE.parent / "puzzles" / "data"
# Parts of a catalogue that the page loads separately.
CATALOGUE_PARTS: tuple[PagePart, ...] = ("later", "learn", "why", "rooms")
MIN_GZIP_BYTES = 500  # smaller answers gain nothing from compression
MAX_COMPRESSED_FILES = 300  # twice the number of files: where the disk ignores case, one file has several names


class PageFiles(StaticFiles):
    """Static files that browsers cache but revalidate each time."""

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers["cache-control"] = "no-cache"
        return response

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A missing file is answered with an HTML page, except under `/api/`."""
        if path.startswith("api/"):
            raise HTTPException(404)
        return await super().get_response(path, scope)

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Hides the Python files beside the page's files."""
        return ("", None) if path.endswith((".py", ".pyc")) else super().lookup_path(path)


class CompressedFiles(PageFiles):
    """Static files with a cache of their compressed content.

    Other answers, such as a range of a file, go through `GZipMiddleware`."""

    def __init__(self, directory: Path, html: bool = False) -> None:
        super().__init__(directory=directory, html=html)
        self._cache: LRUCache[str, tuple[str, bytes]] = LRUCache(MAX_COMPRESSED_FILES)  # (etag, content) by path

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        if not _accepts_gzip(scope) or not _is_compressible(response):
            return response
        body = await self._compressed(path, response)
        changes = {"content-encoding": "gzip", "content-length": str(len(body)), "vary": "Accept-Encoding"}
        return Response(body, headers={**response.headers, **changes})

    async def _compressed(self, path: str, response: Response) -> bytes:
        """The compressed content from the cache, unless the etag shows that the file has changed."""
        etag = response.headers["etag"]
        cached_etag, body = self._cache.get(path, ("", b""))
        if cached_etag != etag:
            body = await asyncio.to_thread(_compress, response)
            self._cache[path] = (etag, body)
        return body


def _accepts_gzip(scope: Scope) -> bool:
    headers = Headers(scope=scope)
    return scope["method"] == "GET" and "gzip" in headers.get("accept-encoding", "") and "range" not in headers


def _is_compressible(response: Response) -> bool:
    if response.status_code != 200 or response.media_type in DEFAULT_EXCLUDED_CONTENT_TYPES:
        return False
    return int(response.headers["content-length"]) >= MIN_GZIP_BYTES


def _compress(response: Response) -> bytes:
    body = Path(response.path).read_bytes() if isinstance(response, FileResponse) else response.body
    return gzip.compress(body, mtime=0)


class CatalogueFiles(CompressedFiles):
    """The text catalogues without the texts of the commands and the terminal."""

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """`later/fi.json` is a part of `fi.json`; the part's name is appended to the path after a question mark."""
        part, _, name = path.rpartition("/")
        full_path, found = super().lookup_path(name if part in CATALOGUE_PARTS else path)
        return (f"{full_path}?{part}" if part in CATALOGUE_PARTS else full_path), found

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        name, _, more = os.fspath(full_path).partition("?")
        body = page_texts(Path(name).stem, next((part for part in CATALOGUE_PARTS if part == more), "first"))
        headers = {"etag": f'"{zlib.crc32(body):x}"', "cache-control": "no-cache"}
        response = Response(body, status_code, headers, "application/json")
        if self.is_not_modified(response.headers, Headers(scope=scope)):
            return Response(status_code=304, headers=headers)
        return response


class BookFiles(PageFiles):
    """The opening books; they are compressed already, and sent with their size so that the page can show progress."""

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        return super().lookup_path(path) if path.endswith(".book") else ("", None)


def mount_files(app: FastAPI) -> None:
    """Serves the page, its texts, lessons and puzzles; the terminal reads the same files.

    Called after all routes are added, because `/` matches every path.
    """
    app.mount("/book", BookFiles(directory=BOOKS))
    places = {"/lessons": CompressedFiles(LESSONS), "/puzzles": CompressedFiles(PUZZLES)}
    places |= {"/texts": CatalogueFiles(TEXTS), "/": CompressedFiles(PAGE, html=True)}
    for address, files in places.items():
        app.mount(address, GZipMiddleware(files, minimum_size=MIN_GZIP_BYTES))
