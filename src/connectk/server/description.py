"""Machine-readable descriptions of the messages of `schemas`: JSON Schema, and AsyncAPI for the sockets."""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any, Literal, NamedTuple, get_args

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema
from typing_extensions import is_typeddict

import connectk
from connectk.server import schemas

JsonObject = dict[str, Any]
Mode = Literal["validation", "serialization"]
REF = "#/components/schemas/{model}"
SOCKET_DESCRIPTION = (
    "A match or a room over a WebSocket. Say `hello` first, within ten seconds; every message is a JSON object with a "
    "`type`."
)


@cache
def json_schemas() -> JsonObject:
    """The JSON Schema of every message by name: of client messages for input, of server messages for output."""
    everything = vars(schemas).values()
    ours = [kind for kind in everything if inspect.isclass(kind) and kind.__module__.startswith(connectk.__name__)]
    kinds = [kind for kind in ours if is_typeddict(kind) or issubclass(kind, BaseModel)]
    inputs: list[tuple[str, Mode, TypeAdapter[Any]]] = [
        (kind.__name__, "serialization" if is_typeddict(kind) else "validation", TypeAdapter(kind)) for kind in kinds
    ]
    _, found = TypeAdapter.json_schemas(inputs, ref_template=REF, schema_generator=GenerateJsonSchema)
    definitions: JsonObject = found["$defs"]
    return dict(sorted(definitions.items()))


def members(union: Any) -> list[str]:
    """The names of the messages in a union, also of nested ones."""
    if inspect.isclass(union):
        return [union.__name__]
    return [name for kind in get_args(union) if not hasattr(kind, "discriminator") for name in members(kind)]


class SocketChannel(NamedTuple):
    """A WebSocket: its address with its parameter, and the messages of both directions."""

    name: str
    address: str
    parameter: str
    words: str
    client_messages: Any
    server_messages: Any

    @property
    def sent(self) -> list[str]:
        return members(self.client_messages)

    @property
    def heard(self) -> list[str]:
        return members(self.server_messages)

    @property
    def names(self) -> list[str]:
        return [*self.sent, *self.heard]

    def described(self) -> JsonObject:
        return {
            "address": self.address,
            "parameters": {self.parameter: {"description": self.words}},
            "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in self.names},
        }

    def operation(self, action: str, names: list[str]) -> JsonObject:
        """An AsyncAPI operation; `action` is from the server's side."""
        messages = [{"$ref": f"#/channels/{self.name}/messages/{name}"} for name in names]
        return {"action": action, "channel": {"$ref": f"#/channels/{self.name}"}, "messages": messages}


MATCH = SocketChannel(
    "match",
    "/api/matches/{match_id}/socket",
    "match_id",
    "The id that making the match answered.",
    schemas.ClientMessage,
    schemas.ServerMessage,
)
ROOM = SocketChannel(
    "room",
    "/api/rooms/{code}/socket",
    "code",
    "The room's code.",
    schemas.RoomClientMessage,
    schemas.RoomServerMessage,
)
CHANNELS = (MATCH, ROOM)


def socket_description() -> JsonObject:
    """An AsyncAPI 3 document."""
    names = sorted({name for channel in CHANNELS for name in channel.names})
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "connectk", "version": connectk.__version__, "description": SOCKET_DESCRIPTION},
        "channels": {channel.name: channel.described() for channel in CHANNELS},
        "operations": {
            "say": MATCH.operation("receive", MATCH.sent),
            "hear": MATCH.operation("send", MATCH.heard),
            "sayInRoom": ROOM.operation("receive", ROOM.sent),
            "hearInRoom": ROOM.operation("send", ROOM.heard),
        },
        "components": {"messages": {name: _message(name) for name in names}, "schemas": _required_schemas(names)},
    }


def _message(name: str) -> JsonObject:
    return {"name": name, "contentType": "application/json", "payload": {"$ref": REF.format(model=name)}}


def _required_schemas(names: list[str]) -> JsonObject:
    """The schemas of these messages and of all that they refer to."""
    everything, found, looking = json_schemas(), {}, list(names)
    while looking:
        name = looking.pop()
        if name not in found:
            found[name] = everything[name]
            looking += _referenced_names(everything[name])
    return dict(sorted(found.items()))


def _referenced_names(schema: Any) -> list[str]:
    if isinstance(schema, dict):
        own = [schema["$ref"].rpartition("/")[2]] if isinstance(schema.get("$ref"), str) else []
        return own + [name for value in schema.values() for name in _referenced_names(value)]
    return [name for value in schema for name in _referenced_names(value)] if isinstance(schema, list) else []
