"""Files in the spellings of every year since the game was first published: they load, and are played."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from msgspec.structs import replace
from tests.rules.arena.arenas import Arena
from tests.rules.arena.spoiling import SMALL, spoiled

from tablee.rules.arena import ArenaOptions, ArenaRules
from tablee.rules.arena.description import Description, ModifyTrumpDurations
from tablee.rules.arena.exporting import export
from tablee.rules.arena.faults import Faults
from tablee.rules.arena.loading import load, read
from tablee.rules.arena.match import play_match
from tablee.rules.arena.schema import schema
from tablee.rules.arena.spelling import BOARD, CARD, CARDS, EFFECTS, GAME, SVG, TRUMP

FOLDER = Path(__file__).parent / "published"
FILES = sorted(FOLDER.glob("*.json"))
VALIDATOR = jsonschema_rs.Draft202012Validator(schema())


def text_of(name: str) -> str:
    return (FOLDER / f"{name}.json").read_text(encoding="utf-8")


def game_of(name: str) -> Description:
    return next(iter(load(text_of(name), "duel").values()))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_file_of_any_year_loads_is_valid_under_the_schema_and_is_played_to_its_end(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    (game,) = load(text, "duel").values()
    assert VALIDATOR.is_valid(json.loads(text))
    assert load({"again": export(game)}) == {"again": game}
    rules = ArenaRules("duel", game)
    robots = [rules.robots["strong"], rules.robots["greedy"]]
    match = play_match(rules, robots, 1, ArenaOptions(), lambda: 0.0)
    assert match.ranks
    assert match.broken == []


def test_the_years_differ_in_spelling_and_not_in_the_game() -> None:
    first, half, heroes = map(game_of, ("first-engine", "half-way", "with-heroes"))
    assert first == half
    assert [card.description for card in heroes.cards] == [
        "Two squares, straight or slantwise.",
        "One square, of any colour.",
        "Two squares slantwise.",
    ]
    silent = tuple(replace(card, description="") for card in heroes.cards)
    assert replace(heroes, cards=silent) == replace(first, board=replace(first.board, svg=None))


def test_what_we_do_not_play_is_warned_of_with_its_path() -> None:
    assert read(text_of("first-engine")).warnings == []
    action = "$.movements_cards.cards[0].special_actions[0]"
    assert [warning.path for warning in read(text_of("with-heroes")).warnings] == [
        "$.number_trumps_per_player",
        "$.powers",
        "$.movements_cards.cards[0].cost",
        *(
            f"{action}.{key}"
            for key in (
                "cost",
                "description",
                "duration",
                "repeat_for_each_color",
                "must_target_player",
                "parameters",
            )
        ),
        "$.movements_cards.cards[1].cost",
        "$.movements_cards.cards[2].cost",
        "$.trumps[2].parameters.temporary",
    ]


def test_a_file_from_before_there_were_trumps_is_played_without() -> None:
    first, before = game_of("first-engine"), game_of("before-trumps")
    assert before == replace(first, trumps=())
    (warning,) = read(text_of("before-trumps")).warnings
    assert warning.path == "$.duel.trumps"
    assert warning.warned("en") == "$.duel.trumps: done without; expected here is the key trumps."
    assert warning.warned("fr").startswith("$.duel.trumps\u00a0: absent, on s’en passe\u00a0;")


def test_a_board_drawn_square_by_square_is_told_what_a_game_has() -> None:
    squares = [
        {"id": None, "is-arrival": False, "is-departure": False, "type": "forest", "x": 0, "y": y}
        for y in range(32)
    ]
    with pytest.raises(Faults) as refused:
        load({"squares": squares}, "standard")
    (fault,) = refused.value.faults
    assert (fault.path, fault.wanted) == ("$.squares", "no_squares")
    # A whole game on such a board is told that once, not what its board lacks of ours, key by key.
    with pytest.raises(Faults) as refused:
        load(spoiled(("board", {"squares": squares})), "test")
    (fault,) = refused.value.faults
    assert (fault.path, fault.wanted) == ("$.board.squares", "arms")
    assert "des cases de terrain" in fault.said("fr")
    # Beside a board that can be played it is left aside like whatever else we do not know.
    (warning,) = read(spoiled(("board.squares", squares)), "mine").warnings
    assert warning.path == "$.board.squares"


def test_a_warning_says_what_is_left_aside_and_what_might_have_been_meant() -> None:
    (warning,) = read(spoiled(("board.arm_width", 3)), "mine").warnings
    assert warning.warned("fr") == (
        "$.board.arm_width\u00a0: laissé de côté\u00a0; on attendait ici une de ces clés\u00a0: "
        "number_arms, arms_width, arms_length, inner_circle_colors, arms_colors, svg."
    )
    assert warning.warned("en").startswith(
        "$.board.arm_width: left aside; expected here is one of these keys:"
    )


def test_a_file_with_faults_tells_its_warnings_beside_them() -> None:
    with pytest.raises(Faults) as refused:
        read(spoiled(("heroes", True), ("trumps.1.cost", -1)), "mine")
    assert [fault.path for fault in refused.value.faults] == ["$.trumps[1].cost"]
    assert [warning.path for warning in refused.value.warnings] == ["$.heroes"]


def test_a_file_of_unknown_keys_without_end_fills_no_memory() -> None:
    made = {**SMALL, **{f"key {number}": number for number in range(5_000)}}
    assert len(read(made, "mine").warnings) == 1_000


def test_every_key_may_be_in_camel_case() -> None:
    for form in (GAME, BOARD, SVG, CARDS, CARD, TRUMP, *EFFECTS.values()):
        for key in form.keys:
            first, *others = key.split("_")
            assert first + "".join(map(str.capitalize, others)) in form.spellings(key)
    assert load(_in_camel_case(SMALL), "mine") == load(SMALL, "mine")
    assert VALIDATOR.is_valid(_in_camel_case(SMALL))


def _in_camel_case(value: Any) -> Any:
    if isinstance(value, list):
        return [_in_camel_case(each) for each in value]
    if not isinstance(value, dict):
        return value
    keep = {"RED", "DARK_BLUE"}
    return {
        key if key in keep else key.title().replace("_", "")[:1].lower() + key.title().replace("_", "")[1:]:
        _in_camel_case(each)
        for key, each in value.items()
    }  # fmt: skip


@pytest.mark.parametrize(
    ("value", "path", "wanted"),
    [
        ([{}], "[0].name", "missing"),
        ([{"name": 3}], "[0].name", "choice"),
        ([{"name": "Murder"}], "[0].name", "choice"),
        (["Murder"], "[0]", "choice"),
        ([3], "[0]", "choice"),
        ("assassination", "", "list"),
    ],
)
def test_a_special_action_that_is_none_of_ours_stays_a_fault(value: object, path: str, wanted: str) -> None:
    with pytest.raises(Faults) as refused:
        load(spoiled(("movements_cards.cards.0.special_actions", value)), "mine")
    (fault,) = refused.value.faults
    assert (fault.path, fault.wanted) == (f"$.movements_cards.cards[0].special_actions{path}", wanted)


@pytest.mark.parametrize(
    ("parameters", "path", "wanted"),
    [
        ({}, ".delta_duration", "missing"),
        ({"delta_duration": "-1"}, ".delta_duration", "integer"),
        ({"delta_duration": -1, "trump_names": []}, ".trump_names", "filled"),
        ({"delta_duration": -1, "trump_names": ["Tour"]}, ".trump_names[0]", "trump"),
        ({"delta_duration": -1, "deltaDuration": -1}, ".deltaDuration", "one_spelling"),
    ],
)
def test_durations_are_changed_by_a_number_and_of_trumps_that_exist(
    parameters: dict[str, Any], path: str, wanted: str
) -> None:
    with pytest.raises(Faults) as refused:
        load(spoiled(("trumps.2.parameters", {"type": "ModifyTrumpDurations", **parameters})), "mine")
    (fault,) = refused.value.faults
    assert (fault.path, fault.wanted) == (f"$.trumps[2].parameters{path}", wanted)


def test_without_names_the_durations_of_all_trumps_change() -> None:
    made = spoiled(("trumps.2.parameters", {"type": "ModifyTrumpDurations", "delta_duration": 2}))
    game = load(made, "mine")["mine"]
    assert game.trumps[-1].effect == ModifyTrumpDurations(delta_duration=2)
    assert export(game)["trumps"][-1]["parameters"] == {"type": "ModifyTrumpDurations", "delta_duration": 2}


def test_what_an_author_says_of_a_trump_is_in_the_view_of_who_holds_it() -> None:
    arena = Arena(2, rules=ArenaRules("duel", game_of("first-engine")))
    said = {trump.name: trump.description for trump in arena.rules.description.trumps}
    assert {each.trump: each.description for each in arena.view(1).trumps} == said
