"""Situations and orders as JSON, in the shapes of the document's E.4, checked before they are used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tablee.rules.diplomacy.model import Act, Dislodged, Kind, Order, Season, Situation, Terrain, Unit
from tablee.rules.diplomacy.variant import Variant

_KEYS = ("ownerships", "units", "dislodged_ones", "fake_units", "forbiddens")


class BadForm(ValueError):
    """JSON that is no situation or no list of orders: a sentence says where, and what is expected."""


# --- Situations -----------------------------------------------------------------------------------------


def read_situation(variant: Variant, form: Any, advancement: int | None = None) -> Situation:
    """A situation of the document, in this phase where one is given. Raises BadForm."""
    if not isinstance(form, Mapping):
        raise BadForm("A situation is a dictionary.")
    for key in form:
        if key not in _KEYS:
            raise BadForm(f"A situation has no “{key}”. It has: {', '.join(_KEYS)}.")
    units = tuple(Unit(*each) for each in _units(variant, form, "units", 2))
    dislodged = tuple(Dislodged(*each) for each in _units(variant, form, "dislodged_ones", 3))
    for what, found in (("units", units), ("dislodged_ones", dislodged)):
        _check_apart(variant, what, [each.zone for each in found])
    retreats = (None, Season.SUMMER_RETREATS, Season.WINTER_RETREATS)
    if dislodged and (None if advancement is None else advancement % 5) not in retreats:
        shown = ", ".join(f"{variant.codes[unit.zone].upper()} ({unit.zone})" for unit in dislodged[:10])
        raise BadForm(
            f"Units are dislodged in phase {advancement}, which is no phase of retreats: {shown}."
            " They retreat or are taken off the board first."
        )
    return Situation(
        ownerships=_ownerships(variant, form.get("ownerships") or {}),
        units=units,
        dislodged=dislodged,
        fake_units=tuple(Unit(*each) for each in _units(variant, form, "fake_units", 2)),
        forbiddens=_forbiddens(variant, form.get("forbiddens") or []),
    )


def write_situation(situation: Situation) -> dict[str, Any]:
    """The same as JSON; keys are texts."""
    return {
        "ownerships": {str(centre): role for centre, role in sorted(situation.ownerships.items())},
        "units": _by_role(situation.units),
        "dislodged_ones": _by_role(situation.dislodged),
        "fake_units": _by_role(situation.fake_units),
        "forbiddens": sorted(situation.forbiddens),
    }


def _by_role(units: Iterable[Unit | Dislodged]) -> dict[str, list[list[int]]]:
    found: dict[str, list[list[int]]] = {}
    for unit in sorted(units):
        found.setdefault(str(unit.role), []).append([int(number) for number in unit[1:]])
    return found


def _ownerships(variant: Variant, form: Any) -> dict[int, int]:
    if not isinstance(form, Mapping):
        raise BadForm("“ownerships” is a dictionary: a role by the number of a centre.")
    last = len(variant.centres) - 1
    return {
        _number(centre, "A centre", 1, last): _number(role, f"The owner of centre {centre}", 1, variant.roles)
        for centre, role in form.items()
    }


def _units(variant: Variant, form: Mapping[str, Any], key: str, length: int) -> Iterator[tuple[int, ...]]:
    table = form.get(key) or {}
    if not isinstance(table, Mapping):
        raise BadForm(f"“{key}” is a dictionary: a list of units by role.")
    shape = "[type, zone, origin]" if length == 3 else "[type, zone]"
    for name, units in table.items():
        role = _number(name, f"A role of “{key}”", 1, variant.roles)
        if not _is_list(units):
            raise BadForm(f"“{key}” of role {role} is a list of units {shape}.")
        for unit in units:
            if not _is_list(unit) or len(unit) != length:
                raise BadForm(f"A unit of “{key}” is {shape}, not {_short(unit)}.")
            kind = _number(unit[0], f"The type of a unit of “{key}”", 1, 2)
            zone = _number(unit[1], f"The zone of a unit of “{key}”", 1, variant.zones)
            fault = misplaced(variant, kind, zone)
            if fault:
                raise BadForm(f"“{key}” of role {role}: {fault}")
            if length == 3:
                yield role, kind, zone, _number(unit[2], "The origin of an attack", 0, variant.regions)
            else:
                yield role, kind, zone


def misplaced(variant: Variant, kind: int, zone: int) -> str:
    """Why a unit of this kind cannot stand there; empty where it can."""
    code = variant.codes[zone].upper()
    if kind == Kind.ARMY and (variant.terrain[zone] == Terrain.SEA or zone > variant.regions):
        return f"an army cannot stand in {code} ({zone})."
    if kind == Kind.FLEET and variant.terrain[zone] == Terrain.LAND:
        return f"a fleet cannot stand in {code} ({zone}), which is inland."
    if kind == Kind.FLEET and zone <= variant.regions and variant.coasts_of[zone]:
        coasts = " or ".join(str(coast) for coast in variant.coasts_of[zone])
        return f"a fleet in {code} ({zone}) stands on one of its coasts: {coasts}."
    return ""


def _check_apart(variant: Variant, what: str, zones: Sequence[int]) -> None:
    seen: set[int] = set()
    for zone in zones:
        region = variant.region_of[zone]
        if region in seen:
            raise BadForm(f"Two of “{what}” are in {variant.codes[region].upper()} ({region}).")
        seen.add(region)


def _forbiddens(variant: Variant, form: Any) -> tuple[int, ...]:
    if not _is_list(form):
        raise BadForm("“forbiddens” is a list of regions.")
    regions = [each.get("region_num") if isinstance(each, Mapping) else each for each in form]
    return tuple(sorted({_number(region, "A forbidden region", 1, variant.regions) for region in regions}))


# --- Orders ---------------------------------------------------------------------------------------------


def read_order_forms(variant: Variant, form: Any, situation: Situation, role: int = 0) -> list[Order]:
    """Orders of the document: `[role, type, active, passive, destination]`, or the dictionaries of E.4.3.

    A sixth element, or the key `via_convoy`, says that an army goes by convoy; a seventh names the kind of
    unit, which a build needs where `fake_units` do not say it. Raises BadForm.
    """
    if not _is_list(form):
        raise BadForm("Orders are a list.")
    if len(form) > 4 * variant.zones:
        raise BadForm(f"These are {len(form)} orders: too many for this board.")
    fakes = {(unit.role, variant.region_of[unit.zone]): unit for unit in situation.fake_units}
    orders = [_order(variant, each, role) for each in form]
    return [_built(variant, order, fakes) if order.act == Act.BUILD else order for order in orders]


def _order(variant: Variant, form: Any, role: int) -> Order:
    if isinstance(form, Mapping):
        return _order_of_dictionary(variant, form, role)
    if not _is_list(form) or not 5 <= len(form) <= 7:
        raise BadForm(f"An order is [role, type, active, passive, destination], not {_short(form)}.")
    owner = _number(form[0], "The role of an order", 1, variant.roles)
    act = _number(form[1], "The type of an order", 1, 9)
    active = _number(form[2], "The zone of the active unit", 1, variant.zones)
    passive = _number(_or_0(form[3]), "The zone of the passive unit", 0, variant.zones)
    destination = _number(_or_0(form[4]), "The destination", 0, variant.zones)
    via = bool(_number(_or_0(form[5]), "The sign of a convoy", 0, 1)) if len(form) > 5 else False
    kind = _number(_or_0(form[6]), "The type of the unit", 0, 2) if len(form) > 6 else 0
    return Order(owner, act, active, passive, destination, via, kind)


def _built(variant: Variant, order: Order, fakes: Mapping[tuple[int, int], Unit]) -> Order:
    """A build with the unit that `fake_units` has there; the two must agree (document, E.2.3)."""
    fake = fakes.get((order.role, variant.region_of[order.zone]))
    if fake is None:
        return order
    if order.kind not in (0, fake.kind) or order.zone not in (fake.zone, variant.region_of[fake.zone]):
        built = [order.kind, order.zone]
        raise BadForm(f"A build speaks of the unit {built}, “fake_units” of {[fake.kind, fake.zone]}.")
    return order._replace(zone=fake.zone, kind=fake.kind)


def _order_of_dictionary(variant: Variant, form: Mapping[str, Any], role: int) -> Order:
    act = _number(form.get("order_type"), "“order_type”", 1, 9)
    kind, owner, active = _described(variant, form.get("active_unit"), "active_unit")
    passive = 0
    if form.get("passive_unit"):
        _, _, passive = _described(variant, form.get("passive_unit"), "passive_unit")
    destination = _number(_or_0(form.get("destination_zone")), "“destination_zone”", 0, variant.zones)
    via = bool(_number(_or_0(form.get("via_convoy")), "“via_convoy”", 0, 1))
    owner = owner or role
    if not owner:
        raise BadForm("Whose order is it? “active_unit” needs a “role”.")
    return Order(owner, act, active, passive, destination, via, kind if act == Act.BUILD else 0)


def _described(variant: Variant, form: Any, key: str) -> tuple[int, int, int]:
    if not isinstance(form, Mapping):
        raise BadForm(f"“{key}” is a dictionary with “type_unit”, “role” and “zone”.")
    kind = _number(_or_0(form.get("type_unit")), f"“type_unit” of “{key}”", 0, 2)
    role = _number(_or_0(form.get("role")), f"“role” of “{key}”", 0, variant.roles)
    return kind, role, _number(form.get("zone"), f"“zone” of “{key}”", 1, variant.zones)


def write_order_form(order: Order) -> list[int]:
    """An order as a list that `read_order_forms` reads again: a build with its kind as seventh element."""
    form = [order.role, int(order.act), order.zone, order.passive, order.destination]
    if order.act == Act.BUILD:
        return [*form, 0, order.kind]
    return [*form, 1] if order.via_convoy else form


def _or_0(value: Any) -> Any:
    """What a form leaves out may also be null or an empty text."""
    return 0 if value is None or value == "" else value


def _number(value: Any, what: str, least: int, most: int) -> int:
    if type(value) is int and least <= value <= most:
        return value
    if isinstance(value, str) and len(value) <= 9 and value.isascii() and value.isdecimal():
        value = int(value)
    if isinstance(value, bool):
        value = int(value) if (least, most) == (0, 1) else None
    if not isinstance(value, int) or not least <= value <= most:
        raise BadForm(f"{what} is a number from {least} to {most}, not {_short(value)}.")
    return value


def _is_list(value: Any) -> bool:
    return type(value) is list or (isinstance(value, Sequence) and not isinstance(value, str | bytes))


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:60] + "…"
