"""GAMES, the roadmap: civil disorder by the master, who has validated, corrections, votes, history."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tablee.doors.afjd.calls import GAMES
from tablee.doors.afjd.house import Ask, variant_of, view_of
from tablee.doors.afjd.parameters import flag
from tablee.doors.afjd.playing import NAMES, NOT_RUNNING, POSITION, ROLE, report_of, why_not
from tablee.doors.afjd.refusal import Refusal
from tablee.doors.afjd.situations import convoyed_zones, fake_rows, names_in, order_rows, position_json
from tablee.rules.contract import MASTER, Illegal
from tablee.rules.diplomacy.chronicle import Chronicle, Passage
from tablee.rules.diplomacy.game import ImposeDisorder, Vote
from tablee.rules.diplomacy.report import phase_name
from tablee.tables import Chair, HouseTable, Over

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
    chair = await ask.as_master(game_id, "Need a pseudo to impose civil disorder in game")
    await _play(chair, ImposeDisorder(role_id), "Failed to impose civil disorder")
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
    _, chair = await ask.in_role(game_id, role_id, "Need a pseudo to retrieve validations in game")
    view = view_of(chair)
    if view is None:
        return {name: [] for name in VALIDATIONS["required"]}

    def seen(roles: Iterable[int]) -> list[int]:
        return sorted(role for role in roles if role_id in (MASTER, role))

    owing = [role for role, power in view.roles.items() if power.owes]
    final = [role for role, power in view.roles.items() if power.is_in]
    there = {*view.orders, *final, *view.disorder}
    return {
        "waited_for": owing,
        "submitted": seen(view.orders),
        "final": seen(final),
        "missing": seen(role for role in owing if role not in there),
        "civil_disorder": seen(view.disorder),
        "late": seen(view.late),
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
    _, chair = await ask.in_role(game_id, role_id, "Need a pseudo to retrieve corrections in game")
    chronicle = await chair.chronicle()
    assert isinstance(chronicle, Chronicle)
    found = [each for each in reversed(chronicle.corrections) if role_id in (MASTER, each.role)]
    return {
        "corrections_list": [
            [each.at // 1000, each.advancement, each.role, order_rows(chair.info.id, each.orders)]
            for each in found
        ],
        "via_convoy": [convoyed_zones(each.orders) for each in found],
    }


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
    info = await ask.info(game_id)
    chair = await ask.players_chair(info, account, role_id)
    view = view_of(chair)
    assert view is not None, "who has a role plays"
    wanted = value is None or value
    if (chair.seat in view.votes) != wanted:
        await _play(chair, Vote(wanted), "Failed to vote")
    return {"msg": "Ok vote recorded"}


@GAMES.call("GET", "/game-votes/{game_id}", ROLE, errors=(401, 403, 404), token=True, answer=VOTES)
async def votes(ask: Ask, game_id: str, role_id: int) -> Json:
    """The roles whose players are for a draw."""
    _, chair = await ask.in_role(game_id, role_id, "Need a pseudo to retrieve votes in game")
    view = view_of(chair)
    if view is None:
        return {"votes": []}
    return {"votes": sorted(role for seat in view.votes for role in view.roles_of(seat))}


@GAMES.call("GET", "/game-histories/{game_id}", errors=(404,), answer=HISTORY)
async def history(ask: Ask, game_id: str) -> Json:
    """The phases that were resolved (roadmap 15): `[advancement, season, time]`, the oldest first."""
    info = await ask.info(game_id)
    variant = variant_of(info)
    return {
        "history": [
            [each.advancement, phase_name(variant, each.advancement), each.at // 1000]
            for each in await _resolved(ask, info)
        ]
    }


@GAMES.call("GET", "/game-histories/{game_id}/{advancement}", NAMES, errors=(404,), answer=SEASON)
async def season(ask: Ask, game_id: str, advancement: str, names: Json | None) -> Json:
    """A phase that was resolved: the position before it, the orders, the report, the position after it."""
    info = await ask.info(game_id)
    meant = [each for each in await _resolved(ask, info) if str(each.advancement) == advancement]
    if not meant:
        raise Refusal(404, f"Game {info.id} has no season {advancement[:30]}")
    found = meant[-1]
    variant = variant_of(info)
    given = [verdict.order for verdict in found.verdicts]
    return {
        "advancement": found.advancement,
        "season": phase_name(variant, found.advancement),
        "time_stamp": found.at // 1000,
        "position": position_json(found.before),
        "orders": order_rows(info.id, given),
        "fake_units": fake_rows(info.id, given),
        "via_convoy": convoyed_zones(given),
        "report": report_of(variant, found.played(), names_in(variant, names)),
        "result": position_json(found.after),
    }


# --- below ----------------------------------------------------------------------------------------------


async def _resolved(ask: Ask, info: HouseTable) -> list[Passage]:
    """The phases that were resolved and not taken back, as anybody may know them."""
    chronicle = await ask.house.tables.history.chronicle(info)
    assert isinstance(chronicle, Chronicle)
    return [each for each in chronicle.passages if each.kind == "adjudicated" and not each.taken_back]


async def _play(chair: Chair, action: Any, failed: str) -> None:
    if not chair.has_begun or chair.info.status != "running":
        raise Refusal(400, f"{failed} {NOT_RUNNING}")
    try:
        await chair.play(action)
    except (Illegal, Over) as refusal:
        raise Refusal(400, f"{failed} {why_not(refusal)}") from None
