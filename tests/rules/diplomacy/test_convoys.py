"""Which fleets a chain of convoys needs: exactly where they are few, quickly where they are many."""

from __future__ import annotations

from random import Random

import pytest
from tests.rules.diplomacy import plain
from tests.rules.diplomacy.boards import open_sea
from tests.rules.diplomacy.phases_at_random import plain_board

from tablee.rules.diplomacy import convoys
from tablee.rules.diplomacy.convoys import EXACT, chain_among, flood, joined, on_the_way
from tablee.rules.diplomacy.legal import legal_orders
from tablee.rules.diplomacy.model import Act, Order, Situation, Unit
from tablee.rules.diplomacy.validation import Ground, check
from tablee.rules.diplomacy.variant import COAST, SEA, Variant, bits, load_variant, members, variant_names


def seas(variant: Variant) -> list[int]:
    return [region for region in range(1, variant.regions + 1) if variant.terrain[region] == SEA]


def coasts(variant: Variant) -> list[int]:
    return [region for region in range(1, variant.regions + 1) if variant.terrain[region] == COAST]


def some_fleets(variant: Variant, rng: Random, most: int) -> tuple[Ground, int, int]:
    """Fleets on some of the seas, and two coasts."""
    chosen = rng.sample(seas(variant), min(most, rng.randint(1, len(seas(variant)))))
    origin, destination = rng.sample(coasts(variant), 2)
    return Ground(variant, [Unit(1, 2, sea) for sea in chosen]), origin, destination


def walked(variant: Variant, fleets: int, origin: int, destination: int) -> int:
    """The same by walking every way without a short cut."""
    code = [each.upper() for each in variant.codes]
    names = {code[sea]: sea for sea in members(fleets)}
    ways = plain.routes(plain_board(variant), set(names), code[origin], code[destination])
    return bits({names[sea] for way in ways for sea in way})


@pytest.mark.parametrize("board", [*map(load_variant, variant_names()), open_sea(4, 4), open_sea(5, 3)])
def test_the_fleets_that_are_needed_are_those_on_a_way_without_a_short_cut(board: Variant) -> None:
    for seed in range(300):
        ground, origin, destination = some_fleets(board, Random(seed), 14)
        between = ground.between(board, origin, destination)
        found = chain_among(board, between, origin, destination) if between else 0
        assert found == walked(board, ground.fleets, origin, destination), seed
        assert bool(found) == joined(board, ground.fleets, origin, destination)


def test_what_is_said_of_many_fleets_is_never_less_than_what_is_exact(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    board = open_sea(5, 5)
    for seed in range(400):
        ground, origin, destination = some_fleets(board, Random(seed), 20)
        between = ground.between(board, origin, destination)
        if not between:
            continue
        near, far = board.seas_of[origin], board.seas_of[destination]
        exact = chain_among(board, between, origin, destination)
        with monkeypatch.context() as patched:
            patched.setattr(convoys, "EXACT", 0)
            board.chains.clear()
            rough = chain_among(board, between, origin, destination)
            board.chains.clear()
        assert exact & ~rough == 0, seed
        assert (exact ^ rough) & (near | far) == 0, seed


def test_the_fleets_on_some_way_are_those_with_two_arms_that_share_no_sea() -> None:
    board = open_sea(4, 4)
    for seed in range(300):
        ground, origin, destination = some_fleets(board, Random(seed), 11)
        fleets = ground.between(board, origin, destination)
        near, far = board.seas_of[origin] & fleets, board.seas_of[destination] & fleets
        expected = bits(fleet for fleet in members(fleets) if has_two_arms(board, fleets, near, far, fleet))
        assert on_the_way(board.sea_next, fleets, near, far) == expected, seed


def has_two_arms(board: Variant, fleets: int, near: int, far: int, fleet: int) -> bool:
    """By trying every arm to the near end, with what it leaves for the other."""

    def reaches(tip: int, left: int) -> bool:
        if near >> tip & 1:
            other = flood(board.sea_next, board.sea_next[fleet], left) & far
            if other or far >> fleet & 1:
                return True
        return any(reaches(step, left & ~(1 << step)) for step in members(board.sea_next[tip] & left))

    return reaches(fleet, fleets & ~(1 << fleet))


@pytest.mark.parametrize("armies", [1, 4])
def test_every_order_on_a_sea_of_300_fleets_is_found_and_accepted(armies: int) -> None:
    board = open_sea(20, 15)
    assert len(seas(board)) == 300 > EXACT
    fleets = [Unit(1, 2, sea) for sea in seas(board)]
    shore = coasts(board)
    landed = [Unit(2, 1, shore[n * len(shore) // armies]) for n in range(armies)]
    situation = Situation(units=(*fleets, *landed))
    legal = [order for found in legal_orders(board, 0, situation).values() for order in found]
    convoying = [order for order in legal if order.act == Act.CONVOY]
    assert len({(order.passive, order.destination) for order in convoying}) == armies * (len(shore) - 1)
    rng = Random(1)
    for order in rng.sample(legal, 300):
        assert check(board, 0, situation, order) is None
    known = set(legal)
    for _ in range(300):
        army, sea, there = rng.choice(landed), rng.choice(fleets), rng.choice(shore)
        tried = Order(1, Act.CONVOY, sea.zone, army.zone, there)
        assert (check(board, 0, situation, tried) is None) == (tried in known)


def test_a_ring_of_fleets_with_a_spur_needs_no_spur() -> None:
    board = open_sea(20, 15)
    number = {(x, y): 1 + (y + 1) * 22 + x + 1 for x in range(-1, 21) for y in range(-1, 16)}
    row = [(x, 5) for x in range(20)]
    spur = [(10, y) for y in range(7, 15)]
    units = [Unit(1, 2, number[place]) for place in (*row, (10, 6), *spur)]
    ground = Ground(board, units)
    west, east = number[-1, 5], number[20, 5]
    between = ground.between(board, west, east)
    assert between.bit_count() == len(units) > EXACT
    needed = chain_among(board, between, west, east)
    assert needed & bits(number[place] for place in spur) == 0
    assert needed == bits(number[place] for place in row) | (needed & 1 << number[10, 6])
