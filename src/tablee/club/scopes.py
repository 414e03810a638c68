"""What a token is good for: a session of one's own for everything, a program's for what it was given."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from tablee.club.errors import Invalid


class Scope(StrEnum):
    """One thing that a token may be good for; every token reads."""

    READ = "read"  # see what the account sees
    PLAY = "play"  # sit down, move, make tables, look for opponents
    CHAT = "chat"  # write messages and letters, make friends, block
    ACCOUNT = "account"  # the account itself: its password, addresses, names, tokens, end
    ADMIN = "admin"  # what an administrator may do


FOR_PROGRAMS = (Scope.READ, Scope.PLAY, Scope.CHAT)
"""What a program's token may be good for; never for the account itself, nor for the house."""
USUAL = frozenset(FOR_PROGRAMS)
EVERYTHING = frozenset(Scope)
OF_KIND = {
    "browser": EVERYTHING,
    "service": EVERYTHING,
    "bot": USUAL,
    # Who acts as somebody plays for him; he speaks in his own name only, and the account stays its owner's.
    "acting": frozenset((Scope.READ, Scope.PLAY)),
}


def chosen(scopes: Iterable[str]) -> frozenset[Scope]:
    """The scopes of a program's token, as they are asked for; raises Invalid."""
    wanted = {Scope.READ}
    for each in scopes:
        if each not in FOR_PROGRAMS:
            raise Invalid("scope_unknown", "scopes", scope=str(each)[:20], scopes=", ".join(FOR_PROGRAMS))
        wanted.add(Scope(each))
    return frozenset(wanted)


def written(scopes: frozenset[Scope]) -> str:
    """As the database keeps them, in one order."""
    return " ".join(each for each in Scope if each in scopes)


def of_session(kind: str, kept: str | None) -> frozenset[Scope]:
    """What a session is good for: what was kept of a program's token, else all that its kind may."""
    most = OF_KIND[kind]
    return most if kept is None else most & {Scope(each) for each in kept.split()}
