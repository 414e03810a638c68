"""Who may be struck by a trump, what it costs, and which trumps a player is dealt."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tablee.rules.arena.description import Trump
from tablee.rules.arena.effects import kind_of
from tablee.rules.arena.ground import Ground
from tablee.rules.arena.heroes import DJOR, WALLS, surcharge
from tablee.rules.arena.model import MOST_EFFECTS, TRUMPS, ArenaState, Player, TrumpPlayed
from tablee.rules.contract import Seat


def deal_trumps(trumps: Sequence[Trump], rng: Random) -> tuple[str, ...]:
    """Four different trumps drawn by their weights; all of them where there are no more."""
    left = list(trumps)
    dealt: list[str] = []
    while left and len(dealt) < TRUMPS:
        drawn = rng.choices(left, [trump.weight for trump in left])[0]
        left.remove(drawn)
        dealt.append(drawn.name)
    return tuple(dealt)


def cost_of(player: Player, trump: Trump) -> int:
    """What a trump costs this player now: a passive power makes it dearer."""
    return trump.cost + surcharge(player)


def may_be_targeted(state: ArenaState, player: Player) -> tuple[Seat, ...]:
    """Those whom a trump or a power of this player may strike: others, seen, still on their way."""
    return tuple(
        other.seat
        for other in state.players
        if other.seat != player.seat and other.playing and other.mist == 0
    )


def has_room(trump: Trump, target: Player) -> bool:
    """Whether one more trump may act on this player; what acts at once needs no room."""
    return kind_of(trump).at_once or len(target.effects) < MOST_EFFECTS


def targets(ground: Ground, state: ArenaState, player: Player, name: str) -> tuple[Seat, ...]:
    """On whom a trump of this player may be played now; none where it may not be played at all."""
    trump = ground.trumps[name]
    if state.trumped or player.gauge < cost_of(player, trump):
        return ()
    seats = may_be_targeted(state, player) if trump.must_target_player else (player.seat,)
    return tuple(p.seat for p in state.players if p.seat in seats and has_room(trump, p))


def trump_played(player: Player, target: Seat, trump: Trump, rng: Random) -> TrumpPlayed:
    """The trump on the table; of Djor's Towers and Fortresses a coin says whether Force of nature bends."""
    cost = cost_of(player, trump)
    firm = trump.base in WALLS and player.has_power_of(DJOR)
    return TrumpPlayed(player.seat, target, trump.name, cost, firm, holds=firm and rng.random() < 0.5)
