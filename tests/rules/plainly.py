"""Actions as somebody would write them who has no page before him."""

from __future__ import annotations

import re
from typing import Any

import msgspec


def write_plainly(action: msgspec.Struct) -> str:
    """The plain form of an action: `read_plainly` understands it."""
    values = [msgspec.to_builtins(getattr(action, field)) for field in action.__struct_fields__]
    said = [value if _is_bare(value) else msgspec.json.encode(value).decode() for value in values]
    return " ".join([str(action.__struct_config__.tag), *said])


def _is_bare(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[^\s\"\[{]\S*", value) is not None
