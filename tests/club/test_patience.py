"""Wrong passwords slow down whoever sends them; nobody is kept out of his own account by them."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest
from argon2 import PasswordHasher
from tests.club.conftest import Member
from tests.kit.rooms import cheap_passwords

from tablee.clock import HandClock
from tablee.club import Account, BadCredentials, Club, TooMany, WrongPassword
from tablee.club import patience as module
from tablee.club.limits import DEFAULT_LIMITS
from tablee.club.passwords import Passwords
from tablee.store import Store

HOME, CAFE = "192.0.2.1", "198.51.100.7"


def attackers(count: int) -> list[str]:
    return [f"203.0.113.{n}" for n in range(count)]


async def ended(work: Coroutine[Any, Any, Any], clock: HandClock) -> Any:
    """What came of it, the clock moving on while it waits; an exception is given, not raised."""
    task = asyncio.ensure_future(work)
    while not (await asyncio.wait([task], timeout=0.01))[0]:
        await clock.advance(500)
    return task.exception() or task.result()


async def guess(club: Club, clock: HandClock, count: int, address: str) -> int:
    """Wrong passwords one after the other; gives how many milliseconds they were made to take."""
    began = clock.now()
    for n in range(count):
        answer = await ended(club.accounts.sign_in("Lea", f"faux{n}", address=address), clock)
        assert isinstance(answer, BadCredentials)
    return clock.now() - began


@pytest.fixture
def easily_slowed(monkeypatch: pytest.MonkeyPatch) -> None:
    """An account for which a few wrong passwords from everywhere count as many."""
    monkeypatch.setattr(module, "EVERYWHERE_FREE", 4)


@pytest.fixture
async def lea(member: Member) -> Account:
    return await member("Lea")


async def test_sixty_wrong_passwords_lock_nobody_out(club: Club, lea: Account, clock: HandClock) -> None:
    for address in attackers(12):
        await guess(club, clock, 5, address)
    assert await ended(club.accounts.sign_in("Lea", "motdepasse", address=HOME), clock) == lea


async def test_wrong_passwords_from_one_network_take_longer_and_longer(
    club: Club, lea: Account, clock: HandClock
) -> None:
    few = await guess(club, clock, 5, HOME)
    more = await guess(club, clock, 5, HOME)
    many = await guess(club, clock, 5, HOME)
    assert few < more < many
    assert many <= 5 * (module.STRANGER.longest + 2_000)


async def test_wrong_passwords_sent_all_at_once_are_looked_at_one_by_one(
    club: Club,
    lea: Account,
    clock: HandClock,
    passwords: Passwords,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "REFUSED_AFTER", 0.0)  # real time, in which the clock here goes on
    before = passwords.works
    tries = [club.accounts.sign_in("Lea", f"faux{n}", address=HOME) for n in range(200)]
    answers = await ended(asyncio.wait([asyncio.ensure_future(each) for each in tries]), clock)
    refused = [each for each in answers[0] if isinstance(each.exception(), TooMany)]
    # 1 + 2 + 4 + 8 + 15 seconds: five more than those that cost no wait are all that fits.
    assert passwords.works - before <= module.STRANGER.free + 5
    assert len(refused) == 200 - (passwords.works - before)


@pytest.mark.usefixtures("easily_slowed")
async def test_the_owner_is_not_slowed_where_he_has_signed_in_lately(
    club: Club, lea: Account, clock: HandClock
) -> None:
    await club.accounts.sign_in("Lea", "motdepasse", address=HOME)
    for address in attackers(10):
        await guess(club, clock, 2, address)
    now = clock.now()
    assert await club.accounts.sign_in("Lea", "motdepasse", address=HOME) == lea
    assert clock.now() == now


@pytest.mark.usefixtures("easily_slowed")
async def test_an_owner_is_known_by_a_session_after_the_house_was_started_again(
    club: Club, store: Store, lea: Account, clock: HandClock
) -> None:
    await club.sessions.open(lea, "browser", "", HOME)
    restarted = Club(store, clock, passwords=cheap_passwords())
    for address in attackers(10):
        await guess(restarted, clock, 2, address)
    now = clock.now()
    assert await restarted.accounts.sign_in("Lea", "motdepasse", address=HOME) == lea
    assert clock.now() == now
    restarted.close()


async def test_an_administrator_who_acted_as_somebody_does_not_make_his_network_known(
    club: Club, lea: Account, member: Member
) -> None:
    chief, _ = await club.roles.name_super("Chef", "motdepasse")
    await club.sessions.act_as(chief, lea, HOME)
    assert not await club.sessions.came_from(lea.id, HOME)


@pytest.mark.usefixtures("easily_slowed")
async def test_wrong_passwords_from_everywhere_slow_strangers_and_refuse_none(
    club: Club, lea: Account, clock: HandClock
) -> None:
    for address in attackers(14):
        await guess(club, clock, 2, address)
    signing_in = asyncio.ensure_future(club.accounts.sign_in("Lea", "motdepasse", address=CAFE))
    assert not (await asyncio.wait([signing_in], timeout=0.3))[0], "it waits while the clock stands"
    await clock.advance(module.EVERYWHERE_LONGEST + 1_000)
    assert await signing_in == lea  # however long the hashing takes: the clock moves no further


async def test_somebody_who_attacks_one_account_slows_no_other_of_his_network(
    club: Club, lea: Account, member: Member, clock: HandClock
) -> None:
    zoe = await member("Zoe")
    await guess(club, clock, 8, HOME)
    held = asyncio.ensure_future(club.accounts.sign_in("Lea", "faux", address=HOME))
    await asyncio.sleep(0)
    assert await club.accounts.sign_in("Zoe", "motdepasse", address=HOME) == zoe
    held.cancel()
    await asyncio.gather(held, return_exceptions=True)


async def test_many_names_tried_from_one_network_are_slowed_too(
    club: Club, clock: HandClock, passwords: Passwords
) -> None:
    before = passwords.works
    tries = [club.accounts.sign_in(f"Nom{n}", "faux", address=HOME) for n in range(200)]
    await ended(asyncio.wait([asyncio.ensure_future(each) for each in tries]), clock)
    assert passwords.works - before <= module.NETWORK.free + 8  # 1 + 2 + 4 + 5 + 5 + 5 … seconds


async def test_a_name_and_its_address_are_one_account(club: Club, clock: HandClock) -> None:
    await club.accounts.create("Noe", "motdepasse", email="noe@exemple.fr")
    for n in range(5):
        with pytest.raises(BadCredentials):
            await club.accounts.sign_in("Noe", f"faux{n}", address=HOME)
    began = clock.now()
    await ended(club.accounts.sign_in("noe@exemple.fr", "faux", address=HOME), clock)
    assert clock.now() - began >= module.FIRST_WAIT


async def test_who_hangs_up_before_the_answer_is_counted(
    club: Club, lea: Account, clock: HandClock, passwords: Passwords
) -> None:
    before = passwords.works
    for n in range(40):
        hurried = asyncio.ensure_future(club.accounts.sign_in("Lea", f"faux{n}", address=HOME))
        for _ in range(20):
            await asyncio.sleep(0)
        hurried.cancel()
        await asyncio.gather(hurried, return_exceptions=True)
    assert passwords.works - before <= module.STRANGER.free


async def test_many_right_passwords_at_once_all_come_in(club: Club, lea: Account) -> None:
    tries = [club.accounts.sign_in("Lea", "motdepasse", address=HOME) for _ in range(60)]
    assert await asyncio.gather(*tries) == [lea] * 60


@pytest.mark.usefixtures("easily_slowed")
async def test_who_is_in_already_is_not_slowed_by_those_outside(
    club: Club, lea: Account, clock: HandClock
) -> None:
    for address in attackers(10):
        await guess(club, clock, 2, address)
    now = clock.now()
    await club.accounts.confirm_password(lea, "motdepasse")
    assert clock.now() == now


async def test_no_more_networks_are_remembered_than_allowed(
    club: Club, lea: Account, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "REMEMBERED", 20)
    for address in attackers(60):
        await guess(club, clock, 1, address)
    assert len(club.accounts._patience._gates) <= 20


async def test_one_address_that_fills_the_queue_for_passwords_keeps_no_other_waiting() -> None:
    passwords = Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1), workers=1)
    order: list[str] = []

    async def hashed(place: str) -> None:
        await passwords.hash("x", place=place)
        order.append(place)

    flood = [asyncio.ensure_future(hashed("flood")) for _ in range(1_000)]
    await asyncio.sleep(0)
    await hashed("honest")
    assert order.index("honest") <= 2
    refused = [each for each in await asyncio.gather(*flood, return_exceptions=True) if each is not None]
    assert all(isinstance(each, TooMany) for each in refused)
    assert len(refused) >= 900
    passwords.close()


async def test_wrong_passwords_through_the_historic_way_in_are_slowed_the_same(
    club: Club, lea: Account, clock: HandClock
) -> None:
    for n in range(5):
        with pytest.raises(WrongPassword):
            await club.accounts.enter("Lea", f"faux{n}", address=HOME)
    began = clock.now()
    answer = await ended(club.accounts.verify("Lea", "faux", address=HOME), clock)
    assert isinstance(answer, WrongPassword)
    assert clock.now() - began >= module.FIRST_WAIT


async def test_who_is_told_to_come_later_is_not_told_so_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that asks again as soon as it is answered would ask some thousand times a second."""
    monkeypatch.setattr(module, "REFUSED_AFTER", 3600.0)
    leave = asyncio.Event()

    async def came_from(who: int, place: str) -> bool:
        return False

    async def look(patience: module.Patience) -> None:
        async with patience.turn(1, CAFE):
            await leave.wait()

    patience = module.Patience(HandClock(), came_from)
    as_many_as_may = module.STRANGER.free + module.WAITING_MOST
    many = [asyncio.create_task(look(patience)) for _ in range(as_many_as_may + 10)]
    for _ in range(20):
        await asyncio.sleep(0)
    assert len(patience._gates["pair", 1, CAFE].waiting) == module.WAITING_MOST
    assert not [each for each in many if each.done()]
    for each in many:
        each.cancel()
    await asyncio.gather(*many, return_exceptions=True)


async def test_a_newcomer_who_is_told_to_come_later_is_not_told_so_at_once(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "REFUSED_AFTER", 3600.0)
    for _ in range(DEFAULT_LIMITS["visitor"].most):
        await club.accounts.create_visitor(address=CAFE)
    another = asyncio.create_task(club.accounts.create_visitor(address=CAFE))
    assert await club.accounts.create_visitor(address=HOME)
    assert not another.done()
    another.cancel()
