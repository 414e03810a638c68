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


_NAME = {"name": "$request.body#/name"}
_ROLE = {"game_id": "$request.path.game_id", "role_id": "$request.body#/role_id"}
_GAME = {"game_id": "$request.path.game_id"}
LINKS: dict[str, dict[str, dict[str, str]]] = {
    "login": {"verify": {}},
    "add": {"login": {}},
    "put_code": {"check_code": {"email_value": "$request.body#/email_value", "code": "$request.body#/code"}},
    "create_player": {
        "identifier": {"name": "$request.body#/pseudo"},
        "facts": {"name": "$request.body#/pseudo"},
        "change_player": {"name": "$request.body#/pseudo"},
    },
    "change_player": {"player": {"name": "$request.path.name"}},
    "forgot_password": {"recover_password": {}},
    "name_administrator": {"administrators": {}},
    "usurp": {"usurpations": {}},
    "create_game": {"identifier": _NAME, "game": _NAME, "change_game": _NAME, "games": {}},
    "allocate": {
        "of_game": {"game_id": "$request.body#/game_id"},
        "of_player": {"player_id": "$request.body#/player_id"},
    },
    "rectify": {"position": _GAME},
    "submit": {"orders": _ROLE, "validations": _ROLE, "corrections": _ROLE, "adjudicate": _GAME},
    "adjudicate": {"report": _GAME, "position": _GAME, "history": _GAME},
    "send_message": {"messages": _ROLE},
    "declare": {"declarations": _ROLE},
    "visit": {"last_visit": _ROLE},
    "vote": {"votes": _ROLE},
    "impose": {"validations": _ROLE, "adjudicate": _GAME},
    "subscribe": {"subscribed": _GAME},
    "ask_for_code": {"rectify": _GAME, "ask_for_none": _GAME},
}
"""Which calls follow from which, with what goes from the one into the other."""


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
    following = LINKS.get(call.handler.__name__)
    if following:
        done["links"] = {
            name: {"operationId": name, **({"parameters": parameters} if parameters else {})}
            for name, parameters in following.items()
        }
    return {str(call.status): done, **found}
