"""Whether a board can be played on: everything that is wrong with it at once, in both languages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from tablee.rules.contract import Json
from tablee.rules.robots.board import (
    HEIGHT,
    NOWHERE,
    TILE_COUNT,
    WIDTH,
    ActiveTile,
    Board,
    BoardDocument,
    compile_board,
    number_of,
    place_of,
)
from tablee.rules.robots.directions import STEPS
from tablee.rules.robots.starts import APART, AWAY, LEAST, starting_tiles
from tablee.rules.robots.tiles import DEEDS, LAWS, read_tile, tile_text
from tablee.rules.robots.troubles import Trouble, said
from tablee.rules.robots.ways import ways_of

BOARDS_MOST: Final = 4
WHOLE: Final = 2**53
"""No board needs a larger number, and every reader of JSON reads the smaller ones exactly."""

TILES_MOST: Final = 2 * TILE_COUNT
"""A list longer than this is not looked at tile by tile."""

PILLAR: Final = "mur_NESO"
"""Walls on all four sides make a block of masonry: nobody is ever inside, so it is no pocket."""


class BadBoard(ValueError):
    """A board that is refused, with all its troubles."""

    def __init__(self, troubles: Sequence[Trouble]) -> None:
        super().__init__(" ".join(trouble.en for trouble in troubles))
        self.troubles = tuple(troubles)


def check_board(value: Json | BoardDocument) -> list[Trouble]:
    """Every reason to refuse this board, none if it can be played on."""
    return _examined(value)[1]


def read_board(value: Json | BoardDocument) -> BoardDocument:
    """The board in the document's own form. Raises BadBoard."""
    document, troubles = _examined(value)
    if troubles:
        raise BadBoard(troubles)
    return document


def check_set(values: Sequence[Json | BoardDocument]) -> list[Trouble]:
    """Every reason why these boards cannot be those of one game, in this order."""
    if not values:
        return [_trouble("no_boards")]
    if len(values) > BOARDS_MOST:
        return [_trouble("boards_most", count=len(values), most=BOARDS_MOST)]
    examined = [_examined(value) for value in values]
    troubles = [
        msgspec.structs.replace(trouble, board=index)
        for index, (_, found) in enumerate(examined)
        for trouble in found
    ]
    places = [_places(document) for document, _ in examined]
    for index in range(1, len(places)):
        for law, name in enumerate(LAWS, 1):
            here, there = places[index].get(name), places[0].get(name)
            if here and there and here[0] != there[0]:
                first_x, first_y = there[0]
                trouble = _trouble("laws_differ", here[0], law=law, first_x=first_x, first_y=first_y)
                troubles.append(msgspec.structs.replace(trouble, board=index))
        for other in range(index):
            for place in places[index].get("action", ()):
                if place in places[other].get("action", ()):
                    trouble = _trouble("action_shared", place, other=other)
                    troubles.append(msgspec.structs.replace(trouble, board=index))
    return troubles


# --- below ----------------------------------------------------------------------------------------------


def _trouble(code: str, place: tuple[int, int] | None = None, **parts: Json) -> Trouble:
    return said("errors", code, place, parts)


def _examined(value: Json | BoardDocument) -> tuple[BoardDocument, list[Trouble]]:
    """What can be read of a board, and all that is wrong with it."""
    found: list[Trouble] = []
    document = _read(msgspec.to_builtins(value) if isinstance(value, BoardDocument) else value, found)
    if any(trouble.code in ("form", "size", "too_many") for trouble in found):
        return document, found
    board = compile_board(document)
    found.extend(_law_troubles(document))
    found.extend(_belt_troubles(board))
    pockets = _pockets(board)
    found.extend(_trouble("pocket", place_of(room[0]), tiles=_listed(room)) for room in pockets)
    if all(len(_places(document).get(law, ())) == 1 for law in LAWS):
        found.extend(_way_troubles(board, pockets))
    return document, found


def _read(value: Json, found: list[Trouble]) -> BoardDocument:
    """The tiles that are well-formed, known, inside the board and alone in their place."""
    empty = BoardDocument(boardIdx=0)
    if not isinstance(value, dict):
        found.append(_trouble("form", key=type(value).__name__))
        return empty
    value = {"boardIdx": 0, **value}
    tiles = value.get("boardActiveTiles")
    wrong = [key for key in ("boardIdx", "boardWidth", "boardHeight") if not _is_count(value.get(key))]
    wrong += [] if isinstance(tiles, list | tuple) else ["boardActiveTiles"]
    found.extend(_trouble("form", key=key) for key in wrong)
    if found:
        return empty
    if (value["boardWidth"], value["boardHeight"]) != (WIDTH, HEIGHT):
        given = {"found_width": value["boardWidth"], "found_height": value["boardHeight"]}
        found.append(_trouble("size", width=WIDTH, height=HEIGHT, **given))
        return empty
    if len(tiles) > TILES_MOST:
        found.append(_trouble("too_many", count=len(tiles), most=TILE_COUNT))
        return empty
    placed: dict[tuple[int, int], str] = {}
    for index, tile in enumerate(tiles):
        _read_tile(index, tile, placed, found)
    active = tuple(ActiveTile(tile_text(name), x, y) for (x, y), name in placed.items())
    return BoardDocument(boardIdx=value["boardIdx"], boardActiveTiles=active)


def _read_tile(index: int, tile: Json, placed: dict[tuple[int, int], str], found: list[Trouble]) -> None:
    given = tile if isinstance(tile, dict) else {}
    for key in ("tileLocX", "tileLocY"):
        if not _is_whole(given.get(key)):
            found.append(_trouble("tile_form", index=index, key=key))
            return
    place = (given["tileLocX"], given["tileLocY"])
    x, y = place
    inside = 1 <= x <= WIDTH and 1 <= y <= HEIGHT
    if not inside:
        found.append(_trouble("outside", place))
    kind = given.get("tileType")
    if not isinstance(kind, str) and not _is_whole(kind):
        found.append(_trouble("tile_form", place, index=index, key="tileType"))
        return
    try:
        name = read_tile(kind)
    except ValueError:
        found.append(_trouble("unknown", place, tile=_printable(str(kind))))
        return
    if name == "presse":
        found.append(_trouble("press", place))
    if not inside or name == "presse":
        return
    if place in placed:
        found.append(_trouble("twice", place, first=placed[place], second=name))
        return
    placed[place] = name


def _printable(text: str, most: int = 40) -> str:
    """What somebody wrote, harmless in a terminal."""
    return "".join(letter if letter.isprintable() else "�" for letter in text[:most])


def _is_count(value: Json) -> bool:
    return _is_whole(value) and value >= 0


def _is_whole(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < WHOLE


def _places(document: BoardDocument) -> dict[str, list[tuple[int, int]]]:
    """Where each tile of a well-formed document is, by its name."""
    places: dict[str, list[tuple[int, int]]] = {}
    for tile in document.boardActiveTiles:
        places.setdefault(read_tile(tile.tileType), []).append((tile.tileLocX, tile.tileLocY))
    return places


def _law_troubles(document: BoardDocument) -> Iterator[Trouble]:
    places = _places(document)
    for law, name in enumerate(LAWS, 1):
        there = places.get(name, [])
        if not there:
            yield _trouble("law_missing", law=law)
        for place in there[1:]:
            first_x, first_y = there[0]
            yield _trouble("law_twice", place, law=law, first_x=first_x, first_y=first_y)


def _belt_troubles(board: Board) -> Iterator[Trouble]:
    for number, name in enumerate(board.names):
        side = DEEDS[name].exit
        if side < 0 or board.belt[number] != NOWHERE:
            continue
        x, y = place_of(number)
        dx, dy = STEPS[side]
        off = not (1 <= x + dx <= WIDTH and 1 <= y + dy <= HEIGHT)
        yield _trouble("belt_edge" if off else "belt_wall", (x, y), tile=name)


def _pockets(board: Board) -> list[list[int]]:
    """Places that walls cut off from the rest of the board; a pillar is none."""
    rooms: list[list[int]] = []
    seen: set[int] = set()
    for number, name in enumerate(board.names):
        if number in seen or name == PILLAR:
            continue
        room = [number]
        seen.add(number)
        for here in room:
            for side in range(4):
                there = board.way[here * 4 + side]
                if there != NOWHERE and there not in seen:
                    seen.add(there)
                    room.append(there)
        rooms.append(room)
    largest = max(rooms, key=len, default=[])
    return [sorted(room) for room in rooms if room is not largest]


def _way_troubles(board: Board, pockets: list[list[int]]) -> Iterator[Trouble]:
    """What a robot that plays well cannot do here, belts included: they lead one way only."""
    ways = ways_of(board)
    closed = {number for room in pockets for number in room}
    open_tiles = [n for n, name in enumerate(board.names) if name != PILLAR and n not in closed]
    lost: dict[int, int] = {}
    for law, place in enumerate(board.laws, 1):
        cut_off = [number for number in open_tiles if ways.registers[law - 1][number] is None]
        if number_of(*place) in closed or 2 * len(cut_off) > len(open_tiles):
            yield _trouble("law_unreachable", place, law=law)
        else:
            lost.update((number, law) for number in cut_off if number not in lost)
    if lost:
        first = min(lost)
        yield _trouble("trap", place_of(first), law=lost[first], tiles=_listed(sorted(lost)))
    count = len(starting_tiles(board))
    if count < LEAST:
        yield _trouble("starts", count=count, least=LEAST, away=AWAY, apart=APART)


def _listed(numbers: Sequence[int], most: int = 8) -> str:
    shown = " ".join("[{},{}]".format(*place_of(number)) for number in numbers[:most])
    return shown + (" …" if len(numbers) > most else "")
