"""Diplomacy at a table: sealed orders, the master, the clock, votes, and the end."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from tablee.rules.contract import (
    CLOCK,
    MASTER,
    SPECTATOR,
    Action,
    Alarm,
    Fact,
    Illegal,
    Join,
    Leave,
    Replace,
    Seat,
    TimeGivenBack,
    Timeout,
)
from tablee.rules.diplomacy.game import (
    Adjudicate,
    Adjudicated,
    CameIn,
    DiplomacyOptions,
    DiplomacyState,
    Ended,
    Pause,
    SetPosition,
    Stop,
    Submit,
    Vote,
)
from tablee.rules.diplomacy.model import Act, Dislodged, Order, Outcome, Situation, Unit
from tablee.rules.diplomacy.rules import DiplomacyRules
from tablee.rules.diplomacy.showing import show_situation
from tablee.rules.diplomacy.variant import load_variant
from tablee.rules.diplomacy.views import VerdictView

NOON = 1_700_000_000_000
STANDARD = load_variant("standard")
ZONE = {code: zone for zone, code in enumerate(STANDARD.codes)}
RULES = DiplomacyRules()


class Table:
    """A game in progress; role n is played by seat n."""

    def __init__(self, seats: int = 7, **options: Any) -> None:
        facts = RULES.setup(DiplomacyOptions(**options), range(1, seats + 1), NOON, Random(2))
        self.state: Any = None
        self.at = NOON
        self.said: dict[str, str] = {}
        """The last refusal, by language."""
        for fact in facts:
            self.state = RULES.evolve(self.state, fact)

    def play(self, seat: Seat, action: Action) -> list[Fact]:
        facts = RULES.decide(self.state, seat, action, self.at, Random(1))
        for fact in facts:
            self.state = RULES.evolve(self.state, fact)
        return facts

    def refuses(self, seat: Seat, action: Action) -> str:
        with pytest.raises(Illegal) as refusal:
            self.play(seat, action)
        assert not RULES.legal(self.state, seat).allows(action)
        self.said = {
            language: RULES.words(language)[f"illegal.{refusal.value.code}"].format_map(refusal.value.parts)
            for language in ("fr", "en")
        }
        return refusal.value.code

    def seat(self, role: int) -> Seat:
        return self.state.holder(role)  # type: ignore[no-any-return]

    def finals(self, but: int = 0) -> list[Fact]:
        """Everybody who owes orders but one gives none, and means it."""
        found: list[Fact] = []
        for role in range(1, 8):
            if role != but and RULES.legal(self.state, self.seat(role)).allows(Submit(role, (), True)):
                found = self.play(self.seat(role), Submit(role, (), True))
        return found


def order(role: int, zone: str, to: str) -> Order:
    return Order(role, Act.MOVE, ZONE[zone], 0, ZONE[to])


def test_orders_are_seen_by_their_own_role_and_the_master_alone() -> None:
    table = Table()
    before = {seat: RULES.view(table.state, seat) for seat in (*range(1, 8), SPECTATOR)}
    first, second = order(2, "par", "bur"), order(2, "par", "pic")
    for given in (first, second):
        (sealed,) = table.play(table.seat(2), Submit(2, (given,)))
        for seat in (*range(1, 8), SPECTATOR):
            told = RULES.tell(table.state, sealed, table.state, seat)
            assert (told is not None) == (seat == table.seat(2))
            if seat != table.seat(2):
                assert RULES.view(table.state, seat) == before[seat]
    own = RULES.view(table.state, table.seat(2)).orders
    assert own == {2: (second,)} == RULES.view(table.state, MASTER).orders


def test_that_orders_are_final_is_shown_only_where_the_table_says_so() -> None:
    for shown in (False, True):
        table = Table(show_in=shown)
        facts = table.play(table.seat(2), Submit(2, (), final=True))
        assert facts[-1] == CameIn(2)
        other = RULES.view(table.state, table.seat(1)).roles[2].is_in
        assert other is (True if shown else None)
        assert (table.seat(2) in RULES.waiting(table.state)) is not shown
        assert (RULES.tell(table.state, CameIn(2), table.state, SPECTATOR) is not None) is shown


def test_the_last_final_orders_adjudicate_and_idle_phases_are_passed_over() -> None:
    table = Table()
    assert table.finals(but=2)[-1].__class__ is CameIn
    facts = table.play(table.seat(2), Submit(2, (order(2, "par", "bur"),), final=True))
    assert [type(fact).__name__ for fact in facts] == ["Sealed", "CameIn", "Adjudicated", "PassedOver"]
    assert table.state.advancement == 2
    assert Unit(2, 1, ZONE["bur"]) in table.state.situation.units
    last = RULES.view(table.state, SPECTATOR).last
    assert last is not None
    assert VerdictView(order(2, "par", "bur"), Outcome.SUCCEEDS, marks=(), reason=None) in last.verdicts


def test_final_orders_stay_and_illegal_ones_are_refused_by_name() -> None:
    table = Table()
    assert table.refuses(table.seat(2), Submit(2, (order(2, "par", "lon"),))) == "order-not-adjacent"
    assert table.refuses(table.seat(2), Submit(2, (order(3, "mun", "bur"),))) == "order-not-your-role"
    twice = (order(2, "par", "bur"), order(2, "par", "pic"))
    assert table.refuses(table.seat(2), Submit(2, twice)) == "order-already-ordered"
    assert table.refuses(table.seat(2), Submit(3, ())) == "not_your_role"
    assert table.refuses(SPECTATOR, Submit(3, ())) == "not_a_player"
    table.play(table.seat(2), Submit(2, (), final=True))
    assert table.refuses(table.seat(2), Submit(2, ())) == "final"


def test_a_refused_order_is_named_to_each_reader_in_his_own_notation() -> None:
    table = Table()
    far = Order(2, Act.SUPPORT_MOVE, ZONE["par"], ZONE["mun"], ZONE["tyr"])
    assert table.refuses(table.seat(2), Submit(2, (far,))) == "order-support-out-of-reach"
    assert table.said == {
        "fr": "A PAR S allemand A MUN - TYR : l’unité ne peut aller en TYR, donc n’y soutient rien.",
        "en": "A PAR S German A MUN - TYR: the unit cannot go to TYR, so it supports nothing there.",
    }
    held = Order(2, Act.HOLD, ZONE["par"])
    table.refuses(table.seat(2), Submit(2, (held, held)))
    assert table.said["fr"].startswith("A PAR T : ")
    assert table.said["en"].startswith("A PAR H: ")
    table.refuses(table.seat(2), Submit(2, (Order(2, Act.DISBAND, ZONE["par"]),)))
    assert "disperser" in table.said["fr"]
    assert "disband" in table.said["en"]
    for nonsense in (Order(2, 77, ZONE["par"]), Order(2, Act.MOVE, ZONE["par"], 0, 999), Order(2, 1, -5)):
        table.refuses(table.seat(2), Submit(2, (nonsense,)))
        assert str([int(number) for number in nonsense]) in table.said["en"]


def test_fewer_players_share_the_powers() -> None:
    table = Table(seats=3)
    assert sorted(len(table.state.roles_of(seat)) for seat in (1, 2, 3)) == [2, 2, 3]
    seat = table.seat(2)
    assert set(RULES.legal(table.state, seat).describe()["submit"]) == {
        str(r) for r in table.state.roles_of(seat)
    }


def test_the_master_adjudicates_corrects_orders_and_the_position_and_stops() -> None:
    table = Table(adjudication="master")
    table.finals()
    assert table.state.advancement == 0
    assert table.refuses(table.seat(1), Adjudicate()) == "master_only"
    table.play(MASTER, Submit(2, (order(2, "par", "bur"),)))
    table.play(MASTER, Adjudicate())
    assert Unit(2, 1, ZONE["bur"]) in table.state.situation.units
    assert table.refuses(MASTER, Adjudicate()) == "missing"
    table.play(MASTER, Adjudicate(civil_disorder=True))
    crowd = Situation(units=(Unit(1, 1, ZONE["adr"]),))
    assert table.refuses(MASTER, SetPosition(crowd, 0)) == "bad_position"
    table.play(MASTER, SetPosition(STANDARD.start(), 2))
    assert RULES.view(table.state, 1).situation == show_situation(STANDARD.start())
    table.play(MASTER, Stop())
    assert table.refuses(table.seat(1), Vote(True)) == "over"
    result = RULES.result(table.state)
    assert result is not None
    assert (result.reason, result.rated) == ("stopped", False)


def test_the_clock_adjudicates_with_the_orders_that_are_there() -> None:
    table = Table(minutes=10)
    assert RULES.alarms(table.state) == {"deadline": NOON + 600_000}
    assert table.play(CLOCK, Alarm("deadline")) == []
    table.play(table.seat(2), Submit(2, (order(2, "par", "bur"),)))
    table.play(CLOCK, TimeGivenBack(1000))
    table.at = NOON + 601_000
    facts = table.play(CLOCK, Alarm("deadline"))
    assert isinstance(facts[0], Adjudicated)
    assert Unit(2, 1, ZONE["bur"]) in table.state.situation.units
    assert RULES.alarms(table.state) == {"deadline": table.at + 600_000}


def test_a_player_whose_time_is_up_or_who_left_is_not_waited_for() -> None:
    table = Table()
    table.finals(but=2)
    table.play(CLOCK, Timeout(table.seat(2)))
    assert table.state.advancement == 2
    table.play(table.seat(2), Leave())
    table.finals()
    assert table.state.advancement > 2
    table.play(table.seat(2), Replace("Zoé"))
    assert RULES.legal(table.state, table.seat(2)).sample(Random(1)) is not None
    assert table.refuses(3, Join("Zoé")) == "no_joining"


def test_one_role_of_several_goes_over_to_another_seat() -> None:
    table = Table(sharing="any", seats=2)
    mine, theirs = table.state.roles_of(1), table.state.roles_of(2)
    table.play(1, Vote(True))
    table.play(3, Replace("Zoé", role=mine[0]))
    assert table.state.roles_of(3) == mine[:1]
    assert table.state.roles_of(1) == mine[1:]
    assert table.state.seats == (1, 2, 3)
    table.play(1, Replace("Léa", role=theirs[0]))
    assert table.state.votes == ()  # with another role he has not voted yet
    assert table.refuses(1, Replace("Léa", role=theirs[0])) == "role_not_alone"
    assert table.refuses(3, Replace("Zoé", role=99)) == "role_not_alone"
    assert table.refuses(MASTER, Replace("Zoé", role=1)) == "role_not_alone"
    assert Table().refuses(1, Replace("Zoé", role=2)) == "role_not_alone"


def test_who_has_no_role_at_the_end_has_no_rank() -> None:
    table = Table(sharing="any", deal=(1, 1, 1, 1, 2, 2, 2), seats=3)
    table.play(MASTER, Stop())
    result = RULES.result(table.state)
    assert result is not None
    assert set(result.ranks) == {1, 2}


def test_a_draw_needs_every_player_who_is_left() -> None:
    table = Table(seats=3)
    table.play(1, Leave())
    table.play(2, Vote(True))
    assert table.refuses(2, Vote(True)) == "no_change"
    table.play(3, Vote(True))
    result = RULES.result(table.state)
    assert result is not None
    assert result.reason == "draw"


def left_to(*roles: int) -> Situation:
    """A position in which only these roles have anything."""
    units = tuple(unit for unit in STANDARD.start_units if unit.role in roles)
    owned = {centre: role for centre, role in STANDARD.start().ownerships.items() if role in roles}
    return Situation(owned, units)


def test_whoever_is_eliminated_neither_votes_nor_blocks_a_draw() -> None:
    table = Table()
    table.play(MASTER, SetPosition(left_to(2, 3), 0))
    out = table.seat(1)
    assert table.refuses(out, Vote(True)) == "eliminated"
    assert "vote" not in RULES.legal(table.state, out).describe()
    table.play(table.seat(2), Vote(True))
    assert table.state.ended is None
    assert isinstance(table.play(table.seat(3), Vote(True))[-1], Ended)
    assert table.state.ended == "draw"


def test_a_draw_that_all_but_one_voted_for_comes_true_when_he_is_eliminated() -> None:
    table = Table(adjudication="master")
    table.play(MASTER, SetPosition(left_to(2, 3), 0))
    table.play(table.seat(2), Vote(True))
    doomed = Situation(left_to(2).ownerships, (*left_to(2).units, Unit(3, 1, ZONE["ruh"])))
    table.play(MASTER, SetPosition(doomed, 2))
    assert table.state.ended is None
    facts = table.play(MASTER, Adjudicate(civil_disorder=True))
    assert facts[-1] == Ended("draw")


def test_a_game_that_only_the_eliminated_have_not_left_is_abandoned() -> None:
    table = Table(cycles=99)
    table.play(MASTER, SetPosition(left_to(2, 3), 0))
    table.play(table.seat(2), Leave())
    assert table.play(table.seat(3), Leave())[-1] == Ended("abandoned")


@pytest.mark.parametrize("advancement", [0, 2, 4])
def test_who_is_dislodged_outside_a_phase_of_retreats_is_destroyed_by_its_resolution(
    advancement: int,
) -> None:
    table = Table()
    position = Situation(units=(Unit(3, 1, ZONE["par"]),), dislodged=(Dislodged(2, 1, ZONE["par"]),))
    table.play(MASTER, SetPosition(position, advancement))
    assert table.state.situation.dislodged == position.dislodged
    resolved = next(
        fact
        for fact in table.play(MASTER, Adjudicate(civil_disorder=True))
        if isinstance(fact, Adjudicated) and fact.advancement == advancement
    )
    assert Unit(2, 1, ZONE["par"]) in resolved.destroyed
    assert resolved.situation.dislodged == ()


def test_the_master_is_shown_the_orders_of_every_role_to_correct_them() -> None:
    table = Table()
    table.play(table.seat(2), Submit(2, (), final=True))
    described = RULES.legal(table.state, MASTER).describe()
    assert set(described) == {
        *("submit", "adjudicate", "set_position", "stop", "impose_disorder", "change_options", "pause"),
    }
    assert set(described["submit"]) == {str(role) for role in range(1, 8)}
    table.play(MASTER, Submit(2, (order(2, "par", "bur"),)))
    assert table.state.sealed[2] == (order(2, "par", "bur"),)


def test_eighteen_centres_at_the_end_of_autumn_win_alone() -> None:
    table = Table()
    ownerships = {**STANDARD.start().ownerships, **dict.fromkeys(range(1, 19), 2)}
    units = (Unit(2, 1, ZONE["par"]), Unit(7, 1, ZONE["smy"]))
    table.play(MASTER, SetPosition(Situation(ownerships, units), 2))
    table.finals()
    result = RULES.result(table.state)
    assert result is not None
    assert (result.reason, result.ranks[table.seat(2)]) == ("solo", 1)
    assert all(rank == 2 for seat, rank in result.ranks.items() if seat != table.seat(2))


def test_the_agreed_years_end_the_game() -> None:
    table = Table(cycles=1)
    while table.state.ended is None:
        table.finals()
    assert table.state.ended == "cycles"
    assert isinstance(table.state, DiplomacyState)
    assert table.state.advancement == 5


def test_a_view_has_what_services_need_besides_its_json() -> None:
    table = Table(minutes=10)
    table.finals()
    deadline = table.state.deadline
    table.play(MASTER, Pause())
    for seat in (table.seat(1), MASTER, SPECTATOR):
        view = RULES.view(table.state, seat)
        assert view.deadline is None
        assert view.unwritten.deadline == deadline
        assert view.unwritten.seats == tuple(range(1, 8))
        assert view.unwritten.options.minutes == 10
        assert view.unwritten.situation == table.state.situation
        assert [each.advancement for each in view.unwritten.played] == [0]
        assert view.roles_of(table.seat(2)) == (2,)
        assert "unwritten" not in msgspec.to_builtins(view, str_keys=True)
