"""A map as the page and the shell get it: complete, well formed, told apart without colour."""

from __future__ import annotations

from xml.etree import ElementTree

import msgspec
import pytest

from tablee.atlas.form import KINDS, GameMap, game_map, map_of
from tablee.atlas.layout import lay_out
from tablee.atlas.lettering import broken, text_width
from tablee.atlas.picture import Words, draw
from tablee.rules.diplomacy.model import Dislodged, Situation, Unit
from tablee.rules.diplomacy.source import parse_variant
from tablee.rules.diplomacy.variant import load_variant, variant_names

SVG = "{http://www.w3.org/2000/svg}"


def picture(name: str, words: Words = "fr", situation: Situation | None = None) -> ElementTree.Element:
    variant = load_variant(name)
    return ElementTree.fromstring(draw(game_map(name), variant, situation or variant.start(), words))


def texts(root: ElementTree.Element) -> set[str]:
    return {" ".join(part.strip() for part in each.itertext()) for each in root.iter(f"{SVG}text")}


@pytest.mark.parametrize("name", variant_names())
def test_the_form_has_every_zone_with_the_variants_words(name: str) -> None:
    variant, form = load_variant(name), game_map(name)
    assert [region.code for region in form.regions] == list(variant.codes[1 : variant.regions + 1])
    assert [coast.zone for coast in form.coasts] == list(range(variant.regions + 1, variant.zones + 1))
    for region in form.regions:
        assert region.kind == KINDS[variant.terrain[region.zone] - 1]
        assert (region.fr.text, region.en.text) == (
            variant.names_fr[region.zone],
            variant.names_en[region.zone],
        )
        assert (region.centre is not None) == bool(variant.centre_of[region.zone])
        assert region.outline.startswith("M")
        assert region.outline.endswith("Z")
    assert form.drawn
    assert msgspec.json.decode(msgspec.json.encode(form), type=GameMap) == form


def test_powers_are_told_apart_by_pattern_and_letter() -> None:
    powers = game_map("standard").powers
    assert len({power.pattern for power in powers}) == 7
    assert len({power.letter for power in powers}) == 7


@pytest.mark.parametrize("name", variant_names())
def test_a_picture_shows_every_unit_centre_and_name(name: str) -> None:
    variant = load_variant(name)
    for words, names in (("fr", variant.names_fr), ("en", variant.names_en)):
        root = picture(name, "fr" if words == "fr" else "en")
        tokens = [each for each in root.iter(f"{SVG}path") if each.get("class") == "token"]
        centres = [each for each in root.iter(f"{SVG}circle") if each.get("class") == "centre"]
        assert len(tokens) == len(variant.start_units)
        assert len(centres) == len(variant.centres) - 1
        wanted = {" ".join(broken(each)) for each in names[1:]}
        assert wanted <= texts(root)


def test_codes_are_written_instead_of_names() -> None:
    written = texts(picture("standard", "codes"))
    assert {"PAR", "MID", "STP"} <= written
    assert "Paris" not in written


def test_a_dislodged_unit_and_a_fleet_on_a_coast_have_places_of_their_own() -> None:
    variant = load_variant("standard")
    spain, coast = variant.codes.index("spa"), variant.codes.index("spa/nc")
    situation = Situation({}, (Unit(2, 2, coast),), (Dislodged(4, 1, spain, 0),))
    root = picture("standard", "fr", situation)
    marks = [each for each in root.iter(f"{SVG}g") if (each.get("class") or "").startswith("unit")]
    form = game_map("standard")
    north = next(each for each in form.coasts if each.code == "spa/nc")
    assert [mark.get("class") for mark in marks] == ["unit", "unit out"]
    assert marks[0].get("transform") == f"translate({north.unit[0]:g} {north.unit[1]:g})"


def test_an_owner_is_shown_by_his_pattern_on_the_region() -> None:
    variant = load_variant("standard")
    centre = variant.centre_of[variant.codes.index("tun")]
    root = picture("standard", "fr", Situation({centre: 4}, ()))
    owned = [each for each in root.iter(f"{SVG}path") if "url(#of-4)" in (each.get("style") or "")]
    assert len(owned) == 1
    outline = next(region.outline for region in game_map("standard").regions if region.code == "tun")
    assert owned[0].get("d") == outline


def test_names_with_signs_of_markup_do_no_harm() -> None:
    source = "\n".join(
        [
            "variant  odd",
            "names  <b> & 'Co' | <i>",
            "year  1900",
            "regions",
            "aa  land  centre | <script> | A & B | bb | -",
            "bb  land  centre | b'b | b'b | aa | -",
            "powers",
            "X | Xénie, xène | Xenia, Xene | 9 9 9 | aa | A aa",
            "Y | Ynde, yn | Ynde, Yn | 99 9 9 | bb | A bb",
        ]
    )
    variant = parse_variant(source, "odd")
    root = ElementTree.fromstring(draw(map_of(variant, lay_out(variant)), variant, variant.start(), "fr"))
    assert "<script>" in texts(root)
    assert not list(root.iter(f"{SVG}script"))


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("Paris", ("Paris",)),
        ("Saint-Pétersbourg", ("Saint-", "Pétersbourg")),
        ("pays de Galles", ("pays de", "Galles")),
        ("Constantinople", ("Constantinople",)),
        ("Méditerranée occidentale", ("Méditerranée", "occidentale")),
    ],
)
def test_a_long_name_is_broken_where_it_may_be(name: str, lines: tuple[str, ...]) -> None:
    assert broken(name) == lines
    assert text_width(name, 10) > text_width(max(lines, key=len), 10) - 1e-9
