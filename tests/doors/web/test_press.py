"""Press and letters at the web door: several addressees, what is unread, what is told at once or later."""

from __future__ import annotations

import pytest
from tests.doors.web.mastered import Mastered, mastered_game
from tests.kit.web import Guest, House


async def _three(house: House, **terms: bool) -> tuple[Mastered, dict[int, Guest]]:
    """A game of three players, each with the role that was dealt to him."""
    game = await mastered_game(house, players=3, terms=terms)
    by_role = {(await game.roles_of(player))[0]: player for player in game.players}
    return game, by_role


async def test_a_letter_goes_to_several_and_to_nobody_else(any_house: House) -> None:
    game, people = await _three(any_house)
    body = {"role": 1, "to": [2, 0, 2], "text": "Entre nous trois."}
    sent = await people[1].post(f"{game.path}/letters", body, status=201)
    assert [(each["to"], each["addressees"]) for each in sent["spoken"]] == [(2, [2, 0]), (0, [2, 0])]
    for guest, role, copies in ((people[2], 2, 1), (game.master, 0, 1), (people[1], 1, 2), (people[3], 3, 0)):
        found = await guest.get(f"{game.path}/letters", role=role)
        assert [each["text"] for each in found["spoken"]] == ["Entre nous trois."] * copies
    one = await people[1].post(f"{game.path}/letters", {"role": 1, "to": 3, "text": "Seule."}, status=201)
    assert [(each["to"], each["addressees"]) for each in one["spoken"]] == [(3, [3])]
    older = await people[1].get(f"{game.path}/letters", before=one["spoken"][0]["id"])
    assert [each["to"] for each in older["spoken"]] == [0, 2]


@pytest.mark.parametrize("to", [[], [4], [1], 1, [2, 99], -1, ["2"], 101])
async def test_a_letter_to_a_role_that_cannot_be_written_to_is_refused_whole(
    house: House, to: object
) -> None:
    game, people = await _three(house)
    refusal = await people[1].refused("POST", f"{game.path}/letters", {"role": 1, "to": to, "text": "?"})
    assert refusal["code"] == "invalid"
    for role, guest in people.items():
        assert (await guest.get(f"{game.path}/letters", role=role))["spoken"] == []


async def test_there_is_no_writing_to_a_master_where_there_is_none(house: House) -> None:
    host = await house.member()
    body = {"game": "diplomacy", "variant": "lagune", "robots": ["strategist", "strategist"]}
    made = await host.post("/tables", body, status=201)
    roles = (await host.get(f"/tables/{made['id']}/view"))["view"]["roles"]
    role = next(int(role) for role, each in roles.items() if each["seat"] == 1)
    letter = {"role": role, "to": 0, "text": "?"}
    assert (await host.refused("POST", f"/tables/{made['id']}/letters", letter))["code"] == "invalid"


async def test_what_is_unread_is_counted_by_correspondent(any_house: House) -> None:
    game, people = await _three(any_house)
    for author, text in ((2, "un"), (2, "deux"), (3, "trois")):
        await people[author].post(f"{game.path}/letters", {"role": author, "to": 1, "text": text}, status=201)
    await people[1].post(f"{game.path}/letters", {"role": 1, "to": 2, "text": "quatre"}, status=201)
    found = await people[1].get(f"{game.path}/letters")
    assert (found["unread"], found["read_up_to"]) == ({"2": 2, "3": 1}, {})
    first = found["spoken"][-1]["id"]
    read = {"role": 1, "other": 2, "message": first}
    await people[1].put(f"{game.path}/letters/read", read, status=204)
    found = await people[1].get(f"{game.path}/letters")
    assert (found["unread"], found["read_up_to"]) == ({"2": 1, "3": 1}, {"2": first})
    await people[1].put(f"{game.path}/letters/read", {**read, "message": 2**50}, status=204)
    found = await people[1].get(f"{game.path}/letters")
    assert found["unread"] == {"3": 1}
    assert found["read_up_to"]["2"] == found["spoken"][0]["id"], "no letter of tomorrow is read today"
    await people[1].put(f"{game.path}/letters/read", read, status=204)
    assert (await people[1].get(f"{game.path}/letters"))["unread"] == {"3": 1}, "marks only move forward"

    await people[2].post(f"{game.path}/press", {"role": 2, "text": "À tous"}, status=201)
    said = await people[1].get(f"{game.path}/press")
    assert (said["unread"], said["read_up_to"]) == ({"press": 1}, {"press": 0})
    assert (await people[2].get(f"{game.path}/press"))["unread"] == {"press": 0}, "his own words"
    await people[1].put(f"{game.path}/press/read", {"message": said["spoken"][0]["id"]}, status=204)
    assert (await people[1].get(f"{game.path}/press"))["unread"] == {"press": 0}


async def test_words_are_told_at_once_to_those_concerned_and_to_nobody_else(house: House) -> None:
    game, people = await _three(house)
    stranger = await house.member()
    lives = {}
    for name, guest in (*people.items(), (0, game.master), ("outside", stranger)):
        lives[name] = await guest.live()
        await lives[name].subscribe("table", table=game.table)
        await lives[name].take("table")
    await people[1].post(f"{game.path}/press", {"role": 1, "text": "À tous"}, status=201)
    for name in (0, 1, 2, 3):
        told = await lives[name].take("spoken")
        assert (told["table"], told["spoken"]["text"], told["spoken"]["to"]) == (game.table, "À tous", None)
    await people[1].post(f"{game.path}/letters", {"role": 1, "to": [0, 2], "text": "Chut"}, status=201)
    assert [(await lives[1].take("spoken"))["spoken"]["text"] for _ in range(2)] == ["Chut", "Chut"]
    assert (await lives[2].take("spoken"))["spoken"]["to"] == 2
    assert (await lives[0].take("spoken"))["spoken"]["to"] == 0
    for name in (3, "outside"):
        assert [came for came in await lives[name].settled() if came["type"] == "spoken"] == []


async def test_who_is_not_there_gets_one_notice_until_he_has_read(house: House) -> None:
    game, people = await _three(house, anonymous=True)
    here = await people[3].live()
    await here.subscribe("table", table=game.table)
    await here.take("table")
    await here.take("info", lambda news: any(seat["here"] for seat in news["info"]["seats"]))
    for text in ("un", "deux"):
        await people[1].post(f"{game.path}/letters", {"role": 1, "to": [2, 3], "text": text}, status=201)
        await people[1].post(f"{game.path}/press", {"role": 1, "text": text}, status=201)
    [press, letter] = (await people[2].get("/notices"))["notices"]
    assert (press["kind"], letter["kind"]) == ("declaration", "letter")
    assert (letter["about"]["role"], letter["about"]["author"]) == (2, 1)
    assert people[1].pseudo not in str((press, letter))
    assert (await people[3].get("/notices"))["notices"] == []
    assert [n["kind"] for n in (await game.master.get("/notices"))["notices"]] == ["declaration"]
    assert (await people[1].get("/notices"))["notices"] == []
    newest = (await people[2].get(f"{game.path}/letters"))["spoken"][0]["id"]
    read = {"role": 2, "other": 1, "message": newest}
    await people[2].put(f"{game.path}/letters/read", read, status=204)
    assert (await people[2].get("/notices"))["unread"] == {"declaration": 1}


async def test_a_silent_game_lets_players_write_to_the_master_alone(house: House) -> None:
    game, people = await _three(house, silent=True)
    for to in ([2], [0, 2]):
        refusal = await people[1].refused("POST", f"{game.path}/letters", {"role": 1, "to": to, "text": "?"})
        assert refusal["code"] == "silent"
    await people[1].post(f"{game.path}/letters", {"role": 1, "to": [0], "text": "Maître"}, status=201)
    await game.master.post(f"{game.path}/letters", {"role": 0, "to": [1, 2], "text": "Oui"}, status=201)
    assert (await people[2].refused("POST", f"{game.path}/press", {"role": 2, "text": "?"}))[
        "code"
    ] == "silent"


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "press", None),
        ("GET", "letters", None),
        ("POST", "press", {"role": 1, "text": "?"}),
        ("POST", "letters", {"role": 1, "to": [0], "text": "?"}),
        ("PUT", "press/read", {"role": 1, "message": 1}),
        ("PUT", "letters/read", {"role": 1, "other": 2, "message": 1}),
    ],
)
async def test_nobody_speaks_or_reads_in_a_role_of_another(
    house: House, method: str, path: str, body: object
) -> None:
    game, people = await _three(house)
    asked = {"role": 1} if body is None else {}
    full = f"{game.path}/{path}"
    assert (await house.nobody().refused(method, full, body, **asked))["code"] == "not_identified"
    for guest in (await house.member(), await house.administrator(), people[2], game.master):
        assert (await guest.refused(method, full, body, **asked))["code"] == "not_seated"
    assert (await people[1].ask(method, full, body, **asked)).status_code < 300


async def test_what_came_by_mail_waits_for_a_click_of_its_author_alone(house: House) -> None:
    game, people = await _three(house, anonymous=True)
    info = await house.tables.info(game.table)
    for text in ("un", "deux"):
        await house.tables.unsent.keep(info, people[1].id, 1, (2,), text, once=text)
        await house.tables.unsent.keep(info, people[1].id, 1, (2,), text, once=text)
    first, second = (await people[1].get(f"{game.path}/unsent"))["unsent"]
    assert (first["text"], first["to"], first["role"]) == ("un", [2], 1)
    assert (await people[2].get(f"{game.path}/unsent"))["unsent"] == []
    refusal = await people[2].refused("POST", f"{game.path}/unsent/{first['id']}", {})
    assert refusal["code"] == "no_such_unsent"
    said = await people[1].post(f"{game.path}/unsent/{first['id']}", {}, status=201)
    assert [each["text"] for each in said["spoken"]] == ["un"]
    await people[1].delete(f"{game.path}/unsent/{second['id']}")
    assert (await people[1].get(f"{game.path}/unsent"))["unsent"] == []
    assert [each["text"] for each in (await people[2].get(f"{game.path}/letters"))["spoken"]] == ["un"]
