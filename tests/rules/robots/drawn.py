"""Drawn cases of the robot game: a board, robots with their cartouches, and where everyone must end.

How to read one is told in maps/README.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import msgspec

from tablee.rules.robots.board import HEIGHT, WIDTH, Board, number_of
from tablee.rules.robots.cartouche import REGISTERS, Cartouche, read_cartouche
from tablee.rules.robots.codes import CODES, code_text
from tablee.rules.robots.directions import AZIMUTHS, Azimuth
from tablee.rules.robots.floor import MOST_ENERGY, Mecha, Status, Step
from tablee.rules.robots.frames import Frames, frames
from tablee.rules.robots.tiles import TILES
from tablee.rules.robots.turn import play_register, play_round

MAPS = Path(__file__).parent / "maps"

_SIGNS = {
    ".": "neutre", "↺": "pt_babord", "↻": "pt_tribord", "act": "action", "pit": "nid2poule",
    "+1": "clef_1rep", "+2": "clef_2rep", "L1": "loi_r1", "L2": "loi_r2", "L3": "loi_r3",
    "!N": "pous_proue", "!S": "pous_poupe", "!O": "pous_babord", "!E": "pous_tribord",
}  # fmt: skip
_MOVES = {
    "Ahead": "Move_Ahead", "Back": "Move_Back", "Right": "Move_90Right", "Left": "Move_90Left",
    "About": "Move_180Right", "LeftAbout": "Move_180Left", "Standby": "Enrichment_Standby",
}  # fmt: skip
_NOSES = dict(zip("^>v<", AZIMUTHS, strict=True))
_ROBOT = re.compile(r"([1-8])([\^>v<])")

Place = tuple[int, int, Azimuth]
Told = dict[tuple[int, str, int], list[str]]
"""Codes by register, frame and seat."""


class Case(msgspec.Struct):
    """One drawn case, as read."""

    title: str
    first: tuple[int, int]
    """Round and register that are played first."""
    last: tuple[int, int]
    boards: list[Board]
    current: int
    mechas: tuple[Mecha, ...]
    cartouches: list[dict[int, Cartouche]]
    """For each round; where only registers are played, for these."""
    end: tuple[Mecha, ...]
    swaps: list[tuple[int, int]]
    told: Told | None


class End(msgspec.Struct):
    """How a case ended."""

    mechas: tuple[Mecha, ...]
    swaps: list[tuple[int, int]]
    told: Told
    steps: list[Step]


def play(case: Case) -> End:
    """Play a case as far as it says."""
    mechas: tuple[Mecha, ...] = case.mechas
    seats = [mecha.seat for mecha in mechas]
    told: Told = {}
    swaps = []
    every: list[Step] = []
    (begun, register), (until, last) = case.first, case.last
    current = case.current
    for round, cartouches in zip(range(begun, until + 1), case.cartouches, strict=True):
        if (register, last) == (1, REGISTERS + 1):
            played = play_round(case.boards, current, mechas, cartouches, round)
            mechas = played.mechas
            if played.swap:
                swaps.append(played.swap)
                current = played.swap[1]
            registers = list(enumerate(played.registers, start=1))
        else:
            registers = []
            for column, number in enumerate(range(register, last + 1)):
                now = {seat: given[column] for seat, given in cartouches.items() if len(given) > column}
                mechas, steps = play_register(case.boards[current], mechas, now, round, number, max(seats))
                registers.append((number, steps))
        for number, steps in registers:
            every += steps
            for frame, movements in _frames(frames(steps, seats)):
                for seat, codes in movements.items():
                    told.setdefault((number, frame, seat), []).extend(codes)
    return End(mechas, swaps, {key: codes for key, codes in told.items() if codes}, every)


def _frames(told: Frames) -> Iterator[tuple[str, dict[int, list[str]]]]:
    return zip(Frames._fields, told, strict=True)


# --- Reading ------------------------------------------------------------------------------------------


def read_cases() -> dict[str, Case]:
    """Every case in the folder, by the name of its file."""
    return {path.stem: read(path.read_text()) for path in sorted(MAPS.glob("*.txt"))}


def read(text: str) -> Case:
    """A case from its text. Raises ValueError where something in it is not understood."""
    title, headers, sections = _sections(text)
    corner = _pair(headers.pop("at", "1,1"))
    drawings = [_grid(lines, corner) for name, lines in sections if name == "board"]
    if len(drawings) == 0:
        raise ValueError("no board")
    standing = {seat: place for _, robots in drawings for seat, place in robots.items()}
    before = _lines(sections, "before")
    mechas = tuple(
        _mecha(seat, standing.get(seat), before.pop(seat, ""), None) for seat in sorted({*standing, *before})
    )
    _nothing_left(before)
    (ends,) = (lines for name, lines in sections if name == "end")
    tiles, ended = _grid(ends, corner)
    if set(tiles) != {"neutre"}:
        raise ValueError("the end shows robots only")
    after = _lines(sections, "after")
    end = tuple(_mecha(m.seat, ended.pop(m.seat, None), after.pop(m.seat, ""), m) for m in mechas)
    _nothing_left(after)
    _nothing_left(ended)
    first, last = _played(headers.pop("play"))
    swaps = [cast(tuple[int, int], tuple(map(int, s.split("=>")))) for s in headers.pop("swap", "").split()]
    current = int(headers.pop("current", "0"))
    _nothing_left(headers)
    cartouches = [
        {seat: _cartouche(text, mechas, seat) for seat, text in _seated(lines).items()}
        for name, lines in sections
        if name == "cartouches"
    ]
    cartouches += [{}] * (last[0] - first[0] + 1 - len(cartouches))
    told = [_told(lines, first[1], last[1]) for name, lines in sections if name == "codes"]
    boards = [Board(tuple(tiles)) for tiles, _ in drawings]
    return Case(
        title, first, last, boards, current, mechas, cartouches, end, swaps, told[0] if told else None
    )


def _sections(text: str) -> tuple[str, dict[str, str], list[tuple[str, list[str]]]]:
    lines = [line.rstrip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    headers: dict[str, str] = {}
    sections: list[tuple[str, list[str]]] = []
    for line in lines[1:]:
        if line.startswith(" "):
            sections[-1][1].append(line.strip())
        elif ":" in line:
            key, _, value = line.partition(":")
            headers[key] = value.strip()
        elif line in ("board", "before", "cartouches", "end", "after", "codes"):
            sections.append((line, []))
        else:
            raise ValueError(f"{line!r} begins nothing")
    return lines[0], headers, sections


def _grid(lines: Sequence[str], corner: tuple[int, int]) -> tuple[list[str], dict[int, Place]]:
    tiles = ["neutre"] * (WIDTH * HEIGHT)
    robots: dict[int, Place] = {}
    rows = [line.split() for line in lines]
    if len({len(row) for row in rows}) != 1:
        raise ValueError(f"rows of different length: {rows}")
    for y, row in enumerate(rows, start=corner[1]):
        for x, cell in enumerate(row, start=corner[0]):
            tile, _, robot = cell.rpartition(":")
            if found := _ROBOT.fullmatch(robot):
                if int(found[1]) in robots:
                    raise ValueError(f"robot {found[1]} twice")
                robots[int(found[1])] = x, y, _NOSES[found[2]]
            elif tile:
                raise ValueError(f"{robot!r} is no robot")
            else:
                tile = robot
            tiles[number_of(x, y)] = tile_named(tile or ".")
    return tiles, robots


def tile_named(sign: str) -> str:
    """The tile that a sign in a drawing stands for."""
    if sign in _SIGNS:
        return _SIGNS[sign]
    entry, dash, exit = sign.partition("-")
    name = {"#": f"mur_{sign[1:]}", "*": f"murLaser_{sign[1:]}"}.get(sign[0], f"conv_e{entry}s{exit}")
    if name not in TILES or (name.startswith("conv") and not dash):
        raise ValueError(f"{sign!r} is no tile")
    return name


def _mecha(seat: int, place: Place | None, words: str, before: Mecha | None) -> Mecha:
    """A robot as a line says it is; what is not said is usual, or as it was."""
    said: dict[str, Any] = {}
    for word in filter(None, (word.strip() for word in words.split(","))):
        key, _, value = word.partition(" ")
        said[key] = value
    status: Status = "frozen" if "frozen" in said else "finished" if "finished" in said else "racing"
    if (status == "racing") != (place is not None):
        raise ValueError(f"robot {seat} is drawn if and only if it is on the board")
    if before is not None:
        start = before.start
    elif "start" in said:
        x, y, nose = said.pop("start").split()
        start = int(x), int(y), _NOSES[nose]
    elif place:
        start = place
    else:
        raise ValueError(f"where does robot {seat} start?")
    energy = int(said.pop("energy", 0 if status == "frozen" else before.energy if before else MOST_ENERGY))
    laws = int(said.pop("laws", before.laws if before else 0))
    frozen_in = int(said.pop("frozen", "0"))
    rank, arrived = 0, None
    if status == "finished":
        # finished ON X Y NOSE RANK in ROUND REGISTER
        x, y, nose, rank_, round, register = said.pop("finished").split()
        place = int(x), int(y), _NOSES[nose]
        rank, arrived = int(rank_), (int(round), int(register))
    _nothing_left(said)
    return Mecha(seat, *(place or start), energy, laws, status, start, frozen_in, rank, arrived)


def _played(text: str) -> tuple[tuple[int, int], tuple[int, int]]:
    if found := re.fullmatch(r"registers? (\d)(?:-(\d))? of round (\d+)", text):
        first, last = int(found[1]), int(found[2] or found[1])
        return (int(found[3]), first), (int(found[3]), last)
    if found := re.fullmatch(r"rounds? (\d+)(?:-(\d+))?", text):
        return (int(found[1]), 1), (int(found[2] or found[1]), REGISTERS + 1)
    raise ValueError(f"{text!r} is nothing to play")


def _cartouche(text: str, mechas: Sequence[Mecha], seat: int) -> Cartouche:
    registers = [
        [_MOVES.get(word, word) for word in register.split() if word != "-"] for register in text.split("|")
    ]
    if not any(mecha.seat == seat for mecha in mechas):
        raise ValueError(f"there is no robot {seat}")
    return read_cartouche(registers, MOST_ENERGY)


def _told(lines: Sequence[str], first: int, last: int) -> Told:
    told: Told = {}
    for line in lines:
        place, _, codes = line.partition(":")
        register, frame, seat = place.split()
        if frame not in Frames._fields or not first <= int(register) <= last:
            raise ValueError(f"{place!r} is no frame")
        told[int(register), frame, int(seat)] = [code_text(_code(code)) for code in codes.split()]
    return told


def _code(short: str) -> str:
    """Codes may be written without what is before the underscore."""
    (name,) = (name for name in CODES if name == short or name.partition("_")[2] == short)
    return name


def _lines(sections: Sequence[tuple[str, list[str]]], wanted: str) -> dict[int, str]:
    return _seated([line for name, lines in sections if name == wanted for line in lines])


def _seated(lines: Sequence[str]) -> dict[int, str]:
    parted = [line.partition(":") for line in lines]
    if len({seat for seat, _, _ in parted}) != len(parted):
        raise ValueError(f"a robot is named twice: {lines}")
    return {int(seat): text.strip() for seat, _, text in parted}


def _pair(text: str) -> tuple[int, int]:
    x, y = map(int, text.split(","))
    return x, y


def _nothing_left(rest: dict[Any, Any]) -> None:
    if rest:
        raise ValueError(f"not understood: {rest}")
