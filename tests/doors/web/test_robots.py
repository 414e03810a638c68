"""Boards of robots over the web, for anybody: shown, checked, driven on, and a cartouche suggested."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.kit.web import WEB_PLENTY, House, open_house
from tests.rules.robots.plain import board

from tablee.club.limits import Bucket
from tablee.doors.web import WebSettings
from tablee.rules.robots.boards import shipped_boards
from tablee.rules.robots.checking import check_board

Json = Any
AHEAD = ["Move_Ahead"]


def robot(x: int, y: int, azimuth: str = "North", **fields: Json) -> Json:
    return {"x": x, "y": y, "azimuth": azimuth, **fields}


async def refused(house: House, asked: str, sent: Json) -> tuple[int, Json]:
    response = await house.nobody().ask("POST", f"/robots/{asked}", sent)
    return response.status_code, response.json()["error"]


async def test_the_boards_of_the_house_come_with_their_names_and_figures(house: House) -> None:
    boards = (await house.nobody().get("/robots/boards"))["boards"]
    assert [each["name"] for each in boards] == list(shipped_boards())
    for each in boards:
        assert check_board(each["document"]) == []
        assert 30 <= each["figures"]["way"] == sum(each["figures"]["legs"]) <= 60
        assert len(each["starts"]) == each["figures"]["starts"] >= 16
        assert each["title"]["fr"] != each["title"]["en"]
    assert len([each for each in boards if each["set"] == "usine-entrepot"]) == 2


# --- checking -------------------------------------------------------------------------------------------


async def test_a_good_board_has_figures_starts_and_perhaps_advice(house: House) -> None:
    told = await house.nobody().post("/robots/check", {"board": board()})
    assert told["errors"] == []
    assert told["figures"]["legs"][1:] == [11, 22]
    assert len(told["starts"]) >= 16
    assert [each["code"] for each in told["advice"]] == ["repairs"]


async def test_all_errors_of_a_board_come_at_once_in_both_languages(house: House) -> None:
    told = await house.nobody().post("/robots/check", {"board": board(("presse", 3, 3), ("mur_N", 13, 1))})
    assert [(each["code"], each["x"], each["y"]) for each in told["errors"]] == [
        ("press", 3, 3),
        ("outside", 13, 1),
    ]
    assert told["errors"][0]["fr"] != told["errors"][0]["en"]
    assert (told["figures"], told["starts"], told["advice"]) == (None, [], [])


async def test_a_board_is_checked_together_with_the_others_of_its_game(house: House) -> None:
    sent = {"board": board(("action", 5, 5)), "others": [board(("action", 5, 5))]}
    told = await house.nobody().post("/robots/check", sent)
    assert [(each["code"], each["board"]) for each in told["errors"]] == [("action_shared", 1)]


@pytest.mark.parametrize(
    "value", [None, 3, [], "plateau", {"boardActiveTiles": [[]]}, {"boardWidth": 10**15}]
)
async def test_whatever_is_no_board_is_an_error_and_not_a_refusal(house: House, value: Json) -> None:
    told = await house.nobody().post("/robots/check", {"board": value})
    assert {each["code"] for each in told["errors"]} == {"form"}


async def test_more_boards_than_a_game_has_are_refused(house: House) -> None:
    assert (await refused(house, "check", {"board": board(), "others": [board()] * 4}))[0] == 400


# --- driving --------------------------------------------------------------------------------------------


async def test_a_round_is_played_on_a_board_that_is_not_finished(house: House) -> None:
    belt = {"boardActiveTiles": [{"tileType": "conv_eOsE", "tileLocX": 5, "tileLocY": 4}]}
    sent = {"boards": [belt], "robots": {"1": robot(5, 5)}, "cartouches": {"1": [AHEAD]}}
    told = await house.nobody().post("/robots/drive", sent)
    assert len(told["registers"]) == 5
    assert [(step["stage"], step["code"], step["x"], step["y"]) for step in told["registers"][0]] == [
        ("robots", "Move_Ahead", 5, 4),
        ("conveyors", "Conveyor_MakeMoveRight", 6, 4),
    ]
    assert told["registers"][1:] == [[], [], [], []]
    assert told["robots"]["1"] == {
        **robot(6, 4, energy=7, laws=0, status="racing"),
        "start": robot(5, 5),
    }
    assert told["swap"] is None


async def test_others_stand_where_they_are_and_are_pushed(house: House) -> None:
    sent = {
        "boards": [board()],
        "robots": {"3": robot(5, 5), "7": robot(5, 4, "South")},
        "cartouches": {"3": [AHEAD, AHEAD]},
        "round": 12,
    }
    told = await house.nobody().post("/robots/drive", sent)
    assert [told["robots"][seat]["y"] for seat in ("3", "7")] == [3, 2]


async def test_a_robot_that_freezes_is_back_after_the_next_round(house: House) -> None:
    laser = {"boardActiveTiles": [{"tileType": "murLaser_NS", "tileLocX": 5, "tileLocY": 1}]}
    sent: Json = {"boards": [laser], "robots": {"1": robot(5, 5, energy=2, start=robot(1, 1))}}
    for status, energy, place in (("frozen", 0, (1, 1)), ("racing", 4, (1, 1))):
        told = (await house.nobody().post("/robots/drive", sent))["robots"]["1"]
        assert (told["status"], told["energy"], (told["x"], told["y"])) == (status, energy, place)
        sent = {**sent, "robots": {"1": told}, "round": sent.get("round", 1) + 1}


async def test_an_action_tile_swaps_the_boards_of_a_drive(house: House) -> None:
    sent = {"boards": [board(("action", 4, 4)), board()], "robots": {"1": robot(4, 4)}}
    assert (await house.nobody().post("/robots/drive", sent))["swap"] == [0, 1]


@pytest.mark.parametrize(
    ("change", "at"),
    [
        ({"boards": []}, "$.boards"),
        ({"boards": [{}] * 5}, "$.boards"),
        ({"board": 1}, "$.board"),
        ({"robots": {}}, "$.robots"),
        ({"robots": {"9": robot(1, 1)}}, "$.robots"),
        ({"robots": {"01": robot(1, 1)}}, "$.robots"),
        ({"robots": {"1": robot(1, 1), "2": robot(1, 1)}}, "$.robots"),
        ({"robots": {"1": robot(0, 1)}}, "$.robots"),
        ({"robots": {"1": robot(1, 1, "Nord")}}, "$.robots"),
        ({"robots": {"1": robot(1, 1, energy=8)}}, "$.robots"),
        ({"cartouches": {"2": []}}, "$.cartouches"),
        ({"cartouches": {"1": [AHEAD] * 6}}, "$.cartouches"),
        ({"cartouches": {"1": [None]}}, "$.cartouches"),
        ({"round": 0}, "$.round"),
        (
            {"boards": [{"boardActiveTiles": [{"tileType": "rien", "tileLocX": 1, "tileLocY": 1}]}]},
            "$.boards[0]",
        ),
        ({"boards": [{"boardWidth": 13}]}, "$.boards"),
    ],
)
async def test_a_drive_of_the_wrong_form_is_refused(house: House, change: Json, at: str) -> None:
    status, error = await refused(house, "drive", {"boards": [{}], "robots": {"1": robot(1, 1)}, **change})
    assert (status, error["code"]) == (400, "invalid")
    assert error["parts"]["at"].startswith(at)


async def test_a_cartouche_that_breaks_a_rule_is_refused_in_the_words_of_the_game(house: House) -> None:
    sent = {"boards": [{}], "robots": {"1": robot(5, 5, energy=1)}, "cartouches": {"1": [AHEAD] * 4}}
    status, error = await refused(house, "drive", sent)
    assert (status, error["code"], error["parts"]["reason"]) == (409, "illegal", "over_capacity")


# --- suggesting -----------------------------------------------------------------------------------------


async def test_a_suggested_cartouche_leads_nearer_to_the_law(house: House) -> None:
    ground, who = board(), robot(12, 4, "West")
    told = await house.nobody().post("/robots/suggest", {"boards": [ground], "robot": who})
    sent = {"boards": [ground], "robots": {"1": who}, "cartouches": {"1": told["cartouche"]}}
    assert (await house.nobody().post("/robots/drive", sent))["robots"]["1"]["laws"] == 1


async def test_others_in_the_way_are_thought_of(house: House) -> None:
    ground = board(("mur_E", 11, 2), ("mur_O", 11, 1))
    sent = {"boards": [ground], "robot": robot(12, 3), "others": [robot(12, 1), robot(12, 2)]}
    told = await house.nobody().post("/robots/suggest", sent)
    assert told["cartouche"][0] != AHEAD


@pytest.mark.parametrize(
    ("ground", "who"),
    [
        ({}, robot(5, 5)),
        (board(("mur_E", 11, 1), ("mur_N", 12, 2)), robot(5, 5)),
        (board(), robot(5, 5, laws=3)),
        (board(), robot(5, 5, energy=0)),
    ],
)
async def test_where_there_is_no_way_nothing_is_suggested(house: House, ground: Json, who: Json) -> None:
    told = await house.nobody().post("/robots/suggest", {"boards": [ground], "robot": who})
    assert told["cartouche"] == [[], [], [], [], []]


async def test_one_address_cannot_keep_the_house_busy_with_boards(tmp_path: Path) -> None:
    settings = WebSettings(limits={**WEB_PLENTY, "web_solver": Bucket(3, 60)})
    async with open_house(f"sqlite:///{tmp_path / 'tablee.sqlite'}", settings=settings) as house:
        for _ in range(3):
            await house.nobody().post("/robots/check", {"board": board()})
        status, error = await refused(house, "drive", {"boards": [{}], "robots": {"1": robot(1, 1)}})
        assert (status, error["code"]) == (429, "too_many")
        await house.nobody().get("/robots/boards")
