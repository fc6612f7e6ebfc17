"""Writes descriptions of the messages in `connectk.server.schemas`, for programs and for the page's scripts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from connectk.server import schemas
from connectk.server.description import json_schemas, members, socket_description

ROOT = Path(__file__).parent.parent
SOCKET_FILE = ROOT / "docs" / "reference" / "socket.json"
TYPES_FILE = ROOT / "src" / "connectk" / "web" / "js" / "types.d.ts"
UNIONS = {
    name: getattr(schemas, name)
    for name in (
        "ClientMessage",
        "ServerMessage",
        "EventMessage",
        "RoomClientMessage",
        "RoomServerMessage",
    )
}
SCALAR_TYPES = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean", "null": "null"}


def main() -> None:
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(ROOT))


def files() -> dict[Path, str]:
    return {SOCKET_FILE: json.dumps(socket_description(), indent=1) + "\n", TYPES_FILE: typescript()}


def typescript() -> str:
    """Every message as a type that `tsc` reads. A script uses a type as `import("./types.js").MatchView`."""
    head = "// The messages of the server. Made by tools/make_descriptions.py from connectk.server.schemas.\n"
    unions = "".join(f"\nexport type {name} = {' | '.join(members(union))};\n" for name, union in UNIONS.items())
    return head + "".join(_interface(name, schema) for name, schema in json_schemas().items()) + unions


def _interface(name: str, schema: dict[str, Any]) -> str:
    needed = schema.get("required", ())
    fields = "".join(
        _comment(field, "  ") + f"  {key}{'' if key in needed else '?'}: {_type(field)};\n"
        for key, field in schema["properties"].items()
    )
    return f"\n{_comment(schema)}export interface {name} {{\n{fields}}}\n"


def _comment(schema: dict[str, Any], margin: str = "") -> str:
    words = " ".join(schema.get("description", "").split())
    return f"{margin}/** {words} */\n" if words else ""


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return " | ".join(dict.fromkeys(_type(kind) for kind in schema[union]))
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    return _container(schema)


def _container(schema: dict[str, Any]) -> str:
    kind = schema.get("type", "")
    if kind == "array" and "prefixItems" in schema:
        return f"[{', '.join(_type(item) for item in schema['prefixItems'])}]"
    if kind == "array":
        return f"Array<{_type(schema.get('items', {}))}>"
    if kind == "object" and "enum" in schema.get("propertyNames", {}):
        return f"{{ [name in {_type(schema['propertyNames'])}]?: {_type(schema['additionalProperties'])} }}"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"{{ [name: string]: {_type(schema['additionalProperties'])} }}"
    return SCALAR_TYPES.get(kind, "any")


if __name__ == "__main__":
    main()
