"""Schemathesis against the descriptions of all five services, with and without tokens."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.schemas import BaseSchema
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance
from tests.kit.afjd import LIMITS, Game, House, Person, open_house
from tests.kit.waiting import PATIENCE

from tablee.doors.afjd import AfjdSettings
from tablee.doors.afjd.calls import ALL, Call

Json = Any
LONG_RUN_SECONDS = 620
"""Seconds for an answer: Schemathesis' own ten are too few on a machine that others use as well."""


class Caller(NamedTuple):
    """Somebody, or nobody, with what his requests carry."""

    person: Person | None
    headers: dict[str, str]


CHECKS = (not_a_server_error, status_code_conformance, response_schema_conformance)


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=str)
async def test_no_generated_request_brings_a_service_to_fall(house: House, mode: GenerationMode) -> None:
    game = await house.running()
    for service in ALL:
        schema = await _schema(house, service.group)
        for call in service.routes:
            for caller in _callers(house, game):
                await asyncio.to_thread(_attack, house, game, schema, call, caller, mode, 2, 1)


async def test_no_chain_of_generated_requests_brings_a_service_to_fall(house: House) -> None:
    game = await house.running()
    for service in ALL[:-1]:
        schema = await _schema(house, service.group)
        for caller in _callers(house, game)[:2]:
            await asyncio.to_thread(_walk, house, game, schema, service.group, caller, 3)


@pytest.mark.long
@pytest.mark.timeout(3 * LONG_RUN_SECONDS)
async def test_ten_minutes_of_generated_requests_and_of_chains_of_them(tmp_path: Path) -> None:
    settings_ = AfjdSettings(limits=LIMITS, token_minutes=60)
    async with open_house(f"sqlite:///{tmp_path / 't'}", tmp_path, settings=settings_) as house:
        game = await house.running()
        begun = time.monotonic()
        end = begun + LONG_RUN_SECONDS
        answers: Counter[int] = Counter()
        number = 0
        while time.monotonic() < end:
            number += 1
            callers = _callers(house, game)
            for service in ALL:
                schema = await _schema(house, service.group)
                caller = callers[number % len(callers)]
                for call in service.routes:
                    for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
                        answers += await asyncio.to_thread(
                            _attack, house, game, schema, call, caller, mode, 25, number
                        )
                if service.group != "solver":  # one call alone is no chain
                    answers += await asyncio.to_thread(_walk, house, game, schema, service.group, caller, 5)
        passed = round(time.monotonic() - begun)
        print(
            f"{answers.total()} requests in {number} rounds and {passed} s: {dict(sorted(answers.items()))}"
        )
        assert {200, 201, 400, 401, 403, 404} <= set(answers)


async def _schema(house: House, service: str) -> BaseSchema:
    return schemathesis.openapi.from_dict(await house.get("/openapi.json", service=service))


def _attack(
    house: House,
    game: Game,
    schema: BaseSchema,
    call: Call,
    caller: Caller,
    mode: GenerationMode,
    examples: int,
    number: int,
) -> Counter[int]:
    answers: Counter[int] = Counter()
    if mode is GenerationMode.NEGATIVE and not call.params:
        return answers  # nothing about the form of this request could be wrong
    if call.method == "DELETE" and call.path in ("/games/{name}", "/players/{name}"):
        return answers
    operation = schema[call.path][call.method]

    @seed(number)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def attack(case: Any) -> None:
        _aim(case, game, caller.person)
        response = case.call(base_url=house.at(call.group, ""), headers=caller.headers, timeout=PATIENCE)
        case.validate_response(response, checks=CHECKS)
        answers[response.status_code] += 1

    attack()
    return answers


def _walk(
    house: House, game: Game, schema: BaseSchema, service: str, caller: Caller, examples: int
) -> Counter[int]:
    """Chains of requests, what one answers going into the next where the description links them."""
    answers: Counter[int] = Counter()
    machine = schema.as_state_machine()

    class Walk(machine):  # type: ignore[misc, valid-type]
        def before_call(self, case: Any) -> None:
            _aim(case, game, caller.person)

        def get_call_kwargs(self, case: Any) -> dict[str, Any]:
            return {"base_url": house.at(service, ""), "headers": caller.headers, "timeout": PATIENCE}

        def validate_response(self, response: Any, case: Any, **_: Any) -> None:
            case.validate_response(response, checks=CHECKS)
            answers[response.status_code] += 1

    Walk.TestCase.settings = settings(
        max_examples=examples,
        stateful_step_count=8,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    Walk.run(settings=Walk.TestCase.settings)
    return answers


def _callers(house: House, game: Game) -> list[Caller]:
    """Who asks: the master and a player, with the services' secret; nobody with it, and nobody at all."""
    secret = {"ServiceSecret": house.door.secret}
    known = [
        Caller(person, {**secret, "AccessToken": person.token}) for person in (game.master, game.player[2])
    ]
    return [known[0], Caller(None, {}), known[1], Caller(None, secret)]


def _aim(case: Any, game: Game, person: Person | None) -> None:
    """Most requests speak of the game that is there, in the name of whose token they carry."""
    for name, value in (case.path_parameters or {}).items():
        if str(value) in (".", ".."):
            case.path_parameters[name] = "x"  # clients take such a part out of the path before they ask
    if "game_id" in (case.path_parameters or {}):
        case.path_parameters["game_id"] = str(game.id)
    if person is None:
        return
    role = 0 if person is game.master else 2
    taken = case.body if isinstance(case.body, dict) else case.query if isinstance(case.query, dict) else {}
    if isinstance(taken.get("role_id"), int) and taken["role_id"] % 2:
        taken["role_id"] = role  # every other one is his own: the rest are refused before they are read
    if isinstance(case.body, dict) and case.operation.path not in ("/players", "/emails"):
        case.body["pseudo"] = person.pseudo
    elif isinstance(case.query, dict) and case.operation.method.upper() == "GET":
        case.query["pseudo"] = person.pseudo
