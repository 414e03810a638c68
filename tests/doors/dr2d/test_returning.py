"""Consoles that go and come back: with their playerUID, on whichever node, after whatever has happened."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.kit.dr2d import Console, House, Opener
from tests.kit.waiting import until

from tablee.clock import HandClock
from tablee.store import Unavailable, Unit
from tablee.store.backup import backup, restore
from tablee.tables import TablePlan


async def player_uid(console: Console) -> str:
    """What the first call of the game has told this console."""
    for frame in console.frames:
        call = frame.get("stgyCall", {"seq": ""})
        if call["seq"] == "GameInitialisation":
            return str(call["argsIn"]["playerUID"])
    raise AssertionError("the game has not begun")


async def test_the_pending_call_is_sent_again_and_its_token_is_still_good(house: House) -> None:
    first, second = await house.racing()
    uid, asked = await player_uid(first), first.asked
    first.reset()
    await until(lambda: bool(house.view(house.table_id).robots[1].away))
    again = await house.console(f"?playerUID={uid}")
    assert await again.service() == "PlayersDiscovery"
    assert await again.call() == "RoundRequireCartouche"
    assert again.asked == asked
    await until(lambda: not house.view(house.table_id).robots[1].away)
    await again.program(["Move_90Left"])
    await second.program()
    assert "RoundRobotMovement" in await again.until("RoundRequireCartouche")


async def test_a_console_that_has_forgotten_everything_is_told_in_the_first_message(house: House) -> None:
    first, _ = await house.racing()
    uid = await player_uid(first)
    first.reset()
    again = await house.console(f"?playerUID={uid}")
    await again.service()
    told = again.frames[0]["ShortMessageService"]["msgArgs"]
    assert told["mcndId"] == "01"
    assert [board["boardIdx"] for board in told["boards"]] == [0]
    assert len(told["artefacts"]) == 3
    assert [each["mcndId"] for each in told["competitors"]] == ["01", "02"]
    assert (told["round"], told["board"], told["laws"]) == (1, 0, 0)


async def test_every_player_has_a_uid_of_his_own_and_a_changed_one_is_nobodys(house: House) -> None:
    first, second = await house.racing()
    one, other = await player_uid(first), await player_uid(second)
    assert one != other
    table, seat, account, signature = one.split("-", 3)
    for forged in (
        f"{table}-2-{account}-{signature}",
        f"{int(table) + 1}-{seat}-{account}-{signature}",
        one[:-1] + ("A" if one[-1] != "A" else "B"),
    ):
        console = await house.console(f"?playerUID={forged}")
        assert await console.service() == "UnknownPlayer"


async def test_the_newest_console_of_a_robot_plays_it(house: House) -> None:
    first, _ = await house.racing()
    again = await house.console(f"?playerUID={await player_uid(first)}")
    assert await first.closed() == (4000, "another console plays this robot now")
    await again.service()
    assert await again.call() == "RoundRequireCartouche"
    await again.program()
    await until(lambda: bool(house.view(house.table_id).robots[1].ready))
    assert not house.view(house.table_id).robots[1].away


async def test_a_robot_whose_console_is_away_plays_empty_cartouches_and_keeps_its_place(
    house: House, clock: HandClock
) -> None:
    first, second = await house.racing()
    uid = await player_uid(first)
    first.reset()
    await until(lambda: bool(house.view(house.table_id).robots[1].away))
    await second.program()
    await clock.advance(60_100)
    for number in (2, 3, 4):
        await second.until("RoundRequireCartouche")
        assert house.view(house.table_id).round == number
        await second.program()  # from the second round on nobody waits for the one who is away
    again = await house.console(f"?playerUID={uid}")
    assert await again.service() == "PlayersDiscovery"
    await second.until("RoundRequireCartouche")
    await second.program()
    await again.until("RoundRequireCartouche")
    await again.program()
    await until(lambda: bool(house.view(house.table_id).round >= 6))


async def test_where_all_are_away_the_game_keeps_its_time(house: House, clock: HandClock) -> None:
    first, second = await house.racing()
    for console in (first, second):
        console.reset()
    for seat in (1, 2):
        await until(lambda seat=seat: bool(house.view(house.table_id).robots[seat].away))  # type: ignore[misc]
    for number in (2, 3, 4):
        await clock.advance(60_100)
        await until(lambda number=number: bool(house.view(house.table_id).round == number))  # type: ignore[misc]


async def test_a_console_comes_back_to_a_house_that_was_closed_and_opened_again(open_house: Opener) -> None:
    house = await open_house()
    first, second = await house.racing()
    uids = [await player_uid(console) for console in (first, second)]
    await house.door.stop(1.0)
    assert (await first.closed())[0] == 1012
    await house.close()
    house = await open_house()
    again, other = [await house.console(f"?playerUID={uid}") for uid in uids]
    await again.service()
    assert again.frames[0]["ShortMessageService"]["msgArgs"]["mcndId"] == "01", "no call will say it"
    assert await again.until("RoundRequireCartouche") == [
        "GameInitialisation",
        "InitDeclareBoard",
        "InitStatusOfCompetitors",
        "InitLocateArtefacts",
        "QuestStart",
        "RoundRequireCartouche",
    ]
    await other.until("RoundRequireCartouche")
    await again.program(["Move_90Left"])
    await other.program()
    assert "RoundStatusOfCompetitors" in await again.until("RoundRequireCartouche")


async def test_a_game_that_is_over_is_nothing_to_come_back_to(house: House) -> None:
    info = await house.table(2, rounds=1)
    consoles = [await house.console(f"?table={info.id}") for _ in range(2)]
    for seq in ("InitPlayerLocalization", "RoundRequireCartouche", "GameFinalisation"):
        for console in consoles:
            await console.until(seq)
            if seq != "GameFinalisation":
                await console.echo()
    uid = await player_uid(consoles[0])
    again = await house.console(f"?playerUID={uid}")
    assert await again.service() == "Over"
    assert await again.closed() == (1008, "Over")


@pytest.mark.parametrize("which", ["first", "second"])
async def test_the_end_of_the_house_is_told_to_those_who_wait_and_to_those_who_play(
    house: House, which: str
) -> None:
    if which == "first":
        console = await house.console()
        await console.service()
    else:
        console, _ = await house.racing()
    await house.door.stop(1.0)
    assert await console.closed() == (1012, "the house closes this connection; come again")


async def test_a_seat_that_nobody_sits_in_any_more_is_not_waited_for(
    open_house: Opener, clock: HandClock
) -> None:
    house = await open_house()
    ghost = await house.club.accounts.create_visitor()
    info = await house.tables.creating.create(
        TablePlan("robots", "race", {"seats": 2}, ghost.id, door="dr2d")
    )
    await clock.advance(20_000)
    console = await house.console()
    assert await console.service() == "PlayersDiscovery"
    assert house.table_id != info.id
    assert (await house.tables.info(info.id)).status == "closed"


async def test_a_console_goes_to_another_node_and_the_first_lets_it_go(
    open_house: Opener, postgres_url: str, clock: HandClock
) -> None:
    here, there = await open_house(postgres_url), await open_house(postgres_url)
    first, second = await here.racing()
    uid = await player_uid(first)
    again = await there.console(f"?playerUID={uid}")
    assert await first.closed() == (4000, "another console plays this robot now")
    await until(lambda: 1 not in here.door.races[here.table_id].consoles)
    await again.until("RoundRequireCartouche")
    await again.program(["Move_90Left"])
    await second.program()
    for console in (again, second):
        assert "RoundStatusOfCompetitors" in await console.until("RoundRequireCartouche")


async def test_consoles_of_two_nodes_meet_in_one_game(
    open_house: Opener, postgres_url: str, clock: HandClock
) -> None:
    here, there = await open_house(postgres_url), await open_house(postgres_url)
    first = await here.console()
    await first.service()
    await asyncio.sleep(0)
    second = await there.console()
    await second.service()
    assert here.table_id == there.table_id
    for console in (first, second):
        await console.until("InitPlayerLocalization")
        await console.echo()
    for console in (first, second):
        await console.until("RoundRequireCartouche")


async def test_after_a_clash_a_console_comes_back_to_the_question_that_is_asked_now(
    open_house: Opener,
) -> None:
    house = await open_house()
    pair = await house.pair()
    for console in pair:
        await console.until("InitPlayerLocalization")
    wanted = pair[0].asked["argsRef"]
    for console in pair:
        await console.reply(argsRef=wanted)
    for console in pair:
        assert await console.call() == "InitPlayerLocalization"
    uids = [await player_uid(console) for console in pair]
    await house.close()
    house = await open_house()
    returned = [await house.console(f"?playerUID={uid}") for uid in uids]
    for console in returned:
        await console.until("InitPlayerLocalization")
        await console.echo()
    for console in returned:
        await console.until("QuestStart")


async def test_what_a_console_has_answered_is_not_lost_while_the_database_is_away(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = await house.racing()
    await first.program(["Move_90Left"])
    await until(lambda: bool(house.view(house.table_id).robots[1].ready))
    tried: list[Unit] = []

    def away(unit: Unit, done: Callable[[Exception | None], object]) -> None:
        tried.append(unit)
        done(Unavailable("away"))

    with monkeypatch.context() as cut:
        cut.setattr(house.store, "submit", away)
        await second.program(["Move_90Right"])
        await until(lambda: len(tried) > 1)
    await first.until("RoundRobotMovement")
    assert first.asked["argsIn"] == {"mcnd01": ["0x245C, Move_90Left"], "mcnd02": ["0x245A, Move_90Right"]}


async def test_after_a_backup_is_restored_consoles_come_again_to_the_game_as_it_was_then(
    open_house: Opener, tmp_path: Path
) -> None:
    house = await open_house()
    pair = await house.racing()
    uids = [await player_uid(console) for console in pair]
    database, saved = tmp_path / "tablee.sqlite", tmp_path / "saved"
    await backup(database, saved)
    for console in pair:
        await console.program(["Move_90Left"])
    for console in pair:
        await console.until("RoundRequireCartouche")
    await restore(saved, database, force=True)
    await pair[0].program(["Move_90Left"])  # the house notices when it writes
    for console in pair:
        assert (await console.closed())[0] == 1012
    returned = [await house.console(f"?playerUID={uid}") for uid in uids]
    for console in returned:
        met = await console.until("RoundRequireCartouche")
        assert (met[0], met[-2]) == ("GameInitialisation", "QuestStart"), "no round was played"
        await console.program(["Move_90Right"])
    for console in returned:
        await console.until("RoundStatusOfCompetitors")
