"""Describes all messages in `schemas` for programs, in JSON Schema. The messages of the sockets are also described in
AsyncAPI."""

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
SCHEMA_REFERENCE = "#/components/schemas/{model}"
SOCKET_DESCRIPTION = (
    "A match or a room over a WebSocket. Say `hello` first, within ten seconds; every message is a JSON object with a "
    "`type`."
)


@cache
def json_schemas() -> JsonObject:
    """The JSON Schema of each message, by name. For a client's message the schema describes valid input. For a server's
    message it describes the output."""
    everything = vars(schemas).values()
    ours = [kind for kind in everything if inspect.isclass(kind) and kind.__module__.startswith(connectk.__name__)]
    kinds = [kind for kind in ours if is_typeddict(kind) or issubclass(kind, BaseModel)]
    inputs: list[tuple[str, Mode, TypeAdapter[Any]]] = [
        (kind.__name__, "serialization" if is_typeddict(kind) else "validation", TypeAdapter(kind)) for kind in kinds
    ]
    _, found = TypeAdapter.json_schemas(inputs, ref_template=SCHEMA_REFERENCE, schema_generator=GenerateJsonSchema)
    definitions: JsonObject = found["$defs"]
    return dict(sorted(definitions.items()))


def members(union: Any) -> list[str]:
    """The names of all messages in a union, including the unions inside it."""
    if inspect.isclass(union):
        return [union.__name__]
    return [name for kind in get_args(union) if not hasattr(kind, "discriminator") for name in members(kind)]


class SocketChannel(NamedTuple):
    """Describes one WebSocket: its address, the parameter in the address, and the messages of both sides."""

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
    def received(self) -> list[str]:
        return members(self.server_messages)

    @property
    def names(self) -> list[str]:
        return [*self.sent, *self.received]

    def described(self) -> JsonObject:
        return {
            "address": self.address,
            "parameters": {self.parameter: {"description": self.words}},
            "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in self.names},
        }

    def operation(self, action: str, names: list[str]) -> JsonObject:
        """An operation in the form of AsyncAPI. `action` is the server's part in it, "receive" or "send"."""
        messages = [{"$ref": f"#/channels/{self.name}/messages/{name}"} for name in names]
        return {"action": action, "channel": {"$ref": f"#/channels/{self.name}"}, "messages": messages}


MATCH_CHANNEL = SocketChannel(
    "match",
    "/api/matches/{match_id}/socket",
    "match_id",
    "The id that making the match answered.",
    schemas.ClientMessage,
    schemas.ServerMessage,
)
ROOM_CHANNEL = SocketChannel(
    "room",
    "/api/rooms/{code}/socket",
    "code",
    "The room's code.",
    schemas.RoomClientMessage,
    schemas.RoomServerMessage,
)
CHANNELS = (MATCH_CHANNEL, ROOM_CHANNEL)


def socket_description() -> JsonObject:
    """The AsyncAPI 3 document about both sockets."""
    names = sorted({name for channel in CHANNELS for name in channel.names})
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "connectk", "version": connectk.__version__, "description": SOCKET_DESCRIPTION},
        "channels": {channel.name: channel.described() for channel in CHANNELS},
        "operations": {
            "matchCommands": MATCH_CHANNEL.operation("receive", MATCH_CHANNEL.sent),
            "matchMessages": MATCH_CHANNEL.operation("send", MATCH_CHANNEL.received),
            "roomCommands": ROOM_CHANNEL.operation("receive", ROOM_CHANNEL.sent),
            "roomMessages": ROOM_CHANNEL.operation("send", ROOM_CHANNEL.received),
        },
        "components": {"messages": {name: _message(name) for name in names}, "schemas": _required_schemas(names)},
    }


def _message(name: str) -> JsonObject:
    return {"name": name, "contentType": "application/json", "payload": {"$ref": SCHEMA_REFERENCE.format(model=name)}}


def _required_schemas(names: list[str]) -> JsonObject:
    """The schemas of these messages, and of all schemas that they refer to."""
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
