"""The shapes of this door as TypeScript, so that the page is checked against the house's own types.

`make types` writes them to web/src/house/types.ts; a test says when that file is old.
"""

from __future__ import annotations

import re
import sys
import typing
from pathlib import Path
from typing import Any

import msgspec

from .api.errors import ErrorAnswer
from .live.messages import AnyFromClient, AnyFromServer, AnyTopic
from .routes import ALL

Json = Any
_TEMPLATE = "#/components/schemas/{name}"
_HEAD = "// Written by `make types` from the house's own types (doors/web/typescript.py). Do not edit.\n"


def typescript() -> str:
    """One interface a shape, and the unions of what goes over the live connection."""
    kinds: list[Any] = [ErrorAnswer, *_members(AnyTopic), *_members(AnyFromClient), *_members(AnyFromServer)]
    for route in ALL:
        kinds += [
            kind for kind in (route.body_type, route.answer_type) if _is_struct(kind) and kind not in kinds
        ]
    _, components = msgspec.json.schema_components(kinds, ref_template=_TEMPLATE)
    unions = {"AnyTopic": AnyTopic, "AnyFromClient": AnyFromClient, "AnyFromServer": AnyFromServer}
    sent = {kind.__name__ for kind in kinds for route in ALL if kind is route.body_type}
    sent |= {kind.__name__ for name in ("AnyTopic", "AnyFromClient") for kind in _members(unions[name])}
    shapes = [_interface(name, components[name], is_sent=name in sent) for name in sorted(components)]
    either = [
        f"export type {name} = {' | '.join(kind.__name__ for kind in _members(union))};\n"
        for name, union in unions.items()
    ]
    return "\n".join([_HEAD, *shapes, *either])


def _members(union: Any) -> list[Any]:
    return list(typing.get_args(union))


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def _interface(name: str, schema: Json, *, is_sent: bool) -> str:
    if "properties" not in schema:
        return f"export type {name} = {_type(schema)};\n"
    required = set(schema.get("required", []))
    # What the house sends without its defaults is optional to read too; all other answers are complete.
    complete = not is_sent and "type" not in schema["properties"]
    lines = []
    for field, inner in schema["properties"].items():
        mark = "" if complete or field in required else "?"
        lines.append(f"  {_key(field)}{mark}: {_type(inner)};")
    said = " ".join((schema.get("description") or "").split("\n\n")[0].split())
    comment = f"/** {said} */\n" if said else ""
    return f"{comment}export interface {name} {{\n" + "\n".join(lines) + "\n}\n"


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z_]\w*", name) else msgspec.json.encode(name).decode()


def _type(schema: Json) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[-1]
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(_type(each) for each in schema["anyOf"]))
    if "enum" in schema:
        return " | ".join(msgspec.json.encode(value).decode() for value in schema["enum"])
    if "const" in schema:
        return msgspec.json.encode(schema["const"]).decode()
    match schema.get("type"):
        case "string":
            return "string"
        case "integer" | "number":
            return "number"
        case "boolean":
            return "boolean"
        case "null":
            return "null"
        case "array" if "prefixItems" in schema:
            return f"[{', '.join(_type(each) for each in schema['prefixItems'])}]"
        case "array":
            inner = _type(schema.get("items", {}))
            return f"({inner})[]" if "|" in inner else f"{inner}[]"
        case "object":
            return f"Record<string, {_type(schema.get('additionalProperties', {}) or {})}>"
    return "unknown"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(typescript(), encoding="utf-8")
