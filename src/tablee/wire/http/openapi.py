"""OpenAPI 3.1 of routes: what is the same whoever describes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from .routes import R, Route

Json = Any


def document(
    routes: Sequence[R],
    describe: Callable[[R], Json],
    *,
    info: Json,
    components: Json,
    url: str = "/",
    prefix: str = "",
    tags: Iterable[str] = (),
) -> Json:
    """The whole description; `describe` makes the operation of one route."""
    paths: dict[str, Json] = {}
    for route in routes:
        paths.setdefault(prefix + route.path, {})[route.method.lower()] = describe(route)
    named = [{"name": tag} for tag in tags]
    return {
        "openapi": "3.1.0",
        "info": info,
        "servers": [{"url": url}],
        **({"tags": named} if named else {}),
        "paths": paths,
        "components": components,
    }


def operation(
    route: Route,
    parameters: list[Json],
    responses: Json,
    *,
    tags: Sequence[str] = (),
    body: Json = None,
    security: Json = None,
) -> Json:
    """One method of one path."""
    return {
        "operationId": route.operation,
        **({"tags": [*tags]} if tags else {}),
        "summary": route.summary,
        "parameters": parameters,
        "responses": responses,
        **({"requestBody": body} if body else {}),
        **({"security": security} if security else {}),
    }


def parameter(name: str, where: str, schema: Json, *, required: bool = True, says: str = "") -> Json:
    """One parameter, in the path or in the query."""
    description = {"description": says} if says else {}
    return {"name": name, "in": where, "required": required, **description, "schema": schema}


def content(schema: Json, *media_types: str) -> Json:
    """A body of this form, as any of these."""
    return {media_type: {"schema": schema} for media_type in media_types or ("application/json",)}


def responses(route: Route, done: Json, refusals: Mapping[int, str], error: Json) -> Json:
    """The answers of a route: `done`, or an `error` with one of these statuses and sentences."""
    refused = {
        str(status): {"description": sentence, "content": content(error)}
        for status, sentence in sorted(refusals.items())
    }
    return {str(route.status): done, **refused}
