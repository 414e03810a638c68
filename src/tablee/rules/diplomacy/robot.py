"""The robot player of Diplomacy: it sees the view of its seat, like anybody."""

from __future__ import annotations

from random import Random

from tablee.rules.contract import Action, Actions, Json
from tablee.rules.diplomacy.forms import read_situation
from tablee.rules.diplomacy.game import Adjudicate, Submit
from tablee.rules.diplomacy.strategy import orders_of
from tablee.rules.diplomacy.variant import load_variant


class Strategist:
    """Gives final orders for each of its roles that owes some; votes for nothing; as master, adjudicates."""

    def choose(self, view: Json, legal: Actions, rng: Random) -> Action | None:
        if view["you"] is None:
            adjudicate = Adjudicate(civil_disorder=True)
            return adjudicate if legal.allows(adjudicate) else None
        variant = load_variant(view["variant"])
        situation = read_situation(variant, view["situation"])
        for role, facts in view["roles"].items():
            if facts["seat"] == view["you"] and facts["owes"] and not facts["in"]:
                orders = orders_of(variant, view["advancement"], situation, int(role), rng)
                submit = Submit(int(role), tuple(orders), final=True)
                if legal.allows(submit):
                    return submit
        return None
