"""Positions, orders and seasons of Diplomacy as this door takes and gives them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from tablee.rules.diplomacy.account import Account
from tablee.rules.diplomacy.forms import BadForm, read_order_forms, read_situation, write_situation
from tablee.rules.diplomacy.game import Played
from tablee.rules.diplomacy.model import Order, Situation
from tablee.rules.diplomacy.problem import LATEST
from tablee.rules.diplomacy.showing import show_played
from tablee.rules.diplomacy.variant import Variant

from ...api.ask import Ask
from ...api.errors import Refusal
from ...api.registry import Body
from ...shapes import Shape

Json = Any
Number = Annotated[int, msgspec.Meta(ge=0, le=LATEST)]
Advancement = Annotated[
    int, msgspec.Meta(ge=0, le=LATEST, description="The phase: 0 spring moves, 1 summer retreats …")
]
Language = Literal["fr", "en"]
Flag = bool | Annotated[int, msgspec.Meta(ge=0, le=1)]
OrderForm = tuple[Number, Number, Number, Number, Number, Flag, Number]
"""`[role, type, zone, passive, destination, via_convoy, kind]`; what an order does not need is 0."""
OrderNumbers = tuple[int, int, int, int, int, int, int]
OrderForms = Annotated[list[OrderForm], msgspec.Meta(max_length=1000)]


class SituationForm(Body, frozen=True):
    """A position, as the services write it: numbers of centres and roles are the keys, as texts."""

    ownerships: dict[str, Number] = msgspec.field(default_factory=dict)
    units: dict[str, list[tuple[Number, Number]]] = msgspec.field(default_factory=dict)
    dislodged_ones: dict[str, list[tuple[Number, Number, Number]]] = msgspec.field(default_factory=dict)
    fake_units: dict[str, list[tuple[Number, Number]]] = msgspec.field(default_factory=dict)
    forbiddens: list[Number] = msgspec.field(default_factory=list)


class SituationShape(Shape, frozen=True):
    """The same on its way out."""

    ownerships: dict[str, int]
    units: dict[str, list[tuple[int, int]]]
    dislodged_ones: dict[str, list[tuple[int, int, int]]]
    fake_units: dict[str, list[tuple[int, int]]]
    forbiddens: list[int]


class ReasonShape(Shape, frozen=True):
    """Why an order may not be given: a key of the game's words under `reason`, and its parts."""

    code: str
    parts: dict[str, int]


class VerdictShape(Shape, frozen=True):
    """What became of an order."""

    order: OrderNumbers
    outcome: Literal["succeeds", "bounces", "cut", "void", "disrupted", "no-convoy", "illegal"]
    marks: list[Literal["dislodged", "paradox", "by_default", "disbanded"]]
    reason: ReasonShape | None


class PlayedShape(Shape, frozen=True):
    """A phase that was resolved; `destroyed` are `[role, kind, zone]` of units that had no say in it."""

    advancement: int
    before: SituationShape
    verdicts: list[VerdictShape]
    destroyed: list[tuple[int, int, int]]


class ReportLineShape(Shape, frozen=True):
    """A line of a report; `verdict` counts from 0, and is null for a heading or who owns which centres."""

    role: int
    text: str
    verdict: int | None


def language_of(ask: Ask) -> Language:
    """The language to tell things in, where the request does not say it."""
    return "en" if ask.language == "en" else "fr"


def situation_from(variant: Variant, form: SituationForm, advancement: int) -> Situation:
    """The position that was sent; raises Refusal("invalid")."""
    try:
        return read_situation(variant, msgspec.to_builtins(form), advancement)
    except BadForm as error:
        raise Refusal("invalid", detail=str(error).rstrip("."), at="$.situation") from None


def orders_from(variant: Variant, forms: list[OrderForm], situation: Situation) -> list[Order]:
    """The orders that were sent; raises Refusal("invalid")."""
    try:
        return read_order_forms(variant, forms, situation)
    except BadForm as error:
        raise Refusal("invalid", detail=str(error).rstrip("."), at="$.orders") from None


def situation_shape(situation: Situation) -> SituationShape:
    return msgspec.convert(write_situation(situation), SituationShape)


def played_shape(played: Played) -> PlayedShape:
    return msgspec.convert(msgspec.to_builtins(show_played(played), str_keys=True), PlayedShape)


def line_shapes(account: Account) -> list[ReportLineShape]:
    return [ReportLineShape(role=each.role, text=each.text, verdict=each.verdict) for each in account.lines]
