"""Reliability and regularity: on the profile and beside names, never of anonymous games."""

from __future__ import annotations

from tests.doors.web.mastered import mastered_game
from tests.doors.web.test_standing_in import DATED, pass_phase
from tests.kit.web import House


async def test_the_profile_shows_deadlines_met_and_games_played_to_their_end(house: House) -> None:
    game = await mastered_game(house, players=3, **DATED)
    late, other = game.players[0], game.players[1]
    assert (await late.get(f"/players/{late.pseudo}"))["conduct"] is None
    seat = (await late.get(game.path))["my_seat"]
    await pass_phase(house, game.table, seat)
    shown = (await house.nobody().get(f"/players/{late.pseudo}"))["conduct"]
    assert (shown["owed"], shown["late"], shown["reliability"]) == (1, 1, 83)
    assert (await other.get(f"/players/{other.pseudo}"))["conduct"]["reliability"] == 100
    seats = (await other.get(f"{game.path}/conduct"))["seats"]
    assert seats[str(seat)]["reliability"] == 83
    await game.play(game.master, {"do": "stop"}, "end")
    shown = (await late.get(f"/players/{late.pseudo}"))["conduct"]
    assert (shown["finished"], shown["dropped"]) == (1, 0)


async def test_of_an_anonymous_game_nothing_is_shown(house: House) -> None:
    known = await mastered_game(house, players=3, **DATED)
    hidden = await mastered_game(house, players=3, terms={"anonymous": True}, **DATED)
    for game in (known, hidden):
        seat = (await game.players[0].get(game.path))["my_seat"]
        await pass_phase(house, game.table, seat)
    player = hidden.players[0]
    assert (await player.get(f"/players/{player.pseudo}"))["conduct"] is None
    for guest in (player, hidden.players[1], hidden.master):
        assert (await guest.get(f"{hidden.path}/conduct"))["seats"] == {}
