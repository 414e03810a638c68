"""`tablee push`: notifications to browsers whose page is closed, from a shell."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Annotated

import msgspec
import typer

from tablee.cli.errands import AsJson, print_waiting, try_again
from tablee.cli.running import opened, run
from tablee.cli.settings import STORE, Settings, with_settings
from tablee.cli.stopping import Stop
from tablee.clock import Instant, WallClock
from tablee.club import Club
from tablee.club.calling.devices import Device
from tablee.club.errors import Refused
from tablee.club.outside import Outside

app = typer.Typer(no_args_is_help=True, help="Push messages: those that wait, and who takes them.")

Pseudo = Annotated[str, typer.Argument(help="Pseudo of the account.", metavar="PSEUDO")]


@app.command("waiting")
@with_settings(*STORE)
def waiting_command(settings: Settings, json: AsJson = False) -> None:
    """List what waits to be pushed: when it is tried next, how often it was, and why it failed."""
    print_waiting(settings, "push", json)


@app.command("send-again")
@with_settings(*STORE)
def send_again_command(
    settings: Settings,
    number: Annotated[
        int | None, typer.Argument(help="Which message; all that were given up if none.", metavar="NUMBER")
    ] = None,
) -> None:
    """Try a push message again now, as if for the first time; without a number, all that were given up."""
    try_again(settings, "push", number, "No push message {number} waits: see `tablee push waiting`.")


@app.command("devices")
@with_settings(*STORE)
def devices_command(settings: Settings, pseudo: Pseudo, json: AsJson = False) -> None:
    """List the browsers of somebody that take push messages, and how they were reached."""

    async def work() -> list[Device]:
        async with _club(settings) as club:
            return await club.push.devices.list((await club.accounts.by_pseudo(pseudo)).id)

    found = run(work())
    if json:
        # Without what only the browser and the house may know.
        secret = {"endpoint", "p256dh", "auth"}
        rows = [
            {name: value for name, value in msgspec.structs.asdict(device).items() if name not in secret}
            for device in found
        ]
        typer.echo(msgspec.json.encode(rows).decode())
        return
    for device in found:
        state = f"refused: {device.error}" if device.refused else device.error or "in order"
        typer.echo(f"{device.id:>8}  {device.label:30}  reached {_when(device.reached_at)}  {state}")
    if not found:
        typer.echo(f"{pseudo} has no device that takes push messages.")


@app.command("test")
@with_settings(*STORE, "name", "push_contact", "outside_allow")
def test_command(settings: Settings, pseudo: Pseudo) -> None:
    """Send a push message at once to every device of somebody, and say what the push services answer."""

    async def work() -> list[tuple[Device, str]]:
        async with _club(settings) as club:
            found = await club.push.devices.list((await club.accounts.by_pseudo(pseudo)).id)
            if not found:
                raise Stop(f"{pseudo} has no device that takes push messages.")
            return [(device, await _tried(club, device)) for device in found]

    answers = run(work())
    for device, why in answers:
        typer.echo(f"{device.id:>8}  {device.label:30}  {why or 'taken'}")
    if all(why for _, why in answers):
        raise Stop("No push service has taken it.")


async def _tried(club: Club, device: Device) -> str:
    """Why a push service has not taken a message; empty where it has."""
    try:
        await club.push.sender.try_out(device)
    except Refused as error:
        return str(error.parts["why"])
    return ""


@asynccontextmanager
async def _club(settings: Settings) -> AsyncIterator[Club]:
    async with opened(settings) as store:
        club = Club(
            store,
            WallClock(),
            name=settings.name,
            outside=Outside(settings.callable_machines),
            push_contact=settings.push_contact_url,
        )
        try:
            yield club
        finally:
            club.close()


def _when(at: Instant | None) -> str:
    return "never" if at is None else f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %H:%M} UTC"
