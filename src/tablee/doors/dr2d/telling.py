"""A race as the arguments of calls: each is made and encoded once, for all the consoles at the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec
from msgspec import Raw

from tablee.doors.dr2d import frames
from tablee.doors.dr2d.sequencer import Call
from tablee.rules.contract import Seat
from tablee.rules.robots import frames as robot_frames
from tablee.rules.robots.board import compile_board
from tablee.rules.robots.model import Spot
from tablee.rules.robots.turn import Mecha, Step
from tablee.rules.robots.views import Bearing, RobotsView

_encode = msgspec.json.Encoder().encode


def awaited(view: RobotsView) -> list[Seat]:
    """Who still owes a wish or a cartouche."""
    owing = {"placing": "waiting", "programming": "racing"}.get(view.phase)
    return [seat for seat, robot in view.robots.items() if robot.status == owing and not robot.ready]


def boards(view: RobotsView) -> Iterator[Raw]:
    """Arguments of InitDeclareBoard, board by board; tiles are spelled in full."""
    for index, document in enumerate(view.boards):
        yield _raw({"board": compile_board(document).document(index)})


def avatar(view: RobotsView, seat: Seat) -> frames.Avatar:
    """Name and colour of a robot; the house keeps a colour as #AARRGGBB."""
    robot = view.robots[seat]
    colour = robot.color.removeprefix("#")
    return frames.Avatar(robot.name, frames.Colour(*(colour[at : at + 2] for at in (0, 2, 4, 6))))


def color_text(colour: frames.RepliedColour) -> str:
    """The colour of a reply as the house keeps it."""
    parts = (
        f"{part:02X}" if isinstance(part, int) else f"{int(part, 16):02X}"
        for part in (colour.A, colour.R, colour.G, colour.B)
    )
    return "#" + "".join(parts)


def localization(spot: Spot) -> frames.Localization:
    return frames.Localization(spot.x, spot.y, spot.azimuth)


def starters(view: RobotsView) -> Raw:
    """Arguments of InitStatusOfCompetitors: where everybody starts, and who that is."""
    return _raw(
        frames.Competitors(
            [
                frames.Competitor(
                    robot.number, robot.start.x, robot.start.y, robot.start.azimuth, 7, avatar(view, seat)
                )
                for seat, robot in view.robots.items()
                if robot.start is not None
            ]
        )
    )


def standing(view: RobotsView) -> dict[Seat, Bearing]:
    """Where and how the robots stand, once all are placed."""
    return {seat: stands for seat, robot in view.robots.items() if (stands := robot.bearing) is not None}


def competitors(view: RobotsView, robots: Mapping[Seat, Bearing | Mecha]) -> Raw:
    """Arguments of RoundStatusOfCompetitors, on the board or off it."""
    return _raw(
        frames.Competitors(
            [
                frames.Competitor(view.robots[seat].number, robot.x, robot.y, robot.azimuth, robot.energy)
                for seat, robot in robots.items()
            ]
        )
    )


def artefacts(view: RobotsView) -> Raw:
    """Arguments of InitLocateArtefacts: the three laws in order."""
    return _raw(frames.Artefacts([frames.Place(x, y) for x, y in view.laws]))


def movements(view: RobotsView, steps: Iterable[Step]) -> list[tuple[str, Raw]]:
    """The three calls of a register, with every robot listed in each."""
    names = ("RoundRobotMovement", "RoundBoardMovement", "RoundBoardMovement")
    told = robot_frames.frames(steps, tuple(view.robots))
    return [
        (name, _raw({f"mcnd{view.robots[seat].number}": codes for seat, codes in each.items()}))
        for name, each in zip(names, told, strict=True)
    ]


def board_swap(old: int, new: int) -> Raw:
    return _raw(frames.Action(frames.BoardAction("BoardSwap", f"{old}=>{new}")))


def completed(view: RobotsView, seats: Iterable[Seat]) -> Raw:
    return _raw(frames.Completed([view.robots[seat].number for seat in seats]))


def quest(view: RobotsView) -> list[tuple[str, Raw | None]]:
    """The calls with which a race starts, once all robots are placed; none before."""
    if any(robot.start is None for robot in view.robots.values()):
        return []
    return [
        ("InitStatusOfCompetitors", starters(view)),
        ("InitLocateArtefacts", artefacts(view)),
        ("QuestStart", None),
    ]


def briefing(view: RobotsView, time: int) -> list[Call]:
    """What a console that comes to a running race must know, from the start to the newest status."""
    told = quest(view)
    if view.board:
        told.append(("RoundBoardAction", board_swap(0, view.board)))
    if view.round > 1:
        told.append(("RoundStatusOfCompetitors", competitors(view, standing(view))))
    there = [seat for seat, robot in view.robots.items() if robot.status == "finished"]
    if there:
        told.append(("QuestAchieved", completed(view, there)))
    return [Call(seq, args, time=time) for seq, args in told]


def recalled(view: RobotsView, seat: Seat) -> dict[str, object]:
    """What the calls so far have said, in one piece: in the service message to a console that returns."""
    robot = view.robots[seat]
    told: dict[str, object] = {
        "mcndId": robot.number,
        "boards": [compile_board(document).document(index) for index, document in enumerate(view.boards)],
        "board": view.board,
        "round": view.round,
        "laws": robot.laws,
        "artefacts": msgspec.json.decode(artefacts(view))["artefacts"],
    }
    robots = standing(view)
    if robots:
        told["competitors"] = msgspec.json.decode(competitors(view, robots))["competitors"]
    return told


def _raw(value: object) -> Raw:
    return Raw(_encode(value))
