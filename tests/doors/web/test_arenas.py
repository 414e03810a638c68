"""Arenas worked out over the web, for anybody: a file checked, a board drawn, where a card goes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.kit.web import WEB_PLENTY, House, open_house
from tests.rules.arena.large import large_text
from tests.rules.arena.spoiling import OLD, SMALL, spoiled

from tablee.club.limits import Bucket
from tablee.doors.web import WebSettings
from tablee.doors.web.games.arena import FILE_LIMIT
from tablee.rules.arena import ArenaRules
from tablee.rules.arena.drawing import picture
from tablee.rules.arena.exporting import export, export_games
from tablee.rules.arena.ground import write_description
from tablee.rules.arena.loading import description_names, load, load_ours

Json = Any
CHECK, DRAWING, REACH = "/arena/check", "/arena/drawing", "/arena/reach"


async def checked(house: House, text: str) -> Json:
    return await house.nobody().post(CHECK, {"text": text})


async def refused(house: House, path: str, sent: Json) -> tuple[int, Json]:
    response = await house.nobody().ask("POST", path, sent)
    return response.status_code, response.json()["error"]


# --- checking -------------------------------------------------------------------------------------------


async def test_our_own_arenas_are_files_without_a_fault(house: House) -> None:
    arenas = (await house.nobody().get("/arena/descriptions"))["arenas"]
    assert [each["name"] for each in arenas] == list(description_names())
    for each in arenas:
        told = await checked(house, each["text"])
        assert told["faults"] == []
        assert [game["name"] for game in told["games"]] == [each["name"]]


async def test_a_right_file_is_told_game_by_game(house: House) -> None:
    text = json.dumps({"mine": SMALL, "standard": export(load_ours("standard"))})
    mine, standard = (await checked(house, text))["games"]
    assert (mine["name"], mine["is_name_for_a_club"], mine["squares"]) == ("mine", True, 12)
    assert (standard["name"], standard["is_name_for_a_club"], standard["squares"]) == ("standard", False, 288)
    assert (standard["number_players"], standard["deck"], len(standard["trumps"])) == (8, 28, 11)
    assert [card["name"] for card in mine["cards"]] == ["Pawn", "Jester"]
    assert mine["cards"][1]["special_actions"] == ["assassination"]
    assert mine["description"] == write_description(load(SMALL, "mine")["mine"])


async def test_the_old_spelling_is_read_too(house: House) -> None:
    told = await checked(house, json.dumps(OLD))
    assert told["faults"] == []
    assert [game["name"] for game in told["games"]] == ["arena"]


async def test_all_faults_come_at_once_with_path_found_and_expected_in_both_languages(house: House) -> None:
    text = json.dumps(
        {
            "mon jeu": spoiled(
                ("board.number_arms", "two"), ("colors", 3), ("trumps.1.cost", -1), ("trumps.2.name", 0)
            )
        }
    )
    told = await checked(house, text)
    assert told["games"] == []
    faults = {each["path"]: each for each in told["faults"]}
    assert {
        '$["mon jeu"].board.number_arms',
        '$["mon jeu"].colors',
        '$["mon jeu"].trumps[1].cost',
        '$["mon jeu"].trumps[2].name',
    } <= set(faults)
    cost = faults['$["mon jeu"].trumps[1].cost']
    assert cost["found"] == "-1"
    assert cost["expected"]["fr"] != cost["expected"]["en"]
    assert cost["said"]["fr"] == f"{cost['path']}\u00a0: trouvé -1\u00a0; attendu {cost['expected']['fr']}."
    assert (cost["line"], cost["column"]) == (None, None)


async def test_what_is_left_aside_is_told_apart_from_the_faults(house: House) -> None:
    made = spoiled(("powers", {}), ("movements_cards.cards.0.description", "One step."))
    told = await checked(house, json.dumps({"mine": made}))
    assert told["faults"] == []
    assert [each["path"] for each in told["warnings"]] == ["$.mine.powers"]
    assert told["warnings"][0]["said"]["fr"].startswith("$.mine.powers\u00a0: laissé de côté")
    (game,) = told["games"]
    assert [card["description"] for card in game["cards"]] == ["One step.", ""]
    assert {trump["description"] for trump in game["trumps"]} == {
        "Loses a colour.",
        "One more move.",
        "Breaks towers.",
    }
    made["trumps"][0]["cost"] = -1
    told = await checked(house, json.dumps({"mine": made}))
    assert [each["path"] for each in told["faults"]] == ["$.mine.trumps[0].cost"]
    assert [each["path"] for each in told["warnings"]] == ["$.mine.powers"]


async def test_a_text_that_is_no_json_says_where(house: House) -> None:
    (fault,) = (await checked(house, '{\n  "mine": {,}\n}'))["faults"]
    assert (fault["path"], fault["line"], fault["column"]) == ("$", 2, 12)


async def test_what_nobody_can_reach_or_pay_is_remarked_in_both_languages(house: House) -> None:
    cut = spoiled(("board.inner_circle_colors", []), ("trumps.1.cost", 41))
    del cut["board"]["svg"]
    (game,) = (await checked(house, json.dumps({"cut": cut})))["games"]
    assert [each["en"] for each in game["remarks"]] == [
        "No card ever brings a pawn to its aim: walls are between.",
        "Wind costs 41; a gauge holds 40.",
    ]
    assert all(each["fr"] != each["en"] for each in game["remarks"])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "3",
        "[]",
        "{}",
        "true",
        "NaN",
        '"texte"',
        "\ufeff",
        "[" * 100_000,
        '{"a":' * 50_000,
        '{"a": {"board": ' + "[" * 500 + "]" * 500 + "}}",
        '{"\\ud800": {}}',
        '{"a": {"board": {"number_arms": ' + "9" * 5000 + "}}}",
        '{"a": {"board": 1e999}}',
        '{"board": {}, "board": {}}',
        json.dumps({"a": [SMALL] * 100}),
    ],
    ids=range(17),
)
async def test_whatever_is_no_arena_has_faults_and_is_no_refusal(house: House, text: str) -> None:
    told = await checked(house, text)
    assert told["faults"]
    assert told["games"] == []
    status, error = await refused(house, DRAWING, {"description": text})
    assert (status, error["code"]) == (400, "faulty_arena")
    assert [each["path"] for each in error["parts"]["faults"]] == [each["path"] for each in told["faults"]]


@pytest.mark.parametrize("path", [CHECK, DRAWING, REACH])
@pytest.mark.parametrize(
    "sent",
    [None, 3, [], {}, {"text": 3}, {"description": None}, {"text": "a\0b"}, {"description": "a\0b"}],
    ids=str,
)
async def test_a_request_of_another_form_is_refused(house: House, path: str, sent: Json) -> None:
    status, error = await refused(house, path, sent)
    assert (status, error["code"]) in [(400, "invalid"), (400, "malformed"), (415, "not_json")]


@pytest.mark.parametrize("path", [CHECK, DRAWING])
async def test_a_text_that_is_too_long_is_refused(house: House, path: str) -> None:
    for sent in ({"text": " " * FILE_LIMIT}, {"description": " " * FILE_LIMIT}):
        status, error = await refused(house, path, sent)
        assert (status, error["code"]) == (413, "too_large")


async def test_a_file_with_more_faults_than_anybody_mends_stops_counting(house: House) -> None:
    told = await checked(house, json.dumps({f"a{number}": 0 for number in range(5_000)}))
    assert len(told["faults"]) == 1_000


# --- drawing --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", description_names())
async def test_a_board_is_drawn_from_a_view_s_text_and_from_its_file_alike(house: House, name: str) -> None:
    description = load_ours(name)
    drawn = await house.nobody().post(DRAWING, {"description": write_description(description)})
    assert drawn == await house.nobody().post(DRAWING, {"description": export_games({name: description})})
    shown = picture(description)
    assert drawn["view_box"] == shown.view_box
    assert drawn["turns"] == list(shown.turns)
    assert drawn["colors"] == list(shown.colors)
    assert drawn["paints"] == shown.paints
    assert drawn["width"] == description.board.width
    assert len(drawn["centers"]) == len(drawn["colors"])


async def test_the_text_that_a_view_carries_is_drawn(house: House) -> None:
    host = await house.member()
    body = {"game": "arena", "variant": "crown", "seats": 2, "robots": ["greedy"]}
    table = await host.post("/tables", body, status=201)
    view = (await host.get(f"/tables/{table['id']}/view"))["view"]
    drawn = await house.nobody().post(DRAWING, {"description": view["description"]})
    assert len(drawn["turns"]) == 6


async def test_a_text_in_the_form_of_a_view_is_checked_like_a_file(house: House) -> None:
    kept = json.loads(write_description(load_ours("standard")))
    changes: list[Json] = [
        {"number_arms": 10**9},
        {"arms_width": 0},
        {"circle_rows": [["PINK"]]},
        {"arm_rows": []},
        {"svg": {**kept["board"]["svg"], "lines": [["<script>"] * 4] * 4}},
    ]
    for change in changes:
        text = json.dumps({**kept, "board": {**kept["board"], **change}})
        status, error = await refused(house, DRAWING, {"description": text})
        assert (status, error["code"]) == (400, "faulty_arena")
        assert error["parts"]["count"] == len(error["parts"]["faults"]) > 0
    cards = json.dumps({**kept, "cards": [{**kept["cards"][0], "colors": {}}]})
    assert (await refused(house, DRAWING, {"description": cards}))[1]["code"] == "faulty_arena"


async def test_one_game_is_drawn_at_a_time(house: House) -> None:
    text = json.dumps({"one": SMALL, "two": SMALL})
    status, error = await refused(house, DRAWING, {"description": text})
    assert (status, error["code"], error["parts"]["at"]) == (400, "invalid", "$.description")


async def test_a_board_of_24_000_squares_is_checked_drawn_and_tried_for_a_member(house: House) -> None:
    member = await house.member()
    (game,) = (await member.post(CHECK, {"text": large_text()}))["games"]
    assert game["squares"] == 24_000
    drawn = await member.post(DRAWING, {"description": game["description"]})
    assert (len(drawn["centers"]), len(drawn["turns"]), len(drawn["elements"])) == (24_000, 40, 600)
    card = game["cards"][0]["name"]
    sent = {"description": game["description"], "card": card, "color": game["colors"][0], "x": 399, "y": 59}
    reached = (await member.post(REACH, sent))["squares"]
    assert all(0 <= x < 400 and 0 <= y < 60 for x, y in reached)


# --- reach ----------------------------------------------------------------------------------------------


async def test_a_card_reaches_what_the_spec_says(house: House) -> None:
    description = write_description(load_ours("standard"))
    for card, color, x, y, wanted in (
        ("Queen", "BLUE", 0, 7, [[0, 5], [0, 6], [1, 7], [1, 8]]),
        ("Knight", "RED", 4, 1, [[2, 2], [3, 3], [6, 2]]),
        ("King", "YELLOW", 0, 0, [[1, 0], [30, 0], [31, 0]]),
    ):
        sent = {"description": description, "card": card, "color": color, "x": x, "y": y}
        assert (await house.nobody().post(REACH, sent))["squares"] == wanted


@pytest.mark.parametrize(
    ("change", "at"),
    [
        ({"card": "Jester"}, "$.card"),
        ({"color": "PINK"}, "$.color"),
        ({"color": "ALL"}, "$.color"),
        ({"x": 32}, "$.x"),
        ({"y": 9}, "$.y"),
        ({"x": -1}, "$.x"),
        ({"y": 2**53}, "$"),
        ({"card": "a" * 201}, "$.card"),
    ],
    ids=str,
)
async def test_a_card_or_a_square_that_is_not_there_is_refused(house: House, change: Json, at: str) -> None:
    description = write_description(load_ours("standard"))
    sent = {"description": description, "card": "Queen", "color": "BLUE", "x": 0, "y": 7, **change}
    status, error = await refused(house, REACH, sent)
    assert (status, error["code"]) == (400, "invalid")
    assert error["parts"]["at"] == at


# --- bounds ---------------------------------------------------------------------------------------------


async def test_a_large_text_counts_as_many_questions(tmp_path: Path) -> None:
    settings = WebSettings(limits={**WEB_PLENTY, "web_solver": Bucket(4, 3600)})
    async with open_house(f"sqlite:///{tmp_path / 'house.db'}", settings=settings) as house:
        await checked(house, " " * 60_000)
        status, error = await refused(house, CHECK, {"text": " " * 160_000})
        assert (status, error["code"]) == (429, "too_many")


async def test_no_stranger_has_a_board_of_more_than_5_000_squares_worked_out(house: House) -> None:
    visitor = await house.visitor()
    small, large = wide(1_250), wide(1_251)
    for person in (house.nobody(), visitor):
        assert (await person.post(CHECK, {"text": small}))["faults"] == []
        told = await person.post(CHECK, {"text": large})
        assert [(each["path"], each["found"]) for each in told["faults"]] == [("$.wide.board", "5004")]
        assert told["faults"][0]["expected"]["en"] == (
            "5000 squares at most in all, from who is no member of the house"
        )
        both = {"one": json.loads(small)["wide"], "two": SMALL}
        told = await person.post(CHECK, {"text": json.dumps(both)})
        assert [each["path"] for each in told["faults"]] == ["$.two.board"]
        step = {"card": "Walker", "color": "RED", "x": 0, "y": 0}
        for path, more in ((DRAWING, {}), (REACH, step)):
            await person.post(path, {"description": small, **more})
            answer = await person.ask("POST", path, {"description": large, **more})
            assert answer.json()["error"]["code"] == "faulty_arena"


async def test_a_large_board_that_is_played_here_is_drawn_for_everybody(house: House) -> None:
    rules = ArenaRules("large", load(large_text())["large"])
    house.tables.lay_out([rules])
    drawn = await house.nobody().post(DRAWING, {"description": rules.text})
    assert len(drawn["colors"]) == 24_000


async def test_a_board_counts_by_its_squares(tmp_path: Path) -> None:
    settings = WebSettings(limits={**WEB_PLENTY, "web_solver": Bucket(12, 3600)})
    async with open_house(f"sqlite:///{tmp_path / 'house.db'}", settings=settings) as house:
        step = {"card": "Walker", "color": "RED", "x": 0, "y": 0}
        await house.nobody().post(REACH, {"description": wide(1_250), **step})
        await house.nobody().post(REACH, {"description": wide(1_250), **step})
        status, error = await refused(house, REACH, {"description": wide(1_249), **step})
        assert (status, error["code"]) == (429, "too_many")


def wide(arms: int) -> str:
    """A short text of a wide board: two rows of two columns an arm."""
    walker = {"name": "Walker", "number_of_movements": 1_000_000, "movements_type": ["line", "knight"]}
    described = {
        "colors": ["RED"],
        "board": {
            "number_arms": arms,
            "arms_width": 2,
            "arms_length": 1,
            "inner_circle_colors": ["RED"],
            "arms_colors": ["RED"],
        },
        "movements_cards": {"number_cards_per_color": 5, "cards": [walker]},
        "trumps": [],
    }
    return json.dumps({"wide": described})


async def test_a_board_that_was_drawn_already_costs_nothing(tmp_path: Path) -> None:
    settings = WebSettings(limits={**WEB_PLENTY, "web_solver": Bucket(1, 3600)})
    async with open_house(f"sqlite:///{tmp_path / 'house.db'}", settings=settings) as house:
        sent = {"description": json.dumps({"drawn once": SMALL})}
        first = await house.nobody().post(DRAWING, sent)
        assert first == await house.nobody().post(DRAWING, sent)
        assert (await refused(house, CHECK, {"text": "{}"}))[0] == 429
