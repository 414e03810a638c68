"""What a request says: parameters from a form, JSON or the query, whichever way they come."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl

from starlette.requests import Request

from tablee.doors.afjd.calls import Call
from tablee.doors.afjd.parameters import DOCUMENT_ELEMENTS, demand_text, parsed
from tablee.doors.afjd.refusal import Refusal
from tablee.wire.http.bodies import body_of, media_type_of
from tablee.wire.http.routes import BODY_LIMIT
from tablee.wire.json_bounds import ELEMENTS_MOST

FIELDS_MOST = 200


async def read_parameters(
    request: Request, call: Call, count: Callable[[int], None]
) -> tuple[dict[str, Any], str]:
    """The parameters of a call, each in its type, and the pseudo (empty where none is given).

    `count` is told how many bytes came, before they are read. Raises Refusal 400 that names the first
    parameter that is missing or ill-typed, TooLarge, TooSlow.
    """
    given = await _given(request, call, count)
    values: dict[str, Any] = {}
    pseudo = given.get("pseudo")
    if pseudo is None:
        pseudo = ""
    if not isinstance(pseudo, str):
        raise Refusal(400, "pseudo must be a text")
    if len(pseudo) > 200:
        raise Refusal(400, "pseudo must have at most 200 characters")
    for param in call.params:
        value = given.get(param.name)
        if value is None and param.required:
            raise Refusal(400, f"Missing {param.name} parameter")
        # Programs send all their fields, filled in or not: an empty one that may be left out is left out.
        is_left_out = value is None or (value == "" and not param.required)
        values[param.name] = None if is_left_out else param.read(param.name, value)
    return values, pseudo


async def _given(request: Request, call: Call, count: Callable[[int], None]) -> dict[str, Any]:
    raw = await body_of(request, call.body_limit, count)
    media_type = media_type_of(request)
    is_json = media_type == "application/json" or media_type.endswith("+json")
    if call.json_only and not (is_json and raw):
        raise Refusal(400, "Missing JSON in request")
    given: dict[str, Any] = _pairs(request.scope["query_string"], "The query")
    if not raw:
        return given
    if is_json:
        has_documents = call.body_limit > BODY_LIMIT
        value = parsed(raw, "The body", DOCUMENT_ELEMENTS if has_documents else ELEMENTS_MOST)
        if not isinstance(value, dict):
            raise Refusal(400, "The body must be a JSON object")
        return given | value
    if media_type in ("", "application/x-www-form-urlencoded"):
        return given | _pairs(raw, "The form")
    raise Refusal(400, f"A body is a form or JSON, not {media_type[:60]}")


def _pairs(raw: bytes, what: str) -> dict[str, Any]:
    if not raw:
        return {}
    try:
        pairs = parse_qsl(
            raw.decode("utf-8"), keep_blank_values=True, max_num_fields=FIELDS_MOST, errors="strict"
        )
    except UnicodeDecodeError:
        raise Refusal(400, f"{what} is not UTF-8") from None
    except ValueError:
        raise Refusal(400, f"{what} has more than {FIELDS_MOST} parameters") from None
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise Refusal(400, f"{what} gives {name[:50]} twice")
        demand_text(name, what)
        demand_text(value, name[:50])
        found[name] = value
    return found
