"""docs/protocols/dr2d.md and its schemas: what they show is what happens, and nothing is missing."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from tests.kit.dr2d import Console, House
from tests.kit.examples import Values, examples

from tablee.clock import HandClock
from tablee.doors.dr2d import frames, schemas

PAGE = Path(__file__).parents[3] / "docs" / "protocols" / "dr2d.md"
FOLDER = PAGE.with_suffix("")
SOURCE = PAGE.parents[2] / "src" / "tablee" / "doors" / "dr2d"
EXAMPLES = examples(PAGE, "dr2d")
SHOWN = [line for example in examples(PAGE, "json") for line in example.values[1]]


def schema_of(frame: Any) -> dict[str, Any]:
    """The published schema of a frame, by what the frame says it is."""
    [kind] = frame
    if kind == "ShortMessageService":
        name = "ShortMessageService.json"
    else:
        seq = frames.ALIASES.get(frame[kind]["seq"], frame[kind]["seq"])
        name = f"{seq}.{'call' if kind == 'stgyCall' else 'reply'}.json"
    found: dict[str, Any] = json.loads((FOLDER / name).read_text("utf-8"))
    return found


def demand_form(frame: Any) -> None:
    """Fail unless a frame is as its published schema has it."""
    jsonschema_rs.validate(schema_of(frame), frame)


class Conversation:
    """Runs one example."""

    def __init__(self, house: House, clock: HandClock) -> None:
        self.house, self.clock = house, clock
        self.consoles: dict[str, Console] = {}
        self.kept: dict[str, str] = {}
        self.values = Values()

    async def run(self, lines: list[str]) -> None:
        for line in lines:
            if found := re.fullmatch(r"\[(\w+)\] \(closed (\d+) (.+)\)", line):
                assert await self.consoles[found[1]].closed() == (int(found[2]), found[3])
            elif found := re.fullmatch(r"\[(\w+)\] ([$<>]) (.*)", line):
                await self._line(found[1], found[2], found[3])
            else:
                await self._happens(line.removeprefix("* "))

    async def _line(self, who: str, sign: str, text: str) -> None:
        if sign == "$":
            address, _, query = self.values.filled(text).partition("?")
            assert address == "ws://localhost:8282/dr2d"
            self.consoles[who] = await self.house.console(f"?{query}" if query else "")
        elif sign == ">":
            await self.consoles[who].socket.send(self.values.filled(text))
        else:
            came = self.kept.pop(who, None)
            if came is None:
                came = _wire(await self.consoles[who].frame())
            self.values.match(text, came, r"[\w-]")

    async def _happens(self, what: str) -> None:
        if found := re.fullmatch(r"(\d+) seconds pass", what):
            await self.clock.advance(int(found[1]) * 1_000 + 100)
        elif found := re.fullmatch(r"\[(\w+)\] breaks off", what):
            self.consoles.pop(found[1]).reset()
        elif found := re.fullmatch(r"\[(\w+)\] echoes up to (\w+)(, and that too)?", what):
            console = self.consoles[found[1]]
            await console.until(found[2])
            if found[3]:
                await console.echo()
            else:
                self.kept[found[1]] = _wire(console.frames[-1])
        elif what == "[A] and [B] are asked for their first cartouche":
            self.consoles["A"], self.consoles["B"] = await self.house.racing()
            self.kept["A"] = _wire(self.consoles["A"].frames[-1])
        else:
            raise AssertionError(f"the page says something that is not understood: {what!r}")


def _wire(frame: Any) -> str:
    return json.dumps(frame, ensure_ascii=False, separators=(",", ":"))


@pytest.mark.parametrize(("asked", "lines"), EXAMPLES)
async def test_an_example_of_the_page_is_what_happens(
    house: House, clock: HandClock, asked: str, lines: list[str]
) -> None:
    await Conversation(house, clock).run(lines)


def test_the_published_schemas_are_those_of_the_structs() -> None:
    made = {name: schemas.text_of(schema) for name, schema in schemas.schemas().items()}
    assert made == {file.name: file.read_text("utf-8") for file in FOLDER.iterdir()}, "make schemas"


@pytest.mark.parametrize("line", SHOWN)
def test_every_frame_that_the_page_shows_has_its_form(line: str) -> None:
    frame = json.loads(line)
    demand_form(frame)
    if "stgyReply" in frame:
        reply = frames.read_frame(line)
        assert reply is not None
        seq = frames.ALIASES.get(reply.seq, reply.seq)
        frames.read_arguments(seq, reply.argsRef)


def test_every_sequence_is_shown_both_ways_and_has_its_row() -> None:
    shown = {(kind, body.get("seq")) for line in SHOWN for kind, body in json.loads(line).items()}
    rows = re.findall(r"^\| `(\w+)` \|", PAGE.read_text("utf-8"), re.M)
    for seq in frames.SEQUENCES:
        assert ("stgyCall", seq) in shown
        assert ("stgyReply", seq) in shown or ("stgyReply", "Finalisation") in shown
        assert seq in rows


@pytest.mark.parametrize(
    "broken",
    [
        {"stgyCall": {"seq": "QuestStart", "token": "short", "argsIn": None, "argsRef": None}},
        {"stgyCall": {"seq": "QuestStart", "token": "long-enough-token", "argsIn": {}, "argsRef": None}},
        {"stgyCall": {"seq": "QuestAchieved", "token": "long-enough-token", "argsIn": None, "argsRef": None}},
        {"stgyReply": {"seq": "RoundRequireCartouche", "token": "long-enough-token", "argsRef": None}},
        {"ShortMessageService": "Bonjour"},
    ],
)
def test_a_frame_that_has_not_its_form_is_found(broken: Any) -> None:
    with pytest.raises(jsonschema_rs.ValidationError):
        demand_form(broken)


def objects_in(value: Any) -> list[dict[str, Any]]:
    """Every object in a frame, the frame itself first."""
    if isinstance(value, dict):
        return [value, *(inner for each in value.values() for inner in objects_in(each))]
    return [inner for each in value for inner in objects_in(each)] if isinstance(value, list) else []


@pytest.mark.parametrize("line", [line for line in SHOWN if "stgyCall" in line])
def test_a_call_has_the_keys_of_the_document_and_no_others(line: str) -> None:
    """The page shows the frames of the document: the schemas allow neither less nor more."""
    for place in range(len(objects_in(json.loads(line)))):
        for key in [None, *objects_in(json.loads(line))[place]]:
            frame = json.loads(line)
            changed = objects_in(frame)[place]
            if key is None:
                changed["more"] = 1
            elif (key == "avatar" and "mcndId" in changed) or key.startswith("mcnd0") or key == "stgyCall":
                continue  # ours, in the first status only; as many as there are robots; what the frame is
            else:
                del changed[key]
            with pytest.raises((jsonschema_rs.ValidationError, KeyError, ValueError)):
                demand_form(frame)


def test_every_message_code_of_the_door_is_named() -> None:
    code = "".join(path.read_text("utf-8") for path in SOURCE.glob("*.py"))
    said = set(re.findall(r"(?:BadFrame|TurnedAway|service_text|say)\(\s*\"(\w+)\"", code))
    table = PAGE.read_text("utf-8").partition("## Service messages")[2].partition("\n## ")[0]
    named = {
        name for row in table.splitlines() if row.startswith("| `") for name in re.findall(r"`(\w+)`", row)
    }
    assert len(said) > 15
    assert said <= named


def test_every_closing_code_of_the_door_is_named() -> None:
    from tablee.doors.dr2d import console, sequencer, socket
    from tablee.wire.http import server

    codes = {console.OVER, console.REPLACED, sequencer.FLOODING, socket.BINARY, socket.REFUSED}
    codes |= {socket.RESTART, socket.TOO_SLOW, server.FLOODING, 1002, 1007, 1009, 1011}
    table = PAGE.read_text("utf-8").partition("## Closing codes")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (\d{4}(?:, \d{4})*) \|", table, re.M)
    assert {int(code) for row in rows for code in row.split(", ")} == codes
