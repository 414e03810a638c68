"""The arena as a robot imagines it: a state made of a view, with nothing in it that the view does not say."""

from __future__ import annotations

from tablee.rules.arena.ground import Ground, ground_of
from tablee.rules.arena.model import Active, ArenaState, Player
from tablee.rules.arena.views import ArenaView, OwnView, PlayerView
from tablee.rules.contract import Seat


def imagined(view: ArenaView) -> ArenaState:
    """What a seat knows as a state: others hold no cards, and pawns that are not seen are not there."""
    ground = ground_of(view.description)
    own = view.own
    return ArenaState(
        view.description,
        tuple(
            _player(ground, view.players[seat], seat, own if seat == view.you else None)
            for seat in view.order
        ),
        view.rounds,
        view.offered,
        turn=0 if view.turn is None else view.order.index(view.turn),
        round=view.round,
        trumped=view.trumped,
        strike=None if view.strike is None else ground.colors.index(view.strike),
        painted={_square(ground, key): ground.colors.index(color) for key, color in view.painted.items()},
    )


def _player(ground: Ground, seen: PlayerView, seat: Seat, own: OwnView | None) -> Player:
    pawn = seen.pawn
    return Player(
        seat,
        seen.arm,
        0 if pawn is None else pawn.y * ground.board.W + pawn.x,
        () if own is None else tuple(ground.numbers[each.card, each.color] for each in own.hand),
        (),
        () if own is None else tuple(each.trump for each in own.trumps),
        gauge=0 if own is None else own.gauge,
        effects=tuple(Active(each.trump, each.left, each.by, each.firm, each.acts) for each in seen.effects),
        hero=seen.hero,
        mist=seen.mist,
        blade=seen.blade,
        copy=seen.copy,
        copy_left=seen.copy_left,
        rank=seen.rank,
        on_board=pawn is not None,
    )


def _square(ground: Ground, key: str) -> int:
    x, y = key.split(",")
    return int(y) * ground.board.W + int(x)
