"""A league of robots of known strength, replayed as if members had played it: the ranking agrees."""

from __future__ import annotations

import json
from pathlib import Path

from bench.league import ranking, replayed, spearman
from tests.club.conftest import Member

from tablee.club import Club
from tablee.rules.contract import Result
from tablee.skill import PROVISIONAL_BELOW, RANKED_AFTER
from tablee.store import Unit

LEAGUE = json.loads((Path(__file__).parent / "league.json").read_text())
"""Made by `python -m bench.league --rounds 2 --write`: the first of the players is the strongest."""


def test_the_order_of_a_league_agrees_with_true_strength() -> None:
    strengths, counts = replayed(LEAGUE["games"])
    assert min(counts.values()) >= PROVISIONAL_BELOW
    assert spearman(ranking(strengths)) >= 0.9


async def test_the_house_ranks_the_league_so_and_the_provisional_mark_falls(
    club: Club, member: Member
) -> None:
    players = [await member(f"Robot{number}") for number in range(len(LEAGUE["slips"]))]
    games = [game for game in LEAGUE["games"] if game[0] < 3 and game[1] < 3]
    seen = []
    for white, black, winner in games:
        seats = {1: players[white].id, 2: players[black].id}
        ranks = {seat: 1 if winner in (who, -1) else 2 for seat, who in ((1, white), (2, black))}
        writes = await club.ratings.after_game(Result(ranks, "mate"), seats, "chess", "classic")
        await club.store.commit(Unit(writes=writes))
        seen.append(await club.ratings.standing(players[0].id, "chess", "classic"))
    assert all(each.provisional == (each.rated < PROVISIONAL_BELOW) for each in seen)
    strengths, counts = replayed(games)
    lines = await club.ratings.ranking("chess", "classic")
    assert [line.pseudo for line in lines] == [
        f"Robot{who}" for who in ranking(strengths) if counts[who] >= RANKED_AFTER
    ]
