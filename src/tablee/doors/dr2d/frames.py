"""The frames of the document, both directions, and how a console's frame is read.

Field names are those of the wire. What goes out is strict; what comes in is read as leniently as the
document allows: keys that are not known are ignored, `argsIn` in a reply too.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from tablee.wire.json_bounds import OutOfBounds, demand_small, quoted

Azimuth = Literal["North", "East", "South", "West"]
McndId = Annotated[str, Meta(pattern="^0[1-8]$", description="A robot, from 01 to 08.")]
Coordinate = Annotated[int, Meta(ge=1, le=12)]
TileNumber = Annotated[int, Meta(ge=0, le=143, description="(y - 1) * 12 + (x - 1)")]
Code = Annotated[str, Meta(pattern="^0x[0-9A-F]{4}, [A-Z][A-Za-z0-9_]*$", description="0xHHHH, Name")]
TileCode = Annotated[str, Meta(pattern="^0x[0-9A-F]{4}, [A-Za-z0-9_]+$", description="0xHHHH, name")]
Hex = Annotated[str, Meta(pattern="^[0-9A-F]{2}$", description="Two hexadecimal digits.")]
Token = Annotated[str, Meta(min_length=12)]


# --- what the arguments of a call are made of -----------------------------------------------------------


class FromHouse(Struct, forbid_unknown_fields=True):
    """What the house itself says: it has these keys and no others."""


class GameContext(FromHouse):
    """Arguments of GameInitialisation."""

    gameContext: None
    playerUID: str


class Tile(FromHouse):
    tileType: TileCode
    tileLocX: Coordinate
    tileLocY: Coordinate


class Board(FromHouse):
    boardIdx: int
    boardWidth: Literal[12]
    boardHeight: Literal[12]
    boardActiveTiles: list[Tile]


class DeclaredBoard(FromHouse):
    board: Board


class Colour(FromHouse):
    A: Hex
    R: Hex
    G: Hex
    B: Hex


class Avatar(FromHouse):
    name: Annotated[str, Meta(min_length=1, max_length=11)]
    argbBackColor: Colour


class Features(FromHouse):
    avatar: Avatar


class Mcnd(FromHouse):
    mcndId: McndId


class Available(FromHouse):
    availableTiles: list[TileNumber]


class Localization(FromHouse):
    locX: Coordinate
    locY: Coordinate
    azimuth: Azimuth


class Competitor(FromHouse, omit_defaults=True):
    mcndId: McndId
    mcndLocX: Coordinate
    mcndLocY: Coordinate
    azimuth: Azimuth
    energy: Annotated[int, Meta(ge=0, le=7)]
    avatar: Avatar | UnsetType = UNSET


class Competitors(FromHouse):
    competitors: Annotated[list[Competitor], Meta(min_length=1, max_length=8)]


class Place(FromHouse):
    locX: Coordinate
    locY: Coordinate


class Artefacts(FromHouse):
    artefacts: Annotated[list[Place], Meta(min_length=3, max_length=3)]


class Cartouche(FromHouse):
    cartouche: Annotated[list[list[Code]], Meta(max_length=5)]


class Movements(FromHouse, omit_defaults=True):
    """What each robot of the game did, or what was done to it."""

    mcnd01: list[Code] | UnsetType = UNSET
    mcnd02: list[Code] | UnsetType = UNSET
    mcnd03: list[Code] | UnsetType = UNSET
    mcnd04: list[Code] | UnsetType = UNSET
    mcnd05: list[Code] | UnsetType = UNSET
    mcnd06: list[Code] | UnsetType = UNSET
    mcnd07: list[Code] | UnsetType = UNSET
    mcnd08: list[Code] | UnsetType = UNSET


class BoardAction(FromHouse):
    name: Literal["BoardSwap"]
    args: Annotated[str, Meta(pattern="^[0-9]+=>[0-9]+$", description="old=>new")]


class Action(FromHouse):
    action: BoardAction


class Completed(FromHouse):
    completed: Annotated[list[McndId], Meta(min_length=1)]


# --- what a reply may say -------------------------------------------------------------------------------

Channel = Annotated[int, Meta(ge=0, le=255)] | Annotated[str, Meta(pattern="^[0-9A-Fa-f]{1,2}$")]


class RepliedColour(Struct):
    A: Channel
    R: Channel
    G: Channel
    B: Channel


class RepliedAvatar(Struct):
    name: str
    argbBackColor: RepliedColour


class RepliedFeatures(Struct):
    avatar: RepliedAvatar


class RepliedLocalization(Struct):
    locX: int
    locY: int
    azimuth: Azimuth


class RepliedCartouche(Struct):
    """Which codes there are, and how many fit, is a question of the rules."""

    cartouche: list[list[str | int]]


class Nothing(Struct):
    """The call had no arguments to change: null, or an object that is not looked at."""


# --- the sequences --------------------------------------------------------------------------------------


class Sequence(NamedTuple):
    """One line of the document: what its call carries, what may be changed, and what that may become."""

    args_in: Any
    args_ref: Any = None
    replied: Any = Nothing | None


SEQUENCES: dict[str, Sequence] = {
    "GameInitialisation": Sequence(GameContext),
    "InitDeclareBoard": Sequence(DeclaredBoard),
    "InitPlayerFeatures": Sequence(Mcnd, Features, RepliedFeatures),
    "InitPlayerLocalization": Sequence(Available, Localization, RepliedLocalization),
    "InitStatusOfCompetitors": Sequence(Competitors),
    "InitLocateArtefacts": Sequence(Artefacts),
    "QuestStart": Sequence(None),
    "RoundRequireCartouche": Sequence(None, Cartouche, RepliedCartouche),
    "RoundRobotMovement": Sequence(Movements),
    "RoundBoardMovement": Sequence(Movements),
    "RoundComputedMovements": Sequence(Movements),
    "RoundBoardAction": Sequence(Action),
    "RoundStatusOfCompetitors": Sequence(Competitors),
    "QuestAchieved": Sequence(Completed),
    "GameFinalisation": Sequence(None),
}
"""In the order of the game. `RoundComputedMovements` is reserved for the physical game and never sent."""

RESERVED = "RoundComputedMovements"
ALIASES = {"Finalisation": "GameFinalisation"}
"""What the document's own example replies with."""


class ShortMessage(Struct):
    msgCode: Any
    msgDesc: Any
    msgArgs: Any = None


class Service(Struct):
    """A message for people, either way; nothing answers it."""

    ShortMessageService: ShortMessage


class _Call(Struct):
    seq: str
    token: str
    argsIn: Any
    argsRef: Any


class _CallFrame(Struct):
    stgyCall: _Call


_encode = msgspec.json.Encoder().encode


def call_text(seq: str, token: str, args_in: Any, args_ref: Any) -> str:
    """A call as it goes over the wire; arguments may be `msgspec.Raw`, encoded once for all."""
    return _encode(_CallFrame(_Call(seq, token, args_in, args_ref))).decode()


def service_text(code: str, sentence: str, args: Any = None) -> str:
    return _encode(Service(ShortMessage(code, sentence, args))).decode()


# --- reading --------------------------------------------------------------------------------------------


class BadFrame(ValueError):
    """A frame that cannot be taken. `code` is the msgCode by which the console is told, with a sentence."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


class Reply(Struct):
    """A console's answer; the arguments are read when it is known to which call they belong."""

    seq: str
    token: str
    argsRef: msgspec.Raw = msgspec.Raw(b"null")


class _FromConsole(Struct):
    stgyReply: Reply | None = None
    ShortMessageService: Any = UNSET


_decode = msgspec.json.Decoder(_FromConsole).decode
_replied = {name: msgspec.json.Decoder(sequence.replied).decode for name, sequence in SEQUENCES.items()}


_COLOUR = re.compile(r'"argbBackColor"\s*:\s*\{[^{}]*\}')
_CHANNEL = re.compile(r'("[ARGB]"\s*:\s*)([0-9A-Fa-f]{1,2})(?=\s*[,}])')
_INTEGER = re.compile(r"0|[1-9][0-9]?")


def _quoted(colour: re.Match[str]) -> str:
    """A colour as the document writes it, `{"A":FF,"R":1E,…}`, in JSON: then all its numbers are hexadecimal.

    Where each of them could be an integer of JSON, they are integers.
    """
    if all(_INTEGER.fullmatch(channel[2]) for channel in _CHANNEL.finditer(colour[0])):
        return colour[0]
    return _CHANNEL.sub(r'\1"\2"', colour[0])


def read_frame(text: str) -> Reply | None:
    """The reply in a frame; None for a service message, which wants no answer. Raises BadFrame."""
    try:
        demand_small(text.encode("utf-8", "surrogatepass"))
        frame = _decode(_COLOUR.sub(_quoted, text))
    except msgspec.ValidationError as error:
        raise BadFrame("BadFrame", f"Ce n’est pas une trame du protocole ({quoted(str(error))}).") from None
    except (msgspec.DecodeError, OutOfBounds, UnicodeError, RecursionError) as error:
        raise BadFrame("BadJson", f"Ce n’est pas du JSON valide ({quoted(str(error))}).") from None
    if frame.stgyReply is not None:
        return frame.stgyReply
    if frame.ShortMessageService is UNSET:
        raise BadFrame("BadFrame", "Une trame est une stgyReply ou un ShortMessageService.")
    return None


def read_arguments(seq: str, raw: msgspec.Raw) -> Any:
    """What a reply to this sequence says; raises BadFrame."""
    try:
        return _replied[seq](raw)
    except msgspec.ValidationError as error:
        detail = quoted(str(error))
        raise BadFrame("BadArguments", f"Les argsRef de {seq} ne conviennent pas ({detail}).") from None
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise BadFrame("BadJson", f"Ce n’est pas du JSON valide ({quoted(str(error))}).") from None
