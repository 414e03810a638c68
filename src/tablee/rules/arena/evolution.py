"""What facts make of the arena."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from tablee.rules.arena.effects import put_on
from tablee.rules.arena.ground import ground_of
from tablee.rules.arena.heroes import ARLINE, HEROES, KHARLIASS, LUNI
from tablee.rules.arena.model import (
    MOST_GAUGE,
    Active,
    ArenaState,
    Card,
    Dealt,
    Discarded,
    Ended,
    Finished,
    HeroChosen,
    MistLifted,
    Passed,
    Played,
    Player,
    PowerUsed,
    Pushed,
    PushSkipped,
    Refilled,
    Resigned,
    Returned,
    StoodIn,
    TrumpPlayed,
    TurnBegan,
    TurnEnded,
)
from tablee.rules.contract import Fact, Seat


def evolve(state: ArenaState | None, fact: Fact) -> ArenaState:
    """The state after a fact."""
    if isinstance(fact, Dealt):
        return _dealt(fact)
    assert state is not None
    return _CHANGES[type(fact)](state, fact)


def _dealt(fact: Dealt) -> ArenaState:
    board = ground_of(fact.description).board
    count = len(fact.order)
    arms = [board.arm_of_seat(place, count) for place in range(count)]
    players = tuple(
        Player(
            seat,
            arm,
            board.starts[arm],
            fact.hands[seat],
            fact.stocks[seat],
            fact.trumps[seat],
            hero=fact.heroes.get(seat),
        )
        for seat, arm in zip(fact.order, arms, strict=True)
    )
    return ArenaState(fact.description, players, fact.rounds, fact.offered)


def _changed(state: ArenaState, seat: Seat, change: Callable[[Player], Player], **others: Any) -> ArenaState:
    players = tuple(change(player) if player.seat == seat else player for player in state.players)
    return replace(state, players=players, **others)


def _hero_chosen(state: ArenaState, fact: HeroChosen) -> ArenaState:
    left = tuple(hero for hero in state.offered if hero != fact.hero)
    state = _changed(state, fact.seat, lambda p: replace(p, hero=fact.hero), offered=left)
    return replace(state, turn=next_chooser(state))


def next_chooser(state: ArenaState) -> int:
    """The place of the next who plays and has no hero; where there is none, the place that it is."""
    waiting = (place for place, p in enumerate(state.players) if p.playing and p.hero is None)
    return next(waiting, state.turn)


def _turn_began(state: ArenaState, fact: TurnBegan) -> ArenaState:
    place = next(place for place, player in enumerate(state.players) if player.seat == fact.seat)
    first = state.round == 0
    return replace(
        state,
        turn=place,
        round=fact.round,
        began_at=fact.at,
        used=0,
        acts=0,
        short=first and len(state.players) == 2,
        trumped=False,
        strike=None,
        offered=(),
    )


def _played(state: ArenaState, fact: Played) -> ArenaState:
    def change(player: Player) -> Player:
        pile = {"misty": (*player.misty, fact.card)} if player.mist else {"shown": (*player.shown, fact.card)}
        return replace(
            player,
            hand=_without(player.hand, fact.card),
            pawn=fact.square,
            gauge=min(MOST_GAUGE, player.gauge + fact.gauge),
            passed=0,
            **pile,
        )

    ground = ground_of(state.description)
    strike = ground.colors.index(ground.printed[fact.card].color) if fact.strikes else None
    return _changed(state, fact.seat, change, used=state.used + 1, acts=state.acts + 1, strike=strike)


def _without(hand: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """The hand with one such card less. One that lacks it, which only a twin does, loses another."""
    place = hand.index(card) if card in hand else len(hand) - 1
    return hand[:place] + hand[place + 1 :]


def _discarded(state: ArenaState, fact: Discarded) -> ArenaState:
    def change(player: Player) -> Player:
        hand, pile = _without(player.hand, fact.card), (*player.discarded, fact.card)
        return replace(player, hand=hand, discarded=pile, passed=0)

    return _changed(state, fact.seat, change, used=state.used + 1, acts=state.acts + 1)


def _trump_played(state: ArenaState, fact: TrumpPlayed) -> ArenaState:
    ground = ground_of(state.description)
    active = Active(
        fact.trump, ground.trumps[fact.trump].duration, fact.seat, fact.firm, fact.holds
    )  # fmt: skip
    paid = _paid(state, fact.seat, fact.cost)
    return _changed(paid, fact.target, lambda player: put_on(ground, player, active))


def _paid(state: ArenaState, seat: Seat, cost: int) -> ArenaState:
    return _changed(
        state,
        seat,
        lambda player: replace(player, gauge=max(0, player.gauge - cost), passed=0),
        trumped=True,
        acts=state.acts + 1,
    )


def _power_used(state: ArenaState, fact: PowerUsed) -> ArenaState:
    paid = _paid(state, fact.seat, fact.cost)
    turns = HEROES[fact.hero].turns
    if fact.hero == ARLINE:
        return _changed(paid, fact.seat, lambda player: replace(player, mist=turns))
    if fact.hero == LUNI:
        return _changed(paid, fact.seat, lambda player: replace(player, blade=turns))
    if fact.hero == KHARLIASS:
        target = next((player for player in state.players if player.seat == fact.target), None)
        copied = None if target is None else target.hero
        return _changed(paid, fact.seat, lambda player: replace(player, copy=copied, copy_left=turns))
    if fact.square is None or fact.color is None:
        return paid
    color = ground_of(state.description).colors.index(fact.color)
    return replace(paid, painted=dict(sorted({**state.painted, fact.square: color}.items())))


def _pushed(state: ArenaState, fact: Pushed) -> ArenaState:
    pushed = _changed(state, fact.target, lambda player: replace(player, pawn=fact.square))
    return _changed(
        pushed, fact.seat, lambda player: replace(player, passed=0), strike=None, acts=state.acts + 1
    )


def _push_skipped(state: ArenaState, fact: PushSkipped) -> ArenaState:
    return replace(state, strike=None, acts=state.acts + 1)


def _passed(state: ArenaState, fact: Passed) -> ArenaState:
    return _changed(
        state, fact.seat, lambda player: replace(player, passed=player.passed + 1 if fact.late else 0)
    )


def _mist_lifted(state: ArenaState, fact: MistLifted) -> ArenaState:
    return _changed(state, fact.seat, lambda player: replace(player, mist=0, pawn=fact.square))


def _turn_ended(state: ArenaState, fact: TurnEnded) -> ArenaState:
    def change(player: Player) -> Player:
        lasting = tuple(replace(each, left=each.left - 1) for each in player.effects if each.left > 1)
        left = max(0, player.copy_left - 1)
        return replace(
            player,
            effects=lasting,
            mist=max(0, player.mist - 1),
            blade=max(0, player.blade - 1),
            copy=player.copy if left else None,
            copy_left=left,
        )

    return _changed(state, fact.seat, change)


def _refilled(state: ArenaState, fact: Refilled) -> ArenaState:
    def change(player: Player) -> Player:
        hand = (*player.hand, *fact.cards)
        if fact.stock is None:
            return replace(player, hand=hand, stock=player.stock[len(fact.cards) :])
        return replace(player, hand=hand, stock=fact.stock, shown=(), misty=(), discarded=())

    return _changed(state, fact.seat, change)


def _home(player: Player, rank: int, resigned: bool) -> Player:
    """Off the board, and nothing acts on him any more."""
    return replace(
        player,
        rank=rank,
        on_board=False,
        resigned=resigned,
        effects=(),
        mist=0,
        blade=0,
        copy=None,
        copy_left=0,
        stood_in=False,
    )


def _finished(state: ArenaState, fact: Finished) -> ArenaState:
    return _changed(state, fact.seat, lambda player: _home(player, fact.rank, resigned=False))


def _resigned(state: ArenaState, fact: Resigned) -> ArenaState:
    gone = _changed(state, fact.seat, lambda player: _home(player, fact.rank, resigned=True))
    if gone.current.seat == fact.seat:
        gone = replace(gone, strike=None)
    return replace(gone, turn=next_chooser(gone)) if gone.choosing else gone


def _stood_in(state: ArenaState, fact: StoodIn) -> ArenaState:
    return _changed(state, fact.seat, lambda player: replace(player, stood_in=True))


def _returned(state: ArenaState, fact: Returned) -> ArenaState:
    return _changed(state, fact.seat, lambda player: replace(player, stood_in=False, passed=0))


def _ended(state: ArenaState, fact: Ended) -> ArenaState:
    players = tuple(replace(player, rank=fact.ranks[player.seat]) for player in state.players)
    return replace(state, players=players, ended=fact.reason, strike=None)


_CHANGES: dict[type[Fact], Callable[[ArenaState, Any], ArenaState]] = {
    HeroChosen: _hero_chosen,
    TurnBegan: _turn_began,
    Played: _played,
    Discarded: _discarded,
    TrumpPlayed: _trump_played,
    PowerUsed: _power_used,
    Pushed: _pushed,
    PushSkipped: _push_skipped,
    Passed: _passed,
    MistLifted: _mist_lifted,
    TurnEnded: _turn_ended,
    Refilled: _refilled,
    Finished: _finished,
    Resigned: _resigned,
    StoodIn: _stood_in,
    Returned: _returned,
    Ended: _ended,
}
