"""Which Tablée this is."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as of_package


def version() -> str:
    """The version of the installed package."""
    try:
        return of_package("tablee")
    except PackageNotFoundError:
        return "0 (not installed)"
