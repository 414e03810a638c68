"""Orders printed in the classic notation, French or English: the way back from `notation`."""

from __future__ import annotations

from tablee.rules.diplomacy.model import Act, Kind, Order, Season, Situation
from tablee.rules.diplomacy.names import Names
from tablee.rules.diplomacy.notation import Standing
from tablee.rules.diplomacy.variant import Variant

_ACTS = frozenset(map(int, Act))
_SIGN = {
    "fr": {"hold": "T", "disband": "A", "via": "par convoi"},
    "en": {"hold": "H", "disband": "D", "via": "via convoy"},
}


def write_order(
    variant: Variant, names: Names, order: Order, situation: Situation | None = None, language: str = "fr"
) -> str:
    """An order in the classic notation; the adjective of a power where another's unit is helped to move."""
    return write_standing(names, order, Standing.of(variant, situation, _season_of(order)), language)


def write_standing(names: Names, order: Order, board: Standing, language: str = "fr") -> str:
    """The same, for many orders on one board; an order of impossible numbers is printed as these."""
    places = (order.zone, order.passive, order.destination)
    if order.act not in _ACTS or not all(0 <= zone < len(names.zones) for zone in places):
        return str([int(number) for number in order])
    sign, zones = _SIGN[language], names.zones
    region_of = board.variant.region_of
    unit = board.units.get(region_of[order.zone])
    if order.act == Act.BUILD:
        return f"+ {_letter(order.kind)} {zones[order.zone]}"
    kind = unit.kind if unit is not None else order.kind
    own = f"{_letter(kind)} {zones[order.zone]}".lstrip()
    target = zones[order.destination]
    match order.act:
        case Act.MOVE:
            return f"{own} - {target} {sign['via']}" if order.via_convoy else f"{own} - {target}"
        case Act.HOLD:
            return f"{own} {sign['hold']}"
        case Act.RETREAT:
            return f"{own} R {target}"
        case Act.DISBAND:
            return f"{own} {sign['disband']}"
        case Act.REMOVE:
            return f"- {own}"
    friend = board.units.get(region_of[order.passive])
    other = f"{_letter(friend.kind)} {zones[order.passive]}" if friend else zones[order.passive]
    if order.act == Act.SUPPORT_HOLD:
        return f"{own} S {other}"
    if friend is not None and friend.role != order.role:
        other = f"{names.adjectives[friend.role]} {other}"
    return f"{own} {'C' if order.act == Act.CONVOY else 'S'} {other} - {target}"


def _letter(kind: int) -> str:
    return "A" if kind == Kind.ARMY else "F" if kind == Kind.FLEET else ""


def _season_of(order: Order) -> int:
    if order.act in (Act.RETREAT, Act.DISBAND):
        return Season.SUMMER_RETREATS
    return Season.ADJUSTMENTS if order.act in (Act.BUILD, Act.REMOVE) else Season.SPRING_MOVES
