"""`tablee mail`: letters that wait to be sent, and letters that come in, from a shell."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from tablee.cli.errands import AsJson, print_waiting, try_again
from tablee.cli.running import run
from tablee.cli.settings import STORE, Settings, with_settings
from tablee.cli.stopping import Stop
from tablee.clock import WallClock
from tablee.club.letters import Letter
from tablee.club.post import Sender, post_office
from tablee.doors.mail.mime import SIZE_MOST
from tablee.doors.mail.spool import FOLDER, Envelope, lay
from tablee.first_start import prepare_folder

app = typer.Typer(no_args_is_help=True, help="Letters of the house: those that wait, and those that come in.")

TEMPORARY_FAILURE = 75
"""EX_TEMPFAIL: a mail server tries again."""


@app.command("waiting")
@with_settings(*STORE)
def waiting_command(settings: Settings, json: AsJson = False) -> None:
    """List what waits in the outbox: when it is tried next, how often it was, and why it failed."""
    print_waiting(settings, "mail", json)


@app.command("send-again")
@with_settings(*STORE)
def send_again_command(
    settings: Settings,
    number: Annotated[
        int | None, typer.Argument(help="Which letter; all that were given up if none.", metavar="NUMBER")
    ] = None,
) -> None:
    """Try a letter again now, as if for the first time; without a number, all that were given up."""
    try_again(settings, "mail", number, "No letter {number} waits: see `tablee mail waiting`.")


@app.command("test")
@with_settings("data", "smtp", "mail_from", "name")
def test_command(
    settings: Settings,
    address: Annotated[str, typer.Argument(help="To whom a letter is sent at once.", metavar="ADDRESS")],
) -> None:
    """Send a letter at once, past the outbox, and say what the mail server answers."""
    text = f"Cette lettre vient de {settings.name} : le courrier part.\n"
    letter = Letter(address, f"{settings.name} : essai", text, "fr", WallClock().now())
    post = post_office(settings.smtp, Path(settings.data) / "mail", Sender(settings.mail_from, settings.name))

    async def work() -> None:
        try:
            await post.send(0, letter)
        finally:
            await post.close()

    try:
        run(work())
    except Exception as error:  # whatever the server says is what was asked for
        raise Stop(f"The letter was not taken: {type(error).__name__}: {error}") from error
    typer.echo("The mail server has taken it." if settings.smtp else f"It is in {settings.data}/mail.")


@app.command("deliver")
@with_settings("data")
def deliver_command(
    settings: Settings,
    recipient: Annotated[
        str, typer.Option(help="For whom it came, as the mail server knows it; else its headers say so.")
    ] = "",
    sender: Annotated[
        str | None, typer.Option(help="From where it came (the return path); empty for a bounce.")
    ] = None,
) -> None:
    """Take a message from standard input, which the house reads at once, or when it opens."""
    raw = sys.stdin.buffer.read(SIZE_MOST + 1)
    if len(raw) > SIZE_MOST:
        raise Stop(f"The message has more than {SIZE_MOST} bytes.", 65)
    try:
        prepare_folder(Path(settings.data))
        lay(Path(settings.data) / FOLDER, raw, Envelope((recipient,) if recipient else (), sender))
    except OSError as error:
        raise Stop(f"It cannot be laid down: {error.strerror}.", TEMPORARY_FAILURE) from error
