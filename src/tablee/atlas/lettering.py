"""How names and pieces are sized on a map: what takes how much room, and where a long name is broken."""

from __future__ import annotations

from tablee.atlas.geometry import Box, Point

NAME_SIZE = 12.5
"""The smallest that a name is written; the source may say more."""
CODE_SIZE = 15.0
"""Of a code where names are written as small as that; greater ones grow as the names do."""
LEADING = 1.05
UNIT = (30.0, 20.0)
CENTRE = (12.0, 12.0)
NARROW, WIDE = frozenset("iljt'’I. -/f"), frozenset("mwMWOQGÉŒ")
LONGEST = 9
"""A name longer than this is broken where it has a space or a hyphen."""


def text_width(text: str, size: float) -> float:
    """About how wide a text is in an ordinary sans-serif face, rather too much than too little."""
    units = sum(
        0.33 if letter in NARROW else 0.86 if letter in WIDE else 0.68 if letter.isupper() else 0.56
        for letter in text
    )
    return units * size


def broken(name: str) -> tuple[str, ...]:
    """A name in one, two or three lines, as even as it can be."""
    pieces = name.replace("-", "-\u200b").replace("\u200b", "\n").replace(" ", " \n").split("\n")
    if len(name) <= LONGEST or len(pieces) == 1:
        return (name,)
    most = 3 if len(name) > 22 and len(pieces) > 2 else 2
    best: tuple[str, ...] = (name,)
    for lines in _splits(pieces, most):
        if max(map(len, lines)) < max(map(len, best)):
            best = lines
    return best


def _splits(pieces: list[str], most: int) -> list[tuple[str, ...]]:
    whole = "".join(pieces).strip()
    if most == 1 or len(pieces) == 1:
        return [(whole,)]
    found: list[tuple[str, ...]] = [(whole,)]
    for cut in range(1, len(pieces)):
        head = "".join(pieces[:cut]).strip()
        found += [(head, *rest) for rest in _splits(pieces[cut:], most - 1)]
    return found


def name_box(at: Point, names: tuple[str, ...], size: float = NAME_SIZE) -> Box:
    """The room that any of the names takes, whichever is written."""
    lines = [broken(name) for name in names]
    width = max(text_width(line, size) for each in lines for line in each)
    return Box.around(at, width, max(map(len, lines)) * size * LEADING)


def code_size(size: float) -> float:
    """How large a code is written where names have this size."""
    return max(CODE_SIZE, size)


def code_box(at: Point, code: str, size: float = NAME_SIZE) -> Box:
    return Box.around(at, text_width(code.upper(), code_size(size)), code_size(size))


def unit_box(at: Point) -> Box:
    return Box.around(at, *UNIT)


def centre_box(at: Point) -> Box:
    return Box.around(at, *CENTRE)
