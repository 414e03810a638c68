"""Diplomacy worked out over the web, for anybody: readings, checks, legal orders, resolutions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.kit.web import WEB_PLENTY, House, open_house

from tablee.club.limits import Bucket
from tablee.doors.web import WebSettings
from tablee.rules.diplomacy.forms import write_situation
from tablee.rules.diplomacy.legal import legal_orders
from tablee.rules.diplomacy.variant import load_variant, variant_names

Json = Any
STANDARD = load_variant("standard")
START = write_situation(STANDARD.start())
FRANCE, GERMANY = 2, 3
ASKED = ("reading", "check", "legal", "resolution")
PLAIN: dict[str, Json] = {
    "reading": {"text": "A PAR - BUR"},
    "check": {"orders": []},
    "legal": {},
    "resolution": {"orders": []},
}


def zone(code: str) -> int:
    return STANDARD.codes.index(code)


def body(asked: str, **fields: Json) -> Json:
    return {"advancement": 0, "situation": START, **PLAIN[asked], **fields}


async def worked_out(house: House, asked: str, variant: str = "standard", **fields: Json) -> Json:
    return await house.nobody().post(f"/games/diplomacy/{variant}/{asked}", body(asked, **fields))


async def refused(house: House, asked: str, sent: Json, variant: str = "standard") -> tuple[int, Json]:
    response = await house.nobody().ask("POST", f"/games/diplomacy/{variant}/{asked}", sent)
    return response.status_code, response.json()["error"]


@pytest.mark.parametrize("variant", variant_names())
async def test_every_variant_tells_how_it_begins(house: House, variant: str) -> None:
    board = load_variant(variant)
    told = await house.nobody().get(f"/games/diplomacy/{variant}/start")
    assert told == {
        "year": board.year_zero + 1,
        "advancement": 0,
        "situation": write_situation(board.start()),
    }
    assert (await house.nobody().refused("GET", "/games/diplomacy/nowhere/start"))["code"] == "not_found"


# --- reading --------------------------------------------------------------------------------------------


async def test_a_text_is_read_line_by_line_in_either_notation(house: House) -> None:
    text = "A PAR - BUR # vers l’est\nFleet Brest holds; armée marseille soutient A PAR - BUR"
    lines = (await worked_out(house, "reading", role=FRANCE, text=text))["lines"]
    assert [line["text"] for line in lines] == [
        "A PAR - BUR",
        "Fleet Brest holds",
        "armée marseille soutient A PAR - BUR",
    ]
    assert [line["order"] for line in lines] == [
        [FRANCE, 1, zone("par"), 0, zone("bur"), 0, 0],
        [FRANCE, 4, zone("bre"), 0, 0, 0, 0],
        [FRANCE, 2, zone("mar"), zone("par"), zone("bur"), 0, 0],
    ]
    assert [line["fault"] for line in lines] == [None, None, None]


async def test_what_is_not_understood_is_told_in_the_language_asked_for(house: House) -> None:
    for language, said in (("fr", "n’est pas un ordre"), ("en", "is no order")):
        told = await worked_out(house, "reading", text="A PAR danse", language=language)
        [line] = told["lines"]
        assert line["order"] is None
        assert said in line["fault"]


async def test_an_order_that_may_not_be_given_is_read_with_its_fault(house: House) -> None:
    [line] = (await worked_out(house, "reading", role=FRANCE, text="A PAR - LON"))["lines"]
    assert line["order"] == [FRANCE, 1, zone("par"), 0, zone("lon"), 0, 0]
    assert line["fault"] == "LON n’est pas voisine"


async def test_the_unit_of_another_is_not_ones_own(house: House) -> None:
    [line] = (await worked_out(house, "reading", role=FRANCE, text="A MUN T"))["lines"]
    assert "Allemagne" in line["fault"]
    [line] = (await worked_out(house, "reading", role=FRANCE, text="Allemagne: A MUN T"))["lines"]
    assert "Allemagne" in line["fault"]


async def test_without_a_role_the_text_or_the_unit_says_whose_an_order_is(house: House) -> None:
    lines = (await worked_out(house, "reading", text="A PAR T\nAllemagne\nA MUN T"))["lines"]
    assert [line["order"] and line["order"][0] for line in lines] == [FRANCE, None, GERMANY]
    assert lines[1] == {"text": "Allemagne", "order": None, "fault": None}


async def test_a_fleet_is_read_onto_the_only_coast_that_it_reaches(house: House) -> None:
    there = {"units": {"2": [[2, zone("gas")], [2, zone("mid")]]}}
    lines = (await worked_out(house, "reading", situation=there, text="F GAS - SPA; F MID - SPA"))["lines"]
    assert lines[0]["order"][4] == zone("spa/nc")
    assert lines[0]["fault"] is None
    assert "quelle côte" in lines[1]["fault"]


@pytest.mark.parametrize("variant", variant_names())
async def test_a_report_is_read_back_as_orders(house: House, variant: str) -> None:
    board = load_variant(variant)
    situation = write_situation(board.start())
    told = await worked_out(house, "resolution", variant, situation=situation)
    report = told["report"].split("\n", 1)[1]
    lines = (await worked_out(house, "reading", variant, situation=situation, text=report))["lines"]
    read = [line["order"] for line in lines if line["order"] is not None]
    assert sorted(read) == sorted(verdict["order"] for verdict in told["played"]["verdicts"])
    assert all(line["fault"] is None for line in lines)


async def test_a_text_of_too_many_lines_or_characters_is_refused(house: House) -> None:
    status, error = await refused(house, "reading", body("reading", text=";" * 5000))
    assert (status, error["code"]) == (400, "invalid")
    status, error = await refused(house, "reading", body("reading", text="A" * 20_001))
    assert (status, error["parts"]["at"]) == (400, "$.text")


# --- check ----------------------------------------------------------------------------------------------


async def test_each_order_gets_its_fault_and_units_without_one_are_listed(house: House) -> None:
    orders = [
        [FRANCE, 1, zone("par"), 0, zone("bur"), 0, 0],
        [FRANCE, 1, zone("bre"), 0, zone("par"), 0, 0],
        [FRANCE, 4, zone("par"), 0, 0, 0, 0],
        [GERMANY, 4, zone("mun"), 0, 0, 0, 0],
    ]
    told = await worked_out(house, "check", role=FRANCE, orders=orders, language="en")
    assert told["faults"][0] is None
    assert told["faults"][1] == "a fleet does not go to PAR, which is inland"
    assert told["faults"][2] == "the unit has an order already"
    assert "Germany" in told["faults"][3]
    assert told["missing"] == [zone("mar")]
    assert told["too_many"] is None


async def test_too_many_builds_and_too_few_removals_are_told(house: House) -> None:
    bre = STANDARD.centre_of[zone("bre")]
    mar = STANDARD.centre_of[zone("mar")]
    there = {"ownerships": {str(bre): FRANCE, str(mar): FRANCE}, "units": {"2": [[1, zone("bur")]]}}
    builds = [[FRANCE, 8, zone("bre"), 0, 0, 0, 1], [FRANCE, 8, zone("mar"), 0, 0, 0, 2]]
    told = await worked_out(house, "check", advancement=4, situation=there, role=FRANCE, orders=builds)
    assert told == {"faults": [None, None], "missing": [], "too_many": "plus d’ajustements que dus"}
    there["ownerships"] = {}
    told = await worked_out(house, "check", advancement=4, situation=there, role=FRANCE)
    assert told["too_many"] == "suppressions données\u00a0: 0, dues\u00a0: 1"
    told = await worked_out(house, "check", advancement=4, situation=there)
    assert told["too_many"] == "France\u00a0: suppressions données\u00a0: 0, dues\u00a0: 1"


async def test_without_a_role_everybodys_orders_are_checked(house: House) -> None:
    orders = [[FRANCE, 4, zone("par"), 0, 0, 0, 0], [GERMANY, 1, zone("mun"), 0, zone("lon"), 0, 0]]
    told = await worked_out(house, "check", orders=orders)
    assert told["faults"] == [None, "LON n’est pas voisine"]
    assert len(told["missing"]) == 22 - 2


# --- legal ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", variant_names())
async def test_legal_orders_are_those_of_the_rules(house: House, variant: str) -> None:
    board = load_variant(variant)
    start = board.start()
    told = await worked_out(house, "legal", variant, situation=write_situation(start))
    wanted = legal_orders(board, 0, start)
    assert told["orders"] == {
        str(place): [[int(number) for number in order] for order in orders]
        for place, orders in wanted.items()
    }
    assert told["most"] == {}
    own = await worked_out(house, "legal", variant, situation=write_situation(start), role=1)
    assert own["orders"] == {key: orders for key, orders in told["orders"].items() if orders[0][0] == 1}


async def test_among_adjustments_it_is_said_how_many_are_due(house: House) -> None:
    bre = STANDARD.centre_of[zone("bre")]
    there = {
        "ownerships": {str(bre): FRANCE},
        "units": {"3": [[1, zone("mun")], [1, zone("ber")]]},
    }
    told = await worked_out(house, "legal", advancement=4, situation=there)
    assert told["most"] == {str(FRANCE): 1, str(GERMANY): 2}
    assert [FRANCE, 8, zone("bre"), 0, 0, 0, 2] in told["orders"][str(zone("bre"))]
    own = await worked_out(house, "legal", advancement=4, situation=there, role=FRANCE)
    assert own["most"] == {str(FRANCE): 1}


# --- resolution -----------------------------------------------------------------------------------------


async def test_a_phase_is_resolved_explained_and_followed_by_the_next(house: House) -> None:
    there = {"units": {"2": [[1, zone("par")], [1, zone("mar")]], "3": [[1, zone("bur")]]}}
    orders = [
        [FRANCE, 1, zone("par"), 0, zone("bur"), 0, 0],
        [FRANCE, 2, zone("mar"), zone("par"), zone("bur"), 0, 0],
    ]
    told = await worked_out(house, "resolution", situation=there, orders=orders, language="en")
    verdicts = told["played"]["verdicts"]
    assert [verdict["outcome"] for verdict in verdicts] == ["succeeds", "succeeds", "succeeds"]
    assert verdicts[2]["marks"] == ["dislodged", "by_default"]
    assert told["explanations"][0] == "succeeds: attack 2, dislodges A BUR H"
    assert told["after"]["dislodged_ones"] == {str(GERMANY): [[1, zone("bur"), zone("par")]]}
    assert (told["advancement"], told["passed"], told["owing"]) == (1, [], [GERMANY])
    for line in told["lines"]:
        if line["verdict"] is not None:
            assert verdicts[line["verdict"]]["order"][0] == line["role"]
        assert line["text"] in told["report"]
    retreat = [[GERMANY, 6, zone("bur"), 0, zone("ruh"), 0, 0]]
    then = await worked_out(
        house, "resolution", advancement=1, situation=told["situation"], orders=retreat, language="en"
    )
    assert then["explanations"] == ["succeeds"]
    assert (then["advancement"], then["passed"]) == (2, [])


async def test_phases_with_nothing_to_order_are_passed_over_and_centres_taken_on_the_way(
    house: House,
) -> None:
    there = {"units": {"2": [[1, zone("gas")]]}}
    orders = [[FRANCE, 1, zone("gas"), 0, zone("spa"), 0, 0]]
    told = await worked_out(house, "resolution", advancement=2, situation=there, orders=orders)
    assert (told["advancement"], told["passed"]) == (5, [3, 4])
    assert told["after"]["ownerships"] == {}
    assert told["situation"]["ownerships"] == {str(STANDARD.centre_of[zone("spa")]): FRANCE}


async def test_an_empty_board_comes_to_an_end(house: House) -> None:
    told = await worked_out(house, "resolution", situation={})
    assert told["played"]["verdicts"] == []
    assert len(told["passed"]) == 5


async def test_illegal_orders_are_told_as_such_and_nothing_is_refused(house: House) -> None:
    orders = [[FRANCE, 1, zone("par"), 0, zone("lon"), 0, 0]]
    told = await worked_out(house, "resolution", orders=orders)
    assert told["played"]["verdicts"][0]["outcome"] == "illegal"
    assert told["explanations"][0] == "invalide\u00a0: LON n’est pas voisine"


async def test_whether_an_army_goes_by_convoy_may_be_said_as_an_action_says_it(house: House) -> None:
    for flag in (True, 1):
        orders = [[FRANCE, 1, zone("par"), 0, zone("bur"), flag, 0]]
        told = await worked_out(house, "resolution", orders=orders)
        assert told["played"]["verdicts"][0]["order"][5] == 1


async def test_the_two_schools_differ_where_the_record_of_choices_says_so(house: House) -> None:
    """A wrong coast in a support (DATC 6.B.9): void, or ignored."""
    there = {"units": {"2": [[2, zone("por")], [2, zone("mid")]], "4": [[2, zone("wes")], [2, zone("gol")]]}}
    orders = [
        [2, 2, zone("por"), zone("mid"), zone("spa/nc"), 0, 0],
        [2, 1, zone("mid"), 0, zone("spa/sc"), 0, 0],
        [4, 2, zone("gol"), zone("wes"), zone("spa/sc"), 0, 0],
        [4, 1, zone("wes"), 0, zone("spa/sc"), 0, 0],
    ]
    outcomes = {
        choices: [
            verdict["outcome"]
            for verdict in (
                await worked_out(house, "resolution", situation=there, orders=orders, choices=choices)
            )["played"]["verdicts"]
        ]
        for choices in ("DATC", "AFJD")
    }
    assert outcomes["DATC"] == ["void", "bounces", "succeeds", "succeeds"]
    assert outcomes["AFJD"] == ["succeeds", "bounces", "succeeds", "bounces"]


async def test_removals_and_retreats_are_explained_too(house: House) -> None:
    dislodged = {"3": [[1, zone("bur"), 0]], "2": [[1, zone("mun"), 0]]}
    orders = [[3, 6, zone("bur"), 0, zone("ruh"), 0, 0], [2, 6, zone("mun"), 0, zone("ruh"), 0, 0]]
    told = await worked_out(
        house, "resolution", advancement=1, situation={"dislodged_ones": dislodged}, orders=orders
    )
    assert set(told["explanations"]) == {
        "échec\u00a0: plusieurs unités se retirent en RUH\u00a0; l’unité quitte le plateau"
    }
    told = await worked_out(
        house,
        "resolution",
        advancement=4,
        situation={"units": {"2": [[1, zone("par")]]}},
        orders=[[2, 8, zone("par"), 0, 0, 0, 1]],
    )
    assert told["explanations"] == [
        "invalide\u00a0: ce rôle n’a rien à construire",
        "réussit\u00a0; l’unité quitte le plateau",
    ]


# --- hostile --------------------------------------------------------------------------------------------

BAD_SITUATIONS: list[Json] = [
    None,
    [],
    "START",
    {"units": []},
    {"units": {"2": 7}},
    {"units": {"2": [[1]]}},
    {"units": {"2": [[1, 47, 3]]}},
    {"units": {"2": [["1", 47]]}},
    {"units": {"2": [[True, 47]]}},
    {"units": {"2": [[1.5, 47]]}},
    {"units": {"2": [[3, 47]]}},
    {"units": {"2": [[1, 0]]}},
    {"units": {"2": [[1, 82]]}},
    {"units": {"2": [[1, -1]]}},
    {"units": {"2": [[1, 2**40]]}},
    {"units": {"2": [[2, 47]]}},
    {"units": {"8": [[1, 47]]}},
    {"units": {"0": [[1, 47]]}},
    {"units": {"²": [[1, 47]]}},
    {"units": {"france": [[1, 47]]}},
    {"units": {"2": [[1, 47]], "3": [[1, 47]]}},
    {"ownerships": {"35": 1}},
    {"ownerships": {"1": 9}},
    {"dislodged_ones": {"2": [[1, 47, 0]]}},
    {"forbiddens": [76]},
    {"forbiddens": {"1": 1}},
    {"unites": {}},
]


@pytest.mark.parametrize("situation", BAD_SITUATIONS, ids=str)
async def test_what_is_no_position_is_refused_in_words(house: House, situation: Json) -> None:
    for asked in ASKED:
        status, error = await refused(house, asked, body(asked, situation=situation))
        assert (status, error["code"]) == (400, "invalid"), asked
        assert error["message"].startswith("La demande n’a pas la forme attendue\u00a0: ")
        assert error["parts"]["at"].startswith("$.situation")


BAD_ORDERS: list[Json] = [
    None,
    "A PAR - BUR",
    {"0": []},
    [[]],
    [[2, 1, 47, 0, 17]],
    [[2, 1, 47, 0, 17, 0, 0, 0]],
    [["2", 1, 47, 0, 17, 0, 0]],
    [[0, 1, 47, 0, 17, 0, 0]],
    [[8, 1, 47, 0, 17, 0, 0]],
    [[2, 0, 47, 0, 17, 0, 0]],
    [[2, 10, 47, 0, 17, 0, 0]],
    [[2, 1, 0, 0, 17, 0, 0]],
    [[2, 1, 82, 0, 17, 0, 0]],
    [[2, 1, 47, 0, 82, 0, 0]],
    [[2, 1, 47, 0, -1, 0, 0]],
    [[2, 1, 47, 0, 17, 2, 0]],
    [[2, 1, 47, True, 17, 0, 0]],
    [[2, 1, 47, 0, 17, 0, 3]],
    [[2, 1, 47, 0, 2**60, 0, 0]],
    [[2, 4, 47, 0, 0, 0, 0]] * 2_000,
    [[2, 4, 47, 0, 0, 0, 0]] * 500,
]


@pytest.mark.parametrize("orders", BAD_ORDERS, ids=lambda orders: str(orders)[:40])
async def test_what_are_no_orders_is_refused_in_words(house: House, orders: Json) -> None:
    for asked in ("check", "resolution"):
        status, error = await refused(house, asked, body(asked, orders=orders))
        assert (status, error["code"]) == (400, "invalid"), asked
        assert error["parts"]["detail"]


@pytest.mark.parametrize(
    "fields",
    [
        {"advancement": -1},
        {"advancement": 10_001},
        {"advancement": "0"},
        {"advancement": None},
        {"advancement": 0.5},
        {"language": "de"},
        {"surprise": 1},
    ],
    ids=str,
)
async def test_bad_fields_are_refused(house: House, fields: Json) -> None:
    for asked in ASKED:
        if asked == "legal" and "language" in fields:
            continue
        status, error = await refused(house, asked, body(asked, **fields))
        assert (status, error["code"]) == (400, "invalid"), asked


async def test_roles_that_are_none_are_refused(house: House) -> None:
    for asked in ("reading", "check", "legal"):
        for role in (0, -1, 8, 101, "2", True):
            status, error = await refused(house, asked, body(asked, role=role))
            assert (status, error["code"]) == (400, "invalid"), (asked, role)


async def test_unknown_choices_are_refused(house: House) -> None:
    for asked in ("check", "resolution"):
        status, error = await refused(house, asked, body(asked, choices="autre"))
        assert (status, error["code"]) == (400, "invalid")


async def test_an_unknown_variant_is_not_found(house: House) -> None:
    for asked in ASKED:
        for variant in ("nowhere", "classic", "..%2Fstandard", "standard.toml"):
            status, error = await refused(house, asked, body(asked), variant)
            assert (status, error["code"]) in ((404, "not_found"), (404, "no_such_route")), variant


async def test_deep_json_and_no_json_are_refused(house: House) -> None:
    nobody = house.nobody()
    deep = '{"advancement": 0, "situation": {"units": ' + "[" * 5000 + "]" * 5000 + "}}"
    for asked in ASKED:
        path = f"/api/v1/games/diplomacy/standard/{asked}"
        for content in (deep, "{", "[]", '"A PAR - BUR"', "\ud800".encode("utf-8", "surrogatepass")):
            response = await nobody.http.post(
                path, content=content, headers={"Content-Type": "application/json"}
            )
            assert response.status_code == 400
            assert response.json()["error"]["code"] in ("invalid", "malformed")


async def test_a_full_board_is_answered(house: House) -> None:
    """An army in every land and a fleet in every sea: as many orders as there can be."""
    units: Json = {}
    for region in range(1, STANDARD.regions + 1):
        kind = 2 if STANDARD.terrain[region] == 3 else 1
        units.setdefault(str(region % 7 + 1), []).append([kind, region])
    told = await worked_out(house, "legal", situation={"units": units})
    assert len(told["orders"]) == STANDARD.regions
    orders = [orders[-1] for orders in told["orders"].values()]
    resolved = await worked_out(house, "resolution", situation={"units": units}, orders=orders)
    assert len(resolved["played"]["verdicts"]) == STANDARD.regions


async def test_one_address_cannot_keep_the_house_busy(tmp_path: Path) -> None:
    settings = WebSettings(limits={**WEB_PLENTY, "web_solver": Bucket(3, 60)})
    async with open_house(f"sqlite:///{tmp_path / 'tablee.sqlite'}", settings=settings) as house:
        for _ in range(3):
            await worked_out(house, "legal")
        status, error = await refused(house, "resolution", body("resolution"))
        assert (status, error["code"]) == (429, "too_many")
        await house.nobody().get("/games/diplomacy/standard/map")
