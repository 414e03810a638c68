"""Ways into a seat: one question for all of them, and what who comes later may read of the time before."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.doors.web.mastered import Mastered, mastered_game
from tests.kit.web import Guest, House

Json = Any


async def left_seat(game: Mastered) -> tuple[Guest, int, int]:
    """A player who has just left, his seat and one of his roles."""
    gone = game.players[0]
    seat = (await gone.get(game.path))["my_seat"]
    [role, *_] = await game.roles_of(gone)
    await gone.post(f"{game.path}/leave")
    return gone, seat, role


async def sitting(game: Mastered, seat: int) -> Json:
    info = await game.master.get(game.path)
    return next(each for each in info["seats"] if each["seat"] == seat)


async def test_a_seat_that_was_left_at_a_mastered_table_is_given_by_its_master(house: House) -> None:
    game = await mastered_game(house, terms={"access_code": 4711, "reliability": 90})
    gone, seat, _ = await left_seat(game)
    visitor, member = await house.visitor(), await house.member()
    for who in (visitor, member, gone, game.players[1]):
        for body in ({"seat": seat}, {"seat": seat, "access_code": 4711}, {"seat": seat, "robot": "novice"}):
            answer = await who.ask("POST", f"{game.path}/replace", body)
            assert answer.status_code in (403, 409), answer.text
            assert answer.json()["error"]["code"] in ("seated_by_master", "seat_taken"), answer.text
    assert (await sitting(game, seat))["left"] is True
    await game.master.post(f"{game.path}/seats", {"pseudo": member.pseudo, "seat": seat})
    assert (await sitting(game, seat))["account"] == member.id


async def test_a_master_never_takes_a_seat_at_his_own_table(house: House) -> None:
    game = await mastered_game(house)
    _, seat, role = await left_seat(game)
    master, path = game.master, game.path
    for method, where, body in (
        ("POST", f"{path}/replace", {"seat": seat}),
        ("POST", f"{path}/join", {}),
        ("POST", f"{path}/seats", {"pseudo": master.pseudo, "seat": seat}),
        ("POST", f"{path}/seats", {"pseudo": master.pseudo, "role": role}),
    ):
        assert (await master.refused(method, where, body))["code"] == "master_sits_not", where
    terms = {"mastered": True}
    made = await master.post(
        "/tables", {"game": "diplomacy", "variant": "lagune", "terms": terms}, status=201
    )
    assert (await master.refused("POST", f"/tables/{made['id']}/join", {}))["code"] == "master_sits_not"
    assert (await master.get(f"/tables/{made['id']}"))["seats"] == []


async def test_who_plays_at_a_mastered_table_does_not_put_a_robot_in_his_place(house: House) -> None:
    game = await mastered_game(house)
    player = game.players[0]
    seat = (await player.get(game.path))["my_seat"]
    refused = await player.refused("POST", f"{game.path}/replace", {"seat": seat, "robot": "novice"})
    assert refused["code"] == "seated_by_master"
    assert (await sitting(game, seat))["account"] == player.id


async def test_conditions_of_a_table_without_a_master_hold_for_a_seat_that_was_left(house: House) -> None:
    host, other = await house.member(), await house.member()
    terms = {"access_code": 4711, "performance": 1400}
    body = {"game": "diplomacy", "variant": "lagune", "terms": terms, "access": "private"}
    made = await host.post("/tables", body, status=201)
    path, link = f"/tables/{made['id']}", made["invitation"]
    await other.post(f"{path}/join", {"invitation": link, "access_code": 4711})
    await host.post(f"{path}/start")
    await other.post(f"{path}/leave")
    seat = 2
    visitor = await house.visitor()
    refused = await visitor.refused("POST", f"{path}/replace", {"seat": seat})
    assert refused["code"] == "no_such_table"
    for body, code in (
        ({"seat": seat, "invitation": link}, "wrong_access_code"),
        ({"seat": seat, "invitation": link, "access_code": 4712}, "wrong_access_code"),
        ({"seat": seat, "invitation": link[:-1] + "x", "access_code": 4711}, "no_such_table"),
    ):
        assert (await visitor.refused("POST", f"{path}/replace", body))["code"] == code
    taken = await visitor.post(f"{path}/replace", {"seat": seat, "invitation": link, "access_code": 4711})
    assert taken["my_seat"] == seat


async def test_of_two_who_come_for_one_seat_one_gets_it(house: House) -> None:
    people = [await house.member() for _ in range(3)]
    body = {"game": "robots", "variant": "race", "options": {"seats": 3}}
    made = await people[0].post("/tables", body, status=201)
    path = f"/tables/{made['id']}"
    for each in people[1:]:
        await each.post(f"{path}/join", {})
    await people[2].post(f"{path}/leave")
    comers = [await house.member() for _ in range(6)]
    answers = await asyncio.gather(*(each.ask("POST", f"{path}/replace", {"seat": 3}) for each in comers))
    codes = sorted(answer.status_code for answer in answers)
    assert codes[0] == 200, [answer.text for answer in answers]
    assert codes[1] >= 400, "a seat that was just taken was taken away again"
    winner = next(each for each, answer in zip(comers, answers, strict=True) if answer.status_code == 200)
    seats = (await people[0].get(path))["seats"]
    assert next(each for each in seats if each["seat"] == 3)["account"] == winner.id


# --- what a newcomer reads ---------------------------------------------------------------------------------


async def exchanged(game: Mastered) -> tuple[Guest, int, int]:
    """Letters are exchanged, then a player leaves: who it was, his seat and his role."""
    first, second = game.players
    [mine, *_], [theirs, *_] = await game.roles_of(first), await game.roles_of(second)
    await first.post(
        f"{game.path}/letters", {"role": mine, "to": theirs, "text": "Je te trahirai"}, status=201
    )
    await second.post(
        f"{game.path}/letters", {"role": theirs, "to": mine, "text": "Je m’en doute"}, status=201
    )
    await game.master.post(f"{game.path}/letters", {"role": 0, "to": mine, "text": "Entre nous"}, status=201)
    await first.put(f"{game.path}/notebook", {"text": "Mon plan"})
    return await left_seat(game)


async def letters_of(who: Guest, game: Mastered, role: int) -> Json:
    return await who.get(f"{game.path}/letters", role=role)


async def test_who_goes_on_in_a_role_reads_nothing_private_of_the_time_before(house: House) -> None:
    game = await mastered_game(house)
    second = game.players[1]
    _, seat, role = await exchanged(game)
    newcomer = await house.member()
    await game.master.post(f"{game.path}/seats", {"pseudo": newcomer.pseudo, "seat": seat})
    found = await letters_of(newcomer, game, role)
    assert found == {"spoken": [], "unread": {}, "read_up_to": {}}
    assert (await newcomer.get(f"{game.path}/notebook"))["text"] == ""
    [theirs, *_] = await game.roles_of(second)
    await second.post(f"{game.path}/letters", {"role": theirs, "to": role, "text": "Bienvenue"}, status=201)
    found = await letters_of(newcomer, game, role)
    assert [each["text"] for each in found["spoken"]] == ["Bienvenue"]
    assert found["unread"] == {str(theirs): 1}
    assert len((await letters_of(second, game, theirs))["spoken"]) == 3
    assert (await game.master.get(game.path))["terms"]["handed_on"] is False


async def test_where_the_terms_say_so_the_letters_of_a_role_are_handed_on(house: House) -> None:
    game = await mastered_game(house, terms={"handed_on": True})
    _, seat, role = await exchanged(game)
    newcomer = await house.member()
    assert (await newcomer.get(game.path))["terms"]["handed_on"] is True
    await game.master.post(f"{game.path}/seats", {"pseudo": newcomer.pseudo, "seat": seat})
    found = await letters_of(newcomer, game, role)
    assert [each["text"] for each in found["spoken"]] == ["Entre nous", "Je m’en doute", "Je te trahirai"]
    assert (await newcomer.get(f"{game.path}/notebook"))["text"] == ""  # one's notes are one's own


async def test_who_comes_back_to_his_role_reads_his_own_letters_and_not_those_between(house: House) -> None:
    game = await mastered_game(house)
    second = game.players[1]
    gone, seat, role = await exchanged(game)
    newcomer = await house.member()
    await game.master.post(f"{game.path}/seats", {"pseudo": newcomer.pseudo, "seat": seat})
    [theirs, *_] = await game.roles_of(second)
    await second.post(f"{game.path}/letters", {"role": theirs, "to": role, "text": "Bienvenue"}, status=201)
    await newcomer.post(f"{game.path}/leave")
    await game.master.post(f"{game.path}/seats", {"pseudo": gone.pseudo, "seat": seat})
    await second.post(f"{game.path}/letters", {"role": theirs, "to": role, "text": "Te revoilà"}, status=201)
    found = [each["text"] for each in (await letters_of(gone, game, role))["spoken"]]
    assert found == ["Te revoilà", "Entre nous", "Je m’en doute", "Je te trahirai"]


async def test_a_promise_about_letters_holds_once_the_game_has_begun(house: House) -> None:
    game = await mastered_game(house)
    changed = await game.master.refused("PATCH", game.path, {"terms": {"handed_on": True}})
    assert changed["code"] == "term_fixed"


@pytest.mark.parametrize("since", [0, 1])
async def test_what_a_seat_was_told_before_is_not_told_to_who_comes_later(house: House, since: int) -> None:
    game = await mastered_game(house)
    gone = game.players[0]
    seat = (await gone.get(game.path))["my_seat"]
    [role, *_] = await game.roles_of(gone)
    legal = (await gone.get(f"{game.path}/legal"))["legal"]["submit"][str(role)]["orders"]
    before = (await gone.get(f"{game.path}/view"))["version"]
    for number in (0, -1):
        orders = [choices[number] for choices in legal.values()]
        await game.play(gone, {"do": "submit", "role": role, "orders": orders, "final": False}, f"o{number}")
    await gone.post(f"{game.path}/leave")
    newcomer = await house.member()
    await game.master.post(f"{game.path}/seats", {"pseudo": newcomer.pseudo, "seat": seat})
    view = await newcomer.get(f"{game.path}/view", since=min(since, before))
    assert view["updates"] is None
    assert view["view"] is not None
    history = await newcomer.get(f"{game.path}/history")
    assert history["seat"] is None  # as an outsider saw it
    live = await newcomer.live()
    await live.subscribe("table", table=game.table, since=min(since, before))
    assert (await live.first(lambda m: m["type"] in ("table", "update")))["type"] == "table"
