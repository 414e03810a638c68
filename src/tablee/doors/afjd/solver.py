"""SOLVER: one phase resolved, or the orders of one role checked, on any position of any variant."""

from __future__ import annotations

from typing import Any

from tablee.doors.afjd.calls import SOLVER
from tablee.doors.afjd.house import Ask
from tablee.doors.afjd.parameters import document, integer, name_or_document, optional, short
from tablee.doors.afjd.refusal import Refusal
from tablee.doors.afjd.situations import (
    faults_text,
    names_in,
    orders_of,
    situation_of,
    verdict_json,
)
from tablee.rules.diplomacy.document import from_document
from tablee.rules.diplomacy.forms import write_situation
from tablee.rules.diplomacy.model import AFJD, Order, Situation
from tablee.rules.diplomacy.names import Names
from tablee.rules.diplomacy.phases import active_roles, resolve
from tablee.rules.diplomacy.problem import LATEST
from tablee.rules.diplomacy.report import write_report
from tablee.rules.diplomacy.submission import Fault, faults
from tablee.rules.diplomacy.validation import Ground, check
from tablee.rules.diplomacy.variant import Variant, VariantError, load_variant, variant_names
from tablee.wire.http.routes import BODY_LIMIT

Json = Any
REGIONS_MOST = 400
BORDERS_MOST = 8_000
"""Neighbours of all regions together, of armies and of fleets; the standard map has 504."""
ROLES_MOST = 26
SITUATION: Json = {
    "type": "object",
    "properties": {
        "ownerships": {"type": "object"},
        "units": {"type": "object"},
        "dislodged_ones": {"type": "object"},
        "fake_units": {"type": "object"},
        "forbiddens": {"type": "array", "items": {"type": "integer"}},
    },
}
SOLVED: Json = {
    "type": "object",
    "properties": {
        "situation_result": SITUATION,
        "orders_result": {"type": "string"},
        "verdicts": {"type": "array"},
        "active_roles": {"type": "array", "items": {"type": "integer"}},
    },
    "required": ["situation_result", "orders_result", "verdicts", "active_roles"],
}


@SOLVER.call(
    "POST",
    "/solve",
    name_or_document("variant", "the name of a variant, or its JSON"),
    integer("advancement", "0 spring moves, 1 summer retreats, 2 autumn moves …", 0, LATEST),
    document("situation", "the position", SITUATION),
    document("orders", "[role, type, active, passive, destination] each", {"type": "array"}),
    optional(integer("role", "0 for a real resolution, n to check the orders of role n", 0, ROLES_MOST)),
    optional(document("names", "names for the report", {"type": "object"})),
    status=201,
    errors=(404,),
    secret=True,
    opened_by="open_solver",
    reckons=True,
    answer=SOLVED,
    body_limit=4 * BODY_LIMIT,  # a variant of one's own comes with it
)
async def solve(
    ask: Ask,
    variant: Json,
    advancement: int,
    situation: Json,
    orders: Json,
    role: int | None,
    names: Json | None,
) -> Json:
    """Resolve a phase; closed to who has not the services' secret, unless the server opens it."""

    def work() -> Json:
        board = _described(variant) if isinstance(variant, dict) else _known(variant)
        return solved(board, advancement, situation, orders, role or 0, names)

    return await ask.worked_out(work)


def _known(name: Any) -> Variant:
    if not isinstance(name, str) or name not in variant_names():
        raise Refusal(404, f"Variant {short(name)[:60]} doesn't exist")
    return load_variant(name)


def _described(form: dict[str, Any]) -> Variant:
    regions, centres = form.get("regions"), form.get("centers")
    if isinstance(regions, list) and len(regions) > REGIONS_MOST:
        raise Refusal(400, f"variant: a board has at most {REGIONS_MOST} regions")
    if isinstance(centres, list) and len(centres) > REGIONS_MOST:
        raise Refusal(400, f"variant: a board has at most {REGIONS_MOST} centers")
    for key in ("coastal_zones", "start_centers", "start_units", "neighbouring"):
        if isinstance(form.get(key), list) and len(form[key]) > REGIONS_MOST:
            raise Refusal(400, f"variant: {key} has at most {REGIONS_MOST} entries")
    if _borders(form.get("neighbouring")) > BORDERS_MOST:
        raise Refusal(400, f"variant: neighbouring names at most {BORDERS_MOST} neighbours in all")
    coasts = form.get("type_coasts")
    if isinstance(coasts, dict) and not _is_small(coasts.get("number")):
        raise Refusal(400, f"variant: type_coasts is a number up to {REGIONS_MOST}")
    try:
        return from_document(form)
    except VariantError as error:
        raise Refusal(400, f"variant: {str(error)[:500]}") from None
    except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise Refusal(400, f"variant: the board does not hold together: {str(error)[:200]}") from None


def _borders(tables: Json) -> int:
    """How many neighbours are named; what has another form is refused by whoever reads it."""
    found = [table for table in tables if isinstance(table, dict)] if isinstance(tables, list) else []
    return sum(len(beside) for table in found for beside in table.values() if isinstance(beside, list))


def _is_small(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= REGIONS_MOST


def solved(
    variant: Variant, advancement: int, situation: Json, orders: Json, role: int, names: Json | None
) -> Json:
    """What `/solve` answers; raises Refusal 400 with the report that names every fault."""
    stands = situation_of(variant, situation)
    given = orders_of(variant, orders, stands, role)
    called = names_in(variant, names)
    if role > variant.roles:
        raise Refusal(400, f"role must be a number from 0 to {variant.roles}, not {role}")
    if role:
        wrong = faults(variant, advancement, stands, role, given, AFJD)
    else:
        wrong = _illegal(variant, advancement, stands, given)
    if wrong:
        report = faults_text(variant, advancement, stands, wrong, called)
        raise Refusal(400, "Some orders may not be given", report=report)
    return _resolved(variant, advancement, stands, given, called)


def _illegal(
    variant: Variant, advancement: int, situation: Situation, orders: list[Order]
) -> tuple[Fault, ...]:
    """The orders of a real resolution that may not be given; what is missing has its default."""
    found: list[Fault] = []
    seen: set[int] = set()
    ground = Ground(variant, situation.units)
    for order in orders:
        reason = check(variant, advancement, situation, order, AFJD, ground)
        if reason is None:
            region = variant.region_of[order.zone]
            if region in seen:
                found += [
                    fault
                    for fault in faults(variant, advancement, situation, order.role, [order, order], AFJD)
                    if fault.reason.code == "already-ordered"
                ]
            seen.add(region)
        else:
            found.append(Fault(order, reason))
    return tuple(found)


def _resolved(
    variant: Variant, advancement: int, situation: Situation, orders: list[Order], names: Names
) -> Json:
    found = resolve(variant, advancement, situation, orders, AFJD)
    return {
        "situation_result": write_situation(found.situation),
        "orders_result": write_report(
            variant, advancement, situation, found.verdicts, found.situation, found.destroyed, names
        ),
        "verdicts": [verdict_json(verdict) for verdict in found.verdicts],
        "active_roles": list(active_roles(variant, advancement + 1, found.situation)),
    }
