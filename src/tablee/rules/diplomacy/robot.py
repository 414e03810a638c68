"""The robot player of Diplomacy: it sees the view of its seat, like anybody."""

from __future__ import annotations

from random import Random

from tablee.rules.contract import Action, Actions
from tablee.rules.diplomacy.game import Adjudicate, Submit
from tablee.rules.diplomacy.strategy import orders_of
from tablee.rules.diplomacy.variant import load_variant
from tablee.rules.diplomacy.views import DiplomacyView


class Strategist:
    """Gives final orders for each of its roles that owes some; votes for nothing; as master, adjudicates."""

    def choose(self, view: DiplomacyView, legal: Actions, rng: Random) -> Action | None:
        if view.you is None:
            adjudicate = Adjudicate(civil_disorder=True)
            return adjudicate if legal.allows(adjudicate) else None
        variant = load_variant(view.variant)
        situation = view.situation.situation
        for role, shown in view.roles.items():
            if shown.seat == view.you and shown.owes and not shown.is_in:
                orders = orders_of(variant, view.advancement, situation, role, rng)
                submit = Submit(role, tuple(orders), final=True)
                if legal.allows(submit):
                    return submit
        return None
