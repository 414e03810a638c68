"""SOLVER and the sandbox: what `/solve` and `/simulation` resolve, and what they refuse."""

from __future__ import annotations

import asyncio
import gc
import json
from pathlib import Path
from typing import Any

import pytest
from bench.largest_inputs import own_variant, solving
from tests.kit.afjd import LIMITS, STANDARD, ZONE, House, checked, move, open_house

from tablee.clock import HandClock
from tablee.club.limits import Bucket
from tablee.doors.afjd import AfjdSettings
from tablee.rules.diplomacy.document import to_document
from tablee.rules.diplomacy.forms import write_situation
from tablee.rules.diplomacy.variant import Variant, variant_names

START = write_situation(STANDARD.start())
PARIS, BURGUNDY = ZONE["par"], ZONE["bur"]


async def solve(house: House, **given: Any) -> Any:
    asked = {"variant": "standard", "advancement": 0, "situation": START, "orders": [], **given}
    return await house.ask("POST", "/solve", "solver", secret=True, **asked)


async def test_the_solver_is_closed_without_the_secret_unless_it_is_opened(
    house: House, tmp_path: Path
) -> None:
    given = {"variant": "standard", "advancement": 0, "situation": START, "orders": []}
    assert (await house.ask("POST", "/solve", "solver", **given)).status_code == 403
    assert (await solve(house)).status_code == 201
    (tmp_path / "b").mkdir()
    settings = AfjdSettings(open_solver=True)
    async with open_house(f"sqlite:///{tmp_path / 'b' / 't'}", tmp_path / "b", settings=settings) as other:
        assert (await other.ask("POST", "/solve", "solver", **given)).status_code == 201


async def test_a_real_resolution_holds_what_has_no_order(house: House) -> None:
    answer = checked(await solve(house, orders=[[2, 1, PARIS, 0, BURGUNDY]]), 201)
    assert [1, BURGUNDY] in answer["situation_result"]["units"]["2"]
    assert answer["verdicts"][0]["outcome"] == "succeeds"
    assert answer["orders_result"].startswith(
        "SOLVEUR : INFORMATION : Résolution ou validation d'ordres pour Mouvements printemps 1901\n\n"
    )
    assert "A PAR - BUR" in answer["orders_result"]
    assert "PAR DEFAUT" in answer["orders_result"]
    assert answer["active_roles"] == []


async def test_json_itself_and_the_dictionaries_of_orders_are_served_too(house: House) -> None:
    given = {
        "variant": "standard",
        "advancement": 0,
        "situation": START,
        "orders": [move(2, 1, "par", "bur")],
    }
    answer = await house.ask("POST", "/solve", "solver", secret=True, as_json=True, **given)
    assert [1, BURGUNDY] in checked(answer, 201)["situation_result"]["units"]["2"]


async def test_every_fault_is_named_not_the_first(house: House) -> None:
    orders = [
        [2, 1, PARIS, 0, ZONE["lon"]],
        [2, 1, ZONE["mar"], 0, ZONE["mar"]],
        [3, 1, ZONE["mun"], 0, BURGUNDY],
    ]
    refused = checked(await solve(house, orders=orders), 400)
    assert refused["report"].count("(invalide)") == 2
    mine = checked(await solve(house, orders=[[2, 1, PARIS, 0, BURGUNDY]], role=2), 400)
    assert len(mine["report"].strip().splitlines()) == 4  # a title, nothing, and two units without an order
    whole = [[2, 1, PARIS, 0, BURGUNDY], [2, 4, ZONE["mar"], 0, 0], [2, 4, ZONE["bre"], 0, 0]]
    assert (await solve(house, orders=whole, role=2)).status_code == 201
    twice = [[2, 1, PARIS, 0, BURGUNDY], [2, 4, PARIS, 0, 0]]
    assert (await solve(house, orders=twice)).status_code == 400


async def test_the_callers_names_are_used_and_must_differ(house: House) -> None:
    names = {
        "roles": {str(n): [f"Role{n}", f"adj{n}", str(n)] for n in range(8)},
        "zones": {str(n): f"Z{n}" if n <= 75 else "" for n in range(1, 82)},
        "coasts": {"1": "ec", "2": "nc", "3": "sc"},
    }
    answer = checked(await solve(house, orders=[[2, 1, PARIS, 0, BURGUNDY]], names=names), 201)
    assert f"A Z{PARIS} - Z{BURGUNDY}" in answer["orders_result"]
    for kind, number in (("zones", "3"), ("coasts", "2")):
        same = json.loads(json.dumps(names))
        same[kind][number] = same[kind]["1"]
        assert "same" in checked(await solve(house, names=same), 400)["msg"]


@pytest.mark.parametrize("name", variant_names())
async def test_every_variant_is_shown_and_resolves_as_a_document_of_its_own(house: House, name: str) -> None:
    shown = await house.get(f"/variants/{name}")
    keys = {"regions", "centers", "roles", "start_centers", "type_coasts", "coastal_zones", "start_units"}
    assert set(shown) == {*keys, "year_zero", "neighbouring", "distancing"}
    units: dict[str, list[list[int]]] = {}
    for role, by_kind in enumerate(shown["start_units"], 1):
        units[str(role)] = [[int(kind), zone] for kind, zones in by_kind.items() for zone in zones]
    asked = {"advancement": 0, "situation": {"units": units}, "orders": []}
    by_name = checked(await solve(house, variant=name, **asked), 201)
    as_document = checked(await solve(house, variant=json.dumps(shown), **asked), 201)
    assert by_name["situation_result"] == as_document["situation_result"]


async def test_the_standard_variant_has_the_documents_numbers(house: House) -> None:
    shown = await house.get("/variants/standard")
    assert (len(shown["regions"]), len(shown["centers"]), shown["year_zero"]) == (75, 34, 1900)
    assert shown == json.loads(json.dumps(to_document(STANDARD)))
    assert (await house.ask("GET", "/variants/Nul!")).json() == {"msg": "Variant Nul! is incorrect as a name"}
    assert checked(await house.ask("GET", "/variants/nul"), 404) == {"msg": "Variant nul doesn't exist"}


async def test_the_sandbox_plays_any_phase_without_a_token(house: House) -> None:
    given = {
        "variant_name": "standard",
        "center_ownerships": [{"role": 2, "center_num": 20}],
        "units": [{"type_unit": 1, "role": 2, "zone": PARIS}],
        "orders": [move(2, 1, "par", "bur")],
    }
    answer = checked(await house.ask("POST", "/simulation", **given), 201)
    assert answer["situation_result"]["units"] == {"2": [[1, BURGUNDY]]}
    assert answer["msg"] == f"Ok adjudication performed {answer['result']}"
    dislodged = {**given["units"][0], "dislodged_origin": ZONE["pic"]}
    retreat = {"order_type": 6, "active_unit": given["units"][0], "destination_zone": BURGUNDY}
    asked = {**given, "units": [dislodged], "orders": [retreat], "advancement": 1}
    assert checked(await house.ask("POST", "/simulation", **asked), 201)["situation_result"]["units"] == {
        "2": [[1, BURGUNDY]]
    }
    build = {"order_type": 8, "active_unit": {"type_unit": 1, "role": 2, "zone": PARIS}}
    asked = {**given, "units": [], "orders": [build], "advancement": 4}
    assert checked(await house.ask("POST", "/simulation", **asked), 201)["situation_result"]["units"] == {
        "2": [[1, PARIS]]
    }
    lost = {**given, "units": [dislodged], "orders": []}  # nobody retreats in spring
    left = checked(await house.ask("POST", "/simulation", **lost), 201)["situation_result"]
    assert left["units"] == left["dislodged_ones"] == {}
    wrong = {**given, "orders": [move(2, 1, "par", "lon")]}
    refused = checked(await house.ask("POST", "/simulation", **wrong), 400)
    assert refused["msg"].startswith("Failed to adjudicate ")
    assert (await house.ask("POST", "/simulation", **{**given, "variant_name": "nul"})).status_code == 404


async def test_a_variant_of_the_callers_own_is_gone_when_it_was_resolved(house: House) -> None:
    for number in range(3):
        given = solving(number)
        answer = await house.ask("POST", "/solve", "solver", secret=True, as_json=True, **given)
        assert checked(answer, 201)["orders_result"]
    kept = [each for each in gc.get_objects() if isinstance(each, Variant) and each.name == "document"]
    assert kept == []


async def test_a_variant_that_names_more_neighbours_than_any_map_has_is_refused(house: House) -> None:
    given = {"variant": own_variant(0, borders=7), "situation": {}, "orders": [], "advancement": 0}
    answer = checked(await house.ask("POST", "/solve", "solver", secret=True, as_json=True, **given), 400)
    assert answer["msg"] == "variant: neighbouring names at most 8000 neighbours in all"


# --- how often ------------------------------------------------------------------------------------------

ALONE: dict[str, Any] = {
    "variant_name": "standard",
    "center_ownerships": [],
    "units": [{"type_unit": 1, "role": 2, "zone": PARIS}],
    "orders": [move(2, 1, "par", "bur")],
}
LATER = "tablee.club.patience.REFUSED_AFTER"


async def test_a_stranger_tries_sixty_positions_at_once_and_ten_more_each_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LATER, 0)
    clock, usual = HandClock(), AfjdSettings()
    async with open_house(f"sqlite:///{tmp_path / 't'}", tmp_path, clock=clock, settings=usual) as house:
        for many in (60, 10, 10):
            for _ in range(many):
                checked(await house.ask("POST", "/simulation", **ALONE), 201)
            refused = await house.ask("POST", "/simulation", **ALONE)
            assert (refused.status_code, refused.headers["Retry-After"]) == (429, "1")
            await clock.advance(1_000)
        for _ in range(20):  # the services' secret is not counted
            assert (await solve(house)).status_code == 201
            answer = await house.ask("POST", "/simulation", secret=True, **ALONE)
            assert answer.status_code == 201


async def test_a_position_too_many_is_refused_before_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LATER, 0)
    few = AfjdSettings(limits={**LIMITS, "afjd_solver": Bucket(1, 3600)}, open_solver=True)
    async with open_house(f"sqlite:///{tmp_path / 't'}", tmp_path, settings=few) as house:
        wrong = {"variant_name": "standard", "orders": "{"}
        assert (await house.ask("POST", "/simulation", **wrong)).status_code == 400
        # What is wrong with it is not found out any more, and it is the same account for both calls.
        assert (await house.ask("POST", "/simulation", **wrong)).status_code == 429
        assert (await house.ask("POST", "/solve", "solver", orders="{")).status_code == 429
        assert (await house.ask("GET", "/games")).status_code == 200


async def test_who_asks_too_often_is_not_told_so_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that asks again as soon as it is answered would ask some hundred times a second."""
    monkeypatch.setattr(LATER, 3600.0)
    few = AfjdSettings(limits={**LIMITS, "afjd_solver": Bucket(1, 3600)})
    async with open_house(f"sqlite:///{tmp_path / 't'}", tmp_path, settings=few) as house:
        checked(await house.ask("POST", "/simulation", **ALONE), 201)
        refused = asyncio.create_task(house.ask("POST", "/simulation", **ALONE))
        for _ in range(5):
            checked(await house.ask("GET", "/games"), 200)
            assert not refused.done()
        refused.cancel()
