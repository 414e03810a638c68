"""GAMES: variants, and games made, found, changed, started, stopped and taken away."""

from __future__ import annotations

import datetime
import re
from functools import cache
from typing import Any

import msgspec
from starlette.responses import Response

from tablee.doors.afjd import fields
from tablee.doors.afjd.calls import GAMES
from tablee.doors.afjd.house import GAME, Ask, view_of
from tablee.doors.afjd.parameters import optional, text
from tablee.doors.afjd.refusal import Refusal
from tablee.rules.contract import SPECTATOR, Action, Illegal
from tablee.rules.diplomacy.document import to_document
from tablee.rules.diplomacy.game import ChangeOptions, DiplomacyOptions, SetDeadline, Stop
from tablee.rules.diplomacy.variant import load_variant, variant_names
from tablee.tables import BadOptions, Chair, HouseTable, NameTaken, NotStarted, Started, TablePlan, Terms
from tablee.tables.calendar import ClubCalendar

Json = Any
OBJECT: Json = {"type": "object"}
NUMBER: Json = {"type": "integer"}
NAMES: Json = {"type": "object", "additionalProperties": {"type": "string"}}
NAMED: Json = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "msg": {"type": "string"}},
    "required": ["name", "msg"],
}
FIELD_NAMES = ("name", *(param.name for param in fields.PARAMS), "current_advancement", "current_state")
INFORMATIONS: Json = {
    "type": "object",
    "properties": {name: {"type": ["string", "integer"]} for name in FIELD_NAMES},
    "required": list(FIELD_NAMES),
}
_VARIANT_NAME = re.compile(r"[a-z][a-z0-9_-]{0,19}")
FIXED = ("archive", "anonymous", "cumulate", "manual", "variant")
"""What does not change while a game runs."""


@GAMES.call("GET", "/variants/{name}", errors=(404,), answer=OBJECT)
async def variant(ask: Ask, name: str) -> Response:
    """All about a variant: regions, centres, neighbours, distances."""
    if not _VARIANT_NAME.fullmatch(name):
        raise Refusal(400, f"Variant {name[:60]} is incorrect as a name")
    if name not in variant_names():
        raise Refusal(404, f"Variant {name} doesn't exist")
    return Response(_variant_bytes(name), media_type="application/json")


@cache
def _variant_bytes(name: str) -> bytes:
    return msgspec.json.encode(to_document(load_variant(name)))


@GAMES.call("GET", "/game-identifiers/{name}", errors=(404,), answer=NUMBER)
async def identifier(ask: Ask, name: str) -> Json:
    """The number of a game."""
    return await _id_of(ask, name, "doesn't exist")


@GAMES.call("GET", "/games/{name}", errors=(401, 403, 404), answer=INFORMATIONS)
async def game(ask: Ask, name: str) -> Json:
    """All the fields of a game; of the access code 1 where there is one, else 0."""
    chair = await ask.house.tables.chair(await _id_of(ask, name, "doesn't exist"), SPECTATOR)
    await ask.account_if_any()
    return fields.informations(chair, _calendar(ask))


@GAMES.call(
    "PUT",
    "/games/{name}",
    optional(text("name", "a new name", 1000)),
    *fields.PARAMS,
    fields.STATE,
    errors=(401, 403, 404),
    token=True,
    answer=NAMED,
)
async def change_game(ask: Ask, name_in_path: str, **given: Any) -> Json:
    """Change what is given; `current_state` 1 starts the game, 2 stops it."""
    info = await _info_of(ask, name_in_path, "does not exist")
    account = await ask.account("Need a pseudo to modify game")
    chair = await ask.masters_chair(info, account)
    info = chair.info
    state = given.pop("current_state")
    wanted = given.pop("name")
    name = fields.demand_name(wanted) if wanted is not None and wanted != info.name else info.name
    now_in = {"open": 0, "running": 1}.get(info.status, 2)
    if state is not None and state != now_in and state != now_in + 1:
        raise Refusal(400, f"current_state goes 0, 1, 2: it is {now_in} and cannot become {state}")
    try:
        changed = await _change(ask, chair, name, given)
        if state is not None and state != now_in:
            await _go_on(ask, chair, account.id, state)
            changed = True
    except NameTaken:
        raise Refusal(400, f"Game {name} already exists") from None
    except (Illegal, BadOptions) as refusal:
        raise Refusal(400, refusal.sentence("en")) from None
    return {"name": name, "msg": "Ok updated" if changed else "Ok but no change !"}


@GAMES.call("DELETE", "/games/{name}", errors=(401, 403, 404), token=True)
async def remove_game(ask: Ask, name: str) -> Json:
    """Take a game away with all that was written about it."""
    info = await _info_of(ask, name, "does not exist")
    account = await ask.account("Need a pseudo to delete game")
    ask.must_master(info, account)
    await ask.house.tables.mastering.erase(info.id)
    return {"msg": "Ok removed"}


@GAMES.call("GET", "/games", answer=NAMES)
async def games(ask: Ask) -> Response:
    """Every game: names by number."""
    return Response(await ask.house.listing.encoded(), media_type="application/json")


@GAMES.call(
    "POST",
    "/games",
    text("name", "1 to 50 characters", 1000),
    *fields.PARAMS,
    fields.STATE,
    status=201,
    errors=(401, 403, 404),
    token=True,
    answer=NAMED,
)
async def create_game(ask: Ask, name: str, **given: Any) -> Json:
    """Make a game, as its master."""
    fields.demand_name(name)
    if given.pop("current_state"):
        raise Refusal(400, "current_state: a game is made in state 0; it is started by changing it")
    chosen = given.get("variant") or "standard"
    if await ask.house.listing.find(name) is not None:
        raise Refusal(400, f"Game {name} already exists")
    account = await ask.account("Need a pseudo to create game")
    if chosen not in variant_names():
        raise Refusal(404, f"Variant {chosen} doesn't exist")
    ask.house.limits.take("afjd_create", account.id)
    terms = fields.terms_with(Terms(mastered=True), given)
    options = fields.options_with(_defaults(ask, chosen), terms, given)
    if given["deadline"] is not None:
        first = _calendar(ask).evening_of(given["deadline"], options.minute)
        options = msgspec.structs.replace(options, first_deadline=first)
    try:
        await ask.house.tables.creating.create(
            TablePlan(
                GAME,
                chosen,
                msgspec.to_builtins(options),
                account.id,
                door="afjd",
                name=name,
                rated=not options.archive,
                terms=terms,
                unique_name=True,
            )
        )
    except NameTaken:
        raise Refusal(400, f"Game {name} already exists") from None
    except (Illegal, BadOptions) as refusal:
        raise Refusal(400, refusal.sentence("en")) from None
    return {"name": name, "msg": "Ok game created"}


# --- below ----------------------------------------------------------------------------------------------


def _defaults(ask: Ask, variant: str) -> DiplomacyOptions:
    """18 centres are a majority on the standard board; elsewhere the majority of that board is meant."""
    most = len(load_variant(variant).centres) - 1
    victory = fields.DEFAULTS.victory if most >= 34 else most // 2 + 1
    return msgspec.structs.replace(fields.DEFAULTS, victory=victory, grace=ask.house.settings.grace_hours)


async def _id_of(ask: Ask, name: str, missing: str) -> int:
    found = await ask.house.listing.find(name)
    if found is None:
        raise Refusal(404, f"Game {name[:60]} {missing}")
    return found


async def _info_of(ask: Ask, name: str, missing: str) -> HouseTable:
    return await ask.house.tables.info(await _id_of(ask, name, missing))


def _calendar(ask: Ask) -> ClubCalendar:
    calendar = ask.house.tables.calendar
    assert isinstance(calendar, ClubCalendar)
    return calendar


async def _change(ask: Ask, chair: Chair, name: str, given: dict[str, Any]) -> bool:
    """Change the table as far as what is given differs; answers whether it did."""
    info, view = chair.info, view_of(chair)
    deadline: datetime.date | None = given.get("deadline")
    variant = given.get("variant") or info.variant
    if variant not in variant_names():
        raise Refusal(404, f"Variant {variant} doesn't exist")
    before = fields.options_of(info, view)
    terms = fields.terms_with(info.terms, given)
    options = fields.options_with(before, terms, given)
    if info.terms.anonymous and not terms.anonymous and info.taken:
        raise Refusal(400, "anonymous: players have come in the belief that nobody would know them")
    moment = 0
    if deadline is not None and deadline.isoformat() != fields.deadline_of(info, view, _calendar(ask)):
        moment = _calendar(ask).evening_of(deadline, options.minute)
    if moment and (info.status == "open" or not options.calendar):
        # Where no date ends a phase it is kept all the same: what was given is given back.
        options = msgspec.structs.replace(options, first_deadline=moment)
    if info.status == "open":
        if (options, terms, name, variant) == (before, info.terms, info.name, info.variant):
            return False
        await _check_board(options, variant)
        await ask.house.tables.mastering.change_open(
            info,
            name=name,
            variant=variant,
            options=msgspec.to_builtins(options),
            terms=terms,
            rated=not options.archive,
        )
        return True
    for field in FIXED:
        if given.get(field) is not None and _differs(info, before, field, given[field]):
            raise Refusal(400, f"{field} does not change once the game has started")
    action: Action | None = None
    if moment and not options.calendar:
        moment = 0
    if options != before:
        action = ChangeOptions(options, moment)
    elif moment:
        action = SetDeadline(moment)
    if action is None and (terms, name) == (info.terms, info.name):
        return False
    if info.status != "running":
        raise Refusal(400, "the game is over: nothing about it changes any more")
    await ask.house.tables.mastering.change_running(
        info, name=name, options=msgspec.to_builtins(options), terms=terms, action=action
    )
    return True


async def _check_board(options: DiplomacyOptions, variant: str) -> None:
    if options.victory > len(load_variant(variant).centres) - 1:
        raise Refusal(400, f"victory_centers: the map does not have {options.victory} centres")


def _differs(info: HouseTable, options: DiplomacyOptions, field: str, value: Any) -> bool:
    now_is = {
        "archive": options.archive,
        "anonymous": info.terms.anonymous,
        "cumulate": options.sharing != "none",
        "manual": info.terms.manual,
        "variant": info.variant,
    }
    return bool(now_is[field] != value)


async def _go_on(ask: Ask, chair: Chair, master: int, state: int) -> None:
    if state == 1:
        try:
            await ask.house.tables.creating.start(chair.info.id, master)
        except NotStarted as refusal:
            if refusal.code == "deal_incomplete":
                raise Refusal(400, f"Not enough players ! {refusal.sentence('en')}") from None
            raise Refusal(400, "Not enough players !") from None
        except Illegal as refusal:
            if refusal.code != "bad_deal":
                raise
            raise Refusal(400, "Not enough players ! Every role must be dealt to one of them") from None
        except Started:
            return
    elif chair.has_begun and not chair.is_over:
        await chair.play(Stop())
