"""Phases that end on a date: the deadline, the grace, civil disorder, and what a master may change."""

from __future__ import annotations

from datetime import datetime
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import pytest

from tablee.rules.calendar import DAY, HOUR, UTC
from tablee.rules.contract import (
    CLOCK,
    MASTER,
    Action,
    Alarm,
    Fact,
    Illegal,
    Late,
    Replace,
    Seat,
    TimeGivenBack,
)
from tablee.rules.diplomacy.game import (
    Adjudicate,
    Adjudicated,
    ChangeOptions,
    DeadlineSet,
    DiplomacyOptions,
    Disordered,
    ImposeDisorder,
    Overdue,
    Respite,
    Save,
    SetDeadline,
    SetPosition,
    Submit,
    Vote,
)
from tablee.rules.diplomacy.model import Act, Order, Situation, Unit
from tablee.rules.diplomacy.rules import DiplomacyRules
from tablee.rules.diplomacy.variant import load_variant
from tablee.rules.diplomacy.views import ToldOverdue
from tablee.tables.calendar import ClubCalendar

RULES = DiplomacyRules()
STANDARD = load_variant("standard")
MONDAY = 1_699_833_600_000  # the 13th of November 2023, at midnight
NOON = MONDAY + 12 * HOUR
ZONE = {code: zone for zone, code in enumerate(STANDARD.codes)}


class Table:
    """A game in progress; role n is played by seat n unless it is an archive."""

    def __init__(self, seats: int = 7, at: int = NOON, **options: Any) -> None:
        deal = {} if options.get("archive") else {"deal": tuple(range(1, 8))}
        chosen = DiplomacyOptions(calendar=True, **{**deal, **options})
        self.state: Any = None
        self.at = at
        for fact in RULES.setup(chosen, range(1, seats + 1), at, Random(2)):
            self.state = RULES.evolve(self.state, fact)

    def play(self, seat: Seat, action: Action, at: int | None = None) -> list[Fact]:
        self.at = at or self.at
        facts = RULES.decide(self.state, seat, action, self.at, Random(1))
        for fact in facts:
            self.state = RULES.evolve(self.state, fact)
        return facts

    def refuses(self, seat: Seat, action: Action) -> str:
        with pytest.raises(Illegal) as refusal:
            self.play(seat, action)
        assert RULES.words("fr")[f"illegal.{refusal.value.code}"].format_map(refusal.value.parts)
        return refusal.value.code

    def submit(self, *roles: int) -> None:
        for role in roles:
            self.play(role, Submit(role))

    def ring(self) -> list[Fact]:
        """Let the clock come to the next alarm, and play it."""
        ((name, when),) = RULES.alarms(self.state).items()
        return self.play(CLOCK, Alarm(name), max(when, self.at))


@pytest.mark.parametrize(
    ("at", "days", "weekends", "day"),
    [
        (NOON, 2, False, 2),
        (NOON, 5, False, 7),
        (NOON, 5, True, 5),
        (NOON + 4 * DAY, 1, False, 7),
        (NOON, 0, False, 0),
        (MONDAY + 20 * HOUR, 0, False, 1),
        (MONDAY + 4 * DAY + 21 * HOUR, 0, False, 7),
    ],
)
def test_a_deadline_is_an_evening_ahead_and_no_weekend_unless_they_are_played(
    at: int, days: int, weekends: bool, day: int
) -> None:
    assert UTC.evening(at, days, weekends) == MONDAY + day * DAY + 20 * HOUR


def test_each_kind_of_phase_has_its_days() -> None:
    table = Table(moves_days=3, retreats_days=2, adjustments_days=1)
    assert table.state.deadline == MONDAY + 3 * DAY + 20 * HOUR
    for advancement, days in ((1, 2), (2, 3), (3, 2), (4, 1)):
        dislodged = Situation(units=(Unit(1, 1, ZONE["par"]),), dislodged=())
        facts = table.play(
            MASTER, SetPosition(STANDARD.start() if advancement == 2 else dislodged, advancement)
        )
        last = facts[-1]
        assert isinstance(last, DeadlineSet)
        phase = table.state.advancement
        wanted = {0: 3, 1: 2, 2: 3, 3: 2, 4: 1}[phase % 5]
        assert last.deadline == MONDAY + wanted * DAY + 20 * HOUR, (advancement, days)


def test_a_table_has_an_hour_of_its_own_to_the_minute() -> None:
    table = Table(hour="07:05")
    assert table.state.deadline == MONDAY + 2 * DAY + 7 * HOUR + 5 * 60_000
    early = Table(hour="07:05", moves_days=0)
    assert early.state.deadline == MONDAY + DAY + 7 * HOUR + 5 * 60_000  # this morning is past
    for hour in ("7:05", "24:00", "12:60", "midi"):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({"hour": hour}, DiplomacyOptions)
    assert Table(hour="").state.deadline == Table().state.deadline == MONDAY + 2 * DAY + 20 * HOUR


def test_the_hour_of_a_table_holds_when_the_club_s_clocks_change() -> None:
    calendar = ClubCalendar("Europe/Paris")
    before = datetime(2026, 10, 23, 12, tzinfo=ZoneInfo("Europe/Paris"))
    for days in range(4):
        at = calendar.evening(round(before.timestamp() * 1000), days, True, 21 * 60 + 45)
        there = datetime.fromtimestamp(at / 1000, ZoneInfo("Europe/Paris"))
        assert (there.day, there.hour, there.minute) == (23 + days, 21, 45)


def test_who_is_late_and_until_when_is_known_to_the_house_until_he_has_said_that_is_all() -> None:
    table = Table(grace=12)
    assert RULES.late(table.state) is None
    table.submit(1, 2, 3, 4, 5)
    table.ring()
    until = MONDAY + 2 * DAY + 32 * HOUR
    assert RULES.late(table.state) == Late((6, 7), until)
    zone = next(unit.zone for unit in table.state.situation.units if unit.role == 7)
    table.play(7, Save(7, (Order(7, Act.HOLD, zone),)))
    assert RULES.late(table.state) == Late((6, 7), until)
    table.submit(7)
    assert RULES.late(table.state) == Late((6,), until)
    waits = Table(disorder_moves=False)
    waits.ring()
    waits.ring()
    assert RULES.late(waits.state) == Late(tuple(range(1, 8)), None)


def test_orders_that_are_all_there_are_adjudicated_at_the_deadline_and_not_before() -> None:
    table = Table()
    table.submit(*range(1, 8))
    assert table.state.advancement == 0
    facts = table.ring()
    assert isinstance(facts[0], Adjudicated)
    assert isinstance(facts[-1], DeadlineSet)
    assert table.at == MONDAY + 2 * DAY + 20 * HOUR


def test_a_late_role_gets_its_grace_and_then_civil_disorder() -> None:
    table = Table(grace=24)
    table.submit(1, 2, 3, 4, 5, 6)
    (late,) = table.ring()
    assert late == Overdue((7,), table.at)
    assert RULES.view(table.state, 7).late == (7,)
    assert RULES.view(table.state, 1).late == ()
    told = RULES.tell(table.state, late, table.state, 1)
    assert told == ToldOverdue(())
    facts = table.ring()
    assert table.at == MONDAY + 3 * DAY + 20 * HOUR
    assert facts[0] == Disordered((7,), CLOCK)
    assert isinstance(facts[1], Adjudicated)
    assert any(verdict.by_default for verdict in facts[1].verdicts if verdict.order.role == 7)


def test_late_orders_within_the_grace_resolve_the_phase_at_once() -> None:
    table = Table()
    table.submit(1, 2, 3, 4, 5, 6)
    table.ring()
    facts = table.play(7, Submit(7))
    assert [type(fact).__name__ for fact in facts][:2] == ["Sealed", "Adjudicated"]


def test_where_civil_disorder_is_not_possible_the_game_waits_for_the_player_or_the_master() -> None:
    for mended in ("player", "master", "imposed"):
        table = Table(disorder_moves=False)
        table.submit(1, 2, 3, 4, 5, 6)
        table.ring()
        assert table.ring() == [Disordered((), CLOCK)]
        assert RULES.alarms(table.state) == {}
        assert table.state.advancement == 0
        if mended == "player":
            table.submit(7)
        elif mended == "master":
            assert table.refuses(MASTER, Adjudicate()) == "missing"
            table.play(MASTER, Adjudicate(civil_disorder=True))
        else:
            table.play(MASTER, ImposeDisorder(7))
        assert table.state.advancement == 2


def test_civil_disorder_is_possible_by_what_a_role_owes() -> None:
    start = STANDARD.start()
    paris = next(unit for unit in start.units if unit.zone == ZONE["par"])
    units = (*(unit for unit in start.units if unit != paris), Unit(3, 1, ZONE["bur"]))
    for builds, removals, fallen in ((True, False, (2,)), (False, True, (3,)), (True, True, (2, 3))):
        table = Table(disorder_builds=builds, disorder_removals=removals)
        table.play(MASTER, SetPosition(Situation(start.ownerships, units), 4))
        table.ring()
        assert table.ring()[0] == Disordered(fallen, CLOCK)


def test_imposed_disorder_drops_orders_until_new_ones_come() -> None:
    table = Table()
    table.submit(7)
    table.play(MASTER, ImposeDisorder(7))
    assert 7 not in table.state.sealed
    assert table.state.disorder == (7,)
    table.submit(7)
    assert table.state.disorder == ()
    assert table.refuses(MASTER, ImposeDisorder(9)) == "nothing_owed"
    assert table.refuses(1, ImposeDisorder(7)) == "master_only"


def test_a_deadline_that_passed_while_no_node_ran_is_played_after_a_respite() -> None:
    table = Table()
    assert table.play(CLOCK, TimeGivenBack(5000)) == []
    after = table.state.deadline + 3 * HOUR
    assert table.play(CLOCK, TimeGivenBack(5 * HOUR), after) == [Respite(after + 15 * 60_000)]
    assert RULES.alarms(table.state) == {"deadline": after + 15 * 60_000}
    assert RULES.view(table.state, 1).waits_until == after + 15 * 60_000
    table.ring()
    assert RULES.alarms(table.state) == {"grace": table.state.deadline + 24 * HOUR}


def test_everybody_sees_until_when_late_orders_are_waited_for_with_any_respite() -> None:
    table = Table(grace=24)
    assert RULES.view(table.state, 7).waits_until is None, "the deadline itself"
    table.submit(1, 2, 3, 4, 5, 6)
    table.ring()
    by = table.state.deadline
    for seat in (1, 7, MASTER):
        assert RULES.view(table.state, seat).waits_until == by + 24 * HOUR
    table.play(MASTER, ChangeOptions(msgspec.structs.replace(table.state.options, grace=30)))
    assert RULES.view(table.state, 7).waits_until == by + 30 * HOUR
    # No node ran when the grace was over.
    after = by + 40 * HOUR
    table.play(CLOCK, TimeGivenBack(12 * HOUR), after)
    late = RULES.late(table.state)
    assert late is not None
    assert RULES.view(table.state, 7).waits_until == late.until == after + 15 * 60_000


def test_where_the_game_waits_after_the_grace_there_is_no_end_to_see() -> None:
    table = Table(grace=24, disorder_moves=False)
    table.submit(1, 2, 3, 4, 5, 6)
    table.ring()
    table.ring()
    assert RULES.view(table.state, 7).late == (7,)
    assert RULES.view(table.state, 7).waits_until is None


def test_the_master_moves_the_deadline_and_changes_options_but_not_all() -> None:
    table = Table()
    table.play(MASTER, SetDeadline(NOON + 9 * DAY))
    assert RULES.alarms(table.state) == {"deadline": NOON + 9 * DAY}
    options = table.state.options

    def other(**changes: Any) -> ChangeOptions:
        return ChangeOptions(
            DiplomacyOptions(**{**{n: getattr(options, n) for n in options.__struct_fields__}, **changes})
        )

    assert table.refuses(MASTER, other(archive=True)) == "option_fixed"
    assert table.refuses(MASTER, other(show_in=True)) == "option_fixed"
    assert table.refuses(MASTER, other(victory=99)) == "bad_victory"
    assert table.refuses(MASTER, other()) == "no_change_of_options"
    table.play(MASTER, other(victory=20, calendar=False))
    assert (table.state.victory, RULES.alarms(table.state)) == (20, {})
    assert table.refuses(MASTER, SetDeadline(NOON)) == "no_calendar"
    facts = table.play(MASTER, other(victory=20))
    assert isinstance(facts[-1], DeadlineSet)


def test_in_an_archive_the_master_plays_every_role() -> None:
    table = Table(seats=0, archive=True, sharing="none")
    assert table.state.holders == (MASTER,) * 7
    for role in range(1, 8):
        table.play(MASTER, Submit(role))
    table.play(MASTER, Adjudicate())
    assert table.state.advancement == 2
    assert table.state.ended is None
    with_players = Table(seats=2, archive=True)
    assert with_players.refuses(1, Submit(with_players.state.roles_of(1)[0])) == "archive"


def test_who_replaces_a_player_has_not_voted() -> None:
    table = Table()
    table.play(1, Vote(True))
    table.play(1, Replace("Zoé"))
    assert table.state.votes == ()


def test_a_deal_names_every_role_and_players_of_the_game_alone() -> None:
    for deal in ((1, 2, 3), (1, 2, 3, 4, 5, 6, 9), (0, 2, 3, 4, 5, 6, 7)):
        with pytest.raises(Illegal, match="bad_deal"):
            RULES.setup(DiplomacyOptions(deal=deal), range(1, 8), NOON, Random(1))
