"""The year round: whose turn it is, who owns what, who is out, who has won."""

from __future__ import annotations

from tests.rules.diplomacy.cases import STANDARD, ZONES, order, situation

from tablee.rules.diplomacy.adjustments import owed, removal_order
from tablee.rules.diplomacy.model import AFJD, DATC, Act, Dislodged, Order, Situation, Unit
from tablee.rules.diplomacy.phases import (
    active_roles,
    centre_counts,
    is_eliminated,
    is_last_phase,
    resolve,
    victor,
    year,
)

ENGLAND, FRANCE, GERMANY = 1, 2, 3


def test_a_game_begins_with_everybody_to_move_in_1901() -> None:
    assert year(STANDARD, 0) == 1901
    assert year(STANDARD, 5) == 1902
    assert active_roles(STANDARD, 0, STANDARD.start()) == (1, 2, 3, 4, 5, 6, 7)
    assert active_roles(STANDARD, 1, STANDARD.start()) == ()
    assert active_roles(STANDARD, 4, STANDARD.start()) == ()


def test_centres_change_hands_in_winter_only_and_who_has_none_is_out() -> None:
    centre = STANDARD.centre_of[ZONES["BEL"]]
    before = Situation({1: FRANCE}, (Unit(FRANCE, 1, ZONES["BEL"]), Unit(GERMANY, 1, ZONES["RUH"])))
    for advancement in (0, 1, 2):
        assert centre not in resolve(STANDARD, advancement, before, []).situation.ownerships
    found = resolve(STANDARD, 3, before, [])
    assert found.situation.ownerships[centre] == FRANCE
    assert found.destroyed == (Unit(GERMANY, 1, ZONES["RUH"]),)
    assert is_eliminated(found.situation, GERMANY)
    assert not is_eliminated(found.situation, FRANCE)


def test_a_retreat_into_a_centre_takes_it_the_same_winter() -> None:
    before = Situation(
        {STANDARD.centre_of[ZONES["PAR"]]: FRANCE},
        (Unit(ENGLAND, 1, ZONES["PIC"]),),
        (Dislodged(FRANCE, 1, ZONES["PIC"], ZONES["BRE"]),),
    )
    found = resolve(STANDARD, 3, before, [Order(FRANCE, Act.RETREAT, ZONES["PIC"], destination=ZONES["BEL"])])
    assert found.situation.ownerships[STANDARD.centre_of[ZONES["BEL"]]] == FRANCE


def test_a_build_is_owed_only_where_a_home_centre_is_free() -> None:
    brest, paris = (STANDARD.centre_of[ZONES[code]] for code in ("BRE", "PAR"))
    before = Situation({brest: FRANCE, paris: FRANCE}, (Unit(FRANCE, 1, ZONES["PAR"]),))
    assert owed(STANDARD, before) == {FRANCE: 1}
    blocked = Situation(before.ownerships, (Unit(FRANCE, 1, ZONES["PAR"]), Unit(ENGLAND, 2, ZONES["BRE"])))
    assert owed(STANDARD, blocked) == {ENGLAND: -1}
    assert active_roles(STANDARD, 4, blocked) == (ENGLAND,)


def test_the_two_records_of_choices_remove_other_units() -> None:
    case = {"phase": "adjustment", "units": ["I A WAR", "I A TUS"], "centres": {"I": ["WAR"]}}
    before = situation(case)
    assert removal_order(STANDARD, before, 4, DATC)[0].zone == ZONES["TUS"]
    assert removal_order(STANDARD, before, 4, AFJD)[0].zone == ZONES["WAR"]


def test_the_two_records_of_choices_differ_on_the_origin_of_a_convoyed_attack() -> None:
    case = {"phase": "movement", "units": ["E A LON", "E F NTH", "E A HOL", "F A BEL"]}
    texts = ["E A LON - BEL", "E F NTH C A LON - BEL", "E A HOL S A LON - BEL"]
    orders = [order(text) for text in texts]
    for choices, origin in ((DATC, 0), (AFJD, ZONES["LON"])):
        after = resolve(STANDARD, 0, situation(case), orders, choices).situation
        assert after.dislodged == (Dislodged(FRANCE, 1, ZONES["BEL"], origin),)


def test_a_wrong_coast_in_a_support_is_void_or_ignored() -> None:
    case = {"phase": "movement", "units": ["F F POR", "F F MID", "I F WES", "I F GOL"]}
    texts = ["F F POR S F MID - SPA/NC", "F F MID - SPA/SC", "I F WES - SPA/SC", "I F GOL S F WES - SPA/SC"]
    orders = [order(text) for text in texts]
    winners = [
        {unit.role for unit in found.units if unit.zone == ZONES["SPA/SC"]}
        for found in (resolve(STANDARD, 0, situation(case), orders, c).situation for c in (DATC, AFJD))
    ]
    assert winners == [{4}, set()]


def test_a_solo_needs_the_centres_and_more_than_any_other() -> None:
    eighteen = Situation({centre: FRANCE if centre <= 18 else ENGLAND for centre in range(1, 35)})
    assert victor(STANDARD, eighteen, 18) == FRANCE
    assert victor(STANDARD, eighteen, 19) == 0
    assert centre_counts(STANDARD, eighteen)[ENGLAND] == 16
    shared = Situation({centre: 1 + centre % 2 for centre in range(1, 35)})
    assert victor(STANDARD, shared, 10) == 0


def test_a_game_of_two_years_ends_after_ten_phases() -> None:
    assert [is_last_phase(advancement, 2) for advancement in (0, 4, 8, 9)] == [False, False, False, True]
