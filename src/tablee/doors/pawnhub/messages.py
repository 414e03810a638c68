"""The words of both dialects: docs/protocols/pawnhub.md explains each of them."""

from __future__ import annotations

from collections.abc import Iterable

from tablee.rules.chess import VARIANTS

# --- plain ----------------------------------------------------------------------------------------------

COMMANDS = (
    "SIGNUP",
    "LOGIN",
    "GUEST",
    "LOGOUT",
    "PLAY",
    "LEAVE",
    "CHALLENGE",
    "ACCEPT",
    "REFUSE",
    "CHAT",
    "FRIENDS",
    "REQUESTS",
    "ADD",
    "REMOVE",
    "STATS",
    "RANKING",
    "RULES",
    "RESIGN",
    "DRAW",
    "QUIET",
    "DETAILS",
    "ROBOT",
)
"""What a client says in the plain dialect; in a game anything else is a move."""

ANSWERS = ("OK", "ERR", "GAME", "OFFER", "MSG", "FRIEND", "REQUEST", "STAT", "RANK", "SAN", "CLOCK", "END")
"""First words of what the server says in the plain dialect, the game's own messages apart."""

SERVER = "server"
"""The sender of what the house itself says in a game; nobody may have this name."""


def one_line(text: str) -> str:
    """A text that ends no line."""
    return "".join(c if c.isprintable() else " " for c in text)


# --- framed ---------------------------------------------------------------------------------------------

FRAME = 150
PADDING = b"|"
SEPARATOR = "~"
FRAMED_SERVER = "[Server]"

QUIT, SIGN_UP, SIGN_IN, CHAT, QUEUE, LEAVE_QUEUE = "0", "1", "2", "3", "4", "5"
STATISTICS, RANKING, FRIENDS, RECEIVED, ANSWER, ASK, REMOVE, SENT, CANCEL = (
    "7", "8", "9", "10", "11", "12", "13", "14", "15",
)  # fmt: skip
FRIEND_PUSH, RECEIVED_PUSH, SENT_PUSH, STOP_CHAT, GAME = "16", "17", "18", "20", "30"

CODES = (
    QUIT, SIGN_UP, SIGN_IN, CHAT, QUEUE, LEAVE_QUEUE, STATISTICS, RANKING, FRIENDS, RECEIVED, ANSWER, ASK,
    REMOVE, SENT, CANCEL, FRIEND_PUSH, RECEIVED_PUSH, SENT_PUSH, STOP_CHAT, GAME,
)  # fmt: skip

LETTERS = "FGXUBTCALDP"
"""What follows `30~` from the server."""

MODES = (
    "Classic",
    "Dark",
    "Horde",
    "Alice",
    "RealTimeClassic",
    "RealTimeDark",
    "RealTimeHorde",
    "RealTimeAlice",
)
"""By number; the second half are not played."""

VARIANT_OF_MODE = dict(enumerate(("classic", "dark", "horde", "alice")))
MODE_OF_VARIANT = {variant: mode for mode, variant in VARIANT_OF_MODE.items()}
assert set(MODE_OF_VARIANT) == set(VARIANTS)

RANKED = 10
NOBODY = "---~- - -~-"


def fields(*parts: object) -> str:
    """A payload of these fields, none of which may have the separator or the padding in it."""
    return SEPARATOR.join(field(str(part)) for part in parts)


def field(text: str) -> str:
    return one_line(text).replace(SEPARATOR, " ").replace("|", " ")


def framed(payloads: Iterable[str]) -> bytes:
    """Payloads as frames; one that fills its last frame exactly is followed by a frame of padding."""
    out = []
    for payload in payloads:
        data = payload.encode()
        out.append(data.ljust(len(data) // FRAME * FRAME + FRAME, PADDING))
    return b"".join(out)
