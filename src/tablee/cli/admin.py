"""`tablee admin`: who runs the house, from the shell of the machine it stands on."""

from __future__ import annotations

import secrets
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Annotated, Any

import msgspec
import typer

from tablee.cli.running import opened, run
from tablee.cli.settings import STORE, Settings, with_settings
from tablee.cli.stopping import Stop
from tablee.clock import WallClock
from tablee.club import Account, Club, fields
from tablee.doors.afjd.secret import renew_secret

app = typer.Typer(
    no_args_is_help=True, help="Administrators of the house, and passwords that were forgotten."
)

PASSWORD_LEAST = 8

Pseudo = Annotated[str, typer.Argument(help="Pseudo of the account.", metavar="PSEUDO")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
FromStdin = Annotated[
    bool, typer.Option("--password-stdin", help="Read the password from standard input, else one is made up.")
]


@app.command("list")
@with_settings(*STORE)
def list_command(settings: Settings, json: AsJson = False) -> None:
    """List everybody with a role."""
    found = _work(settings, lambda club: club.roles.administrators())
    rows = [{"pseudo": a.pseudo, "role": a.role, "email": a.email, "seen_at": a.seen_at} for a in found]
    if json:
        typer.echo(msgspec.json.encode(rows).decode())
        return
    for account in found:
        seen = datetime.fromtimestamp(account.seen_at / 1000, UTC)
        typer.echo(f"{account.pseudo:30}  {account.role:13}  seen {seen:%Y-%m-%d %H:%M} UTC")
    if not found:
        typer.echo("Nobody yet: the first `tablee serve` makes the super-administrator.")


@app.command("create")
@with_settings(*STORE)
def create_command(
    settings: Settings, pseudo: Pseudo, password_stdin: FromStdin = False, json: AsJson = False
) -> None:
    """Make a new account and name it administrator; the first one ever is the super-administrator."""
    password, invented = _password(password_stdin)

    async def create(club: Club) -> Account:
        fields.password(password, PASSWORD_LEAST)
        chief = await club.roles.super_administrator()
        if chief is None:
            return (await club.roles.name_super(pseudo, password))[0]
        account = await club.accounts.create(pseudo, password)
        return await club.roles.name_administrator(chief, account)

    _tell(_work(settings, create), invented, json)


@app.command("promote")
@with_settings(*STORE)
def promote_command(settings: Settings, pseudo: Pseudo, json: AsJson = False) -> None:
    """Name a member administrator."""

    async def promote(club: Club) -> Account:
        return await club.roles.name_administrator(await _chief(club), await club.accounts.by_pseudo(pseudo))

    _tell(_work(settings, promote), None, json)


@app.command("dismiss")
@with_settings(*STORE)
def dismiss_command(settings: Settings, pseudo: Pseudo, json: AsJson = False) -> None:
    """Make an administrator a player again."""

    async def dismiss(club: Club) -> Account:
        return await club.roles.dismiss(await _chief(club), await club.accounts.by_pseudo(pseudo))

    _tell(_work(settings, dismiss), None, json)


@app.command("hand-over")
@with_settings(*STORE)
def hand_over_command(settings: Settings, pseudo: Pseudo, json: AsJson = False) -> None:
    """Make a member the super-administrator; the one until now stays an administrator."""

    async def hand_over(club: Club) -> Account:
        return await club.roles.hand_over(await _chief(club), await club.accounts.by_pseudo(pseudo))

    _tell(_work(settings, hand_over), None, json)


@app.command("reset-password")
@with_settings(*STORE)
def reset_password_command(
    settings: Settings, pseudo: Pseudo, password_stdin: FromStdin = False, json: AsJson = False
) -> None:
    """Give an account a new password; all its sessions end."""
    password, invented = _password(password_stdin)

    async def reset(club: Club) -> Account:
        account = await club.accounts.by_pseudo(pseudo)
        chief = await club.roles.super_administrator()
        await club.accounts.change_password(
            account, password, least=PASSWORD_LEAST, by=chief.id if chief else None
        )
        return account

    _tell(_work(settings, reset), invented, json)


@app.command("renew-service-secret")
@with_settings(*STORE)
def renew_service_secret_command(settings: Settings, json: AsJson = False) -> None:
    """Make a new secret for the AFJD services; each node takes it over when it starts next."""

    async def renew() -> str:
        async with opened(settings) as store:
            return await renew_secret(store)

    made = run(renew())
    if json:
        typer.echo(msgspec.json.encode({"service_secret": made}).decode())
    else:
        typer.echo(f"ServiceSecret: {made}   (start each node anew)")


def _work(settings: Settings, what: Callable[[Club], Awaitable[Any]]) -> Any:
    async def work() -> Any:
        async with _club(settings) as club:
            return await what(club)

    return run(work())


@asynccontextmanager
async def _club(settings: Settings) -> AsyncIterator[Club]:
    async with opened(settings) as store:
        club = Club(store, WallClock(), name=settings.name)
        try:
            yield club
        finally:
            club.close()


async def _chief(club: Club) -> Account:
    chief = await club.roles.super_administrator()
    if chief is None:
        raise Stop("There is no super-administrator yet: `tablee serve` makes one, or `tablee admin create`.")
    return chief


def _password(from_stdin: bool) -> tuple[str, str | None]:
    """The password to set, and the same once more if it was made up here and must be shown."""
    if not from_stdin:
        invented = secrets.token_urlsafe(12)
        return invented, invented
    password = sys.stdin.readline().rstrip("\r\n")
    if not password:
        raise Stop("Standard input has no password in its first line.")
    return password, None


def _tell(account: Account, password: str | None, as_json: bool) -> None:
    if as_json:
        told = {"pseudo": account.pseudo, "role": account.role}
        typer.echo(msgspec.json.encode(told | ({"password": password} if password else {})).decode())
    else:
        typer.echo(f"{account.pseudo} is {_ROLES[account.role]}.")
        if password:
            typer.echo(f"Password: {password}   (shown this once)")


_ROLES = {"player": "a player", "administrator": "an administrator", "super": "the super-administrator"}
