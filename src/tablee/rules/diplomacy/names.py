"""The names that orders and reports are printed with: the variant's own, or those of the document's E.3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tablee.rules.diplomacy.variant import Variant


class BadNames(ValueError):
    """Names that cannot be used: two that are equal, or some that are missing."""


class Names(NamedTuple):
    """Words for roles, regions and coasts, by number; 0 is the master among the roles, unused elsewhere."""

    roles: tuple[str, ...]
    adjectives: tuple[str, ...]
    zones: tuple[str, ...]
    """Of every zone; a special coast is named by its region and its kind, `SPA nc`."""


def names_of(variant: Variant, language: str = "fr") -> Names:
    """Powers by their names in a language, regions by their codes."""
    known: Names | None = variant.names_said.get(language)
    if known is None:
        known = variant.names_said[language] = _own_names(variant, language == "fr")
    return known


def _own_names(variant: Variant, french: bool) -> Names:
    return Names(
        tuple(power.name_fr if french else power.name_en for power in variant.powers),
        tuple(power.adjective_fr if french else power.adjective_en for power in variant.powers),
        _zones(variant, [code.upper() for code in variant.codes[: variant.regions + 1]], variant.coast_codes),
    )


def read_names(variant: Variant, form: Any) -> Names:
    """The document's dictionary of names. Raises BadNames where two are equal, or one is missing."""
    if not isinstance(form, Mapping):
        raise BadNames("Names are a dictionary with “roles”, “zones” and “coasts”.")
    kinds = len(variant.coast_codes) - 1
    roles = _table(form, "roles", range(variant.roles + 1), optional=(0,))
    zones = _table(form, "zones", range(1, variant.regions + 1))
    coasts = _table(form, "coasts", range(1, kinds + 1))
    for role in roles[1:]:
        if not isinstance(role, Sequence) or isinstance(role, str) or len(role) < 2:
            raise BadNames("A role is named by three words: its name, its adjective, its letter.")
        if not all(isinstance(word, str) and word for word in role[:2]):
            raise BadNames("The names of roles are texts that are not empty.")
    master = roles[0] if isinstance(roles[0], list | tuple) and len(roles[0]) > 1 else ("Arbitre", "arbitre")
    named = [(str(master[0]), str(master[1])), *((role[0], role[1]) for role in roles[1:])]
    for what, words in (("roles", [name for name, _ in named]), ("zones", zones), ("coasts", coasts[1:])):
        _check_unique(what, words)
    return Names(
        tuple(name for name, _ in named),
        tuple(adjective for _, adjective in named),
        _zones(variant, ["", *zones], coasts),
    )


def _zones(variant: Variant, regions: Sequence[str], coasts: Sequence[str]) -> tuple[str, ...]:
    special = range(variant.regions + 1, variant.zones + 1)
    shores = (f"{regions[variant.region_of[zone]]} {coasts[variant.coast_type[zone]]}" for zone in special)
    return (*regions, *shores)


def _table(form: Mapping[str, Any], key: str, numbers: range, optional: tuple[int, ...] = ()) -> list[Any]:
    table = form.get(key)
    if not isinstance(table, Mapping):
        raise BadNames(f"The names have no dictionary “{key}”.")
    found: list[Any] = [""] if key == "coasts" else []
    for number in numbers:
        value = table.get(str(number), table.get(number))
        if value is None and number not in optional:
            raise BadNames(f"The names of “{key}” lack number {number}.")
        found.append(value)
    return found


def _check_unique(what: str, words: Sequence[Any]) -> None:
    seen: set[str] = set()
    for word in words:
        if not isinstance(word, str) or not word:
            raise BadNames(f"The names of “{what}” are texts that are not empty.")
        if word in seen:
            raise BadNames(f"Two names of “{what}” are the same: “{word}”.")
        seen.add(word)
