"""The command `tablee`: one verb a command."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from tablee.cli import admin, archive, keeping, replay, serve
from tablee.cli.running import Stop
from tablee.cli.version import version
from tablee.club import ClubError
from tablee.config import BadSetting
from tablee.first_start import CannotStart
from tablee.logs import redacted
from tablee.store import StoreError

app = typer.Typer(
    name="tablee",
    help="A house of games for your club.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"Tablée {version()}")
        raise typer.Exit


@app.callback()
def _tablee(
    show_version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """A house of games for your club."""


app.command("serve")(serve.serve_command)
app.command("backup")(keeping.backup_command)
app.command("restore")(keeping.restore_command)
app.command("export")(archive.export_command)
app.command("import")(archive.import_command)
app.command("replay")(replay.replay_command)
app.add_typer(admin.app, name="admin")


def main() -> None:
    """Run the command; what its user can do something about ends in a sentence and an exit status."""
    try:
        app()
    except Stop as error:
        _end(str(error), error.code)
    except CannotStart as error:
        _end(str(error), error.code)
    except BadSetting as error:
        _end(str(error), 2)
    except (StoreError, ClubError) as error:
        _end(str(error), 1)
    except BrokenPipeError:
        # Whoever read our output, `head` perhaps, has seen enough.
        sys.stderr.close()
        raise SystemExit(1) from None


def _end(sentence: str, code: int) -> None:
    print(f"tablee: {redacted(sentence)}", file=sys.stderr)
    raise SystemExit(code)
