"""A drawing's source is checked loudly: every fault is told, with where."""

from __future__ import annotations

from importlib.resources import files

import pytest

from tablee.atlas.checking import check_drawing, faults_of
from tablee.atlas.drawing import DrawingError
from tablee.atlas.reading import parse_drawing
from tablee.rules.diplomacy.variant import load_variant

SOURCE = files("tablee.rules.diplomacy").joinpath("drawings", "detroit.txt").read_text(encoding="utf-8")
VARIANT = load_variant("detroit")
FOLLOWING = "ait-nor  ait.nor ait.hul.nor | 38 150, "


def changed(before: str, after: str) -> str:
    assert SOURCE.count(before) == 1, before
    return SOURCE.replace(before, after)


def line_of(beginning: str) -> str:
    """The first line that begins so; regions come before places."""
    return next(line for line in SOURCE.splitlines() if line.startswith(beginning))


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        ("size     1200 900\n", "", "a line “size …” is needed"),
        ("size     1200 900", "size 1200 0", "a width and a height above 0"),
        ("size     1200 900", "size wide high", "“wide high” is no place"),
        ("fou.pas  520 668", "fou.pas  520 nan", "“520 nan” is no place"),
        ("fou.pas  520 668", "fou.pas  520 -3", "“520 -3” is no place"),
        ("fou.pas  520 668", "fou.pas  520 668\nfou.pas  1 1", "“fou.pas” is not, or stands twice"),
        ("fou.pas  520 668", "fou.pas  520 668\nlost  1 1", "no line begins or ends at the point “lost”"),
        (FOLLOWING, "ait-nor  ait.nor nowhere | 38 150, ", "ends at “nowhere”, which is no point"),
        (FOLLOWING, "ait-nor  ait.nor | 38 150, ", "a line is a name and two points"),
        ("ait-cla  ait.bor.cla", "ait-bor  ait.bor.cla", "the line “ait-bor” stands twice"),
        (line_of("sel-sud"), "sel-sud  sel.sud sel.sud | 1 1", "two points more are needed"),
        (line_of("cla |"), "cla | ait-cla", "“cla” is not closed"),
        (line_of("cla |"), "cla | nothing", "a line “nothing”, which there is not"),
        (line_of("cla |"), line_of("cla |") + "\n" + line_of("cla |"), "“cla” is not, or stands twice"),
        (line_of("fou/nc | fou"), "fou/nc | none", "a line “none”, which there is not"),
        (line_of("fou/nc | fou"), "fou | fou-hul", "a coast is a region and a kind"),
        (line_of("fou/nc | fou"), line_of("fou/nc | fou") + "\nfou/nc | fou-hul", "“fou/nc” stands twice"),
        ("size     1200 900", "size 1200 900\ncolour red", "“colour” is no line of a drawing's head"),
        (
            "size     1200 900",
            "size 1200 900\nsize 3 3",
            "“size” is no line of a drawing's head, or stands twice",
        ),
        ("places\n", "places\nait | 1 1\n", "places are those of the unit"),
    ],
)
def test_a_source_that_cannot_be_read_is_told_with_its_line(before: str, after: str, sentence: str) -> None:
    with pytest.raises(DrawingError, match=r"^detroit\.txt:\d+: ") as fault:
        parse_drawing(changed(before, after), "detroit.txt")
    assert sentence in str(fault.value)


def place_line(code: str) -> str:
    return [line for line in SOURCE.splitlines() if line.startswith(f"{code} | ")][-1]


def moved(code: str, number: int, to: str) -> str:
    line = place_line(code)
    parts = line.split(" | ")
    parts[number] = to
    return SOURCE.replace(line, " | ".join(parts))


def unit_of(code: str) -> str:
    return place_line(code).split(" | ")[1]


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        (
            changed(
                "ait-hul  ait.hul.nor ait.bor.hul | 226 214", "ait-hul  ait.hul.nor ait.bor.hul | 100 100"
            ),
            "cross near",
        ),
        (changed("fou.pas  520 668", "fou.pas  520 5000"), "is outside the size of the drawing"),
        (changed(place_line("cla") + "\n", ""), "The places of cla are missing"),
        (
            changed(place_line("cla"), place_line("cla") + "\nxyz | 1 1 | 9 9 | 5 5 | -"),
            "xyz belong to no zone",
        ),
        (moved("cla", 1, "600 100"), "cla: the place of its unit (600, 100) is not inside"),
        (moved("cla", 2, "600 100"), "cla: the place of its dislodged (600, 100) is not inside"),
        (moved("cla", 3, "600 100"), "cla: the place of its label (600, 100) is not inside"),
        (moved("cla", 4, "600 100"), "cla: the place of its centre (600, 100) is not inside"),
        (moved("cla", 4, "-"), "cla: a centre has a place for it"),
        (moved("cla", 2, unit_of("cla")), "cla: its unit and its dislodged unit stand less than"),
        (moved("cla", 3, unit_of("cla")), "the unit of cla and the name of cla overlap"),
        (moved("cla", 3, unit_of("cla")), "the unit of cla and the code of cla overlap"),
        (moved("cla", 4, unit_of("cla")), "the unit of cla and the centre of cla overlap"),
        (moved("cla", 3, "8 450"), "the name of cla is partly outside the drawing"),
        (moved("fou/nc", 1, "60 450"), "fou/nc: the place of its unit (60, 450) is not inside"),
        (
            SOURCE.replace("\nregions\n", "\nregions\nnew | ait-cla ait-frame ait-nor ait-hul ait-bor\n"),
            "The regions of new belong to no zone of the variant",
        ),
        (
            SOURCE.replace("\nregions\n", "\nregions\nnew | ait-cla ait-frame ait-nor ait-hul ait-bor\n"),
            "is on the way round 3 regions instead of 2",
        ),
        (
            SOURCE.replace("\nregions\n", "\nregions\nnew | ait-cla ait-frame ait-nor ait-hul ait-bor\n"),
            "some overlap, or there is a gap",
        ),
        (
            changed(line_of("fou/nc | fou"), "fou/nc | cla-dun"),
            "the line cla-dun, which is not of its region",
        ),
        (changed(line_of("fou/nc | fou"), "fou/nc | fou-sud"), "The line fou-sud is of 2 coasts"),
    ],
)
def test_a_drawing_that_does_not_hold_together_is_told(source: str, sentence: str) -> None:
    drawing = parse_drawing(source)
    assert sentence in "\n".join(faults_of(drawing, VARIANT))
    with pytest.raises(DrawingError):
        check_drawing(drawing, VARIANT)


def test_two_borders_that_meet_only_each_other_are_one() -> None:
    source = changed("ait.cla  0 300", "ait.cla  0 300\nhalf  96 326")
    source = source.replace(
        line_of("ait-cla"), "ait-cla  ait.bor.cla half |\nait-cla-2  half ait.cla | 46 310"
    )
    for code, order in (("ait", "ait-cla ait-cla-2"), ("cla", "ait-cla-2 ait-cla")):
        line = line_of(f"{code} | ")
        source = source.replace(line, line.replace("ait-cla", order))
    faults = "\n".join(faults_of(parse_drawing(source), VARIANT))
    assert "At the point half fewer than three lines meet" in faults
