"""Every message of Minehive: the fields of each class are what its line carries, in that order.

`parse` reads a line's fields into a message, `str(message)` is its line. A field that is a tuple takes all
that is left of the line; one with a default may be missing. Everything else after the last field is ignored.
"""

# One message a line, so that the protocol is read on one screen.
# ruff: noqa: E701, E702

from __future__ import annotations

import re
from typing import Any, ClassVar, TypeVar, get_args, get_origin, get_type_hints

import msgspec

M = TypeVar("M", bound="Message")


class Message(msgspec.Struct, frozen=True):
    """One line of the protocol; its type is the name of the class in capitals."""

    kind: ClassVar[str] = ""

    def __str__(self) -> str:
        return "#".join((self.kind, *_words(msgspec.structs.astuple(self))))


# --- client → server (port 5555) ------------------------------------------------------------------------
# fmt: off

class Regi(Message, frozen=True): user: str; password: str
class Lsma(Message, frozen=True): """Which matches are there?"""
class Lsav(Message, frozen=True): """Who is available?"""
class Lsus(Message, frozen=True): """Who is known?"""
class Nwma(Message, frozen=True): guests: tuple[str, ...] = ()
class Leav(Message, frozen=True): """Goodbye."""
class Imok(Message, frozen=True): """The answer to RUOK, on every link."""
class Idkc(Message, frozen=True): """The client did not understand a line."""

# --- server → client ------------------------------------------------------------------------------------

class Idok(Message, frozen=True): """Accepted; also server → host."""
class Idno(Message, frozen=True): """Not accepted; also server → host and host → client."""
class Idig(Message, frozen=True): ip: str; port: int
class Lmnb(Message, frozen=True): matches: int
class Matc(Message, frozen=True):
    ip: str; port: int
    match: str; completion: int; players: tuple[tuple[str, int], ...] = ()
class Lanb(Message, frozen=True): players: int
class Avai(Message, frozen=True): name: str; points: int
class Lunb(Message, frozen=True): users: int
class User(Message, frozen=True): name: str; points: int
class Nwok(Message, frozen=True): ip: str; port: int
class Full(Message, frozen=True): """As many matches as there may be."""
class Nwno(Message, frozen=True): """No new match, for another reason."""
class Kick(Message, frozen=True): """Sent away."""
class Ruok(Message, frozen=True): """Are you there? On every link."""
class Idks(Message, frozen=True): """The server did not understand a line."""

# --- host → server (port 7777) --------------------------------------------------------------------------

class Logi(Message, frozen=True): match: str; secret: str
class Plin(Message, frozen=True): match: str; user: str; password: str
class Sddt(Message, frozen=True):
    user: str; ip: str; port: int
    match: str; completion: int; players: tuple[tuple[str, int], ...] = ()
class Scps(Message, frozen=True): user: str; total: int
class Ends(Message, frozen=True): match: str
class Doit(Message, frozen=True):
    """Ours: play for this user. `n` is the host's number for it; actions are in `wire.py`."""
    match: str; n: int; user: str; action: str; words: tuple[str, ...] = ()
class Idkh(Message, frozen=True): """The host did not understand a line; also host → client."""

# --- server → host --------------------------------------------------------------------------------------

class Rqdt(Message, frozen=True): user: str
class Plok(Message, frozen=True): user: str; points: int
class Plno(Message, frozen=True): user: str
class Done(Message, frozen=True):
    """Ours: what came of DOIT number `n`, or 0 for what happened otherwise. Outcomes are in `wire.py`."""
    match: str; n: int; outcome: str; content: tuple[str, ...] = ()

# --- client → host (the match's own port) ---------------------------------------------------------------

class Join(Message, frozen=True): user: str; password: str
class Clic(Message, frozen=True): x: str = ""; y: str = ""

# --- host → client --------------------------------------------------------------------------------------

class Jnok(Message, frozen=True): rows: int
class Jnno(Message, frozen=True): """You are not let in."""
class Bdit(Message, frozen=True): y: int; squares: tuple[str, ...]
class Ignb(Message, frozen=True): players: int
class Igpl(Message, frozen=True): name: str; points: int; total: int; safe: int; mines: int
class Conn(Message, frozen=True): name: str; points: int; total: int; safe: int; mines: int
class Sqrd(Message, frozen=True): x: int; y: int; content: int; points: int; name: str
class Oorg(Message, frozen=True): x: str; y: str
class Late(Message, frozen=True): """That square is open already."""
class Deco(Message, frozen=True): name: str
class Afkp(Message, frozen=True): name: str
class Back(Message, frozen=True): name: str
class Scpc(Message, frozen=True):
    name: str; points: int; total: int; safe: int; mines: int; marks: tuple[str, ...] = ()
class Endc(Message, frozen=True): players: int

# fmt: on
CLIENT_TO_SERVER = (Regi, Lsma, Lsav, Lsus, Nwma, Leav, Imok, Idkc)
SERVER_TO_CLIENT = (
    *(Idok, Idno, Idig, Lmnb, Matc, Lanb, Avai, Lunb, User),
    *(Nwok, Full, Nwno, Kick, Ruok, Idks),
)
HOST_TO_SERVER = (Logi, Plin, Sddt, Scps, Ends, Doit, Imok, Idkh)
SERVER_TO_HOST = (Idok, Idno, Rqdt, Plok, Plno, Done, Ruok, Idks)
CLIENT_TO_HOST = (Join, Clic, Imok, Idkc)
HOST_TO_CLIENT = (
    *(Jnok, Jnno, Idno, Bdit, Ignb, Igpl, Conn, Sqrd, Oorg, Late),
    *(Deco, Afkp, Back, Scpc, Endc, Ruok, Idkh),
)

BEST_MINESWEEPER = "BestMinesweeper"
MOST_BLOWN_UP = "MostBlownUp"


class BadMessage(ValueError):
    """A line of a known type whose parameters are missing or of the wrong form."""


def fields_of(line: str) -> list[str]:
    """The parts of a line between its `#`, without the empty ones at its end."""
    return line.rstrip("#").split("#")


def parse(message: type[M], fields: list[str]) -> M:
    """The message that `fields` (its type first) carry. Raises BadMessage."""
    values: list[Any] = []
    place = 1
    for name, kind, required in _shapes[message]:
        if get_origin(kind) is tuple:
            values.append(_rest(message, kind, fields[place:]))
        elif place < len(fields) and fields[place]:
            values.append(number(fields[place]) if kind is int else fields[place])
        elif required:
            raise BadMessage(f"{message.kind} lacks {name}")
        else:
            values.append(fields[place] if place < len(fields) else "")
        place += 1
    return message(*values)


def number(text: str) -> int:
    """A whole number of at most eighteen digits. Raises BadMessage."""
    if _NUMBER.fullmatch(text) is None:
        raise BadMessage(f"{text[:30]!r} is no number")
    return int(text)


_NUMBER = re.compile(r"[+-]?[0-9]{1,18}")


def _rest(message: type[Message], kind: Any, left: list[str]) -> tuple[Any, ...]:
    if get_origin(get_args(kind)[0]) is not tuple:
        return tuple(left)
    if len(left) % 2:
        raise BadMessage(f"{message.kind} names a player without points")
    return tuple((name, number(points)) for name, points in zip(left[::2], left[1::2], strict=True))


def _words(value: Any) -> list[str]:
    if isinstance(value, tuple):
        return [word for part in value for word in _words(part)]
    return [str(value)]


def _shape(message: type[Message]) -> tuple[tuple[str, Any, bool], ...]:
    hints = get_type_hints(message)
    return tuple((f.name, hints[f.name], f.required) for f in msgspec.structs.fields(message))


MESSAGES = {message.__name__.upper(): message for message in Message.__subclasses__()}
for _kind, _message in MESSAGES.items():
    _message.kind = _kind
_shapes = {message: _shape(message) for message in MESSAGES.values()}
