"""One's own account: made, confirmed, changed, recovered, deleted; and visitors, who have none yet."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, UnsetType

from tablee.club.people import Account
from tablee.club.scopes import Scope
from tablee.store import Hint

from ..api import credentials, signing
from ..api.ask import Ask
from ..api.registry import Body, Routes, Who
from ..api.signing import SignedIn, signed_in
from ..people.leaving import leave_every_table
from ..shapes import Shape

Json = Any
routes = Routes("account")

PASSWORD_LEAST = 8
"""In the page; the historic doors take any."""

Text = Annotated[str, msgspec.Meta(max_length=200)]
Email = Annotated[str, msgspec.Meta(max_length=254)]
Password = Annotated[str, msgspec.Meta(max_length=1000)]
Code = Annotated[str, msgspec.Meta(min_length=4, max_length=20)]
Language = Annotated[str, msgspec.Meta(max_length=2, description="fr or en")]


class SignUp(Body, frozen=True):
    pseudo: Text
    password: Password
    email: Email | None = None
    first_name: Text | UnsetType = UNSET
    family_name: Text | UnsetType = UNSET
    telephone: Text | UnsetType = UNSET
    country: Text | UnsetType = UNSET
    time_zone: Text | UnsetType = UNSET
    language: Language | UnsetType = UNSET
    label: Annotated[str, msgspec.Meta(max_length=60)] = ""
    cookies: bool = False


_DETAILS = (
    "first_name",
    "family_name",
    "telephone",
    "country",
    "time_zone",
    "stand_in",
    "language",
    "settings",
)


def _given(body: msgspec.Struct, names: tuple[str, ...]) -> dict[str, Any]:
    found = {name: getattr(body, name, UNSET) for name in names}
    return {name: value for name, value in found.items() if value is not UNSET}


@routes.post("/accounts", who=Who.ANYONE, signs_in=True, status=201, refusals=(409,))
async def sign_up(ask: Ask, body: SignUp) -> SignedIn:
    """Make an account and log in. A visitor who is identified becomes its owner and keeps his games.

    A code is sent to the e-mail address, if there is one, for `POST /account/confirm`.
    """
    signing.must_be_ours(ask, body.cookies)
    club = ask.house.club
    details = {"language": ask.language, **_given(body, _DETAILS)}
    identity = ask.identity
    if identity is not None and identity.account.is_visitor:
        account = await club.accounts.upgrade_visitor(
            identity.account,
            body.pseudo,
            body.password,
            email=body.email,
            least=PASSWORD_LEAST,
            address=ask.address,
            **details,
        )
    else:
        account = await club.accounts.create(
            body.pseudo,
            body.password,
            email=body.email,
            least=PASSWORD_LEAST,
            address=ask.address,
            **details,
        )
    tokens = await club.sessions.open(account, "browser", body.label, ask.address)
    return signed_in(ask, account, tokens, body.cookies)


class NewVisitor(Body, frozen=True):
    language: Language | UnsetType = UNSET
    cookies: bool = False


@routes.post("/visitors", who=Who.ANYONE, signs_in=True, status=201)
async def come_in(ask: Ask, body: NewVisitor = NewVisitor()) -> SignedIn:  # noqa: B008 - frozen
    """Come in as a visitor and play at once; `POST /accounts` later makes the visitor a member."""
    signing.must_be_ours(ask, body.cookies)
    club = ask.house.club
    language = credentials.language_of(ask.headers) if body.language is UNSET else body.language
    account = await club.accounts.create_visitor(str(language), address=ask.address)
    tokens = await club.sessions.open(account, "browser", "", ask.address)
    return signed_in(ask, account, tokens, body.cookies)


# --- one's own account ----------------------------------------------------------------------------------


class AccountDetails(Shape, frozen=True):
    """All that the house knows about somebody, for himself alone."""

    id: int
    kind: str
    role: str
    pseudo: str
    email: str | None
    email_confirmed: bool
    first_name: str
    family_name: str
    telephone: str
    country: str
    time_zone: str
    stand_in: bool  # likes to take over for who is away
    language: str
    settings: dict[str, Json]
    created_at: int
    has_password: bool


async def account_details(ask: Ask, account: Account) -> AccountDetails:
    return AccountDetails.of(account, has_password=await ask.house.club.accounts.has_password(account.id))


@routes.get("/account")
async def account(ask: Ask) -> AccountDetails:
    """One's own account, a visitor's too."""
    return await account_details(ask, await ask.house.club.accounts.by_id(ask.account_id))


class AccountChange(Body, frozen=True):
    pseudo: Text | UnsetType = UNSET
    email: Email | UnsetType | None = UNSET
    first_name: Text | UnsetType = UNSET
    family_name: Text | UnsetType = UNSET
    telephone: Text | UnsetType = UNSET
    country: Text | UnsetType = UNSET
    time_zone: Text | UnsetType = UNSET
    stand_in: bool | UnsetType = UNSET
    language: Language | UnsetType = UNSET
    settings: dict[str, Json] | UnsetType = UNSET
    password: Password | None = None


@routes.patch("/account", scope=Scope.ACCOUNT, refusals=(403, 409))
async def change_account(ask: Ask, body: AccountChange) -> AccountDetails:
    """Change what is given and leave the rest; a new e-mail address needs the `password` and gets a code.

    A visitor may change `language` and `settings` only.
    """
    club = ask.house.club
    changes = _given(body, ("pseudo", "email", *_DETAILS))
    if "email" in changes and changes["email"] != ask.account.email:
        await club.accounts.confirm_password(ask.account, body.password or "")
    changed, _ = await club.accounts.change(ask.account, address=ask.address, **changes)
    if changed.hides_visits != ask.account.hides_visits:
        ask.house.store.bus.publish([Hint("presence", changed.id, "hidden")])
    return await account_details(ask, changed)


class PasswordChange(Body, frozen=True):
    current: Password
    password: Password


@routes.put("/account/password", who=Who.MEMBER, scope=Scope.ACCOUNT, refusals=(403,))
async def change_password(ask: Ask, body: PasswordChange) -> None:
    """A new password; every other session ends."""
    assert ask.identity is not None
    await ask.house.club.accounts.change_password(
        ask.account,
        body.password,
        current=body.current,
        least=PASSWORD_LEAST,
        keep_session=ask.identity.session.id,
        address=ask.address,
    )


class Farewell(Body, frozen=True):
    password: Password


@routes.post("/account/delete", who=Who.MEMBER, scope=Scope.ACCOUNT, refusals=(403,))
async def delete_account(ask: Ask, body: Farewell) -> None:
    """Delete one's account for good. Games stay in the histories of others, without the name."""
    club = ask.house.club
    await club.accounts.confirm_password(ask.account, body.password)
    await leave_every_table(ask.house, ask.account_id)
    await club.leaving.delete(ask.account, by=ask.account, address=ask.address)
    signing.drop_cookies(ask)


# --- e-mail ---------------------------------------------------------------------------------------------


class Confirmation(Body, frozen=True):
    code: Code


@routes.post("/account/confirm", who=Who.MEMBER, scope=Scope.ACCOUNT, refusals=(403,))
async def confirm_email(ask: Ask, body: Confirmation) -> AccountDetails:
    """The code that came by e-mail proves that the address is one's own."""
    confirmed = await ask.house.club.addresses.confirm(ask.account, body.code, address=ask.address)
    return await account_details(ask, confirmed)


@routes.post("/account/confirm/send", who=Who.MEMBER, scope=Scope.ACCOUNT, status=202, refusals=(403,))
async def send_confirmation(ask: Ask) -> None:
    """Send the code again."""
    await ask.house.club.addresses.send_confirmation(ask.account)


class Recovery(Body, frozen=True):
    email: Email


@routes.post("/recovery", who=Who.ANYONE, signs_in=True, status=202)
async def ask_recovery(ask: Ask, body: Recovery) -> None:
    """Send a code to this address, for a forgotten password; the answer is the same if nobody has it."""
    await ask.house.club.addresses.send_recovery(body.email, address=ask.address)


class NewPassword(Body, frozen=True):
    email: Email
    code: Code
    password: Password
    cookies: bool = False


@routes.post("/recovery/confirm", who=Who.ANYONE, signs_in=True, refusals=(403,))
async def recover(ask: Ask, body: NewPassword) -> SignedIn:
    """A new password for who has the code; every older session ends, and one is logged in."""
    signing.must_be_ours(ask, body.cookies)
    club = ask.house.club
    account = await club.accounts.recover(
        body.email, body.code, body.password, least=PASSWORD_LEAST, address=ask.address
    )
    tokens = await club.sessions.open(account, "browser", "", ask.address)
    return signed_in(ask, account, tokens, body.cookies)
