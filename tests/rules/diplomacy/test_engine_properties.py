"""What holds in every phase of every variant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.rules.diplomacy.positions import Mirror, random_nonsense, random_orders, random_situation

from tablee.rules.diplomacy.adjudication import settle
from tablee.rules.diplomacy.adjustments import balance, removal_order
from tablee.rules.diplomacy.equations import judge_path, judge_support, move_judge
from tablee.rules.diplomacy.field import Field
from tablee.rules.diplomacy.legal import legal_orders
from tablee.rules.diplomacy.model import AFJD, DATC, Act, Dislodged, Order, Outcome, Reason, Situation, Unit
from tablee.rules.diplomacy.phases import active_roles, resolve
from tablee.rules.diplomacy.submission import faults
from tablee.rules.diplomacy.validation import check
from tablee.rules.diplomacy.variant import ARMY, Variant, load_variant, variant_names

seeds = st.integers(0, 2**32 - 1)
HERE_AND_THERE = ("ba", "ca", "ch", "fo", "il", "ma", "po", "ta")
every_variant = pytest.mark.parametrize("name", variant_names())


def phase(name: str, seed: int) -> tuple[Variant, Random, Situation, list[Order]]:
    variant, rng = load_variant(name), Random(seed)
    situation = random_situation(variant, rng)
    return variant, rng, situation, random_orders(variant, situation, rng)


@every_variant
@given(seed=seeds)
@settings(max_examples=150, deadline=None)
def test_no_two_units_share_a_region_and_none_is_lost(name: str, seed: int) -> None:
    variant, _, before, orders = phase(name, seed)
    found = resolve(variant, 0, before, orders)
    stood = [variant.region_of[unit.zone] for unit in found.situation.units]
    assert len(stood) == len(set(stood))
    after = Counter((unit.role, unit.kind) for unit in found.situation.units + found.destroyed)
    after.update((unit.role, unit.kind) for unit in found.situation.dislodged)
    assert after == Counter((unit.role, unit.kind) for unit in before.units)
    assert not set(stood) & set(found.situation.forbiddens)
    for unit in found.situation.units:
        table = variant.army_next if unit.kind == ARMY else variant.fleet_next
        assert table[unit.zone] or variant.terrain[unit.zone] == 1
    assert len(found.verdicts) == len(before.units)


@every_variant
@given(seed=seeds)
@settings(max_examples=150, deadline=None)
def test_an_adjudication_does_not_depend_on_the_order_of_orders_and_units(name: str, seed: int) -> None:
    variant, rng, before, orders = phase(name, seed)
    found = resolve(variant, 0, before, orders)
    units = list(before.units)
    rng.shuffle(orders)
    rng.shuffle(units)
    again = resolve(variant, 0, Situation(before.ownerships, tuple(units)), orders)
    assert set(again.situation.units) == set(found.situation.units)
    assert set(again.situation.dislodged) == set(found.situation.dislodged)
    assert again.situation.forbiddens == found.situation.forbiddens
    assert set(map(repr, again.verdicts)) == set(map(repr, found.verdicts))


@every_variant
@given(seed=seeds)
@example(seed=1786)
@settings(max_examples=150, deadline=None)
def test_what_is_decided_agrees_with_every_equation(name: str, seed: int) -> None:
    variant, _, before, orders = phase(name, seed)
    field = Field(variant, before, orders)
    settle(field)
    judge = move_judge(field)
    for region in field.movers:
        assert field.won[region] == judge(region)
        if field.by_convoy[region] and region not in field.paradox:
            assert field.path[region] == judge_path(field, region)
    for region in field.supporting:
        assert field.given[region] == judge_support(field, region)


@every_variant
@given(seed=seeds)
@settings(max_examples=80, deadline=None)
def test_another_numbering_of_the_map_gives_the_same_result(name: str, seed: int) -> None:
    variant, rng, before, orders = phase(name, seed)
    regions = list(range(1, variant.regions + 1))
    rng.shuffle(regions)
    mirror = Mirror(variant, regions)
    expected = resolve(variant, 0, before, orders)
    found = resolve(mirror.twin, 0, mirror.situation(before), [mirror.order(order) for order in orders])
    assert found.situation == mirror.situation(expected.situation)
    outcomes = {(mirror.order(verdict.order), *verdict[1:6]) for verdict in expected.verdicts}
    assert outcomes == {(verdict.order, *verdict[1:6]) for verdict in found.verdicts}


@every_variant
@given(seed=seeds)
@settings(max_examples=60, deadline=None)
def test_every_legal_order_is_accepted_and_no_other(name: str, seed: int) -> None:
    variant, rng = load_variant(name), Random(seed)
    before = random_situation(variant, rng)
    for advancement, situation in ((0, before), (1, dislodging(variant, before, rng)), (4, before)):
        by_unit = legal_orders(variant, advancement, situation)
        legal = {order for orders in by_unit.values() for order in orders}
        for order in legal:
            assert check(variant, advancement, situation, order) is None
        for _ in range(300):
            nonsense = random_nonsense(variant, rng)
            accepted = check(variant, advancement, situation, nonsense) is None
            assert accepted == any(
                each in legal for each in spellings(variant, situation, advancement, nonsense)
            ), nonsense


@every_variant
@given(seed=seeds)
@settings(max_examples=40, deadline=None)
def test_a_legal_order_is_never_judged_illegal_and_another_always_is(name: str, seed: int) -> None:
    variant, rng, before, orders = phase(name, seed)
    orders += [random_nonsense(variant, rng) for _ in range(5)]
    rng.shuffle(orders)
    told: dict[int, set[tuple[int, ...]]] = {}
    for order in orders:
        if check(variant, 0, before, order) is None:
            told.setdefault(variant.region_of[order.zone], set()).add(order[:6])
    for verdict in resolve(variant, 0, before, orders).verdicts:
        reason = check(variant, 0, before, verdict.order)
        if reason is None and not verdict.by_default and len(told[variant.region_of[verdict.order.zone]]) > 1:
            reason = Reason("several-orders", {})
        assert (verdict.outcome == Outcome.ILLEGAL) == (reason is not None)
        assert verdict.reason == reason


@every_variant
@given(seed=seeds)
@settings(max_examples=15, deadline=None)
def test_a_game_of_random_orders_keeps_its_books(name: str, seed: int) -> None:
    variant, rng = load_variant(name), Random(seed)
    choices = rng.choice((DATC, AFJD))
    situation = variant.start()
    for advancement in range(40):
        owing = active_roles(variant, advancement, situation)
        orders = [rng.choice(legal) for legal in legal_orders(variant, advancement, situation).values()]
        if advancement % 5 == 4:
            orders = orders if rng.random() < 0.5 else []
        else:
            for role in owing:
                mine = [order for order in orders if order.role == role]
                assert not faults(variant, advancement, situation, role, mine, choices)
        found = resolve(variant, advancement, situation, orders, choices)
        assert found == resolve(variant, advancement, situation, orders, choices)
        situation = found.situation
        if advancement % 5 in (1, 3):
            assert not situation.dislodged
            assert not situation.forbiddens
        if advancement % 5 == 4:
            assert all(number >= 0 for number in balance(variant, situation).values())
        if advancement % 5 == 3:
            assert {unit.role for unit in situation.units} <= set(situation.ownerships.values())


@every_variant
@given(seed=seeds)
@settings(max_examples=40, deadline=None)
def test_civil_disorder_names_every_unit_once(name: str, seed: int) -> None:
    variant, rng = load_variant(name), Random(seed)
    before = random_situation(variant, rng)
    for choices in (DATC, AFJD):
        for role in range(1, variant.roles + 1):
            mine = [unit for unit in before.units if unit.role == role]
            assert sorted(removal_order(variant, before, role, choices)) == sorted(mine)


@pytest.mark.parametrize(
    ("name", "turn"),
    [
        ("detroit", {"ait": "zen", "bor": "yon", "cla": "val", "dun": "tou", "fou": "roc", "hul": "ors"}),
        ("lagune", {a + x: b + x for x in HERE_AND_THERE for a, b in ("ab", "bc", "ca")}),
    ],
)
@given(seed=seeds)
@settings(max_examples=80, deadline=None)
def test_a_board_that_is_its_own_mirror_gives_mirrored_results(
    name: str, turn: dict[str, str], seed: int
) -> None:
    variant, _, before, orders = phase(name, seed)
    if name == "detroit":
        turn = turn | {there: here for here, there in turn.items()}

    def there(zone: int) -> int:
        code, slash, coast = variant.codes[zone].partition("/")
        return variant.codes.index(turn.get(code, code) + slash + coast) if zone else 0

    mirrored = [
        order._replace(zone=there(order[2]), passive=there(order[3]), destination=there(order[4]))
        for order in orders
    ]
    twin = Situation({}, tuple(unit._replace(zone=there(unit.zone)) for unit in before.units))
    expected, found = resolve(variant, 0, before, orders), resolve(variant, 0, twin, mirrored)
    mirrored_after = {unit._replace(zone=there(unit.zone)) for unit in expected.situation.units}
    assert set(found.situation.units) == mirrored_after


def dislodging(variant: Variant, before: Situation, rng: Random) -> Situation:
    """A situation with dislodged units, if there is any to be found quickly."""
    for _ in range(20):
        found = resolve(variant, 0, before, random_orders(variant, before, rng))
        if found.situation.dislodged:
            break
    return found.situation


def spellings(variant: Variant, situation: Situation, advancement: int, order: Order) -> Iterator[Order]:
    """The ways that `legal_orders` may spell what this order says, whatever else it carries."""
    units: tuple[Unit | Dislodged, ...] = situation.units
    if advancement == 1:
        units = tuple(unit for unit in situation.dislodged if unit.role == order.role)
    stood = {variant.region_of[unit.zone]: unit for unit in units}
    if not 0 < order.zone <= variant.zones:
        return
    unit = stood.get(variant.region_of[order.zone])
    if order.act == Act.BUILD:
        yield Order(order.role, order.act, order.zone, kind=order.kind)
        return
    if unit is None or order.kind not in (0, unit.kind):
        return
    zone, via, passive, destination = unit.zone, order.via_convoy, order.passive, order.destination
    moves = order.act in (Act.MOVE, Act.SUPPORT_MOVE, Act.CONVOY, Act.RETREAT)
    destination = destination if moves else 0
    helps = order.act in (Act.SUPPORT_MOVE, Act.SUPPORT_HOLD, Act.CONVOY)
    if helps and 0 < passive <= variant.zones:
        other = stood.get(variant.region_of[passive])
        passive = other.zone if other else -1
    yield Order(
        order.role, order.act, zone, passive if helps else 0, destination, via and order.act == Act.MOVE
    )
    goes = order.act in (Act.MOVE, Act.RETREAT) and 0 < destination <= variant.regions
    if goes and via and unit.kind == ARMY and not variant.reach[ARMY][zone] >> destination & 1:
        yield Order(order.role, order.act, zone, 0, destination)
    if goes and unit.kind != ARMY and not (via and order.act == Act.MOVE):
        coasts = [c for c in variant.coasts_of[destination] if variant.reach[2][zone] >> c & 1]
        if len(coasts) == 1:
            yield Order(order.role, order.act, zone, 0, coasts[0])
