"""Of two tables that a seat cannot tell apart, every door sends that seat the same bytes.

A game is played for a while in one house and kept. Its database is copied twice, the second time with the
twin of its state for the seat that is observed. A house is opened on each copy, the same is done there, and
what came out of the door's real socket is compared.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from msgspec.structs import replace
from starlette.requests import Request
from tests.conformance.twins import Case, Twins, keep, played
from tests.kit import afjd, dr2d, mail, minehive, pawnhub, web
from tests.kit.pawnhub import PASSWORD
from tests.kit.playing import play
from tests.kit.waiting import until

from tablee.clock import HandClock
from tablee.club.calling.sending import notification
from tablee.doors.afjd.calls import GAMES as AFJD_CALLS
from tablee.doors.dr2d.uids import Player
from tablee.doors.web.following import atom, ical
from tablee.doors.web.previews import preview_of
from tablee.rules import GAMES
from tablee.rules.arena import ArenaRules
from tablee.rules.chess import ChessRules
from tablee.rules.conformance.breach import encoded
from tablee.rules.contract import MASTER, SPECTATOR, Rules, Seat
from tablee.rules.diplomacy.rules import DiplomacyRules
from tablee.rules.mines import CustomMinesRules, MinesRules
from tablee.rules.robots import RaceRules
from tablee.tables.roles import roles_in
from tablee.tables.terms import Terms

Tape = list[bytes]
"""What came out of a door, piece by piece."""
Act = Callable[[], Awaitable[object]]
"""What another seat does meanwhile."""


# --- what comes out of the doors ------------------------------------------------------------------------


async def on_web(house: web.House, twins: Twins, act: Act) -> Tape:
    """Whatever the routes of a table answer, and two live connections: one from before the act, one since."""
    guest, table = house.nobody(), twins.table
    if twins.account:
        guest.became(await guest.post("/session", {"name": twins.name, "password": PASSWORD}))
    got: Tape = []
    infos: Tape = []

    followed = await guest.post("/account/follow-key", status=201) if twins.account else {}

    async def look() -> None:
        for path in (*WEB_PATHS, *(() if twins.account else ("/tables/{table}/picture.png",))):
            answer = await guest.ask("GET", path.format(table=table))
            got.append(f"{path} {answer.status_code} ".encode() + _COMING.sub(b"", answer.content))
        shown = await preview_of(house.door.house, _pasted(f"/tables/{table}"))
        assert shown is not None
        got.append(shown.encode())
        for name in ("calendar", "feed") if followed else ():
            content = (await guest.http.get(followed[name])).content
            got.append(_NAMES.sub(b"", content.replace(followed[name].encode(), b"")))

    async def is_present() -> bool:
        return twins.seat in await house.tables.presence.present(table)

    def hear(came: bytes) -> None:
        if came.startswith(b'{"type":"info"'):
            infos.append(_COMING.sub(b"", came))
        else:
            got.append(came)

    async def listen(**since: int) -> web.Live:
        live = await guest.live()
        live.socket = Taped(live.socket, hear)  # type: ignore[assignment]
        await live.subscribe("table", table=table, **since)
        if twins.account:
            await live.subscribe("turns")
            await until(is_present)
        await live.settled()
        return live

    await look()
    version = (await guest.get(f"/tables/{table}/view"))["version"]
    live = await listen()
    await act()
    await live.settled()
    await listen(since=version)
    await look()
    return [*got, *dict.fromkeys(infos)]


WEB_PATHS = (
    "/tables/{table}", "/tables/{table}/view", "/tables/{table}/view?since=1", "/tables/{table}/legal",
    "/tables/{table}/view?as=spectator", "/tables/{table}/history", "/tables/{table}/results",
    "/tables/{table}/export.pgn", "/tables/{table}/export.fen", "/tables/{table}/analysis?ply=1",
    "/tables/{table}/seasons", "/tables/{table}/drafts/1", "/tables/{table}/press", "/tables/{table}/letters",
    "/tables?status=running", "/account/tables", "/account/games?language=fr", "/notices",
    "/tables/{table}/conditions", "/tables/{table}/film", "/tables/{table}/film?as=spectator",
    "/tables/{table}/picture.svg", "/tables/{table}/picture.svg?as=spectator&step=3",
    "/tables/{table}/review",
)  # fmt: skip


def _pasted(path: str) -> Request:
    """What a program asks that shows a link to the table."""
    return Request(
        {
            "type": "http",
            "method": "GET",
            "scheme": "http",
            "path": path,
            "query_string": b"",
            "headers": [],
            "server": ("127.0.0.1", 80),
        }
    )


_COMING = re.compile(rb'"(here|spectators)":(\d+|\[[^]]*\])')
"""Who is there and how many look on: that is told when it is known, at its own time."""


_NAMES = re.compile(rb"urn:uuid:[0-9a-f-]+")
"""Each house makes names with a key of its own."""


class Taped:
    """A WebSocket whose every message is kept as it came."""

    def __init__(self, socket: Any, keep: Callable[[bytes], object]) -> None:
        self._socket, self._keep = socket, keep

    async def recv(self) -> str:
        text: str = await self._socket.recv()
        self._keep(text.encode())
        return text

    def __getattr__(self, name: str) -> Any:
        return getattr(self._socket, name)


async def on_minehive(house: minehive.House, twins: Twins, act: Act) -> Tape:
    """What the server says of the match, and all lines of it; a click off the board is answered last."""
    client = await house.client()
    kind, ip, port = (await client.ask(f"REGI#{twins.name}#{PASSWORD}")).split("#")
    assert kind == "IDIG"
    looker = await house.available("Curieux")
    looker.send("LSMA", "LSAV", "LSUS", "NWNO")
    seen = await looker.lines_until("IDKS")
    player = await house.player(twins.name, (ip, int(port)))
    player.answers_pings = True
    await act()
    player.send("CLIC#99#99")
    lines = [*seen, *player.welcome, *await player.lines_until("OORG")]
    return [re.sub(rf"#{ip}#\d+", "#ip#port", line).encode() for line in lines]


async def on_pawnhub_plain(house: pawnhub.House, twins: Twins, act: Act) -> Tape:
    """Who logs in goes on with his game; a move that cannot be is answered too, and rules are said last.

    Somebody else asks for all that can be asked for.
    """
    if not twins.account:
        client = await house.plain_member("Curieux")
        client.send(*PAWNHUB_LISTS)
        seen = [line for _ in PAWNHUB_LISTS for line in await client.until("END")]
        await act()
        client.send("a1h8", "CHAT GAME x", "RESIGN", *PAWNHUB_LISTS)
        seen += [line for _ in PAWNHUB_LISTS for line in await client.until("END")]
        return [line.encode() for line in seen]
    client = await house.plain_member(twins.name)
    client.send("RULES alice")
    seen = await client.until("END")
    await act()
    client.send("a1h8", "RULES dark")
    return [line.encode() for line in [*seen, *await client.until("END")]]


PAWNHUB_LISTS = ("STATS", "RANKING dark", "RANKING all", "FRIENDS", "REQUESTS", "RULES dark")


async def on_pawnhub_framed(house: pawnhub.House, twins: Twins, act: Act) -> Tape:
    """Who leaves the queue is led to his game that nobody is connected to; somebody else asks for lists."""
    client = await house.framed_member(twins.name if twins.account else "Curieux")
    lists = ("7~myStat", "8~1", "9", "10", "14")
    if twins.account:
        client.send("4~0", "5~")
        await until(lambda: house.door.present.here[twins.account].game is not None)
    else:
        client.send(*lists)
    await act()
    client.send(*(() if twins.account else lists), f"30~M{'?wb'[max(twins.seat, 0)]}a1h8", "0~Quit")
    frames = [await client.frame()]
    while frames[-1].rstrip(b"|") != b"0~Quit":
        frames.append(await client.frame())
        assert frames[-1], frames
    return frames


async def on_dr2d(house: dr2d.House, twins: Twins, act: Act) -> Tape:
    """A console that comes back, is asked, and is sent away when the next one comes back."""
    uid = house.door.uids.of(Player(twins.table, twins.seat, twins.account))
    got: Tape = []

    async def come() -> dr2d.Console:
        console = await house.console(f"?playerUID={uid}")
        console.socket = Taped(console.socket, got.append)  # type: ignore[assignment]
        return console

    first = await come()
    await first.until("RoundRequireCartouche")
    await act()
    second = await come()
    await first.closed()
    await second.until("RoundRequireCartouche")
    return [re.sub(rb'"token": ?"[^"]*"', b"", frame) for frame in got]


async def on_afjd(house: afjd.House, twins: Twins, act: Act) -> Tape:
    """Every call that reads something of a game, before and after."""
    ask, role = house.ask, 1
    if twins.account:
        token = await house.log_in(twins.name, PASSWORD)
        ask = afjd.Person(house, twins.name, twins.account, token).ask
        [role] = await house.tables.roles_of(twins.table, twins.account)
    got: Tape = []
    for step in range(2):
        for call in AFJD_CALLS.routes:
            if call.method == "GET" and not call.secret:
                path = call.path.format(
                    name="Partie_1", game_id=twins.table, player_id=twins.account, advancement=1, key="x"
                )
                answer = await ask("GET", path, role_id=role)
                got.append(f"{path} {answer.status_code} ".encode() + answer.content)
        if step == 0:
            await act()
    return got


async def on_mail(house: mail.House, twins: Twins, act: Act) -> Tape:
    """The answers to letters that ask how it stands, for help, and for nothing that anybody understands."""
    await house.give_address(twins.account)
    info, who = await house.tables.info(twins.table), await house.club.accounts.by_id(twins.account)
    for place, said in enumerate(("état", "aide", "A XYZ - PAR\nZz9", "état\nzut")):
        if place == 3:
            await act()
        await house.write(await house.address(info, who), said)
    return [f"{letter.subject}\n{letter.text}".encode() for letter in await house.posted()]


async def in_letters(house: mail.House, twins: Twins, act: Act) -> Tape:
    """The letters and push messages that call him: what happens, a turn, press, a date near or past."""
    await house.give_address(twins.account)
    caller, pushed = house.club.caller, list[bytes]()
    clock, tables = house.clock, house.tables
    assert isinstance(clock, HandClock)
    live = await tables.open(twins.table)

    async def later(milliseconds: int) -> None:
        clock._now += milliseconds  # at one leap: nothing else runs meanwhile
        account = await house.club.accounts.by_id(twins.account)
        calls = await caller.calls.pending([account.id], clock.now())
        said = await caller.word(
            account, twins.table, [each for each in calls if each.table_id == twins.table]
        )
        pushed.extend([encoded(notification("Club", account, said))] if said else [])
        await caller.write_letters()

    await later(10 * 60_000)
    await act()
    await later(10 * 60_000)
    if live.rules.roles:
        (role,), author = roles_in(live, twins.actor), live.info.at(twins.actor)
        assert author is not None
        who = await house.club.accounts.by_id(author.account_id)
        await tables.press.declare(live.info, who, role, "Bonjour à tous.")
        await tables.press.write_all(live.info, who, role, roles_in(live, twins.seat), "Bonjour.")
    for hours in (24, 24, 12, 9, 1, 4):
        await later(hours * 3_600_000)
    told = [
        f"{part}".encode() for each in await house.letters() for part in (each.subject, each.text, each.html)
    ]
    # Links out are signed by a key that each house has made for itself.
    return [*pushed, *(re.sub(rb"/stop/[\w.-]+", b"/stop/", each) for each in told)]


async def in_feeds(house: mail.House, twins: Twins, act: Act) -> Tape:
    """His calendar and his feed, before somebody acts and after it."""
    following, got = house.tables.following, list[bytes]()
    about = atom.About("urn:x", "T", "Club", "https://x", "https://x/feed", "fr", 0)

    async def look() -> None:
        account = await house.club.accounts.by_id(twins.account)
        told = await following.happenings(account, await following.recent(account))
        dates = await following.deadlines(account)
        got.append(_NAMES.sub(b"", atom.feed(about, told).encode()))
        got.append(ical.calendar("Club", "https://x", dates).encode())

    await look()
    await act()
    await look()
    assert b"<entry>" in got[-2]
    live = await house.tables.open(twins.table)
    assert (b"BEGIN:VEVENT" in got[-1]) is (twins.seat in live.waiting())
    return got


DOORS: dict[str, tuple[type[Any], Callable[[Any, Twins, Act], Awaitable[Tape]]]] = {
    "web": (web.House, on_web),
    "minehive": (minehive.House, on_minehive),
    "pawnhub": (pawnhub.House, on_pawnhub_plain),
    "pawnhub-framed": (pawnhub.House, on_pawnhub_framed),
    "dr2d": (dr2d.House, on_dr2d),
    "afjd": (afjd.House, on_afjd),
    "mail": (mail.House, on_mail),
    "letters": (mail.House, in_letters),
    "feeds": (mail.House, in_feeds),
}
RACE = {"seats": 3, "rounds": 20}
MATCH = {"seats": 3, "flags": False, "chording": False}
DATED = {"calendar": True, "moves_days": 3, "sharing": "none"}
BY_DAYS = {"kind": "days", "days": 3}
SMALL = {"width": 8, "height": 8, "mines": 10, "seats": 2}
MASTERED = Terms(mastered=True)
CASES = [
    *(
        Case("web", rules, seat, options, least)
        for seat in (1, SPECTATOR)
        for rules, options, least in (
            (CustomMinesRules(), SMALL, 3),
            (ChessRules("dark"), None, 7),
            (ChessRules("classic"), None, 4),
            (DiplomacyRules(), None, 9),
            (RaceRules(), RACE, 6),
            (ArenaRules(), None, 8),
        )
    ),
    Case("minehive", MinesRules(), 1, MATCH, 3),
    *(Case("pawnhub", ChessRules("dark"), seat, None, 7) for seat in (1, 2, SPECTATOR)),
    *(Case("pawnhub-framed", ChessRules("dark"), seat, None, 7) for seat in (1, 2, SPECTATOR)),
    Case("dr2d", RaceRules(), 1, RACE, 6),
    *(Case("afjd", DiplomacyRules(), seat, None, 9, MASTERED) for seat in (1, SPECTATOR)),
    Case("afjd", ChessRules("dark"), SPECTATOR, None, 7),
    Case("mail", DiplomacyRules(), 1, None, 9),
    Case("mail", ChessRules("dark"), 2, None, 7),
    Case("mail", RaceRules(), 2, RACE, 6),
    *(
        case
        for door in ("letters", "feeds")
        for case in (
            Case(door, DiplomacyRules(), 1, DATED, 9),
            Case(door, ChessRules("dark"), 1, None, 11, time_control=BY_DAYS),
            Case(door, ArenaRules(), 1, None, 8, time_control=BY_DAYS),
        )
    ),
]


WEB_SPECTATOR = [case for case in CASES if case.door == "web" and case.seat == SPECTATOR]


async def bytes_of_both(case: Case, folder: Path, spoil: Callable[[], object] = list) -> list[Tape]:
    """All that the observed seat gets by the door of each of two houses, the second with the twin."""
    house_type, received = DOORS[case.door]

    async def opened(name: str) -> Any:
        return await house_type.open(folder / f"{name}.sqlite", HandClock(), folder / name)

    house = await opened("first")
    twins = await played(house, case)
    await keep(house, case, twins, folder)
    spoil()
    both: list[Tape] = []
    for name, state in zip(("one", "other"), twins.states, strict=True):
        house = await opened(name)
        try:
            live = await house.tables.open(twins.table)
            assert encoded(live.state) == encoded(state)

            async def act(house: Any = house) -> None:
                await play(house.tables, twins.table, twins.actor, twins.action, "act")

            both.append(await received(house, twins, act))
            assert live.state != state, "nobody acted"
        finally:
            await house.close()
    return both


@pytest.mark.parametrize("case", CASES, ids=str)
async def test_a_door_sends_the_same_bytes_of_states_that_a_seat_cannot_tell_apart(
    case: Case, tmp_path: Path
) -> None:
    one, other = await bytes_of_both(case, tmp_path)
    assert len(one) >= 3
    for mine, theirs in zip(one, other, strict=True):
        assert mine == theirs


def test_every_game_of_the_house_and_every_door_is_among_the_cases() -> None:
    assert {rules.name for rules in GAMES.values()} <= {case.rules.name for case in CASES}
    assert {case.door for case in CASES} == {case.door for case in LEAKY} == set(DOORS)


def in_the_light(view: Any, state: Any, seat: Seat) -> Any:
    """Chess: everybody sees the whole board."""
    return view(state, MASTER)


def mines_open(view: Any, state: Any, seat: Seat) -> Any:
    return view(replace(state, shown=state.truth), seat)


def unsealed(view: Any, state: Any, seat: Seat) -> Any:
    """Diplomacy: all that was ordered counts among the orders of every role."""
    everything = tuple(order for orders in state.sealed.values() for order in orders)
    return view(replace(state, sealed=dict.fromkeys(range(1, 8), everything)), seat)


def telling_energy(view: Any, state: Any, seat: Seat) -> Any:
    """Robots: their energy says something of the cartouches that nobody has played yet."""
    energy = crc32(encoded(state.cartouches)) % 10
    return view(replace(state, robots=tuple(replace(robot, energy=energy) for robot in state.robots)), seat)


LEAKS = {"chess": in_the_light, "mines": mines_open, "diplomacy": unsealed, "robots": telling_energy}
IN_WORDS = ("letters", "feeds")
LEAKY = [
    case
    for case in CASES
    if case.seat == 1
    and (case.door != "web" or case.rules.variant == "dark")
    and (case.door not in IN_WORDS or case.rules.name == "chess")
]
"""One at each door."""


@pytest.mark.parametrize("case", LEAKY, ids=str)
async def test_rules_that_leak_are_found_out_at_the_door(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules_type, leak = type(case.rules), LEAKS[case.rules.name]
    honest = rules_type.view

    def leaking(rules: Rules[Any], state: Any, seat: Seat) -> Any:
        return leak(partial(honest, rules), state, seat)

    def outspoken(rules: Rules[Any], told: Any, view: Any, names: Any, language: str) -> list[str]:
        """All that a seat sees is said in letters, so that they show what the view does."""
        return [encoded(view).decode()]

    def spoil() -> None:
        monkeypatch.setattr(rules_type, "view", leaking)
        if case.door in IN_WORDS:
            monkeypatch.setattr(rules_type, "news", outspoken)

    one, other = await bytes_of_both(case, tmp_path, spoil)
    assert len(one) >= 3
    assert one != other
