"""GAMES: positions, reports, orders, adjudications, and the sandbox."""

from __future__ import annotations

from typing import Any

import msgspec
from starlette.responses import Response

from tablee.club import Account
from tablee.doors.afjd.calls import GAMES
from tablee.doors.afjd.desk import NOT_PLAYER, Ask, plays, state_of, variant_of
from tablee.doors.afjd.games import said_by_rules
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
from tablee.rules.diplomacy.game import Adjudicate, Adjudicated, DiplomacyState, Played, SetPosition, Submit
from tablee.rules.diplomacy.model import AFJD, Situation
from tablee.rules.diplomacy.phases import active_roles
from tablee.rules.diplomacy.problem import LATEST
from tablee.rules.diplomacy.report import title, write_report
from tablee.rules.diplomacy.submission import faults
from tablee.rules.diplomacy.variant import Variant, load_variant, variant_names
from tablee.tables import LiveTable, Over
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
    _, live = await ask.as_master(game_id, "Need a pseudo to rectify position in game")
    state = _running(live, "Failed to rectify position")
    _demand_code(ask, live, admin_code)
    situation = position_of(variant_of(live.info), center_ownerships, units, forbiddens)
    try:
        await ask.desk.tables.submit(live, MASTER, SetPosition(situation, state.advancement))
    except (Illegal, Over) as refusal:
        raise Refusal(400, f"Failed to rectify position {_said(ask, live, refusal)}") from None
    return {"msg": "Ok position rectified"}


@GAMES.call("GET", "/game-positions/{game_id}", errors=(404,), answer=POSITION)
async def position(ask: Ask, game_id: str) -> Response:
    """How a game stands."""
    live = await ask.live(game_id)
    situation = situation_of(live)
    known = _shown.get(live.info.id)
    if known is None or known[0] is not situation:
        if len(_shown) >= SHOWN_MOST:
            _shown.clear()
        known = _shown[live.info.id] = (situation, msgspec.json.encode(position_json(situation)))
    return Response(known[1], media_type="application/json")


@GAMES.call("GET", "/game-reports/{game_id}", NAMES, errors=(404,), answer=CONTENT)
async def report(ask: Ask, game_id: str, names: Json | None) -> Json:
    """The report of the last phase that had orders; empty before the first."""
    live = await ask.live(game_id)
    state = state_of(live)
    if state is None or state.last is None:
        return {"content": ""}
    variant = variant_of(live.info)
    return {"content": report_of(variant, state.last, names)}


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
    _, live, is_master = await _player_or_master(
        ask, game_id, role_id, "Need a pseudo to submit orders in game"
    )
    state = _running(live, "Failed to submit orders")
    variant = variant_of(live.info)
    called = names_in(variant, names)
    given = orders_of(variant, orders, state.situation, role_id)
    if fake_units is not None:
        check_fakes(variant, fake_units, given)
    if role_id not in active_roles(variant, state.advancement, state.situation):
        if not given:  # who owes nothing has given all his orders
            return {"msg": f"Ok orders submitted {_title(variant, state)}"}
        raise Refusal(
            400, f"Failed to submit orders role {role_id} has nothing to order : {_title(variant, state)}"
        )
    wrong = faults(variant, state.advancement, state.situation, role_id, given, AFJD)
    if wrong:
        shown = faults_text(variant, state.advancement, state.situation, wrong, called)
        raise Refusal(400, f"Failed to submit orders some may not be given : {shown}", report=shown)
    action = Submit(role_id, tuple(given), bool(final))
    seat = MASTER if is_master else state.holder(role_id)
    try:
        await ask.desk.tables.submit(
            live, seat, action, beside=await ask.desk.tables.mastering.told(live, seat, action)
        )
    except (Illegal, Over) as refusal:
        raise Refusal(
            400, f"Failed to submit orders {_said(ask, live, refusal)} : {_title(variant, state)}"
        ) from None
    shown = orders_text(variant, state.advancement, state.situation, given, called)
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
        _, live = await ask.as_master(game_id, need)
    else:
        _, live, _ = await _player_or_master(ask, game_id, role_id, need)
    state = state_of(live)
    sealed = {} if state is None else state.sealed
    wanted = [order for role in sorted(sealed) if role_id in (MASTER, role) for order in sealed[role]]
    return {
        "orders": order_rows(live.info.id, wanted),
        "fake_units": fake_rows(live.info.id, wanted),
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
    _, live = await ask.as_master(game_id, "Need a pseudo to adjudicate in game")
    state = _running(live, "Failed to adjudicate")
    variant = variant_of(live.info)
    called = names_in(variant, names)
    try:
        outcome = await ask.desk.tables.submit(live, MASTER, Adjudicate())
    except (Illegal, Over) as refusal:
        raise Refusal(
            400, f"Failed to adjudicate {_said(ask, live, refusal)} : {_title(variant, state)}"
        ) from None
    shown = ""
    before = None if outcome.happened is None else outcome.happened.before
    for fact in [] if outcome.happened is None else outcome.happened.facts:
        if isinstance(fact, Adjudicated) and isinstance(before, DiplomacyState):
            shown = write_report(
                variant,
                fact.advancement,
                before.situation,
                fact.verdicts,
                fact.situation,
                fact.destroyed,
                called,
            )
            break
    return {"msg": f"Ok adjudication performed and game updated : {shown}"}


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


def situation_of(live: LiveTable) -> Situation:
    """How a game stands; before it begins, as it will begin."""
    state = state_of(live)
    return _start(live.info.variant) if state is None else state.situation


def _start(name: str) -> Situation:
    known = _starts.get(name)
    if known is None:
        known = _starts[name] = load_variant(name).start()
    return known


_starts: dict[str, Situation] = {}


def report_of(variant: Variant, played: Played, names: Json | None = None) -> str:
    """The report of a phase that was resolved."""
    return write_report(
        variant,
        played.advancement,
        played.before,
        played.verdicts,
        played.after,
        played.destroyed,
        names_in(variant, names),
    )


async def _player_or_master(ask: Ask, game_id: str, role: int, need: str) -> tuple[Account, LiveTable, bool]:
    account = await ask.account(need)
    live = await ask.live(game_id)
    is_master = live.info.master_id == account.id and 0 < role <= variant_of(live.info).roles
    if not is_master and not plays(live, account, role):
        raise Refusal(403, NOT_PLAYER)
    return account, live, is_master


def _running(live: LiveTable, failed: str) -> DiplomacyState:
    state = state_of(live)
    if state is None or live.info.status != "running" or state.ended is not None:
        raise Refusal(400, f"{failed} {NOT_RUNNING} : ")
    return state


def _demand_code(ask: Ask, live: LiveTable, given: str | None) -> None:
    """A position is changed under an administrator's code, where one has asked for it."""
    state = state_of(live)
    asked = live.info.terms.position_code
    if not asked or state is None or state.options.archive:
        return
    ask.desk.limits.take("position_code", live.info.id)
    if given is None or digest_of(given) != asked:
        raise Refusal(403, "An administrator's code is needed to change the position of this game")
    ask.desk.limits.give_back("position_code", live.info.id)


def _title(variant: Variant, state: DiplomacyState) -> str:
    return f"{title(variant, state.advancement)}\n\n"


def _said(ask: Ask, live: LiveTable, refusal: Exception) -> str:
    if isinstance(refusal, Illegal):
        return said_by_rules(ask, live.info.variant, refusal)
    return NOT_RUNNING
