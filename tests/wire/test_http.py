"""Routes as data are served the same way whichever door declares them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import msgspec
import pytest
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from tablee.wire.http import openapi
from tablee.wire.http.application import application, bearer, json_answer
from tablee.wire.http.bodies import DISCARD_LIMIT, TooLarge, body_of
from tablee.wire.http.routes import Declared, H, Handler, Route, signature_of


class Cup(msgspec.Struct):
    size: int


def kept(cups: Declared[Route], method: str = "GET", path: str = "/cups") -> Callable[[H], H]:
    def read(handler: Handler) -> Route:
        return Route(
            group=cups.group,
            method=method,
            path=path,
            handler=handler,
            status=200,
            refusals=(409,),
            body_limit=10,
        )

    return cups.declare(read)


def house() -> tuple[httpx.AsyncClient, list[int]]:
    cups: Declared[Route] = Declared("cups")
    counted: list[int] = []

    @kept(cups)
    async def all_cups(raw: bytes) -> Any:
        """Every cup."""
        return ["blue"]

    @kept(cups, "POST")
    async def break_cup(raw: bytes) -> Any:
        """Break a cup.

        It is gone then.
        """
        raise KeyError(raw.decode())

    async def answer(request: Request, route: Route) -> Response:
        raw = await body_of(request, route.body_limit, counted.append)
        return json_answer(await route.handler(raw), route.status)

    def refuse(request: Request, error: Exception) -> Response:
        match error:
            case TooLarge():
                return json_answer(error.limit, 413)
            case HTTPException():
                return json_answer("none", error.status_code)
        return json_answer(str(error), 500)

    served = application(cups.routes, answer, refuse, prefix="/kitchen")
    transport = httpx.ASGITransport(served)
    return httpx.AsyncClient(transport=transport, base_url="http://house/kitchen"), counted


async def test_a_route_is_served_and_its_head_too() -> None:
    http, _ = house()
    assert (await http.get("/cups")).json() == ["blue"]
    assert (await http.head("/cups")).status_code == 200


async def test_whatever_is_raised_is_refused_in_the_words_of_the_door() -> None:
    http, counted = house()
    broken = await http.post("/cups", content=b"red")
    assert (broken.status_code, broken.json()) == (500, "'red'")
    assert counted == [3]
    assert ((await http.get("/plates")).status_code, (await http.delete("/cups")).status_code) == (404, 405)
    assert "GET" in (await http.delete("/cups")).headers["allow"]


async def test_a_body_that_is_too_large_is_counted_as_far_as_it_is_read() -> None:
    http, counted = house()
    assert (await http.post("/cups", content=b"x" * 11)).json() == 10
    assert (await http.post("/cups", content=b"x" * (DISCARD_LIMIT + 1))).status_code == 413
    assert counted == [11]


def test_a_route_needs_a_sentence_and_is_declared_once() -> None:
    cups: Declared[Route] = Declared("cups")

    async def silent(ask: Any) -> None: ...

    with pytest.raises(TypeError, match="needs a sentence"):
        kept(cups)(silent)
    silent.__doc__ = "Say nothing."
    kept(cups)(silent)
    kept(cups)(silent)
    with pytest.raises(ValueError, match="GET /cups is declared twice"):
        application(cups.routes, lambda *_: None, lambda *_: Response())  # type: ignore[arg-type]


def test_a_signature_says_what_is_taken_and_given() -> None:
    async def fill(ask: Any, cup: int, body: Cup | None = None) -> Cup: ...  # type: ignore[empty-body]

    fill.__annotations__ = {"cup": int, "body": Cup, "return": Cup}
    said = signature_of(fill, "/cups/{cup}")
    assert (said.path_types, said.query_type, said.body_type) == ({"cup": int}, None, Cup)
    assert said.body_optional
    with pytest.raises(TypeError, match="do not fit the path"):
        signature_of(fill, "/cups/{plate}")


def test_a_description_names_every_route_once() -> None:
    cups: Declared[Route] = Declared("cups")

    async def every_cup(ask: Any) -> None:
        """Every cup."""

    kept(cups)(every_cup)

    def describe(route: Route) -> Any:
        done = {"description": "Cups."}
        answers = openapi.responses(route, done, {409: "Broken."}, {"type": "string"})
        return openapi.operation(route, [openapi.parameter("size", "query", {})], answers)

    described = openapi.document(cups.routes, describe, info={"title": "Kitchen"}, components={}, prefix="/k")
    found = described["paths"]["/k/cups"]["get"]
    assert (found["operationId"], found["summary"]) == ("every_cup", "Every cup.")
    assert found["responses"]["409"]["content"] == {"application/json": {"schema": {"type": "string"}}}
    assert "tags" not in described


def test_a_bearer_token_is_found_in_its_header_only() -> None:
    assert bearer(Headers({"authorization": "Bearer abc"})) == "abc"
    assert bearer(Headers({"authorization": "bearer  abc "})) == "abc"
    assert bearer(Headers({"authorization": "Basic abc"})) == ""
    assert bearer(Headers({"authorization": "Bearer"})) == ""
