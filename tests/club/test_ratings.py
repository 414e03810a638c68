"""Ratings: who wins rises, races lose nothing, ties are fair."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from sqlalchemy import insert, select
from tests.club.conftest import Member

from tablee.club import Account, Club, points
from tablee.club.ratings import Gone
from tablee.rules.contract import Result
from tablee.skill import Strength, margin, rate, reckoned, shown
from tablee.store import Conflict, Query, Store, Unit
from tablee.store.schema import game_table, outcome


async def _play(club: Club, ranks: dict[int, int], players: dict[int, Account], **more: Any) -> None:
    result = Result(ranks=ranks, reason="test", scores=more.pop("scores", {}), rated=more.pop("rated", True))
    seats = {seat: player.id for seat, player in players.items()}
    while True:
        writes = await club.ratings.after_game(result, seats, "mines", "classic", **more)
        try:
            await club.store.commit(Unit(writes=writes))
        except Conflict:
            continue
        return


def test_the_rating_shown_starts_at_1500() -> None:
    assert shown(25.0) == 1500
    assert shown(26.0) == 1560
    assert shown(0.0) == 0


async def test_who_wins_rises_and_who_loses_falls(club: Club, member: Member) -> None:
    lea, max_ = await member("Lea"), await member("Max")
    assert (await club.ratings.standing(lea.id, "mines", "classic")).rating == 1500
    await _play(club, {1: 1, 2: 2}, {1: lea, 2: max_}, scores={1: 40, 2: -10})
    winner = await club.ratings.standing(lea.id, "mines", "classic")
    loser = await club.ratings.standing(max_.id, "mines", "classic")
    assert winner.rating > 1500 > loser.rating
    assert (winner.played, winner.won, winner.lost, winner.drawn, winner.points) == (1, 1, 0, 0, 40)
    assert (loser.played, loser.won, loser.lost, loser.drawn, loser.points) == (1, 0, 1, 0, -10)
    assert (await club.ratings.standing(lea.id, "mines", "large")).played == 0
    await _play(club, {1: 1, 2: 1}, {1: lea, 2: max_})
    drawn = await club.ratings.standing(lea.id, "mines", "classic")
    assert (drawn.drawn, drawn.version) == (1, 2)
    assert drawn.rating < winner.rating


def test_ranks_alone_decide_not_seats() -> None:
    even = dict.fromkeys((1, 2, 3), Strength())
    rated = rate(even, {1: 3, 2: 1, 3: 2})
    assert rated[2][0] > rated[3][0] > rated[1][0]
    level = rate(even, {1: 1, 2: 1, 3: 1})
    assert len({round(mu, 9) for mu, _ in level.values()}) == 1


async def test_points_count_even_where_ratings_do_not(club: Club, member: Member) -> None:
    lea, max_ = await member("Lea"), await member("Max")
    await _play(club, {1: 1, 2: 2}, {1: lea, 2: max_}, scores={1: 7, 2: 0}, rated=False)
    standing = await club.ratings.standing(lea.id, "mines", "classic")
    assert (standing.rating, standing.played, standing.points) == (1500, 1, 7)
    await _play(club, {1: 1}, {1: lea}, scores={1: 3})  # alone: nobody to be better than
    standing = await club.ratings.standing(lea.id, "mines", "classic")
    assert (standing.rating, standing.played, standing.won, standing.points) == (1500, 2, 1, 10)


async def test_games_that_end_at_once_all_count(club: Club, other_club: Club, member: Member) -> None:
    lea, others = await member("Lea"), [await member(f"Joueur{n}") for n in range(6)]
    games = [
        _play(at, {1: 1, 2: 2}, {1: lea, 2: other}, scores={1: 5, 2: 1})
        for at, other in zip([club, other_club] * 3, others, strict=True)
    ]
    await asyncio.gather(*games)
    standing = await club.ratings.standing(lea.id, "mines", "classic")
    assert (standing.played, standing.won, standing.points, standing.version) == (6, 6, 30, 6)


async def test_a_lost_race_is_a_conflict_and_changes_nothing(club: Club, member: Member) -> None:
    lea, max_ = await member("Lea"), await member("Max")
    result = Result(ranks={1: 1, 2: 2}, reason="test")
    for _ in range(2):  # once with new standings, once with old ones
        first = await club.ratings.after_game(result, {1: lea.id, 2: max_.id}, "mines", "classic")
        second = await club.ratings.after_game(result, {1: max_.id, 2: lea.id}, "mines", "classic")
        await club.store.commit(Unit(writes=first))
        before = await club.ratings.standings([lea.id, max_.id], "mines", "classic")
        with pytest.raises(Conflict):
            await club.store.commit(Unit(writes=second))
        assert await club.ratings.standings([lea.id, max_.id], "mines", "classic") == before


async def test_the_ranking_has_equal_ranks_for_equals_and_members_only(club: Club, member: Member) -> None:
    players = [await member(f"Joueur{n}") for n in range(4)]
    visitor, robot = await club.accounts.create_visitor(), await club.accounts.robot("mines", "fort")
    for _ in range(5):
        await _play(club, {1: 1, 2: 2, 3: 2, 4: 2}, dict(enumerate(players, 1)), scores={1: 1, 2: 9})
        await _play(club, {1: 1, 2: 2}, {1: visitor, 2: robot})
    ranking = await club.ratings.ranking("mines", "classic")
    assert [(line.rank, line.pseudo) for line in ranking] == [
        (1, "Joueur0"), (2, "Joueur1"), (2, "Joueur2"), (2, "Joueur3"),
    ]  # fmt: skip
    assert await club.ratings.ranking("mines", "classic", offset=1, limit=2) == ranking[1:3]
    by_points = await club.ratings.ranking("mines", "classic", by="points")
    assert [line.pseudo for line in by_points][:2] == ["Joueur1", "Joueur0"]
    assert await club.ratings.ranking("chess", "classic") == []
    assert await club.ratings.place(players[3].id, "mines", "classic") == ranking[3]
    assert await club.ratings.place(players[0].id, "mines", "classic", by="points") == by_points[1]
    assert await club.ratings.place(visitor.id, "mines", "classic") is None


async def test_over_all_variants_each_weighs_what_was_played_of_it(club: Club, member: Member) -> None:
    lea, max_ = await member("Lea"), await member("Max")
    seats = {1: lea.id, 2: max_.id}
    games = (("classic", {1: 1, 2: 2}), *[("alice", {1: 2, 2: 1})] * 4)
    for variant, ranks in games:
        result = Result(ranks=ranks, reason="test")
        writes = await club.ratings.after_game(result, seats, "chess", variant)
        await club.store.commit(Unit(writes=writes))
    ranking = await club.ratings.ranking("chess", None)
    assert [(line.rank, line.pseudo, line.played, line.won) for line in ranking] == [
        (1, "Max", 5, 4),
        (2, "Lea", 5, 1),
    ]
    assert [standing.variant for standing in await club.ratings.statistics(lea.id)] == ["alice", "classic"]


async def test_a_robot_in_several_seats_has_one_standing(club: Club, member: Member) -> None:
    lea, robot = await member("Lea"), await club.accounts.robot("mines", "fort")
    await _play(club, {1: 1, 2: 2, 3: 3}, {1: lea, 2: robot, 3: robot}, scores={2: 4, 3: 5})
    standing = await club.ratings.standing(robot.id, "mines", "classic")
    assert (standing.played, standing.lost, standing.points) == (2, 2, 9)
    assert (standing.rating, standing.rated) == (1500, 0)


async def test_the_outcome_of_a_table_is_kept_with_ratings_before_and_after(
    club: Club, store: Store, member: Member
) -> None:
    lea, max_ = await member("Lea"), await member("Max")
    await _table(store, 7)
    await _play(club, {1: 1, 2: 2}, {1: lea, 2: max_}, scores={1: 40}, table_id=7, at=123)
    rows = await store.rows(Query(select(outcome).order_by(outcome.c.seat)))
    assert [(row.account_id, row.rank, row.score, row.rating_before, row.at) for row in rows] == [
        (lea.id, 1, 40, 1500, 123), (max_.id, 2, None, 1500, 123),
    ]  # fmt: skip
    assert rows[0].rating_after > 1500 > rows[1].rating_after
    counted = await club.ratings.by_seat(max_.id, "mines", "classic")
    assert [(each.place, each.played, each.won, each.lost, each.drawn) for each in counted] == [
        (2, 1, 0, 1, 0)
    ]
    assert await club.ratings.by_side(max_.id, "mines", "classic") == []


async def test_who_plays_a_side_from_either_seat_is_counted_by_side(
    club: Club, store: Store, member: Member
) -> None:
    lea, max_ = await member("Lea"), await member("Max")
    for number, (ranks, white) in enumerate(
        (({1: 1, 2: 2}, 1), ({1: 2, 2: 1}, 2), ({1: 1, 2: 1}, 1)), start=7
    ):
        await _table(store, number)
        sides = {seat: "white" if seat == white else "black" for seat in (1, 2)}
        await _play(club, ranks, {1: lea, 2: max_}, table_id=number, sides=sides)
    for who, expected in (
        (lea, [("black", 1, 0, 1, 0), ("white", 2, 1, 0, 1)]),
        (max_, [("black", 2, 0, 1, 1), ("white", 1, 1, 0, 0)]),
    ):
        counted = await club.ratings.by_side(who.id, "mines", "classic")
        assert [(each.place, each.played, each.won, each.lost, each.drawn) for each in counted] == expected


async def test_points_can_be_added_without_a_game(club: Club, member: Member) -> None:
    lea = await member("Lea")
    key = (lea.id, "mines", "classic")
    for more in (0, 30, -50):
        await club.store.commit(Unit(writes=[points.known_write(*key), points.add_write(*key, more)]))
    assert (await club.ratings.totals("mines", "classic")) == [("Lea", -20, lea.id)]
    assert await club.ratings.ranking("mines", "classic") == []
    assert await points.players_of(club.store, "mines", "classic") == [("Lea", -20)]
    await club.store.commit(Unit(writes=[points.set_write(*key, 7)]))
    assert await points.points_of(club.store, *key) == 7


async def _table(store: Store, table_id: int) -> None:
    row = dict.fromkeys(("host_id", "due_at", "started_at", "ended_at", "result", "terms", "name_key")) | {
        **dict.fromkeys(("looked_at", "sweep_at", "warned_at")),
        **dict.fromkeys(("mastered", "anonymous"), False),
        "id": table_id, "game": "mines", "variant": "classic", "door": "web", "name": "x", "access": "open",
        "invitation": "", "options": "{}", "time_control": "{}", "rated": True, "seats_least": 1,
        "seats_most": 10, "status": "over", "seq": 0, "created_at": 0,
    }  # fmt: skip
    await store.change(Query(insert(game_table)), **row)


async def test_the_ranking_of_a_game_knows_ones_own_place_and_goes_by_points_too(
    club: Club, member: Member
) -> None:
    lea, max_, nora = await member("Lea"), await member("Max"), await member("Nora")
    for variant, ranks, players, games in (
        ("classic", {1: 1, 2: 2}, {1: lea, 2: max_}, 6),
        ("custom", {1: 1, 2: 2}, {1: max_, 2: lea}, 2),
        ("custom", {1: 1, 2: 2}, {1: nora, 2: lea}, 5),
    ):
        seats = {seat: player.id for seat, player in players.items()}
        for _ in range(games):
            result = Result(ranks=ranks, reason="test", scores={1: 10})
            await club.store.commit(
                Unit(writes=await club.ratings.after_game(result, seats, "mines", variant))
            )
    lines = await club.ratings.ranking("mines", None)
    assert {line.pseudo: (line.played, line.won, line.lost) for line in lines} == {
        "Lea": (13, 6, 7),
        "Max": (8, 2, 6),
        "Nora": (5, 5, 0),
    }
    assert await club.ratings.ranked("mines", None) == 3
    for who in (lea, max_, nora):
        standings = await club.ratings.statistics(who.id)
        rated = sum(each.rated for each in standings)
        place = await club.ratings.place(who.id, "mines", None)
        assert place is not None
        assert place.rating == shown(sum(each.mu * each.rated for each in standings) / rated)
        assert place in lines
    assert (await club.ratings.ranking("mines", None, by="points"))[0].pseudo == "Lea"
    assert await club.ratings.place((await member("Zoe")).id, "mines", None) is None


# --- ratings are earned ---------------------------------------------------------------------------------


async def test_six_games_won_against_visitors_who_left_change_nothing(club: Club, member: Member) -> None:
    lea = await member("Lea")
    for number in range(6):
        visitor = await club.accounts.create_visitor()
        gone = [Gone(2, visitor.id, resigned=True)]
        await _play(club, {1: 1, 2: 2}, {1: lea, 2: visitor}, scores={1: number}, gone=gone)
    standing = await club.ratings.standing(lea.id, "mines", "classic")
    assert (standing.rating, standing.rated, standing.played, standing.won) == (1500, 0, 6, 6)
    assert standing.points == 15
    assert await club.ratings.ranking("mines", "classic") == []
    assert await club.ratings.place(lea.id, "mines", "classic") is None


async def test_visitors_and_robots_are_left_out_of_the_reckoning(
    club: Club, store: Store, member: Member
) -> None:
    lea, max_ = await member("Lea"), await member("Max")
    visitor, robot = await club.accounts.create_visitor(), await club.accounts.robot("mines", "fort")
    await _table(store, 7)
    seats = {1: visitor, 2: lea, 3: robot, 4: max_}
    await _play(club, {1: 1, 2: 2, 3: 3, 4: 4}, seats, table_id=7, at=1)
    alone = rate({1: Strength(), 2: Strength()}, {1: 1, 2: 2})
    assert (await club.ratings.standing(lea.id, "mines", "classic")).strength == alone[1]
    assert (await club.ratings.standing(max_.id, "mines", "classic")).strength == alone[2]
    rows = await store.rows(Query(select(outcome).order_by(outcome.c.seat)))
    assert [row.unrated for row in rows] == ["not_member", None, "not_member", None]
    assert (rows[1].margin_before, rows[1].margin_after) == (1000, margin(alone[1].sigma))
    assert rows[0].rating_before is rows[0].rating_after is rows[0].margin_after is None


async def test_a_game_of_seven_seats_needs_four_members(club: Club, member: Member) -> None:
    members = [await member(f"Joueur{n}") for n in range(4)]
    robot = await club.accounts.robot("mines", "fort")
    ranks = {seat: seat for seat in range(1, 8)}
    for there, rated in ((3, 0), (4, 1)):
        seats = {seat: members[seat - 1] if seat <= there else robot for seat in ranks}
        await _play(club, ranks, seats)
        assert (await club.ratings.standing(members[0].id, "mines", "classic")).rated == rated


def test_two_seats_of_one_person_are_never_rated_against_each_other() -> None:
    assert reckoned([(5, 1), (5, 2)], {5}, {}, 2) is None
    changed = reckoned([(5, 1), (6, 2), (5, 3)], {5, 6}, {}, 3)
    assert changed == rate({5: Strength(), 6: Strength()}, {5: 3, 6: 2})


@pytest.mark.parametrize(
    ("is_rated", "more", "why"),
    [
        (False, {}, "stopped"),
        (True, {"counted": False}, "anonymous"),
        (True, {"rated": False}, "chosen"),
    ],
)
async def test_why_a_game_was_not_rated_is_kept(
    club: Club, store: Store, member: Member, is_rated: bool, more: dict[str, Any], why: str
) -> None:
    lea, max_ = await member("Lea"), await member("Max")
    await _table(store, 7)
    result = Result(ranks={1: 1, 2: 2}, reason="test", rated=is_rated)
    writes = await club.ratings.after_game(
        result, {1: lea.id, 2: max_.id}, "mines", "classic", table_id=7, at=1, **more
    )
    await store.commit(Unit(writes=writes))
    rows = await store.rows(Query(select(outcome)))
    assert [(row.unrated, row.rating_after) for row in rows] == [(why, None)] * 2


async def test_who_is_ranked_has_five_games_and_stands_where_he_is_at_least(
    club: Club, member: Member
) -> None:
    lea, max_, nora = await member("Lea"), await member("Max"), await member("Nora")
    for _ in range(20):  # an even match: both are well known, and stand in the middle
        await _play(club, {1: 1, 2: 2}, {1: lea, 2: max_})
        await _play(club, {1: 2, 2: 1}, {1: lea, 2: max_})
    for game in range(5):
        assert [line.pseudo for line in await club.ratings.ranking("mines", "classic")].count("Nora") == 0
        await _play(club, {1: 2, 2: 1} if game % 2 else {1: 1, 2: 2}, {1: nora, 2: lea})
    lines = {line.pseudo: line for line in await club.ratings.ranking("mines", "classic")}
    assert [
        line.pseudo for line in sorted(lines.values(), key=lambda line: line.margin - line.rating)
    ] == list(lines)
    assert lines["Nora"].rating > lines["Max"].rating
    assert lines["Nora"].rank == 3  # a first guess, however good, stands behind what is known
    assert (lines["Nora"].provisional, lines["Max"].provisional) == (True, False)
    assert await club.ratings.ranked("mines", "classic") == 3
