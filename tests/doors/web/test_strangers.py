"""Nobody does or sees what is another's: every route is tried by everybody who may not use it."""

from __future__ import annotations

from typing import Any

import pytest
from tests.kit.rooms import PASSWORD
from tests.kit.web import Guest, House

from tablee.doors.web.api.registry import Route, Who
from tablee.doors.web.routes import ALL

Json = Any

BODIES: dict[str, Json] = {
    "sign_up": {"pseudo": "Nouvelle", "password": PASSWORD},
    "come_in": {},
    "change_account": {"first_name": "Volé"},
    "change_password": {"current": "deviné", "password": "12345678"},
    "delete_account": {"password": "deviné"},
    "confirm_email": {"code": "123456"},
    "ask_recovery": {"email": "personne@example.org"},
    "recover": {"email": "personne@example.org", "code": "123456", "password": "12345678"},
    "log_in": {"name": "Propriétaire", "password": "deviné"},
    "refresh": {"refresh": "deviné"},
    "make_bot_token": {"label": "robot"},
    "create_table": {"game": "mines", "variant": "classic"},
    "join_table": {"invitation": "devinée"},
    "add_robot": {"strength": "exact"},
    "replace": {"seat": 1},
    "resume": {"step": 1, "seat": 1},
    "change_table": {"name": "Volée"},
    "put_in_seat": {"pseudo": "Ami"},
    "deal_roles": {"roles": {"1": 1}},
    "invite": {"pseudo": "Propriétaire"},
    "review_game": {},
    "read_chess_game": {"text": "1. e4"},
    "analyse_position": {"start": "8/P6k/8/8/8/8/7K/8 w - - 0 1"},
    "play": {"action": {"do": "click", "x": 1, "y": 1}, "request_id": "intrus"},
    "read_orders": {"advancement": 0, "situation": {}, "text": "A PAR - BUR"},
    "check_orders": {"advancement": 0, "situation": {}, "orders": []},
    "orders_allowed": {"advancement": 0, "situation": {}},
    "resolution": {"advancement": 0, "situation": {}, "orders": []},
    "check_board": {"board": {}},
    "check_arena": {"text": "{}"},
    "arena_drawing": {"description": "{}"},
    "arena_reach": {"description": "{}", "card": "Queen", "color": "BLUE", "x": 0, "y": 7},
    "drive_robots": {"boards": [{}], "robots": {"1": {"x": 1, "y": 1, "azimuth": "North"}}},
    "suggest_cartouche": {"boards": [{}], "robot": {"x": 1, "y": 1, "azimuth": "North"}},
    "enter_queue": {"game": "mines", "variant": "custom", "players": 9},
    "challenge_friend": {"pseudo": "Propriétaire", "game": "chess", "variant": "classic"},
    "say": {"text": "coucou"},
    "read_channel": {"message": 1},
    "declare": {"role": 1, "text": "coucou"},
    "write_letter": {"role": 1, "to": 2, "text": "coucou"},
    "write_notebook": {"text": "volé"},
    "write_draft": {"advancement": 0},
    "declare_absence": {"first": "2027-01-01", "last": "2027-01-02"},
    "ask_stand_in": {"seat": 1, "pseudo": "Ami"},
    "take_over": {"seat": 1},
    "add_webhook": {"kind": "generic", "url": "https://exemple.fr/ailleurs"},
    "admin_add_webhook": {"kind": "generic", "url": "https://exemple.fr/ailleurs"},
    "choose_kind": {"mail": "off"},
    "choose_hours": {"digest_at": 60},
    "choose_table_kind": {"mail": "off"},
    "add_device": {"endpoint": "https://push.example.org/x", "p256dh": "AAAA", "auth": "AAAA"},
    "read_press": {"message": 1},
    "read_letters": {"role": 1, "other": 2, "message": 1},
    "ask_friend": {"pseudo": "Propriétaire"},
    "admin_role": {"role": "administrator"},
    "admin_ban": {"reason": "coup d’État"},
    "create_tournament": {
        "name": "La leur",
        "game": "chess",
        "variant": "classic",
        "format": "swiss",
        "rounds": 3,
    },
    "change_tournament": {
        "name": "Volée",
        "game": "chess",
        "variant": "classic",
        "format": "swiss",
        "rounds": 3,
    },
    "cancel_tournament": {"reason": "coup d’État"},
    "enter_tournament": {},
    "be_away": {"away": True},
    "penalise": {"points": "1/2", "reason": "coup d’État"},
    "pair_round": {},
    "change_draft": {"version": 1, "boards": []},
    "publish_round": {"version": 1},
    "undo_round": {"reason": "coup d’État"},
    "set_result": {"marks": ["1", "0"]},
    "announce_tournament": {},
    "open_check_in": {},
    "check_in": {},
    "begin_tournament": {},
    "end_tournament": {},
    "substitute": {"seat": 1, "robot": "beginner", "reason": "coup d’État"},
    "list_seeds": {"accounts": []},
    "give_prize": {"name": "Volé"},
    "take_prize_back": {"name": "Volé"},
    "adopt_table": {"table": 1},
    "open_championship": {"name": "Le leur"},
    "change_championship": {"name": "Volé"},
    "add_tournament": {},
    "penalise_in_championship": {"account": 1, "points": "1/2", "reason": "coup d’État"},
}
ANOTHERS = {
    "tournament_id",
    "championship_id",
    "table_id",
    "account_id",
    "session_id",
    "challenge_id",
    "webhook_id",
    "device_id",
}
OPEN_TO_STRANGERS = {
    # Routes about somebody else that anybody identified may use, because that is what they are for.
    "block",
    "unblock",
    "read_notice",
    "profile",
    "games_of",
    "statistics",
    "game",
    "ranking",
    "messages",
    "say",
    "read_channel",
    "championship",
    "championship_standings",
    "championship_log",
    "export_championship_csv",
    "export_championship_json",
}


def _id(route: Route) -> str:
    return route.name


class Scene:
    """An owner with things of his own, and the numbers of these things."""

    def __init__(self, house: House, owner: Guest, friend: Guest) -> None:
        self.house = house
        self.owner = owner
        self.friend = friend
        self.names: dict[str, Json] = {}

    async def furnish(self) -> None:
        owner = self.owner
        body = {"game": "mines", "variant": "classic", "access": "private", "name": "Secret de famille"}
        table = await owner.post("/tables", body, status=201)
        await owner.post(f"/channels/private:{self.friend.id}/messages", {"text": "entre nous"}, status=201)
        said = await owner.post(
            f"/channels/table:{table['id']}/messages", {"text": "à nous deux"}, status=201
        )
        await self.friend.post("/friends", {"pseudo": owner.pseudo})
        notice = (await owner.get("/notices"))["notices"][0]
        mate = await self.house.member("Adversaire")
        await mate.post("/friends", {"pseudo": owner.pseudo})
        await owner.post(f"/friends/{mate.id}/accept", status=204)
        offer = {"pseudo": mate.pseudo, "game": "chess", "variant": "classic"}
        challenge = await owner.post("/challenges", offer, status=201)
        hook = await owner.post(
            f"/tables/{table['id']}/webhooks",
            {"kind": "generic", "url": "https://exemple.invalid/secret"},
            status=201,
        )
        cup = {"name": "Secret de famille", "game": "chess", "variant": "classic", "format": "swiss"}
        tournament = await owner.post("/tournaments", {**cup, "rounds": 3}, status=201)
        championship = await owner.post("/championships", {"name": "La saison"}, status=201)
        self.names = {
            "table_id": table["id"],
            "webhook_id": hook["webhook"]["id"],
            "key": "a" * 26,
            "account_id": owner.id,
            "device_id": 1,
            "session_id": (await owner.get("/sessions"))["sessions"][0]["id"],
            "notice_id": notice["id"],
            "kind": "your_turn",
            "first": "2027-01-01",
            "message_id": said["id"],
            "challenge_id": challenge["id"],
            "errand_id": 1,
            "unsent_id": 1,
            "tournament_id": tournament["id"],
            "championship_id": championship["id"],
            "round": 1,
            "board": 1,
            "number": 1,
            "seat": 1,
            "role": 1,
            "channel": f"table:{table['id']}",
            "pseudo": owner.pseudo,
            "game": "mines",
            "variant": "classic",
        }

    def path(self, route: Route) -> str:
        return route.path.format(**self.names)

    async def belongings(self) -> Json:
        """All that the owner sees, to be compared before and after."""
        owner = self.owner
        table = self.names["table_id"]
        return {
            "account": await owner.get("/account"),
            "sessions": [session["id"] for session in (await owner.get("/sessions"))["sessions"]],
            "table": await owner.get(f"/tables/{table}"),
            "view": {**(await owner.get(f"/tables/{table}/view")), "now": 0},
            "webhooks": await owner.get(f"/tables/{table}/webhooks"),
            "friends": await owner.get("/friends"),
            "challenges": await owner.get("/challenges"),
            "notices": await owner.get("/notices"),
            "letters": await owner.get("/conversations"),
            "said": await owner.get(f"/channels/table:{table}/messages"),
            "tournament": await owner.get(f"/tournaments/{self.names['tournament_id']}"),
            "championship": await owner.get(f"/championships/{self.names['championship_id']}"),
        }


@pytest.fixture
async def scene(house: House) -> Scene:
    made = Scene(house, await house.member("Propriétaire", email="p@example.org"), await house.member("Ami"))
    await made.furnish()
    return made


def test_every_route_with_a_body_has_one_to_try() -> None:
    assert {route.handler.__name__ for route in ALL if route.body_type is not None} == set(BODIES)


async def _try(guest: Guest, scene: Scene, route: Route) -> tuple[int, Json]:
    body = BODIES.get(route.handler.__name__)
    query = {"role": 1} if route.handler.__name__ in ("press", "letters") else {}
    response = await guest.ask(route.method, scene.path(route), body, **query)
    return response.status_code, response.json()["error"] if response.status_code >= 400 else response.text


async def test_nobody_gets_in_without_saying_who_he_is(scene: Scene) -> None:
    nobody = scene.house.nobody()
    for route in ALL:
        if route.who is not Who.ANYONE:
            status, error = await _try(nobody, scene, route)
            assert (status, error["code"]) == (401, "not_identified"), route.name


async def test_visitors_stay_out_of_what_is_for_members(scene: Scene) -> None:
    visitor = await scene.house.visitor()
    for route in ALL:
        if route.who in (Who.MEMBER, Who.ADMINISTRATOR, Who.SUPER):
            status, error = await _try(visitor, scene, route)
            assert (status, error["code"]) == (403, "members_only"), route.name


async def test_members_stay_out_of_administration(scene: Scene) -> None:
    member = await scene.house.member()
    for route in ALL:
        if route.who in (Who.ADMINISTRATOR, Who.SUPER):
            status, error = await _try(member, scene, route)
            assert (status, error["code"]) == (403, "not_allowed"), route.name


async def test_administrators_stay_out_of_what_is_for_the_super_administrator(scene: Scene) -> None:
    chief, deputy = await scene.house.administrator(), await scene.house.member()
    await chief.put(f"/admin/accounts/{deputy.id}/role", {"role": "administrator"})
    for route in ALL:
        if route.who is Who.SUPER:
            status, error = await _try(deputy, scene, route)
            assert (status, error["code"]) == (403, "not_allowed"), route.name
    assert (await deputy.refused("PUT", f"/admin/accounts/{chief.id}/ban", {}))["code"] == "last_super"
    assert (await deputy.refused("POST", f"/admin/accounts/{chief.id}/act"))["code"] == "not_allowed"
    [session] = (await deputy.get(f"/admin/accounts/{chief.id}/sessions"))["sessions"]
    ending = f"/admin/accounts/{chief.id}/sessions/{session['id']}"
    assert (await deputy.refused("DELETE", ending))["code"] == "not_allowed"
    await chief.get("/session")
    assert (await deputy.refused("DELETE", f"/admin/accounts/{chief.id}"))["code"] in (
        "not_allowed",
        "last_super",
    )


async def test_a_stranger_changes_and_sees_nothing_that_is_anothers(scene: Scene) -> None:
    stranger = await scene.house.member("Étrangère")
    before = await scene.belongings()
    for route in ALL:
        if route.who in (Who.ADMINISTRATOR, Who.SUPER) or route.media_type != "application/json":
            continue
        if route.handler.__name__ in ("log_out", "ask_friend"):
            continue  # one's own session would end; a request would rightly be seen
        status, answer = await _try(stranger, scene, route)
        assert status < 500, route.name
        about_another = not ANOTHERS.isdisjoint(route.path_types)
        if about_another and route.handler.__name__ not in OPEN_TO_STRANGERS:
            assert status in (403, 404), f"{route.name}: {status} {answer}"
        for secret in ("Secret de famille", "entre nous", "à nous deux", "p@example.org"):
            assert secret not in str(answer), route.name
    assert await scene.belongings() == before


async def test_a_seat_at_one_table_is_no_seat_at_another(scene: Scene) -> None:
    stranger = await scene.house.member()
    await stranger.post("/tables", {"game": "mines", "variant": "classic"}, status=201)
    table = scene.names["table_id"]
    live = await stranger.live()
    move = {"type": "play", "table": table, "action": {"do": "click", "x": 0, "y": 0}, "request_id": "x"}
    assert (await live.refusal_of(move))["code"] == "no_such_table"
    say = {"type": "say", "channel": f"table:{table}", "text": "coucou"}
    assert (await live.refusal_of(say))["code"] == "no_such_table"
    for topic in (
        {"topic": "table", "table": table},
        {"topic": "table", "table": table, "as": "seat"},
        {"topic": "table", "table": table, "as": "spectator", "since": 0},
        {"topic": "chat", "channel": f"table:{table}"},
    ):
        assert (await live.refusal_of({"type": "subscribe", "to": topic}))["code"] == "no_such_table"
    await scene.owner.post(
        f"/tables/{table}/play", {"action": {"do": "click", "x": 5, "y": 5}, "request_id": "mine"}
    )
    assert await live.settled() == []
