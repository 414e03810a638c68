"""`tablee play --game`: any game of a house in plain lines, against its robots or at a table of the house."""

from __future__ import annotations

import asyncio
import json
import secrets
import sys
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from tablee.terminal.catalogue import Catalogue
from tablee.terminal.entry import ask_secret
from tablee.terminal.plain.api import Refused, Unreachable, WebApi, base_of, segment
from tablee.terminal.plain.showing import Showing, merged

Json = Any
COMMANDS = {
    "aide": "help",
    "plateau": "board",
    "coups": "moves",
    "abandonner": "resign",
    "quitter": "quit",
}
COME_BACK_AFTER = 1.0
"""Seconds between two attempts to find a lost house again."""


class PlainGame:
    """Tells a game in sentences, and obeys lines of input in their order, each when it is one's turn."""

    def __init__(self, house: WebApi, words: Catalogue, say: Callable[[str], None]) -> None:
        self.done = asyncio.Event()
        self._house = house
        self._words = words
        self._say = say
        self._lines: deque[str] = deque()
        self._has_ended = False
        self._heard = asyncio.Event()
        self._table = 0
        self._info: Json = None
        self._view: Json = None
        self._legal: Json = None
        self._seat: int | None = None
        self._waiting: list[int] = []
        self._pending: dict[str, Json] | None = None
        """The move that the house has not answered yet; sent again after a lost connection."""
        self._asked = ""
        """What was last said about whose turn it is: it is not said twice."""

    # --- coming in --------------------------------------------------------------------------------------

    async def open(self, game: str | None, variant: str | None, robot: str | None, table: int | None) -> None:
        """Sit down: at the table named, or at a new one against robots. Raises Refused, Unreachable."""
        if table is not None:
            self._info = await self._house.get(f"/tables/{table}")
            if self._info["my_seat"] is None and self._info["status"] in ("open", "running"):
                self._info = await self._house.post(f"/tables/{table}/join", {})
        else:
            self._info = await self._lay(game, variant, robot)
        info = self._info
        self._table = info["id"]
        place = f"/games/{segment(info['game'])}/{segment(info['variant'])}"
        variant_info = await self._house.get(place)
        forms = await self._house.get(f"{place}/actions")
        texts = variant_info["words"][self._words.language]
        self._show = Showing(texts, forms["actions"], self._words)
        self._name_seats()
        at = f"{self._house.base}/tables/{self._table}"
        name = self._show.word(f"name.{info['variant']}")
        self._say(self._words("table", table=self._table, game=name, address=at))
        robots = [self._show.name(each["seat"]) for each in info["seats"] if each["robot"]]
        if robots:
            self._say(self._words("robot", names=", ".join(robots)))

    async def _lay(self, game: str | None, variant: str | None, robot: str | None) -> Json:
        """A new table with as many robots as the game needs to begin."""
        games = (await self._house.get("/games"))["games"]
        found = [each for each in games if each["game"] == game and variant in (None, each["variant"])]
        if not found:
            known = ", ".join(dict.fromkeys(f"{each['game']} ({each['variant']})" for each in games))
            raise Refused("no_game", self._words("no-game", game=game or "", known=known))
        chosen = found[0]
        strengths = chosen["robots"]
        if robot is not None and robot not in strengths:
            raise Refused("no_robot", self._words("no-robot", robot=robot, known=", ".join(strengths)))
        missing = max(1, (chosen["seats_least"] or 1) - 1)
        robots = [robot or strengths[0]] * missing if strengths else []
        wish = {"game": game, "variant": chosen["variant"], "robots": robots, "rated": False}
        return await self._house.post("/tables", wish)

    def _name_seats(self) -> None:
        for each in self._info["seats"]:
            robot = f"robot.{each['robot']}"
            known = self._show.word(robot)
            self._show.names[each["seat"]] = known if each["robot"] and known != robot else each["name"]

    # --- the table, live --------------------------------------------------------------------------------

    async def run(self) -> None:
        """Follow the table until it is over or one leaves; a lost connection is looked for again."""
        is_back = False
        while not self.done.is_set():
            try:
                async with connect(
                    self._house.live_address, additional_headers=self._house.headers, proxy=None
                ) as live:
                    if is_back:
                        self._say(self._words("again"))
                    await self._follow(live)
                    return
            except (OSError, WebSocketException):
                if self.done.is_set():
                    return
                if not is_back:
                    self._say(self._words("lost"))
                is_back = True
                await asyncio.sleep(COME_BACK_AFTER)
                await self._renew()

    async def _renew(self) -> None:
        # The next attempt says whether the house is there and knows us.
        with suppress(Refused, Unreachable):
            await self._house.renew()

    async def _follow(self, live: ClientConnection) -> None:
        to = {"topic": "table", "table": self._table}
        await live.send(json.dumps({"type": "subscribe", "to": to}))
        obeying = asyncio.create_task(self._obey_lines(live))
        ending = asyncio.create_task(self.done.wait())
        try:
            while not self.done.is_set():
                receiving = asyncio.create_task(live.recv())
                await asyncio.wait({receiving, ending, obeying}, return_when=asyncio.FIRST_COMPLETED)
                if obeying.done():
                    obeying.result()
                if not receiving.done():
                    receiving.cancel()
                    continue
                await self._hear(live, json.loads(receiving.result()))
                self._heard.set()
        finally:
            obeying.cancel()
            ending.cancel()

    async def _hear(self, live: ClientConnection, message: Json) -> None:
        match message["type"]:
            case "table":
                self._seat, self._info = message.get("seat"), message["info"]
                self._view, self._legal = message.get("view"), message.get("legal")
                self._waiting = message.get("waiting") or []
                self._name_seats()
                if self._pending is not None:
                    await live.send(json.dumps(self._pending))
                else:
                    self._tell_turn()
            case "update" if message["table"] == self._table:
                self._view = merged(self._view, message.get("patch"))
                self._legal = message.get("legal", self._legal)
                self._waiting = message.get("waiting", self._waiting)
                for fact in message.get("facts", []):
                    if sentence := self._show.sentence(fact):
                        self._say(sentence)
                self._tell_turn()
            case "info":
                self._info = message["info"]
                self._name_seats()
                self._tell_turn()
            case "played":
                self._pending = None
            case "error":
                self._pending = None
                self._asked = ""
                self._say(message["error"]["message"])
                if self._view is None and self._info["status"] != "open":
                    self.done.set()  # One may not see this table.
            case "gone":
                self._say(self._words("gone"))
                self.done.set()
        if self._info["status"] in ("over", "closed") and self._pending is None:
            self._tell_end()

    @property
    def _is_turn(self) -> bool:
        return self._seat in self._waiting and self._info["status"] == "running" and bool(self._legal)

    def _tell_turn(self) -> None:
        """Whose turn it is, with the board and the moves where it is one's own; once a change."""
        if self._info["status"] == "open":
            said = self._words("waiting-players")
        elif self._info["status"] != "running":
            return
        elif self._is_turn:
            said = json.dumps([self._view, self._legal])
        else:
            said = self._words("turn-of", names=", ".join(map(self._show.name, self._waiting)))
        if said == self._asked or not (self._waiting or self._info["status"] == "open"):
            return
        self._asked = said
        if not self._is_turn:
            self._say(said)
            return
        self._tell_board()
        self._tell_moves()
        self._say(self._words("your-turn"))

    def _tell_board(self) -> None:
        for line in self._show.view(self._view or {}):
            self._say(line)

    def _tell_moves(self) -> None:
        ready, forms = self._show.moves(self._legal)
        if not ready and not forms:
            self._say(self._words("not-your-turn"))
            return
        self._say(self._words("moves"))
        for move in ready:
            self._say(f"  {move.key:>3}  {move.label}")
        for form in forms:
            fields = " ".join(f"<{self._show.word(f'field.{name}', name)}>" for name in form.fields)
            self._say("  " + self._words("form", name=form.name, fields=fields))

    def _tell_end(self) -> None:
        if self.done.is_set():
            return
        self._tell_board()
        result = self._info.get("result")
        if result:
            self._say(self._words("over", reason=self._show.word(f"result.{result['reason']}")))
            for seat, rank in sorted(result["ranks"].items(), key=lambda each: each[1]):
                self._say(self._words("rank", rank=rank, name=self._show.name(int(seat))))
        self.done.set()

    # --- lines of input ---------------------------------------------------------------------------------

    def take(self, line: str) -> None:
        """A line of input; it is obeyed when those before it are."""
        self._lines.append(line)
        self._heard.set()

    def take_end(self) -> None:
        """No line comes any more: leave when all are obeyed."""
        self._has_ended = True
        self._heard.set()

    async def _obey_lines(self, live: ClientConnection) -> None:
        while not self.done.is_set():
            self._heard.clear()
            while self._lines and self._may_obey(self._lines[0]):
                await self._obey(live, self._lines.popleft())
            stands_still = self._is_turn or (self._info["status"] == "open" and self._view is not None)
            if self._has_ended and not self._lines and self._pending is None and stands_still:
                self.done.set()
            await self._heard.wait()

    def _may_obey(self, line: str) -> bool:
        """Whether a line can be obeyed now: a move that was piped in waits for one's turn."""
        if self._view is None or self._pending is not None:
            return False
        return _command(line) in COMMANDS.values() or not line.strip() or self._is_turn or sys.stdin.isatty()

    async def _obey(self, live: ClientConnection, line: str) -> None:
        match _command(line):
            case "":
                return
            case "help":
                ready, forms = self._show.moves(self._legal)
                example = (
                    forms[0].name if forms else " ".join(map(str, ready[0].action.values())) if ready else "…"
                )
                self._say(self._words("help", example=example))
            case "board":
                self._tell_board()
            case "moves":
                self._tell_moves()
            case "quit":
                self.done.set()
            case "resign":
                await self._resign()
            case _:
                await self._play(live, line)

    async def _resign(self) -> None:
        try:
            await self._house.post(f"/tables/{self._table}/leave", {})
        except Refused as refusal:
            self._say(str(refusal))
        else:
            self._say(self._words("left"))

    async def _play(self, live: ClientConnection, line: str) -> None:
        if not self._is_turn:
            self._say(self._words("not-your-turn"))
            return
        action = self._show.read(line, self._legal)
        if action is None:
            self._say(self._words("unknown", text=line.strip()))
            return
        move = {"type": "play", "table": self._table, "action": action, "request_id": secrets.token_hex(8)}
        self._pending = move
        await live.send(json.dumps(move))


def _command(line: str) -> str:
    word = line.strip().casefold()
    return COMMANDS.get(word, word)


def play_any(
    target: str,
    game: str | None,
    *,
    variant: str | None = None,
    robot: str | None = None,
    table: int | None = None,
    name: str | None = None,
    english: bool = False,
) -> int:
    """Play a game of the house at `target` in plain lines; gives the exit status."""
    words = Catalogue("tablee.terminal.plain", "en" if english else "fr")
    base = base_of(target)
    password = ask_secret(words("password")) if name is not None else ""
    house = WebApi(base, words.language)
    return asyncio.run(_play(house, words, (name, password), (game, variant, robot, table)))


async def _play(
    house: WebApi,
    words: Catalogue,
    who: tuple[str | None, str],
    wish: tuple[str | None, str | None, str | None, int | None],
) -> int:
    playing = PlainGame(house, words, lambda sentence: print(sentence, flush=True))
    try:
        await house.enter(*who)
        await playing.open(*wish)
    except (Refused, Unreachable) as error:
        print(error, file=sys.stderr, flush=True)
        return 1
    loop = asyncio.get_running_loop()

    def read() -> None:
        for line in sys.stdin:
            loop.call_soon_threadsafe(playing.take, line)
        loop.call_soon_threadsafe(playing.take_end)

    # A daemon thread, because nothing can interrupt a read of standard input at the end.
    threading.Thread(target=read, daemon=True).start()
    await playing.run()
    return 0
