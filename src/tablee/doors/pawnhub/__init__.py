"""Pawn Hub over TCP: chess and its services in a plain and in a framed dialect."""

from tablee.doors.pawnhub.settings import Bounds, PawnhubSettings

__all__ = ["Bounds", "PawnhubSettings"]
