"""Chess: Classic, Alice, Dark and Horde, after the Pawn Hub document."""

from tablee.rules.chess.boards import BOARDS, VARIANTS
from tablee.rules.chess.model import (
    AskTakeback,
    Began,
    CancelPremove,
    ChessOptions,
    ChessState,
    ClaimDraw,
    DeclineDraw,
    DeclineTakeback,
    Ended,
    Move,
    Moved,
    OfferDraw,
    Premove,
)
from tablee.rules.chess.rules import ChessRules

__all__ = [
    "BOARDS",
    "VARIANTS",
    "AskTakeback",
    "Began",
    "CancelPremove",
    "ChessOptions",
    "ChessRules",
    "ChessState",
    "ClaimDraw",
    "DeclineDraw",
    "DeclineTakeback",
    "Ended",
    "Move",
    "Moved",
    "OfferDraw",
    "Premove",
]
