"""The drawings that we ship: what touches on them is what the variant says, and they hold together."""

from __future__ import annotations

import msgspec
import pytest
from tests.atlas.contacts import contacts, neighbours

from tablee.atlas.checking import check_drawing
from tablee.atlas.layout import pair
from tablee.atlas.reading import drawing_names, load_drawing
from tablee.rules.diplomacy.variant import load_variant, variant_names

EXCEPTIONS: dict[str, dict[tuple[str, str], str]] = {"standard": {}, "detroit": {}, "lagune": {}}
"""Pairs that touch and are no neighbours, or the other way round, each with its reason: none is needed."""


def test_every_variant_that_we_ship_has_a_drawing() -> None:
    assert drawing_names() == tuple(sorted(variant_names()))


@pytest.mark.parametrize("name", drawing_names())
def test_a_drawing_has_no_fault(name: str) -> None:
    check_drawing(load_drawing(name), load_variant(name))


@pytest.mark.parametrize("name", drawing_names())
def test_what_touches_on_the_drawing_are_the_neighbours_of_the_variant(name: str) -> None:
    variant = load_variant(name)
    drawn, said = contacts(load_drawing(name), variant), neighbours(variant)
    assert said.armies
    assert said.fleets
    assert drawn.armies ^ said.armies == frozenset(EXCEPTIONS[name])
    assert drawn.fleets ^ said.fleets == frozenset(EXCEPTIONS[name])


def test_fleets_touch_at_the_stated_coast_only() -> None:
    fleets = contacts(load_drawing("standard"), load_variant("standard")).fleets
    assert {pair("por", "spa/nc"), pair("por", "spa/sc"), pair("mar", "spa/sc")} <= fleets
    assert {pair("con", "bul/ec"), pair("con", "bul/sc"), pair("nwy", "stp/nc")} <= fleets
    assert not {pair("mar", "spa/nc"), pair("gas", "mar"), pair("rom", "ven"), pair("lvp", "edi")} & fleets
    assert not [both for both in fleets if {"spa", "bul", "stp"} & set(both)]


def test_regions_that_do_not_share_a_line_do_not_touch() -> None:
    """The comparison can fail: without Portugal on the sheet, its neighbours miss it."""
    whole, variant = load_drawing("standard"), load_variant("standard")
    without = {code: cycles for code, cycles in whole.regions.items() if code != "por"}
    drawn = contacts(msgspec.structs.replace(whole, regions=without), variant)
    assert neighbours(variant).armies - drawn.armies == {("por", "spa")}
    lost = {("mid", "por"), ("por", "spa/nc"), ("por", "spa/sc")}
    assert neighbours(variant).fleets - drawn.fleets == lost


def test_nobody_stands_on_land_outside_the_game() -> None:
    names = {land.names[1] for land in load_drawing("standard").outside}
    assert {"Switzerland", "Ireland", "Iceland"} <= names
