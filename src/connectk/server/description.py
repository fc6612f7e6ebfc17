"""The messages of `schemas` for programs: JSON Schema of all of them, and the socket in the words of AsyncAPI."""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any, Literal, get_args

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema
from typing_extensions import is_typeddict

import connectk
from connectk.server import schemas

Json = dict[str, Any]
Mode = Literal["validation", "serialization"]
REF = "#/components/schemas/{model}"
SOCKET = "/api/matches/{match_id}/socket"
HOW = "A match over a WebSocket. Say `hello` first, within ten seconds; every message is a JSON object with a `type`."


@cache
def json_schemas() -> Json:
    """Every message by its name, as JSON Schema; what a client sends as it may be sent, what it hears as it comes."""
    everything = vars(schemas).values()
    kinds = [kind for kind in everything if inspect.isclass(kind) and kind.__module__.startswith(schemas.__name__)]
    inputs: list[tuple[str, Mode, TypeAdapter[Any]]] = [
        (kind.__name__, "serialization" if is_typeddict(kind) else "validation", TypeAdapter(kind)) for kind in kinds
    ]
    _, found = TypeAdapter.json_schemas(inputs, ref_template=REF, schema_generator=GenerateJsonSchema)
    definitions: Json = found["$defs"]
    return dict(sorted(definitions.items()))


def members(union: Any) -> list[str]:
    """The names of the messages in a union, however deep."""
    if inspect.isclass(union):
        return [union.__name__]
    return [name for kind in get_args(union) if not hasattr(kind, "discriminator") for name in members(kind)]


def socket_description() -> Json:
    """An AsyncAPI 3 document."""
    sent, heard = members(schemas.ClientMessage), members(schemas.ServerMessage)
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "connectk", "version": connectk.__version__, "description": HOW},
        "channels": {
            "match": {
                "address": SOCKET,
                "parameters": {"match_id": {"description": "The id that making the match answered."}},
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in (*sent, *heard)},
            }
        },
        "operations": {"say": _operation("receive", sent), "hear": _operation("send", heard)},
        "components": {
            "messages": {name: _message(name) for name in (*sent, *heard)},
            "schemas": _needed(sent + heard),
        },
    }


def _operation(action: str, names: list[str]) -> Json:
    """From the server's side, as AsyncAPI wants it."""
    messages = [{"$ref": f"#/channels/match/messages/{name}"} for name in names]
    return {"action": action, "channel": {"$ref": "#/channels/match"}, "messages": messages}


def _message(name: str) -> Json:
    return {"name": name, "contentType": "application/json", "payload": {"$ref": REF.format(model=name)}}


def _needed(names: list[str]) -> Json:
    """The schemas of these messages, and those that they are made of."""
    everything, found, looking = json_schemas(), {}, list(names)
    while looking:
        name = looking.pop()
        if name not in found:
            found[name] = everything[name]
            looking += _references(everything[name])
    return dict(sorted(found.items()))


def _references(schema: Any) -> list[str]:
    if isinstance(schema, dict):
        own = [schema["$ref"].rpartition("/")[2]] if isinstance(schema.get("$ref"), str) else []
        return own + [name for value in schema.values() for name in _references(value)]
    return [name for value in schema for name in _references(value)] if isinstance(schema, list) else []
