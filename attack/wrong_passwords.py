"""Tries many wrong passwords for one known account at once, at every door that asks for one."""

from __future__ import annotations

import asyncio
import time
from collections import Counter

import httpx
from attack.target import Target

AT_ONCE = 40
"""Tries on their way at each door."""
NETWORKS = 20
"""The attacker comes from so many addresses of the loopback at the web door."""
FRAME = 150
PATIENCE = 60.0


async def attack(target: Target) -> str:
    """Goes on for about `target.seconds`, then tries the owner's password from an address of his own."""
    answered: Counter[str] = Counter()
    end = time.monotonic() + target.seconds
    name = target.admin[0]
    doors = [_web(target, end, answered, n) for n in range(AT_ONCE)]
    doors += [_afjd(target, end, answered, n) for n in range(AT_ONCE)]
    for port, line in (
        ("pawnhub_plain", f"LOGIN {name} faux{{n}}\n"),
        ("minehive", f"REGI#{name}#faux{{n}}\n"),
    ):
        if port in target.ports:
            doors += [_lines(target.ports[port], line, end, answered) for _ in range(AT_ONCE)]
    if "pawnhub" in target.ports:
        doors += [_frames(target, end, answered) for _ in range(AT_ONCE)]
    await asyncio.gather(*doors)
    counts = ", ".join(f"{count} {what}" for what, count in answered.most_common())
    return f"{counts}; the owner {await _owner(target)}"


async def _web(target: Target, end: float, answered: Counter[str], n: int) -> None:
    await _posts(f"{target.url}/api/v1/session", "name", target, end, answered, n)


async def _afjd(target: Target, end: float, answered: Counter[str], n: int) -> None:
    await _posts(f"{target.url}/afjd/users/login", "user_name", target, end, answered, n)


async def _posts(url: str, field: str, target: Target, end: float, answered: Counter[str], n: int) -> None:
    transport = httpx.AsyncHTTPTransport(local_address=f"127.0.1.{n % NETWORKS + 1}")
    tried = 0
    async with httpx.AsyncClient(transport=transport, timeout=PATIENCE) as client:
        while time.monotonic() < end:
            tried += 1
            body = {field: target.admin[0], "password": f"faux{n}-{tried}"}
            try:
                answer = await client.post(url, json=body)
                answered[str(answer.status_code)] += 1
            except httpx.HTTPError:
                answered["cut off"] += 1
                await asyncio.sleep(0.1)


async def _lines(port: int, line: str, end: float, answered: Counter[str]) -> None:
    tried = 0
    while time.monotonic() < end:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            answered["cut off"] += 1
            await asyncio.sleep(0.1)
            continue
        try:
            while time.monotonic() < end:
                tried += 1
                writer.write(line.format(n=tried).encode())
                said = b"RUOK"
                while said.startswith((b"RUOK", b"Pawn", b"OK")):
                    said = (await asyncio.wait_for(reader.readline(), PATIENCE)).strip()
                    if said == b"RUOK":
                        writer.write(b"IMOK\n")
                if not said:
                    break
                answered[said.split(b" sentence")[0][:12].decode(errors="replace")] += 1
        except (OSError, TimeoutError):
            answered["cut off"] += 1
        finally:
            writer.close()


async def _frames(target: Target, end: float, answered: Counter[str]) -> None:
    tried = 0
    while time.monotonic() < end:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", target.ports["pawnhub"])
            while time.monotonic() < end:
                tried += 1
                writer.write(f"2~{target.admin[0]}~faux{tried}".encode().ljust(FRAME, b"|"))
                said = await asyncio.wait_for(reader.readexactly(FRAME), PATIENCE)
                answered[f"framed {said.rstrip(b'|').decode(errors='replace')[:5]}"] += 1
        except (OSError, TimeoutError, asyncio.IncompleteReadError):
            answered["cut off"] += 1
            await asyncio.sleep(0.1)
        else:
            writer.close()


async def _owner(target: Target) -> str:
    name, password = target.admin
    transport = httpx.AsyncHTTPTransport(local_address="127.0.2.1")
    async with httpx.AsyncClient(transport=transport, timeout=PATIENCE) as client:
        began = time.monotonic()
        body = {"name": name, "password": password}
        answer = await client.post(f"{target.url}/api/v1/session", json=body)
    return f"was answered {answer.status_code} after {time.monotonic() - began:.1f} s"
