"""Diplomacy worked out for whoever asks: orders read and checked, what is legal, what comes of a phase."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

import msgspec

from tablee.club.limits import network
from tablee.rules.diplomacy.account import account_of
from tablee.rules.diplomacy.adjustments import owed
from tablee.rules.diplomacy.game import Played
from tablee.rules.diplomacy.legal import legal_orders, spelled
from tablee.rules.diplomacy.model import AFJD, DATC, Act, Order, Reason, Season
from tablee.rules.diplomacy.names import names_of
from tablee.rules.diplomacy.notation import NotUnderstood, Standing, said_lines
from tablee.rules.diplomacy.phases import active_roles, next_phase, resolve
from tablee.rules.diplomacy.phases import year as year_of
from tablee.rules.diplomacy.report import WORDS, say_reason
from tablee.rules.diplomacy.submission import order_faults, unordered, wrong_number
from tablee.rules.diplomacy.validation import check as fault_of
from tablee.rules.diplomacy.variant import Variant, load_variant
from tablee.wire.http.routes import BODY_LIMIT

from ...api.ask import Ask
from ...api.errors import Refusal
from ...api.registry import Body, Routes, Who
from ...shapes import Shape
from .shapes import (
    Advancement,
    Language,
    OrderForms,
    OrderNumbers,
    PlayedShape,
    ReportLineShape,
    SituationForm,
    SituationShape,
    language_of,
    line_shapes,
    orders_from,
    played_shape,
    situation_from,
    situation_shape,
)

Json = Any
T = TypeVar("T")
routes = Routes("diplomacy")

LINES_MOST = 1000
ORDERS_ELEMENTS = 20_000
"""Values in a body with a thousand orders of seven numbers, and a position."""
Role = Annotated[int, msgspec.Meta(ge=1, le=100)]
Text = Annotated[str, msgspec.Meta(max_length=20_000)]


class Start(Shape, frozen=True):
    """The position that a variant begins with, and the year of its first phase."""

    year: int
    advancement: int
    situation: SituationShape


@routes.get("/games/diplomacy/{variant}/start", who=Who.ANYONE)
async def start_of_variant(ask: Ask, variant: str) -> Start:
    """The position at the beginning of a variant of Diplomacy."""
    board = _board(ask, variant)
    return Start(year=year_of(board, 0), advancement=0, situation=situation_shape(board.start()))


class ReadLine(Shape, frozen=True):
    """One order as it was written, and what it means: `order` is null where it means none.

    An order that is understood but may not be given has a `fault` too.
    """

    text: str
    order: OrderNumbers | None
    fault: str | None


class Reading(Body, frozen=True):
    advancement: Advancement
    situation: SituationForm
    text: Text
    role: Role | None = None  # null: the text says whose orders these are, or the units do
    language: Language | None = None


class ReadingAnswer(Shape, frozen=True):
    """A text, order by order."""

    lines: list[ReadLine]


@routes.post("/games/diplomacy/{variant}/reading", who=Who.ANYONE, body_limit=2 * BODY_LIMIT)
async def read_orders(ask: Ask, variant: str, body: Reading) -> ReadingAnswer:
    """Read orders in French or English notation, a line or a semicolon each; faults are told in words."""
    board = _board(ask, variant)
    return await ask.worked_out(lambda: _read(board, body, body.language or language_of(ask)))


def _read(variant: Variant, body: Reading, language: Language) -> ReadingAnswer:
    situation = situation_from(variant, body.situation, body.advancement)
    role = _role(variant, body.role) or 0
    names = names_of(variant, language)
    said = [piece for line in body.text.splitlines() for piece in line.partition("#")[0].split(";")]
    if len(said) > LINES_MOST:
        raise Refusal("invalid", detail=f"{len(said)} lines, at most {LINES_MOST}", at="$.text")
    standing = Standing.of(variant, situation, body.advancement)
    lines: list[ReadLine] = []
    for text, speaker in said_lines(variant, (piece for piece in said if not _is_remark(piece)), role):
        order: Order | None = None
        fault: str | None = None
        try:
            if speaker is not None:
                order = spelled(variant, situation, standing.read(text, speaker))
        except NotUnderstood as error:
            fault = error.sentence(WORDS[language])
        if order is not None:
            reason = fault_of(variant, body.advancement, situation, order)
            if role and order.role != role:
                reason = Reason("not-your-role", {"role": order.role})
            fault = None if reason is None else say_reason(names, reason, language)
        lines.append(ReadLine(text=text, order=None if order is None else _form(order), fault=fault))
    return ReadingAnswer(lines=lines)


def _is_remark(text: str) -> bool:
    """Whether this is what a report says behind an order, so that a report can be read as orders."""
    said = text.strip()
    default = {words["report.default"] for words in WORDS.values()}
    return said.startswith("(") or said in default


class Checking(Body, frozen=True):
    advancement: Advancement
    situation: SituationForm
    orders: OrderForms
    role: Role | None = None  # null: the orders of everybody
    choices: Literal["DATC", "AFJD"] = "DATC"
    language: Language | None = None


class Checked(Shape, frozen=True):
    """What is wrong with each order, the zones of units without one, and a wrong number of adjustments."""

    faults: list[str | None]
    missing: list[int]
    too_many: str | None


@routes.post("/games/diplomacy/{variant}/check", who=Who.ANYONE, elements_most=ORDERS_ELEMENTS)
async def check_orders(ask: Ask, variant: str, body: Checking) -> Checked:
    """Say what is wrong with each of these orders, and what is missing."""
    board = _board(ask, variant)
    return await ask.worked_out(lambda: _checked(board, body, body.language or language_of(ask)))


def _checked(variant: Variant, body: Checking, language: Language) -> Checked:
    situation = situation_from(variant, body.situation, body.advancement)
    orders = orders_from(variant, body.orders, situation)
    given = _role(variant, body.role)
    choices = AFJD if body.choices == "AFJD" else DATC
    names = names_of(variant, language)
    faults: list[str | None] = [None] * len(orders)
    missing: list[int] = []
    numbers: list[str] = []
    for role in range(1, variant.roles + 1) if given is None else (given,):
        own = [index for index, order in enumerate(orders) if given is not None or order.role == role]
        theirs = [orders[index] for index in own]
        found = order_faults(variant, body.advancement, situation, role, theirs, choices)
        for index, reason in zip(own, found, strict=True):
            faults[index] = None if reason is None else say_reason(names, reason, language)
        missing += unordered(variant, body.advancement, situation, role, theirs)
        number = wrong_number(variant, body.advancement, situation, role, theirs)
        if number is not None:
            said = say_reason(names, number, language)
            colon = "\u00a0: " if language == "fr" else ": "
            numbers.append(said if given is not None else f"{names.roles[role]}{colon}{said}")
    return Checked(faults=faults, missing=missing, too_many="\n".join(numbers) or None)


class Situated(Body, frozen=True):
    advancement: Advancement
    situation: SituationForm
    role: Role | None = None  # null: everybody's


class LegalOrdersAnswer(Shape, frozen=True):
    """Legal orders by the zone of the unit or the region to build in; among adjustments how many, by role."""

    orders: dict[str, list[OrderNumbers]]
    most: dict[str, int]


@routes.post("/games/diplomacy/{variant}/legal", who=Who.ANYONE)
async def orders_allowed(ask: Ask, variant: str, body: Situated) -> LegalOrdersAnswer:
    """Every order that may be given in a position, of one role or of all."""
    board = _board(ask, variant)
    return await ask.worked_out(lambda: _allowed(board, body))


def _allowed(variant: Variant, body: Situated) -> LegalOrdersAnswer:
    situation = situation_from(variant, body.situation, body.advancement)
    role = _role(variant, body.role)
    found = legal_orders(variant, body.advancement, situation, role)
    due = owed(variant, situation) if body.advancement % 5 == Season.ADJUSTMENTS else {}
    return LegalOrdersAnswer(
        orders={str(zone): [_form(order) for order in orders] for zone, orders in found.items()},
        most={str(each): abs(number) for each, number in due.items() if role in (None, each)},
    )


class Problem(Body, frozen=True):
    advancement: Advancement
    situation: SituationForm
    orders: OrderForms
    choices: Literal["DATC", "AFJD"] = "DATC"
    language: Language | None = None


class Resolved(Shape, frozen=True):
    """What comes of a phase, told, and the next phase in which somebody has something to order."""

    played: PlayedShape
    explanations: list[str]  # why, for each verdict
    report: str
    lines: list[ReportLineShape]
    after: SituationShape  # at the end of this phase
    situation: SituationShape  # in the next phase to order in
    advancement: int  # of that phase
    passed: list[int]  # phases between in which nobody had anything to order
    owing: list[int]  # the roles that have


@routes.post("/games/diplomacy/{variant}/resolution", who=Who.ANYONE, elements_most=ORDERS_ELEMENTS)
async def resolution(ask: Ask, variant: str, body: Problem) -> Resolved:
    """Resolve a phase on any position, with an explanation of each verdict; it changes no game."""
    board = _board(ask, variant)
    return await ask.worked_out(lambda: _resolved(board, body, body.language or language_of(ask)))


def _resolved(variant: Variant, body: Problem, language: Language) -> Resolved:
    before = situation_from(variant, body.situation, body.advancement)
    orders = orders_from(variant, body.orders, before)
    choices = AFJD if body.choices == "AFJD" else DATC
    found = resolve(variant, body.advancement, before, orders, choices)
    told = account_of(
        variant,
        body.advancement,
        before,
        found.verdicts,
        found.situation,
        found.destroyed,
        choices,
        language,
    )
    advancement, situation, passed = next_phase(variant, body.advancement, found.situation, choices)
    return Resolved(
        played=played_shape(Played(body.advancement, found.verdicts, found.destroyed, before, 0)),
        explanations=list(told.explanations),
        report=told.report,
        lines=line_shapes(told),
        after=situation_shape(found.situation),
        situation=situation_shape(situation),
        advancement=advancement,
        passed=list(passed),
        owing=list(active_roles(variant, advancement, situation)),
    )


# --- below ----------------------------------------------------------------------------------------------


def _board(ask: Ask, variant: str) -> Variant:
    """The variant that was named, after counting the question; raises Refusal, TooMany."""
    ask.house.limits.take("web_solver", network(ask.address))
    if ("diplomacy", variant) not in ask.house.tables.games:
        raise Refusal("not_found")
    return load_variant(variant)


def _role(variant: Variant, role: int | None) -> int | None:
    if role is not None and role > variant.roles:
        raise Refusal("invalid", detail=f"a role is a number from 1 to {variant.roles}", at="$.role")
    return role


def _form(order: Order) -> OrderNumbers:
    role, act, zone, passive, destination, via, kind = map(int, order)
    return role, act, zone, passive, destination, via, kind if act == Act.BUILD else 0
