"""Decisions that depend on themselves, up to several hundred at once."""

from __future__ import annotations

from random import Random

import pytest
from tests.rules.diplomacy.boards import generated
from tests.rules.diplomacy.knots import circle, column, convoyed_crowd
from tests.rules.diplomacy.phases_at_random import differences

from tablee.rules.diplomacy import knots
from tablee.rules.diplomacy.adjudication import settle
from tablee.rules.diplomacy.equations import judge_path, judge_support, move_judge
from tablee.rules.diplomacy.field import Field
from tablee.rules.diplomacy.knots import closed_sets
from tablee.rules.diplomacy.model import Act, Order, Outcome, Situation, Unit
from tablee.rules.diplomacy.movement import resolve_moves
from tablee.rules.diplomacy.variant import ARMY, Variant, load_variant, variant_names


@pytest.mark.parametrize("length", [4, 60, 600])
def test_a_circle_of_any_length_goes_round(length: int) -> None:
    board, phase = circle(length)
    found = resolve_moves(board, *phase)
    assert {verdict.outcome for verdict in found.verdicts} == {Outcome.SUCCEEDS}
    assert len(found.situation.units) == length


def test_a_circle_with_one_army_that_stays_stands_still() -> None:
    board, (before, orders) = circle(600)
    orders[300] = Order(orders[300].role, Act.HOLD, orders[300].zone)
    found = resolve_moves(board, before, orders)
    assert [verdict.outcome for verdict in found.verdicts].count(Outcome.BOUNCES) == 599


@pytest.mark.parametrize("backwards", [False, True])
def test_a_column_of_600_moves_up_whatever_the_order_of_its_orders(backwards: bool) -> None:
    board, (before, orders) = column(600)
    given = orders[::-1] if backwards else orders
    found = resolve_moves(board, before, given)
    assert {verdict.outcome for verdict in found.verdicts} == {Outcome.SUCCEEDS}
    stuck = Situation(units=(*before.units, Unit(3, ARMY, 601)))
    found = resolve_moves(board, stuck, given)
    assert [v.outcome for v in found.verdicts].count(Outcome.BOUNCES) == 600


@pytest.mark.parametrize("regions", [200, 600, 1200])
def test_crowds_of_convoys_on_large_boards_agree_with_every_equation(regions: int) -> None:
    board = generated(regions)
    paradoxes = 0
    for seed in range(12):
        field = settled(board, seed)
        paradoxes += len(field.paradox)
        judge = move_judge(field)
        assert all(field.won[region] == judge(region) for region in field.movers)
        assert all(field.given[region] == judge_support(field, region) for region in field.supporting)
        sailing = [region for region in field.movers if field.by_convoy[region]]
        assert all(
            field.path[region] == judge_path(field, region)
            for region in sailing
            if region not in field.paradox
        )
    assert paradoxes


def settled(board: Variant, seed: int) -> Field:
    field = Field(board, *convoyed_crowd(board, Random(seed)))
    settle(field)
    return field


@pytest.mark.parametrize("name", variant_names())
def test_crowds_of_convoys_are_resolved_as_by_the_plain_adjudicator(name: str) -> None:
    variant = load_variant(name)
    for seed in range(60):
        phase = convoyed_crowd(variant, Random(seed))
        assert not differences(variant, phase, resolve_moves(variant, *phase)), seed


def test_a_knot_that_is_given_up_is_a_paradox(monkeypatch: pytest.MonkeyPatch) -> None:
    standard = load_variant("standard")
    monkeypatch.setattr(knots, "PATIENCE", 0)
    monkeypatch.setattr(knots, "PATIENCE_EACH", 0)
    for seed in range(150):
        before, orders = convoyed_crowd(standard, Random(seed))
        field = Field(standard, before, orders)
        settle(field)
        assert min(field.won) >= 0
        assert min(field.given) >= 0
        assert min(field.path) >= 0
        stood = [
            standard.region_of[unit.zone] for unit in resolve_moves(standard, before, orders).situation.units
        ]
        assert len(stood) == len(set(stood))


def test_closed_sets_need_nothing_outside_them() -> None:
    rng = Random(3)
    for _ in range(300):
        nodes = [(0, n) for n in range(rng.randint(1, 9))]
        needs = {node: rng.sample(nodes, rng.randint(0, min(2, len(nodes)))) for node in nodes}
        reach = {node: reached(needs, node) for node in nodes}
        expected = {frozenset(reach[n]) for n in nodes if all(reach[m] == reach[n] for m in reach[n])}
        assert {frozenset(each) for each in closed_sets(needs)} == expected


def reached(
    needs: dict[tuple[int, int], list[tuple[int, int]]], node: tuple[int, int]
) -> set[tuple[int, int]]:
    found = {node}
    frontier = [node]
    while frontier:
        fresh = [need for need in needs[frontier.pop()] if need not in found]
        found.update(fresh)
        frontier += fresh
    return found
