"""Reading descriptions: both spellings, defaults, and everything that can be wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rules.arena.spoiling import GONE, OLD, SMALL, paths, spoiled

from tablee.rules import arena
from tablee.rules.arena.description import (
    Fill,
    ModifyNumberMoves,
    RemoveColor,
    RemoveEffects,
)
from tablee.rules.arena.drawing import draw
from tablee.rules.arena.faults import MOST_FAULTS, Fault, Faults, fault_words
from tablee.rules.arena.loading import MOST_TEXT, description_names, load, load_ours


def faults_of(source: str | dict[str, Any], stem: str = "mine") -> list[Fault]:
    """What is wrong with a file."""
    with pytest.raises(Faults) as refused:
        load(source, stem)
    return refused.value.faults


def test_both_spellings_say_the_same() -> None:
    assert load(SMALL, "mine") == load(OLD, "mine")


def test_everything_that_a_description_says_is_read() -> None:
    game = load(SMALL, "mine")["mine"]
    assert (game.number_players, game.colors) == (2, ("RED", "DARK_BLUE"))
    plan = game.board
    assert (plan.number_arms, plan.arms_width, plan.arms_length, plan.width, plan.rows) == (2, 2, 1, 4, 3)
    assert plan.circle_rows == (("RED", "DARK_BLUE"),)
    assert plan.arm_rows == (("RED", "RED", "DARK_BLUE", "DARK_BLUE"), ("DARK_BLUE",))
    assert plan.svg is not None
    assert (plan.svg.rotation_center, plan.svg.fill_origin) == ((50, 50), (40, 80.5))
    assert plan.svg.fill == Fill(width=10, height=12)
    assert plan.svg.lines == (("M 1 2 L 3 4",) * 2,) * 2
    pawn, jester = game.cards
    assert (pawn.name, pawn.steps, pawn.types, pawn.special_actions) == ("Pawn", 1, ("line",), ())
    assert pawn.colors == {"RED": ("RED",), "DARK_BLUE": ("DARK_BLUE",)}
    assert jester.colors == dict.fromkeys(game.colors, game.colors)
    assert (jester.types, jester.special_actions) == (("diagonal", "knight"), ("assassination",))


def test_a_repeated_trump_is_one_for_each_colour_with_the_listed_ones_too() -> None:
    red, blue, wind, ram = load(SMALL, "mine")["mine"].trumps
    assert (red.name, red.base, blue.name) == ("Tower Red", "Tower", "Tower Dark blue")
    assert red.effect == RemoveColor(colors=("RED",))
    assert blue.effect == RemoveColor(colors=("RED", "DARK_BLUE"))
    assert (red.cost, red.duration, red.weight, red.must_target_player) == (4, 2, 3, True)
    assert (wind.effect, wind.duration, wind.weight) == (ModifyNumberMoves(delta_moves=1), 1, 1)
    assert (wind.must_target_player, wind.base) == (False, "Wind")
    assert ram.effect == RemoveEffects(effects=("Tower",))


def test_a_trump_that_is_not_repeated_takes_the_listed_colours_only() -> None:
    made = spoiled(("trumps.0.repeat_for_each_color", False))
    first = load(made, "mine")["mine"].trumps[0]
    assert (first.name, first.effect) == ("Tower", RemoveColor(colors=("RED",)))


def test_what_may_be_left_out_has_its_default() -> None:
    made = spoiled(("number_players", GONE), ("board.svg", GONE))
    game = load(made, "mine")["mine"]
    assert (game.number_players, game.board.svg) == (2, None)


def test_a_file_maps_names_to_descriptions_and_one_without_a_name_has_its_stem() -> None:
    assert list(load({"one": SMALL, "two": OLD})) == ["one", "two"]
    assert list(load(json.dumps(SMALL), "mine")) == ["mine"]
    assert list(load("\ufeff" + json.dumps({"one": SMALL}), "mine")) == ["one"]


def test_all_is_ignored_among_the_colours_and_means_every_one_elsewhere() -> None:
    game = load(spoiled(("colors", ["RED", "ALL", "DARK_BLUE"])), "mine")["mine"]
    assert game.colors == ("RED", "DARK_BLUE")
    made = spoiled(("movements_cards.cards.0.complementary_colors", {"RED": "ALL"}))
    assert load(made, "mine")["mine"].cards[0].colors == {
        "RED": ("RED", "DARK_BLUE"),
        "DARK_BLUE": ("DARK_BLUE",),
    }
    whole = spoiled(("trumps.0.parameters.colors", ["ALL"]), ("trumps.0.repeat_for_each_color", False))
    assert load(whole, "mine")["mine"].trumps[0].effect == RemoveColor(colors=("RED", "DARK_BLUE"))


@pytest.mark.parametrize("key", ["additionnalColors", "additional_colors", "colors"])
def test_the_colours_of_an_effect_have_three_spellings(key: str) -> None:
    made = spoiled(("trumps.0.parameters", {"type": "RemovingColorTrump", key: "RED"}))
    assert load(made, "mine") == load(SMALL, "mine")


ONE_FAULT: list[tuple[list[tuple[str, object]], str, str | None, str]] = [
    # The board.
    ([("board.number_arms", 1)], "$.board.number_arms", "1", "least"),
    ([("board.number_arms", True)], "$.board.number_arms", "true", "integer"),
    ([("board.number_arms", "2")], "$.board.number_arms", '"2"', "integer"),
    ([("board.number_arms", 2.0)], "$.board.number_arms", "2.0", "integer"),
    ([("board.arms_width", None)], "$.board.arms_width", "null", "integer"),
    ([("board.arms_width", GONE)], "$.board.arms_width", "", "missing"),
    ([("board.arms_length", -1)], "$.board.arms_length", "-1", "least"),
    ([("board.arms_length", 3)], "$.board.arms_length", "3", "most"),
    ([("board.arms_colors", []), ("board.svg", GONE)], "$.board.arms_colors", "[]", "filled"),
    ([("board.arms_colors.1", "RED,RED,RED")], "$.board.arms_colors[1]", '"RED,RED,RED"', "divides"),
    ([("board.arms_colors.1", ["RED"] * 8)], "$.board.arms_colors[1]", None, "divides"),
    ([("board.arms_colors.1", [])], "$.board.arms_colors[1]", "[]", "a_color"),
    ([("board.arms_colors.1", "")], "$.board.arms_colors[1]", '""', "a_color"),
    ([("board.arms_colors.1", "ALL")], "$.board.arms_colors[1]", '"ALL"', "color"),
    ([("board.arms_colors.1", ["RED", "GREEN"])], "$.board.arms_colors[1][1]", '"GREEN"', "color"),
    ([("board.arms_colors.1", ["RED", 3])], "$.board.arms_colors[1][1]", "3", "color"),
    ([("board.arms_colors.1", 7)], "$.board.arms_colors[1]", "7", "color_list"),
    ([("board.inner_circle_colors", "RED")], "$.board.inner_circle_colors", '"RED"', "list"),
    ([("board.circle_colors", ["RED"])], "$.board.circle_colors", '["RED"]', "one_spelling"),
    ([("board", 3)], "$.board", "3", "object"),
    ([("board.number_arms", 500_000)], "$.board", "3000000", "squares"),
    # The drawing.
    ([("board.svg", None)], "$.board.svg", "null", "object"),
    ([("board.svg.rotation_center", "50;50")], "$.board.svg.rotation_center", '"50;50"', "point"),
    ([("board.svg.rotation_center", [1, 2, 3])], "$.board.svg.rotation_center", "[1, 2, 3]", "point"),
    ([("board.svg.rotation_center", [1, True])], "$.board.svg.rotation_center", "[1, true]", "point"),
    ([("board.svg.rotation_center", ["1", "2"])], "$.board.svg.rotation_center", '["1", "2"]', "point"),
    ([("board.svg.rotation_center", "1,1e999")], "$.board.svg.rotation_center", '"1,1e999"', "point"),
    ([("board.svg.fill.width", 0)], "$.board.svg.fill.width", "0", "length"),
    ([("board.svg.fill.width", "wide")], "$.board.svg.fill.width", '"wide"', "length"),
    ([("board.svg.fill.tag", "script")], "$.board.svg.fill.tag", '"script"', "tag"),
    ([("board.svg.lines.0", [])], "$.board.svg.lines[0]", "0", "cells"),
    ([("board.svg.lines", [])], "$.board.svg.lines", "0", "rows"),
    ([("board.svg.lines.1.1", {"tag": "path"})], "$.board.svg.lines[1][1].d", "", "missing"),
    (
        [("board.svg.lines.1.1", {"tag": "path", "d": 'M0 0"/><script>'})],
        "$.board.svg.lines[1][1].d",
        '"M0 0\\"/><script>"',
        "path_data",
    ),
    (
        [("board.svg.lines.1.1", {"tag": "script", "d": "M0 0"})],
        "$.board.svg.lines[1][1].tag",
        '"script"',
        "tag",
    ),
    # Players and colours.
    ([("number_players", 3)], "$.number_players", "3", "most"),
    ([("number_players", 1)], "$.number_players", "1", "least"),
    ([("colors.2", "RED")], "$.colors[2]", '"RED"', "unique"),
    ([("colors.2", "green")], "$.colors[2]", '"green"', "color_name"),
    ([("colors.2", "A,B")], "$.colors[2]", '"A,B"', "color_name"),
    ([("colors.2", 5)], "$.colors[2]", "5", "color_name"),
    # Cards.
    (
        [("movements_cards.number_cards_per_color", 0)],
        "$.movements_cards.number_cards_per_color",
        "0",
        "least",
    ),
    ([("movements_cards.number_cards_per_color", 1)], "$.movements_cards", "4", "deck"),
    ([("movements_cards.number_cards_per_color", 9_999)], "$.movements_cards", "39996", "deck_most"),
    ([("movements_cards.cards.0.name", "Jester")], "$.movements_cards.cards[1].name", '"Jester"', "unique"),
    ([("movements_cards.cards.0.name", "")], "$.movements_cards.cards[0].name", '""', "name"),
    ([("movements_cards.cards.0.name", "a\u0007")], "$.movements_cards.cards[0].name", '"a\\u0007"', "name"),
    (
        [("movements_cards.cards.0.number_of_movements", 0)],
        "$.movements_cards.cards[0].number_of_movements",
        "0",
        "least",
    ),
    (
        [("movements_cards.cards.0.movements_type", [])],
        "$.movements_cards.cards[0].movements_type",
        "[]",
        "filled",
    ),
    (
        [("movements_cards.cards.0.movements_type", ["hop"])],
        "$.movements_cards.cards[0].movements_type[0]",
        '"hop"',
        "choice",
    ),
    (
        [("movements_cards.cards.0.special_actions", ["murder"])],
        "$.movements_cards.cards[0].special_actions[0]",
        '"murder"',
        "choice",
    ),
    (
        [("movements_cards.cards.1.complementary_colors", {"PINK": ["RED"]})],
        "$.movements_cards.cards[1].complementary_colors.PINK",
        '"PINK"',
        "color_or_all",
    ),
    (
        [("movements_cards.cards.1.complementary_colors", {"RED": ["PINK"]})],
        "$.movements_cards.cards[1].complementary_colors.RED[0]",
        '"PINK"',
        "color_or_all",
    ),
    (
        [("movements_cards.cards.0.description", 3)],
        "$.movements_cards.cards[0].description",
        "3",
        "text",
    ),
    # Trumps.
    ([("trumps", {})], "$.trumps", "{}", "list"),
    ([("trumps.1.name", "Ram")], "$.trumps[2].name", '"Ram"', "unique"),
    ([("trumps.1.name", "Tower Red")], "$.trumps[0].name", '"Tower"', "unique"),
    ([("trumps.1", SMALL["trumps"][0])], "$.trumps[1].name", '"Tower"', "unique"),
    ([("trumps.1.cost", -1)], "$.trumps[1].cost", "-1", "least"),
    ([("trumps.1.cost", GONE)], "$.trumps[1].cost", "", "missing"),
    ([("trumps.1.duration", 0)], "$.trumps[1].duration", "0", "least"),
    ([("trumps.1.weight", 0)], "$.trumps[1].weight", "0", "least"),
    ([("trumps.1.description", 3)], "$.trumps[1].description", "3", "text"),
    ([("trumps.1.description", "\ud800")], "$.trumps[1].description", '"\\ud800"', "text"),
    ([("trumps.1.must_target_player", 1)], "$.trumps[1].must_target_player", "1", "boolean"),
    ([("trumps.1.parameters", GONE)], "$.trumps[1].parameters", "", "missing"),
    ([("trumps.1.type", {"type": "Ram"})], "$.trumps[1].type", '{"type": "Ram"}', "one_spelling"),
    (
        [("trumps.1.parameters", "ModifyNumberMoves")],
        "$.trumps[1].parameters",
        '"ModifyNumberMoves"',
        "object",
    ),
    ([("trumps.1.parameters.type", "Freeze")], "$.trumps[1].parameters.type", '"Freeze"', "effect"),
    ([("trumps.1.parameters.type", GONE)], "$.trumps[1].parameters", "", "effect"),
    ([("trumps.1.parameters.delta_moves", 0.5)], "$.trumps[1].parameters.delta_moves", "0.5", "integer"),
    (
        [("trumps.1.parameters.delta_of_moves", 1)],
        "$.trumps[1].parameters.delta_of_moves",
        "1",
        "one_spelling",
    ),
    ([("trumps.2.parameters.effects", [])], "$.trumps[2].parameters.effects", "[]", "filled"),
    (
        [("trumps.2.parameters.effects", ["Tower Red"])],
        "$.trumps[2].parameters.effects[0]",
        '"Tower Red"',
        "trump",
    ),
    (
        [("trumps.0.repeat_for_each_color", False), ("trumps.0.parameters.colors", [])],
        "$.trumps[0].parameters.colors",
        "[]",
        "removed",
    ),
]


@pytest.mark.parametrize(
    ("changes", "path", "found", "wanted"),
    ONE_FAULT,
    ids=[f"{path}-{wanted}" for _, path, _, wanted in ONE_FAULT],
)
def test_a_fault_is_told_with_its_path_what_was_found_and_what_was_expected(
    changes: list[tuple[str, object]], path: str, found: str | None, wanted: str
) -> None:
    faults = faults_of(spoiled(*changes))
    assert [(fault.path, fault.wanted) for fault in faults] == [(path, wanted)]
    if found is not None:
        assert faults[0].found == found
    assert faults[0].expected in str(Faults(faults))


def test_two_colours_that_give_a_repeated_trump_one_name_are_refused() -> None:
    made = spoiled(
        ("colors", ["RED", "DARK_BLUE", "DARK BLUE"]), ("movements_cards.cards.1.complementary_colors", {})
    )
    assert [fault.path for fault in faults_of(made)] == ["$.trumps[0].name"]


def test_every_fault_is_told_at_once() -> None:
    made = spoiled(
        ("colors", "RED,DARK_BLUE,red"),
        ("board.arms_width", 0),
        ("board.svg.fill.width", "x"),
        ("movements_cards.cards.0.name", 3),
        ("movements_cards.cards.1.movements_type", ["line", "hop"]),
        ("trumps.1.cost", "free"),
        ("trumps.2.parameters.effects", ["Tower", "Tour"]),
        ("number_players", 0),
    )
    assert {fault.path for fault in faults_of({"mine": made, "other": 3})} == {
        "$.mine.colors",
        "$.mine.board.arms_width",
        "$.mine.board.svg.fill.width",
        "$.mine.movements_cards.cards[0].name",
        "$.mine.movements_cards.cards[1].movements_type[1]",
        "$.mine.trumps[1].cost",
        "$.mine.trumps[2].parameters.effects[1]",
        "$.mine.number_players",
        "$.other",
    }


def test_a_fault_of_the_colours_is_not_told_again_wherever_they_are_used() -> None:
    assert [fault.path for fault in faults_of(spoiled(("colors", 7)))] == ["$.colors"]


def test_a_name_that_is_no_identifier_is_quoted_in_the_path() -> None:
    assert faults_of({'mon "jeu"': 3})[0].path == '$["mon \\"jeu\\""]'


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", "json"),
        ("{", "json"),
        ('{"a": 1,}', "json"),
        ("[]", "object"),
        ("3", "object"),
        ("{}", "games"),
        ('{"": {}}', "name"),
        ("[" * 100_000, "depth"),
        ("1" * 5_000, "object"),
        (" " * (MOST_TEXT + 1), "size"),
    ],
)
def test_a_text_that_is_no_file_of_games_is_refused(text: str, wanted: str) -> None:
    assert faults_of(text)[0].wanted == wanted


def test_where_the_json_breaks_off_is_said() -> None:
    fault = faults_of('{\n  "board": tru\n}')[0]
    assert (fault.values["line"], fault.values["column"]) == (2, 12)
    assert "line 2, column 12" in fault.said("en")
    assert "ligne 2, colonne 12" in fault.said("fr")


def test_a_key_that_comes_twice_is_refused_however_deep() -> None:
    text = json.dumps(SMALL).replace('"number_arms": 2', '"number_arms": 3, "number_arms": 2')
    assert [(fault.path, fault.wanted) for fault in faults_of(text)] == [("$.board.number_arms", "once")]
    text = json.dumps(SMALL).replace('{"RED": ["DARK_BLUE"]}', '{"RED": [], "RED": []}')
    assert [fault.wanted for fault in faults_of(text)] == ["once"]


def test_a_number_beyond_all_measure_is_refused_and_not_waited_for() -> None:
    text = json.dumps(SMALL).replace('"cost": 4', f'"cost": {"9" * 5_000}')
    assert [fault.path for fault in faults_of(text)] == ["$.trumps[0].cost"]
    for constant in ("NaN", "Infinity", "-Infinity"):
        text = json.dumps(SMALL).replace('"cost": 4', f'"cost": {constant}')
        assert [fault.wanted for fault in faults_of(text)] == ["integer"]


def test_a_stem_that_cannot_be_a_name_is_refused() -> None:
    assert faults_of(SMALL, "x" * 61)[0].wanted == "name"


HOSTILE: dict[str, list[tuple[str, object]]] = {
    "a hundred thousand faults": [("trumps", [0] * 100_000)],
    "a list of a million": [("trumps", [0] * 1_000_000)],
    "a row of a million": [("board.arms_colors.0", "RED," * 1_000_000)],
    "half a million colours": [("colors", [f"C{number}" for number in range(500_000)])],
    "many cards of many colours": [
        ("colors", [f"C{number}" for number in range(256)]),
        ("movements_cards.cards", [SMALL["movements_cards"]["cards"][0]] * 40_000),
    ],
    "many trumps repeated": [("trumps", [SMALL["trumps"][0]] * 20_000)],
    "a number of a million digits": [("board.svg.fill.width", "1" * 1_000_000 + "x")],
    "a path of a million commands": [("board.svg.lines.0.0.d", "M0 0" + "h1" * 1_000_000)],
    "more arms than there are": [("board.number_arms", 1_000_000), ("board.arms_width", 1_000_000)],
    "effects by the million": [("trumps.2.parameters.effects", ["Tower"] * 1_000_000 + ["Tour"])],
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_description_is_refused_before_it_costs_much(name: str) -> None:
    assert 1 <= len(faults_of(spoiled(*HOSTILE[name]))) <= MOST_FAULTS


def test_every_fault_has_its_sentence_in_both_languages() -> None:
    for changes, *_ in ONE_FAULT:
        for fault in faults_of(spoiled(*changes)):
            for language in ("fr", "en"):
                assert fault.path in fault.said(language)
                assert "{" not in fault.wanted_in(language)


def test_no_sentence_is_there_that_no_fault_uses() -> None:
    code = "".join(file.read_text() for file in Path(arena.__file__).parent.glob("*.py"))
    assert [key for key in fault_words()["en"] if f'"{key}"' not in code] == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["RED", "ALL"]),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(), inside, max_size=4),
    max_leaves=8,
)


@given(JSON)
def test_any_json_at_all_is_read_or_refused(value: Any) -> None:
    faults = faults_of(json.dumps(value))
    assert all(fault.said(language) for fault in faults for language in ("fr", "en"))
    assert str(Faults(faults)).encode()


@given(
    st.sampled_from([SMALL, OLD]).flatmap(lambda of: st.tuples(st.just(of), st.sampled_from(paths(of)))), JSON
)
def test_any_json_at_any_place_is_read_or_refused_and_what_is_read_is_drawn(
    where: tuple[dict[str, Any], str], value: Any
) -> None:
    made = spoiled((where[1], value), of=where[0])
    try:
        told = draw(load(json.dumps(made), "mine")["mine"], "mine")
    except Faults as error:
        told = str(error)
    assert told.encode()


def test_our_descriptions_load_and_differ_in_all_that_may_differ() -> None:
    assert description_names() == ("standard", "crossroads", "crown")
    games = [load_ours(name) for name in description_names()]
    assert [(g.board.number_arms, g.board.arms_width) for g in games] == [(8, 4), (4, 3), (6, 5)]
    for part in ("colors", "cards", "trumps"):
        assert len({str(getattr(game, part)) for game in games}) == 3


def test_a_description_that_is_not_ours_is_not_found() -> None:
    with pytest.raises(KeyError):
        load_ours("../standard")
