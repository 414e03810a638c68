"""A board that cannot be played on is refused with all its errors at once."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.rules.robots.plain import LAWS, board

from tablee.rules.robots.board import compile_board, place_of
from tablee.rules.robots.boards import shipped_boards
from tablee.rules.robots.checking import BadBoard, check_board, check_set, read_board
from tablee.rules.robots.figures import advice_on, figures_of
from tablee.rules.robots.starts import starting_tiles
from tablee.rules.robots.tiles import TILES, read_tile
from tablee.rules.robots.ways import ways_of

Json = Any


def found(value: Json) -> list[tuple[str, int | None, int | None]]:
    return [(trouble.code, trouble.x, trouble.y) for trouble in check_board(value)]


def test_a_board_with_three_laws_and_nothing_else_can_be_played_on() -> None:
    assert found(board()) == []


@pytest.mark.parametrize(
    ("value", "key"),
    [
        (None, "NoneType"),
        ([], "list"),
        ({}, "boardWidth"),
        ({"boardIdx": "0", "boardWidth": 12, "boardHeight": 12, "boardActiveTiles": []}, "boardIdx"),
        ({"boardIdx": -1, "boardWidth": 12, "boardHeight": 12, "boardActiveTiles": []}, "boardIdx"),
        ({"boardIdx": 0, "boardWidth": True, "boardHeight": 12, "boardActiveTiles": []}, "boardWidth"),
        ({"boardIdx": 0, "boardWidth": 12, "boardHeight": 12.0, "boardActiveTiles": []}, "boardHeight"),
        ({"boardIdx": 0, "boardWidth": 12, "boardHeight": 12, "boardActiveTiles": {}}, "boardActiveTiles"),
    ],
)
def test_what_is_no_board_is_refused_with_the_name_of_the_key(value: Json, key: str) -> None:
    first = check_board(value)[0]
    assert (first.code, first.x, first.y) == ("form", None, None)
    assert f"({key})" in first.fr
    assert f"({key})" in first.en


def test_a_board_of_another_size_is_refused() -> None:
    assert found({**board(), "boardWidth": 11}) == [("size", None, None)]


def test_a_list_without_end_is_not_looked_at_tile_by_tile() -> None:
    assert found(board(*[("mur_N", 99, 99)] * 5000)) == [("too_many", None, None)]


@pytest.mark.parametrize(
    "tile",
    [
        None,
        {"tileType": "mur_N", "tileLocX": 1},
        {"tileType": "mur_N", "tileLocX": "1", "tileLocY": 1},
        {"tileType": None, "tileLocX": 4, "tileLocY": 4},
    ],
)
def test_a_tile_of_the_wrong_form_is_named_by_its_place_in_the_list(tile: Json) -> None:
    value = board()
    value["boardActiveTiles"].insert(1, tile)
    (trouble,) = check_board(value)
    assert trouble.code == "tile_form"
    assert "no 1 " in trouble.fr


def test_a_tile_outside_the_board_is_refused() -> None:
    assert found(board(("mur_N", 13, 4), ("mur_N", 4, 0))) == [("outside", 13, 4), ("outside", 4, 0)]


def test_two_active_tiles_on_one_place_are_refused() -> None:
    (trouble,) = check_board(board(("mur_N", 4, 4), ("nid2poule", 4, 4)))
    assert (trouble.code, trouble.x, trouble.y) == ("twice", 4, 4)
    assert "mur_N" in trouble.en
    assert "nid2poule" in trouble.en


@pytest.mark.parametrize("name", ["mur_X", "0x9999", "0x0214, mur_N", 77, ""])
def test_an_unknown_tile_is_refused(name: Json) -> None:
    assert found(board((name, 4, 4))) == [("unknown", 4, 4)]


def test_a_tile_may_be_given_in_full_by_its_number_or_by_its_name() -> None:
    for spelling in ("0x0214, murLaser_NS", "0x0214", "murLaser_NS", 0x0214):
        assert [each.tileType for each in read_board(board((spelling, 5, 5))).boardActiveTiles][-1] == (
            "0x0214, murLaser_NS"
        )


def test_the_press_is_refused() -> None:
    assert found(board(("presse", 4, 4))) == [("press", 4, 4)]


def test_a_conveyor_that_leads_to_the_edge_or_against_a_wall_is_refused() -> None:
    edge = ("conv_eSsN", 5, 1)
    wall_beyond = (("conv_eOsE", 5, 5), ("mur_O", 6, 5))
    beside_a_laser = (("conv_eNsS", 8, 8), ("murLaser_NS", 8, 9))
    assert found(board(edge, *wall_beyond, *beside_a_laser)) == [
        ("belt_edge", 5, 1),
        ("belt_wall", 5, 5),
        ("belt_wall", 8, 8),
    ]


def test_every_law_is_there_once() -> None:
    laws = (("loi_r1", 12, 1), ("loi_r1", 1, 12), ("loi_r3", 12, 12))
    assert found(board(laws=laws)) == [("law_twice", 1, 12), ("law_missing", None, None)]


def test_a_place_that_walls_enclose_is_refused() -> None:
    walls = (("mur_NSO", 5, 5), ("mur_NES", 6, 5))
    (trouble,) = check_board(board(*walls))
    assert (trouble.code, trouble.x, trouble.y) == ("pocket", 5, 5)
    assert "[5,5] [6,5]" in trouble.en


def test_a_pillar_is_no_pocket_but_a_ring_of_walls_around_a_free_tile_is() -> None:
    assert found(board(("mur_NESO", 5, 5))) == []
    ring = (("mur_S", 8, 7), ("mur_N", 8, 9), ("mur_E", 7, 8), ("mur_O", 9, 8))
    assert found(board(*ring)) == [("pocket", 8, 8)]


def test_a_law_behind_walls_is_unreachable_and_a_pocket() -> None:
    assert found(board(("mur_E", 11, 1), ("mur_N", 12, 2))) == [
        ("pocket", 12, 1),
        ("law_unreachable", 12, 1),
        ("starts", None, None),
    ]


def test_a_law_behind_belts_that_lead_away_is_unreachable() -> None:
    """Nobody gets anywhere against a belt: a step on it is a step back."""
    belts = (("conv_eEsO", 11, 1), ("conv_eNsS", 12, 2))
    assert ("law_unreachable", 12, 1) in found(board(*belts))


def test_a_place_that_belts_keep_a_robot_in_is_a_trap() -> None:
    belts = (("conv_eEsO", 2, 12), ("conv_eNsS", 1, 11))
    (trouble,) = check_board(board(*belts))
    assert (trouble.code, trouble.x, trouble.y) == ("trap", 1, 12)


def test_a_board_without_room_to_start_is_refused() -> None:
    laws = (("loi_r1", 6, 6), ("loi_r2", 1, 1), ("loi_r3", 12, 12))
    potholes = [
        ("nid2poule", x, y) for x in range(1, 13) for y in (1, 2, 11, 12) if (x, y) not in ((1, 1), (12, 12))
    ]
    assert found(board(*potholes, laws=laws)) == [("starts", None, None)]


def test_everything_that_is_wrong_is_said_at_once() -> None:
    value = board(
        ("mur_N", 0, 0),
        ("presse", 2, 2),
        ("rien", 3, 3),
        ("mur_N", 4, 4),
        ("mur_S", 4, 4),
        ("conv_eEsO", 1, 6),
        ("mur_NSO", 8, 8),
        ("mur_E", 8, 8),
        ("mur_NES", 9, 8),
        laws=LAWS[:2],
    )
    assert {code for code, _, _ in found(value)} == {
        "outside",
        "press",
        "unknown",
        "twice",
        "belt_edge",
        "pocket",
        "law_missing",
    }
    with pytest.raises(BadBoard) as refused:
        read_board(value)
    assert list(refused.value.troubles) == check_board(value)


def test_the_boards_of_one_game_agree_on_their_laws_and_share_no_action_tile() -> None:
    one = board(("action", 6, 6))
    other = board(("action", 6, 6), laws=(LAWS[0], ("loi_r2", 2, 1), LAWS[2]))
    assert [(each.board, each.code, each.x, each.y) for each in check_set([one, other])] == [
        (1, "laws_differ", 2, 1),
        (1, "action_shared", 6, 6),
    ]
    assert check_set([one, board(("action", 7, 6))]) == []


def test_the_errors_of_every_board_of_a_set_say_which_board_it_is() -> None:
    troubles = check_set([board(), board(("presse", 3, 3)), None])
    assert [(each.board, each.code) for each in troubles] == [(1, "press"), (2, "form")]


def test_a_game_has_from_one_to_four_boards() -> None:
    assert [each.code for each in check_set([])] == ["no_boards"]
    assert [each.code for each in check_set([board()] * 5)] == ["boards_most"]


LAW_NAMES = {name for name, _, _ in LAWS}
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
NEARLY = st.fixed_dictionaries(
    {
        "boardIdx": st.just(0) | JUNK,
        "boardWidth": st.just(12) | JUNK,
        "boardHeight": st.just(12) | JUNK,
        "boardActiveTiles": st.lists(
            st.fixed_dictionaries(
                {
                    "tileType": st.sampled_from(sorted(TILES)) | JUNK,
                    "tileLocX": st.integers(-1, 14) | JUNK,
                    "tileLocY": st.integers(-1, 14) | JUNK,
                }
            )
            | JUNK,
            max_size=40,
        )
        | JUNK,
    }
)


@given(NEARLY | JUNK)
@settings(max_examples=150, deadline=None)
def test_whatever_is_given_is_judged_in_sentences(value: Json) -> None:
    for trouble in check_board(value):
        assert trouble.fr.endswith(".")
        assert trouble.en.endswith(".")
        assert (trouble.fr + trouble.en).replace("\u00a0", " ").isprintable()
        assert (trouble.x is None) == (trouble.y is None)


@given(
    st.dictionaries(
        st.integers(1, 142), st.sampled_from(sorted(set(TILES) - {"presse", *LAW_NAMES})), max_size=50
    )
)
@settings(max_examples=60, deadline=None)
def test_on_a_board_that_is_not_refused_every_law_is_reached_from_everywhere(tiles: dict[int, str]) -> None:
    """Tiles that the checker complains of are taken away until it has nothing left to say."""
    kept = {place_of(number): name for number, name in tiles.items() if number != 11}
    value = board(*((name, x, y) for (x, y), name in kept.items()))
    while troubles := check_board(value):
        blamed = [place for place in kept if place in {(trouble.x, trouble.y) for trouble in troubles}]
        for place in blamed or list(kept)[:5]:
            del kept[place]
        value = board(*((name, x, y) for (x, y), name in kept.items()))
    ground = compile_board(read_board(value))
    assert len(starting_tiles(ground)) >= 16
    for registers in ways_of(ground).registers:
        for number, name in enumerate(ground.names):
            assert registers[number] is not None or name == "mur_NESO"
    assert all(
        ground.belt[number] >= 0 for number, tile in enumerate(ground.names) if tile.startswith("conv")
    )


def test_what_somebody_wrote_is_harmless_in_a_terminal() -> None:
    (trouble,) = check_board(board(("\x1b[31m{x}\n", 4, 4)))
    assert trouble.en == "“�[31m{x}�” is no tile of the document."


@pytest.mark.parametrize("number", [10**16, -(10**16), 10**5000], ids=["large", "small", "endless"])
def test_a_number_beyond_all_boards_is_a_tile_of_the_wrong_form(number: int) -> None:
    assert found(board(("mur_N", number, 1))) == [("tile_form", None, None)]
    assert found(board((number, 4, 4))) == [("tile_form", 4, 4)]


# --- the boards that we ship ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", shipped_boards())
def test_a_board_of_ours_meets_every_figure_of_a_good_race(name: str) -> None:
    document = shipped_boards()[name].document
    assert check_board(document) == []
    assert advice_on(compile_board(document)) == []


def test_our_boards_are_five_and_use_every_tile_but_the_press() -> None:
    boards = shipped_boards().values()
    assert len(boards) >= 5
    used = {read_tile(tile.tileType) for each in boards for tile in each.document.boardActiveTiles}
    assert used == set(TILES) - {"neutre", "presse"}


def test_our_boards_are_spelled_as_the_document_spells_them() -> None:
    for each in shipped_boards().values():
        assert msgspec.to_builtins(each.document) == msgspec.to_builtins(
            compile_board(each.document).document(0)
        )


def test_the_boards_of_a_set_of_ours_can_be_played_together() -> None:
    sets = {each.set for each in shipped_boards().values() if each.set is not None}
    assert sets
    for name in sets:
        documents = [each.document for each in shipped_boards().values() if each.set == name]
        assert len(documents) >= 2
        assert check_set(documents) == []
        assert all(figures_of(compile_board(document)).actions for document in documents)


def test_every_board_of_ours_has_its_names_in_both_languages() -> None:
    for each in shipped_boards().values():
        assert set(each.title) == set(each.about) == {"fr", "en"}
        assert all((*each.title.values(), *each.about.values()))
