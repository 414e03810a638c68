"""Consoles at the tables of the house: which one they come to, as whom, and with whom they play there."""

from __future__ import annotations

import asyncio

import httpx
import pytest
from tests.kit.dr2d import House, Opener
from tests.kit.http import NO_CERTIFICATES
from tests.kit.playing import play
from tests.kit.waiting import until
from websockets.asyncio.client import connect

from tablee.clock import HandClock
from tablee.rules.contract import CLOCK
from tablee.rules.robots.model import Place, Program
from tablee.tables import NotStarted, TablePlan
from tablee.tables.codec import Void


async def test_consoles_fill_one_game_after_the_other(open_house: Opener) -> None:
    house = await open_house(seats=3)
    for _ in range(7):
        await (await house.console()).service()
    tables = sorted(house.door.races)
    assert [len(house.door.races[table_id].consoles) for table_id in tables] == [3, 3, 1]
    infos = [await house.tables.info(table_id) for table_id in tables]
    assert [info.status for info in infos] == ["running", "running", "open"]
    assert {info.door for info in infos} == {"dr2d"}
    assert {taken.kind for info in infos for taken in info.taken} == {"visitor"}


async def test_many_consoles_that_come_together_lose_no_seat(open_house: Opener) -> None:
    house = await open_house(seats=4)
    consoles = await asyncio.gather(*(house.console() for _ in range(12)))
    for console in consoles:
        assert await console.service() == "PlayersDiscovery"
    await until(lambda: sum(len(race.consoles) for race in house.door.races.values()) == 12)
    assert len(house.door.races) == 3


@pytest.mark.parametrize("offered", [["dr2d"], ["other", "dr2d"], None])
async def test_the_subprotocol_is_dr2d_and_who_asks_for_none_is_served_too(
    house: House, offered: list[str] | None
) -> None:
    console = await house.console(subprotocols=offered)
    assert console.socket.subprotocol == ("dr2d" if offered else None)
    assert await console.service() == "PlayersDiscovery"


async def test_a_member_plays_as_himself_with_a_token(house: House) -> None:
    account, token = await house.member("Ada")
    console = await house.console(additional_headers={"Authorization": f"Bearer {token}"})
    await console.service()
    [taken] = (await house.tables.info(house.table_id)).taken
    assert (taken.account_id, taken.name, taken.kind) == (account.id, "Ada", "member")


async def test_a_banned_member_is_sent_away(house: House) -> None:
    account, token = await house.member("Ada")
    console = await house.console(additional_headers={"Authorization": f"Bearer {token}"})
    await console.service()
    await house.club.roles.name_super("Cheffe", "un bon mot de passe")
    chief = await house.club.accounts.by_pseudo("Cheffe")
    await house.club.roles.ban(chief, account)
    assert (await console.closed())[0] == 1008


async def test_somebody_in_the_page_and_a_console_play_the_same_game(house: House) -> None:
    person, _ = await house.member("Ada")
    info = await house.table(2, host=person.id)
    await house.tables.sitting.join(info.id, person.id)
    console = await house.console(f"?table={info.id}")
    await console.until("InitPlayerLocalization")
    await console.echo()
    proposed = house.view(info.id, 1).you.proposed
    await play(house.tables, info.id, 1, Place(proposed.x, proposed.y, "North"))
    await console.until("RoundRequireCartouche")
    await console.program(["Move_90Left"])
    await until(lambda: bool(house.view(info.id, 1).robots[2].ready))
    assert "Move_90Left" not in str(house.view(info.id, 1)), "a cartouche is secret until it is played"
    await play(house.tables, info.id, 1, Program((("Move_90Right",),)))
    await console.until("RoundRobotMovement")
    assert console.asked["argsIn"] == {"mcnd01": ["0x245A, Move_90Right"], "mcnd02": ["0x245C, Move_90Left"]}


async def test_the_host_begins_a_table_that_is_not_full(house: House) -> None:
    host, _ = await house.member("Ada")
    info = await house.table(8, host=host.id)
    first = await house.console(f"?table={info.id}")
    await first.service()
    with pytest.raises(NotStarted):
        await house.tables.creating.start(info.id, host.id)
    second = await house.console(f"?table={info.id}")
    await second.service()
    await house.tables.creating.start(info.id, host.id)
    for console in (first, second):
        await console.until("InitPlayerLocalization")


async def test_a_member_whose_robot_races_already_takes_it_over_with_a_console(house: House) -> None:
    account, token = await house.member("Ada")
    info = await house.table(2, host=account.id)
    await house.tables.sitting.join(info.id, account.id)
    other = await house.console(f"?table={info.id}")
    await other.until("InitPlayerLocalization")
    mine = await house.console(f"?table={info.id}", additional_headers={"Authorization": f"Bearer {token}"})
    await mine.until("InitPlayerLocalization")
    for console in (mine, other):
        await console.echo()
    for console in (mine, other):
        await console.until("RoundRequireCartouche")


async def test_a_private_table_wants_the_key_of_its_link(house: House) -> None:
    host = await house.club.accounts.create_visitor()
    info = await house.tables.creating.create(
        TablePlan("robots", "race", {"seats": 2}, host.id, access="private", people=())
    )
    assert await (await house.console(f"?table={info.id}")).service() == "Refused"
    assert await (await house.console(f"?table={info.id}&invitation=wrong")).service() == "Refused"
    console = await house.console(f"?table={info.id}&invitation={info.invitation}")
    assert await console.service() == "PlayersDiscovery"


async def test_a_console_practises_alone(house: House) -> None:
    host = await house.club.accounts.create_visitor()
    info = await house.tables.creating.create(
        TablePlan("robots", "practice", {"rounds": 1}, host.id, people=())
    )
    console = await house.console(f"?table={info.id}")
    await console.until("InitPlayerLocalization")
    await console.echo()
    await console.until("RoundRequireCartouche")
    await console.echo()
    await console.until("GameFinalisation")
    await console.echo()
    assert (await console.closed())[0] == 1000


async def test_a_console_whom_the_host_sends_away_is_told_so(house: House) -> None:
    host, _ = await house.member("Ada")
    info = await house.table(3, host=host.id)
    console = await house.console(f"?table={info.id}")
    await console.service()
    await house.tables.sitting.remove(info.id, 1, host.id)
    assert await console.service() == "SentAway"
    assert (await console.closed())[0] == 1000


async def test_a_table_that_is_cleared_away_sends_its_consoles_away(house: House) -> None:
    host, _ = await house.member("Ada")
    info = await house.table(3, host=host.id)
    console = await house.console(f"?table={info.id}")
    await console.service()
    await house.tables.creating.close(info.id, host.id)
    assert await console.service() == "SentAway"
    await until(lambda: not house.door.races)


async def test_who_gives_his_seat_up_in_the_page_ends_the_game_for_his_console(house: House) -> None:
    account, token = await house.member("Ada")
    info = await house.table(3)
    mine = await house.console(f"?table={info.id}", additional_headers={"Authorization": f"Bearer {token}"})
    others = [await house.console(f"?table={info.id}") for _ in range(2)]
    await mine.until("InitPlayerLocalization")
    await house.tables.sitting.leave(info.id, account.id)
    await mine.until("GameFinalisation")
    await mine.echo()
    assert (await mine.closed())[0] == 1000
    for console in others:
        await console.until("InitPlayerLocalization")


async def test_the_time_of_a_table_made_in_the_page_is_kept(house: House, clock: HandClock) -> None:
    info = await house.table(2, cartouche_seconds=300)
    consoles = [await house.console(f"?table={info.id}") for _ in range(2)]
    for seq in ("InitPlayerLocalization", "RoundRequireCartouche"):
        for console in consoles:
            await console.until(seq)
            if seq == "InitPlayerLocalization":
                await console.echo()
    await clock.advance(200_000)
    assert house.view(info.id).round == 1
    await clock.advance(100_100)
    await until(lambda: bool(house.view(info.id).round == 2))


@pytest.mark.parametrize("path", ["", "/", "/ws", "/jeu/console", "/dr2d/"])
async def test_consoles_are_served_at_whichever_path_of_the_port(house: House, path: str) -> None:
    info = await house.table(2)
    async with connect(f"ws://127.0.0.1:{house.door.port}{path}?table={info.id}") as socket:
        assert "PlayersDiscovery" in str(await socket.recv())
        assert (await house.tables.info(info.id)).taken


async def test_who_comes_by_http_is_told_what_is_here(house: House) -> None:
    async with httpx.AsyncClient(verify=NO_CERTIFICATES) as client:
        answer = await client.get(f"http://127.0.0.1:{house.door.port}/dr2d")
    assert answer.status_code == 426
    assert "/dr2d" in answer.text


async def test_a_token_that_only_reads_drives_no_robot(house: House) -> None:
    lea = await house.club.accounts.create("Lea", "un bon mot de passe")
    token = (await house.club.sessions.open(lea, "bot", "console", scopes=["read"])).access
    table = await house.table(2)
    console = await house.console(
        f"?table={table.id}", additional_headers={"Authorization": f"Bearer {token}"}
    )
    assert await console.service() == "Refused"
    assert (await house.tables.info(table.id)).seats == ()


async def test_who_drives_the_robot_of_somebody_else_is_noted_under_his_own_name(house: House) -> None:
    ada, _ = await house.member("Ada")
    await house.club.roles.name_super("Cheffe", "un bon mot de passe")
    chief = await house.club.accounts.by_pseudo("Cheffe")
    token = (await house.club.sessions.act_as(chief, ada)).access
    console = await house.console(additional_headers={"Authorization": f"Bearer {token}"})
    await console.service()
    [taken] = (await house.tables.info(house.table_id)).taken
    assert taken.account_id == ada.id
    deeds = await house.club.deeds.list(account=ada.id)
    acted = [(deed.about["call"], deed.actor_id, deed.address) for deed in deeds if deed.what == "acted"]
    assert acted == [("dr2d", chief.id, "127.0.0.1")]


async def test_consoles_of_a_game_that_the_house_has_ended_are_asked_for_the_last_time(house: House) -> None:
    first, second = await house.racing()
    live = house.tables.loaded[house.table_id]
    await house.tables.submit(live, CLOCK, Void("deserted"))
    for console in (first, second):
        await console.until("GameFinalisation")
        await console.echo()
        assert await console.closed() == (1000, "the game is over")
    await until(lambda: not house.door.races)
    again = await house.console(f"?playerUID={first.player_uid}")
    assert await again.service() == "Over"
