"""The client in lines: commands in, sentences and boards out."""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Callable

from tablee.terminal.catalogue import Catalogue
from tablee.terminal.entry import Address
from tablee.terminal.pawnhub.board import BadBoard, beside, draw
from tablee.terminal.pawnhub.game import Game, Heard, OutOfOrder, Stage

COMMANDS = {
    "jouer": "PLAY",
    "attendre": "PLAY",
    "partir": "LEAVE",
    "défier": "CHALLENGE",
    "accepter": "ACCEPT",
    "refuser": "REFUSE",
    "amis": "FRIENDS",
    "demandes": "REQUESTS",
    "ajouter": "ADD",
    "retirer": "REMOVE",
    "statistiques": "STATS",
    "classement": "RANKING",
    "règles": "RULES",
    "abandonner": "RESIGN",
    "nulle": "DRAW",
    "robot": "ROBOT",
}
"""French words for what the server calls otherwise; its own words work too."""
PLAIN = {
    "PLAY", "LEAVE", "CHALLENGE", "ACCEPT", "REFUSE", "CHAT", "FRIENDS", "REQUESTS", "ADD", "REMOVE", "STATS",
    "RANKING", "RULES", "RESIGN", "DRAW", "ROBOT",
}  # fmt: skip
LISTS = {"FRIENDS", "REQUESTS", "STATS", "RANKING", "RULES"}
UNANSWERED = {"RESIGN", "DRAW", "CHAT"}
BETWEEN = {"MSG", "OFFER", "GAME", "FRIEND", "ERR", "SAN", "CLOCK"}
"""First words of what may come between the messages of a game."""
_MOVE = re.compile(r"[a-h][1-8][a-h][1-8][qrbh]?", re.IGNORECASE)
_OF_GAME = re.compile(
    r"True|False|\d+|(WHITE|BLACK|DRAW) \w+|([prhbqk][A-H][1-8])*!([prhbqk][A-H][1-8])*#", re.ASCII
)
LONGEST_LINE = 64 * 1024
SEEK, PAUSE = 60.0, 2.0
"""Seconds for which, and after which, a lost connection to a game is sought again: a minute is given."""


class Client:
    """One person at one server."""

    def __init__(
        self, server: Address, words: Catalogue, say: Callable[[str], None], *, letters: bool = False
    ) -> None:
        self.server = server
        self.game: Game | None = None
        self.done = asyncio.Event()
        self.refused = False
        self.pause = PAUSE
        self._words = words
        self._say = say
        self._letters = letters
        self._writer: asyncio.StreamWriter | None = None
        self._login: tuple[str, str] | None = None
        self._entering: str | None = "LOGIN"
        """The word by which one comes in, until it is answered."""
        self._asked: deque[str] = deque()
        """Commands that wait for their answer."""
        self._waits_for_game = False
        self._moving = False
        self._to_do: deque[str] = deque()
        self._san = ""
        """The last move in letters, until it is shown."""
        self._clocks: tuple[int, ...] = ()
        """What White and Black have left, in milliseconds; nothing without clocks."""

    # --- the connection ---------------------------------------------------------------------------------

    async def run(self, login: tuple[str, str] | None) -> None:
        """Be connected until `quit`, or until the server is gone for good; None comes as a visitor."""
        self._login = login
        clock = asyncio.get_running_loop().time
        since = clock()
        while not self.done.is_set():
            try:
                reader, self._writer = await asyncio.open_connection(*self.server, limit=LONGEST_LINE)
            except OSError:
                if self.game is None or clock() - since > SEEK:
                    self._say(self._words("unreachable", server=self.server))
                    self.refused = True
                    break
                await asyncio.sleep(self.pause)
                continue
            self._enter()
            await self._read(reader)
            since = clock()
            self._writer.close()
            if self.game is None or self._login is None or self.done.is_set():
                break
            self._say(self._words("lost"))
            await asyncio.sleep(self.pause)
        self.done.set()

    def _enter(self) -> None:
        self._asked.clear()
        self._moving = False
        self._entering = "GUEST" if self._login is None else "LOGIN"
        self.send("GUEST" if self._login is None else f"LOGIN {self._login[0]} {self._login[1]}")

    async def _read(self, reader: asyncio.StreamReader) -> None:
        while not self.done.is_set():
            ended = asyncio.create_task(self.done.wait())
            line = asyncio.create_task(reader.readline())
            await asyncio.wait({ended, line}, return_when=asyncio.FIRST_COMPLETED)
            ended.cancel()
            if not line.done():
                line.cancel()
                return
            try:
                text = line.result().decode().rstrip("\r\n")
            except (OSError, ValueError):
                return
            if not line.result():
                return
            self.hear(text)
            self._go_on()

    def send(self, line: str) -> None:
        if self._writer is not None and not self._writer.is_closing():
            self._writer.write(f"{line}\n".encode())

    # --- what the server says ---------------------------------------------------------------------------

    def hear(self, line: str) -> None:
        """Take one line of the server."""
        word, _, rest = line.partition(" ")
        if self._entering is not None:
            self._entered(word, rest)
        elif self.game is not None and _is_of_game(line):
            self._in_game(line)
        elif self._asked and self._asked[0] in LISTS and not _is_pushed(line):
            if line == "END":
                self._asked.popleft()
            else:
                self._say(line)
        elif word in BETWEEN:
            self._between(word, rest)
        elif word == "OK":
            self._answered()
        else:
            self._say(line)

    def _entered(self, word: str, rest: str) -> None:
        how, self._entering = self._entering, None
        if word == "OK":
            self.game = None  # if it still runs, GAME comes right away
            name = rest or (self._login[0] if self._login is not None else "")
            if how == "SIGNUP":
                self._say(self._words("created", name=name))
            self._say(self._words("entered", name=name))
            # An older server does not know it, and is not asked again.
            self._asked.append("DETAILS")
            self.send("DETAILS on")
        elif how == "LOGIN" and rest.startswith("account_unknown") and self._login is not None:
            self._entering = "SIGNUP"
            self.send(f"SIGNUP {self._login[0]} {self._login[1]}")
        else:
            self._say(self._words("refused", reason=rest.partition(" ")[2] or rest))
            self.refused = True
            self.done.set()

    def _between(self, word: str, rest: str) -> None:
        words = rest.split(" ")
        if word == "GAME":
            self.game = Game(words[0], words[1], self._name(words[2]))
            self._waits_for_game = False
            self._san, self._clocks = "", ()
            self._say(self._words("game", variant=words[1], opponent=self.game.opponent))
        elif word == "SAN" and self.game is not None:
            self._san = words[-1]
        elif word == "CLOCK" and self.game is not None:
            self._clocks = tuple(int(each) for each in words if each.isdecimal())
            if self.game.stage is Stage.MOVE and not self._san:
                self._show_clocks()  # of a game that begins they come after its first turn
        elif word == "MSG":
            channel, sender, text = rest.split(" ", 2)
            self._say(self._words("said", channel=channel, sender=sender, text=text))
        elif word == "OFFER" and words[0] == "DRAW":
            self._say(self._words("draw-offered"))
        elif word == "OFFER" and words[0] == "GAME":
            self._say(self._words("game-offered", variant=words[1], name=words[2]))
        elif word == "OFFER":
            self._say(self._words("game-refused", name=words[-1]))
        elif word == "FRIEND":
            self._say(self._words("friend" + words[1], name=words[0]))
        elif word == "ERR" and self._asked and self._asked[0] == "DETAILS":
            self._asked.popleft()
        else:
            self._moving = False
            if self._asked:
                self._answered(refused=True)
            self._say(self._words("error", reason=rest.partition(" ")[2] or rest))

    def _name(self, opponent: str) -> str:
        """Robots have names that fit into a protocol."""
        strength = opponent.removeprefix("Robot-chess-")
        return self._words.texts.get(f"robot-{strength}", opponent) if strength != opponent else opponent

    def _answered(self, *, refused: bool = False) -> None:
        command = self._asked.popleft() if self._asked else ""
        if command in ("PLAY", "ROBOT") and not refused:
            self._waits_for_game = True
            if command == "PLAY":
                self._say(self._words("waiting"))
        elif not refused and command != "DETAILS":
            self._say(self._words("ok"))

    def _in_game(self, line: str) -> None:
        game = self.game
        assert game is not None
        try:
            heard = game.hear(line)
        except (OutOfOrder, BadBoard):
            self._say(line)
            return
        if heard is Heard.TURN:
            self.show_board()
            if self._san:
                self._say(self._words("played", san=self._san))
                self._san = ""
            self._show_clocks()
            color = self._words("white" if game.turn % 2 else "black")
            key = "your-turn" if game.is_my_turn else "their-turn"
            self._say(self._words(key, turn=game.turn, color=color, opponent=game.opponent))
        elif heard in (Heard.ACCEPTED, Heard.REFUSED):
            self._moving = False
            if heard is Heard.REFUSED:
                self._say(self._words("illegal"))
        elif heard is Heard.OVER:
            self.game = None
            self._moving = False
            self.show(game)
            winner, _, reason = game.result.partition(" ")
            mine = {"DRAW": "drawn", "WHITE": "won", "BLACK": "lost-game"}[winner]
            if not game.is_white and mine != "drawn":
                mine = "lost-game" if mine == "won" else "won"
            self._say(self._words(mine, reason=self._words.texts.get(f"reason-{reason}", reason)))

    def _show_clocks(self) -> None:
        if len(self._clocks) == 2:
            white, black = (_as_clock(each) for each in self._clocks)
            self._say(self._words("clocks", white=white, black=black))

    # --- what the player says ---------------------------------------------------------------------------

    def take(self, line: str) -> None:
        """Do what a line says when its turn comes, so that a whole game can be piped in at once."""
        self._to_do.append(line)
        self._go_on()

    def _go_on(self) -> None:
        while self._to_do and self._entering is None and not self._asked and not self._moving:
            if self.game is not None and self.game.stage is not Stage.MOVE:
                return
            line = self._to_do[0].strip()
            if _MOVE.fullmatch(line):
                waits = self._waits_for_game or (self.game is not None and not self.game.is_my_turn)
                if waits:
                    return
            elif line in ("quit", "quitter") and (self.game is not None or self._waits_for_game):
                return
            self.obey(self._to_do.popleft())

    def obey(self, line: str) -> None:
        """Do at once what a line of input says."""
        text = line.strip()
        word, _, rest = text.partition(" ")
        command = COMMANDS.get(word.casefold(), word.upper())
        if not text:
            return
        if _MOVE.fullmatch(text) and self.game is not None:
            self._move(text)
        elif word.casefold() in ("quitter", "quit"):
            self.done.set()
        elif word.casefold() in ("aide", "help"):
            self._say(self._words("help"))
        elif word.casefold() in ("plateau", "board"):
            self.show_board()
        elif word.casefold() in ("dire", "say"):
            self.send(f"CHAT {'GAME' if self.game is not None else 'ALL'} {rest}")
        elif command in PLAIN:
            if command not in UNANSWERED:
                self._asked.append(command)
            self.send(f"{command} {rest}".strip())
        else:
            self._say(self._words("unknown", text=text))

    def _move(self, text: str) -> None:
        assert self.game is not None
        if not self.game.is_my_turn or self._moving:
            self._say(self._words("not-your-turn"))
        else:
            self._moving = True
            self.send(text)

    def show_board(self) -> None:
        if self.game is None:
            self._say(self._words("no-game"))
        else:
            self.show(self.game)

    def show(self, game: Game) -> None:
        """The board, or both beside each other with their numbers."""
        drawn = [draw(board, from_white=game.is_white, letters=self._letters) for board in game.boards]
        if len(drawn) > 1:
            for number, lines in enumerate(drawn, 1):
                lines.insert(0, self._words("board", number=number))
        for line in beside(drawn):
            self._say(line)


def _as_clock(milliseconds: int) -> str:
    minutes, seconds = divmod(milliseconds // 1000, 60)
    return f"{minutes}:{seconds:02}"


def _is_of_game(line: str) -> bool:
    """Whether a line is one of the game's own messages, even in the middle of a list."""
    return _OF_GAME.fullmatch(line) is not None


def _is_pushed(line: str) -> bool:
    """Whether a line came by itself, though a list was asked for."""
    word, *rest = line.split(" ")
    return word in BETWEEN and not (word == "FRIEND" and rest[1:] in (["online"], ["offline"]))
