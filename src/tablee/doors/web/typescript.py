"""The shapes of this door and of the games as TypeScript: the page is checked against the house's own types.

`make types` writes those of the door to web/src/house/types.ts, and the views and told facts of each game to
web/src/games/GAME/types.ts; a test says when one of these files is old.
"""

from __future__ import annotations

import re
import sys
import typing
from pathlib import Path
from typing import Any

import msgspec

from tablee.rules import GAMES
from tablee.rules.contract import Rules

from .api.errors import ErrorAnswer
from .live.messages import AnyFromClient, AnyFromServer, AnyTopic
from .routes import ALL

Json = Any
_TEMPLATE = "#/components/schemas/{name}"
_HEAD = "// Written by `make types` from the house's own types (doors/web/typescript.py). Do not edit.\n"


def written_types(page: Path) -> dict[Path, str]:
    """What is to be in each file of types of the page in this folder; a game without a folder has none."""
    folders = {page / "games" / rules.name: rules for rules in GAMES.values()}
    games = {folder / "types.ts": game_types(rules) for folder, rules in folders.items() if folder.is_dir()}
    return {page / "house" / "types.ts": house_types(), **games}


def game_types(rules: Rules[Any]) -> str:
    """The view of a game, the facts that it tells, and all that they are made of."""
    told, view = _members(rules.told_type), rules.view_type
    _, components = msgspec.json.schema_components([view, *told], ref_template=_TEMPLATE)
    left_out = _left_out([view, *told])
    shapes = [_interface(name, components[name], left_out.get(name, set())) for name in sorted(components)]
    union = (
        f"export type {view.__name__.removesuffix('View')}Told = {' | '.join(k.__name__ for k in told)};\n"
    )
    return "\n".join([_HEAD, *shapes, union])


def _left_out(kinds: list[Any]) -> dict[str, set[str]]:
    """By shape, the fields that may be missing in its JSON.

    In what a view is made of, those are also the fields that may be null: a merge patch takes them away.
    """
    found: dict[str, set[str]] = {}
    waiting = list(msgspec.inspect.multi_type_info(kinds))
    while waiting:
        kind = waiting.pop()
        match kind:
            case msgspec.inspect.StructType(cls=cls, fields=fields) if cls.__name__ not in found:
                found[cls.__name__] = {field.encode_name for field in fields if _may_miss(cls, field)}
                waiting += [field.type for field in fields]
            case msgspec.inspect.UnionType(types=types):
                waiting += types
            case msgspec.inspect.DictType(value_type=value):
                waiting.append(value)
            case msgspec.inspect.VarTupleType(item_type=item) | msgspec.inspect.ListType(item_type=item):
                waiting.append(item)
            case msgspec.inspect.TupleType(item_types=items):
                waiting += items
    return found


def _may_miss(cls: type[msgspec.Struct], field: msgspec.inspect.Field) -> bool:
    if isinstance(field.type, msgspec.inspect.UnionType) and field.type.includes_none:
        return True
    is_unset = field.default is field.default_factory is msgspec.NODEFAULT
    return not field.required and (is_unset or cls.__struct_config__.omit_defaults)


def house_types() -> str:
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
    shapes = [
        _interface(name, schema, _unsaid(schema, is_sent=name in sent))
        for name, schema in sorted(components.items())
    ]
    either = [
        f"export type {name} = {' | '.join(kind.__name__ for kind in _members(union))};\n"
        for name, union in unions.items()
    ]
    return "\n".join([_HEAD, *shapes, *either])


def _members(union: Any) -> list[Any]:
    return list(typing.get_args(union))


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def _unsaid(schema: Json, *, is_sent: bool) -> set[str]:
    """The fields that need not be there."""
    fields = schema.get("properties", {})
    # What the house sends without its defaults is optional to read too; all other answers are complete.
    if not is_sent and "type" not in fields:
        return set()
    return set(fields) - set(schema.get("required", []))


def _interface(name: str, schema: Json, optional: set[str]) -> str:
    if "properties" not in schema:
        return f"export type {name} = {_type(schema)};\n"
    lines = []
    for field, inner in schema["properties"].items():
        mark = "?" if field in optional else ""
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
    for file, text in written_types(Path(sys.argv[1])).items():
        file.write_text(text, encoding="utf-8")
