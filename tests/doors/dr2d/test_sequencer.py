"""One console's calls: in which order, for how long, and what a bad frame changes (nothing)."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest

from tablee.doors.dr2d.sequencer import (
    Answered,
    Call,
    Close,
    Gone,
    Out,
    Returned,
    Send,
    Sequencer,
    TimedOut,
)
from tablee.doors.dr2d.settings import Bounds

SECOND = 1_000


class Console:
    """A sequencer with a clock in hand, whose frames are kept."""

    def __init__(self) -> None:
        tokens = (f"token-{n:06}" for n in itertools.count(1))
        self.sequencer = Sequencer(Bounds(), lambda: next(tokens))
        self.now = 0
        self.sent: list[dict[str, Any]] = []
        self.happened: list[Out] = []
        self._do(self.sequencer.connect(0))

    def ask(self, *calls: Call) -> None:
        for call in calls:
            self.sequencer.ask(call)
        self._do([])

    def played(self, *calls: Call) -> None:
        self._do(self.sequencer.played(calls))

    def reply(self, **changed: Any) -> None:
        """Answer the last call as the document's elementary reply does, but for what is changed."""
        call = self.last["stgyCall"]
        frame = {"seq": call["seq"], "token": call["token"], "argsRef": call["argsRef"], **changed}
        self.say(json.dumps({"stgyReply": frame}))

    def say(self, text: str) -> None:
        self._do(self.sequencer.receive(text, self.now))

    def wait(self, milliseconds: int) -> None:
        """Let time pass, with a turn at every instant that the sequencer has named."""
        end = self.now + milliseconds
        while (due := self.sequencer.due) is not None and due <= end:
            self.now = max(self.now, due)
            self._do(self.sequencer.turn(self.now))
        self.now = end

    def drop(self) -> None:
        self.sequencer.disconnect()
        self._do([])

    def come_back(self) -> None:
        self._do(self.sequencer.connect(self.now))

    @property
    def last(self) -> dict[str, Any]:
        return [frame for frame in self.sent if "stgyCall" in frame][-1]

    @property
    def calls(self) -> list[str]:
        return [frame["stgyCall"]["seq"] for frame in self.sent if "stgyCall" in frame]

    @property
    def told(self) -> list[str]:
        return [
            frame["ShortMessageService"]["msgCode"] for frame in self.sent if "ShortMessageService" in frame
        ]

    def happenings(self, kind: type[Any]) -> list[Any]:
        return [out for out in self.happened if isinstance(out, kind)]

    def _do(self, outs: list[Out]) -> None:
        for out in [*outs, *self.sequencer.advance(self.now)]:
            if isinstance(out, Send):
                self.sent.append(json.loads(out.text))
            else:
                self.happened.append(out)


def plain(seq: str, round: int = 0) -> Call:
    return Call(seq, round=round, time=10 * SECOND)


def cartouche(until: int, round: int = 1) -> Call:
    asked: dict[str, list[str]] = {"cartouche": []}
    return Call(
        "RoundRequireCartouche", args_ref=asked, round=round, time=60 * SECOND, holds=True, until=until
    )


def round_of(number: int) -> list[Call]:
    movements = ["RoundRobotMovement", "RoundBoardMovement", "RoundBoardMovement"] * 5
    return [plain(seq, number) for seq in [*movements, "RoundStatusOfCompetitors"]]


def test_the_next_call_is_sent_when_the_last_is_answered() -> None:
    console = Console()
    console.ask(plain("GameInitialisation"), plain("QuestStart"))
    assert console.calls == ["GameInitialisation"]
    console.reply()
    assert console.calls == ["GameInitialisation", "QuestStart"]
    assert [out.call.seq for out in console.happenings(Answered)] == ["GameInitialisation"]


def test_every_call_has_a_token_of_its_own() -> None:
    console = Console()
    console.ask(*(plain("QuestStart") for _ in range(5)))
    for _ in range(5):
        console.reply()
    tokens = [frame["stgyCall"]["token"] for frame in console.sent]
    assert len(set(tokens)) == 5


def test_the_next_call_is_sent_when_the_time_of_the_last_is_up() -> None:
    console = Console()
    console.ask(plain("GameInitialisation"), plain("QuestStart"))
    console.wait(10 * SECOND - 1)
    assert console.calls == ["GameInitialisation"]
    console.wait(1)
    assert console.calls == ["GameInitialisation", "QuestStart"]
    assert console.told == ["TimedOut"]


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"token": "token-999999"}, "BadToken"),
        ({"seq": "QuestStart"}, "BadSequence"),
        ({"argsRef": {"cartouche": "Move_Ahead"}}, "BadArguments"),
        ({"argsRef": {"cartouche": [["Move_Ahead"], [None]]}}, "BadArguments"),
        ({"argsRef": {"cartouche": [["Move_Ahead"], [True]]}}, "BadArguments"),
        ({"argsRef": {}}, "BadArguments"),
        ({"argsRef": None}, "BadArguments"),
        ({"token": 7}, "BadFrame"),
        ({"seq": None}, "BadFrame"),
    ],
)
def test_a_reply_that_does_not_fit_is_told_so_and_the_call_waits_on(
    changed: dict[str, Any], code: str
) -> None:
    console = Console()
    console.ask(cartouche(60 * SECOND))
    console.wait(SECOND)
    console.reply(**changed)
    assert console.told == [code]
    assert console.happened == []
    console.reply(argsRef={"cartouche": [["Move_Ahead"]]})
    [answered] = console.happenings(Answered)
    assert answered.args.cartouche == [["Move_Ahead"]]


@pytest.mark.parametrize(
    "text", ["", "{", "null", "[]", "7", '"stgyReply"', "{}", '{"stgyCall": {}}', "[" * 9]
)
def test_what_is_no_frame_is_told_so_and_the_call_waits_on(text: str) -> None:
    console = Console()
    console.ask(plain("QuestStart"))
    console.say(text)
    assert console.told in (["BadJson"], ["BadFrame"])
    console.reply()
    assert len(console.happenings(Answered)) == 1


def test_a_token_is_good_once() -> None:
    console = Console()
    console.ask(plain("GameInitialisation"), plain("GameInitialisation"))
    first = console.last["stgyCall"]["token"]
    console.reply()
    console.reply(token=first)
    assert console.told == ["OldToken"]
    assert len(console.happenings(Answered)) == 1


def test_a_reply_that_comes_late_is_told_so() -> None:
    console = Console()
    console.ask(plain("QuestStart"))
    console.wait(10 * SECOND)
    console.reply()
    assert console.told == ["TimedOut", "OldToken"]


def test_a_reply_to_nothing_is_told_so() -> None:
    console = Console()
    console.say('{"stgyReply": {"seq": "QuestStart", "token": "x"}}')
    assert console.told == ["NoCall"]


def test_the_finalisation_of_the_document_is_taken_under_both_its_names() -> None:
    for name in ("Finalisation", "GameFinalisation"):
        console = Console()
        console.ask(plain("GameFinalisation"))
        console.reply(seq=name, argsIn=None)
        assert len(console.happenings(Answered)) == 1


def test_service_messages_and_replies_to_the_reserved_sequence_are_not_answered() -> None:
    console = Console()
    console.ask(plain("QuestStart"))
    console.say('{"ShortMessageService": {"msgCode": "0", "msgDesc": "Bonjour", "msgArgs": null}}')
    console.say('{"ShortMessageService": null}')
    console.reply(seq="RoundComputedMovements")
    assert console.told == []
    assert console.happened == []


def test_three_calls_in_a_row_without_an_answer_and_the_console_is_gone_until_it_answers() -> None:
    console = Console()
    console.ask(*(plain("QuestStart") for _ in range(5)))
    console.wait(20 * SECOND)
    assert not console.sequencer.is_gone
    console.wait(10 * SECOND)
    assert console.sequencer.is_gone
    assert len(console.happenings(Gone)) == 1
    console.reply()
    assert not console.sequencer.is_gone
    assert len(console.happenings(Returned)) == 1


def test_an_answer_in_between_begins_the_count_again() -> None:
    console = Console()
    console.ask(*(plain("QuestStart") for _ in range(6)))
    console.wait(20 * SECOND)
    console.reply()
    console.wait(20 * SECOND)
    assert not console.sequencer.is_gone


def test_a_cartouche_keeps_the_time_of_the_game_even_while_it_waits_behind_other_calls() -> None:
    console = Console()
    console.ask(*(plain("RoundBoardMovement", 1) for _ in range(9)), cartouche(60 * SECOND, 2))
    for _ in range(7):
        console.wait(9 * SECOND)
        console.reply()
    [late] = console.happenings(TimedOut)
    assert late.call.seq == "RoundRequireCartouche"
    assert console.calls == ["RoundBoardMovement"] * 8


def test_the_game_waits_for_a_cartouche_until_the_instant_it_says() -> None:
    console = Console()
    console.wait(50 * SECOND)
    console.ask(cartouche(60 * SECOND))
    console.wait(10 * SECOND)
    [late] = console.happenings(TimedOut)
    assert late.call.args_ref == {"cartouche": []}


def test_a_console_a_round_behind_skips_to_the_newest_status() -> None:
    console = Console()
    console.played(*round_of(1))
    console.reply()
    console.played(*round_of(2))
    assert console.told == ["Skipped"]
    console.reply()
    assert console.calls == ["RoundRobotMovement", "RoundBoardMovement", "RoundStatusOfCompetitors"]


def test_a_console_that_skips_still_hears_of_the_board_and_of_who_has_arrived() -> None:
    console = Console()
    first = [*round_of(1), plain("RoundBoardAction", 1), plain("QuestAchieved", 1)]
    console.played(*first)
    console.played(*round_of(2))
    for _ in range(4):
        console.reply()
    assert console.calls[1:] == ["RoundBoardAction", "QuestAchieved", "RoundStatusOfCompetitors"]


def test_a_console_that_has_heard_all_but_the_newest_round_skips_nothing() -> None:
    console = Console()
    for number in (1, 2):
        console.played(*round_of(number))
        for _ in range(16):
            console.reply()
    assert len(console.calls) == 32
    assert console.told == []


def test_the_pending_call_is_sent_again_to_a_console_that_comes_back() -> None:
    console = Console()
    console.ask(cartouche(60 * SECOND))
    asked = console.last
    console.drop()
    console.wait(20 * SECOND)
    console.come_back()
    assert console.sent == [asked, asked]
    console.reply()
    assert len(console.happenings(Answered)) == 1


def test_what_a_console_is_only_told_waits_for_it_while_it_is_away() -> None:
    console = Console()
    console.ask(plain("GameInitialisation"), plain("QuestStart"))
    console.drop()
    console.wait(3600 * SECOND)
    assert console.happened == []
    console.come_back()
    console.reply()
    assert console.calls == ["GameInitialisation", "GameInitialisation", "QuestStart"]


def test_a_console_that_is_away_when_its_time_is_up_is_gone_until_it_comes_back() -> None:
    console = Console()
    console.ask(cartouche(60 * SECOND))
    console.drop()
    console.wait(60 * SECOND)
    assert console.sequencer.is_gone
    assert len(console.happenings(TimedOut)) == 1
    console.come_back()
    assert not console.sequencer.is_gone


def test_what_the_game_no_longer_waits_for_is_not_asked() -> None:
    console = Console()
    console.ask(cartouche(60 * SECOND), cartouche(120 * SECOND))
    console.sequencer.withdraw("RoundRequireCartouche")
    console.reply()
    assert console.told == ["OldToken"]
    assert console.sequencer.is_quiet


def test_the_game_may_say_itself_that_the_time_is_up() -> None:
    console = Console()
    console.ask(cartouche(60 * SECOND))
    for out in console.sequencer.time_up("RoundRequireCartouche", 0):
        console.happened.append(out)
    assert len(console.happenings(TimedOut)) == 1
    assert console.sequencer.is_quiet


def test_fifty_frames_a_second_that_answer_nothing_are_borne_and_one_more_is_not() -> None:
    console = Console()
    console.ask(plain("QuestStart"))
    for _ in range(50):
        console.say("{}")
    assert console.happenings(Close) == []
    console.wait(999)
    console.say("{}")
    [close] = console.happenings(Close)
    assert close.code == 1008


def test_slower_frames_that_answer_nothing_are_borne_for_ever() -> None:
    console = Console()
    for _ in range(500):
        console.say("{}")
        console.wait(20)
    assert console.happenings(Close) == []


def test_replies_that_answer_are_not_counted_however_fast() -> None:
    console = Console()
    console.ask(*(plain("QuestStart") for _ in range(200)))
    for _ in range(200):
        console.reply()
    assert console.happenings(Close) == []
    assert len(console.happenings(Answered)) == 200
