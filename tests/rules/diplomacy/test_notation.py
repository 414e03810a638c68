"""Orders as people write them: what is read, what is printed, and what is said of the rest."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.rules.diplomacy.phases_at_random import random_phase

from tablee.rules.diplomacy.legal import legal_orders
from tablee.rules.diplomacy.model import Act, Order, Season, Situation, Unit
from tablee.rules.diplomacy.names import BadNames, names_of, read_names
from tablee.rules.diplomacy.notation import NotUnderstood, Standing, read_orders
from tablee.rules.diplomacy.phases import resolve
from tablee.rules.diplomacy.report import WORDS
from tablee.rules.diplomacy.variant import load_variant, variant_names
from tablee.rules.diplomacy.writing import write_order

STANDARD = load_variant("standard")
ZONE = {code: zone for zone, code in enumerate(STANDARD.codes)}
PAR, BUR, MAR, BRE, SPA, MID = (ZONE[code] for code in ("par", "bur", "mar", "bre", "spa", "mid"))
NAMES = names_of(STANDARD)

POSITION = Situation(
    units=(
        Unit(2, 1, PAR),
        Unit(2, 1, MAR),
        Unit(2, 1, BRE),
        Unit(2, 2, MID),
        Unit(3, 1, BUR),
        Unit(6, 2, ZONE["stp/sc"]),
    )
)


def read(text: str, season: int | None = None) -> Order:
    return Standing.of(STANDARD, POSITION, season).read(text, 2)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("A PAR - BUR", Order(2, Act.MOVE, PAR, 0, BUR, kind=1)),
        ("a par-bur", Order(2, Act.MOVE, PAR, 0, BUR, kind=1)),
        ("A PAR → BUR", Order(2, Act.MOVE, PAR, 0, BUR, kind=1)),
        ("Armée Paris - Bourgogne", Order(2, Act.MOVE, PAR, 0, BUR, kind=1)),
        ("Army Paris to Burgundy", Order(2, Act.MOVE, PAR, 0, BUR, kind=1)),
        ("PAR - BUR", Order(2, Act.MOVE, PAR, 0, BUR, kind=1)),
        ("A PAR S A MAR - BUR", Order(2, Act.SUPPORT_MOVE, PAR, MAR, BUR, kind=1)),
        ("A PAR S A BUR", Order(2, Act.SUPPORT_HOLD, PAR, BUR, kind=1)),
        ("A PAR S allemand A BUR", Order(2, Act.SUPPORT_HOLD, PAR, BUR, kind=1)),
        ("A PAR T", Order(2, Act.HOLD, PAR, kind=1)),
        ("A PAR H", Order(2, Act.HOLD, PAR, kind=1)),
        ("F MID C A BRE - SPA", Order(2, Act.CONVOY, MID, BRE, SPA, kind=2)),
        ("F MAO C A BRE - SPA/NC", Order(2, Act.CONVOY, MID, BRE, SPA, kind=2)),
        ("F Mid-Atlantic Ocean - Spain (nc)", Order(2, Act.MOVE, MID, 0, ZONE["spa/nc"], kind=2)),
        ("F MID - SPA sc", Order(2, Act.MOVE, MID, 0, ZONE["spa/sc"], kind=2)),
        ("F MID - Espagne côte sud", Order(2, Act.MOVE, MID, 0, ZONE["spa/sc"], kind=2)),
        ("F MID - SPANC", Order(2, Act.MOVE, MID, 0, ZONE["spa/nc"], kind=2)),
        ("F MID - SPA", Order(2, Act.MOVE, MID, 0, SPA, kind=2)),
        ("A MAR - SPA/NC", Order(2, Act.MOVE, MAR, 0, SPA, kind=1)),
        ("A BRE - SPA par convoi", Order(2, Act.MOVE, BRE, 0, SPA, via_convoy=True, kind=1)),
        ("A BRE - SPA VIA", Order(2, Act.MOVE, BRE, 0, SPA, via_convoy=True, kind=1)),
        ("R: F STP/NC - BOT", Order(6, Act.MOVE, ZONE["stp/sc"], 0, ZONE["bot"], kind=2)),
        ("Russie : F Saint-Pétersbourg T", Order(6, Act.HOLD, ZONE["stp/sc"], kind=2)),
        ("A PAR R BUR", Order(2, Act.RETREAT, PAR, 0, BUR, kind=1)),
        ("A PAR A", Order(2, Act.DISBAND, PAR, kind=1)),
        ("+ A PAR", Order(2, Act.BUILD, PAR, kind=1)),
        ("F BRE B", Order(2, Act.BUILD, BRE, kind=2)),
        ("- A PAR", Order(2, Act.REMOVE, PAR, kind=1)),
    ],
)
def test_an_order_is_read(text: str, order: Order) -> None:
    assert read(text) == order


STP = ZONE["stp"]


@pytest.mark.parametrize(
    ("text", "order"),
    [
        # 4.A.6: the seas that an army passes
        ("A BRE - MID - SPA", Order(2, Act.MOVE, BRE, 0, SPA, kind=1)),
        ("BRE -> MID -> WES -> NAF", Order(2, Act.MOVE, BRE, 0, ZONE["naf"], kind=1)),
        ("F MID C A BRE - MID - SPA", Order(2, Act.CONVOY, MID, BRE, SPA, kind=2)),
        # 4.B.5: the wrong coast of the unit that is ordered
        ("F STP/NC - BOT", Order(6, Act.MOVE, ZONE["stp/sc"], 0, ZONE["bot"], kind=2)),
        # 4.B.6: coasts that do not exist, or that say nothing
        ("F MID - SPA/WC", Order(2, Act.MOVE, MID, 0, SPA, kind=2)),
        ("F MID - SPA west coast", Order(2, Act.MOVE, MID, 0, SPA, kind=2)),
        ("F MID - Espagne (côte ouest)", Order(2, Act.MOVE, MID, 0, SPA, kind=2)),
        ("F MID - BRE/EC", Order(2, Act.MOVE, MID, 0, BRE, kind=2)),
        ("A MAR - SPA nc", Order(2, Act.MOVE, MAR, 0, SPA, kind=1)),
        ("A PAR(nc) - BUR/wc", Order(2, Act.MOVE, PAR, 0, BUR, kind=1)),
        ("A MAR S F MID - SPA/WC", Order(2, Act.SUPPORT_MOVE, MAR, MID, SPA, kind=1)),
        # 4.C.1 and 4.C.2: no kind of unit, or the wrong one
        ("MAR - SPA", Order(2, Act.MOVE, MAR, 0, SPA, kind=1)),
        ("F PAR - BUR", Order(2, Act.MOVE, PAR, 0, BUR, kind=1)),
        ("A MID C F BRE - SPA", Order(2, Act.CONVOY, MID, BRE, SPA, kind=2)),
        ("A MID - SPA/NC", Order(2, Act.MOVE, MID, 0, ZONE["spa/nc"], kind=2)),
        ("A PAR S F MAR - BUR", Order(2, Act.SUPPORT_MOVE, PAR, MAR, BUR, kind=1)),
        ("- F PAR", Order(2, Act.REMOVE, PAR, kind=1)),
        # 4.C.3: a build without a kind
        ("+ PAR", Order(2, Act.BUILD, PAR, kind=1)),
        ("PAR B", Order(2, Act.BUILD, PAR, kind=1)),
        ("R: + STP/NC", Order(6, Act.BUILD, ZONE["stp/nc"], kind=2)),
        ("Russie: construit Saint-Pétersbourg côte sud", Order(6, Act.BUILD, ZONE["stp/sc"], kind=2)),
        # 4.C.5 and 4.C.6: no nationality, or the wrong one
        ("A PAR S A BUR - PIC", Order(2, Act.SUPPORT_MOVE, PAR, BUR, ZONE["pic"], kind=1)),
        ("A PAR S turc A BUR - PIC", Order(2, Act.SUPPORT_MOVE, PAR, BUR, ZONE["pic"], kind=1)),
        ("A PAR S Turkish A BUR - PIC", Order(2, Act.SUPPORT_MOVE, PAR, BUR, ZONE["pic"], kind=1)),
        ("A PAR S Turkey's A BUR", Order(2, Act.SUPPORT_HOLD, PAR, BUR, kind=1)),
        ("F MID C Austrian A BRE - SPA", Order(2, Act.CONVOY, MID, BRE, SPA, kind=2)),
    ],
)
def test_a_text_with_one_meaning_is_followed_as_the_datc_prefers(text: str, order: Order) -> None:
    assert Standing.of(STANDARD, POSITION).read(text, order.role) == order


def test_in_its_phase_a_move_is_a_retreat_and_a_disbanded_unit_is_removed() -> None:
    assert read("A PAR - BUR", Season.SUMMER_RETREATS).act == Act.RETREAT
    assert read("A PAR D", Season.ADJUSTMENTS).act == Act.REMOVE


@pytest.mark.parametrize(
    ("text", "code", "understood", "found"),
    [
        ("A PAR - BRU", "place", "A PAR -", "BRU"),
        ("A PAR", "too_short", "A PAR", ""),
        ("A PAR S A MAR - BUR BUR", "more", "A PAR S A MAR - BUR", "BUR"),
        ("A PAR X BUR", "verb", "A PAR", "X"),
        ("A PAR - BUR - MUN", "more", "A PAR - BUR", "-"),
        ("F MID - WES - TUN", "more", "F MID - WES", "-"),
        ("A BRE - MID -", "too_short", "A BRE - MID -", ""),
        ("F MID C A BRE", "too_short", "F MID C A BRE", ""),
        ("F MID - SPA/XX", "coast", "F MID - SPA", "/"),
        ("", "too_short", "", ""),
        ("+ BRE", "too_short", "+ BRE", ""),
        ("+ BRE/EC", "too_short", "+ BRE / EC", ""),
        ("+ STP", "too_short", "+ STP", ""),
        ("+ MID", "too_short", "+ MID", ""),
    ],
)
def test_a_fault_says_what_was_understood_and_what_was_found(
    text: str, code: str, understood: str, found: str
) -> None:
    with pytest.raises(NotUnderstood) as fault:
        read(text)
    assert (fault.value.code, fault.value.understood, fault.value.found) == (code, understood, found)
    assert fault.value.expected


def test_lines_under_a_power_are_its_orders_and_every_fault_is_found() -> None:
    text = "France\nA PAR - BUR  # vers l'est\nA MAR - XXX\n\nGermany\nA BUR T\nA BUR -"
    orders, faults = read_orders(STANDARD, text, 0, POSITION)
    assert orders == [Order(2, Act.MOVE, PAR, 0, BUR, kind=1), Order(3, Act.HOLD, BUR, kind=1)]
    assert [fault.text for fault in faults] == ["A MAR - XXX", "A BUR -"]


@pytest.mark.parametrize("language", ["fr", "en"])
def test_what_is_printed_is_read_again(language: str) -> None:
    rng = Random(4)
    names = names_of(STANDARD, language)
    units = [*POSITION.units]
    for _ in range(2000):
        unit, friend = rng.choice(units), rng.choice(units)
        act = rng.choice([Act.MOVE, Act.SUPPORT_MOVE, Act.SUPPORT_HOLD, Act.HOLD, Act.RETREAT, Act.DISBAND])
        mover = unit if act in (Act.MOVE, Act.RETREAT) else friend
        last = STANDARD.regions if mover.kind == 1 else STANDARD.zones
        target = rng.randint(1, last) if act in (Act.MOVE, Act.SUPPORT_MOVE, Act.RETREAT) else 0
        passive = friend.zone if act in (Act.SUPPORT_MOVE, Act.SUPPORT_HOLD) else 0
        via = act == Act.MOVE and unit.kind == 1 and rng.random() < 0.3
        order = Order(unit.role, act, unit.zone, passive, target, via, unit.kind)
        text = write_order(STANDARD, names, order, POSITION, language)
        assert Standing.of(STANDARD, POSITION).read(text, 0) == order, text


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10**6), name=st.sampled_from(variant_names()), language=st.sampled_from(["fr", "en"])
)
def test_every_legal_order_of_every_variant_is_printed_and_read_again(
    seed: int, name: str, language: str
) -> None:
    variant, rng = load_variant(name), Random(seed)
    names = names_of(variant, language)
    situation, orders = random_phase(variant, rng)
    after = resolve(variant, 0, situation, orders).situation
    wealth = {centre: rng.randint(1, variant.roles) for centre in range(1, len(variant.centres))}
    settled = Situation(wealth, after.units)
    for advancement, board in ((0, situation), (1, after), (4, settled)):
        legal = [order for found in legal_orders(variant, advancement, board).values() for order in found]
        for order in rng.sample(legal, min(len(legal), 60)):
            text = write_order(variant, names, order, board, language)
            again = Standing.of(variant, board, advancement).read(text, order.role)
            assert again._replace(kind=order.kind) == order, text


def test_another_powers_unit_is_named_with_its_adjective_where_it_is_helped_to_move() -> None:
    order = Order(2, Act.SUPPORT_MOVE, PAR, BUR, ZONE["pic"])
    assert write_order(STANDARD, NAMES, order, POSITION) == "A PAR S allemand A BUR - PIC"


def test_names_of_the_document_are_used_and_two_equal_ones_refused() -> None:
    form: dict[str, Any] = {
        "roles": {str(n): [f"Rôle {n}", f"adj{n}", "ABCDEFGH"[n]] for n in range(8)},
        "zones": {str(n): f"Z{n}" if n <= 75 else "" for n in range(1, 82)},
        "coasts": {"1": "est", "2": "nord", "3": "sud"},
    }
    assert read_names(STANDARD, form).zones[78] == "Z60 nord"
    form["zones"]["4"] = "Z5"
    with pytest.raises(BadNames, match="Z5"):
        read_names(STANDARD, form)


def fuzz_texts(count: int, seed: int) -> None:
    """Read so many malformed texts; each is an order or a fault that can be said in both languages."""
    rng = Random(seed)
    pieces = [*"AFSCHTRD-+/():", "par", "bur", "spa/nc", "Mid-Atlantic", "mer", "Noire", "é", "\x00", "😀"]
    pieces += ["via", "convoi", "France", "  ", "Saint-Pétersbourg", "stp", "côte", "nord", "x" * 400]
    for _ in range(count):
        text = rng.choice(["", " "]).join(rng.choice(pieces) for _ in range(rng.randint(0, 9)))
        try:
            order = read(text, rng.choice([None, 0, 1, 4]))
        except NotUnderstood as fault:
            said = [fault.sentence(WORDS[language]) for language in ("fr", "en")]
            if not all(said):
                raise
        else:
            write_order(STANDARD, NAMES, order, POSITION)


def test_a_few_thousand_malformed_texts_are_read_or_refused_with_a_sentence() -> None:
    fuzz_texts(4000, seed=11)


@pytest.mark.long
def test_a_hundred_thousand_malformed_texts_never_end_in_anything_else() -> None:
    fuzz_texts(100_000, seed=12)
