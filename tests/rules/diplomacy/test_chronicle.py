"""A game season by season, as its facts tell it."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from tablee.rules.contract import MASTER, SPECTATOR, Action, Fact
from tablee.rules.diplomacy.chronicle import Chronicle
from tablee.rules.diplomacy.game import (
    Adjudicate,
    DiplomacyOptions,
    DiplomacyState,
    SetPosition,
    Submit,
    Undo,
)
from tablee.rules.diplomacy.model import Act, Order, Situation, Unit
from tablee.rules.diplomacy.rules import DiplomacyRules
from tablee.rules.diplomacy.variant import load_variant

STANDARD = load_variant("standard")
ZONE = {code: zone for zone, code in enumerate(STANDARD.codes)}
RULES = DiplomacyRules()
FRANCE = 2


class Game:
    """A game whose facts are told as they come, a second apart."""

    def __init__(self) -> None:
        self.chronicle = Chronicle()
        self.masters = Chronicle()
        self.now: DiplomacyState | None = None
        self.at = 0
        self.tell(RULES.setup(DiplomacyOptions(), range(1, 8), self.at, Random(2)))

    @property
    def state(self) -> DiplomacyState:
        assert self.now is not None
        return self.now

    def tell(self, facts: list[Fact]) -> None:
        for fact in facts:
            before, self.now = self.now, RULES.evolve(self.now, fact)
            for chronicle, seat in ((self.chronicle, SPECTATOR), (self.masters, MASTER)):
                told = RULES.tell(before, fact, self.now, seat)
                if told is not None:
                    chronicle.take(told, self.at)

    def play(self, seat: int, action: Action) -> None:
        self.at += 1000
        self.tell(RULES.decide(self.state, seat, action, self.at, Random(1)))

    def moves(self, **goals: str) -> None:
        """France moves, everybody else holds."""
        orders = tuple(Order(FRANCE, Act.MOVE, ZONE[unit], 0, ZONE[goal]) for unit, goal in goals.items())
        self.play(self.state.holder(FRANCE), Submit(FRANCE, orders))
        self.play(MASTER, Adjudicate(civil_disorder=True))

    def kinds(self) -> list[tuple[str, int]]:
        return [(each.kind, each.advancement) for each in self.chronicle.passages]


def test_the_start_is_counted_as_the_end_of_the_year_before() -> None:
    game = Game()
    assert game.chronicle.passages == []
    assert game.chronicle.centres == {1900: {1: 3, 2: 3, 3: 3, 4: 3, 5: 3, 6: 4, 7: 3}}


def test_phases_are_numbered_with_the_positions_around_them() -> None:
    game = Game()
    start = game.state.situation
    game.moves(mar="spa")
    assert game.kinds() == [("adjudicated", 0), ("passed", 1)]
    game.moves()
    assert game.kinds() == [
        ("adjudicated", 0),
        ("passed", 1),
        ("adjudicated", 2),
        ("passed", 3),
    ]
    passages = game.chronicle.passages
    assert [each.number for each in passages] == [1, 2, 3, 4]
    assert passages[0].before == start
    assert all(left.after == right.before for left, right in pairwise(passages))
    assert passages[0].verdicts[0].order.destination == ZONE["spa"]
    assert passages[0].at == game.at - 2000
    assert game.chronicle.centres[1901][FRANCE] == 4


def test_a_position_set_by_the_master_is_a_step_of_its_own() -> None:
    game = Game()
    game.moves(mar="spa")
    centre = STANDARD.centre_of[ZONE["spa"]]
    there = Situation({centre: FRANCE}, (Unit(FRANCE, 1, ZONE["spa"]),))
    was = game.state.situation
    game.play(MASTER, SetPosition(there, 2))
    last = game.chronicle.passages[-1]
    assert (last.kind, last.advancement, last.before, last.after) == ("set", 2, was, there)
    assert game.chronicle.centres == {1900: {**dict.fromkeys(range(1, 8), 0), FRANCE: 1}}
    game.moves()
    resolved = [each for each in game.chronicle.passages if each.kind == "adjudicated"][-1]
    assert resolved.before == there


def test_a_position_set_back_by_years_takes_the_later_years_with_it() -> None:
    game = Game()
    start = game.state.situation
    game.moves(mar="spa")
    game.moves()
    assert set(game.chronicle.centres) == {1900, 1901}
    game.play(MASTER, SetPosition(start, 0))
    assert set(game.chronicle.centres) == {1900}
    assert game.chronicle.passages[-1].number == len(game.chronicle.passages)


def test_what_the_master_takes_back_stays_in_the_chronicle_as_such() -> None:
    game = Game()
    start = game.state.situation
    game.moves(mar="spa")
    game.moves()
    assert set(game.chronicle.centres) == {1900, 1901}
    game.play(MASTER, Undo())
    passages = game.chronicle.passages
    assert [(each.kind, each.taken_back) for each in passages] == [
        ("adjudicated", False),
        ("passed", False),
        ("adjudicated", True),
        ("passed", True),
        ("undone", False),
    ]
    assert passages[-1].advancement == 2
    assert passages[-1].after == passages[1].after != start
    assert set(game.chronicle.centres) == {1900}
    game.moves(spa="por")
    standing = [each for each in game.chronicle.passages if not each.taken_back]
    assert [each.advancement for each in standing if each.kind == "adjudicated"] == [0, 2]
    assert game.chronicle.centres[1901][FRANCE] == 4


def test_what_the_master_orders_for_others_is_told_to_him_and_to_no_spectator() -> None:
    game = Game()
    game.moves(par="bur", mar="spa", bre="mid")
    orders = (Order(FRANCE, Act.HOLD, ZONE["bur"]),)
    game.play(MASTER, Submit(FRANCE, orders))
    [correction] = game.masters.corrections
    assert (correction.advancement, correction.role, correction.orders) == (2, FRANCE, orders)
    assert correction.at == game.at
    assert game.chronicle.corrections == []
    assert game.masters.passages == game.chronicle.passages
