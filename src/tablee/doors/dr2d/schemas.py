"""JSON Schemas of all frames, made from the structs that the door itself reads and writes.

`make schemas` writes them to docs/protocols/dr2d; a test keeps the files true.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from tablee.doors.dr2d.frames import ALIASES, SEQUENCES, Service, Token

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schemas() -> dict[str, Any]:
    """Name of the file and schema of every frame: each call, each reply, the service message."""
    found: dict[str, Any] = {"ShortMessageService.json": _titled("ShortMessageService", *_described(Service))}
    for seq, sequence in SEQUENCES.items():
        names = [seq, *(alias for alias, name in ALIASES.items() if name == seq)]
        found[f"{seq}.call.json"] = _frame("stgyCall", seq, [seq], sequence.args_in, sequence.args_ref)
        found[f"{seq}.reply.json"] = _frame("stgyReply", seq, names, Any, sequence.replied)
    return found


def _frame(kind: str, seq: str, names: list[str], args_in: Any, args_ref: Any) -> dict[str, Any]:
    (token, given, changed), defs = msgspec.json.schema_components(
        (Token, args_in, args_ref), ref_template="#/$defs/{name}"
    )
    inner: dict[str, Any] = {
        "type": "object",
        "properties": {"seq": {"enum": names}, "token": token, "argsIn": given, "argsRef": changed},
        "required": ["seq", "token", "argsIn", "argsRef"] if kind == "stgyCall" else ["seq", "token"],
    }
    if kind == "stgyCall":
        inner["additionalProperties"] = False
    elif changed not in ({"type": "null"}, {}) and "anyOf" not in changed:
        inner["required"] = ["seq", "token", "argsRef"]
    frame = {"type": "object", "properties": {kind: inner}, "required": [kind]}
    return _titled(f"{kind} {seq}", frame, defs)


def _described(kind: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    (described,), defs = msgspec.json.schema_components((kind,), ref_template="#/$defs/{name}")
    return described, defs


def _titled(title: str, schema: dict[str, Any], defs: dict[str, Any]) -> dict[str, Any]:
    return {"$schema": DIALECT, "title": title, **schema, **({"$defs": defs} if defs else {})}


def text_of(schema: Any) -> str:
    """A schema as its file has it."""
    return json.dumps(schema, ensure_ascii=False, indent=2, sort_keys=False) + "\n"


def write(folder: Path) -> None:
    """Write every schema, and remove those that are no longer any."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = schemas()
    for file in folder.glob("*.json"):
        if file.name not in wanted:
            file.unlink()
    for name, schema in wanted.items():
        (folder / name).write_text(text_of(schema), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
