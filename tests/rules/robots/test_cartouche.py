"""What a cartouche may hold."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablee.rules.contract import Illegal
from tablee.rules.robots.cartouche import capacity, fits, is_movement, read_cartouche
from tablee.rules.robots.codes import CODES, code_text

AHEAD = "Move_Ahead"


def refusal(value: Any, energy: int = 7) -> str:
    with pytest.raises(Illegal) as refused:
        read_cartouche(value, energy)
    return refused.value.code


def test_the_example_of_the_document_is_read() -> None:
    cartouche = [
        ["0x245A, Move_90Right", "0x2100, Move_Ahead"],
        ["0x245C, Move_90Left", "0x2100, Move_Ahead"],
        ["0x8822, Enrichment_Standby"],
        [],
        [],
    ]
    assert read_cartouche(cartouche, 7) == (
        ("Move_90Right", AHEAD),
        ("Move_90Left", AHEAD),
        ("Enrichment_Standby",),
        (),
        (),
    )


@pytest.mark.parametrize(
    ("register", "read"),
    [
        ([], ()),
        (["Move_Ahead"], ("Move_Ahead",)),
        (["Move_Back"], ("Move_Back",)),
        (["Move_180Left"], ("Move_180Left",)),
        (["Move_180Right", "Move_Back"], ("Move_180Right", "Move_Back")),
        (["Enrichment_Standby"], ("Enrichment_Standby",)),
        (["Light_On", "Move_90Left", "None", "Move_Ahead", "Light_Off"], ("Move_90Left", "Move_Ahead")),
        (["Light_On", "Enrichment_Standby", "Light_Off"], ("Enrichment_Standby",)),
        (["None"], ()),
        ([0x245A, "0x2100"], ("Move_90Right", "Move_Ahead")),
    ],
)
def test_a_register_is_a_rotation_then_a_displacement_or_standby_or_nothing(
    register: list[Any], read: tuple[str, ...]
) -> None:
    assert read_cartouche([register], 7) == (read,)


@pytest.mark.parametrize(
    "register",
    [
        ["Move_Ahead", "Move_90Right"],
        ["Move_Ahead", "Move_Ahead"],
        ["Move_90Right", "Move_90Right"],
        ["Move_90Right", "Move_180Left", "Move_Ahead"],
        ["Move_90Right", "Move_Ahead", "Move_Back"],
        ["Enrichment_Standby", "Move_Ahead"],
        ["Move_90Left", "Enrichment_Standby"],
        ["Enrichment_Standby", "Enrichment_Standby"],
    ],
)
def test_anything_else_is_no_register(register: list[str]) -> None:
    assert refusal([[], register]) == "bad_register"


def test_a_refusal_says_which_register() -> None:
    with pytest.raises(Illegal) as refused:
        read_cartouche([[], [], ["Move_45Left"]], 7)
    assert refused.value.code == "not_programmable"
    assert refused.value.parts == {"movement": "Move_45Left", "register": 3}


@pytest.mark.parametrize(
    "code", [code for code in CODES if code.startswith(("Hustle", "Damage", "Conveyor"))]
)
def test_what_happens_to_a_robot_cannot_be_programmed(code: str) -> None:
    assert refusal([[code_text(code)]]) == "not_programmable"


@pytest.mark.parametrize("code", ["Move_45Right", "Move_45Left", "Enrichment_EnergyX2", "Enrichment_Victory"])
def test_half_quarters_and_gifts_cannot_be_programmed(code: str) -> None:
    assert refusal([[code]]) == "not_programmable"


@pytest.mark.parametrize("code", ["Move_Up", "0x2101", 0x2101, -5, "0x2100, Move_Back", "", "x" * 10_000])
def test_a_code_that_is_in_no_annex_is_unknown(code: Any) -> None:
    with pytest.raises(Illegal) as refused:
        read_cartouche([[code]], 7)
    assert refused.value.code == "unknown_code"
    assert len(refused.value.parts["movement"]) <= 40


@pytest.mark.parametrize(
    "value",
    [
        None, "Move_Ahead", 5, True, {}, {"cartouche": []}, [AHEAD], [[AHEAD], AHEAD], [None], [[None]],
        [[[AHEAD]]], [[{}]], [[True]], [[1.5]], [{"0": AHEAD}],
    ],
)  # fmt: skip
def test_what_is_no_list_of_lists_of_codes_has_the_wrong_form(value: Any) -> None:
    assert refusal(value) == "cartouche_form"


def test_a_wrong_form_is_said_before_a_broken_rule() -> None:
    assert refusal([["Move_45Left"], [None]]) == "cartouche_form"
    assert refusal([[]] * 6 + [None]) == "cartouche_form"


def test_there_are_five_registers_at_most() -> None:
    assert read_cartouche([[]] * 5, 7) == ((),) * 5
    assert read_cartouche([], 7) == ()
    assert refusal([[]] * 6) == "too_many"


@pytest.mark.parametrize(("energy", "most"), [(0, 2), (1, 3), (2, 4), (3, 5), (4, 5), (7, 5)])
def test_energy_is_the_capacity(energy: int, most: int) -> None:
    assert capacity(energy) == most
    assert len(read_cartouche([[AHEAD]] * most, energy)) == most
    if most < 5:
        assert refusal([[AHEAD]] * (most + 1), energy) == "over_capacity"
        assert refusal([["Move_90Left"]] * (most + 1), energy) == "over_capacity"
        assert refusal([["Move_90Left", AHEAD]] * (most + 1), energy) == "over_capacity"


def test_standby_lights_and_empty_registers_do_not_count() -> None:
    for free in ([], ["Enrichment_Standby"], ["Light_On"], ["None"]):
        assert len(read_cartouche([[AHEAD], [AHEAD], free, free, free], 0)) == 5
    assert not is_movement(())
    assert not is_movement(("Enrichment_Standby",))
    assert is_movement((AHEAD,))


@given(st.lists(st.lists(st.sampled_from(sorted(CODES)), max_size=4), max_size=6), st.integers(0, 7))
def test_whatever_is_read_fits_and_is_read_again_to_the_same(value: list[list[str]], energy: int) -> None:
    try:
        cartouche = read_cartouche(value, energy)
    except Illegal:
        return
    assert all(map(fits, cartouche))
    assert read_cartouche([list(map(code_text, register)) for register in cartouche], energy) == cartouche
    assert sum(map(is_movement, cartouche)) <= capacity(energy)
