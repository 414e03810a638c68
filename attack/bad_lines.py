"""Broken clients of the three historic doors: junk lines, half frames, bytes that are no text."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress

from attack.target import Target
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

AT_ONCE = 4
"""Connections to each door."""
LONGEST = 20_000

LINES = (
    *(b"REGI#K\xe9vin#\x00", b"REGI", b"REGI####", b"RUOK", b"IMOK#" * 300, b"CLIC#a#b", b"JOIN#\xff#\xfe"),
    *(b"LOGI#Partie_1#devinez", b"DOIT#Partie_1#1#x#clic#1#1", b"DONE#Partie_1#0#state#{", b"SDDT#a#b#c"),
    *(b"SCPS#x#" + b"9" * 5000, b"PLIN#a#b", b"#" * 9000, b"\xc3", b"\x80\x81\n\n\r\r", b"NWMA#ALL"),
    *(b"SIGNUP", b"LOGIN x", b"GUEST " * 100, b"PLAY \xf0\x9f", b"CHAT @", b"E2E4", b"QUIET maybe", b"DRAW"),
)
PAYLOADS = (
    *(b"2~\xe9~\xff", b"1~~", b"4~99999", b"4~0", b"30~", b"30~MwZ9Z9", b"30~P", b"3~all", b"3~~~~~~"),
    *(b"12~" + b"x" * 4000, b"20~x", b"|" * 149, b"~" * 149, b"\x00" * 149, b"8~-1", b"11~a~3", b"5"),
)
FRAMES = (
    *("what?", "{", "[]", "null", '{"stgyReply":null}', '{"stgyReply":{"seq":1}}', "[" * 5000),
    *('{"stgyReply":{"seq":"x","token":"y"}}', '{"ShortMessageService":1}', '"argbBackColor":{' * 3000),
    *('{"stgyReply":{"seq":"QuestStart","token":"\\ud800"}}', '{"argbBackColor":{"A":FF,"R":1E', "9" * 5000),
)


async def attack(target: Target) -> str:
    """Go on for about `target.seconds`; say how often each door was spoken to and how often it hung up."""
    until = time.monotonic() + target.seconds
    spoken: Counter[str] = Counter()
    chance = random.Random(1)
    doors: dict[str, Callable[[], bytes]] = {
        "minehive": lambda: b"\n".join(chance.choices(LINES, k=5)) + b"\n",
        "minehive_hosts": lambda: b"\n".join(chance.choices(LINES, k=5)) + b"\n",
        "pawnhub_plain": lambda: b"\n".join(chance.choices(LINES, k=5)) + b"\n",
        "pawnhub": lambda: b"".join(p.ljust(150, b"|") for p in chance.choices(PAYLOADS, k=5)),
    }
    work = [
        _babble(door, target.ports[door], until, junk, spoken, chance)
        for door, junk in doors.items()
        if door in target.ports
        for _ in range(AT_ONCE)
    ]
    if "dr2d" in target.ports:
        work += [_console(target.ports["dr2d"], until, spoken, chance) for _ in range(AT_ONCE)]
    await asyncio.gather(*work)
    return ", ".join(f"{door}: {count}" for door, count in sorted(spoken.items()))


async def _babble(
    door: str, port: int, until: float, junk: Callable[[], bytes], spoken: Counter[str], chance: random.Random
) -> None:
    """Say junk until the door hangs up, then come again; half of it is cut off somewhere."""
    while time.monotonic() < until:
        with suppress(OSError):
            async with asyncio.timeout(max(0.1, until - time.monotonic())):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                try:
                    while time.monotonic() < until:
                        said = (
                            junk() if chance.random() < 0.9 else chance.randbytes(chance.randrange(LONGEST))
                        )
                        if chance.random() < 0.5:
                            said = said[: chance.randrange(len(said) + 1)]
                        writer.write(said)
                        await writer.drain()
                        spoken[f"{door} said"] += 1
                        with suppress(TimeoutError):
                            async with asyncio.timeout(0.05):
                                if not await reader.read(65_536):
                                    break
                finally:
                    writer.close()
        spoken[f"{door} hung up"] += 1


async def _console(port: int, until: float, spoken: Counter[str], chance: random.Random) -> None:
    while time.monotonic() < until:
        with suppress(OSError, WebSocketException, EOFError):
            async with asyncio.timeout(max(0.1, until - time.monotonic())):
                async with connect(f"ws://127.0.0.1:{port}/nulle/part", close_timeout=1) as console:
                    while time.monotonic() < until:
                        said: str | bytes = chance.choice(FRAMES)
                        if chance.random() < 0.02:
                            said = chance.randbytes(chance.randrange(LONGEST))
                        await console.send(said)
                        spoken["dr2d said"] += 1
                        await asyncio.sleep(0.02)
        spoken["dr2d hung up"] += 1
        await asyncio.sleep(0.1)
