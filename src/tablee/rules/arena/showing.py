"""What the arena looks like from a seat, and what a seat is told."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tablee.rules.arena.board import squares_of
from tablee.rules.arena.description import Trump
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
from tablee.rules.contract import MASTER, Fact, Json, Seat


def view(state: ArenaState, seat: Seat) -> Json:
    """All that a seat may know; the master of the house sees every hand."""
    ground = ground_of(state.description)
    running = state.ended is None
    turn = state.current if running else None
    own = state.player(seat)
    knows_strike = turn is not None and (turn.seen_by(seat) or seat == MASTER)
    seen: dict[str, Json] = {
        "description": state.description,
        "you": None if own is None else seat,
        "order": [player.seat for player in state.players],
        "players": {str(p.seat): _player(ground, state, p, seat) for p in state.players},
        "turn": None if turn is None else turn.seat,
        "round": state.round,
        "rounds": state.rounds,
        "moves": 0 if turn is None or state.choosing else moves_left(ground, state),
        "trumped": state.trumped,
        "strike": ground.colors[state.strike] if knows_strike and state.strike is not None else None,
        "painted": {
            "{},{}".format(*ground.place(square)): ground.colors[color]
            for square, color in state.painted.items()
        },
        "offered": list(state.offered),
        "ended": state.ended,
    }
    if own is not None:
        seen |= _private(ground, own)
    if seat == MASTER:
        seen["private"] = {str(player.seat): _private(ground, player) for player in state.players}
    return seen


def _player(ground: Ground, state: ArenaState, player: Player, seat: Seat) -> Json:
    """What a seat may know of a player. A mist that outlasts the game hides nothing any more."""
    there = player.on_board
    seen = there and (player.seen_by(seat) or seat == MASTER or state.ended is not None)
    return {
        "arm": player.arm,
        "aims": [ground.place(square) for square in squares_of(ground.board.aims(player.arm))],
        "pawn": ground.place(player.pawn) if seen else None,
        "steps_home": ground.steps_home(player.arm, player.pawn) if seen else None,
        "cards": len(player.hand),
        "stock": len(player.stock),
        "played": _cards(ground, player.shown),
        "unseen": len(player.misty),
        "discarded": len(player.discarded),
        "effects": [
            {
                "trump": active.trump,
                "left": active.left,
                "by": active.by,
                "firm": active.firm,
                "acts": is_at_work(ground, player, active),
            }
            for active in player.effects
        ],
        "hero": player.hero,
        "mist": player.mist,
        "blade": player.blade,
        "copy": player.copy,
        "copy_left": player.copy_left,
        "rank": player.rank,
        "resigned": player.resigned,
        "robot": player.stood_in,
    }


def _trump(player: Player, trump: Trump) -> Json:
    """A trump as its player has it, with its author's own words."""
    return {"trump": trump.name, "cost": cost_of(player, trump), "description": trump.description}


def _private(ground: Ground, player: Player) -> dict[str, Json]:
    """What a player alone knows; the order of the stock nobody does."""
    power = usable_power(player) if player.playing else None
    return {
        "hand": _cards(ground, player.hand),
        "gauge": player.gauge,
        "trumps": [_trump(player, ground.trumps[name]) for name in player.trumps],
        "power": None if power is None else {"hero": power[0].name, "cost": power[1]},
        "put_away": _cards(ground, player.discarded),
        "hidden_plays": _cards(ground, player.misty),
    }


def _cards(ground: Ground, cards: Sequence[Card]) -> list[Json]:
    return [ground.named(card) for card in cards]


# --- facts ----------------------------------------------------------------------------------------------


def tell(before: ArenaState | None, fact: Fact, after: ArenaState, seat: Seat) -> Json | None:
    """A fact as a seat may hear it."""
    told = msgspec.to_builtins(fact, str_keys=True)
    ground = ground_of(after.description)
    match fact:
        case Dealt():
            return {"is": "dealt", "order": list(fact.order), "heroes": told["heroes"]}
        case TurnBegan():
            del told["at"]
        case Played() if before is not None:
            return _told_played(ground, before, fact, seat)
        case Discarded():
            del told["card"]
            if fact.seat == seat:
                told |= ground.named(fact.card)
        case TrumpPlayed():
            target = after.player(fact.target)
            assert target is not None
            del told["holds"]
            told["acts"] = is_at_work(
                ground, target, Active(fact.trump, 1, fact.seat, fact.firm, fact.holds)
            )  # fmt: skip
        case PowerUsed():
            told = {key: value for key, value in told.items() if value is not None and key != "square"}
            if fact.square is not None:
                told["x"], told["y"] = ground.place(fact.square)
        case Pushed() | MistLifted():
            del told["square"]
            told["x"], told["y"] = ground.place(fact.square)
        case PushSkipped() if before is not None:
            player = before.player(fact.seat)
            if player is not None and not player.seen_by(seat):
                return None
        case Refilled():
            told = {
                "is": "refilled",
                "seat": fact.seat,
                "count": len(fact.cards),
                "anew": fact.stock is not None,
            }
            if fact.seat == seat:
                told["cards"] = _cards(ground, fact.cards)
    return told


def _told_played(ground: Ground, before: ArenaState, fact: Played, seat: Seat) -> Json:
    """A card and where it went; of one under the night mist, others hear that there was one."""
    player = before.player(fact.seat)
    assert player is not None
    if not player.seen_by(seat):
        return {"is": "played_in_mist", "seat": fact.seat}
    told: dict[str, Json] = {"is": "played", "seat": fact.seat, **ground.named(fact.card)}
    told["x"], told["y"] = ground.place(fact.square)
    told["from"] = ground.place(fact.origin)
    if fact.seat == seat:
        told["gauge"] = fact.gauge
    told["path"] = [ground.place(square) for square in way(ground, before, player, fact.card, fact.square)]
    told["strikes"] = fact.strikes
    return told
