"""Who is late twice in a row is replaced by a member who likes to take over: asked, and by one click."""

from __future__ import annotations

from typing import Any

from tests.doors.web.mastered import mastered_game
from tests.kit.waiting import until
from tests.kit.web import Guest, House

from tablee.rules.contract import MASTER
from tablee.rules.diplomacy.game import DiplomacyState, SetDeadline, Submit
from tablee.tables import TablePlan, Way

DATED: dict[str, Any] = {"calendar": True, "sharing": "none", "grace": 0}


async def ready(house: House) -> Guest:
    member = await house.member()
    assert (await member.patch("/account", {"stand_in": True}))["stand_in"] is True
    return member


async def pass_phase(house: House, table: int, late: int) -> None:
    """All but one give orders; then the deadline and the grace are over."""
    live = await house.tables.open(table)
    state = live.state
    assert isinstance(state, DiplomacyState)
    for role in range(1, 4):
        if state.holder(role) != late and live.legal(state.holder(role)).allows(Submit(role)):
            await house.tables.submit(live, state.holder(role), Submit(role))
    await house.tables.submit(live, MASTER, SetDeadline(house.tables.clock.now() + 50))

    def is_over() -> bool:
        return isinstance(live.state, DiplomacyState) and live.state.advancement > state.advancement

    await until(is_over)


async def test_a_master_asks_a_member_who_takes_the_seat_by_one_click(house: House) -> None:
    game = await mastered_game(house, players=3, **DATED)
    member, path = await ready(house), f"{game.path}/stand-ins"
    late = game.players[0]
    seat = (await late.get(game.path))["my_seat"]
    await pass_phase(house, game.table, seat)
    assert (await game.master.get(path))["seats"] == []
    await pass_phase(house, game.table, seat)
    shown = await game.master.get(path)
    assert shown["seats"] == [{"seat": seat, "asked": [], "votes": {}, "needed": 0}]
    assert [each["pseudo"] for each in shown["members"]] == [member.pseudo]
    for other in (*game.players, member):
        assert await other.get(path) == {"seats": [], "members": []}
    refusal = await game.players[1].refused("POST", path, {"seat": seat, "pseudo": member.pseudo})
    assert refusal["code"] == "not_seated"
    assert (await member.refused("POST", f"{path}/take", {"seat": seat}))["code"] == "no_stand_in_needed"
    stranger = await house.member()
    body = {"seat": seat, "pseudo": stranger.pseudo}
    assert (await game.master.refused("POST", path, body))["code"] == "not_ready_to_stand_in"
    body = {"seat": seat, "pseudo": member.pseudo}
    assert (await game.master.post(path, body))["asked"] is True
    notices = (await member.get("/notices"))["notices"]
    assert [each["kind"] for each in notices] == ["stand_in"]
    assert (await member.get(path))["seats"][0]["seat"] == seat
    (offered,) = (await member.get("/account/games"))["invitations"]
    assert (offered["table"], offered["seat"]) == (game.table, seat)
    taken = await member.post(f"{path}/take", {"seat": seat})
    assert taken["my_seat"] == seat
    assert (await game.master.get(path))["seats"] == []


async def test_without_a_master_most_of_the_other_players_ask(house: House) -> None:
    people = [await house.member() for _ in range(3)]
    made = await house.tables.creating.create(TablePlan("diplomacy", "lagune", DATED, people[0].id))
    for each in people[1:]:
        await house.tables.sitting.join(made.id, each.id, Way())
    member, path = await ready(house), f"/tables/{made.id}/stand-ins"
    seat = (await people[2].get(f"/tables/{made.id}"))["my_seat"]
    for _ in range(2):
        await pass_phase(house, made.id, seat)
    assert (await people[0].get(path))["seats"][0]["needed"] == 2
    assert (await people[2].get(path))["seats"] == []  # nobody is asked by himself
    body = {"seat": seat, "pseudo": member.pseudo}
    assert (await people[2].refused("POST", path, body))["code"] == "no_stand_in_needed"
    assert (await people[0].post(path, body))["asked"] is False
    assert (await people[0].post(path, body))["asked"] is False  # he votes once
    assert (await people[1].get(path))["seats"][0]["votes"] == {str(member.id): 1}
    assert (await people[1].post(path, body))["asked"] is True
    assert (await member.post(f"{path}/take", {"seat": seat}))["my_seat"] == seat


async def test_who_is_in_time_again_keeps_his_seat(house: House) -> None:
    game = await mastered_game(house, players=3, **DATED)
    member, path = await ready(house), f"{game.path}/stand-ins"
    seat = (await game.players[0].get(game.path))["my_seat"]
    for _ in range(2):
        await pass_phase(house, game.table, seat)
    await game.master.post(path, {"seat": seat, "pseudo": member.pseudo})
    await pass_phase(house, game.table, late=0)
    assert (await member.refused("POST", f"{path}/take", {"seat": seat}))["code"] == "no_stand_in_needed"
