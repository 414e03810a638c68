"""OpenAPI 3.1 of each service, made from its calls."""

from __future__ import annotations

from typing import Any

from tablee.doors.afjd.calls import Call, Service
from tablee.doors.afjd.parameters import Param

Json = Any
REFUSED: Json = {
    "type": "object",
    "properties": {"msg": {"type": "string"}, "report": {"type": "string"}},
    "required": ["msg"],
}
PSEUDO: Json = {"type": "string", "maxLength": 200, "description": "who asks; his token proves it"}


def describe(service: Service, prefix: str) -> Json:
    """The whole description of one service, for where it is mounted."""
    paths: dict[str, Json] = {}
    for call in service.calls:
        paths.setdefault(call.path, {})[call.method.lower()] = _operation(call)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": f"AFJD {service.name.upper()}",
            "version": "1",
            "description": "A service of the AFJD document, as docs/protocols/afjd.md completes it.",
        },
        "servers": [{"url": prefix or "/"}],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "token": {"type": "apiKey", "in": "header", "name": "AccessToken"},
                "bearer": {"type": "http", "scheme": "bearer"},
                "secret": {"type": "apiKey", "in": "header", "name": "ServiceSecret"},
            }
        },
    }


def _operation(call: Call) -> Json:
    in_body = call.method != "GET"
    operation: dict[str, Json] = {
        "operationId": call.handler.__name__,
        "summary": call.summary,
        "parameters": [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
            for name in call.in_path
        ],
        "responses": _responses(call),
    }
    if not in_body:
        operation["parameters"] += [_query(param) for param in call.params]
        if call.token or 401 in call.errors:
            operation["parameters"].append(
                {"name": "pseudo", "in": "query", "required": False, "schema": PSEUDO}
            )
    elif call.params or call.token:
        schema = _body(call)
        content = {"application/json": {"schema": schema}}
        if not call.json_only:
            content["application/x-www-form-urlencoded"] = {"schema": schema}
        operation["requestBody"] = {"required": bool(schema.get("required")), "content": content}
    security: list[dict[str, list[str]]] = [{"token": []}, {"bearer": []}] if call.token else []
    if call.secret:
        security = [{**each, "secret": []} for each in security or [{}]]
    if security:
        operation["security"] = security
    return operation


def _query(param: Param) -> Json:
    return {
        "name": param.name,
        "in": "query",
        "required": param.required,
        "description": param.says,
        "schema": {"type": "string"} if param.kind == "str - json" else param.schema,
    }


def _body(call: Call) -> Json:
    properties = {param.name: {**param.schema, "description": param.says} for param in call.params}
    if call.token:
        properties.setdefault("pseudo", PSEUDO)
    required = [param.name for param in call.params if param.required]
    return {"type": "object", "properties": properties, **({"required": required} if required else {})}


def _responses(call: Call) -> Json:
    if call.answer is None:
        done: Json = {"description": call.summary, "content": {"text/html": {"schema": {"type": "string"}}}}
    else:
        done = {"description": call.summary, "content": {"application/json": {"schema": call.answer}}}
    refused = {"application/json": {"schema": REFUSED}}
    found = {
        str(status): {"description": "Refused, with a sentence.", "content": refused}
        for status in call.errors
    }
    return {str(call.status): done, **found}
