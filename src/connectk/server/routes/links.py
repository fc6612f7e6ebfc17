"""The pages behind shared links. Each page gives other sites a preview with its board, and opens connectk's page at the
right screen.

The secret of an invitation stands behind the `#` of its link, so it never reaches the server.
"""

from __future__ import annotations

from html import escape
from typing import Annotated, NamedTuple
from urllib.parse import quote

from fastapi import APIRouter, Query, Request, Response
from starlette.responses import FileResponse, RedirectResponse

from connectk.drawing.preview import PREVIEW_HEIGHT, PREVIEW_WIDTH
from connectk.errors import ConnectkError
from connectk.play.match_cache import in_thread_if_long
from connectk.play.refusals import DatabaseUnavailable, MatchNotFound
from connectk.play.secrets_and_codes import is_match_id
from connectk.server.dependencies import HostDep, client_address, origin_of, requester_of
from connectk.server.errors import language_of
from connectk.server.host import Host
from connectk.server.limits import RateLimited
from connectk.server.link_previews import (
    MAX_LINK_CHARS,
    LinkNotFound,
    LinkPreview,
    invitation_preview,
    match_preview,
    read_game_link,
    read_puzzle_link,
)
from connectk.server.middleware import EMBED_POLICY
from connectk.server.routes.page import PAGE_FOLDER
from connectk.server.routes.positions import unless_client_disconnects
from connectk.texts import LANGUAGES, Texts, load_texts

router = APIRouter(include_in_schema=False)
LINK_KINDS = ("g", "p", "i", "m")  # games, puzzles, invitations, and public matches of this server
EMBEDDED_KINDS = ("g", "p")  # what `?embed` shows in a frame of another site's page
EMBED_HEADERS = {"content-security-policy": EMBED_POLICY, "cache-control": "no-cache"}
PAGE_HEADERS = {"cache-control": "no-cache"}
PICTURE_HEADERS = {
    "cache-control": "public, max-age=3600",
    "cross-origin-resource-policy": "cross-origin",  # a site that shows the link may load the picture itself
}
NEWLINE = "\n  "
LanguageQuery = Annotated[str, Query(alias="lang", max_length=8)]


class SharedLink(NamedTuple):
    """A link as it was requested, and its preview."""

    path: str
    query: str
    preview: LinkPreview
    texts: Texts


async def _read(kind: str, path: str, texts: Texts, host: Host, address: str) -> LinkPreview:
    """The preview of a link. Raises if the link does not lead to anything."""
    if len(path) > MAX_LINK_CHARS:
        raise LinkNotFound
    host.limits.charge_replay(address, len(path))
    if kind in ("m", "i"):
        return await _match_link(kind, path, texts, host)
    if kind == "p":
        return read_puzzle_link(path.split("/"), texts)
    return await in_thread_if_long(len(path), read_game_link, path.split("/"), texts, host.settings.max_board_cells)


async def _match_link(kind: str, match_id: str, texts: Texts, host: Host) -> LinkPreview:
    if not is_match_id(match_id):
        raise LinkNotFound
    if kind == "m":
        return match_preview((await host.service.admit(match_id, None)).match, texts)
    try:
        match = await host.service.get(match_id)
    except MatchNotFound:
        return invitation_preview(match_id, None, texts)
    return invitation_preview(match_id, match if match.is_waiting else None, texts)


async def _shared_link(kind: str, path: str, language: str, host: Host, request: Request) -> SharedLink:
    """The link that a request asks for. Its language is the one in the link, or else the reader's. Raises
    `LinkNotFound` if the link does not lead to anything."""
    texts = load_texts(language if language in LANGUAGES else language_of(request))
    try:
        preview = await _read(kind, path, texts, host, client_address(request))
    except (RateLimited, DatabaseUnavailable):
        raise
    except ConnectkError as error:
        raise LinkNotFound from error
    query = f"?lang={language}" if language in LANGUAGES else ""
    return SharedLink(f"{kind}/{quote(path)}", query, preview, texts)


def _add_routes(kind: str) -> None:
    @router.api_route(f"/{kind}/{{path:path}}", methods=["GET", "HEAD"])
    async def page(path: str, host: HostDep, request: Request, language: LanguageQuery = "") -> Response:
        try:
            link = await _shared_link(kind, path, language, host, request)
        except LinkNotFound:
            return FileResponse(PAGE_FOLDER / "404.html", 404)
        if kind in EMBEDDED_KINDS and "embed" in request.query_params:
            return RedirectResponse(f"/embed/{link.query}#{link.preview.screen}", 302, EMBED_HEADERS)
        return Response(_html(link, origin_of(request, host)), media_type="text/html", headers=PAGE_HEADERS)

    @router.api_route(f"/previews/{kind}/{{path:path}}.png", methods=["GET", "HEAD"])
    async def picture(path: str, host: HostDep, request: Request, language: LanguageQuery = "") -> Response:
        link = await _shared_link(kind, path, language, host, request)
        body = await unless_client_disconnects(request, host.previews.of(link.preview, requester_of(request)))
        return body if isinstance(body, Response) else Response(body, media_type="image/png", headers=PICTURE_HEADERS)


for each in LINK_KINDS:
    _add_routes(each)


def _html(link: SharedLink, origin: str) -> str:
    """The page behind a link: the tags of Open Graph and Twitter cards, and a script that opens the screen at once."""
    preview, texts = link.preview, link.texts
    picture = f"{origin}/previews/{link.path}.png{link.query}"
    tags = {
        "og:type": "website",
        "og:site_name": "connectk",
        "og:title": preview.title,
        "og:description": preview.words,
        "og:url": f"{origin}/{link.path}{link.query}",
        "og:image": picture,
        "og:image:type": "image/png",
        "og:image:width": str(PREVIEW_WIDTH),
        "og:image:height": str(PREVIEW_HEIGHT),
        "og:image:alt": f"{preview.title}. {preview.words}",
    }
    cards = {
        "description": preview.words,
        "twitter:card": "summary_large_image",
        "twitter:title": preview.title,
        "twitter:description": preview.words,
        "twitter:image": picture,
        "twitter:image:alt": tags["og:image:alt"],
    }
    head = [f'<meta property="{name}" content="{escape(text)}">' for name, text in tags.items()]
    head += [f'<meta name="{name}" content="{escape(text)}">' for name, text in cards.items()]
    screen, title, alt = escape(f"/#{preview.screen}"), escape(preview.title), escape(tags["og:image:alt"])
    return f"""<!doctype html>
<html lang="{texts.language}">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>{title} · connectk</title>
  {NEWLINE.join(head)}
  <link rel="icon" href="/icons/icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="/css/tokens.css">
  <link rel="stylesheet" href="/css/page.css">
  <link rel="stylesheet" href="/css/controls.css">
  <script src="/js/open-link.js" data-screen="{screen}"></script>
</head>
<body>
  <main class="table">
    <section class="panel wide">
      <h1>{title}</h1>
      <p>{escape(preview.words)}</p>
      <p><img src="{escape(picture)}" alt="{alt}" width="600" height="315"></p>
      <div class="row"><a class="button main" href="{screen}">{escape(texts("preview.open"))}</a></div>
    </section>
  </main>
</body>
</html>
"""
