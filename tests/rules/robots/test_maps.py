"""The drawn cases of the robot game, as they stand, turned, mirrored, and computed in another order."""

from __future__ import annotations

import msgspec
import pytest
from tests.rules.robots.drawn import Case, Told, play, read, read_cases
from tests.rules.robots.symmetry import SYMMETRIES, Symmetry

from tablee.rules.robots.codes import CODES, code_text, read_code
from tablee.rules.robots.tiles import TILES

CASES = read_cases()

NEVER_SENT = {
    "None", "Light_Off", "Light_On", "Move_45Right", "Move_45Left", "Damage_Press",
    "Conveyor_Turn45Right", "Conveyor_Turn45Left",
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_every_robot_ends_where_the_map_says(name: str) -> None:
    case = CASES[name]
    end = play(case)
    assert end.mechas == case.end, case.title
    assert end.swaps == case.swaps, case.title


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.told is not None])
def test_the_frames_carry_the_codes_that_the_map_lists(name: str) -> None:
    case = CASES[name]
    assert play(case).told == case.told, case.title


@pytest.mark.parametrize("name", CASES)
def test_a_map_gives_the_same_in_whichever_order_its_robots_are_computed(name: str) -> None:
    case = CASES[name]
    backward = msgspec.structs.replace(case, mechas=case.mechas[::-1])
    forward_end, backward_end = play(case), play(backward)
    assert backward_end.mechas[::-1] == forward_end.mechas
    assert backward_end.told == forward_end.told


@pytest.mark.parametrize("symmetry", SYMMETRIES[1:], ids=str)
def test_maps_turned_and_mirrored_give_turned_and_mirrored_ends(symmetry: Symmetry) -> None:
    tried = 0
    for name, case in CASES.items():
        end = play(case)
        if any("conv_eNOsE" in board.names for board in case.boards):
            continue
        if any(step.code == "Enrichment_WakeUp" for step in end.steps):
            continue  # of equally near tiles the one with the smallest number: the numbers turn too
        turned = play(_turned(case, symmetry))
        assert turned.mechas == symmetry.mechas(end.mechas), name
        assert _sorted(turned.told) == _sorted(_turned_codes(end.told, symmetry)), name
        tried += 1
    assert tried > 60


def _turned(case: Case, symmetry: Symmetry) -> Case:
    return msgspec.structs.replace(
        case,
        boards=list(map(symmetry.board, case.boards)),
        mechas=symmetry.mechas(case.mechas),
        cartouches=[
            {seat: symmetry.cartouche(cartouche) for seat, cartouche in given.items()}
            for given in case.cartouches
        ],
    )


def _turned_codes(told: Told, symmetry: Symmetry) -> Told:
    return {key: [code_text(symmetry.code(read_code(code))) for code in codes] for key, codes in told.items()}


def _sorted(told: Told) -> Told:
    """Beams that hit at once are told in the order of their lasers' numbers, which turn with the board."""
    return {key: sorted(codes) for key, codes in told.items()}


def test_there_is_a_map_for_every_tile_and_for_every_code_that_is_ever_sent() -> None:
    drawn = {name for case in CASES.values() for board in case.boards for name in board.names}
    assert set(TILES) - drawn == {"presse"}
    told = {
        read_code(code) for case in CASES.values() for codes in (case.told or {}).values() for code in codes
    }
    assert set(CODES) - told == NEVER_SENT


def test_there_are_many_maps_and_no_two_say_the_same() -> None:
    assert len(CASES) >= 60
    titles = [case.title for case in CASES.values()]
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("board\n  1> . x\nend\n  1> . .\n", "no tile"),
        ("board\n  1> .\n  .\nend\n  1> .\n", "different length"),
        ("board\n  1> .\nend\n  . .\n", "drawn if and only if"),
        ("board\n  1> .\nend\n  1> O-E\n", "robots only"),
        ("board\n  1> .\nend\n  1> 2>\n", "not understood"),
        ("board\n  1> 1<\nend\n  1> .\n", "twice"),
        ("board\n  1> .\nend\n  1> .\nafter\n  2: energy 3\n", "not understood"),
        ("board\n  1> .\nend\n  1> .\nafter\n  1: force 3\n", "not understood"),
        ("board\n  1> .\nend\n  1> .\ncodes\n  2 robots 1: Ahead\n", "no frame"),
        ("board\n  1> .\ncartouches\n  2: Ahead\nend\n  1> .\n", "no robot"),
        ("bored\n  1> .\nend\n  1> .\n", "begins nothing"),
    ],
)
def test_a_map_that_is_not_understood_is_refused(text: str, wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        read("A title.\nplay: register 1 of round 1\n" + text)
