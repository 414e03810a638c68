"""A whole race of eight consoles over WebSockets: two misbehave, one leaves and returns."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from tests.doors.dr2d.test_documented import demand_form
from tests.kit.dr2d import House
from tests.kit.waiting import until
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tablee.clock import HandClock
from tablee.doors.dr2d import frames
from tablee.terminal.dr2d.console import Console, play

FIRST = [
    "GameInitialisation",
    "InitDeclareBoard",
    "InitDeclareBoard",
    "InitPlayerFeatures",
    "InitPlayerLocalization",
]
REGISTER = ["RoundRobotMovement", "RoundBoardMovement", "RoundBoardMovement"]


class Recorded(Console):
    """The reference console, whose frames are kept, both ways."""

    def __init__(self, name: str) -> None:
        super().__init__(name, lambda line: None)
        self.came: list[Any] = []
        self.went: list[Any] = []

    def answer(self, text: str) -> str | None:
        self.came.append(json.loads(text))
        reply = super().answer(text)
        if reply is not None:
            self.went.append(json.loads(reply))
        return reply

    @property
    def calls(self) -> list[str]:
        return [frame["stgyCall"]["seq"] for frame in self.came if "stgyCall" in frame]


class Time:
    """The clock of the house stands still but for this, so that nobody who answers is ever too late.

    It goes for the one who is silent, once nobody else owes an answer, and a second at a time for the one
    who babbles, who would else be flooding.
    """

    def __init__(self, clock: HandClock) -> None:
        self._clock = clock
        self._hand = asyncio.Lock()

    async def passes(self, milliseconds: int) -> None:
        async with self._hand:
            await self._clock.advance(milliseconds)

    async def passes_for_the_silent(self, house: House, table_id: int) -> None:
        """Its three first calls, in turn, are not answered in time."""

        def is_waited_for_alone() -> bool:
            race = house.door.races.get(table_id)
            owing = [] if race is None else [not each.sequencer.is_quiet for each in race.consoles.values()]
            return len(owing) == 8 and sum(owing) == 1

        for _ in range(3):
            await until(is_waited_for_alone)
            await self.passes(10_050)


async def babble(url: str, time: Time) -> list[Any]:
    """A console that answers what holds the game up wrongly, in every way, before it answers at all."""
    came: list[Any] = []
    async with connect(url) as line:
        try:
            async for text in line:
                came.append(json.loads(text))
                call = came[-1].get("stgyCall")
                if call is None:
                    continue
                good = {"seq": call["seq"], "token": call["token"], "argsRef": call["argsRef"]}
                if call["argsRef"] is None:
                    await line.send(json.dumps({"stgyReply": good}))
                    continue
                await line.send("{")
                for bad in (
                    {**good, "token": "nothing like it"},
                    {**good, "seq": "QuestStart"},
                    {**good, "argsRef": 7},
                ):
                    await line.send(json.dumps({"stgyReply": bad}))
                if call["seq"] == "RoundRequireCartouche":
                    good["argsRef"] = {"cartouche": [["Move_45Left"]]}
                await line.send(json.dumps({"stgyReply": good}))
                await time.passes(1_000)
        except ConnectionClosed:
            pass
    return came


async def stay_silent(url: str) -> list[Any]:
    """A console that never answers, until it is closed."""
    came: list[Any] = []
    async with connect(url) as line:
        try:
            while True:
                came.append(json.loads(await line.recv()))
        except ConnectionClosed:
            return came


async def leave_and_return(url: str, console: Recorded) -> None:
    """Break off in the third round, and come back with nothing in mind but the playerUID."""
    line: ClientConnection
    async with connect(url) as line:
        async for text in line:
            reply = console.answer(str(text))
            if console.calls.count("RoundRequireCartouche") == 3:
                line.transport.abort()
                break
            if reply is not None:
                await line.send(reply)
    forgetful = Recorded(console.name)
    forgetful.player_uid = console.player_uid
    await play(url, forgetful)
    console.came += forgetful.came
    console.went += forgetful.went
    console.over = forgetful.over


async def test_eight_consoles_race_to_the_end_though_two_misbehave_and_one_leaves_and_returns(
    house: House, clock: HandClock
) -> None:
    options: dict[str, Any] = {
        "boards": ["usine", "entrepot"],
        "rounds": 16,
    }
    time = Time(clock)
    info = await house.table(8, **options)
    url = house.url(f"?table={info.id}")
    good = [Recorded(f"R{number}") for number in range(1, 6)]
    returning = Recorded("Revenant")
    async with asyncio.TaskGroup() as playing:
        answering = [playing.create_task(play(url, console)) for console in good]
        answering.append(playing.create_task(leave_and_return(url, returning)))
        babbling = playing.create_task(babble(url, time))
        silence = playing.create_task(stay_silent(url))
        await time.passes_for_the_silent(house, info.id)
        await asyncio.gather(*answering)
        for _ in range(2):  # the call that it has left lying, and the last
            await time.passes(10_050)
    babbled, silent = babbling.result(), silence.result()

    await until(lambda: not house.door.races)
    result = (await house.tables.info(info.id)).result
    assert result is not None
    assert result.reason in ("quest", "rounds")
    assert all(console.over for console in [*good, returning])
    everything = [*returning.came, *babbled, *silent, *(frame for console in good for frame in console.came)]
    for frame in everything:
        demand_form(frame)
    for frame in (frame for console in [*good, returning] for frame in console.went):
        demand_form(frame)
    for console in good:
        demand_order(console.calls)
        assert [frame for frame in console.came if "ShortMessageService" in frame] == console.came[:1]
    tokens = [frame["stgyCall"]["token"] for frame in everything if "stgyCall" in frame]
    resent = len(tokens) - len(set(tokens))
    assert resent == 1, "the call that was pending when its console came back comes twice, and no other"
    demand_same_story([console.came for console in good])
    assert {"BadJson", "BadToken", "BadSequence", "BadArguments", "BadCartouche"} <= set(messages(babbled))
    assert messages(silent).count("TimedOut") > 3
    assert "QuestAchieved" in good[0].calls


def messages(came: list[Any]) -> list[str]:
    return [frame["ShortMessageService"]["msgCode"] for frame in came if "ShortMessageService" in frame]


def demand_order(calls: list[str]) -> None:
    """Fail unless the calls of a console that misses nothing are in the order of the document."""
    assert calls[: len(FIRST)] == FIRST
    left = calls[len(FIRST) :]
    while left[0] == "InitPlayerLocalization":
        left.pop(0)
    assert left[:3] == ["InitStatusOfCompetitors", "InitLocateArtefacts", "QuestStart"]
    left = left[3:]
    while left != ["GameFinalisation"]:
        if left[0] == "RoundRequireCartouche":  # a frozen or finished robot is not asked
            left.pop(0)
        assert left[:15] == REGISTER * 5
        left = left[15:]
        if left[0] == "RoundBoardAction":
            left.pop(0)
        assert left.pop(0) == "RoundStatusOfCompetitors"
        if left[0] == "QuestAchieved":
            left.pop(0)


def demand_same_story(told: list[list[Any]]) -> None:
    """Fail unless all consoles were told the same of what concerns them all."""
    shared = set(frames.SEQUENCES) - {
        *("GameInitialisation", "InitPlayerFeatures", "InitPlayerLocalization", "RoundRequireCartouche")
    }
    stories = [
        [
            (frame["stgyCall"]["seq"], frame["stgyCall"]["argsIn"])
            for frame in came
            if frame.get("stgyCall", {"seq": ""})["seq"] in shared
        ]
        for came in told
    ]
    assert all(story == stories[0] for story in stories)
