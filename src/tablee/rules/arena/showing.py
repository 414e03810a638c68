"""What the arena looks like from a seat, and what a seat is told."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET

from tablee.rules.arena.effects import is_at_work
from tablee.rules.arena.ground import Ground, ground_of
from tablee.rules.arena.heroes import usable_power
from tablee.rules.arena.model import (
    Active,
    ArenaState,
    Card,
    Dealt,
    Discarded,
    MistLifted,
    Played,
    Player,
    PowerUsed,
    Pushed,
    PushSkipped,
    Refilled,
    TrumpPlayed,
    TurnBegan,
)
from tablee.rules.arena.moves import moves_left, way
from tablee.rules.arena.trumps import cost_of
from tablee.rules.arena.views import (
    ArenaView,
    EffectView,
    NamedCard,
    OwnView,
    PlayedInMist,
    PlayerView,
    PowerView,
    ToldDealt,
    ToldDiscarded,
    ToldMistLifted,
    ToldPlayed,
    ToldPowerUsed,
    ToldPushed,
    ToldRefilled,
    ToldTrumpPlayed,
    ToldTurnBegan,
    TrumpView,
)
from tablee.rules.contract import MASTER, Fact, Seat


def view(state: ArenaState, seat: Seat) -> ArenaView:
    """All that a seat may know; the master of the house sees every hand."""
    ground = ground_of(state.description)
    running = state.ended is None
    turn = state.current if running else None
    player = state.player(seat)
    own = None if player is None else _own(ground, player)
    knows_strike = turn is not None and (turn.seen_by(seat) or seat == MASTER)
    return ArenaView(
        description=state.description,
        you=None if player is None else seat,
        order=tuple(player.seat for player in state.players),
        players={player.seat: _player(ground, state, player, seat) for player in state.players},
        turn=None if turn is None else turn.seat,
        round=state.round,
        rounds=state.rounds,
        moves=0 if turn is None or state.choosing else moves_left(ground, state),
        trumped=state.trumped,
        strike=ground.colors[state.strike] if knows_strike and state.strike is not None else None,
        painted={
            "{},{}".format(*ground.board.place(square)): ground.colors[color]
            for square, color in state.painted.items()
        },
        offered=state.offered,
        ended=state.ended,
        hand=UNSET if own is None else own.hand,
        gauge=UNSET if own is None else own.gauge,
        trumps=UNSET if own is None else own.trumps,
        power=UNSET if own is None else own.power,
        put_away=UNSET if own is None else own.put_away,
        hidden_plays=UNSET if own is None else own.hidden_plays,
        private={player.seat: _own(ground, player) for player in state.players} if seat == MASTER else UNSET,
    )


def _player(ground: Ground, state: ArenaState, player: Player, seat: Seat) -> PlayerView:
    """What a seat may know of a player. A mist that outlasts the game hides nothing any more."""
    there = player.on_board
    seen = there and (player.seen_by(seat) or seat == MASTER or state.ended is not None)
    return PlayerView(
        arm=player.arm,
        aims=ground.aims(player.arm),
        pawn=ground.board.place(player.pawn) if seen else None,
        steps_home=ground.steps_home(player.arm, player.pawn) if seen else None,
        cards=len(player.hand),
        stock=len(player.stock),
        played=_cards(ground, player.shown),
        unseen=len(player.misty),
        discarded=len(player.discarded),
        effects=tuple(
            EffectView(active.trump, active.left, active.by, active.firm, is_at_work(ground, player, active))
            for active in player.effects
        ),
        hero=player.hero,
        mist=player.mist,
        blade=player.blade,
        copy=player.copy,
        copy_left=player.copy_left,
        rank=player.rank,
        resigned=player.resigned,
        robot=player.stood_in,
    )


def _own(ground: Ground, player: Player) -> OwnView:
    power = usable_power(player) if player.playing else None
    trumps = [ground.trumps[name] for name in player.trumps]
    return OwnView(
        hand=_cards(ground, player.hand),
        gauge=player.gauge,
        trumps=tuple(TrumpView(trump.name, cost_of(player, trump), trump.description) for trump in trumps),
        power=None if power is None else PowerView(power[0].name, power[1]),
        put_away=_cards(ground, player.discarded),
        hidden_plays=_cards(ground, player.misty),
    )


def _cards(ground: Ground, cards: Sequence[Card]) -> tuple[NamedCard, ...]:
    return tuple([ground.cards[card] for card in cards])


# --- facts ----------------------------------------------------------------------------------------------


def tell(before: ArenaState | None, fact: Fact, after: ArenaState, seat: Seat) -> Fact | None:
    """A fact as a seat may hear it."""
    ground = ground_of(after.description)
    match fact:
        case Dealt():
            return ToldDealt(fact.order, fact.heroes)
        case TurnBegan():
            return ToldTurnBegan(fact.seat, fact.round)
        case Played():
            assert before is not None
            return _told_played(ground, before, fact, seat)
        case Discarded():
            if fact.seat != seat:
                return ToldDiscarded(fact.seat)
            card = ground.cards[fact.card]
            return ToldDiscarded(fact.seat, card.card, card.color)
        case TrumpPlayed():
            target = after.player(fact.target)
            assert target is not None
            active = Active(fact.trump, 1, fact.seat, fact.firm, fact.holds)
            acts = is_at_work(ground, target, active)
            return ToldTrumpPlayed(fact.seat, fact.target, fact.trump, fact.cost, fact.firm, acts)
        case PowerUsed():
            return _told_power(ground, fact)
        case Pushed():
            return ToldPushed(fact.seat, fact.target, *ground.board.place(fact.square))
        case MistLifted():
            return ToldMistLifted(fact.seat, *ground.board.place(fact.square))
        case PushSkipped() if before is not None:
            player = before.player(fact.seat)
            if player is not None and not player.seen_by(seat):
                return None
        case Refilled():
            cards = _cards(ground, fact.cards) if fact.seat == seat else UNSET
            return ToldRefilled(fact.seat, len(fact.cards), fact.stock is not None, cards)
    return fact


def _told_power(ground: Ground, fact: PowerUsed) -> ToldPowerUsed:
    x, y = (UNSET, UNSET) if fact.square is None else ground.board.place(fact.square)
    return ToldPowerUsed(
        seat=fact.seat,
        hero=fact.hero,
        cost=fact.cost,
        target=UNSET if fact.target is None else fact.target,
        color=UNSET if fact.color is None else fact.color,
        x=x,
        y=y,
    )


def _told_played(ground: Ground, before: ArenaState, fact: Played, seat: Seat) -> ToldPlayed | PlayedInMist:
    """A card and where it went; of one under the night mist, others hear that there was one."""
    player = before.player(fact.seat)
    assert player is not None
    if not player.seen_by(seat):
        return PlayedInMist(fact.seat)
    card, place = ground.cards[fact.card], ground.board.place
    x, y = place(fact.square)
    return ToldPlayed(
        seat=fact.seat,
        card=card.card,
        color=card.color,
        x=x,
        y=y,
        origin=place(fact.origin),
        gauge=fact.gauge if fact.seat == seat else UNSET,
        path=tuple(map(place, way(ground, before, player, fact.card, fact.square))),
        strikes=fact.strikes,
    )
