"""What follows from an action in a race of robots, or why it is refused."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from tablee.rules.contract import (
    CLOCK,
    Action,
    Alarm,
    Away,
    Back,
    Fact,
    Illegal,
    Instant,
    Join,
    Leave,
    Replace,
    Seat,
    TimeGivenBack,
    Timeout,
)
from tablee.rules.robots.board import HEIGHT, WIDTH, Board, compile_board, number_of, place_of
from tablee.rules.robots.cartouche import read_cartouche
from tablee.rules.robots.evolution import evolve
from tablee.rules.robots.model import (
    NAME_LENGTH,
    RECALLS,
    Asked,
    BoardSwapped,
    CameBack,
    Clashed,
    ClockMoved,
    Ended,
    Feature,
    Featured,
    Left,
    Place,
    Placed,
    Program,
    Programmed,
    RegisterPlayed,
    RobotsState,
    RoundEnded,
    Spot,
    TakenOver,
    TimeUp,
    WentAway,
    Wished,
)
from tablee.rules.robots.starts import proposed_start
from tablee.rules.robots.turn import Mecha, Played, Step, play_round

_Seated = TypeVar("_Seated", Mecha, Step)
_COLOR = re.compile(r"#[0-9A-Fa-f]{8}")


def decide(state: RobotsState, seat: Seat, action: Action, at: Instant) -> list[Fact]:
    """The facts that follow from an action. Raises Illegal."""
    try:
        decision = _DECISIONS[type(action)]
    except KeyError:
        raise Illegal("unknown_action") from None
    return decision(state, seat, action, at)


def alarms(state: RobotsState) -> dict[str, Instant]:
    """The end of the time for starting tiles, or for cartouches."""
    return {} if state.until is None or state.ended else {state.phase: state.until}


# --- before the race ------------------------------------------------------------------------------------


def read_avatar(action: Feature) -> tuple[str, str]:
    """The name as it will be shown, and the colour. Raises Illegal."""
    text = unicodedata.normalize("NFC", action.name)
    name = "".join(letter for letter in text if letter.isprintable()).strip()[:NAME_LENGTH].strip()
    if not name:
        raise Illegal("no_name")
    if not _COLOR.fullmatch(action.color):
        raise Illegal("bad_color")
    return name, "#" + action.color[1:].upper()


def _feature(state: RobotsState, seat: Seat, action: Feature, at: Instant) -> list[Fact]:
    _playing(state, seat)
    if state.phase != "placing":
        raise Illegal("race_began")
    name, color = read_avatar(action)
    return [Featured(seat, name, color)]


def _place(state: RobotsState, seat: Seat, action: Place, at: Instant) -> list[Fact]:
    _playing(state, seat)
    if state.phase != "placing":
        raise Illegal("race_began")
    if action.asking not in (0, state.recalls + 1):
        raise Illegal("other_asking")
    if seat in state.places or seat in state.wishes:
        raise Illegal("wished_already")
    if not is_available(state, action.x, action.y):
        raise Illegal("not_available", x=action.x, y=action.y)
    wished = Wished(seat, action.x, action.y, action.azimuth)
    return _followed(state, [wished], at)


def is_available(state: RobotsState, x: int, y: int) -> bool:
    """Whether a robot may still begin there."""
    return 1 <= x <= WIDTH and 1 <= y <= HEIGHT and number_of(x, y) in state.available


def proposals(board: Board, seats: Sequence[Seat], tiles: Sequence[int]) -> dict[Seat, Spot]:
    """A starting tile for each of these seats, no two the same."""
    free = list(tiles)
    return {seat: Spot(*proposed_start(board, free, index, len(seats))) for index, seat in enumerate(seats)}


def _all_wished(state: RobotsState, at: Instant) -> list[Fact]:
    """Everybody's wish is known: who is alone on a tile has it, the others are asked again, each about a
    tile that nobody has asked for: the one that they fought about would only be fought about once more.

    Who has said nothing keeps what was proposed to him.
    """
    wishes = {seat: state.wishes.get(seat, spot) for seat, spot in state.proposed.items()}
    asked_for = Counter((spot.x, spot.y) for spot in wishes.values())
    places = {seat: spot for seat, spot in wishes.items() if asked_for[spot.x, spot.y] == 1}
    clashing = tuple(seat for seat in wishes if seat not in places)
    free = [number for number in state.available if asked_for[place_of(number)] != 1]
    if clashing and state.recalls >= RECALLS:
        for seat, number in zip(clashing, free, strict=False):
            places[seat] = Spot(*place_of(number), wishes[seat].azimuth)
        clashing = ()
    facts: list[Fact] = [Placed(places)] if places else []
    if clashing:
        board = compile_board(state.boards[0])
        unasked = [number for number in free if not asked_for[place_of(number)]]
        offered = unasked if len(unasked) >= len(clashing) else free
        return [*facts, Clashed(clashing, proposals(board, clashing, offered), at)]
    return [*facts, _asked_for_round(_after(state, facts), at)]


# --- rounds ---------------------------------------------------------------------------------------------


def _program(state: RobotsState, seat: Seat, action: Program, at: Instant) -> list[Fact]:
    _playing(state, seat)
    if state.phase == "placing":
        raise Illegal("race_not_begun")
    # Why: docs/decisions.md#an-action-says-what-it-is-meant-for
    if action.round not in (0, state.round):
        raise Illegal("other_round", asked=state.round)
    if seat in state.cartouches:
        raise Illegal("programmed_already")
    robot = state.robot(seat)
    if seat not in state.asked or robot is None:
        raise Illegal("not_asked")
    cartouche = read_cartouche(action.cartouche, robot.energy)
    return _followed(state, [Programmed(seat, cartouche)], at)


def _all_programmed(state: RobotsState, at: Instant) -> list[Fact]:
    """The round is played; who has given no cartouche has an empty one."""
    played = _play(state)
    facts: list[Fact] = [
        RegisterPlayed(state.round, number, steps) for number, steps in enumerate(played.registers, 1)
    ]
    if played.swap is not None:
        facts.append(BoardSwapped(*played.swap))
    facts.append(RoundEnded(state.round, played.mechas))
    after = _after(state, facts)
    over = _over(after)
    if over is not None:
        return [*facts, over]
    return [*facts, _asked_for_round(after, at)]


def _play(state: RobotsState) -> Played:
    """The round. Robots are numbered without gaps for it: a seat may be empty, a turn to begin may not."""
    boards = tuple(compile_board(document) for document in state.boards)
    number_of_seat = {seat: number for number, seat in enumerate(state.seats, 1)}
    if all(seat == number for seat, number in number_of_seat.items()):
        return play_round(boards, state.board, state.robots, state.cartouches, state.round)
    robots = tuple(replace(robot, seat=number_of_seat[robot.seat]) for robot in state.robots)
    cartouches = {number_of_seat[seat]: cartouche for seat, cartouche in state.cartouches.items()}
    played = play_round(boards, state.board, robots, cartouches, state.round)

    def seated(told: Sequence[_Seated]) -> tuple[_Seated, ...]:
        return tuple(replace(each, seat=state.seats[each.seat - 1]) for each in told)

    return replace(played, registers=tuple(map(seated, played.registers)), mechas=seated(played.mechas))


def _asked_for_round(state: RobotsState, at: Instant) -> Asked:
    seats = tuple(robot.seat for robot in state.robots if robot.status == "racing")
    return Asked(state.round + 1, seats, at + state.cartouche if state.cartouche and seats else None)


def _over(state: RobotsState) -> Ended | None:
    """The end, where it has come: one robot alone is no race, unless it came to practise."""
    racing = len(state.on_quest)
    if racing == 0 or (racing == 1 and len(state.seats) > 1):
        there = any(robot.status == "finished" for robot in state.robots)
        return Ended("quest" if there else "left", ranks_of(state))
    if state.played and state.played[-1].round >= state.rounds:
        return Ended("rounds", ranks_of(state))
    return None


def ranks_of(state: RobotsState) -> dict[Seat, int]:
    """By order of arrival, then by laws found, then by energy; who has left is behind who has stayed."""

    def merit(seat: Seat) -> tuple[int, ...]:
        robot = state.robot(seat)
        if robot is not None and robot.arrived is not None:
            return (0, *robot.arrived)
        if robot is None:
            return (2 if seat in state.left else 1, 0, 0)
        return (2 if seat in state.left else 1, -robot.laws, -robot.energy)

    merits = {seat: merit(seat) for seat in state.seats}
    return {seat: 1 + sum(other < own for other in merits.values()) for seat, own in merits.items()}


def _followed(state: RobotsState, facts: list[Fact], at: Instant, late: bool = False) -> list[Fact]:
    """The facts, and all that they bring about while nobody is waited for."""
    state = _after(state, facts)
    while not state.ended and (late or not state.awaited):
        late = False
        over = _over(state)
        more: list[Fact]
        if over is not None:
            more = [over]
        elif state.phase == "placing":
            more = _all_wished(state, at)
        else:
            more = _all_programmed(state, at)
        facts = facts + more
        state = _after(state, more)
    return facts


def _after(state: RobotsState, facts: Sequence[Fact]) -> RobotsState:
    for fact in facts:
        state = evolve(state, fact)
    return state


# --- seats ----------------------------------------------------------------------------------------------


def _playing(state: RobotsState, seat: Seat) -> None:
    if seat not in state.seats:
        raise Illegal("not_playing")
    if state.ended:
        raise Illegal("over")
    if seat in state.left:
        raise Illegal("gone")


def _leave(state: RobotsState, seat: Seat, action: Leave, at: Instant) -> list[Fact]:
    _playing(state, seat)
    over = _over(_after(state, [Left(seat)]))
    if over is not None:
        return [Left(seat), over]
    return _followed(state, [Left(seat)], at)


def _replace(state: RobotsState, seat: Seat, action: Replace, at: Instant) -> list[Fact]:
    if seat not in state.seats:
        raise Illegal("not_playing")
    if state.ended:
        raise Illegal("over")
    if action.role:
        raise Illegal("no_roles")
    robot = state.robot(seat)
    if robot is not None and robot.status == "finished":
        raise Illegal("arrived")  # its rank is of who drove it there
    return [TakenOver(seat)]


def _away(state: RobotsState, seat: Seat, action: Away, at: Instant) -> list[Fact]:
    if seat not in state.seats or state.ended or seat in state.away or seat in state.left:
        return []
    return [WentAway(seat)]


def _back(state: RobotsState, seat: Seat, action: Back, at: Instant) -> list[Fact]:
    return [CameBack(seat)] if seat in state.away and not state.ended else []


def _race_is_on(state: RobotsState, seat: Seat, action: Action, at: Instant) -> list[Fact]:
    raise Illegal("race_is_on")


# --- time -----------------------------------------------------------------------------------------------


def _alarm(state: RobotsState, seat: Seat, action: Alarm, at: Instant) -> list[Fact]:
    if seat != CLOCK:
        raise Illegal("clock_only")
    if at < alarms(state).get(action.name, at + 1):
        return []
    return _followed(state, [TimeUp(state.awaited)], at, late=True)


def _timeout(state: RobotsState, seat: Seat, action: Timeout, at: Instant) -> list[Fact]:
    if seat != CLOCK:
        raise Illegal("clock_only")
    raise Illegal("no_player_clock")


def _time_given_back(state: RobotsState, seat: Seat, action: TimeGivenBack, at: Instant) -> list[Fact]:
    if seat != CLOCK:
        raise Illegal("clock_only")
    return [ClockMoved(action.milliseconds)] if state.until is not None and action.milliseconds else []


_DECISIONS: dict[type[Action], Callable[[RobotsState, Seat, Any, Instant], list[Fact]]] = {
    Feature: _feature,
    Place: _place,
    Program: _program,
    Join: _race_is_on,
    Replace: _replace,
    Leave: _leave,
    Away: _away,
    Back: _back,
    Alarm: _alarm,
    Timeout: _timeout,
    TimeGivenBack: _time_given_back,
}
