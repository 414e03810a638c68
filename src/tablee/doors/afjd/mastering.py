"""GAMES, the roadmap: civil disorder by the master, who has validated, corrections, votes, history."""

from __future__ import annotations

from typing import Any

from tablee.doors.afjd.calls import GAMES
from tablee.doors.afjd.desk import NOT_PLAYER, Ask, state_of, variant_of
from tablee.doors.afjd.games import said_by_rules
from tablee.doors.afjd.parameters import flag
from tablee.doors.afjd.playing import NAMES, NOT_RUNNING, POSITION, ROLE, report_of
from tablee.doors.afjd.refusal import Refusal
from tablee.doors.afjd.situations import convoyed_zones, fake_rows, order_rows, position_json
from tablee.rules.contract import MASTER, Illegal
from tablee.rules.diplomacy.chronicle import Chronicle, Passage
from tablee.rules.diplomacy.decision import missing_roles, waited_for
from tablee.rules.diplomacy.evolution import evolve
from tablee.rules.diplomacy.game import (
    DiplomacyState,
    ImposeDisorder,
    Sealed,
    Vote,
)
from tablee.rules.diplomacy.report import phase_name
from tablee.tables import LiveTable, Over

Json = Any
VALIDATIONS: Json = {
    "type": "object",
    "properties": {
        name: {"type": "array", "items": {"type": "integer"}}
        for name in ("waited_for", "submitted", "final", "missing", "civil_disorder", "late")
    },
    "required": ["waited_for", "submitted", "final", "missing", "civil_disorder", "late"],
}
CORRECTIONS: Json = {
    "type": "object",
    "properties": {name: {"type": "array"} for name in ("corrections_list", "via_convoy")},
    "required": ["corrections_list", "via_convoy"],
}
VOTES: Json = {
    "type": "object",
    "properties": {"votes": {"type": "array", "items": {"type": "integer"}}},
    "required": ["votes"],
}
HISTORY: Json = {
    "type": "object",
    "properties": {"history": {"type": "array"}},
    "required": ["history"],
}
SEASON: Json = {
    "type": "object",
    "properties": {
        "advancement": {"type": "integer"},
        "season": {"type": "string"},
        "time_stamp": {"type": "integer"},
        "position": POSITION,
        "orders": {"type": "array"},
        "fake_units": {"type": "array"},
        "via_convoy": {"type": "array", "items": {"type": "integer"}},
        "report": {"type": "string"},
        "result": POSITION,
    },
    "required": [
        *("advancement", "season", "time_stamp", "position", "orders", "fake_units", "via_convoy"),
        *("report", "result"),
    ],
}


@GAMES.call(
    "POST",
    "/game-civil-disorders/{game_id}",
    ROLE,
    status=201,
    errors=(401, 403, 404),
    token=True,
)
async def impose(ask: Ask, game_id: str, role_id: int) -> Json:
    """By the master: a role that is late is in civil disorder for this phase (roadmap 1)."""
    _, live = await ask.as_master(game_id, "Need a pseudo to impose civil disorder in game")
    await _play(ask, live, MASTER, ImposeDisorder(role_id), "Failed to impose civil disorder")
    return {"msg": "Ok civil disorder imposed"}


@GAMES.call(
    "GET",
    "/game-validations/{game_id}",
    ROLE,
    errors=(401, 403, 404),
    token=True,
    answer=VALIDATIONS,
)
async def validations(ask: Ask, game_id: str, role_id: int) -> Json:
    """Whose orders are there (roadmap 6): of all roles for the master, of his own for a player."""
    _, live = await ask.in_role(game_id, role_id, "Need a pseudo to retrieve validations in game")
    state = state_of(live)
    if state is None:
        return {name: [] for name in VALIDATIONS["required"]}

    def seen(roles: Any) -> list[int]:
        return sorted(role for role in roles if role_id in (MASTER, role))

    return {
        "waited_for": list(waited_for(state)),
        "submitted": seen(state.sealed),
        "final": seen(state.final),
        "missing": seen(missing_roles(state)),
        "civil_disorder": seen(state.disorder),
        "late": seen(state.overdue),
    }


@GAMES.call(
    "GET",
    "/game-corrections/{game_id}",
    ROLE,
    errors=(401, 403, 404),
    token=True,
    answer=CORRECTIONS,
)
async def corrections(ask: Ask, game_id: str, role_id: int) -> Json:
    """What the master ordered for a role (roadmap 8): `[time, advancement, role, orders]`, newest first."""
    _, live = await ask.in_role(game_id, role_id, "Need a pseudo to retrieve corrections in game")
    found: list[Json] = []
    by_convoy: list[list[int]] = []
    state: DiplomacyState | None = None
    async for _, at, facts in ask.desk.tables.facts(live.info):
        for fact in facts:
            if isinstance(fact, Sealed) and fact.by == MASTER and role_id in (MASTER, fact.role):
                assert state is not None, "orders are sealed in a game that has begun"
                orders = order_rows(live.info.id, fact.orders)
                found.append([at // 1000, state.advancement, fact.role, orders])
                by_convoy.append(convoyed_zones(fact.orders))
            state = evolve(state, fact)
    return {"corrections_list": found[::-1], "via_convoy": by_convoy[::-1]}


@GAMES.call(
    "POST",
    "/game-votes/{game_id}",
    ROLE,
    flag("value", "1 for a draw of all who are left, 0 no longer; 1 unless given"),
    status=201,
    errors=(401, 403, 404),
    token=True,
)
async def vote(ask: Ask, game_id: str, role_id: int, value: bool | None) -> Json:
    """Vote for a draw, or no longer; when all players are for it the game ends."""
    account = await ask.account("Need a pseudo to vote in game")
    live = await ask.live(game_id)
    if role_id == MASTER:
        raise Refusal(403, NOT_PLAYER)
    ask.must_play(live, account, role_id)
    state = state_of(live)
    assert state is not None
    wanted = value is None or value
    seat = state.holder(role_id)
    if (seat in state.votes) != wanted:
        await _play(ask, live, seat, Vote(wanted), "Failed to vote")
    return {"msg": "Ok vote recorded"}


@GAMES.call("GET", "/game-votes/{game_id}", ROLE, errors=(401, 403, 404), token=True, answer=VOTES)
async def votes(ask: Ask, game_id: str, role_id: int) -> Json:
    """The roles whose players are for a draw."""
    _, live = await ask.in_role(game_id, role_id, "Need a pseudo to retrieve votes in game")
    state = state_of(live)
    if state is None:
        return {"votes": []}
    return {"votes": sorted(role for seat in state.votes for role in state.roles_of(seat))}


@GAMES.call("GET", "/game-histories/{game_id}", errors=(404,), answer=HISTORY)
async def history(ask: Ask, game_id: str) -> Json:
    """The phases that were resolved (roadmap 15): `[advancement, season, time]`, the oldest first."""
    live = await ask.live(game_id)
    variant = variant_of(live.info)
    return {
        "history": [
            [each.advancement, phase_name(variant, each.advancement), each.at // 1000]
            for each in await _resolved(ask, live)
        ]
    }


@GAMES.call("GET", "/game-histories/{game_id}/{advancement}", NAMES, errors=(404,), answer=SEASON)
async def season(ask: Ask, game_id: str, advancement: str, names: Json | None) -> Json:
    """A phase that was resolved: the position before it, the orders, the report, the position after it."""
    live = await ask.live(game_id)
    meant = [each for each in await _resolved(ask, live) if str(each.advancement) == advancement]
    if not meant:
        raise Refusal(404, f"Game {live.info.id} has no season {advancement[:30]}")
    found = meant[-1]
    variant = variant_of(live.info)
    given = [verdict.order for verdict in found.verdicts]
    return {
        "advancement": found.advancement,
        "season": phase_name(variant, found.advancement),
        "time_stamp": found.at // 1000,
        "position": position_json(found.before),
        "orders": order_rows(live.info.id, given),
        "fake_units": fake_rows(live.info.id, given),
        "via_convoy": convoyed_zones(given),
        "report": report_of(variant, found.played(), names),
        "result": position_json(found.after),
    }


# --- below ----------------------------------------------------------------------------------------------


async def _resolved(ask: Ask, live: LiveTable) -> list[Passage]:
    """The phases that were resolved and not taken back."""
    chronicle = await ask.desk.tables.chronicle(live.info)
    assert isinstance(chronicle, Chronicle)
    return [each for each in chronicle.passages if each.kind == "adjudicated" and not each.taken_back]


async def _play(ask: Ask, live: LiveTable, seat: int, action: Any, failed: str) -> None:
    state = state_of(live)
    if state is None or live.info.status != "running":
        raise Refusal(400, f"{failed} {NOT_RUNNING}")
    try:
        await ask.desk.tables.submit(live, seat, action)
    except Illegal as refusal:
        raise Refusal(400, f"{failed} {said_by_rules(ask, live.info.variant, refusal)}") from None
    except Over:
        raise Refusal(400, f"{failed} {NOT_RUNNING}") from None
