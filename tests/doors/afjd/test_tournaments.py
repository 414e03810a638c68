"""Games made over the AFJD's services become boards of a tournament."""

from __future__ import annotations

from tests.kit.afjd import House
from tests.tournaments.test_office import refused

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
