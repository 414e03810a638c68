"""What the end of a game is worth in a tournament, by every system that clubs know."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rules.diplomacy.test_table import Table

from tablee.rules.contract import points_of
from tablee.rules.diplomacy.game import Adjudicate, SetPosition, Stop, Vote
from tablee.rules.diplomacy.model import Situation, Unit
from tablee.rules.diplomacy.rules import DiplomacyRules
from tablee.rules.diplomacy.scoring import SYSTEMS, DiplomacyTally
from tablee.rules.diplomacy.variant import load_variant

EXAMPLES = tomllib.loads((Path(__file__).parent / "scorings.toml").read_text())
POWERS = "AEFGIRT"


def tally_of(example: dict[str, Any]) -> DiplomacyTally:
    out = tuple(example["out"].get(power) for power in POWERS)
    return DiplomacyTally(tuple(example["centres"]), out, example["last_year"], example["ending"])


@pytest.mark.parametrize(
    ("example", "system"), [(name, each) for name, case in EXAMPLES.items() for each in case["scores"]]
)
def test_the_worked_examples_come_out(example: str, system: str) -> None:
    scores = SYSTEMS[system].scores(tally_of(EXAMPLES[example]))
    expected = [Fraction(str(score)) for score in EXAMPLES[example]["scores"][system]]
    for score, wanted in zip(scores, expected, strict=True):
        assert abs(score - wanted) <= Fraction(1, 200)


def test_every_system_has_the_three_examples() -> None:
    for example in ("first", "second", "solo"):
        assert EXAMPLES[example]["scores"].keys() == SYSTEMS.keys()


@st.composite
def tallies(draw: st.DrawFn) -> DiplomacyTally:
    """Ends of games, as many as there can be."""
    chance = Random(draw(st.integers(0, 2**32)))
    cuts = sorted(chance.randint(0, 34) for _ in range(6))
    centres = tuple(high - low for low, high in zip([0, *cuts], [*cuts, 34], strict=True))
    last = chance.randint(1901, 1920)
    out = tuple(None if number else chance.randint(1901, last) for number in centres)
    sole = sorted(centres)[-1] > sorted(centres)[-2]
    endings: list[Literal["solo", "draw", "years"]] = ["draw", "years", "solo"]
    ending = draw(st.sampled_from(endings if sole else endings[:2]))
    shared = [role for role, number in enumerate(centres) if number and chance.random() < 0.7]
    return DiplomacyTally(centres, out, last, ending, tuple(shared) or None if ending == "draw" else None)


@given(tallies(), st.permutations(range(7)))
def test_who_plays_another_power_scores_the_same(tally: DiplomacyTally, order: list[int]) -> None:
    other = DiplomacyTally(
        tuple(tally.centres[role] for role in order),
        tuple(tally.out[role] for role in order),
        tally.last_year,
        tally.ending,
        None if tally.draw is None else tuple(order.index(role) for role in tally.draw),
    )
    for system in SYSTEMS.values():
        scores = system.scores(tally)
        assert system.scores(other) == [scores[role] for role in order]


@given(tallies())
def test_systems_with_a_fixed_sum_keep_it_exactly(tally: DiplomacyTally) -> None:
    def total(system: str) -> Fraction:
        return sum(SYSTEMS[system].scores(tally), Fraction())

    assert total("squares") == 100
    assert total("draw-size") == 100
    if tally.ending != "solo":
        assert total("cdiplo") == 7 + 34 + 38 + 14 + 7
        assert total("cdiplo-80") == 34 + 25 + 14 + 7
        assert total("carnage") == total("carnage-equal") == 28000 + 34
        assert total("carnage-centres") == 17000 + 28028
        assert total("manorcon-v2") == 100 + sum(
            Fraction(tally.years(role), 10) for role in range(7) if not tally.centres[role]
        )
        dead = 7 - len(tally.survivors)
        assert total("omg") == 9 * (7 - dead) + 51 + 9
        assert total("bangkok") == 3 * 420 + 34 * 105 + 7 * 105 + 315 * (7 - dead)


@given(tallies())
def test_every_score_is_the_sum_of_its_terms_and_every_term_has_words(tally: DiplomacyTally) -> None:
    for system in SYSTEMS.values():
        terms = system.terms(tally)
        assert [points_of(each) for each in terms] == system.scores(tally)
        for language in ("fr", "en"):
            words = DiplomacyRules().words(language)
            assert all(words[f"term.{term.name}"] for each in terms for term in each)
    assert all(score >= 0 for system in SYSTEMS.values() for score in system.scores(tally))


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"centres": [20, 20, 0, 0, 0, 0, 0]}, "There are 40 centres, of 34 on the board."),
        ({"centres": [10, 8, 6, 5, 5, 0]}, "6 powers have centres and 7 may be eliminated."),
        ({"centres": [10, 8, 6, 5, 4, 1, 0]}, "Power 5 has centres and is out since 1904."),
        ({"centres": [15, 8, 6, 5, 0, 0, 0]}, "Power 4 has no centre and no year of elimination."),
        ({"last_year": 1905}, "Power 6 is out in 1906, not between 1901 and 1905."),
        ({"draw": [0]}, "Nobody shares a draw in a game that ends by “years”."),
        ({"ending": "draw", "draw": [0, 6]}, "Only who has a centre shares a draw."),
        ({"ending": "draw", "draw": [1, 1]}, "Who shares the draw is named once each."),
        ({"ending": "solo", "centres": [10, 10, 6, 4, 4, 0, 0]}, "A solo has one winner"),
        ({"centres": [True, 8, 6, 5, 5, 0, 0]}, "Expected `int`, got `bool`"),
        ({"ending": "peace"}, "Invalid enum value 'peace'"),
    ],
)
def test_an_end_that_no_game_can_come_to_is_refused(changed: dict[str, Any], fault: str) -> None:
    form = {
        "centres": [10, 8, 6, 5, 5, 0, 0],
        "out": [None, None, None, None, None, 1904, 1906],
        "last_year": 1908,
        "ending": "years",
    }
    with pytest.raises(msgspec.ValidationError) as refusal:
        msgspec.convert({**form, **changed}, DiplomacyTally)
    assert fault in str(refusal.value)


def test_in_other_variants_the_board_and_the_players_count_where_the_formula_has_them() -> None:
    tally = DiplomacyTally((5, 3, 2), (None, None, None), 1903, "years", board=12)
    shares = [Fraction(5 * 5 + 20 + 4), Fraction(9 + 12 + 4), Fraction(4 + 8 + 4)]
    assert SYSTEMS["manorcon"].scores(tally) == [300 * share / sum(shares) for share in shares]
    solo = DiplomacyTally((7, 3, 0), (None, None, 1902), 1903, "solo", board=12)
    assert SYSTEMS["bangkok"].scores(solo) == [Fraction(4000 * 300, 420), 0, 0]


# --- at a table -----------------------------------------------------------------------------------------


def test_the_end_of_a_game_says_what_tournaments_score() -> None:
    table = Table()
    board = load_variant("standard")
    start = board.start()
    lost = Situation(
        {centre: (2 if owner == 1 else owner) for centre, owner in start.ownerships.items()},
        tuple(unit for unit in start.units if unit.role != 1),
    )
    table.play(0, SetPosition(lost, 7))  # autumn 1902: England has nothing left
    table.play(0, Adjudicate(civil_disorder=True))
    while table.state.advancement < 12:
        table.play(0, Adjudicate(civil_disorder=True))
    table.play(0, Stop())
    result = DiplomacyRules().result(table.state)
    assert result is not None
    tally = msgspec.convert(result.tally, DiplomacyTally)
    assert tally.centres[:2] == (0, 6)
    assert tally.out == (1902, None, None, None, None, None, None)
    assert (tally.first_year, tally.last_year, tally.ending, tally.board) == (1901, 1903, "years", 34)
    assert SYSTEMS["cdiplo"].scores(tally)[0] == 1


def test_a_draw_by_vote_is_one_of_all_who_are_left() -> None:
    table = Table()
    for seat in range(1, 8):
        table.play(seat, Vote(True))
    result = DiplomacyRules().result(table.state)
    assert result is not None
    tally = msgspec.convert(result.tally, DiplomacyTally)
    assert (tally.ending, tally.draw) == ("draw", None)
    assert SYSTEMS["draw-size"].scores(tally) == [Fraction(100, 7)] * 7


def test_who_is_set_back_on_the_board_is_out_no_longer() -> None:
    table = Table()
    start = load_variant("standard").start()
    nobody = Situation({**dict.fromkeys(start.ownerships, 2)}, (Unit(2, 1, start.units[0].zone),))
    table.play(0, SetPosition(nobody, 10))
    assert set(table.state.out) == {1, 3, 4, 5, 6, 7}
    table.play(0, SetPosition(start, 10))
    assert table.state.out == {}
