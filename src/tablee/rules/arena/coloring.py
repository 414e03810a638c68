"""The colours of a description, and the lists of them: an array, or a text with commas."""

from __future__ import annotations

from collections.abc import Iterable

from tablee.rules.arena.description import ALL
from tablee.rules.arena.faults import Spot
from tablee.rules.arena.shapes import MOST_LIST, MOST_NAME, is_name, read_list

Colors = tuple[str, ...]
MOST_COLORS = 256


def read_colors(spot: Spot) -> Colors | None:
    """The colours of the game, without `ALL`."""
    items = _items(spot)
    if items is None:
        return None
    faults = len(spot.faults)
    if len(items) > MOST_COLORS:
        spot.fault_of(str(len(items)), "colors_most", most=MOST_COLORS)
        return None
    found: list[str] = []
    for item in items:
        color = item.value
        if not isinstance(color, str) or not is_name(color) or color != color.upper() or "," in color:
            item.fault("color_name", most=MOST_NAME)
        elif color in found:
            item.fault("unique")
        elif color != ALL:
            found.append(color)
    if not found and len(spot.faults) == faults:
        spot.fault("a_color")
    return tuple(found) if len(spot.faults) == faults else None


def read_row(spot: Spot, colors: Colors | None) -> Colors | None:
    """The colours of squares, in their order; a square is not of `ALL`."""
    items = _items(spot)
    if items is None:
        return None
    row = tuple(item.value for item in items if _is_color(item, colors, "color"))
    return row if len(row) == len(items) else None


def read_color_set(spot: Spot, colors: Colors | None) -> Colors | None:
    """Some of the colours, in the order of the game's; `ALL` is every one."""
    items = _items(spot)
    if items is None:
        return None
    some = [item.value for item in items if item.value == ALL or _is_color(item, colors, "color_or_all")]
    return in_order(some, colors or ()) if len(some) == len(items) else None


def in_order(some: Iterable[str], colors: Colors) -> Colors:
    """Some colours in the order of the game's, `ALL` resolved."""
    wanted = set(some)
    return tuple(color for color in colors if color in wanted or ALL in wanted)


def _is_color(item: Spot, colors: Colors | None, wanted: str) -> bool:
    if isinstance(item.value, str) and (colors is None or item.value in colors):
        return True
    item.fault(wanted, colors=", ".join(colors or ()))
    return False


def _items(spot: Spot) -> list[Spot] | None:
    if not isinstance(spot.value, str):
        return read_list(spot, "color_list")
    words = spot.value.split(",") if spot.value.strip() else []
    if len(words) > MOST_LIST:
        spot.fault_of(str(len(words)), "list_most", most=MOST_LIST)
        return None
    return [spot.beside(word.strip()) for word in words]
