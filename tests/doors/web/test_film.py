"""The film of a game over the web: where it stops, what stands out, and playing on from any of its steps."""

from __future__ import annotations

from io import BytesIO
from typing import Any
from xml.etree import ElementTree

from PIL import Image
from tests.doors.web.test_analysis import played
from tests.doors.web.test_own_games import pass_time, slow_house
from tests.kit.waiting import until
from tests.kit.web import Guest, House

from tablee.clock import HandClock

__all__ = ["slow_house"]
LOOKING_ON: dict[str, Any] = {"as": "spectator"}
SEATED: dict[str, Any] = {"as": "seat"}
MATE = "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7"


async def test_a_film_stops_at_every_move_and_says_what_stands_out(house: House) -> None:
    table, white, _ = await played(house, "classic", MATE)
    film = await white.get(f"/tables/{table}/film", **LOOKING_ON)
    assert film["total"] == len(film["steps"]) == 8
    assert [step["accent"] for step in film["steps"][-3:]] == ["", "", "Mat"]
    assert film["steps"][0]["mark"] == "Position de départ"
    assert film["steps"][0]["figures"] == {"1": 39, "2": 39}
    assert film["steps"][-1]["figures"] == {"1": 39, "2": 38}
    reader = house.nobody()
    reader.http.headers["Accept-Language"] = "en"
    english = await reader.get(f"/tables/{table}/film")
    assert english["steps"][-1]["accent"] == "Mate"


async def test_a_film_grows_with_its_game_and_a_stranger_sees_none_of_a_private_one(house: House) -> None:
    table, white, _ = await played(house, "classic", "e2e4 e7e5", access="private")
    assert (await white.get(f"/tables/{table}/film"))["total"] == 3
    move = {"action": {"do": "move", "move": "g1f3"}, "request_id": "n"}
    await white.post(f"/tables/{table}/play", move)
    assert [step["version"] for step in (await white.get(f"/tables/{table}/film"))["steps"]] == [1, 2, 3, 4]
    assert (await house.nobody().refused("GET", f"/tables/{table}/film"))["code"] == "no_such_table"


async def sights(guest: Guest, table: int, **query: Any) -> list[str]:
    """What was seen of the first board, step by step."""
    found = await guest.get(f"/tables/{table}/history", **query)
    boards, seen = found["view"].get("boards", {}), []
    for step in found["steps"]:
        boards = boards | step["patch"].get("boards", {})
        seen.append(boards["1"])
    return seen


async def test_a_game_in_the_dark_is_laid_open_in_its_film_when_it_is_over_and_not_before(
    house: House,
) -> None:
    table, white, black = await played(house, "dark", "e2e4 d7d5 e4d5")
    looker = house.nobody()
    during = await looker.get(f"/tables/{table}/film")
    assert all(step["figures"] is None for step in during["steps"])
    assert all(step["accent"] == "" for step in during["steps"])
    assert any("?" in board for board in await sights(looker, table))
    assert (await white.get(f"/tables/{table}/film", **LOOKING_ON))["steps"] == during["steps"]
    await black.post(f"/tables/{table}/leave")
    assert not any("?" in board for board in await sights(looker, table))
    after = await looker.get(f"/tables/{table}/film")
    assert after["steps"][3]["accent"] == "Prise"
    assert after["steps"][-1]["figures"] == {"1": 39, "2": 38}
    # One's own seat keeps what it saw then.
    assert any("?" in board for board in await sights(white, table, **SEATED))


async def test_a_finished_game_is_played_on_from_a_step_against_a_robot(house: House) -> None:
    table, white, black = await played(house, "classic", MATE)
    stranger = await house.member()
    body = {"step": 7, "as": "spectator", "seat": 1}
    new = await stranger.post(f"/tables/{table}/resume", body, status=201)
    assert (new["status"], new["rated"], new["access"]) == ("running", False, "private")
    assert [(seat["robot"], seat["account"] == new["host"]) for seat in new["seats"]] == [
        (None, True),
        ("beginner", False),
    ]
    view = (await stranger.get(f"/tables/{new['id']}/view"))["view"]
    assert (view["ply"], view["turn"], view["live"]) == (6, "white", False)
    # Its log is complete in itself: the film of the new table begins with the position.
    film = await stranger.get(f"/tables/{new['id']}/film")
    assert film["total"] == 1
    await stranger.post(
        f"/tables/{new['id']}/play", {"action": {"do": "move", "move": "d2d3"}, "request_id": "on"}
    )

    async def answered() -> bool:
        return bool((await stranger.get(f"/tables/{new['id']}/view"))["view"]["ply"] == 8)

    await until(answered)
    assert (await black.get(f"/tables/{table}"))["status"] == "over"
    # Of private tables others know nothing.
    assert (await white.refused("GET", f"/tables/{new['id']}"))["code"] == "no_such_table"


async def test_what_cannot_be_played_on_says_so(house: House) -> None:
    table, white, black = await played(house, "classic", "e2e4")
    refused = await white.refused("POST", f"/tables/{table}/resume", {"step": 1, "seat": 1})
    assert refused["code"] == "not_over_yet"
    await black.post(f"/tables/{table}/leave")
    for step, seat, code in (
        (3, 1, "nothing_left_to_play"),
        (99, 1, "nothing_left_to_play"),
        (2, 7, "seat_not_there"),
    ):
        body = {"step": step, "seat": seat}
        assert (await white.refused("POST", f"/tables/{table}/resume", body))["code"] == code
    wrong = {"step": 2, "seat": 1, "robot": "nobody"}
    assert (await white.refused("POST", f"/tables/{table}/resume", wrong))["code"] == "no_such_robot"
    assert (await house.nobody().refused("POST", f"/tables/{table}/resume", wrong))[
        "code"
    ] == "not_identified"


async def test_in_the_arena_everybody_goes_on_in_the_seat_that_he_had(house: House) -> None:
    host, guest = await house.member(), await house.member()
    body = {"game": "arena", "variant": "crossroads", "seats": 2, "time_control": {"kind": "none"}}
    table = (await host.post("/tables", body, status=201))["id"]
    await guest.post(f"/tables/{table}/join", {})
    await guest.post(f"/tables/{table}/leave")
    hers = (await guest.get(f"/tables/{table}/results"))["outcomes"]
    assert len(hers) == 2
    wrong = {"step": 1, "seat": 2, "as": "spectator"}
    assert (await host.refused("POST", f"/tables/{table}/resume", wrong))["code"] == "others_secrets"
    new = await host.post(f"/tables/{table}/resume", {**wrong, "seat": 1}, status=201)
    assert len((await host.get(f"/tables/{new['id']}/view"))["view"]["hand"]) > 0


async def test_a_step_is_taken_along_as_a_picture_that_another_program_paints(house: House) -> None:
    table, white, _ = await played(house, "classic", MATE)
    answer = await white.ask("GET", f"/tables/{table}/picture.svg", step=2, **LOOKING_ON)
    assert answer.headers["content-type"].startswith("image/svg+xml")
    drawn = ElementTree.fromstring(answer.text)
    assert drawn.tag == "{http://www.w3.org/2000/svg}svg"
    pawns = [each for each in drawn.iter() if "#white-pawn" in each.attrib.values()]
    assert len(pawns) == 8
    # The last step where none is named; painted by a program that is not ours, and read by a third one.
    answer = await house.nobody().ask("GET", f"/tables/{table}/picture.png")
    assert answer.headers["content-type"] == "image/png"
    with Image.open(BytesIO(answer.content)) as painted:
        assert painted.size == (800, 800)
        assert len(painted.convert("RGB").getcolors(1 << 20) or []) > 10


async def test_the_picture_of_a_link_never_shows_what_is_hidden(house: House) -> None:
    table, white, black = await played(house, "dark", "e2e4 d7d5")
    seen = [
        await guest.ask("GET", f"/tables/{table}/picture.png") for guest in (white, black, house.nobody())
    ]
    assert len({answer.content for answer in seen}) == 1
    mine = (await white.ask("GET", f"/tables/{table}/picture.svg", **SEATED)).text
    theirs = (await black.ask("GET", f"/tables/{table}/picture.svg", **SEATED)).text
    assert mine != theirs
    private, _, _ = await played(house, "classic", "e2e4", access="private")
    for path in ("picture.png", "picture.svg"):
        refused = await house.nobody().refused("GET", f"/tables/{private}/{path}")
        assert refused["code"] == "no_such_table"


async def test_a_game_that_draws_nothing_has_a_card_with_its_players(house: House) -> None:
    white = await house.member()
    table = await white.post("/tables", {"game": "chess", "variant": "classic"}, status=201)
    card = (await white.ask("GET", f"/tables/{table['id']}/picture.svg")).text
    assert white.pseudo in card


async def answered_after_hours(
    slow_house: tuple[House, HandClock], control: dict[str, Any]
) -> tuple[int, Guest]:
    """A table at which Black has moved while White was away, and White."""
    house, clock = slow_house
    table, white, black = await played(
        house, "classic", "e2e4", time_control=control, options={"turn_minutes": 0}
    )
    house.club.visits.seen(white.id)
    assert (await white.get(f"/tables/{table}/film"))["since"] is None
    await pass_time(clock, white, black)
    move = {"action": {"do": "move", "move": "e7e5"}, "request_id": "b"}
    await black.post(f"/tables/{table}/play", move)
    await pass_time(clock, white)
    return table, white


async def test_who_comes_back_is_told_where_he_left(slow_house: tuple[House, HandClock]) -> None:
    table, white = await answered_after_hours(slow_house, {"kind": "days", "days": 3})
    assert (await white.get(f"/tables/{table}/film"))["since"] == 2
    assert (await slow_house[0].nobody().get(f"/tables/{table}/film"))["since"] is None


async def test_a_game_in_haste_wants_its_player_at_the_board(slow_house: tuple[House, HandClock]) -> None:
    long = {"kind": "budget", "seconds": 86_400}
    table, white = await answered_after_hours(slow_house, long)
    assert (await white.get(f"/tables/{table}/film"))["since"] is None
