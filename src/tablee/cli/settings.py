"""The settings as options of a command: one definition, in `config.py`, makes them all."""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from tablee.config import Settings, all_settings, read_settings

CONFIG = typer.Option("--config", help="TOML file of settings.", envvar="TABLEE_CONFIG", metavar="FILE")


def with_settings(*names: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command that takes `settings` first an option for each of these settings, or for all of them.

    Settings that are no option of the command still come from the environment and the file.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        chosen = [setting for setting in all_settings() if not names or setting.name in names]

        @functools.wraps(command)
        def run(*, config: Path | None, **given: Any) -> None:
            options = {setting.name: given.pop(setting.name) for setting in chosen}
            command(read_settings(options, os.environ, config), **given)

        own = list(inspect.signature(command, eval_str=True).parameters.values())[1:]
        added = [_parameter("config", Annotated[Path | None, CONFIG])]
        for setting in chosen:
            if setting.kind is bool:
                flag = f"{setting.option}/--no-{setting.option[2:]}"
                option = typer.Option(flag, help=setting.help, show_default=str(setting.default).lower())
                added.append(_parameter(setting.name, Annotated[bool | None, option]))
            else:
                shown = str(setting.default) if setting.default != "" else False
                metavar = _metavar(setting.kind)
                option = typer.Option(setting.option, help=setting.help, show_default=shown, metavar=metavar)
                added.append(_parameter(setting.name, Annotated[str | None, option]))
        parameters = [*(p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own), *added]
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        del run.__wrapped__
        return run

    return decorate


def _parameter(name: str, annotation: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)


def _metavar(kind: Any) -> str:
    values = getattr(kind, "__args__", ())
    if int in values:
        return "PORT"
    if values:
        return "|".join(values)
    return {int: "N", float: "SECONDS"}.get(kind, "TEXT")


STORE = ("data", "database")
"""The settings of commands that only need the database."""

__all__ = ["STORE", "Settings", "with_settings"]
