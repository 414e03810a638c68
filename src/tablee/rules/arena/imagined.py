"""The arena as a robot imagines it: a state made of a view, with nothing in it that the view does not say."""

from __future__ import annotations

from collections.abc import Sequence

from tablee.rules.arena.ground import Ground, ground_of
from tablee.rules.arena.model import Active, ArenaState, Card, Player
from tablee.rules.contract import Json


def imagined(view: Json) -> ArenaState:
    """What a seat knows as a state: others hold no cards, and pawns that are not seen are not there."""
    ground = ground_of(view["description"])
    order: list[int] = view["order"]
    players = tuple(_player(ground, view, seat) for seat in order)
    turn = view["turn"]
    strike = view.get("strike")
    return ArenaState(
        view["description"],
        players,
        view["rounds"],
        tuple(view["offered"]),
        turn=0 if turn is None else order.index(turn),
        round=view["round"],
        trumped=view["trumped"],
        strike=None if strike is None else ground.colors.index(strike),
        painted={_square(ground, key): ground.colors.index(color) for key, color in view["painted"].items()},
    )


def _player(ground: Ground, view: Json, seat: int) -> Player:
    seen = view["players"][str(seat)]
    pawn = seen.get("pawn")
    own = seat == view.get("you")
    return Player(
        seat,
        seen["arm"],
        0 if pawn is None else pawn[1] * ground.board.W + pawn[0],
        _cards(ground, view["hand"]) if own else (),
        (),
        tuple(each["trump"] for each in view["trumps"]) if own else (),
        gauge=view["gauge"] if own else 0,
        effects=tuple(
            Active(each["trump"], each["left"], each["by"], each["firm"], each["acts"])
            for each in seen["effects"]
        ),
        hero=seen.get("hero"),
        mist=seen["mist"],
        blade=seen["blade"],
        copy=seen.get("copy"),
        copy_left=seen["copy_left"],
        rank=seen.get("rank"),
        on_board=pawn is not None,
    )


def _cards(ground: Ground, cards: Sequence[Json]) -> tuple[Card, ...]:
    return tuple(ground.numbers[each["card"], each["color"]] for each in cards)


def _square(ground: Ground, key: str) -> int:
    x, y = key.split(",")
    return int(y) * ground.board.W + int(x)
