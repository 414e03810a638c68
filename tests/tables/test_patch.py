from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tablee.tables import apply_patch, merge_patch

# Views are objects; nulls inside them mean absence, which a merge patch cannot tell apart.
values = st.recursive(
    st.integers(-3, 3) | st.text("ab", max_size=2) | st.booleans(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("xyz"), inner, max_size=3),
    max_leaves=8,
)
views = st.dictionaries(st.sampled_from("abcd"), values, max_size=4)


@given(views, views)
def test_a_patch_makes_the_view_after_of_the_view_before(before: Any, after: Any) -> None:
    assert apply_patch(before, merge_patch(before, after)) == after


@given(views)
def test_nothing_changed_is_an_empty_patch(view: Any) -> None:
    assert merge_patch(view, view) == {}
    assert merge_patch(view, dict(view)) == {}


def test_what_is_gone_is_null_and_what_is_equal_is_left_out() -> None:
    before = {"turn": 1, "pile": [1, 2], "players": {"1": {"points": 3}, "2": {"points": 5}}}
    after = {"turn": 2, "pile": [1, 2], "players": {"1": {"points": 4}}}
    assert merge_patch(before, after) == {"turn": 2, "players": {"1": {"points": 4}, "2": None}}


def test_a_patch_leaves_its_target_alone() -> None:
    view = {"players": {"1": 2}}
    apply_patch(view, {"players": {"1": 3}})
    assert view == {"players": {"1": 2}}
