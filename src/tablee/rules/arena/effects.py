"""What trumps do: a registry by the names of effects, so that a description combines them without code."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from msgspec.structs import replace

from tablee.rules.arena.description import Trump
from tablee.rules.arena.ground import Ground
from tablee.rules.arena.heroes import RAZBRAK, WALLS
from tablee.rules.arena.model import Active, Player


class Lasting:
    """An effect that stays on a player for some turns; each kind changes what it is about."""

    at_once = False

    def moves(self, effect: Any) -> int:
        """By how much the moves of a turn change."""
        return 0

    def lost_colors(self, effect: Any) -> Collection[str]:
        """Colours that the player's cards may not step on."""
        return ()

    def changes_duration(self, trump: Trump, other: Trump) -> int:
        """By how many turns another effect that is there lasts longer, or less long, from now on."""
        return 0


class ModifyNumberMoves(Lasting):
    """More or fewer moves in a turn."""

    def moves(self, effect: Any) -> int:
        return int(effect.delta_moves)


class RemoveColor(Lasting):
    """The player's cards lose some colours."""

    def lost_colors(self, effect: Any) -> Collection[str]:
        return tuple(effect.colors)


class RemoveEffects(Lasting):
    """Other effects lose as much of their duration as this trump has; nothing of itself stays."""

    at_once = True

    def changes_duration(self, trump: Trump, other: Trump) -> int:
        effect: Any = trump.effect
        return -trump.duration if other.base in effect.effects else 0


class ModifyTrumpDurations(Lasting):
    """Other effects last longer or less long; nothing of itself stays."""

    at_once = True

    def changes_duration(self, trump: Trump, other: Trump) -> int:
        effect: Any = trump.effect
        struck = not effect.trump_names or other.base in effect.trump_names
        return int(effect.delta_duration) if struck else 0


EFFECTS: dict[str, Lasting] = {
    "ModifyNumberMoves": ModifyNumberMoves(),
    "RemoveColor": RemoveColor(),
    "RemoveEffects": RemoveEffects(),
    "ModifyTrumpDurations": ModifyTrumpDurations(),
}


def kind_of(trump: Trump) -> Lasting:
    """What a trump does."""
    return EFFECTS[type(trump.effect).__struct_config__.tag]  # type: ignore[index]


def is_at_work(ground: Ground, player: Player, active: Active) -> bool:
    """Whether a trump on this player does anything: Force of nature shrugs off Towers and Fortresses,
    and of Djor's those for which the coin fell so."""
    wall = ground.trumps[active.trump].base in WALLS
    if wall and player.has_power_of(RAZBRAK):
        return active.firm and active.holds
    return True


def change_of_moves(ground: Ground, player: Player) -> int:
    """By how much a turn of this player is longer or shorter."""
    return sum(kind_of(trump).moves(trump.effect) for _, trump in effects_at_work(ground, player))


def lost_colors(ground: Ground, player: Player) -> frozenset[str]:
    """The colours that this player's cards may not step on."""
    return frozenset(
        color
        for _, trump in effects_at_work(ground, player)
        for color in kind_of(trump).lost_colors(trump.effect)
    )


def effects_at_work(ground: Ground, player: Player) -> Iterator[tuple[Active, Trump]]:
    """The trumps on a player that do something."""
    for active in player.effects:
        if is_at_work(ground, player, active):
            yield active, ground.trumps[active.trump]


def put_on(ground: Ground, player: Player, active: Active) -> Player:
    """The player after a trump was played on him."""
    trump = ground.trumps[active.trump]
    kind = kind_of(trump)
    if not kind.at_once:
        return replace(player, effects=(*player.effects, active))
    effects = []
    for each in player.effects:
        change = kind.changes_duration(trump, ground.trumps[each.trump])
        # Nothing takes a firm one off before its time; it may well last longer.
        effects.append(replace(each, left=each.left + change) if change > 0 or not each.firm else each)
    return replace(player, effects=tuple(each for each in effects if each.left > 0))
