"""The messages of `schemas` for programs: JSON Schema of all of them, and the socket in the words of AsyncAPI."""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any, Literal, NamedTuple, get_args

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema
from typing_extensions import is_typeddict

import connectk
from connectk.server import schemas

Json = dict[str, Any]
Mode = Literal["validation", "serialization"]
REF = "#/components/schemas/{model}"
HOW = (
    "A match or a room over a WebSocket. Say `hello` first, within ten seconds; every message is a JSON object with a "
    "`type`."
)


@cache
def json_schemas() -> Json:
    """Every message by its name, as JSON Schema; what a client sends as it may be sent, what it hears as it comes."""
    everything = vars(schemas).values()
    ours = [kind for kind in everything if inspect.isclass(kind) and kind.__module__.startswith(connectk.__name__)]
    kinds = [kind for kind in ours if is_typeddict(kind) or issubclass(kind, BaseModel)]
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


class Channel(NamedTuple):
    """A socket: where it is, what its address is made of, and what is said there."""

    name: str
    address: str
    parameter: str
    words: str
    says: Any
    hears: Any

    @property
    def sent(self) -> list[str]:
        return members(self.says)

    @property
    def heard(self) -> list[str]:
        return members(self.hears)

    @property
    def names(self) -> list[str]:
        return [*self.sent, *self.heard]

    def described(self) -> Json:
        return {
            "address": self.address,
            "parameters": {self.parameter: {"description": self.words}},
            "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in self.names},
        }

    def operation(self, action: str, names: list[str]) -> Json:
        """From the server's side, as AsyncAPI wants it."""
        messages = [{"$ref": f"#/channels/{self.name}/messages/{name}"} for name in names]
        return {"action": action, "channel": {"$ref": f"#/channels/{self.name}"}, "messages": messages}


MATCH = Channel(
    "match",
    "/api/matches/{match_id}/socket",
    "match_id",
    "The id that making the match answered.",
    schemas.ClientMessage,
    schemas.ServerMessage,
)
ROOM = Channel(
    "room",
    "/api/rooms/{code}/socket",
    "code",
    "The room's code.",
    schemas.RoomClientMessage,
    schemas.RoomServerMessage,
)
CHANNELS = (MATCH, ROOM)


def socket_description() -> Json:
    """An AsyncAPI 3 document."""
    names = sorted({name for channel in CHANNELS for name in channel.names})
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "connectk", "version": connectk.__version__, "description": HOW},
        "channels": {channel.name: channel.described() for channel in CHANNELS},
        "operations": {
            "say": MATCH.operation("receive", MATCH.sent),
            "hear": MATCH.operation("send", MATCH.heard),
            "sayInRoom": ROOM.operation("receive", ROOM.sent),
            "hearInRoom": ROOM.operation("send", ROOM.heard),
        },
        "components": {"messages": {name: _message(name) for name in names}, "schemas": _needed(names)},
    }


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
