"""`tablee minehive`: a host process, the ranking as a file, the client in the terminal."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tablee.cli.play import minehive_command
from tablee.cli.settings import STORE, Settings, with_settings
from tablee.cli.stopping import Stop

if TYPE_CHECKING:
    from tablee.doors.minehive.ranking import Ranked

app = typer.Typer(name="minehive", help="Minehive over TCP.", no_args_is_help=True)
app.command("play")(minehive_command)


@app.command("host")
def host_command(
    server_ip: Annotated[str, typer.Argument(metavar="serverIP", help="Where the server is.")],
    server_port: Annotated[int, typer.Argument(metavar="serverPort", help="Its port for hosts.")],
    name: Annotated[str, typer.Argument(help="The match: Partie_1.")],
    host_ip: Annotated[str, typer.Argument(metavar="hostIP", help="The address to listen at.")],
    host_port: Annotated[
        int, typer.Argument(metavar="hostPort", help="The port to listen at; 0 for any that is free.")
    ],
    secret_file: Annotated[
        Path | None,
        typer.Option(
            help="File with the server's secret, instead of TABLEE_MINEHIVE_SECRET.", metavar="FILE"
        ),
    ] = None,
) -> None:
    """Host one match of a server in this process. The server starts this by itself."""
    from tablee.doors.minehive.host import SECRET_VARIABLE, HostFailed, run_host, settings_of

    secret = os.environ.pop(SECRET_VARIABLE, "")
    if secret_file is not None:
        try:
            secret = secret_file.read_text("ascii").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise Stop(f"The secret in {secret_file} cannot be read: {error}.") from error
    if not secret:
        raise Stop(f"A host needs the server's secret, in {SECRET_VARIABLE} or with --secret-file.", 2)
    try:
        run_host((server_ip, server_port), name, (host_ip, host_port), secret, settings_of(os.environ))
    except HostFailed as error:
        raise Stop(str(error)) from error


@app.command("export")
@with_settings(*STORE)
def export_command(
    settings: Settings,
    file: Annotated[Path, typer.Argument(help="The file to write: ranking.xml.", metavar="FILE")],
) -> None:
    """Write the ranking to the document's XML file, without passwords."""
    from tablee.cli.running import opened, run
    from tablee.clock import WallClock
    from tablee.club.online import Online
    from tablee.doors.minehive.present import Present
    from tablee.doors.minehive.ranking import export

    async def work() -> int:
        async with opened(settings) as store:
            clock = WallClock()
            return await export(Present(store, clock, Online(store, clock)), file)

    try:
        count = run(work())
    except OSError as error:
        raise Stop(f"{file} cannot be written: {error.strerror}.") from error
    typer.echo(f"{file}: {count} players.")


@app.command("import")
@with_settings(*STORE)
def import_command(
    settings: Settings,
    file: Annotated[Path, typer.Argument(help="The file to read: ranking.xml.", metavar="FILE")],
) -> None:
    """Bring in the ranking of an old server: accounts are made where there are none, points are set."""
    from tablee.doors.minehive.ranking import LARGEST, BadRanking, read

    try:
        if file.stat().st_size > LARGEST:
            raise BadRanking(f"The file has more than {LARGEST // 1024 // 1024} MiB: that is no ranking.")
        players = read(file.read_bytes())
    except OSError as error:
        raise Stop(f"{file} cannot be read: {error.strerror}.") from error
    except BadRanking as error:
        raise Stop(f"{file}: {error}") from error
    outcomes = _bring(settings, players)
    typer.echo(f"{outcomes.pop('made', 0)} accounts made, {outcomes.pop('known', 0)} known ones set.")
    if outcomes.total():
        raise Stop(f"{outcomes.total()} players were left out.")


def _bring(settings: Settings, players: list[Ranked]) -> Counter[str]:
    from tablee.cli.running import opened, run
    from tablee.clock import WallClock
    from tablee.club import Club
    from tablee.doors.minehive.present import Present
    from tablee.doors.minehive.ranking import bring

    async def work() -> Counter[str]:
        outcomes: Counter[str] = Counter()
        async with opened(settings) as store:
            clock = WallClock()
            club = Club(store, clock)
            try:
                with typer.progressbar(length=len(players), label="Players") as progress:
                    async for one in bring(store, club, Present(store, clock, club.online), players):
                        progress.update(1)
                        outcomes[one.outcome] += 1
                        _report(one.name, one.outcome, one.has_password)
            finally:
                club.close()
        return outcomes

    return run(work())


def _report(name: str, outcome: str, has_password: bool) -> None:
    if outcome not in ("made", "known"):
        typer.echo(f"{name!r} was left out: {outcome}", err=True)
    elif not has_password:
        typer.echo(f"{name} has no password yet: an administrator must give one.", err=True)
