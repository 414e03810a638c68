"""OpenAPI 3.1, made from the routes and the types that they are served with."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from tablee.wire.http import openapi as kit

from .errors import WORDS, ErrorAnswer
from .registry import PREFIX, Route, Who

Json = Any
SCOPES = (
    "Every operation names the scope that a token needs: read, play, chat, account or admin. A session of "
    "one's own has all of them, a program's token those that were chosen for it among read, play and chat; "
    "every token has read."
)
_TEMPLATE = "#/components/schemas/{name}"


def document(routes: Sequence[Route], version: str) -> Json:
    """The whole description."""
    kinds: list[Any] = [ErrorAnswer]
    for route in routes:
        kinds += [kind for kind in (route.body_type, route.query_type) if kind is not None]
        kinds += [*route.path_types.values()]
        if route.answer_type is not type(None):
            kinds.append(route.answer_type)
    schemas, components = msgspec.json.schema_components(kinds, ref_template=_TEMPLATE)
    by_type = {_key(kind): schema for kind, schema in zip(kinds, schemas, strict=True)}
    return kit.document(
        routes,
        lambda route: _operation(route, by_type, components),
        info={
            "title": "Tablée",
            "version": version,
            "description": "The house of games. Everything live is on the WebSocket /api/v1/live.",
            "license": {"name": "AGPL-3.0-or-later", "identifier": "AGPL-3.0-or-later"},
        },
        prefix=PREFIX,
        tags=dict.fromkeys(route.group for route in routes),
        components={
            "schemas": components,
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer", "description": SCOPES},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "tablee_access"},
            },
        },
    )


def _key(kind: Any) -> str:
    return repr(kind)


def _operation(route: Route, by_type: dict[str, Json], components: Json) -> Json:
    parameters = [kit.parameter(name, "path", by_type[_key(kind)]) for name, kind in route.path_types.items()]
    if route.query_type is not None:
        parameters += _query_parameters(route.query_type, components)
    body = None
    if route.body_type is not None:
        body = {"required": not route.body_optional, "content": kit.content(by_type[_key(route.body_type)])}
    # From OpenAPI 3.1 on a scheme of any type may name what is needed of it.
    security = [{"bearer": [route.scope.value]}, {"cookie": []}] if route.who is not Who.ANYONE else None
    return kit.operation(
        route, parameters, _responses(route, by_type), tags=[route.group], body=body, security=security
    )


def _query_parameters(kind: type[msgspec.Struct], components: Json) -> list[Json]:
    schema = components[kind.__name__]
    required = schema.get("required", [])
    return [
        kit.parameter(name, "query", inner, required=name in required)
        for name, inner in schema["properties"].items()
    ]


def codes_of(route: Route) -> list[str]:
    """The codes with which this route may refuse because of its shape; its subject brings others."""
    codes = ["invalid", "too_many", "house_error", "unavailable", "token_expired"]
    if route.who is not Who.ANYONE:
        codes += ["not_identified"]
    if route.who in (Who.MEMBER, Who.ADMINISTRATOR, Who.SUPER):
        codes += ["members_only"]
    if route.who in (Who.ADMINISTRATOR, Who.SUPER):
        codes += ["not_allowed"]
    if route.method != "GET":
        codes += ["cross_site"]
    if route.path_types:
        codes += ["not_found"]
    if route.body_type is not None:
        codes += ["malformed", "too_large", "not_json", "too_slow"]
    return codes


def _responses(route: Route, by_type: dict[str, Json]) -> Json:
    done = {"description": "Done."}
    if route.answer_type is not type(None):
        content = kit.content(by_type[_key(route.answer_type)], route.media_type)
        done = {"description": _answer_sentence(route), "content": content}
    by_status: dict[int, list[str]] = {status: [] for status in route.refusals}
    for code in codes_of(route):
        by_status.setdefault(WORDS[code].status, []).append(code)
    refusals = {
        status: f"Refused: {', '.join(codes) or 'by the rules of the club or the table'}."
        for status, codes in by_status.items()
    }
    return kit.responses(route, done, refusals, by_type[_key(ErrorAnswer)])


def _answer_sentence(route: Route) -> str:
    if route.answer_type is str:
        return "The file."
    lines = re.split(r"\n\s*\n", getattr(route.answer_type, "__doc__", None) or "")
    return " ".join(lines[0].split()) or "Done."
