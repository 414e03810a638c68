"""What a tournament answers when it says no."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any

from tablee.club.errors import LANGUAGES, ClubError


class TournamentError(ClubError):
    """A refusal of a tournament; `kind`, `code`, `parts` and `sentence` as everywhere in the club."""

    def sentence(self, language: str = "fr") -> str:
        return words(language)[self.code].format(**self.parts)


class NoSuchTournament(TournamentError):
    kind = "not_found"

    def __init__(self) -> None:
        super().__init__("no_such_tournament")


class NotNow(TournamentError):
    """It was done already, or somebody was faster, or it is too late."""

    kind = "taken"


class BadTournament(TournamentError):
    """What was given does not fit."""

    kind = "invalid"


class BadBoard(BadTournament):
    """A result that no board can have: all its faults at once."""

    def __init__(self, said: Callable[[str], list[str]]) -> None:
        super().__init__("bad_result", field="result")
        self._said = said

    def sentence(self, language: str = "fr") -> str:
        return _listed(self.code, self._said(language), language)


class BadPlan(BadTournament):
    """A plan that does not hold together: all its faults at once."""

    def __init__(self, faults: list[tuple[str, dict[str, Any]]]) -> None:
        said = [{"code": code, **parts} for code, parts in faults]
        super().__init__("bad_plan", field="plan", faults=said)
        self.faults = faults

    def sentence(self, language: str = "fr") -> str:
        said = [words(language)[f"fault.{code}"].format(**parts) for code, parts in self.faults]
        return _listed(self.code, said, language)


def _listed(code: str, faults: list[str], language: str) -> str:
    """A sentence with several faults in it, which have no full stop of their own."""
    said = [fault.rstrip(".") for fault in faults]
    return words(language)[code].format(faults=("\u00a0; " if language == "fr" else "; ").join(said))


@cache
def words(language: str) -> dict[str, str]:
    """Every sentence in one language; French where the language is not one of ours."""
    text = files("tablee.tournaments").joinpath("words.toml").read_text("utf-8")
    catalogue: dict[str, dict[str, str]] = tomllib.loads(text)
    chosen = language if language in LANGUAGES else "fr"
    return {code: said[chosen] for code, said in catalogue.items()}
