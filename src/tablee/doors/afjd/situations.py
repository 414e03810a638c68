"""Positions and orders as the services write them (document, chapter E.4), to the engine's and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tablee.doors.afjd.parameters import short
from tablee.doors.afjd.refusal import Refusal
from tablee.rules.diplomacy.forms import BadForm, read_order_forms, read_situation, write_situation
from tablee.rules.diplomacy.model import Act, Order, Situation, Verdict
from tablee.rules.diplomacy.names import BadNames, Names, names_of, read_names
from tablee.rules.diplomacy.notation import Standing
from tablee.rules.diplomacy.report import say_reason, title
from tablee.rules.diplomacy.submission import Fault
from tablee.rules.diplomacy.variant import Variant
from tablee.rules.diplomacy.writing import write_standing

Json = Any


def position_of(variant: Variant, ownerships: Json, units: Json, forbiddens: Json) -> Situation:
    """The position that `center_ownerships`, `units` and `forbiddens` describe; raises Refusal 400."""
    form: dict[str, Any] = {
        "ownerships": {},
        "units": {},
        "dislodged_ones": {},
        "forbiddens": [] if forbiddens is None else forbiddens,
    }
    for each in _entries(ownerships, "center_ownerships"):
        centre = str(each.get("center_num"))
        if centre in form["ownerships"]:
            raise Refusal(400, f"center_ownerships has centre {short(each.get('center_num'))} twice")
        form["ownerships"][centre] = each.get("role")
    for each in _entries(units, "units"):
        origin = each.get("dislodged_origin")
        unit = [each.get("type_unit"), each.get("zone")]
        key = "units" if origin is None else "dislodged_ones"
        form[key].setdefault(str(each.get("role")), []).append(unit if origin is None else [*unit, origin])
    return situation_of(variant, form)


def situation_of(variant: Variant, form: Json) -> Situation:
    """A situation of the document's E.4.2; raises Refusal 400."""
    try:
        return read_situation(variant, form)
    except (BadForm, ValueError, TypeError, AttributeError, OverflowError) as error:
        raise Refusal(400, f"situation: {error}") from None


def _entries(value: Json, what: str) -> list[dict[str, Any]]:
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise Refusal(400, f"{what} must be a list of dictionaries")
    return value


def orders_of(variant: Variant, form: Json, situation: Situation, role: int = 0) -> list[Order]:
    """Orders of E.4.3, or lists of five or six numbers; raises Refusal 400."""
    try:
        return read_order_forms(variant, form, situation, role)
    except (BadForm, ValueError, TypeError, AttributeError, OverflowError) as error:
        raise Refusal(400, f"orders: {error}") from None


def check_fakes(variant: Variant, form: Json, orders: Iterable[Order]) -> None:
    """`fake_units` are optional; where they are given they are the units that the builds name."""
    found = sorted(
        (each.get("role"), each.get("type_unit"), each.get("zone"))
        for each in _entries(form, "fake_units")
        if all(isinstance(each.get(key), int) for key in ("role", "type_unit", "zone"))
    )
    builds = sorted((order.role, order.kind, order.zone) for order in orders if order.act == Act.BUILD)
    if found != builds or len(found) != len(form):
        raise Refusal(400, "fake_units do not agree with the builds among the orders")


def names_in(variant: Variant, form: Json | None) -> Names:
    """The caller's names, or the variant's codes; raises Refusal 400 where two are equal or one lacks."""
    if form is None:
        return names_of(variant)
    try:
        return read_names(variant, form)
    except BadNames as error:
        raise Refusal(400, f"names: {error}") from None
    except (TypeError, AttributeError, IndexError, KeyError) as error:
        raise Refusal(400, f"names are not of the document's form: {error}") from None


def position_json(situation: Situation) -> Json:
    """What `GET /game-positions` answers."""
    form = write_situation(situation)
    del form["fake_units"]
    return form


def order_rows(game_id: int, orders: Iterable[Order]) -> list[list[int]]:
    """`[game, role, type, active, passive, destination]` for each order."""
    return [
        [game_id, order.role, int(order.act), order.zone, order.passive, order.destination]
        for order in orders
    ]


def convoyed_zones(orders: Iterable[Order]) -> list[int]:
    """Where the armies stand that insist on a convoy, which the six numbers of an order do not say."""
    return [order.zone for order in orders if order.via_convoy]


def fake_rows(game_id: int, orders: Iterable[Order]) -> list[list[int]]:
    """`[game, type, zone, role, 0, 1]` for each unit that is to be built."""
    return [
        [game_id, int(order.kind), order.zone, order.role, 0, 1] for order in orders if order.act == Act.BUILD
    ]


def orders_text(
    variant: Variant, advancement: int, situation: Situation, orders: Sequence[Order], names: Names
) -> str:
    """The report of a submission that is accepted: a line an order."""
    board = Standing.of(variant, situation, advancement)
    lines = [title(variant, advancement), ""]
    lines += [write_standing(names, order, board, "fr") for order in orders]
    return "\n".join([*lines, ""])


def faults_text(
    variant: Variant, advancement: int, situation: Situation, found: Sequence[Fault], names: Names
) -> str:
    """The report of a submission that is refused: every fault, a line each."""
    board = Standing.of(variant, situation, advancement)
    lines = [title(variant, advancement), ""]
    for fault in found:
        reason = say_reason(names, fault.reason)
        shown = _written(variant, names, board, fault.order)
        lines.append(f"{shown} ; (invalide) : {reason}" if shown else reason)
    return "\n".join([*lines, ""])


def _written(variant: Variant, names: Names, board: Standing, order: Order | None) -> str:
    if order is None:
        return ""
    zones = (order.zone, order.passive, order.destination)
    if order.act not in range(1, 10) or not all(0 <= zone <= variant.zones for zone in zones):
        return str([int(number) for number in order])
    return write_standing(names, order, board, "fr")


def verdict_json(verdict: Verdict) -> Json:
    """What became of an order."""
    marks = ("dislodged", "paradox", "by_default", "disbanded")
    reason = verdict.reason
    order = verdict.order
    return {
        "order": [order.role, int(order.act), order.zone, order.passive, order.destination],
        "outcome": str(verdict.outcome),
        "marks": [mark for mark in marks if getattr(verdict, mark)],
        "reason": None if reason is None else reason.code,
    }
