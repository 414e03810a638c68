"""Signing up, being known by name and password, changing, visitors and robots."""

from __future__ import annotations

import asyncio
import unicodedata

import pytest
from argon2 import PasswordHasher
from sqlalchemy import bindparam, select
from tests.club.conftest import Member

from tablee.clock import HandClock
from tablee.club import (
    BadCredentials,
    Club,
    EmailTaken,
    Invalid,
    PseudoTaken,
    Refused,
    TooMany,
    UnknownAccount,
    WrongPassword,
)
from tablee.club.passwords import Passwords
from tablee.store import Query, Store
from tablee.store.schema import account

HASH = Query(select(account.c.password_hash).where(account.c.id == bindparam("which")))


async def test_a_member_is_known_by_name_and_password_afterwards(club: Club) -> None:
    made = await club.accounts.create(
        "Léa",
        "motdepasse",
        email="Lea@Exemple.fr",
        first_name="Léa",
        country="fra",
        time_zone="UTC+1",
        language="en",
    )
    found = await club.accounts.verify("léa", "motdepasse")
    assert found == made
    assert (made.kind, made.role, made.country, made.time_zone) == ("member", "player", "FRA", "UTC + 1")
    assert (made.email, made.email_confirmed, made.language) == ("Lea@exemple.fr", False, "en")
    assert await club.accounts.by_pseudo("LÉA") == made


async def test_a_password_is_nowhere_but_in_its_hash(club: Club, store: Store, member: Member) -> None:
    lea = await member("Lea")
    row = await store.one(HASH, which=lea.id)
    assert row is not None
    assert row.password_hash.startswith("$argon2id$")
    assert "motdepasse" not in repr(lea)
    assert not hasattr(lea, "password_hash")


async def test_wrong_password_and_unknown_name_cost_the_same_work(
    club: Club, passwords: Passwords, member: Member
) -> None:
    await member("Lea")
    before = passwords.works
    with pytest.raises(WrongPassword):
        await club.accounts.verify("Lea", "autre")
    wrong = passwords.works - before
    with pytest.raises(UnknownAccount):
        await club.accounts.verify("Inconnue", "autre")
    assert passwords.works - before - wrong == wrong == 1
    with pytest.raises(BadCredentials):
        await club.accounts.sign_in("Inconnue", "x" * 10_000)
    with pytest.raises(BadCredentials):
        await club.accounts.sign_in("a\x00b", "\x00")
    with pytest.raises(BadCredentials):
        await club.accounts.sign_in("no\x00body@x.fr", "autre")
    assert passwords.works - before == 5


async def test_the_page_does_not_say_whether_the_name_or_the_password_was_wrong(
    club: Club, member: Member
) -> None:
    await member("Lea")
    said = []
    for name in ("Lea", "Inconnue", "personne@exemple.fr"):
        with pytest.raises(BadCredentials) as refused:
            await club.accounts.sign_in(name, "autre")
        said.append((refused.value.code, refused.value.parts))
    assert said[0] == said[1] == said[2]


async def test_one_may_sign_in_with_the_address(club: Club) -> None:
    lea = await club.accounts.create("Lea", "motdepasse", email="lea@exemple.fr")
    assert (await club.accounts.sign_in("LEA@Exemple.fr", "motdepasse")).id == lea.id


@pytest.mark.parametrize("variant", ["LÉA", "léa", unicodedata.normalize("NFD", "Léa")])
async def test_a_name_is_taken_however_it_is_written(club: Club, member: Member, variant: str) -> None:
    lea = await member("Léa")
    with pytest.raises(PseudoTaken):
        await member(variant)
    assert (await club.accounts.verify(variant, "motdepasse")).id == lea.id


async def test_a_password_typed_on_another_keyboard_is_the_same(club: Club) -> None:
    await club.accounts.create("Lea", unicodedata.normalize("NFC", "clé-secrète"))
    await club.accounts.verify("Lea", unicodedata.normalize("NFD", "clé-secrète"))


async def test_of_two_who_want_a_name_at_once_one_gets_it(club: Club, other_club: Club) -> None:
    tries = [c.accounts.create("Zoé", f"motdepasse{n}") for n, c in enumerate([club, other_club] * 4)]
    results = await asyncio.gather(*tries, return_exceptions=True)
    made = [result for result in results if not isinstance(result, BaseException)]
    assert len(made) == 1
    assert all(isinstance(result, PseudoTaken) for result in results if isinstance(result, BaseException))


async def test_of_two_who_want_an_address_at_once_one_gets_it(club: Club, other_club: Club) -> None:
    tries = [
        c.accounts.create(f"Zoe{n}", "motdepasse", email=mail)
        for n, (c, mail) in enumerate([(club, "Zoe@x.fr"), (other_club, "zoe@X.fr"), (club, "zoe@x.fr")])
    ]
    results = await asyncio.gather(*tries, return_exceptions=True)
    assert sorted(type(result).__name__ for result in results) == ["Account", "EmailTaken", "EmailTaken"]


async def test_entering_makes_an_account_once_and_then_asks_for_its_password(
    club: Club, other_club: Club
) -> None:
    entered = await asyncio.gather(
        *(c.accounts.enter("Max", "secret", address="") for c in [club, other_club] * 3)
    )
    assert sum(each.is_new for each in entered) == 1
    assert len({each.account.id for each in entered}) == 1
    with pytest.raises(WrongPassword):
        await club.accounts.enter("max", "faux", address="")
    for name, password in (("ALL", "x"), ("a#b", "x"), ("a", ""), ("a", "x\x00")):
        with pytest.raises(Invalid):
            await club.accounts.enter(name, password, address="")


async def test_an_older_hash_is_renewed_when_its_owner_comes(
    store: Store, clock: HandClock, club: Club, member: Member
) -> None:
    lea = await member("Lea")
    old = await store.one(HASH, which=lea.id)
    stronger = Passwords(PasswordHasher(time_cost=2, memory_cost=16, parallelism=1), workers=1)
    later = Club(store, clock, passwords=stronger)
    await later.accounts.verify("Lea", "motdepasse")
    new = await store.one(HASH, which=lea.id)
    assert old is not None
    assert new is not None
    assert old.password_hash != new.password_hash
    assert "t=2" in new.password_hash
    await later.accounts.verify("Lea", "motdepasse")
    later.close()


async def test_too_many_passwords_at_once_are_turned_away_instead_of_queued(
    store: Store, clock: HandClock
) -> None:
    passwords = Passwords(
        PasswordHasher(time_cost=1, memory_cost=8, parallelism=1), workers=1, waiting_most=3
    )
    results = await asyncio.gather(*(passwords.hash("x") for _ in range(10)), return_exceptions=True)
    assert sum(isinstance(result, str) for result in results) == 3
    assert sum(isinstance(result, TooMany) for result in results) == 7
    assert await passwords.hash("x")
    passwords.close()


async def test_right_passwords_are_not_counted(club: Club, member: Member) -> None:
    await member("Lea")
    for _ in range(100):
        await club.accounts.sign_in("Lea", "motdepasse", address="192.0.2.1")


async def test_who_found_an_open_session_cannot_guess_its_password_for_long(
    club: Club, member: Member, passwords: Passwords, clock: HandClock
) -> None:
    lea = await member("Lea")
    before = passwords.works
    guesses = [asyncio.ensure_future(club.accounts.confirm_password(lea, f"faux{n}")) for n in range(100)]
    while not all(guess.done() for guess in guesses):
        await asyncio.wait(guesses, timeout=0.01)
        await clock.advance(500)
    assert passwords.works - before <= 10
    assert sum(isinstance(guess.exception(), TooMany) for guess in guesses) >= 90


async def test_addresses_that_are_taken_cannot_be_counted_through(club: Club) -> None:
    await club.accounts.create("Lea", "motdepasse", email="lea@exemple.fr")
    for n in range(60):
        with pytest.raises(EmailTaken):
            await club.accounts.create(f"Noe{n}", "motdepasse", email="lea@exemple.fr", address="192.0.2.1")
    for known in ("lea@exemple.fr", "personne@exemple.fr"):
        with pytest.raises(TooMany):
            await club.accounts.create("Noe", "motdepasse", email=known, address="192.0.2.1")


async def test_the_last_identification_is_noted(club: Club, member: Member, clock: HandClock) -> None:
    lea = await member("Lea")
    await clock.advance(5_000)
    await club.accounts.verify("Lea", "motdepasse")
    assert (await club.accounts.by_id(lea.id)).identified_at == clock.now()


async def test_everything_about_oneself_can_be_changed(club: Club, member: Member) -> None:
    lea = await member("Lea")
    changed, differs = await club.accounts.change(
        lea, pseudo="Léa", first_name="Léa", family_name="Dupont", telephone="+33 1 23", country="BEL",
        time_zone="UTC", language="en", settings={"son": False},
    )  # fmt: skip
    assert differs
    assert changed == await club.accounts.by_id(lea.id)
    assert (changed.pseudo, changed.family_name, changed.settings) == ("Léa", "Dupont", {"son": False})
    again, differs = await club.accounts.change(changed, country="BEL", language="en")
    assert not differs
    assert again == changed
    with pytest.raises(UnknownAccount):
        await club.accounts.by_pseudo("Lea")


async def test_a_name_or_address_of_another_cannot_be_taken_over(club: Club, member: Member) -> None:
    await club.accounts.create("Max", "motdepasse", email="max@x.fr")
    lea = await member("Lea")
    with pytest.raises(PseudoTaken):
        await club.accounts.change(lea, pseudo="MAX")
    with pytest.raises(EmailTaken):
        await club.accounts.change(lea, email="MAX@x.fr")
    with pytest.raises(Invalid):
        await club.accounts.change(lea, role="super")  # type: ignore[call-arg]
    assert await club.accounts.by_id(lea.id) == lea


async def test_one_may_change_the_case_of_ones_own_name(club: Club, member: Member) -> None:
    lea = await member("lea")
    changed, _ = await club.accounts.change(lea, pseudo="LEA")
    assert changed.pseudo == "LEA"


async def test_a_new_password_ends_the_other_sessions(club: Club, member: Member) -> None:
    lea = await member("Lea")
    here, there = await club.sessions.open(lea), await club.sessions.open(lea)
    with pytest.raises(WrongPassword):
        await club.accounts.change_password(lea, "nouveau!", current="faux")
    with pytest.raises(Invalid):
        await club.accounts.change_password(lea, "court", current="motdepasse", least=8)
    await club.accounts.change_password(
        lea, "nouveau!", current="motdepasse", least=8, keep_session=here.session_id
    )
    await club.accounts.verify("Lea", "nouveau!")
    with pytest.raises(WrongPassword):
        await club.accounts.verify("Lea", "motdepasse")
    assert [session.id for session in await club.sessions.list(lea.id)] == [here.session_id]
    assert not await club.sessions.is_alive(there.session_id)


async def test_a_visitor_becomes_a_member_and_stays_the_same_account(club: Club, member: Member) -> None:
    visitor = await club.accounts.create_visitor("en")
    assert visitor.pseudo.startswith("Visiteur-")
    assert visitor.language == "en"
    assert await club.accounts.by_id(visitor.id) == visitor
    tokens = await club.sessions.open(visitor)
    await club.sessions.who(tokens.access)
    await member("Max")
    with pytest.raises(PseudoTaken):
        await club.accounts.upgrade_visitor(visitor, "max", "motdepasse")
    zoe = await club.accounts.upgrade_visitor(visitor, "Zoé", "motdepasse", email="zoe@x.fr")
    assert (zoe.id, zoe.kind, zoe.pseudo) == (visitor.id, "member", "Zoé")
    assert (await club.sessions.who(tokens.access)).account.pseudo == "Zoé"
    assert (await club.accounts.verify("zoé", "motdepasse")).id == visitor.id
    with pytest.raises(Refused):
        await club.accounts.upgrade_visitor(visitor, "Zoe2", "motdepasse")


async def test_a_visitor_has_no_password_that_would_let_anybody_in(club: Club) -> None:
    visitor = await club.accounts.create_visitor()
    for password in ("", "x", "None"):
        with pytest.raises(UnknownAccount):
            await club.accounts.verify(visitor.pseudo, password)


async def test_a_robot_has_one_account_whoever_asks_first(
    club: Club, other_club: Club, member: Member
) -> None:
    await member("Robot-mines-fort")
    robots = await asyncio.gather(*(c.accounts.robot("mines", "fort") for c in [club, other_club] * 3))
    assert len({robot.id for robot in robots}) == 1
    assert robots[0].is_robot
    assert robots[0].pseudo != "Robot-mines-fort"
    assert (await club.accounts.robot("mines", "faible")).id != robots[0].id
    with pytest.raises(UnknownAccount):
        await club.accounts.verify(robots[0].pseudo, "")


async def test_many_accounts_are_found_at_once(club: Club, member: Member) -> None:
    made = [await member(f"Joueur{n}") for n in range(5)]
    found = await club.accounts.many([*(each.id for each in made), 999_999])
    assert found == {each.id: each for each in made}
    by_name = await club.accounts.by_pseudos(["JOUEUR1", "joueur2", "personne", "\x00", ""])
    assert {name: each.pseudo for name, each in by_name.items()} == {
        "JOUEUR1": "Joueur1",
        "joueur2": "Joueur2",
    }
    assert await club.accounts.many([]) == {}


async def test_no_string_however_odd_is_more_than_a_clear_refusal(club: Club) -> None:
    for odd in (
        "\x00",
        "x" * 10_000,
        "\ud800",
        "'; drop table account; --",
        "\u202e",
        "🦊",
        "%",
        "{0.__class__}",
    ):
        with pytest.raises(Invalid) as refused:
            await club.accounts.create(odd, "motdepasse")
        assert refused.value.sentence("fr")
        with pytest.raises(UnknownAccount) as unknown:
            await club.accounts.by_pseudo(odd)
        assert unknown.value.sentence("en")
        with pytest.raises(Invalid):
            await club.accounts.create("Lea", "motdepasse", email=odd)
