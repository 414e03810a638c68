"""A finished game is looked through beside the loop, with progress; games from elsewhere are read."""

from __future__ import annotations

import re

import pytest
from tests.kit.waiting import until
from tests.kit.web import House


async def finished(house: House) -> int:
    """A game of three half-moves and a resignation."""
    white, black = await house.member("Ada"), await house.member("Bob")
    body = {
        "game": "chess",
        "variant": "classic",
        "time_control": {"kind": "budget", "seconds": 180, "increment": 2},
    }
    table = int((await white.post("/tables", body, status=201))["id"])
    await black.post(f"/tables/{table}/join", {})
    for number, (who, move) in enumerate(((white, "e2e4"), (black, "e7e5"), (white, "d1h5"))):
        action = {"action": {"do": "move", "move": move}, "request_id": f"m{number}"}
        await who.post(f"/tables/{table}/play", action)
    assert (await white.refused("POST", f"/tables/{table}/review", {}))["code"] == "still_played"
    await black.post(f"/tables/{table}/leave")
    return table


async def test_a_game_is_looked_through_and_its_file_has_what_was_found(house: House) -> None:
    table = await finished(house)
    anyone = house.nobody()
    assert (await anyone.get(f"/tables/{table}/review"))["status"] == "none"
    begun = await anyone.post(f"/tables/{table}/review", {})
    assert begun["total"] == 4
    seen: dict[str, object] = {}

    async def is_done() -> bool:
        seen.update(await anyone.get(f"/tables/{table}/review"))
        return seen["status"] == "done"

    await until(is_done)
    review = seen["review"]
    assert isinstance(review, dict)
    assert (len(review["curve"]), review["is_weak"]) == (4, True)
    text = (await anyone.ask("GET", f"/tables/{table}/export.pgn")).text
    assert "[%eval " in text
    assert re.search(r"\[%clk 0:0[23]:\d\d\]", text)
    assert '[WhiteElo "1500"]' in text


async def test_a_game_from_elsewhere_is_read_and_looked_at(house: House) -> None:
    anyone = house.nobody()
    found = await anyone.post("/chess/games", {"text": "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6"})
    assert found["sans"][-1] == "Nf6"
    seen = await anyone.post("/chess/analysis", {"start": found["start"], "moves": found["moves"]})
    assert seen["advice"]["san"] == "Qxf7#"
    for body in ({"text": "1. e5"}, {"text": "8/8/8/8/8/8/8/8 w - - 0 1"}):
        assert (await anyone.refused("POST", "/chess/games", body))["code"] == "invalid"
    wrong = {"start": found["start"], "moves": ["e2e5"]}
    assert (await anyone.refused("POST", "/chess/analysis", wrong))["code"] == "invalid"


@pytest.mark.parametrize("rated", [True, False])
async def test_a_game_from_another_position_is_not_rated(house: House, rated: bool) -> None:
    ada = await house.member("Ada")
    position = "8/P6k/8/8/8/8/7K/8 w - - 0 1"
    body = {"game": "chess", "variant": "classic", "options": {"start": position}, "rated": rated}
    assert (await ada.post("/tables", body, status=201))["unrated"] == "chosen"
