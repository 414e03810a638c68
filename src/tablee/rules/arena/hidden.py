"""States that a seat cannot tell apart: other hands, stocks and trumps, a pawn elsewhere in the mist."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from tablee.rules.arena.ground import Ground, ground_of
from tablee.rules.arena.model import MOST_GAUGE, ArenaState, Player
from tablee.rules.arena.trumps import deal_trumps
from tablee.rules.contract import MASTER, Seat


def shuffle_hidden(state: ArenaState, seat: Seat, rng: Random) -> ArenaState:
    """Another state that looks the same from this seat; even its own stock lies in another order."""
    if seat == MASTER:
        return state
    ground = ground_of(state.description)
    running = state.ended is None
    players = tuple(
        replace(player, stock=tuple(rng.sample(player.stock, len(player.stock))))
        if player.seat == seat
        else _other(ground, player, running, rng)
        for player in state.players
    )
    strike = state.strike if state.current.seen_by(seat) else None
    return replace(state, players=players, strike=strike)


def _other(ground: Ground, player: Player, running: bool, rng: Random) -> Player:
    pool = [*player.hand, *player.stock, *player.misty, *player.discarded]
    rng.shuffle(pool)
    dealt = iter(pool)

    def as_many(cards: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(next(dealt) for _ in cards)

    in_mist = player.mist > 0 and player.on_board and running
    return replace(
        player,
        hand=as_many(player.hand),
        stock=as_many(player.stock),
        misty=as_many(player.misty),
        discarded=as_many(player.discarded),
        trumps=deal_trumps(ground.description.trumps, rng),
        gauge=rng.randint(0, MOST_GAUGE),
        pawn=rng.randrange(ground.board.squares) if in_mist else player.pawn,
    )
