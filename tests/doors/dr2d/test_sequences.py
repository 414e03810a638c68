"""The sequences of the document in their order, as a console meets them."""

from __future__ import annotations

import msgspec
import pytest
from tests.kit.dr2d import Console, House
from tests.kit.waiting import until

from tablee.clock import HandClock
from tablee.tables import TablePlan

BOARDS = ["usine", "entrepot"]
REGISTER = ["RoundRobotMovement", "RoundBoardMovement", "RoundBoardMovement"]


THE_DOCUMENTS_REPLY = """{
  "stgyReply": {
    "seq": "InitPlayerFeatures",
    "token": "123456789",
    "argsRef": {
      "avatar": {
        "name": "Terminator",
        "argbBackColor": {"A":FF, "R":1E, "G":90, "B":FF}
      }
    }
  }
}
"""


async def to_localization(*consoles: Console) -> None:
    for console in consoles:
        await console.until("InitPlayerLocalization")


async def test_a_game_begins_when_its_seats_are_filled_and_tells_everything_in_order(house: House) -> None:
    first, second = await house.pair()
    assert await first.until("InitPlayerLocalization") == [
        "GameInitialisation",
        "InitDeclareBoard",
        "InitPlayerFeatures",
        "InitPlayerLocalization",
    ]
    await first.echo()
    await to_localization(second)
    await second.echo()
    assert await first.until("RoundRequireCartouche") == [
        "InitStatusOfCompetitors",
        "InitLocateArtefacts",
        "QuestStart",
        "RoundRequireCartouche",
    ]


async def test_a_round_is_told_in_sixteen_calls_and_the_next_cartouche_is_asked_for(house: House) -> None:
    first, second = await house.racing()
    await first.program(["Move_Ahead"])
    await second.program()
    for console in (first, second):
        met = await console.until("RoundRequireCartouche")
        assert met == [*REGISTER * 5, "RoundStatusOfCompetitors", "RoundRequireCartouche"]
        for frame in console.frames:
            call = frame.get("stgyCall", {"seq": ""})
            if "Movement" in call["seq"]:
                assert list(call["argsIn"]) == ["mcnd01", "mcnd02"]


async def test_every_board_of_a_game_is_declared_with_its_number(house: House) -> None:
    info = await house.table(2, boards=BOARDS)
    console = await house.console(f"?table={info.id}")
    await house.console(f"?table={info.id}")
    await console.until("InitPlayerFeatures")
    declared = [frame["stgyCall"] for frame in console.frames if "stgyCall" in frame]
    boards = [call["argsIn"]["board"] for call in declared if call["seq"] == "InitDeclareBoard"]
    assert [board["boardIdx"] for board in boards] == [0, 1]
    assert [(board["boardWidth"], board["boardHeight"]) for board in boards] == [(12, 12)] * 2


async def test_a_name_is_cut_after_eleven_characters_and_a_colour_may_be_numbers(house: House) -> None:
    first, second = await house.pair()
    await first.until("InitPlayerFeatures")
    colour = {"A": 255, "R": "1e", "G": "9", "B": 0}
    await first.reply(argsRef={"avatar": {"name": "Terminator le Grand", "argbBackColor": colour}})
    await to_localization(first, second)
    await first.echo()
    await second.echo()
    await second.until("InitStatusOfCompetitors")
    [one, two] = second.asked["argsIn"]["competitors"]
    colour = {"A": "FF", "R": "1E", "G": "09", "B": "00"}
    assert one["avatar"] == {"name": "Terminator", "argbBackColor": colour}
    assert two["avatar"]["name"] == "mécanoïd02"
    assert (one["mcndId"], two["mcndId"]) == ("01", "02")
    assert one["energy"] == two["energy"] == 7


async def test_the_colour_of_the_document_is_read_letter_by_letter(house: House) -> None:
    first, second = await house.pair()
    await first.until("InitPlayerFeatures")
    await first.socket.send(THE_DOCUMENTS_REPLY.replace("123456789", first.asked["token"]))
    await to_localization(first, second)
    await first.echo()
    await second.echo()
    await second.until("InitStatusOfCompetitors")
    colour = {"A": "FF", "R": "1E", "G": "90", "B": "FF"}
    assert second.asked["argsIn"]["competitors"][0]["avatar"] == {
        "name": "Terminator",
        "argbBackColor": colour,
    }


async def test_a_name_of_nothing_leaves_the_robot_its_own(house: House) -> None:
    first, _ = await house.pair()
    await first.until("InitPlayerFeatures")
    avatar = {**first.asked["argsRef"]["avatar"], "name": "  "}
    await first.reply(argsRef={"avatar": avatar})
    assert await first.call() == "InitPlayerLocalization"
    assert await first.service() == "BadFeatures"
    assert house.view(house.table_id).robots[1].name == "mécanoïd01"


async def test_those_who_want_the_same_tile_are_asked_again_with_new_tokens(house: House) -> None:
    first, second = await house.pair()
    await to_localization(first, second)
    wanted = first.asked["argsRef"]
    assert wanted != second.asked["argsRef"], "the tiles proposed differ"
    tokens = {first.asked["token"], second.asked["token"]}
    await first.reply(argsRef=wanted)
    await second.reply(argsRef=wanted)
    for console in (first, second):
        assert await console.call() == "InitPlayerLocalization"
        tokens.add(console.asked["token"])
        await console.echo()
    assert len(tokens) == 4
    await first.until("QuestStart")


async def test_who_is_late_and_clashes_is_asked_again_like_the_other(house: House, clock: HandClock) -> None:
    info = await house.table(2, localization_seconds=60)
    first = await house.console(f"?table={info.id}")
    await first.service()
    second = await house.console(f"?table={info.id}")
    for console in (first, second):
        await console.until("InitPlayerLocalization")
    await first.reply(argsRef=second.asked["argsRef"])
    await until(lambda: bool(house.view(info.id).robots[1].ready))
    await clock.advance(60_050)
    assert await second.service() == "TimedOut"
    for console in (first, second):
        assert await console.call() == "InitPlayerLocalization"
    proposed = second.asked["argsRef"]
    await first.echo()
    await until(lambda: bool(house.view(info.id).robots[1].ready))
    await second.echo()
    await second.until("QuestStart")
    mine = house.view(info.id).robots[2]
    assert (mine.x, mine.y) == (proposed["locX"], proposed["locY"])


async def test_on_a_conflict_each_console_is_offered_a_place_that_is_free(house: House) -> None:
    first, second = await house.pair()
    await to_localization(first, second)
    wanted = first.asked["argsRef"]
    await first.echo()
    await second.reply(argsRef=wanted)
    offered = []
    for console in (first, second):
        assert await console.call() == "InitPlayerLocalization"
        place = (console.asked["argsRef"]["locX"], console.asked["argsRef"]["locY"])
        assert (place[1] - 1) * 12 + place[0] - 1 in console.asked["argsIn"]["availableTiles"]
        offered.append(place)
    assert (wanted["locX"], wanted["locY"]) not in offered
    assert len(set(offered)) == 2
    await first.reply(argsRef=wanted)  # who insists on it has it, if the other takes what he is offered
    await second.echo()
    assert await first.call() == "InitStatusOfCompetitors"
    places = [(each["mcndLocX"], each["mcndLocY"]) for each in first.asked["argsIn"]["competitors"]]
    assert places == [(wanted["locX"], wanted["locY"]), offered[1]]


async def test_after_eight_more_calls_the_house_places_robots_that_still_clash(house: House) -> None:
    first, second = await house.pair()
    await to_localization(first, second)
    wanted = first.asked["argsRef"]
    calls = 0
    while first.asked["seq"] == "InitPlayerLocalization":
        calls += 1
        await first.reply(argsRef=wanted)
        await second.reply(argsRef=wanted)
        await first.call()
        await second.call()
    assert calls == 9
    assert first.asked["seq"] == "InitStatusOfCompetitors"
    places = {(each["mcndLocX"], each["mcndLocY"]) for each in first.asked["argsIn"]["competitors"]}
    assert len(places) == 2


async def test_a_tile_that_is_not_available_is_asked_for_again_eight_times_at_most(house: House) -> None:
    first, second = await house.pair()
    await to_localization(first, second)
    await second.echo()
    elsewhere = {"locX": 99, "locY": -5, "azimuth": "North"}
    proposed = first.asked["argsRef"]
    for _ in range(8):
        await first.reply(argsRef=elsewhere)
        assert await first.service() == "BadLocalization"
        assert await first.call() == "InitPlayerLocalization"
    await first.reply(argsRef=elsewhere)
    assert await first.service() == "BadLocalization"
    assert await first.call() == "InitStatusOfCompetitors"
    mine = first.asked["argsIn"]["competitors"][0]
    assert (mine["mcndLocX"], mine["mcndLocY"]) == (proposed["locX"], proposed["locY"])


async def test_clashes_and_tiles_that_are_not_available_are_counted_together(house: House) -> None:
    first, second = await house.pair()
    await to_localization(first, second)
    calls = 1
    for _ in range(2):
        for _ in range(3):
            await first.reply(argsRef={"locX": 99, "locY": -5, "azimuth": "North"})
            assert await first.service() == "BadLocalization"
            assert await first.call() == "InitPlayerLocalization"
            calls += 1
        await first.reply(argsRef=second.asked["argsRef"])
        await second.echo()
        for console in (first, second):
            assert await console.call() == "InitPlayerLocalization"
        calls += 1
    assert calls == 9
    await first.reply(argsRef=second.asked["argsRef"])
    await second.echo()
    assert await second.call() == "InitPlayerLocalization"
    await second.echo()
    assert await first.call() == "InitStatusOfCompetitors", "it was asked often enough"


async def test_a_cartouche_that_breaks_a_rule_is_asked_for_three_times_in_all(house: House) -> None:
    first, second = await house.racing()
    await second.program(["Move_Ahead"])
    tokens = set()
    for number in range(3):
        tokens.add(first.asked["token"])
        await first.program(["Move_45Right"])
        assert await first.service() == "BadCartouche"
        assert first.frames[-1]["ShortMessageService"]["msgDesc"]
        if number < 2:
            assert await first.call() == "RoundRequireCartouche"
    assert len(tokens) == 3
    assert await first.call() == "RoundRobotMovement"
    assert first.asked["argsIn"]["mcnd01"] == []


@pytest.mark.parametrize(
    "registers",
    [
        [["Move_Ahead"]] * 6,
        [["Move_Ahead", "Move_90Left"]],
        [["Move_90Left", "Move_90Left"]],
        [["Enrichment_Standby", "Move_Ahead"]],
        [["Conveyor_Turn90Left"]],
        [["0x9999"]],
        [["0x2100, Move_Back"]],
        [[8448, -1]],
        [["Avance"]],
    ],
)
async def test_a_bad_cartouche_may_be_mended_by_the_next(house: House, registers: list[list[str]]) -> None:
    first, second = await house.racing()
    await second.program()
    await first.program(*registers)
    assert await first.service() == "BadCartouche"
    assert await first.call() == "RoundRequireCartouche"
    await first.program(["0x2100"], [], ["Light_On", "0x8822, Enrichment_Standby", "None"])
    assert await first.call() == "RoundRobotMovement"
    assert first.asked["argsIn"]["mcnd01"] != []


async def test_codes_are_taken_whole_by_number_and_by_name_and_answered_in_full(house: House) -> None:
    first, second = await house.racing()
    turns = [["0x245A, Move_90Right"], ["0x245C"], ["Move_180Left"], [0x22B4]]
    await first.reply(argsRef={"cartouche": turns})
    await second.program()
    told: list[list[str]] = []
    while len(told) < 4:
        await first.until("RoundRobotMovement")
        told.append(first.asked["argsIn"]["mcnd01"])
        await first.echo()
    assert told == [
        ["0x245A, Move_90Right"],
        ["0x245C, Move_90Left"],
        ["0x22B6, Move_180Left"],
        ["0x22B4, Move_180Right"],
    ]


async def test_a_console_that_says_nothing_of_its_place_or_program_gets_the_defaults(
    house: House, clock: HandClock
) -> None:
    first, second = await house.pair()
    await to_localization(first, second)
    proposed = second.asked["argsRef"]
    await first.echo()
    await clock.advance(59_000)
    assert house.view(house.table_id).phase == "placing"
    await clock.advance(1_100)
    await until(lambda: bool(house.view(house.table_id).phase == "programming"))
    mine = house.view(house.table_id).robots[2]
    assert (mine.x, mine.y, mine.azimuth) == tuple(proposed.values())
    for console in (first, second):
        await console.until("RoundRequireCartouche")
    await first.program(["Move_90Left"])
    await clock.advance(59_000)
    assert house.view(house.table_id).round == 1
    await clock.advance(1_100)
    await until(lambda: bool(house.view(house.table_id).round == 2))
    assert "RoundRobotMovement" in await first.until("RoundRequireCartouche")


async def test_the_times_are_those_of_the_settings(open_house: object, clock: HandClock) -> None:
    house: House = await open_house(reply=300, cartouche=700, localization=500)  # type: ignore[operator]
    first, second = await house.pair()
    await to_localization(first, second)
    await clock.advance(600)
    await until(lambda: bool(house.view(house.table_id).phase == "programming"))
    for console in (first, second):
        await console.until("RoundRequireCartouche")
    await clock.advance(800)
    await until(lambda: bool(house.view(house.table_id).round == 2))


async def test_a_slow_console_holds_up_nobody_with_what_it_is_only_told(
    house: House, clock: HandClock
) -> None:
    first, second = await house.racing()
    await first.program()
    await second.program()
    await first.until("RoundRequireCartouche")  # the second has not answered one movement
    await first.program()
    await until(lambda: bool(house.view(house.table_id).robots[1].ready))
    for _ in range(4):  # and it has not been asked for its cartouche when the time for that is up
        await second.until("RoundBoardMovement")
        await clock.advance(9_000)
        await second.echo()
    await clock.advance(24_100)
    await until(lambda: bool(house.view(house.table_id).round == 3))


async def test_three_calls_without_an_answer_and_nobody_waits_for_the_console_until_it_answers(
    house: House, clock: HandClock
) -> None:
    first, second = await house.racing()
    await first.program()
    await second.program()
    await first.until("RoundRequireCartouche")
    for _ in range(3):
        await second.call()
        await clock.advance(10_050)
        assert await second.service() == "TimedOut"
    await until(lambda: bool(house.view(house.table_id).robots[2].away))
    for number in (3, 4):
        await first.program()
        await until(lambda number=number: bool(house.view(house.table_id).round == number))  # type: ignore[misc]
        await first.until("RoundRequireCartouche")
    await second.until("RoundStatusOfCompetitors")
    await second.echo()
    await until(lambda: not house.view(house.table_id).robots[2].away)
    await first.program()
    await until(lambda: bool(house.view(house.table_id).round == 5))
    await first.until("RoundRequireCartouche")
    await first.program()
    assert house.view(house.table_id).round == 5
    await second.until("RoundRequireCartouche")


async def test_a_console_a_round_behind_is_told_the_newest_status_and_no_older_movement(
    house: House, clock: HandClock
) -> None:
    first, second = await house.racing()
    await second.program()
    await first.program(["Move_90Left"])
    await first.until("RoundRequireCartouche")
    await first.program(["Move_90Left"])
    await second.until("RoundBoardMovement")
    for _ in range(6):
        await clock.advance(8_600)
        await second.echo()
        await second.until("RoundBoardMovement")
    await clock.advance(8_500)
    await first.until("RoundRequireCartouche")
    assert house.view(house.table_id).round == 3
    await second.echo()
    met = [await second.frame() for _ in range(2)]
    assert met[0]["ShortMessageService"]["msgCode"] == "Skipped"
    assert met[1]["stgyCall"]["seq"] == "RoundStatusOfCompetitors"
    here = met[1]["stgyCall"]["argsIn"]["competitors"][0]
    assert here["azimuth"] == house.view(house.table_id).robots[1].azimuth


async def test_a_round_for_which_all_are_frozen_is_told_after_the_one_in_which_they_froze(
    house: House,
) -> None:
    tiles = [("loi_r1", 6, 6), ("loi_r2", 7, 6), ("loi_r3", 8, 6)]
    tiles += [("murLaser_OE", 10, 10), ("murLaser_NS", 12, 5), ("mur_S", 12, 10)]
    board = {
        "boardIdx": 0,
        "boardWidth": 12,
        "boardHeight": 12,
        "boardActiveTiles": [{"tileType": kind, "tileLocX": x, "tileLocY": y} for kind, x, y in tiles],
    }
    host = await house.club.accounts.create_visitor()
    info = await house.tables.creating.create(
        TablePlan("robots", "practice", {"boards": [board]}, host.id, people=())
    )
    console = await house.console(f"?table={info.id}")
    await to_localization(console)
    await console.reply(argsRef={"locX": 11, "locY": 12, "azimuth": "North"})
    await console.until("RoundRequireCartouche")
    heard = len(console.frames)
    # Into the crossing of two beams, which take the last of its energy in the fifth register.
    await console.program(["Move_Ahead"], ["Move_Ahead"], ["Move_90Right", "Move_Ahead"])
    told = [*REGISTER * 5, "RoundStatusOfCompetitors"]
    assert await console.until("RoundRequireCartouche") == [*told, *told, "RoundRequireCartouche"]
    assert all("stgyCall" in frame for frame in console.frames[heard:]), "it is not a round behind"
    codes = [str(frame["stgyCall"]["argsIn"]) for frame in console.frames[heard:-1]]
    assert ["Enrichment_Frozen" in text for text in codes].index(True) == 14
    assert ["Enrichment_WakeUp" in text for text in codes].index(True) == 30


async def test_the_game_ends_with_a_last_call_and_then_the_connection_is_closed(house: House) -> None:
    info = await house.table(2, rounds=1)
    first = await house.console(f"?table={info.id}")
    second = await house.console(f"?table={info.id}")
    await to_localization(first, second)
    for console in (first, second):
        await console.echo()
    for console in (first, second):
        await console.until("RoundRequireCartouche")
        await console.program()
    for console in (first, second):
        await console.until("GameFinalisation")
    await first.reply(seq="Finalisation")
    await second.echo()
    assert await first.closed() == (1000, "the game is over")
    assert await second.closed() == (1000, "the game is over")
    await until(lambda: not house.door.races)


async def test_a_console_that_does_not_answer_the_last_call_is_closed_all_the_same(
    house: House, clock: HandClock
) -> None:
    info = await house.table(2, rounds=1)
    first = await house.console(f"?table={info.id}")
    second = await house.console(f"?table={info.id}")
    await to_localization(first, second)
    for console in (first, second):
        await console.echo()
    for console in (first, second):
        await console.until("RoundRequireCartouche")
        await console.program()
    await first.until("GameFinalisation")
    await clock.advance(10_100)
    assert (await first.closed())[0] == 1000


def test_the_settings_of_the_door_are_those_of_the_document() -> None:
    from tablee.doors.dr2d import Dr2dSettings

    settings = Dr2dSettings()
    assert (settings.reply, settings.cartouche, settings.localization) == (10_000, 60_000, 60_000)
    assert msgspec.structs.asdict(settings)["seats"] == 2
