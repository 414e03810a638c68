"""The client in plain lines, for pipes and screen readers: commands in, sentences out."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections import deque
from collections.abc import Callable, Sequence

from tablee.terminal.minehive.connection import Client, Invitation, Moved, Stage
from tablee.terminal.minehive.messages import (
    WIDTH,
    Address,
    AvailableLine,
    Ended,
    Joined,
    MatchLine,
    Message,
    UserLine,
    is_sayable,
)
from tablee.terminal.minehive.model import ROWS, Lobby, Match, Square, square_named
from tablee.terminal.minehive.words import Words

COMMANDS = {
    "aide": "help",
    "parties": "matches",
    "joueurs": "players",
    "classement": "ranking",
    "nouvelle": "new",
    "rejoindre": "join",
    "marque": "mark",
    "plateau": "board",
    "revenir": "return",
    "quitter": "quit",
    "scores": "scores",
}
EVERYBODY = {"tous", "all"}
ANSWERED_WITHIN = 10.0
"""Seconds that the answer to a command is waited for before the next one is done."""


class Plain:
    """Tells what happens in sentences, and obeys commands of one line each, in their order.

    What somebody types himself (`typed`) does not wait until he has arrived somewhere.
    """

    def __init__(
        self, server: Address, words: Words, say: Callable[[str], None], *, typed: bool = False
    ) -> None:
        self.client = Client(server, self.hear)
        self.done = asyncio.Event()
        self._words = words
        self._say = say
        self._lobby = Lobby()
        self._match: Match | None = None
        self._invitation: Address | None = None
        self._asked: set[str] = set()
        self._to_do: deque[str] = deque()
        self._typed = typed
        self._is_ending = False
        self._new_match = True
        self._is_joining = False
        """Whether a match was joined that is not told of yet, because not all in it are known."""
        self._patience: asyncio.TimerHandle | None = None

    def hear(self, messages: Sequence[Message]) -> None:
        """Tell what the connection brought."""
        words = self._words
        for message in messages:
            match message:
                case Moved(stage=stage):
                    self._moved(stage)
                case Joined():
                    # After a lost connection it is the same match, and the marks in it are still wanted.
                    if self._match is None or self._match.over or self._new_match:
                        self._match = Match()
                    self._new_match = False
                    self._is_joining = True
                case Invitation(address=address):
                    self._invitation = address
                    self._say(words("invited", match=address))
                case _:
                    sentence = words.event(message)
                    if sentence:
                        self._say(sentence)
        for name in sorted(self._lobby.hear(messages) & self._asked):
            self._asked.discard(name)
            self._list(name)
        if self._match is not None and not self._match.over:
            openings = self._match.hear(messages)
            if self._is_joining and self._match.is_complete:
                self._tell_joined(self._match)
            for opening in openings:
                self._say(words.opening(opening))
            if any(isinstance(m, Ended) for m in messages):
                self._tell_end(self._match)
        asyncio.get_running_loop().call_soon(self._go_on)

    def _moved(self, stage: Stage) -> None:
        words = self._words
        match stage:
            case Stage.SEEKING:
                self._say(words("seeking", server=self.client.server))
                self._expect_nothing()
            case Stage.LOBBY:
                self._say(words("in-lobby", name=self.client.name))
                self._new_match = True
            case Stage.JOINING:
                self._say(words("joining"))
            case Stage.OUT:
                self.done.set()
            case Stage.CLOSED:
                self._say(words("closed"))

    def _tell_joined(self, match: Match) -> None:
        self._is_joining = False
        self._say(self._words("joined", n=len(match.players), completion=match.completion))

    def _tell_end(self, match: Match) -> None:
        self._say(self._words("over"))
        for line in self._words.results(match):
            self._say(line)

    def _list(self, name: str) -> None:
        words = self._words
        if name == "matches":
            self._say(words("matches") if self._lobby.matches.lines else words("no-matches"))
            for number, line in enumerate(self._lobby.matches.lines, 1):
                players = ", ".join(f"{n} {p}" for n, p in line.players) or words("nobody")
                parts = {"number": number, "name": line.name, "completion": line.completion}
                self._say(words("match-line", **parts, players=players))
        else:
            self._say(words(name))
            listed: list[AvailableLine | UserLine] = []
            listed += self._lobby.available.lines if name == "available" else self._lobby.users.lines
            best = sorted(listed, key=lambda user: -user.points)
            for rank, user in enumerate(best, 1):
                self._say(words("user-line", rank=rank, name=user.name, points=user.points))

    def take(self, line: str) -> None:
        """Do what a line says when those before it are answered, so that a whole game can be piped in."""
        if self._typed and _command(line) == "quit":
            self.done.set()
            return
        self._to_do.append(line)
        self._go_on()

    def take_end(self) -> None:
        """Leave when all lines are done and answered, or after a while when no answer comes."""
        self._typed = False
        self._is_ending = True
        self.take("quit")

    def _go_on(self) -> None:
        while self._to_do and not self._waits:
            self._stop_waiting()
            self.obey(self._to_do.popleft())
        if self._to_do and self._patience is None:
            self._patience = asyncio.get_running_loop().call_later(ANSWERED_WITHIN, self._give_up)

    @property
    def _waits(self) -> bool:
        """Whether the next line has to wait: for an answer, or for the end of the way."""
        if self.client.is_on_the_way:
            return not self._typed
        has_clicked = self._match is not None and bool(self._match.waiting)
        return bool(self._asked) or self._is_joining or has_clicked

    def _give_up(self) -> None:
        """No answer has come: the lines behind it are not held up for ever."""
        self._patience = None
        if not self.client.is_on_the_way:
            self._expect_nothing()
        elif self._is_ending:
            self.done.set()
        self._go_on()

    def _expect_nothing(self) -> None:
        """What was asked is not answered any more."""
        self._asked.clear()
        self._is_joining = False
        if self._match is not None:
            self._match.cut_off()

    def _stop_waiting(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def obey(self, line: str) -> None:
        """Do at once what a line of input says."""
        command, rest = _command(line), line.strip().partition(" ")[2]
        if not command:
            return
        if square_named(line):
            self._click(line)
            return
        act = {
            "help": lambda: self._say(self._words("plain-help")),
            "matches": lambda: self._ask("matches"),
            "players": lambda: self._ask("available"),
            "ranking": lambda: self._ask("users"),
            "new": lambda: self._new(rest),
            "join": lambda: self._join(rest.strip()),
            "mark": lambda: self._mark(rest),
            "board": lambda: self._board(rest.strip()),
            "scores": self._scores,
            "return": self.client.come_back,
            "quit": self.done.set,
        }.get(command)
        if act is None:
            self._say(self._words("unknown-command", text=line.strip()))
        else:
            act()

    def _ask(self, name: str) -> None:
        if self.client.stage is not Stage.LOBBY:
            self._list(name)
            return
        self._asked.add(name)
        if name == "users":
            self.client.ask_users()
        else:
            self.client.refresh()

    def _new(self, rest: str) -> None:
        guests = tuple("ALL" if g.casefold() in EVERYBODY else g for g in rest.split())
        self.client.create(guests)

    def _join(self, which: str) -> None:
        matches = self._lobby.matches.lines
        chosen: MatchLine | None = None
        if which.isascii() and which.isdigit() and 1 <= int(which) <= len(matches):
            chosen = matches[int(which) - 1]
        elif which:
            chosen = next((m for m in matches if m.name.casefold() == which.casefold()), None)
        address = chosen.address if chosen else None if which else self._invitation
        if address is None:
            self._say(self._words("no-such-match", text=which))
        else:
            self.client.join(address)

    def _click(self, text: str) -> None:
        square = square_named(text)
        if square is None or self._match is None or not self.client.click(square.x, square.y):
            self._say(self._words("not-connected"))
        else:
            self._match.clicked(square)

    def _mark(self, text: str) -> None:
        square = square_named(text)
        if square is None or self._match is None:
            self._say(self._words("unknown-command", text=text))
        else:
            self._match.mark(square)

    def _board(self, row: str) -> None:
        match = self._match
        if match is None:
            self._say(self._words("not-connected"))
            return
        for y, letter in enumerate(ROWS):
            if not row or row.upper() == letter:
                self._say(self._words("board-line", row=letter, squares=plain_row(match, y)))

    def _scores(self) -> None:
        words = self._words
        for rank, player in enumerate(self._match.ranking() if self._match else [], 1):
            self._say(
                words(
                    "score-line",
                    rank=rank,
                    name=player.name,
                    presence=words(f"presence-{player.presence.value}"),
                    points=player.points,
                    total=player.total,
                    safe=player.safe,
                    mines=player.mines,
                )
            )


def _command(line: str) -> str:
    """The English word of the command that a line begins with."""
    word = line.strip().partition(" ")[0].casefold()
    return COMMANDS.get(word, word)


def plain_row(match: Match, y: int) -> str:
    """A row of the board in characters: `.` hidden, `!` marked, `*` mine, `0` to `8`, in groups of five."""
    cells = []
    for x in range(WIDTH):
        content = match.squares[y][x]
        marked = Square(x, y) in match.marks
        cells.append(
            "*" if content == -1 else str(content) if content is not None else "!" if marked else "."
        )
    return " ".join("".join(cells[i : i + 5]) for i in range(0, WIDTH, 5))


async def play_plain(server: Address, name: str, password: str, words: Words) -> int:
    """Play over standard input and output until `quit` or the end of input; gives the exit status."""
    if not is_sayable(name) or not is_sayable(password):
        print(words("unsayable"), flush=True)
        return 2
    plain = Plain(server, words, lambda sentence: print(sentence, flush=True), typed=sys.stdin.isatty())
    loop = asyncio.get_running_loop()

    def read() -> None:
        for line in sys.stdin:
            loop.call_soon_threadsafe(plain.take, line)
        loop.call_soon_threadsafe(plain.take_end)

    plain.client.log_in(name, password)
    # A daemon thread, because nothing can interrupt a read of standard input at the end.
    threading.Thread(target=read, daemon=True).start()
    await plain.done.wait()
    refused = plain.client.stage is Stage.OUT
    await plain.client.close()
    return 1 if refused else 0
