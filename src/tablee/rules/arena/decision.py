"""What follows from an action in the arena, or why it is refused."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from tablee.rules.arena.ground import Ground
from tablee.rules.arena.heroes import KHARLIASS, MIRINDREL, usable_power
from tablee.rules.arena.model import (
    PATIENCE,
    ArenaState,
    Card,
    ChooseHero,
    Discard,
    Discarded,
    HeroChosen,
    Pass,
    Passed,
    Play,
    Played,
    Player,
    PlayTrump,
    PowerUsed,
    Push,
    Pushed,
    PushSkipped,
    Returned,
    SkipPush,
    StoodIn,
    TakeOver,
    UsePower,
)
from tablee.rules.arena.moves import gauge_of, landings, may_strike, pushes
from tablee.rules.arena.trumps import cost_of, has_room, may_be_targeted, trump_played
from tablee.rules.arena.turns import Course
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

ROBOT_PACE = 1_500
"""Milliseconds between two acts of a robot that goes on for somebody."""
STAND_IN = "stand_in"


def decide(state: ArenaState, seat: Seat, action: Action, at: Instant, rng: Random) -> list[Fact]:
    """The facts that follow from an action. Raises Illegal."""
    course = Course(state, at, rng)
    if type(action) in _MOVES:
        if _playing(state, seat).stood_in:
            course.happens(Returned(seat))
        _moves(course, seat, action)
    elif type(action) in _OF_THE_TABLE:
        _OF_THE_TABLE[type(action)](course, seat, action)
    else:
        raise Illegal("unknown_action")
    return course.facts


def played_by_robot(state: ArenaState, action: Action, at: Instant, rng: Random) -> list[Fact]:
    """The facts that follow from what a robot does for whoever's turn it is. Raises Illegal."""
    course = Course(state, at, rng)
    _moves(course, state.current.seat, action)
    return course.facts


def _moves(course: Course, seat: Seat, action: Action) -> None:
    _MOVES[type(action)](course, _playing(course.state, seat), action)


def alarms(state: ArenaState) -> dict[str, Instant]:
    """When the robot that stands in for the player whose turn it is acts next."""
    if state.ended or state.choosing or not state.current.stood_in:
        return {}
    return {STAND_IN: state.began_at + ROBOT_PACE * (state.acts + 1)}


# --- what a player does --------------------------------------------------------------------------------


def _playing(state: ArenaState, seat: Seat) -> Player:
    player = state.player(seat)
    if player is None:
        raise Illegal("not_playing")
    if state.ended:
        raise Illegal("over")
    if not player.playing:
        raise Illegal("out")
    return player


def _its_turn(course: Course, player: Player) -> None:
    """Whoever acts is called, has a hero if there are heroes, and owes no push."""
    state = course.state
    if state.current.seat != player.seat:
        raise Illegal("not_your_turn", turn=state.current.seat)
    if state.choosing:
        raise Illegal("hero_first")
    if state.strike is not None:
        raise Illegal("push_first")


def _play(course: Course, player: Player, action: Play) -> None:
    _its_turn(course, player)
    ground, state = course.ground, course.state
    card = _in_hand(ground, player, action)
    square = ground.square_at(action.x, action.y)
    if square is None or not landings(ground, state, player, card) >> square & 1:
        raise Illegal("out_of_reach", card=action.card, color=action.color, x=action.x, y=action.y)
    gauge = gauge_of(ground, player, card, square)
    course.happens(
        Played(player.seat, card, player.pawn, square, gauge, _strikes(course, player, card, square))
    )
    course.goes_on()


def _strikes(course: Course, player: Player, card: Card, square: int) -> bool:
    """Whether the card lets its player push, and somebody can be pushed once the pawn has moved."""
    if not may_strike(course.ground, player, card):
        return False
    moved = Course(course.state, course.at, course.rng)
    moved.happens(Played(player.seat, card, player.pawn, square, 0))
    color = course.ground.printed[card].color
    return bool(pushes(course.ground, moved.state, moved.state.current, color))


def _in_hand(ground: Ground, player: Player, action: Play | Discard) -> Card:
    card = ground.numbers.get((action.card, action.color))
    if card is None or card not in player.hand:
        raise Illegal("not_in_hand", card=_quoted(action.card), color=_quoted(action.color))
    return card


def _discard(course: Course, player: Player, action: Discard) -> None:
    _its_turn(course, player)
    course.happens(Discarded(player.seat, _in_hand(course.ground, player, action)))
    course.goes_on()


def _pass(course: Course, player: Player, action: Pass) -> None:
    _its_turn(course, player)
    course.happens(Passed(player.seat))
    course.turn_ends()


def _push(course: Course, player: Player, action: Push) -> None:
    ground, state = course.ground, course.state
    if state.current.seat != player.seat or state.strike is None:
        raise Illegal("no_push")
    square = ground.square_at(action.x, action.y)
    possible = pushes(ground, state, player, ground.colors[state.strike]).get(action.target, 0)
    if square is None or not possible >> square & 1:
        raise Illegal("bad_push", target=action.target, x=action.x, y=action.y)
    course.happens(Pushed(player.seat, action.target, square))
    course.goes_on()


def _skip_push(course: Course, player: Player, action: SkipPush) -> None:
    if course.state.current.seat != player.seat or course.state.strike is None:
        raise Illegal("no_push")
    course.happens(PushSkipped(player.seat))
    course.goes_on()


# --- trumps and powers ---------------------------------------------------------------------------------


def _play_trump(course: Course, player: Player, action: PlayTrump) -> None:
    _its_turn(course, player)
    state = course.state
    if action.trump not in player.trumps:
        raise Illegal("not_your_trump", trump=_quoted(action.trump))
    trump = course.ground.trumps[action.trump]
    if trump.must_target_player:
        target = _target(state, player, action.target)
    elif action.target is not None:
        raise Illegal("no_target")
    else:
        target = player
    if not has_room(trump, target):
        raise Illegal("too_many_effects", target=target.seat)
    _pays(state, player, cost_of(player, trump))
    course.happens(trump_played(player, target.seat, trump, course.rng))
    course.goes_on()


def _pays(state: ArenaState, player: Player, cost: int) -> None:
    if state.trumped:
        raise Illegal("one_trump")
    if player.gauge < cost:
        raise Illegal("gauge_too_low", cost=cost, gauge=player.gauge)


def _target(state: ArenaState, player: Player, seat: Seat | None) -> Player:
    if seat is None:
        raise Illegal("target_needed")
    target = state.player(seat)
    if target is None or seat not in may_be_targeted(state, player):
        raise Illegal("bad_target", target=seat)
    return target


def _use_power(course: Course, player: Player, action: UsePower) -> None:
    _its_turn(course, player)
    usable = usable_power(player)
    if usable is None:
        raise Illegal("power_runs" if player.copy else "no_power")
    hero, cost = usable
    fields = _power_fields(course, player, action, hero.name)
    _pays(course.state, player, cost)
    course.happens(PowerUsed(player.seat, hero.name, cost, **fields))
    course.goes_on()


def _power_fields(course: Course, player: Player, action: UsePower, hero: str) -> dict[str, Any]:
    """What the power is used on: just what it asks for. Raises Illegal."""
    state, ground = course.state, course.ground
    painting = (action.x, action.y, action.color)
    if hero == KHARLIASS:
        if painting != (None, None, None):
            raise Illegal("no_square")
        return {"target": _target(state, player, action.target).seat}
    if action.target is not None:
        raise Illegal("no_target")
    if hero != MIRINDREL:
        if painting != (None, None, None):
            raise Illegal("no_square")
        return {}
    if action.x is None or action.y is None or action.color is None:
        raise Illegal("square_needed")
    square = ground.square_at(action.x, action.y)
    if square is None:
        raise Illegal("off_the_board", x=action.x, y=action.y)
    if any(ground.is_aim(each.arm, square) for each in state.players):
        raise Illegal("aim_square", x=action.x, y=action.y)
    if action.color not in ground.colors or action.color == ground.color_at(square, state.painted):
        raise Illegal("bad_color", color=_quoted(action.color))
    return {"square": square, "color": action.color}


def _choose_hero(course: Course, player: Player, action: ChooseHero) -> None:
    state = course.state
    if not state.choosing:
        raise Illegal("heroes_are_chosen")
    if state.current.seat != player.seat:
        raise Illegal("not_your_turn", turn=state.current.seat)
    if action.hero not in state.offered:
        raise Illegal("no_such_hero", hero=_quoted(action.hero))
    course.happens(HeroChosen(player.seat, action.hero))
    course.next_choice()


# --- coming and going ----------------------------------------------------------------------------------


def _take_over(course: Course, player: Player, action: TakeOver) -> None:
    """By now `decide` has said that he is back."""
    if not course.facts:
        raise Illegal("plays_himself")


def _leave(course: Course, seat: Seat, action: Leave) -> None:
    _playing(course.state, seat)
    course.resigns(seat)


def _back(course: Course, seat: Seat, action: Back) -> None:
    """Whoever connects again plays for himself again."""
    player = course.state.player(seat)
    if player is not None and player.stood_in and course.state.ended is None:
        course.happens(Returned(seat))


def _replace(course: Course, seat: Seat, action: Replace) -> None:
    """Whoever comes in another's place goes on with all that was his."""
    player = _playing(course.state, seat)
    if action.role:
        raise Illegal("no_roles")
    if player.stood_in or player.passed:
        course.happens(Returned(seat))


def _away(course: Course, seat: Seat, action: Away) -> None:
    """A turn that runs out of time says enough."""


def _join(course: Course, seat: Seat, action: Join) -> None:
    raise Illegal("all_seated")


# --- time ----------------------------------------------------------------------------------------------


def _timeout(course: Course, seat: Seat, action: Timeout) -> None:
    """The turn is passed, and after the fourth in a row a robot goes on; a hero is dealt."""
    if seat != CLOCK:
        raise Illegal("clock_only")
    state = course.state
    if state.ended or state.current.seat != action.seat:
        return
    if state.choosing:
        course.happens(HeroChosen(action.seat, course.rng.choice(state.offered), late=True))
        course.next_choice()
        return
    if state.strike is not None:
        course.happens(PushSkipped(action.seat))
    course.happens(Passed(action.seat, late=True))
    player = course.state.current
    if player.passed >= PATIENCE and not player.stood_in:
        course.happens(StoodIn(action.seat))
    course.turn_ends()


def _alarm(course: Course, seat: Seat, action: Alarm) -> None:
    """Nothing that a game rings for is decided here: see `ArenaRules.decide`."""
    if seat != CLOCK:
        raise Illegal("clock_only")


def _time_given_back(course: Course, seat: Seat, action: TimeGivenBack) -> None:
    """The clocks of turns belong to the table: nothing here moves with them."""
    if seat != CLOCK:
        raise Illegal("clock_only")


def _quoted(text: str) -> str:
    """What somebody has sent, short enough to be said back."""
    return "".join(letter for letter in text if letter.isprintable())[:30]


_MOVES: dict[type[Action], Callable[[Course, Player, Any], None]] = {
    Play: _play,
    Discard: _discard,
    PlayTrump: _play_trump,
    UsePower: _use_power,
    Push: _push,
    SkipPush: _skip_push,
    Pass: _pass,
    ChooseHero: _choose_hero,
    TakeOver: _take_over,
}

_OF_THE_TABLE: dict[type[Action], Callable[[Course, Seat, Any], None]] = {
    Join: _join,
    Leave: _leave,
    Replace: _replace,
    Away: _away,
    Back: _back,
    Alarm: _alarm,
    Timeout: _timeout,
    TimeGivenBack: _time_given_back,
}
