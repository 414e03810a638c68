"""Notes and drafts are one's own, last as long as they are good for something, and go with their owner."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import func, select
from tests.doors.web.mastered import mastered_game
from tests.kit.web import House

from tablee.store import Query
from tablee.store.schema import draft, notebook

Json = Any
ORDER = [1, 4, 2, 0, 0, 0, 0]


async def _kept(house: House) -> tuple[int, int]:
    counts = [
        await house.store.one(Query(select(func.count().label("n")).select_from(t)))
        for t in (notebook, draft)
    ]
    return counts[0].n, counts[1].n  # type: ignore[union-attr]


async def test_notes_are_private_and_replaced(any_house: House) -> None:
    game = await mastered_game(any_house)
    player, other = game.players
    path = f"{game.path}/notebook"
    assert await player.get(path) == {"text": "", "at": None}
    text = "Ne pas croire la Brume.\n" + "é" * 1000
    assert (await player.put(path, {"text": text}))["text"] == text
    assert (await player.get(path))["text"] == text
    for guest in (other, game.master, await any_house.administrator(), await any_house.member()):
        assert (await guest.get(path))["text"] == ""
    assert (await any_house.nobody().refused("GET", path))["code"] == "not_identified"
    assert (await player.refused("PUT", path, {"text": "x" * 20_001}))["code"] == "invalid"
    assert (await player.get(path))["text"] == text
    await player.put(path, {"text": ""})
    assert await _kept(any_house) == (0, 0)


async def test_a_draft_lasts_as_long_as_its_phase(any_house: House) -> None:
    game = await mastered_game(any_house, players=3)
    player = game.players[0]
    [role] = await game.roles_of(player)
    path = f"{game.path}/drafts/{role}"
    empty = {"advancement": 0, "orders": [], "text": "", "at": None}
    assert await player.get(path) == empty
    body = {"advancement": 0, "orders": [ORDER, [1, 4, 2, 0, 0, False, 0]], "text": "A alc"}
    kept = await player.put(path, body)
    assert (kept["orders"], kept["text"]) == ([ORDER, ORDER], "A alc")
    assert (await player.get(path)) == kept
    view = (await game.master.get(f"{game.path}/view"))["view"]
    assert view["orders"] == {}, "a draft seals nothing"
    assert (await player.refused("PUT", path, {**body, "advancement": 1}))["code"] == "phase_over"
    await game.play(game.master, {"do": "adjudicate", "civil_disorder": True}, "resolve")
    assert (await player.get(path))["orders"] == []
    assert (await player.refused("PUT", path, body))["code"] == "phase_over"
    assert (await player.put(path, {**body, "advancement": 2}))["orders"] == [ORDER, ORDER]
    await player.delete(path)
    assert (await player.get(path))["at"] is None


@pytest.mark.parametrize(
    "orders", [[[1, 2]], [[1, 4, 2, 0, 0, 0, -1]], [["1", 4, 2, 0, 0, 0, 0]], [ORDER] * 201, 7]
)
async def test_what_is_no_draft_is_refused(house: House, orders: Json) -> None:
    game = await mastered_game(house, players=3)
    [role] = await game.roles_of(game.players[0])
    body = {"advancement": 0, "orders": orders}
    assert (await game.players[0].refused("PUT", f"{game.path}/drafts/{role}", body))["code"] == "invalid"


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
async def test_nobody_touches_the_draft_of_another(house: House, method: str) -> None:
    game = await mastered_game(house, players=3)
    player = game.players[0]
    [role] = await game.roles_of(player)
    path = f"{game.path}/drafts/{role}"
    body = {"advancement": 0, "orders": [ORDER]}
    await player.put(path, body)
    asked = body if method == "PUT" else None
    assert (await house.nobody().refused(method, path, asked))["code"] == "not_identified"
    for guest in (game.players[1], game.master, await house.member(), await house.administrator()):
        assert (await guest.refused(method, path, asked))["code"] == "not_seated"
    assert (await player.get(path))["orders"] == [ORDER]


async def test_notes_and_drafts_go_with_the_table_and_with_the_account(any_house: House) -> None:
    for leaves in (False, True):
        game = await mastered_game(any_house, players=3)
        player = game.players[0]
        [role] = await game.roles_of(player)
        await player.put(f"{game.path}/notebook", {"text": "à moi"})
        await player.put(f"{game.path}/drafts/{role}", {"advancement": 0, "orders": [ORDER]})
        assert await _kept(any_house) == (1, 1)
        if leaves:
            who = await any_house.club.accounts.by_id(player.id)
            await any_house.club.leaving.delete(who)
        else:
            await any_house.tables.mastering.erase(game.table)
        assert await _kept(any_house) == (0, 0)
