"""The eight heroes: whose power is what, what it costs, and which of them a description can have."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

import msgspec

from tablee.rules.arena.model import Player

ARLINE = "Arline"
DJOR = "Djor"
GAREZ = "Garez"
KHARLIASS = "Kharliass"
LUNI = "Luni"
MIRINDREL = "Mirindrel"
RAZBRAK = "Razbrak"
ULYA = "Ulya"

WALLS = ("Tower", "Fortress")
"""The trumps, before repetition, that Impassable and Force of nature are about."""
KNIGHT, QUEEN, WARRIOR = "Knight", "Queen", "Warrior"


class Hero(msgspec.Struct, frozen=True):
    """One hero; `needs` are cards or trumps of which the description must have one at least."""

    name: str
    power: str
    kind: Literal["active", "passive"]
    cost: int = 0
    """What an active power takes from the gauge."""
    turns: int = 0
    """How many turns an active power lasts, this one among them; 0: at once or for good."""
    surcharge: int = 0
    """By how much a passive power raises the cost of its owner's trumps."""
    cards: tuple[str, ...] = ()
    trumps: tuple[str, ...] = ()


HEROES = {
    hero.name: hero
    for hero in (
        Hero(ARLINE, "Night mist", "active", cost=10, turns=2),
        Hero(DJOR, "Impassable", "passive", trumps=WALLS),
        Hero(GAREZ, "Inveterate ride", "passive", surcharge=2, cards=(KNIGHT,)),
        Hero(KHARLIASS, "Metamorphosis", "active", cost=10, turns=2),
        Hero(LUNI, "Secret blade", "active", cost=10, turns=1, cards=(WARRIOR,)),
        Hero(MIRINDREL, "Terraforming", "active", cost=8),
        Hero(RAZBRAK, "Force of nature", "passive", surcharge=1, trumps=WALLS),
        Hero(ULYA, "Domination", "passive", surcharge=3, cards=(QUEEN,)),
    )
}


def offered(cards: Collection[str], trumps: Collection[str]) -> tuple[str, ...]:
    """The heroes of a description with these cards and these trumps (by their names before repetition)."""
    return tuple(
        hero.name
        for hero in HEROES.values()
        if (not hero.cards or any(card in cards for card in hero.cards))
        and (not hero.trumps or any(trump in trumps for trump in hero.trumps))
    )


def surcharge(player: Player) -> int:
    """By how much this player's trumps are dearer than printed."""
    return sum(HEROES[name].surcharge for name in (player.hero, player.copy) if name is not None)


def usable_power(player: Player) -> tuple[Hero, int] | None:
    """The active power that this player has now, and its cost; a copied one is free.

    While a Metamorphosis runs it is the copied power alone that counts.
    """
    if player.hero is None:
        return None
    hero = HEROES[player.copy or player.hero]
    if hero.kind == "passive":
        return None
    return hero, 0 if player.copy else hero.cost
