from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET, Struct, UnsetType, field
from tests.kit.patching import apply_patch

from tablee.rules.contract import View
from tablee.tables import merge_patch
from tablee.tables.patch import plain


class Player(Struct, frozen=True, tag=True):
    points: int
    hand: tuple[int, ...] | None = None


class Flag(Struct, frozen=True, tag=True, omit_defaults=True):
    color: str
    size: int = 1


class Point(Struct, frozen=True, array_like=True):
    x: int
    y: int


class Shown(View, frozen=True):
    """Something of every shape that a view may have; `parts` has any JSON in it."""

    parts: dict[str, Any]
    turn: int | bool | None = None
    players: dict[int, Player] = field(default_factory=dict)
    last: Player | Flag | None = None
    point: Point = Point(0, 0)
    secret: Player | UnsetType | None = UNSET
    truth: dict[str, str] | UnsetType = UNSET


# Views are objects; nulls inside them mean absence, which a merge patch cannot tell apart.
values = st.recursive(
    st.integers(-3, 3) | st.text("ab", max_size=2) | st.booleans(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("xyz"), inner, max_size=3),
    max_leaves=8,
)
few = st.integers(0, 2)
players = st.builds(Player, few, st.none() | st.lists(few, max_size=2).map(tuple))
views = st.builds(
    Shown,
    parts=st.dictionaries(st.sampled_from("abcd"), values, max_size=4),
    turn=st.none() | st.booleans() | few,
    players=st.dictionaries(few, players, max_size=3),
    last=st.none() | players | st.builds(Flag, st.text("ab", max_size=1), few),
    point=st.builds(Point, few, few),
    secret=st.just(UNSET) | st.none() | players,
    truth=st.just(UNSET) | st.dictionaries(st.sampled_from("xyz"), st.text("ab", max_size=1)),
)


def seen(json: Any) -> Any:
    """JSON as who applies patches knows it: a null in an object is an absence."""
    if isinstance(json, dict):
        return {key: seen(value) for key, value in json.items() if value is not None}
    return json


@given(views, views)
def test_a_patch_makes_the_view_after_of_the_view_before(before: Shown, after: Shown) -> None:
    patched = apply_patch(plain(before), plain(merge_patch(before, after)))
    assert repr(seen(patched)) == repr(in_order(seen(plain(after)), seen(patched)))


def in_order(json: Any, like: Any) -> Any:
    """The same JSON with keys in the order of another: what is compared then are values and their types."""
    if isinstance(json, dict) and isinstance(like, dict) and json.keys() == like.keys():
        return {key: in_order(json[key], like[key]) for key in like}
    return json


@given(views)
def test_the_first_patch_makes_the_view_of_nothing(view: Shown) -> None:
    assert seen(apply_patch({}, plain(merge_patch(None, view)))) == seen(plain(view))


@given(views)
def test_nothing_changed_is_an_empty_patch(view: Shown) -> None:
    assert merge_patch(view, view) == {}
    assert merge_patch(view, msgspec.convert(plain(view), Shown, str_keys=True)) == {}


def test_what_is_gone_is_null_and_what_is_equal_is_left_out() -> None:
    before = Shown({"pile": [1, 2]}, 1, {1: Player(3), 2: Player(5)}, truth={"a": "b"})
    after = Shown({"pile": [1, 2]}, 2, {1: Player(4)})
    expected = {"turn": 2, "players": {"1": {"points": 4}, "2": None}, "truth": None}
    assert merge_patch(before, after) == expected


def test_a_patch_leaves_its_target_alone() -> None:
    view = {"players": {"1": 2}}
    apply_patch(view, {"players": {"1": 3}})
    assert view == {"players": {"1": 2}}
