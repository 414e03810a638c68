"""A club on a real store, with a cheap argon2 and members at hand."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

import pytest
from tests.kit.rooms import cheap_passwords

from tablee.clock import HandClock
from tablee.club import Account, Club
from tablee.club.passwords import Passwords
from tablee.store import Store, open_store

Member = Callable[[str], Awaitable[Account]]


@pytest.fixture
def passwords() -> Iterator[Passwords]:
    passwords = cheap_passwords(workers=2)
    yield passwords
    passwords.close()


@pytest.fixture
def club(store: Store, clock: HandClock, passwords: Passwords) -> Iterator[Club]:
    club = Club(store, clock, passwords=passwords)
    yield club
    club.close()


@pytest.fixture
async def other_club(store: Store, database_url: str, clock: HandClock) -> AsyncIterator[Club]:
    """The club at a second node of the same house; on SQLite, which has one node, in the same store."""
    if store.kind == "sqlite":
        second = store
    else:
        second = await open_store(database_url)
    club = Club(second, clock, passwords=cheap_passwords(workers=2))
    yield club
    club.close()
    if second is not store:
        await second.close()


@pytest.fixture
def member(club: Club) -> Member:
    """Makes a member whose password is `motdepasse`."""

    async def make(pseudo: str) -> Account:
        return await club.accounts.create(pseudo, "motdepasse")

    return make
