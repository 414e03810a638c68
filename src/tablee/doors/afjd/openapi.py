"""OpenAPI 3.1 of each service, made from its calls."""

from __future__ import annotations

from typing import Any

from tablee.doors.afjd.calls import Call, Service
from tablee.doors.afjd.parameters import Param
from tablee.wire.http import openapi as kit

Json = Any
REFUSED: Json = {
    "type": "object",
    "properties": {"msg": {"type": "string"}, "report": {"type": "string"}},
    "required": ["msg"],
}
IN_PATH: Json = {"type": "string", "minLength": 1}
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
    return kit.document(
        service.routes,
        _operation,
        info={
            "title": f"AFJD {service.group.upper()}",
            "version": "1",
            "description": "A service of the AFJD document, as docs/protocols/afjd.md completes it.",
        },
        url=prefix or "/",
        components={
            "securitySchemes": {
                "token": {"type": "apiKey", "in": "header", "name": "AccessToken"},
                "bearer": {"type": "http", "scheme": "bearer"},
                "secret": {"type": "apiKey", "in": "header", "name": "ServiceSecret"},
            }
        },
    )


def _operation(call: Call) -> Json:
    parameters = [kit.parameter(name, "path", IN_PATH) for name in call.in_path]
    body = None
    if call.method == "GET":
        parameters += [_query(param) for param in call.params]
        if call.token or 401 in call.refusals:
            parameters.append(kit.parameter("pseudo", "query", PSEUDO, required=False))
    elif call.params or call.token:
        schema = _body(call)
        forms = () if call.json_only else ("application/x-www-form-urlencoded",)
        content = kit.content(schema, "application/json", *forms)
        body = {"required": bool(schema.get("required")), "content": content}
    security: list[Json] = [{"token": []}, {"bearer": []}] if call.token else []
    if call.secret:
        security = [{**each, "secret": []} for each in security or [{}]]
    return kit.operation(call, parameters, _responses(call), body=body, security=security)


def _query(param: Param) -> Json:
    schema = {"type": "string"} if param.kind == "str - json" else param.schema
    return kit.parameter(param.name, "query", schema, required=param.required, says=param.says)


def _body(call: Call) -> Json:
    properties = {param.name: {**param.schema, "description": param.says} for param in call.params}
    if call.token:
        properties.setdefault("pseudo", PSEUDO)
    required = [param.name for param in call.params if param.required]
    return {"type": "object", "properties": properties, **({"required": required} if required else {})}


def _responses(call: Call) -> Json:
    is_page = call.answer is None
    content = kit.content({"type": "string"}, "text/html") if is_page else kit.content(call.answer)
    done: Json = {"description": call.summary, "content": content}
    following = LINKS.get(call.operation)
    if following:
        done["links"] = {
            name: {"operationId": name, **({"parameters": parameters} if parameters else {})}
            for name, parameters in following.items()
        }
    return kit.responses(call, done, dict.fromkeys(call.refusals, "Refused, with a sentence."), REFUSED)
