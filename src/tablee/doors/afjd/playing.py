"""GAMES: positions, reports, orders, adjudications, and the sandbox."""

from __future__ import annotations

from typing import Any

import msgspec
from starlette.responses import Response

from tablee.doors.afjd.calls import GAMES
from tablee.doors.afjd.house import Ask, variant_of, view_of
from tablee.doors.afjd.parameters import document, flag, integer, optional, text
from tablee.doors.afjd.refusal import Refusal
from tablee.doors.afjd.situations import (
    check_fakes,
    convoyed_zones,
    fake_rows,
    faults_text,
    names_in,
    order_rows,
    orders_of,
    orders_text,
    position_json,
    position_of,
)
from tablee.doors.afjd.solver import SITUATION, solved
from tablee.rules.contract import MASTER, Illegal
from tablee.rules.diplomacy.forms import write_order_form, write_situation
from tablee.rules.diplomacy.game import Adjudicate, Played, SetPosition, Submit
from tablee.rules.diplomacy.model import AFJD, Order, Situation
from tablee.rules.diplomacy.names import Names
from tablee.rules.diplomacy.phases import active_roles
from tablee.rules.diplomacy.problem import LATEST
from tablee.rules.diplomacy.report import title, write_report
from tablee.rules.diplomacy.submission import faults, unordered, wrong_number
from tablee.rules.diplomacy.variant import Variant, load_variant, variant_names
from tablee.rules.diplomacy.views import DiplomacyView, ToldAdjudicated
from tablee.tables import Chair, Over
from tablee.tables.terms import digest_of

Json = Any
NOT_RUNNING = "game is not running"
OWNERSHIPS = document(
    "center_ownerships", 'list of {"role", "center_num"}', {"type": "array", "items": {"type": "object"}}
)
UNITS = document(
    "units",
    'list of {"type_unit", "role", "zone"} and perhaps "dislodged_origin"',
    {"type": "array", "items": {"type": "object"}},
)
FORBIDDENS = optional(document("forbiddens", 'list of regions, or of {"region_num"}', {"type": "array"}))
ORDERS = document("orders", 'list of {"order_type", "active_unit", …}', {"type": "array"})
FAKES = optional(document("fake_units", "the units that builds name, again", {"type": "array"}))
NAMES = optional(document("names", "names for the report", {"type": "object"}))
ROLE = integer("role_id", "the role; 0 is the master", 0, 100)
POSITION: Json = {
    "type": "object",
    "properties": {
        "ownerships": {"type": "object"},
        "dislodged_ones": {"type": "object"},
        "units": {"type": "object"},
        "forbiddens": {"type": "array"},
    },
    "required": ["ownerships", "dislodged_ones", "units", "forbiddens"],
}
CONTENT: Json = {
    "type": "object",
    "properties": {"content": {"type": "string"}},
    "required": ["content"],
}
ORDERS_ANSWER: Json = {
    "type": "object",
    "properties": {name: {"type": "array"} for name in ("orders", "fake_units", "via_convoy")},
    "required": ["orders", "fake_units", "via_convoy"],
}
SIMULATED: Json = {
    "type": "object",
    "properties": {
        "msg": {"type": "string"},
        "result": {"type": "string"},
        "situation_result": SITUATION,
    },
    "required": ["msg", "result", "situation_result"],
}
_shown: dict[int, tuple[Situation, bytes]] = {}
"""The last positions that were asked for, as they were sent."""
SHOWN_MOST = 20_000


@GAMES.call(
    "POST",
    "/game-positions/{game_id}",
    OWNERSHIPS,
    UNITS,
    FORBIDDENS,
    optional(text("admin_code", "an administrator's code, where one is asked for", 30)),
    status=201,
    errors=(401, 403, 404),
    token=True,
)
async def rectify(
    ask: Ask,
    game_id: str,
    center_ownerships: Json,
    units: Json,
    forbiddens: Json | None,
    admin_code: str | None,
) -> Json:
    """Change the position of a running game; orders that were given are dropped."""
    chair = await ask.as_master(game_id, "Need a pseudo to rectify position in game")
    view = _running(chair, "Failed to rectify position")
    _demand_code(ask, chair, view, admin_code)
    situation = position_of(variant_of(chair.info), center_ownerships, units, forbiddens)
    try:
        await chair.play(SetPosition(situation, view.advancement))
    except (Illegal, Over) as refusal:
        raise Refusal(400, f"Failed to rectify position {why_not(refusal)}") from None
    return {"msg": "Ok position rectified"}


@GAMES.call("GET", "/game-positions/{game_id}", errors=(404,), answer=POSITION)
async def position(ask: Ask, game_id: str) -> Response:
    """How a game stands."""
    chair = await ask.from_outside(game_id)
    view, table_id = view_of(chair), chair.info.id
    situation = _start(chair.info.variant) if view is None else view.unwritten.situation
    known = _shown.get(table_id)
    if known is None or known[0] is not situation:
        if len(_shown) >= SHOWN_MOST:
            _shown.clear()
        known = _shown[table_id] = (situation, msgspec.json.encode(position_json(situation)))
    return Response(known[1], media_type="application/json")


@GAMES.call("GET", "/game-reports/{game_id}", NAMES, errors=(404,), answer=CONTENT)
async def report(ask: Ask, game_id: str, names: Json | None) -> Json:
    """The report of the last phase that had orders; empty before the first."""
    chair = await ask.from_outside(game_id)
    view = view_of(chair)
    if view is None or view.last is None:
        return {"content": ""}
    variant = variant_of(chair.info)
    return {"content": report_of(variant, view.unwritten.played[-1], names_in(variant, names))}


@GAMES.call(
    "POST",
    "/game-orders/{game_id}",
    ROLE,
    ORDERS,
    FAKES,
    NAMES,
    flag("final", "1: these orders are final, and the phase need not wait for this role"),
    status=201,
    errors=(401, 403, 404),
    token=True,
)
async def submit(
    ask: Ask,
    game_id: str,
    role_id: int,
    orders: Json,
    fake_units: Json | None,
    names: Json | None,
    final: bool | None,
) -> Json:
    """Give the orders of a role, all of them; the master may correct those of any."""
    if role_id == MASTER:
        raise Refusal(
            400,
            "Game master cannot submit orders in game - please usurp game player (not implemented)",
        )
    chair = await ask.as_player_or_master(game_id, role_id, "Need a pseudo to submit orders in game")
    view = _running(chair, "Failed to submit orders")
    variant, situation = variant_of(chair.info), view.unwritten.situation
    called = names_in(variant, names)
    given = orders_of(variant, orders, situation, role_id)
    if fake_units is not None:
        check_fakes(variant, fake_units, given)
    if role_id not in active_roles(variant, view.advancement, situation):
        if not given:  # who owes nothing has given all his orders
            return {"msg": f"Ok orders submitted {_title(variant, view)}"}
        raise Refusal(
            400, f"Failed to submit orders role {role_id} has nothing to order : {_title(variant, view)}"
        )
    # The document wants all orders at once; a table takes some, and the other units have their default.
    if unordered(variant, view.advancement, situation, role_id, given) or wrong_number(
        variant, view.advancement, situation, role_id, given
    ):
        _refuse_faulty(view, role_id, given, called)
    try:
        await chair.play(Submit(role_id, tuple(given), bool(final)))
    except (Illegal, Over) as refusal:
        # The table checks each order and names the first fault; the document wants to hear of every one.
        _refuse_faulty(view, role_id, given, called)
        raise Refusal(400, f"Failed to submit orders {why_not(refusal)} : {_title(variant, view)}") from None
    shown = orders_text(variant, view.advancement, situation, given, called)
    return {"msg": f"Ok orders submitted {shown}"}


@GAMES.call(
    "GET",
    "/game-orders/{game_id}",
    ROLE,
    errors=(401, 403, 404),
    token=True,
    answer=ORDERS_ANSWER,
)
async def orders(ask: Ask, game_id: str, role_id: int) -> Json:
    """The orders that a role has given in this phase; for role 0, the master, all of them."""
    need = "Need a pseudo to retrieve orders in game"
    if role_id == MASTER:
        chair = await ask.as_master(game_id, need)
    else:
        chair = await ask.as_player_or_master(game_id, role_id, need)
    view = view_of(chair)
    sealed = {} if view is None else view.orders
    wanted = [order for role in sorted(sealed) if role_id in (MASTER, role) for order in sealed[role]]
    return {
        "orders": order_rows(chair.info.id, wanted),
        "fake_units": fake_rows(chair.info.id, wanted),
        "via_convoy": convoyed_zones(wanted),
    }


@GAMES.call(
    "POST",
    "/game-adjudications/{game_id}",
    NAMES,
    status=201,
    errors=(401, 403, 404),
    token=True,
)
async def adjudicate(ask: Ask, game_id: str, names: Json | None) -> Json:
    """Resolve the phase, once every role that owes orders has given them."""
    chair = await ask.as_master(game_id, "Need a pseudo to adjudicate in game")
    view = _running(chair, "Failed to adjudicate")
    variant = variant_of(chair.info)
    called = names_in(variant, names)
    try:
        answer = await chair.play(Adjudicate())
    except (Illegal, Over) as refusal:
        raise Refusal(400, f"Failed to adjudicate {why_not(refusal)} : {_title(variant, view)}") from None
    resolved = [fact.advancement for fact in answer.told if isinstance(fact, ToldAdjudicated)]
    after = view_of(chair)
    played = () if after is None else after.unwritten.played
    reports = (report_of(variant, each, called) for each in played if each.advancement in resolved[:1])
    return {"msg": f"Ok adjudication performed and game updated : {next(reports, '')}"}


@GAMES.call(
    "POST",
    "/simulation",
    text("variant_name", "the variant", 60),
    ORDERS,
    OWNERSHIPS,
    UNITS,
    FORBIDDENS,
    NAMES,
    optional(integer("advancement", "the phase; 0, spring moves, unless given", 0, LATEST)),
    status=201,
    errors=(404,),
    answer=SIMULATED,
    reckons=True,
)
async def simulate(
    ask: Ask,
    variant_name: str,
    orders: Json,
    center_ownerships: Json,
    units: Json,
    forbiddens: Json | None,
    names: Json | None,
    advancement: int | None,
) -> Json:
    """Resolve a phase on any position, which changes no game."""
    if variant_name not in variant_names():
        raise Refusal(404, f"Variant {variant_name} doesn't exist")
    variant = load_variant(variant_name)
    return await ask.worked_out(
        lambda: _simulated(variant, orders, center_ownerships, units, forbiddens, names, advancement or 0)
    )


def _simulated(
    variant: Variant,
    orders: Json,
    center_ownerships: Json,
    units: Json,
    forbiddens: Json | None,
    names: Json | None,
    advancement: int,
) -> Json:
    try:
        stands = position_of(variant, center_ownerships, units, forbiddens)
        given = orders_of(variant, orders, stands)
        forms = [write_order_form(order) for order in given]
        # Builds name their units in the orders themselves; lists have them beside.
        form = write_situation(stands)
        for order in given:
            if order.act == 8 and order.kind:
                form["fake_units"].setdefault(str(order.role), []).append([int(order.kind), order.zone])
        found = solved(variant, advancement, form, forms, 0, names)
    except Refusal as refusal:
        shown = refusal.more.get("report", "")
        raise Refusal(400, f"Failed to adjudicate {refusal.sentence} : {shown}", **refusal.more) from None
    shown = found["orders_result"]
    return {
        "msg": f"Ok adjudication performed {shown}",
        "result": shown,
        "situation_result": found["situation_result"],
    }


# --- below ----------------------------------------------------------------------------------------------


def _start(name: str) -> Situation:
    """How a game will begin."""
    known = _starts.get(name)
    if known is None:
        known = _starts[name] = load_variant(name).start()
    return known


_starts: dict[str, Situation] = {}


def report_of(variant: Variant, played: Played, names: Names) -> str:
    """The report of a phase that was resolved."""
    return write_report(
        variant,
        played.advancement,
        played.before,
        played.verdicts,
        played.after,
        played.destroyed,
        names,
    )


def _running(chair: Chair, failed: str) -> DiplomacyView:
    view = view_of(chair)
    if view is None or chair.info.status != "running" or view.ended is not None:
        raise Refusal(400, f"{failed} {NOT_RUNNING} : ")
    return view


def _refuse_faulty(view: DiplomacyView, role: int, given: list[Order], names: Names) -> None:
    """Raise Refusal 400 with the report of every fault, where these orders of a role have some."""
    variant, situation = load_variant(view.variant), view.unwritten.situation
    wrong = faults(variant, view.advancement, situation, role, given, AFJD)
    if wrong:
        shown = faults_text(variant, view.advancement, situation, wrong, names)
        raise Refusal(400, f"Failed to submit orders some may not be given : {shown}", report=shown) from None


def _demand_code(ask: Ask, chair: Chair, view: DiplomacyView, given: str | None) -> None:
    """A position is changed under an administrator's code, where one has asked for it."""
    asked = chair.info.terms.position_code
    if not asked or view.unwritten.options.archive:
        return
    ask.house.limits.take("position_code", chair.info.id)
    if given is None or digest_of(given) != asked:
        raise Refusal(403, "An administrator's code is needed to change the position of this game")
    ask.house.limits.give_back("position_code", chair.info.id)


def _title(variant: Variant, view: DiplomacyView) -> str:
    return f"{title(variant, view.advancement)}\n\n"


def why_not(refusal: Illegal | Over) -> str:
    """Why a table has not played something, in English."""
    return refusal.sentence("en") if isinstance(refusal, Illegal) else NOT_RUNNING
