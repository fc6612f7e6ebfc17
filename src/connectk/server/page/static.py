"""The page's own files: compressed on the way, asked for again only when they have changed."""

from __future__ import annotations

import os
from pathlib import Path

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

import connectk.texts

PAGE = Path(__file__).parents[2] / "web"
TEXTS = Path(connectk.texts.__file__).parent


class Files(StaticFiles):
    """A browser may keep a file, but asks whether it is still the same."""

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers["cache-control"] = "no-cache"
        return response

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Only what a page loads, not the package beside it."""
        return ("", None) if path.endswith((".py", ".pyc")) else super().lookup_path(path)


def add_page(app: FastAPI) -> None:
    """Serve the page and its words; the terminal reads the same ones. Comes last: `/` takes what nobody else did."""
    for address, folder in (("/texts", TEXTS), ("/", PAGE)):
        app.mount(address, GZipMiddleware(Files(directory=folder, html=True), minimum_size=500))
