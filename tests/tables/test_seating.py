import asyncio

import pytest
from tests.kit.playing import play
from tests.kit.waiting import until
from tests.tables.conftest import Node, Opener
from tests.tables.nim import NimRules, Take

from tablee.club.points import add_write, known_write
from tablee.rules.contract import SPECTATOR, Illegal, Join, Replace
from tablee.rules.mines.model import Click
from tablee.store import Unit
from tablee.tables import (
    BadOptions,
    Full,
    LobbyFilter,
    NoLink,
    NoSuchGame,
    NoSuchRobot,
    NoSuchTable,
    NotHost,
    NotInvited,
    NotSeated,
    NotStarted,
    Over,
    RobotStays,
    SeatTaken,
    Started,
    TablePlan,
    Way,
)
from tablee.tables.admission import BY_HOUSE


async def test_a_game_that_begins_with_nobody_runs_at_once_and_is_joined_while_it_runs(node: Node) -> None:
    first, second = await node.people(2)
    info = await node.tables.creating.create(TablePlan("mines", "classic", {"seats": 2}, first))
    assert info.status == "running"
    assert [taken.account_id for taken in info.seats] == [first]
    sitting = await node.tables.sitting.join(info.id, second)
    assert sitting.seat == 2
    live = await node.tables.open(info.id)
    assert live.info.seat_of(second) == sitting
    assert isinstance((await node.store.events(info.id))[2].action, str)
    assert len(live.view(1).players) == 2
    with pytest.raises(Full):
        await node.tables.sitting.join(info.id, (await node.people(1))[0])


async def test_joining_again_finds_ones_own_seat(node: Node) -> None:
    first, second = await node.people(2)
    info = await node.nim(first, second)
    assert (await node.tables.sitting.join(info.id, second)).seat == 2
    assert (await node.tables.sitting.join(info.id, first)).seat == 1


async def test_an_open_table_begins_when_its_last_seat_is_taken(node: Node) -> None:
    people = await node.people(3)
    info = await node.nim(*people[:2], seats=3)
    assert info.status == "open"
    live = await node.tables.open(info.id)
    with pytest.raises(NotStarted):
        live.view(1)
    with pytest.raises(NotStarted):
        await play(node.tables, info.id, 1, Take(1))
    await node.tables.sitting.join(info.id, people[2])
    assert live.info.status == "running"
    assert live.view(1).matches == 21


async def test_its_host_may_begin_with_fewer_but_not_with_too_few(node: Node) -> None:
    host, guest = await node.people(2)
    info = await node.nim(host, seats=3)
    with pytest.raises(NotStarted, match="At least 2"):
        await node.tables.creating.start(info.id, host)
    await node.tables.sitting.join(info.id, guest)
    with pytest.raises(NotHost):
        await node.tables.creating.start(info.id, guest)
    assert (await node.tables.creating.start(info.id, host)).status == "running"
    with pytest.raises(Started):
        await node.tables.creating.start(info.id, host)


async def test_a_seat_may_be_chosen_but_not_taken_twice(node: Node) -> None:
    host, guest, third = await node.people(3)
    info = await node.nim(host, seats=3)
    assert (await node.tables.sitting.join(info.id, guest, seat=3)).seat == 3
    with pytest.raises(SeatTaken):
        await node.tables.sitting.join(info.id, third, seat=3)
    with pytest.raises(SeatTaken):
        await node.tables.sitting.join(info.id, third, seat=9)
    assert (await node.tables.sitting.join(info.id, third)).seat == 2


async def test_a_running_game_refuses_late_guests_by_its_own_rules(node: Node) -> None:
    people = await node.people(3)
    info = await node.nim(*people[:2], seats=3)
    await node.tables.creating.start(info.id, people[0])
    with pytest.raises(Illegal, match="no_such_action"):
        await node.tables.sitting.join(info.id, people[2])
    assert (await node.tables.info(info.id)).seat_of(people[2]) is None


async def test_a_private_table_opens_to_its_link_only(node: Node) -> None:
    host, guest, stranger = await node.people(3)
    info = await node.nim(host, seats=2, access="private")
    with pytest.raises(NotInvited):
        await node.tables.sitting.join(info.id, stranger)
    with pytest.raises(NotInvited):
        await node.tables.sitting.join(info.id, stranger, Way(invitation="a wrong link é"))
    assert not await node.tables.admission.may_enter(info, stranger)
    assert not await node.tables.admission.may_enter(info, None)
    assert await node.tables.admission.may_enter(info, None, info.invitation)
    await node.tables.sitting.join(info.id, guest, Way(invitation=info.invitation))
    assert await node.tables.admission.may_enter(info, host)
    assert await node.tables.lobby.listing() == []


async def test_a_table_for_guests_is_shown_to_those_invited_and_opens_to_them(node: Node) -> None:
    host, guest, stranger = await node.people(3)
    info = await node.nim(host, seats=2, access="invited")
    with pytest.raises(NotInvited):
        await node.tables.sitting.join(info.id, guest)
    with pytest.raises(NotHost):
        await node.tables.sitting.invite(info.id, stranger, guest)
    await node.tables.sitting.invite(info.id, host, guest)
    notices = await node.club.notices.list(guest)
    assert [(notice.kind, notice.about["table"]) for notice in notices] == [("invitation", info.id)]
    assert [table.id for table in await node.tables.lobby.listing(LobbyFilter(account_id=guest))] == [info.id]
    assert await node.tables.lobby.listing(LobbyFilter(account_id=stranger)) == []
    # Only by name: who has got hold of the secret of its link stays outside.
    with pytest.raises(NotInvited):
        await node.tables.sitting.join(info.id, stranger, Way(invitation=info.invitation))
    assert not await node.tables.admission.may_enter(info, stranger, info.invitation)
    assert not await node.tables.admission.may_enter(info, None, info.invitation)
    await node.tables.sitting.join(info.id, guest)


async def test_the_host_renews_the_link_of_a_private_table_and_the_old_one_is_dead(node: Node) -> None:
    host, guest, stranger = await node.people(3)
    info = await node.nim(host, seats=3, access="private")
    with pytest.raises(NotHost):
        await node.tables.sitting.renew_link(info.id, stranger)
    renewed = await node.tables.sitting.renew_link(info.id, host)
    assert renewed.invitation != info.invitation
    with pytest.raises(NotInvited):
        await node.tables.sitting.join(info.id, stranger, Way(invitation=info.invitation))
    # Even where somebody still holds the table as it was.
    assert not await node.tables.admission.may_enter(info, None, info.invitation)
    assert await node.tables.admission.may_enter(info, None, renewed.invitation)
    await node.tables.sitting.join(info.id, guest, Way(invitation=renewed.invitation))
    await node.tables.creating.start(info.id, host)
    again = await node.tables.sitting.renew_link(info.id, host)
    await until(lambda: node.tables.loaded[info.id].info.invitation == again.invitation)
    for access in ("open", "invited"):
        other = await node.nim(host, access=access)
        with pytest.raises(NoLink):
            await node.tables.sitting.renew_link(other.id, host)


async def test_the_host_sends_people_and_robots_away_before_the_game_begins(node: Node) -> None:
    host, guest, third = await node.people(3)
    info = await node.nim(host, seats=3, access="invited")
    for account in (guest, third):
        await node.tables.sitting.invite(info.id, host, account)
    await node.tables.sitting.join(info.id, guest, seat=2)
    with pytest.raises(NotHost):
        await node.tables.sitting.remove(info.id, 1, guest)
    await node.tables.sitting.remove(info.id, 2, host)
    with pytest.raises(NotSeated):
        await node.tables.sitting.remove(info.id, 2, host)
    # The invitation that he had is gone with his seat.
    with pytest.raises(NotInvited):
        await node.tables.sitting.join(info.id, guest)
    await node.tables.sitting.add_robot(info.id, "dreamer")
    await node.tables.sitting.remove(info.id, 2, host)
    assert [taken.seat for taken in (await node.tables.info(info.id)).seats] == [1]
    await node.tables.sitting.join(info.id, third, seat=3)
    await node.tables.creating.start(info.id, host)
    with pytest.raises(Started):
        await node.tables.sitting.remove(info.id, 3, host)
    begun = await node.nim(host, seats=2, robots=["dreamer"])
    with pytest.raises(RobotStays):
        await node.tables.sitting.remove(begun.id, 2, host)


async def test_a_robot_sent_away_from_a_match_plays_no_more_and_may_come_back(node: Node) -> None:
    host, stranger = await node.people(2)
    live = await node.mines(host, host=host, people=())
    table_id = live.info.id
    robot = await node.tables.sitting.add_robot(table_id, "novice")
    with pytest.raises(NotHost):
        await node.tables.sitting.remove(table_id, robot.seat, stranger)
    with pytest.raises(Started):
        await node.tables.sitting.remove(table_id, 1, host)
    await node.tables.sitting.remove(table_id, robot.seat, host)
    assert not live.info.robots
    assert live.view(SPECTATOR).players[str(robot.seat)].present is False
    back = await node.tables.sitting.add_robot(table_id, "novice")
    assert (back.seat, back.name) == (robot.seat, robot.name)
    assert (await node.tables.info(table_id)).robots == (back,)


async def test_ten_people_who_run_for_the_last_seats_get_as_many_as_there_are(node: Node) -> None:
    host, *people = await node.people(10)
    info = await node.nim(host, seats=3)
    results = await asyncio.gather(
        *(node.tables.sitting.join(info.id, account) for account in people), return_exceptions=True
    )
    seats = sorted(taken.seat for taken in results if not isinstance(taken, BaseException))
    assert seats == [2, 3]
    refused = [result for result in results if isinstance(result, BaseException)]
    assert {type(error) for error in refused} <= {Full, Illegal}
    live = await node.tables.open(info.id)
    assert live.info.status == "running"


async def test_one_person_who_knocks_many_times_gets_one_seat(node: Node) -> None:
    host, guest = await node.people(2)
    info = await node.nim(host, seats=3)
    seats = await asyncio.gather(*(node.tables.sitting.join(info.id, guest) for _ in range(6)))
    assert {taken.seat for taken in seats} == {2}
    assert len((await node.tables.read_info(info.id)).seats) == 2


async def test_leaving_before_the_start_frees_the_seat_and_passes_the_table_on(node: Node) -> None:
    host, guest = await node.people(2)
    info = await node.nim(host, guest, seats=3)
    await node.tables.sitting.leave(info.id, host)
    after = await node.tables.read_info(info.id)
    assert after.host_id == guest
    assert [taken.account_id for taken in after.seats] == [guest]
    with pytest.raises(NotSeated):
        await node.tables.sitting.leave(info.id, host)
    await node.tables.sitting.leave(info.id, guest)
    assert (await node.tables.read_info(info.id)).status == "closed"
    with pytest.raises(Over):
        await node.tables.sitting.join(info.id, host)


async def test_leaving_a_running_game_is_a_move_of_the_game(node: Node) -> None:
    host, guest = await node.people(2)
    info = await node.nim(host, guest)
    await node.tables.sitting.leave(info.id, guest)
    after = await node.tables.info(info.id)
    assert after.status == "over"
    assert after.result is not None
    assert after.result.reason == "left"
    assert after.result.ranks == {1: 1, 2: 2}
    with pytest.raises((Over, NotSeated)):
        await node.tables.sitting.leave(info.id, guest)


async def test_who_left_a_game_that_goes_on_may_come_back_to_the_same_seat(node: Node) -> None:
    first, second = await node.people(2)
    live = await node.mines(first, second)
    await node.tables.sitting.leave(live.info.id, first)
    assert live.info.seat_of(first) is None
    assert live.view(2).players["1"].present is False
    assert (await node.tables.sitting.join(live.info.id, first)).seat == 1
    assert live.view(2).players["1"].present is True
    assert live.info.seat_of(first) is not None


async def test_a_player_may_be_replaced_by_a_robot_and_where_robots_yield_by_another_player(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, third = await node.people(3)
    info = await node.nim(first, second)
    robot = await node.tables.replacing.replace(info.id, 2, "dreamer", BY_HOUSE)
    live = await node.tables.open(info.id)
    assert robot.robot == "dreamer"
    assert live.info.seat_of(second) is None
    assert live.view(1).names == {2: robot.name}
    with pytest.raises(RobotStays):
        await node.tables.replacing.replace(info.id, 2, third, BY_HOUSE)
    assert live.info.seat_of(third) is None
    monkeypatch.setattr(NimRules, "robots_yield", True)
    newcomer = await node.tables.replacing.replace(info.id, 2, third, BY_HOUSE)
    assert live.info.seat_of(third) == newcomer
    assert newcomer.robot is None
    actions = [live.codec.action(e.action, e.seq) for e in await node.store.events(info.id)]
    assert [action.robot for action in actions if isinstance(action, Replace)] == [True, False]
    with pytest.raises(NoSuchRobot):
        await node.tables.replacing.replace(info.id, 2, "genius", BY_HOUSE)
    with pytest.raises(NotSeated):
        await node.tables.replacing.replace(info.id, 3, third, BY_HOUSE)
    with pytest.raises(SeatTaken):
        await node.tables.replacing.replace(info.id, 2, first, BY_HOUSE)


async def test_a_join_brings_the_points_of_the_account(node: Node) -> None:
    account = (await node.people(1))[0]
    key = (account, "mines", "classic")
    await node.store.commit(Unit(writes=[known_write(*key), add_write(*key, 1234)]))
    live = await node.mines(account)
    joins = [live.codec.action(e.action, e.seq) for e in (await node.store.events(live.info.id))[1:]]
    assert [join.total for join in joins if isinstance(join, Join)] == [1234]


async def test_a_table_that_makes_no_sense_is_refused(node: Node) -> None:
    host = (await node.people(1))[0]
    with pytest.raises(NoSuchGame):
        await node.tables.creating.create(TablePlan("go", "plain", {}, host))
    with pytest.raises(BadOptions):
        await node.tables.creating.create(TablePlan("nim", "plain", {"matches": "many"}, host))
    with pytest.raises(BadOptions):
        await node.tables.creating.create(TablePlan("nim", "plain", {}, host, access="secret"))
    with pytest.raises(BadOptions):
        await node.tables.creating.create(
            TablePlan("nim", "plain", {}, host, time_control={"kind": "sundial"})
        )
    with pytest.raises(NoSuchRobot):
        await node.tables.creating.create(TablePlan("nim", "plain", {}, host, robots=["genius"]))
    with pytest.raises(Full):
        await node.tables.creating.create(TablePlan("nim", "plain", {}, host, robots=["one"] * 3))
    with pytest.raises(Illegal, match="no_matches"):
        await node.nim(*await node.people(2), options={"matches": 0})
    with pytest.raises(NoSuchTable):
        await node.tables.sitting.join(777, host)


async def test_a_setup_that_takes_long_is_thought_out_beside_the_event_loop(node: Node) -> None:
    info = await node.nim(*await node.people(2), options={"slow": True, "matches": 7})
    assert (await node.tables.open(info.id)).view(1).matches == 7


async def test_a_table_that_nobody_needs_is_cleared_away_by_its_host(node: Node) -> None:
    host, other = await node.people(2)
    info = await node.nim(host, seats=2)
    with pytest.raises(NotHost):
        await node.tables.creating.close(info.id, other)
    await node.tables.creating.close(info.id, host)
    assert (await node.tables.read_info(info.id)).status == "closed"
    with pytest.raises(Started):
        await node.tables.creating.close(info.id, host)


async def test_two_nodes_seat_people_without_ever_giving_one_seat_twice(
    postgres_url: str, open_node: Opener
) -> None:
    one, two = await open_node(url=postgres_url), await open_node(url=postgres_url)
    people = await one.people(10)
    live = await one.mines()
    await asyncio.gather(
        *(
            (one if i % 2 else two).tables.sitting.join(live.info.id, account)
            for i, account in enumerate(people)
        )
    )
    info = await two.tables.read_info(live.info.id)
    assert sorted(taken.seat for taken in info.seats) == list(range(1, 11))
    assert len({taken.account_id for taken in info.seats}) == 10
    other = await two.tables.open(live.info.id)
    await until(lambda: other.seq == live.seq == 11, "the news of the last JOIN at the other node")
    await play(two.tables, live.info.id, 10, Click(0, 0))


async def test_who_leaves_the_club_is_named_in_no_invitation_any_more(node: Node) -> None:
    host = await node.club.accounts.create("Léa-la-Belle", "un mot de passe")
    [guest] = await node.people(1)
    live = await node.mines(host=host.id, access="private")
    await node.tables.sitting.invite(live.info.id, host.id, guest)
    assert [notice.about["by_name"] for notice in await node.club.notices.list(guest)] == ["Léa-la-Belle"]
    await node.club.leaving.delete(host)
    assert await node.club.notices.list(guest) == []
