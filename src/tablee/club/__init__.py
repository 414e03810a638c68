"""People: accounts, sessions, e-mail, friends, messages, ratings, notices, roles."""

from tablee.club.club import Club
from tablee.club.errors import (
    BadCredentials,
    Banned,
    ClubError,
    EmailTaken,
    Invalid,
    InvalidToken,
    NotFound,
    PseudoTaken,
    Refused,
    Taken,
    TooMany,
    UnknownAccount,
    WrongPassword,
)
from tablee.club.people import Account
from tablee.club.sessions import Identity, Session, Tokens

__all__ = [
    "Account",
    "BadCredentials",
    "Banned",
    "Club",
    "ClubError",
    "EmailTaken",
    "Identity",
    "Invalid",
    "InvalidToken",
    "NotFound",
    "PseudoTaken",
    "Refused",
    "Session",
    "Taken",
    "Tokens",
    "TooMany",
    "UnknownAccount",
    "WrongPassword",
]
