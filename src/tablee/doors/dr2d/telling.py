"""A race as the arguments of calls: each is made and encoded once, for all the consoles at the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec
from msgspec import Raw

from tablee.doors.dr2d import frames
from tablee.doors.dr2d.sequencer import Call
from tablee.rules.contract import Seat
from tablee.rules.robots import frames as robot_frames
from tablee.rules.robots.board import compile_board
from tablee.rules.robots.model import RobotsState, Spot
from tablee.rules.robots.turn import Mecha, Step

_encode = msgspec.json.Encoder().encode


def number_of(state: RobotsState, seat: Seat) -> str:
    """The robot of a seat as the wire calls it: "01" is the first, whatever its seat."""
    return f"{state.seats.index(seat) + 1:02}"


def boards(state: RobotsState) -> Iterator[Raw]:
    """Arguments of InitDeclareBoard, board by board; tiles are spelled in full."""
    for index, document in enumerate(state.boards):
        yield _raw({"board": compile_board(document).document(index)})


def avatar(state: RobotsState, seat: Seat) -> frames.Avatar:
    """Name and colour of a robot; the house keeps a colour as #AARRGGBB."""
    known = state.avatars[seat]
    colour = known.color.removeprefix("#")
    return frames.Avatar(known.name, frames.Colour(*(colour[at : at + 2] for at in (0, 2, 4, 6))))


def color_text(colour: frames.RepliedColour) -> str:
    """The colour of a reply as the house keeps it."""
    parts = (
        f"{part:02X}" if isinstance(part, int) else f"{int(part, 16):02X}"
        for part in (colour.A, colour.R, colour.G, colour.B)
    )
    return "#" + "".join(parts)


def localization(spot: Spot) -> frames.Localization:
    return frames.Localization(spot.x, spot.y, spot.azimuth)


def starters(state: RobotsState) -> Raw:
    """Arguments of InitStatusOfCompetitors: where everybody starts, and who that is."""
    return _raw(
        frames.Competitors(
            [
                frames.Competitor(number_of(state, seat), *_start(state, seat), 7, avatar(state, seat))
                for seat in state.seats
            ]
        )
    )


def _start(state: RobotsState, seat: Seat) -> tuple[int, int, frames.Azimuth]:
    place = state.places[seat]
    return place.x, place.y, place.azimuth


def competitors(state: RobotsState, robots: Sequence[Mecha]) -> Raw:
    """Arguments of RoundStatusOfCompetitors, on the board or off it."""
    return _raw(
        frames.Competitors(
            [
                frames.Competitor(number_of(state, robot.seat), robot.x, robot.y, robot.azimuth, robot.energy)
                for robot in robots
            ]
        )
    )


def artefacts(state: RobotsState) -> Raw:
    """Arguments of InitLocateArtefacts: the three laws in order."""
    laws = compile_board(state.boards[0]).laws
    return _raw(frames.Artefacts([frames.Place(x, y) for x, y in laws]))


def movements(state: RobotsState, steps: Iterable[Step]) -> list[tuple[str, Raw]]:
    """The three calls of a register, with every robot listed in each."""
    names = ("RoundRobotMovement", "RoundBoardMovement", "RoundBoardMovement")
    told = robot_frames.frames(steps, state.seats)
    return [
        (name, _raw({f"mcnd{number_of(state, seat)}": codes for seat, codes in each.items()}))
        for name, each in zip(names, told, strict=True)
    ]


def board_swap(old: int, new: int) -> Raw:
    return _raw(frames.Action(frames.BoardAction("BoardSwap", f"{old}=>{new}")))


def completed(state: RobotsState, seats: Iterable[Seat]) -> Raw:
    return _raw(frames.Completed([number_of(state, seat) for seat in seats]))


def briefing(state: RobotsState, time: int) -> list[Call]:
    """What a console that comes to a running race must know, from the start to the newest status."""
    told: list[tuple[str, Raw | None]] = [
        ("InitStatusOfCompetitors", starters(state)),
        ("InitLocateArtefacts", artefacts(state)),
        ("QuestStart", None),
    ]
    if state.board:
        told.append(("RoundBoardAction", board_swap(0, state.board)))
    if state.round > 1:
        told.append(("RoundStatusOfCompetitors", competitors(state, state.robots)))
    there = [robot.seat for robot in state.robots if robot.status == "finished"]
    if there:
        told.append(("QuestAchieved", completed(state, there)))
    return [Call(seq, args, time=time) for seq, args in told]


def recalled(state: RobotsState, seat: Seat) -> dict[str, object]:
    """What the calls so far have said, in one piece: in the service message to a console that returns."""
    told: dict[str, object] = {
        "mcndId": number_of(state, seat),
        "boards": [compile_board(document).document(index) for index, document in enumerate(state.boards)],
        "board": state.board,
        "round": state.round,
        "laws": 0 if (robot := state.robot(seat)) is None else robot.laws,
        "artefacts": msgspec.json.decode(artefacts(state))["artefacts"],
    }
    if state.robots:
        told["competitors"] = msgspec.json.decode(competitors(state, state.robots))["competitors"]
    return told


def _raw(value: object) -> Raw:
    return Raw(_encode(value))
