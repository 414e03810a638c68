"""Passwords cost argon2's work once, and a wrong one always."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from argon2 import PasswordHasher

from tablee.club import passwords as module
from tablee.club.passwords import Passwords


@pytest.fixture
def passwords() -> Iterator[Passwords]:
    made = Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    yield made
    made.close()


async def test_a_password_that_was_right_is_not_hashed_again(passwords: Passwords) -> None:
    kept = await passwords.hash("sésame")
    assert (await passwords.check(kept, "sésame")).right
    before = passwords.works
    assert (await passwords.check(kept, "sésame")).right
    assert passwords.works == before


async def test_a_wrong_password_costs_the_work_every_time(passwords: Passwords) -> None:
    kept = await passwords.hash("sésame")
    assert (await passwords.check(kept, "sésame")).right
    before = passwords.works
    for tried in ("sesame", "", "sésame" * 100, "sesame"):
        assert not (await passwords.check(kept, tried)).right
    assert not (await passwords.check(None, "sésame")).right
    assert passwords.works == before + 5


async def test_a_password_is_forgotten_with_the_hash_it_belonged_to(passwords: Passwords) -> None:
    old = await passwords.hash("sésame")
    assert (await passwords.check(old, "sésame")).right
    assert not (await passwords.check(await passwords.hash("autre"), "sésame")).right


async def test_no_more_is_remembered_than_allowed(
    passwords: Passwords, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "REMEMBERED_MOST", 2)
    kept = {word: await passwords.hash(word) for word in ("un", "deux", "trois")}
    for word in ("un", "deux", "un", "trois"):
        assert (await passwords.check(kept[word], word)).right
    before = passwords.works
    assert (await passwords.check(kept["un"], "un")).right
    assert passwords.works == before
    assert (await passwords.check(kept["deux"], "deux")).right
    assert passwords.works == before + 1
