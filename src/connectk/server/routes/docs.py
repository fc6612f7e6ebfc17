"""Shows the OpenAPI description as a page. It has no scripts and loads nothing from other sites."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from html import escape
from typing import Any

from fastapi import APIRouter, Request, Response

from connectk.drawing.palette import css_variables
from connectk.server.description import socket_description

router = APIRouter(include_in_schema=False)
SHOWN_METHODS = ("get", "post")
LAYOUT_CSS = """
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;
color:var(--ink);background:var(--paper)}
h2{margin:3rem 0 1rem}h3{margin:2rem 0 .25rem;font-size:1rem}code,pre{font:14px/1.5 ui-monospace,monospace}
.method{color:var(--link);font-weight:600;text-transform:uppercase}p{margin:.25rem 0}a{color:var(--link)}
table{border-collapse:collapse;width:100%;margin:.5rem 0}td,th{text-align:left;padding:.25rem 1rem .25rem 0;
border-bottom:1px solid var(--line);vertical-align:top}pre{background:var(--hole);padding:.75rem;overflow:auto}
"""
STYLESHEET = css_variables() + LAYOUT_CSS


@router.get("/api/docs")
async def page(request: Request) -> Response:
    text = await _cached(request, "page", lambda: "".join(_page(request.app.openapi())))
    return Response(text, media_type="text/html")


@router.get("/api/openapi.json")
async def requests(request: Request) -> Response:
    text = await _cached(request, "openapi", lambda: json.dumps(request.app.openapi()))
    return Response(text, media_type="application/json")


@router.get("/api/asyncapi.json")
async def socket(request: Request) -> Response:
    text = await _cached(request, "asyncapi", lambda: json.dumps(socket_description()))
    return Response(text, media_type="application/json")


async def _cached(request: Request, name: str, write: Callable[[], str]) -> bytes:
    """The text from a cache. The first request computes it in a thread, which takes half a second."""
    written: dict[str, bytes] = request.app.state.descriptions
    async with request.app.state.describing:
        if name not in written:
            written[name] = (await asyncio.to_thread(write)).encode()
    return written[name]


@router.get("/api/docs.css")
async def style() -> Response:
    return Response(STYLESHEET, media_type="text/css")


def _page(api: dict[str, Any]) -> Iterator[str]:
    info, schemas = api["info"], api["components"]["schemas"]
    yield f"<!doctype html><html lang=en><meta charset=utf-8><title>{info['title']} API</title>"
    yield '<meta name=viewport content="width=device-width"><link rel=stylesheet href="/api/docs.css">'
    yield f"<h1>{info['title']} {info['version']}</h1><p>{escape(info['description'])}</p>"
    yield '<p>The same for programs: <a href="/api/openapi.json">openapi.json</a>, and the socket: '
    yield '<a href="/api/asyncapi.json">asyncapi.json</a>.</p><h2>Requests</h2>'
    for path, methods in api["paths"].items():
        for method in SHOWN_METHODS:
            if method in methods:
                yield from _operation(path, method, methods[method])
    yield "<h2>Objects</h2>"
    for name, schema in sorted(schemas.items()):
        yield from _schema(name, schema)


def _operation(path: str, method: str, operation: dict[str, Any]) -> Iterator[str]:
    yield f"<h3><span class=method>{method}</span> <code>{escape(path)}</code></h3>"
    yield f"<p>{escape(operation.get('description', ''))}</p><table>"
    for parameter in operation.get("parameters", ()):
        where = f"<code>{escape(parameter['name'])}</code> in {parameter['in']}"
        yield _row(where, _type(parameter["schema"]), parameter.get("description", ""))
    for media in operation.get("requestBody", {}).get("content", {}).values():
        yield _row("body", _type(media.get("schema", {})), "")
    for status, response in operation["responses"].items():
        kinds = ", ".join(_type(media.get("schema", {})) for media in response.get("content", {}).values())
        yield _row(f"answer {status}", kinds, response.get("description", ""))
    yield "</table>"


def _schema(name: str, schema: dict[str, Any]) -> Iterator[str]:
    yield f'<h3 id="{name}"><code>{name}</code></h3><p>{escape(schema.get("description", ""))}</p><table>'
    required = schema.get("required", ())
    for field, what in schema.get("properties", {}).items():
        needed = "" if field in required else ", optional"
        yield _row(f"<code>{escape(field)}</code>", _type(what) + needed, what.get("description", ""))
    yield "</table>"
    for example in schema.get("examples", ()):
        yield f"<pre>{escape(json.dumps(example))}</pre>"


def _row(name: str, kind: str, words: str) -> str:
    return f"<tr><td>{name}<td>{kind}<td>{escape(words)}"


def _type(schema: dict[str, Any]) -> str:
    """A type in a few words, with links to the objects in it."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f'<a href="#{name}">{name}</a>'
    if "anyOf" in schema:
        return " or ".join(_type(kind) for kind in schema["anyOf"])
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    if "enum" in schema:
        return " or ".join(f"<code>{escape(str(value))}</code>" for value in schema["enum"])
    if "const" in schema:
        return f"<code>{escape(str(schema['const']))}</code>"
    return escape(str(schema.get("type", "anything")))
