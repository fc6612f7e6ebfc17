"""Requests that only the page sends. Errors are in the language of `Accept-Language`."""

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
from starlette.requests import HTTPConnection
from starlette.responses import FileResponse
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

import connectk
import connectk.solver.book
import connectk.texts
from connectk.notation import SavedGame, write_saved_game
from connectk.play.match_cache import in_thread_if_long
from connectk.rules import Side
from connectk.server.dependencies import HostDep, client_address, origin_of, position_of, requester_of
from connectk.server.errors import language_of
from connectk.server.games import read_game, threat_views
from connectk.server.routes.matches import REFUSAL_RESPONSES
from connectk.server.routes.operations import is_from_here, is_local_page
from connectk.server.routes.positions import file_body_schema, process_upload, unless_client_disconnects
from connectk.server.schemas import (
    AboutAnswer,
    ArenaAnswer,
    FileAnswer,
    GameRequest,
    PositionRequest,
    QrCodeRequest,
    SavedGameRequest,
    ThreatsAnswer,
    WholeGameAnswer,
    WrongAnswer,
)
from connectk.texts.page import PagePart, page_texts
from connectk.web.complete_address import with_address

router = APIRouter(prefix="/api/page", tags=["page"], responses=REFUSAL_RESPONSES)


async def _language(request: Request) -> str:
    return language_of(request)


LanguageDep = Annotated[str, Depends(_language)]


@router.get("/about", response_model=AboutAnswer)
async def about(host: HostDep, request: Request) -> Any:
    """The server's version. A page on the server's own machine also gets the server's address for other machines on the
    network."""
    closable = is_local_page(request, host)
    possible = host.network.candidate_address if closable else None
    network = {"possible": possible, "address": host.network.address} if is_from_here(request) else None
    return {"version": connectk.__version__, "closable": closable, "network": network}


@router.post("/game", response_model=WholeGameAnswer | WrongAnswer)
async def game(body: GameRequest, language: LanguageDep, host: HostDep, request: Request) -> Any:
    """A game in text notation, with the board at every ply. If the game is wrong, the answer is a sentence instead of
    an error."""
    return await unless_client_disconnects(request, host.run_job(requester_of(request), "whole_game", body, language))


@router.post("/threats", response_model=ThreatsAnswer)
async def threats(body: PositionRequest, host: HostDep, request: Request) -> Any:
    """The cells where a disc would complete a line, with these lines."""
    address = client_address(request)
    position = await position_of(body, host, address)
    host.limits.charge_replay(address, position.variant.cells)
    return {"threats": await in_thread_if_long(position.variant.cells, threat_views, position)}


@router.post(
    "/read", response_model=FileAnswer | WrongAnswer, openapi_extra=file_body_schema("application/octet-stream")
)
async def read(request: Request, language: LanguageDep, host: HostDep) -> Any:
    """The game in a file: a saved game, moves, or a Connect-Z file with its verdict."""
    return await process_upload(request, host, "read", language)


@router.post("/qr", response_class=Response, responses={200: {"content": {"image/svg+xml": {}}}})
async def qr(body: QrCodeRequest, host: HostDep, request: Request) -> Response:
    """A link as a QR code. The link is sent in the body, because an invitation must not get into the log."""
    picture = await unless_client_disconnects(request, host.run_job(requester_of(request), "qr", body.text))
    return picture if isinstance(picture, Response) else Response(picture, media_type="image/svg+xml")


@router.post("/arena", response_model=ArenaAnswer | WrongAnswer, openapi_extra=file_body_schema("text/plain"))
async def arena(request: Request, language: LanguageDep, host: HostDep) -> Any:
    """The ratings and the crosstable of a results file written by `connectk arena`."""
    return await process_upload(request, host, "arena", language)


@router.post("/saved", response_class=Response, responses={200: {"content": {"application/json": {}}}})
async def saved(body: SavedGameRequest, host: HostDep, request: Request) -> Response:
    """The game as a file. Every part of connectk can read it."""
    players = {Side[side.upper()]: name[:100] for side, name in body.players.items()}
    host.limits.charge_replay(client_address(request), len(body.moves))
    game = await in_thread_if_long(len(body.moves), read_game, body)
    return Response(write_saved_game(SavedGame(game, players)), media_type="application/json")


# The page's files: compressed, and sent again only if they have changed.

PAGE_FOLDER = Path(__file__).parents[2] / "web"
HOME_PAGE = PAGE_FOLDER / "index.html"
BOOKS_FOLDER = Path(connectk.solver.book.__file__).parent
TEXTS_FOLDER = Path(connectk.texts.__file__).parent
LESSONS, PUZZLES = PAGE_FOLDER.parent / "lessons", PAGE_FOLDER.parent / "puzzles" / "data"
# Parts of a catalogue that the page loads separately.
CATALOGUE_PARTS: tuple[PagePart, ...] = ("later", "learn", "why", "rooms", "strangers")
MIN_GZIP_BYTES = 500  # smaller answers gain nothing from compression
MAX_COMPRESSED_FILES = 300  # twice the number of files: where the disk ignores case, one file has several names


class PageFiles(StaticFiles):
    """Files of the page. A browser caches them, but asks each time whether they have changed."""

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers["cache-control"] = "no-cache"
        return response

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Answers with the file. If it does not exist, the answer is an HTML page, or an ordinary error below
        `/api/`."""
        if path.startswith("api/"):
            raise HTTPException(404)
        return await super().get_response(path, scope)

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Finds a file. The Python files in the page's folder are never found."""
        return ("", None) if path.endswith((".py", ".pyc")) else super().lookup_path(path)


class CompressedFiles(PageFiles):
    """Files of the page whose compressed content is cached.

    `GZipMiddleware` compresses other answers, such as a part of a file.
    """

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
        """The compressed content. It is computed again if the etag shows that the file has changed."""
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


class HomePageFiles(CompressedFiles):
    """The page's files. The home page contains this server's own address, which programs that preview links need."""

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)
        origin = origin_of(HTTPConnection(scope), scope["app"].state.host)
        if not (origin and Path(full_path) == HOME_PAGE):
            return response
        body = with_address(HOME_PAGE.read_text(encoding="utf-8"), origin).encode()
        return _generated(self, body, "text/html", scope, status_code)


def _generated(files: StaticFiles, body: bytes, media_type: str, scope: Scope, status_code: int) -> Response:
    """An answer with generated content. If the browser already has the same content, the answer is short."""
    headers = {"etag": f'"{zlib.crc32(body):x}"', "cache-control": "no-cache"}
    response = Response(body, status_code, headers, media_type)
    if files.is_not_modified(response.headers, Headers(scope=scope)):
        return Response(status_code=304, headers=headers)
    return response


class CatalogueFiles(CompressedFiles):
    """The texts in each language. Texts that only commands and the terminal use are left out."""

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Finds a catalogue. `later/fi.json` means the part `later` of `fi.json`. The name of the part is appended to
        the resulting path after a question mark."""
        part, _, name = path.rpartition("/")
        full_path, found = super().lookup_path(name if part in CATALOGUE_PARTS else path)
        return (f"{full_path}?{part}" if part in CATALOGUE_PARTS else full_path), found

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        name, _, more = os.fspath(full_path).partition("?")
        body = page_texts(Path(name).stem, next((part for part in CATALOGUE_PARTS if part == more), "first"))
        return _generated(self, body, "application/json", scope, status_code)


class BookFiles(PageFiles):
    """The opening books. They are already compressed, and are sent with their size, so that the page can show
    progress."""

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        return super().lookup_path(path) if path.endswith(".book") else ("", None)


def mount_files(app: FastAPI) -> None:
    """Serves the page with its texts, lessons and puzzles. The terminal reads the same files.

    Call this after all routes are added, because `/` matches every path.
    """
    app.mount("/book", BookFiles(directory=BOOKS_FOLDER))
    places = {"/lessons": CompressedFiles(LESSONS), "/puzzles": CompressedFiles(PUZZLES)}
    places |= {"/texts": CatalogueFiles(TEXTS_FOLDER), "/": HomePageFiles(PAGE_FOLDER, html=True)}
    for address, files in places.items():
        app.mount(address, GZipMiddleware(files, minimum_size=MIN_GZIP_BYTES))
