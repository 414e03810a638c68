"""docs/protocols/pawnhub.md: its examples are run, and no message is missing from it."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest
from tests.kit.examples import Values, examples
from tests.kit.pawnhub import Framed, House, Plain, queued
from tests.kit.waiting import until

from tablee.clock import HandClock
from tablee.doors.pawnhub import messages

PAGE = Path(__file__).parents[3] / "docs" / "protocols" / "pawnhub.md"
EXAMPLES = examples(PAGE, "pawnhub")


class Conversation:
    """Runs one example."""

    def __init__(self, house: House, clock: HandClock) -> None:
        self.house, self.clock = house, clock
        self.connections: dict[str, Plain | Framed] = {}
        self.values = Values()

    async def run(self, lines: list[str]) -> None:
        for line in lines:
            found = re.fullmatch(r"\[(\w+)\] ([$<>]) (.*)", line)
            if found is None:
                await self._happens(line.removeprefix("* "))
            else:
                await self._line(found[1], found[2], found[3])

    async def _line(self, who: str, sign: str, text: str) -> None:
        if sign == "$":
            lines = text == "telnet server 9798"
            assert lines or text == "frames server 9797"
            self.connections[who] = await (self.house.plain() if lines else self.house.framed())
        elif sign == ">":
            await self.clock.advance(1)
            self.connections[who].send(self.values.filled(text))
        elif text == "(closed)":
            assert await self.connections[who].closed() == []
        else:
            self.values.match(text, await self.connections[who].line(), "[^ ~]")

    async def _happens(self, what: str) -> None:
        if found := re.fullmatch(r"(\d+) seconds pass", what):
            await self.clock.advance(int(found[1]) * 1_000)
        elif found := re.fullmatch(r"\[(\w+)\] breaks", what):
            self.connections.pop(found[1]).reset()
        elif found := re.fullmatch(r"\[(\w+)\] skips (\d+)", what):
            await self.connections[found[1]].skip(int(found[2]))
        elif found := re.fullmatch(r"\[(\w+)\] waits", what):
            name = found[1]
            await until(lambda: queued(self.house, name))
        else:
            raise AssertionError(f"the page says something that is not understood: {what!r}")
        await asyncio.sleep(0)


@pytest.mark.parametrize(("asked", "lines"), EXAMPLES)
async def test_an_example_of_the_page_is_what_happens(
    house: House, clock: HandClock, asked: str, lines: list[str]
) -> None:
    await Conversation(house, clock).run(lines)


def section(title: str) -> list[list[str]]:
    """The rows of the tables under a title."""
    text = PAGE.read_text("utf-8").partition(f"## {title}\n")[2].partition("\n## ")[0]
    return [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]


def test_every_word_of_the_plain_dialect_is_in_its_table() -> None:
    rows = section("The plain dialect")
    for word in messages.COMMANDS:
        assert any(re.search(rf"`{word}\b", row[0]) for row in rows), word
    for word in messages.ANSWERS:
        assert any(re.search(rf"`{word}\b", row[1]) for row in rows), word


def test_every_code_and_letter_of_the_framed_dialect_is_in_its_table() -> None:
    codes = [row[0].strip("`") for row in section("The framed dialect")]
    assert set(messages.CODES) == set(codes) - {"code"}
    letters = [row[0].strip("`") for row in section("A game in frames")]
    assert set(messages.LETTERS) == set(letters) - {"letter"}


def test_every_message_is_shown_in_an_example() -> None:
    shown = [line for example in EXAMPLES for line in example.values[1]]
    sent = {found[1] for line in shown if (found := re.match(r"\[\w+\] > (\w+)", line))}
    received = {found[1] for line in shown if (found := re.match(r"\[\w+\] < (\w+)", line))}
    assert set(messages.COMMANDS) - sent == {"LEAVE", "REMOVE"}
    # A ranking begins with five rated games, and what a robot plays is chance.
    assert set(messages.ANSWERS) - received == {"RANK", "SAN", "CLOCK"}
    assert set(messages.CODES) <= sent | received
    letters = {found[1] for line in shown if (found := re.match(r"\[\w+\] < 30~(\w)", line))}
    assert set(messages.LETTERS) - letters == {"P"}


def test_every_code_of_a_refusal_of_the_door_is_named() -> None:
    folder = PAGE.parents[2] / "src" / "tablee" / "doors" / "pawnhub"
    code = "".join(path.read_text("utf-8") for path in folder.glob("*.py"))
    said = set(re.findall(r"(?:Refusal|refuse|send_away)\(\s*\"(\w+)\"", code)) - {"quit"}
    named = set(re.findall(r"`(\w+)`", PAGE.read_text("utf-8").partition("Codes of `ERR`")[2][:900]))
    assert said | {"toolong"} <= named
