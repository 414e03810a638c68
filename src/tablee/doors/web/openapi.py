"""OpenAPI 3.1, made from the routes and the types that they are served with."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

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
    paths: dict[str, Json] = {}
    for route in routes:
        operation = _operation(route, by_type, components)
        paths.setdefault(PREFIX + route.path, {})[route.method.lower()] = operation
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Tablée",
            "version": version,
            "description": "The house of games. Everything live is on the WebSocket /api/v1/live.",
            "license": {"name": "AGPL-3.0-or-later", "identifier": "AGPL-3.0-or-later"},
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": group} for group in dict.fromkeys(route.group for route in routes)],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer", "description": SCOPES},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "tablee_access"},
            },
        },
    }


def _key(kind: Any) -> str:
    return repr(kind)


def _operation(route: Route, by_type: dict[str, Json], components: Json) -> Json:
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": by_type[_key(kind)]}
        for name, kind in route.path_types.items()
    ]
    if route.query_type is not None:
        parameters += _query_parameters(route.query_type, components)
    operation: dict[str, Json] = {
        "operationId": route.handler.__name__,
        "tags": [route.group],
        "summary": route.summary,
        "parameters": parameters,
        "responses": _responses(route, by_type),
    }
    if route.body_type is not None:
        content = {"application/json": {"schema": by_type[_key(route.body_type)]}}
        operation["requestBody"] = {"required": not route.body_optional, "content": content}
    if route.who is not Who.ANYONE:
        # From OpenAPI 3.1 on a scheme of any type may name what is needed of it.
        operation["security"] = [{"bearer": [route.scope.value]}, {"cookie": []}]
    return operation


def _query_parameters(kind: type[msgspec.Struct], components: Json) -> list[Json]:
    schema = components[kind.__name__]
    required = schema.get("required", [])
    return [
        {"name": name, "in": "query", "required": name in required, "schema": inner}
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
    if route.answer_type is type(None):
        responses: dict[str, Json] = {str(route.status): {"description": "Done."}}
    else:
        content = {route.media_type: {"schema": by_type[_key(route.answer_type)]}}
        responses = {str(route.status): {"description": _answer_sentence(route), "content": content}}
    by_status: dict[int, list[str]] = {}
    for status in route.refusals:
        by_status[status] = []
    for code in codes_of(route):
        by_status.setdefault(WORDS[code].status, []).append(code)
    error = {"application/json": {"schema": by_type[_key(ErrorAnswer)]}}
    for status, codes in sorted(by_status.items()):
        why = ", ".join(codes) if codes else "by the rules of the club or the table"
        responses[str(status)] = {"description": f"Refused: {why}.", "content": error}
    return responses


def _answer_sentence(route: Route) -> str:
    if route.answer_type is str:
        return "The file."
    lines = re.split(r"\n\s*\n", getattr(route.answer_type, "__doc__", None) or "")
    return " ".join(lines[0].split()) or "Done."
