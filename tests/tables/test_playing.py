import asyncio
from collections.abc import Sequence

import pytest
from structlog.testing import capture_logs
from tests.kit.patching import apply_patch
from tests.kit.playing import play
from tests.kit.waiting import until
from tests.tables.conftest import Node
from tests.tables.nim import Note, Stumble, Take, Taken

from tablee.rules.contract import CLOCK, MASTER, SPECTATOR, Alarm, Illegal
from tablee.rules.mines.model import Click
from tablee.store import Refused
from tablee.tables import BadAction, Happened, NoSuchTable, Outcome, Over, RulesFailed, Start
from tablee.tables.patch import plain


async def test_a_move_is_answered_with_what_the_seat_was_told(node: Node) -> None:
    info = await node.nim(*await node.people(2))
    played = await play(node.tables, info.id, 1, Take(2))
    assert played == (1, [Taken(1, 2)], False)
    live = await node.tables.open(info.id)
    assert live.view(2).matches == 19


async def test_the_first_event_of_a_log_is_the_start_with_options_and_seats(node: Node) -> None:
    info = await node.nim(*await node.people(2), options={"matches": 9})
    first = (await node.store.events(info.id))[0]
    live = await node.tables.open(info.id)
    start = live.codec.action(first.action, 1)
    assert first.seat == MASTER
    assert isinstance(start, Start)
    assert start.options["matches"] == 9
    assert [sitting.seat for sitting in start.seats] == [1, 2]


async def test_an_action_may_come_as_json(node: Node) -> None:
    info = await node.nim(*await node.people(2))
    await play(node.tables, info.id, 1, {"do": "take", "matches": 1})
    with pytest.raises(BadAction):
        await play(node.tables, info.id, 2, {"do": "juggle"})
    with pytest.raises(BadAction):
        await play(node.tables, info.id, 2, {"do": "take", "matches": "one"})


async def test_a_refused_move_changes_nothing(node: Node) -> None:
    info = await node.nim(*await node.people(2))
    with pytest.raises(Illegal, match="not_your_turn"):
        await play(node.tables, info.id, 2, Take(1))
    with pytest.raises(Illegal) as refusal:
        await play(node.tables, info.id, 1, Take(5))
    assert refusal.value.parts == {"most": 3}
    assert len(await node.store.events(info.id)) == 1


async def test_a_table_that_does_not_exist_is_not_played_at(node: Node) -> None:
    with pytest.raises(NoSuchTable):
        await play(node.tables, 999_999, 1, Take(1))


async def test_the_same_request_is_played_once_however_often_it_is_sent(node: Node) -> None:
    info = await node.nim(*await node.people(2))
    first, second = await asyncio.gather(
        play(node.tables, info.id, 1, Take(1), "a"), play(node.tables, info.id, 1, Take(1), "a")
    )
    third = await play(node.tables, info.id, 1, Take(1), "a")
    assert (first.duplicate, second.duplicate, third.duplicate) == (False, True, True)
    assert first.told == second.told == third.told
    assert first.version == second.version == third.version == 1
    assert len(await node.store.events(info.id)) == 2


async def test_a_request_id_belongs_to_its_seat(node: Node) -> None:
    info = await node.nim(*await node.people(2))
    await play(node.tables, info.id, 1, Take(1), "a")
    assert not (await play(node.tables, info.id, 2, Take(1), "a")).duplicate


async def test_a_refused_request_may_be_sent_again_and_then_be_played(node: Node) -> None:
    info = await node.nim(*await node.people(2))
    with pytest.raises(Illegal):
        await play(node.tables, info.id, 2, Take(1), "mine")
    await play(node.tables, info.id, 1, Take(1))
    assert not (await play(node.tables, info.id, 2, Take(1), "mine")).duplicate


async def test_events_are_told_to_listeners_before_the_mover_is_answered(node: Node) -> None:
    info = await node.nim(*await node.people(2))
    live = await node.tables.open(info.id)
    heard: list[str] = []
    live.subscribe(lambda news: heard.extend(f"event {happened.seq}" for happened in news))
    live.submit(1, Take(1), None, lambda _: heard.append("answer to 1"))
    live.submit(1, Take(1), None, lambda outcome: heard.append(f"refused {outcome.error}"))
    live.submit(2, Take(1), None, lambda _: heard.append("answer to 2"))
    assert heard == [], "nothing is told before it is durable, not even a refusal that rests on it"
    await until(lambda: len(heard) == 5)
    assert heard.index("event 2") < heard.index("answer to 1") < heard.index("refused not_your_turn")
    assert heard.index("event 3") < heard.index("answer to 2")


async def test_who_subscribes_late_hears_only_what_comes_after(node: Node) -> None:
    info = await node.nim(*await node.people(2))
    live = await node.tables.open(info.id)
    early: list[int] = []
    late: list[int] = []
    live.subscribe(lambda news: early.extend(happened.seq for happened in news))
    view: list[object] = []

    def committed(_: Outcome) -> None:
        view.append(live.view(1).matches)
        live.subscribe(lambda news: late.extend(happened.seq for happened in news))

    live.submit(1, Take(1), None, committed)
    await until(lambda: view)
    await play(node.tables, info.id, 2, Take(1))
    assert (early, late, view) == ([2, 3], [3], [20])


async def test_a_listener_that_fails_harms_nobody_else(node: Node) -> None:
    info = await node.nim(*await node.people(2))
    live = await node.tables.open(info.id)
    heard: list[int] = []

    def broken(_: Sequence[Happened]) -> None:
        raise RuntimeError("a fault of the listener")

    live.subscribe(broken)
    stop = live.subscribe(lambda news: heard.extend(happened.seq for happened in news))
    with capture_logs() as logs:
        await play(node.tables, info.id, 1, Take(1))
    assert heard == [2]
    assert [line["event"] for line in logs] == ["listener_failed"]
    stop()
    await play(node.tables, info.id, 2, Take(1))
    assert heard == [2]


async def test_a_fault_in_a_games_decision_costs_that_action_alone(node: Node) -> None:
    info = await node.nim(*await node.people(2))
    live = await node.tables.open(info.id)
    answers: list[Outcome] = []
    with capture_logs() as logs:
        live.submit(1, Take(1), None, answers.append)
        live.submit(2, Stumble(), None, answers.append)
        live.submit(2, Take(1), None, answers.append)
        await until(lambda: len(answers) == 3)
    assert [type(outcome.error) for outcome in answers] == [type(None), RulesFailed, type(None)]
    assert [line["event"] for line in logs] == ["rules_failed"]
    assert live.view(1).matches == 19


async def test_an_answer_callback_that_fails_harms_nobody_else(node: Node) -> None:
    info = await node.nim(*await node.people(2))
    live = await node.tables.open(info.id)
    answers: list[Outcome] = []

    def broken(_: Outcome) -> None:
        raise RuntimeError("a fault of the door")

    live.submit(1, Take(1), None, broken)
    live.submit(2, Take(1), None, answers.append)
    await until(lambda: answers)
    assert answers[0].error is None


async def test_many_moves_at_once_are_kept_in_order(node: Node) -> None:
    live = await node.mines(*await node.people(3))
    answers: list[Outcome] = []
    for i in range(300):
        live.submit(1 + i % 3, Click(i % 30, i // 30), None, answers.append)
    await until(lambda: len(answers) == 300)
    told = [outcome.happened.seq for outcome in answers if outcome.happened is not None]
    assert told == sorted(told)
    log = await node.store.events(live.info.id)
    assert [event.seq for event in log] == list(range(1, len(log) + 1))
    assert {outcome.error.code for outcome in answers if isinstance(outcome.error, Illegal)} <= {"late"}


async def test_a_version_counts_only_what_its_seat_was_told(node: Node) -> None:
    info = await node.nim(*await node.people(2))
    live = await node.tables.open(info.id)
    await play(node.tables, info.id, 1, Note("three is the magic number"))
    await play(node.tables, info.id, 1, Take(3))
    assert [live.version(seat) for seat in (1, 2, SPECTATOR, MASTER)] == [2, 1, 1, 1]
    assert (await play(node.tables, info.id, 2, Note("hm"))).version == 2
    assert (await play(node.tables, info.id, 1, Note("aha"))).version == 3


async def test_since_gives_what_was_missed_with_patches_that_lead_to_the_view(node: Node) -> None:
    info = await node.nim(*await node.people(2))
    live = await node.tables.open(info.id)
    view = plain(live.view(2))
    await play(node.tables, info.id, 1, Note("secret"))
    await play(node.tables, info.id, 1, Take(3))
    await play(node.tables, info.id, 2, Take(2))
    updates = live.since(2, 0)
    assert updates is not None
    assert [update.version for update in updates] == [1, 2]
    assert "secret" not in str(updates)
    for update in updates:
        view = apply_patch(view, plain(update.patch))
    assert view == plain(live.view(2))
    assert live.since(2, 2) == []
    assert live.since(2, 3) is None
    assert live.since(2, -1) is None


async def test_who_missed_too_much_is_to_be_sent_the_whole_view(node: Node) -> None:
    info = await node.nim(*await node.people(2), options={"matches": 300})
    live = await node.tables.open(info.id)
    for i in range(100):
        await play(node.tables, info.id, 1 + i % 2, Take(1))
    assert live.since(1, 0) is None
    recent = live.since(1, 90)
    assert recent is not None
    assert [update.version for update in recent] == list(range(91, 101))


async def test_nothing_is_played_after_the_end(node: Node) -> None:
    info = await node.nim(*await node.people(2), options={"matches": 1})
    live = await node.tables.open(info.id)
    answers: list[Outcome] = []
    live.submit(1, Take(1), "last", answers.append)
    live.submit(2, Take(1), None, answers.append)
    await until(lambda: len(answers) == 2)
    assert answers[0].error is None
    assert isinstance(answers[1].error, Over)
    with pytest.raises(Over):
        await play(node.tables, info.id, 1, Take(1))
    assert (await play(node.tables, info.id, 1, Take(1), "last")).duplicate


async def test_an_alarm_that_is_not_due_is_not_played(node: Node) -> None:
    live = await node.mines(*await node.people(1))
    seq = live.seq
    await play(node.tables, live.info.id, CLOCK, Alarm("afk:1"))
    await play(node.tables, live.info.id, CLOCK, Alarm("nonsense"))
    assert live.seq == seq


async def test_a_request_the_database_cannot_keep_fails_alone(node: Node) -> None:
    """PostgreSQL keeps no NUL in a text; SQLite does. Neither may lose the moves around it."""
    info = await node.nim(*await node.people(2))
    live = await node.tables.open(info.id)
    answers: list[Outcome] = []
    live.submit(1, Take(1), "before", answers.append)
    live.submit(2, Note("x"), "nul\0", answers.append)
    live.submit(2, Take(1), "after", answers.append)
    await until(lambda: len(answers) == 3)
    by_id = {outcome.happened.request_id: outcome for outcome in answers if outcome.happened is not None}
    assert {"before", "after"} <= set(by_id)
    assert all(isinstance(outcome.error, Refused | None) for outcome in answers)
    assert live.view(1).matches == 19
