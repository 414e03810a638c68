"""What the plain client shows of any game: boards, values, moves and facts, in the game's words."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any

import pytest

from tablee.terminal import plain
from tablee.terminal.catalogue import Catalogue
from tablee.terminal.plain.api import base_of
from tablee.terminal.plain.showing import Showing, merged, rows_of

INTEGER = {"type": "integer"}


def schema(**fields: Any) -> dict[str, Any]:
    form = {"properties": {"do": {"enum": ["x"]}, **fields}}
    return {"$ref": "#/$defs/It", "$defs": {"It": form}}


SCHEMAS = {
    "bid": schema(amount=INTEGER, suit={"type": "string"}),
    "play": schema(card=INTEGER),
    "roll": schema(),
}
TEXTS = {
    "action.play": "Play the {card}",
    "action.bid": "Bid {amount}",
    "action.roll": "Roll",
    "field.card.1": "ace",
    "fact.played": "{player} plays {card} against {target}.",
    "view.phase": "Phase",
    "view.phase.bidding": "the bidding",
}


@pytest.fixture
def showing() -> Showing:
    made = Showing(TEXTS, SCHEMAS, Catalogue("tablee.terminal.plain", "en"))
    made.names = {1: "Ada", 2: "Blaise"}
    return made


def test_a_list_of_values_is_typed_by_value(showing: Showing) -> None:
    ready, forms = showing.moves({"play": [1, 7], "roll": False})
    assert [(move.key, move.label) for move in ready] == [("1", "Play the ace"), ("7", "Play the 7")]
    assert forms == []
    assert showing.read("7", {"play": [1, 7]}) == {"do": "play", "card": 7}
    assert showing.read("play the ace", {"play": [1, 7]}) == {"do": "play", "card": 1}


def test_moves_of_several_kinds_are_typed_by_number(showing: Showing) -> None:
    legal = {"play": [1, 7], "roll": True}
    ready, _ = showing.moves(legal)
    assert [(move.key, move.label) for move in ready] == [
        ("1", "Play the ace"),
        ("2", "Play the 7"),
        ("3", "Roll"),
    ]
    assert showing.read("3", legal) == {"do": "roll"}


def test_sets_of_fields_are_ready_moves_too(showing: Showing) -> None:
    ready, _ = showing.moves({"bid": [{"amount": 2, "suit": "hearts"}]})
    assert ready[0].action == {"do": "bid", "amount": 2, "suit": "hearts"}
    assert ready[0].label == "Bid 2"


def test_what_is_only_bounded_is_typed_with_its_values_or_as_json(showing: Showing) -> None:
    legal = {"bid": {"amount": {"least": 1, "most": 6}}}
    ready, forms = showing.moves(legal)
    assert ready == []
    assert [form.name for form in forms] == ["bid"]
    assert showing.read("bid 3 hearts", legal) == {"do": "bid", "amount": 3, "suit": "hearts"}
    assert showing.read('{"do": "bid", "amount": 3}', legal) == {"do": "bid", "amount": 3}
    for nonsense in ("sing", "bid 1 2 3", "{", "[1]", '{"amount": 3}'):
        assert showing.read(nonsense, legal) is None


def test_where_no_action_is_named_every_one_may_be_tried(showing: Showing) -> None:
    ready, forms = showing.moves({"can": ["something"]})
    assert [move.action for move in ready] == [{"do": "roll"}]
    assert [form.name for form in forms] == ["bid", "play"]


@pytest.mark.parametrize("legal", [None, {}, {"play": [], "bid": None}])
def test_where_nothing_is_legal_nothing_is_offered(showing: Showing, legal: Any) -> None:
    assert showing.moves(legal) == ([], [])


def test_a_view_is_told_as_boards_and_as_names_and_values(showing: Showing) -> None:
    view = {
        "board": ["X.", ".O"],
        "signs": {"1": "X", "2": "O"},
        "turn": 2,
        "phase": "bidding",
        "open": True,
        "winner": None,
        "points": {"1": 3, "2": 4},
        "cards_left": [1, 2],
        "tricks": [{"seat": 1}],
    }
    assert list(showing.view(view)) == [
        "Board:",
        "  1 2",
        "1 X .",
        "2 . O",
        "X = Ada, O = Blaise",
        "Turn: Blaise",
        "Phase: the bidding",
        "Open: yes",
        "Points:",
        "  Ada: 3",
        "  Blaise: 4",
        "Cards left: 1, 2",
        "Tricks:",
        "  1.",
        "     Seat: Ada",
    ]


def test_a_fact_is_told_with_the_names_of_players(showing: Showing) -> None:
    fact = {"is": "played", "seat": 1, "card": 7, "target": 2}
    assert showing.sentence(fact) == "Ada plays 7 against Blaise."
    assert showing.sentence({"is": "unheard_of"}) == ""


@pytest.mark.parametrize("value", ["one line", ["a", "bc"], ["a", "b"], [1, 2], {"0": "ab"}, ["ab"], None])
def test_what_is_no_board_is_not_taken_for_one(value: Any) -> None:
    assert rows_of(value) is None


def test_a_board_may_be_one_text() -> None:
    assert rows_of("ab\ncd") == ["ab", "cd"]


def test_a_patch_is_merged() -> None:
    assert merged({"a": {"b": 1, "c": 2}, "d": [1]}, {"a": {"b": None}, "d": [2], "e": 3}) == {
        "a": {"c": 2},
        "d": [2],
        "e": 3,
    }


def test_the_house_is_found_at_its_web_door() -> None:
    assert base_of("example.org") == "http://example.org:8000"
    assert base_of("[::1]:9000") == "http://[::1]:9000"
    assert base_of("https://club.example.org/") == "https://club.example.org"


def test_the_client_says_the_same_in_both_languages() -> None:
    words = tomllib.loads(resources.files(plain).joinpath("words.toml").read_text())
    assert words["fr"].keys() == words["en"].keys()
