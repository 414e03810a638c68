"""A cache that counts size: together no more than it may have, and nothing that alone is too large."""

from __future__ import annotations

from tests.rules.arena.spoiling import spoiled

from tablee.rules.arena.board import Board
from tablee.rules.arena.description import Description
from tablee.rules.arena.ground import GROUNDS, ground_of, grounds, write_description
from tablee.rules.arena.kept import Kept
from tablee.rules.arena.loading import load


def wide(arms: int) -> Description:
    """A board of two columns an arm and two rows."""
    made = spoiled(
        ("board.number_arms", arms),
        ("board.svg", {}),
        ("board.inner_circle_colors", ["RED"]),
        ("board.arms_colors", ["RED"]),
    )
    del made["board"]["svg"]
    return load(made, "wide")["wide"]


def test_the_longest_unused_go_first_when_all_together_are_too_large() -> None:
    kept: Kept[str] = Kept(10)
    kept.keep("a", "A", 4)
    kept.keep("b", "B", 4)
    assert kept.get("a") == "A"
    kept.keep("c", "C", 4)
    assert [kept.get(key) for key in "abc"] == ["A", None, "C"]
    assert kept.size == 8


def test_what_alone_is_too_large_is_not_kept() -> None:
    kept: Kept[str] = Kept(10, largest=5)
    assert kept.made("a", lambda: "A", lambda _: 6) == "A"
    assert kept.get("a") is None
    assert kept.size == 0


def test_grounds_are_kept_by_their_squares() -> None:
    grounds.clear()
    texts = [write_description(wide(20_000 + number)) for number in range(6)]
    for text in texts:
        assert ground_of(text) is ground_of(text)
    assert 80_000 < grounds.size <= GROUNDS
    grounds.clear()


def test_the_sets_of_a_wide_board_are_made_once_for_all_columns_alike() -> None:
    for arms in (1_250, 5_000, 20_000):
        shapes = {id(shape) for table in Board(wide(arms)).near for shape in table.shapes}  # type: ignore[attr-defined]
        assert len(shapes) < 200
