"""A position and orders in a file: text that a person writes, or the JSON that `/solve` takes.

The text has a line `variant NAME`, a line `phase N`, and sections `[units]`, `[dislodged]`, `[centres]`,
`[closed]`, `[orders]`. Without units the game stands at its beginning; further `[orders]` are phases more.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from tablee.rules.diplomacy.document import from_document
from tablee.rules.diplomacy.forms import BadForm, read_order_forms, read_situation, write_situation
from tablee.rules.diplomacy.model import Act, Dislodged, Order, Situation, Unit
from tablee.rules.diplomacy.notation import NotUnderstood, parse, read_orders
from tablee.rules.diplomacy.report import WORDS
from tablee.rules.diplomacy.variant import Variant, VariantError, load_variant, variant_names

SECTIONS = ("units", "dislodged", "centres", "closed", "orders")
LATEST = 10_000
"""No phase is later than this."""


class BadProblem(ValueError):
    """A file that is no problem: a sentence says where."""


class Problem(Struct, frozen=True):
    """What there is to resolve."""

    variant: Variant
    advancement: int
    situation: Situation
    phases: tuple[str | tuple[Order, ...], ...] = ()
    """The orders of this phase and of those after it, as text where they were text."""

    def orders(self, number: int, advancement: int, situation: Situation) -> list[Order]:
        """The orders of a phase, read on the board as it stands then. Raises BadProblem with every fault."""
        given = self.phases[number] if number < len(self.phases) else ()
        if not isinstance(given, str):
            return list(given)
        orders, faults = read_orders(self.variant, given, 0, situation, advancement)
        if faults:
            raise BadProblem("\n".join(fault.sentence(WORDS["en"]) for fault in faults))
        return orders


def read_problem(text: str) -> Problem:
    """A problem from text or JSON. Raises BadProblem."""
    try:
        return _from_json(text) if text.lstrip().startswith("{") else _from_text(text)
    except (BadForm, VariantError, NotUnderstood) as error:
        raise BadProblem(str(error)) from None


# --- JSON -----------------------------------------------------------------------------------------------


def _from_json(text: str) -> Problem:
    try:
        form = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadProblem(f"This is no JSON: {error}.") from None
    given = form.get("variant", "standard")
    variant = from_document(given) if isinstance(given, dict) else _variant(given)
    advancement = _advancement(form.get("advancement", 0))
    given = form.get("situation")
    situation = variant.start() if given is None else read_situation(variant, given, advancement)
    orders = form.get("orders", [])
    if isinstance(orders, str):
        return Problem(variant, advancement, situation, (orders,))
    if isinstance(orders, list) and orders and all(isinstance(order, str) for order in orders):
        return Problem(variant, advancement, situation, ("\n".join(orders),))
    return Problem(variant, advancement, situation, (tuple(read_order_forms(variant, orders, situation)),))


def _variant(name: Any) -> Variant:
    if name not in variant_names():
        raise BadProblem(f"There is no variant “{name}”. There are: {', '.join(variant_names())}.")
    return load_variant(name)


def _advancement(number: Any) -> int:
    if isinstance(number, str) and number.isascii() and number.isdecimal() and len(number) < 9:
        number = int(number)
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= LATEST:
        raise BadProblem(f"A phase is a number from 0 to {LATEST}, not {str(number)[:40]!r}.")
    return number


# --- Text -----------------------------------------------------------------------------------------------


def _from_text(text: str) -> Problem:
    head, sections = _split(text)
    variant = _variant(head.get("variant", "standard"))
    advancement = _advancement(head.get("phase", 0))
    phases = tuple("\n".join(lines) for name, lines in sections if name == "orders")
    given = {name for name, _ in sections}
    if not given & {"units", "dislodged"}:
        if given & {"centres", "closed"}:
            raise BadProblem("Centres or closed regions are given, but no [units].")
        return Problem(variant, advancement, variant.start(), phases)
    units: list[Unit] = []
    dislodged: list[Dislodged] = []
    ownerships: dict[int, int] = {}
    closed: list[int] = []
    for name, lines in sections:
        if name == "closed":
            closed += [
                variant.region_of[_place(variant, place)] for line in lines for place in _split_list(line)
            ]
        for role, piece in _pieces(variant, lines) if name in ("units", "dislodged", "centres") else ():
            if name == "units":
                units.append(_unit(variant, role, piece))
            elif name == "dislodged":
                unit, _, origin = piece.partition("<")
                region = variant.region_of[_place(variant, origin)] if origin.strip() else 0
                dislodged.append(Dislodged(*_unit(variant, role, unit), region))
            else:
                centre = variant.centre_of[variant.region_of[_place(variant, piece)]]
                if not centre:
                    raise BadProblem(f"“{piece}” is no centre.")
                if ownerships.setdefault(centre, role) != role:
                    raise BadProblem(f"“{piece}” is given to two powers.")
    situation = Situation(ownerships, tuple(units), tuple(dislodged), (), tuple(closed))
    checked = read_situation(variant, write_situation(situation), advancement)
    return Problem(variant, advancement, checked, phases)


def _unit(variant: Variant, role: int, text: str) -> Unit:
    """`A PAR`, of this role."""
    said = parse(variant, f"{text} H")
    if said.act != Act.HOLD or said.role not in (0, role):
        raise BadProblem(f"“{text.strip()[:40]}” is no unit: A or F, then a region.")
    return Unit(role, said.kind or 1, said.zone)


def _split(text: str) -> tuple[dict[str, str], list[tuple[str, list[str]]]]:
    head: dict[str, str] = {}
    sections: list[tuple[str, list[str]]] = []
    for number, line in enumerate(text.splitlines(), 1):
        said = line.partition("#")[0].strip()
        section = re.fullmatch(r"\[(\w+)\]", said)
        if section:
            if section[1] not in SECTIONS:
                raise BadProblem(
                    f"Line {number}: there is no section [{section[1]}], only {', '.join(SECTIONS)}."
                )
            sections.append((section[1], []))
        elif sections:
            sections[-1][1].append(said)
        elif said:
            key, _, value = said.partition(" ")
            if key not in ("variant", "phase"):
                raise BadProblem(
                    f"Line {number}: “variant NAME”, “phase N” or a section is expected, not “{said[:40]}”."
                )
            head[key] = value.strip()
    return head, sections


def _pieces(variant: Variant, lines: list[str]) -> Iterator[tuple[int, str]]:
    """`France: A PAR, F BRE` piece by piece, with the role."""
    for line in lines:
        power, colon, rest = line.partition(":")
        if not line:
            continue
        if not colon:
            raise BadProblem(f"“{line[:40]}” names no power: `France: A PAR, F BRE` is expected.")
        for piece in _split_list(rest):
            yield _role(variant, power), piece


def _role(variant: Variant, power: str) -> int:
    known = {
        word.casefold(): role
        for role, each in enumerate(variant.powers[1:], 1)
        for word in (each.letter, each.name_fr, each.name_en)
    }
    try:
        return known[power.strip().casefold()]
    except KeyError:
        raise BadProblem(f"“{power.strip()[:40]}” is no power of this variant.") from None


def _split_list(text: str) -> list[str]:
    return [piece.strip() for piece in text.split(",") if piece.strip()]


def _place(variant: Variant, text: str) -> int:
    return _unit(variant, 0, f"A {text}").zone
