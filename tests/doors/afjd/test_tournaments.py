"""Games made over the AFJD's services become boards of a tournament."""

from __future__ import annotations

from tests.kit.afjd import House
from tests.tournaments.test_office import refused

from tablee.tables import TablePlan
from tablee.tournaments.acts import Drafted
from tablee.tournaments.office import Tournaments
from tablee.tournaments.plan import Plan


async def test_a_game_of_the_afjd_counts_in_a_tournament_of_its_players(house: House) -> None:
    game = await house.running(7)
    office, accounts = Tournaments(house.tables), house.club.accounts
    organiser = await accounts.by_id(game.master.id)
    plan = Plan("Grand Prix", "diplomacy", "standard", "boards", 2, points="cdiplo")
    number = await office.create(organiser, plan)
    await office.announce(organiser, number)
    for person in game.people:
        await office.enter(await accounts.by_id(person.id), number)
    await office.begin(organiser, number)
    state = await office.pair(organiser, number)
    nobody = Drafted(1, (), (), tuple(person.id for person in game.people))
    state = await office.move(organiser, number, nobody, state.draft_version)
    await office.publish(organiser, number, state.draft_version)

    adopt = office.adopting.adopt
    assert await refused(adopt(organiser, number, 1, 1, game.id, "")) == "table_not_over"
    await game.master.put(f"/games/{game.name}", current_state=2)
    await adopt(organiser, number, 1, 1, game.id, "jouée aux services de l’AFJD")
    (board,) = await office.boards(number)
    assert board.seats == tuple(game.player[role].id for role in range(1, 8)), "by power"
    points = {line.entrant: line.points for line in await office.standings(number)}
    russia = 1 + 4 + 38
    assert points[game.player[6].id] == russia
    assert sum(points.values()) == 7 + 22 + 59


async def test_nobody_comes_to_a_tournaments_table_or_goes_by_the_services(house: House) -> None:
    lea, max_, eve = [await house.person() for _ in range(3)]
    plan = TablePlan(
        "diplomacy", "standard", {}, lea.id, door="tournament", people=(lea.id, max_.id), seats=7
    )
    info = await house.tables.creating.create(plan)
    for method, person in (("POST", eve), ("DELETE", max_)):
        given = {"game_id": info.id, "player_id": person.id}
        answer = await person.ask(method, "/allocations", **given)
        assert answer.status_code >= 400
        assert "organisers" in answer.text
    sitting = [taken.account_id for taken in (await house.tables.read_info(info.id)).taken]
    assert sitting == [lea.id, max_.id]
