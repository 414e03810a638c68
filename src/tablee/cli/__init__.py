"""The command `tablee`: one verb a command, each loaded only when it is asked for."""

from __future__ import annotations

import gc
import sys
from importlib import import_module
from types import ModuleType
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

COMMANDS = {
    "serve": "serve:serve_command",
    "play": "play:play_command",
    "backup": "keeping:backup_command",
    "restore": "keeping:restore_command",
    "export": "archive:export_command",
    "import": "archive:import_command",
    "replay": "replay:replay_command",
    "admin": "admin:app",
    "mail": "mail:app",
    "push": "push:app",
    "fuzz": "fuzz:fuzz_command",
    "mines": "mines:app",
    "diplomacy": "diplomacy:app",
    "chess": "chess:app",
    "robots": "robots:app",
    "arena": "arena:app",
    "minehive": "minehive:app",
    "tournament": "tournament:app",
}
"""Where each command or group of commands is: module of this package, name in it."""


class Commands(TyperGroup):
    """Commands that are imported when they are used: a client in a terminal needs no database."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name].partition(":")
        found = getattr(_loaded(f"tablee.cli.{module}"), name)
        if not isinstance(found, typer.Typer):
            command, found = found, typer.Typer()
            found.command(cmd_name)(command)
        found._add_completion = False  # the options for the shell's completion belong to no subcommand
        loaded = typer.main.get_command(found)
        loaded.name = cmd_name
        return loaded


app = typer.Typer(
    name="tablee",
    cls=Commands,
    add_completion=False,
    help="A house of games for your club.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _loaded(module: str) -> ModuleType:
    """A module, loaded without the garbage collector looking again and again at what stays for good."""
    gc.disable()
    try:
        return import_module(module)
    finally:
        gc.enable()


def _show_version(wanted: bool) -> None:
    if wanted:
        from tablee.cli.version import version

        typer.echo(f"Tablée {version()}")
        raise typer.Exit


@app.callback()
def _tablee(
    show_version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """A house of games for your club."""


def _with_values(arguments: list[str]) -> list[str]:
    """`--afjd-ports` alone means the ports of the document."""
    given = list(arguments)
    for place, argument in enumerate(arguments):
        if argument == "--afjd-ports" and (place + 1 == len(given) or given[place + 1].startswith("-")):
            given[place] = "--afjd-ports=5001-5005"
    return given


def main() -> None:
    """Run the command; what its user can do something about ends in a sentence and an exit status."""
    try:
        app(_with_values(sys.argv[1:]))
    except BrokenPipeError:
        # Whoever read our output, `head` perhaps, has seen enough.
        sys.stderr.close()
        raise SystemExit(1) from None
    except Exception as error:
        from tablee.cli.running import ending

        sentence, code = ending(error)
        print(f"tablee: {sentence}", file=sys.stderr)
        raise SystemExit(code) from None
