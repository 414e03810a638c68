"""Every message that a Minehive client hears or says, as a record beside its line."""

from __future__ import annotations

import unicodedata

import msgspec

from tablee.terminal.entry import Address as Address  # what some messages carry

WIDTH, HEIGHT = 30, 16


class Message(msgspec.Struct, frozen=True):
    """Something that a server or a host said."""


class AreYouOk(Message, frozen=True):
    """`RUOK`"""


class Identified(Message, frozen=True):
    """`IDOK`"""


class NotIdentified(Message, frozen=True):
    """`IDNO`"""


class InMatch(Message, frozen=True):
    """`IDIG#ip#port`: already in a match, which must be finished first."""

    address: Address


class Kicked(Message, frozen=True):
    """`KICK`"""


class MatchCount(Message, frozen=True):
    """`LMNB#n`"""

    count: int


class MatchLine(Message, frozen=True):
    """`MATC#ip#port#match#completion[#name#points]…`"""

    address: Address
    name: str
    completion: int
    players: tuple[tuple[str, int], ...]


class AvailableCount(Message, frozen=True):
    """`LANB#n`"""

    count: int


class AvailableLine(Message, frozen=True):
    """`AVAI#name#points`"""

    name: str
    points: int


class UserCount(Message, frozen=True):
    """`LUNB#n`"""

    count: int


class UserLine(Message, frozen=True):
    """`USER#name#points`"""

    name: str
    points: int


class MatchReady(Message, frozen=True):
    """`NWOK#ip#port`: the match one asked for, or an invitation."""

    address: Address


class ServerFull(Message, frozen=True):
    """`FULL`"""


class NoNewMatch(Message, frozen=True):
    """`NWNO`"""

    reason: str


class NotUnderstood(Message, frozen=True):
    """`IDKS` or `IDKH`"""

    by_host: bool


class Joined(Message, frozen=True):
    """`JNOK#rows`"""

    rows: int


class JoinRefused(Message, frozen=True):
    """`JNNO`, perhaps with a reason in words."""

    reason: str


class BoardRow(Message, frozen=True):
    """`BDIT#y#c0#…#c29`; a hidden square is None."""

    y: int
    squares: tuple[int | None, ...]


class PlayerCount(Message, frozen=True):
    """`IGNB#n`"""

    count: int


class Score(msgspec.Struct, frozen=True):
    """The five fields that describe a player of a match."""

    name: str
    points: int
    total: int
    safe: int
    mines: int


class PlayerLine(Message, frozen=True):
    """`IGPL#name#points#total#safe#mines`"""

    score: Score


class Arrived(Message, frozen=True):
    """`CONN#name#points#total#safe#mines`"""

    score: Score


class Opened(Message, frozen=True):
    """`SQRD#x#y#content#points#name`"""

    x: int
    y: int
    content: int
    points: int
    name: str


class Late(Message, frozen=True):
    """`LATE`: the square was open already."""


class OutOfRange(Message, frozen=True):
    """`OORG#x#y`"""

    x: str
    y: str


class Gone(Message, frozen=True):
    """`DECO#name`"""

    name: str


class Away(Message, frozen=True):
    """`AFKP#name`"""

    name: str


class Back(Message, frozen=True):
    """`BACK#name`"""

    name: str


class FinalScore(Message, frozen=True):
    """`SCPC#name#points#total#safe#mines[#BestMinesweeper][#MostBlownUp]`"""

    score: Score
    honours: tuple[str, ...]


class Ended(Message, frozen=True):
    """`ENDC#n`"""

    count: int


SIMPLE: dict[str, Message] = {
    "RUOK": AreYouOk(),
    "IDOK": Identified(),
    "IDNO": NotIdentified(),
    "KICK": Kicked(),
    "FULL": ServerFull(),
    "IDKS": NotUnderstood(by_host=False),
    "IDKH": NotUnderstood(by_host=True),
    "LATE": Late(),
}


def parse(line: str) -> Message | None:
    """What a line says; None when its type is unknown or its parameters make no sense."""
    kind, *fields = line.rstrip("\r\n").split("#")
    try:
        return SIMPLE.get(kind) or _with_fields(kind, fields)
    except (ValueError, IndexError):
        return None


def _with_fields(kind: str, f: list[str]) -> Message | None:
    match kind:
        case "SQRD":
            x, y, content = _below(WIDTH, f[0]), _below(HEIGHT, f[1]), _content(f[2])
            return Opened(x, y, content, int(f[3]), _name(f[4]))
        case "BDIT":
            squares = tuple(None if c == "X" else _content(c) for c in f[1 : WIDTH + 1])
            if len(squares) < WIDTH:
                return None
            return BoardRow(_below(HEIGHT, f[0]), squares)
        case "IGNB":
            return PlayerCount(int(f[0]))
        case "IGPL":
            return PlayerLine(_score(f))
        case "CONN":
            return Arrived(_score(f))
        case "DECO":
            return Gone(_name(f[0]))
        case "AFKP":
            return Away(_name(f[0]))
        case "BACK":
            return Back(_name(f[0]))
        case "OORG":
            return OutOfRange(clean(f[0]), clean(f[1]))
        case "SCPC":
            return FinalScore(_score(f), tuple(clean(word) for word in f[5:] if word))
        case "ENDC":
            return Ended(int(f[0]))
        case "JNOK":
            return Joined(int(f[0]))
        case "JNNO":
            return JoinRefused(clean(" ".join(f)))
        case "IDIG":
            return InMatch(_address(f))
        case "NWOK":
            return MatchReady(_address(f))
        case "NWNO":
            return NoNewMatch(clean(" ".join(f)))
        case "LMNB":
            return MatchCount(int(f[0]))
        case "MATC":
            players = tuple((_name(n), int(p)) for n, p in zip(f[4::2], f[5::2], strict=False) if n)
            return MatchLine(_address(f), _name(f[2]), int(f[3]), players)
        case "LANB":
            return AvailableCount(int(f[0]))
        case "AVAI":
            return AvailableLine(_name(f[0]), int(f[1]))
        case "LUNB":
            return UserCount(int(f[0]))
        case "USER":
            return UserLine(_name(f[0]), int(f[1]))
    return None


def clean(text: str) -> str:
    """The text without characters that a terminal would obey instead of show."""
    return "".join("\N{REPLACEMENT CHARACTER}" if unicodedata.category(c)[0] == "C" else c for c in text)


def is_sayable(text: str) -> bool:
    """Whether a name or a password can stand in a line: not empty, no separator, nothing invisible."""
    return bool(text) and "#" not in text and text == clean(text)


def _name(field: str) -> str:
    if not field:
        raise ValueError("A name is empty.")
    return clean(field)


def _below(end: int, field: str) -> int:
    number = int(field)
    if not 0 <= number < end:
        raise ValueError(f"{number} is off the board.")
    return number


def _content(field: str) -> int:
    number = int(field)
    if not -1 <= number <= 8:
        raise ValueError(f"No square holds {number}.")
    return number


def _address(f: list[str]) -> Address:
    host, port = f[0], int(f[1])
    if not host or not 0 < port < 65536:
        raise ValueError(f"{host}:{port} is no address.")
    return Address(clean(host), port)


def _score(f: list[str]) -> Score:
    return Score(_name(f[0]), int(f[1]), int(f[2]), int(f[3]), int(f[4]))


class Say:
    """The lines a client says, without their end of line."""

    I_AM_OK = "IMOK"
    I_DO_NOT_KNOW = "IDKC"
    LIST_MATCHES = "LSMA"
    LIST_AVAILABLE = "LSAV"
    LIST_USERS = "LSUS"
    LEAVE = "LEAV"

    @staticmethod
    def register(name: str, password: str) -> str:
        return f"REGI#{name}#{password}"

    @staticmethod
    def join(name: str, password: str) -> str:
        return f"JOIN#{name}#{password}"

    @staticmethod
    def new_match(guests: tuple[str, ...] = ()) -> str:
        return "#".join(("NWMA", *guests))

    @staticmethod
    def click(x: int, y: int) -> str:
        return f"CLIC#{x}#{y}"
