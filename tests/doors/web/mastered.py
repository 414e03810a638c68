"""A table of Diplomacy with a master, on a small board, for tests of what he and his players may do."""

from __future__ import annotations

from typing import Any

from tests.kit.web import Guest, House

from tablee.tables import TablePlan, Terms, Way

Json = Any


class Mastered:
    """A running game: its master and two players, and who plays which role."""

    def __init__(self, master: Guest, players: list[Guest], info: Json) -> None:
        self.master = master
        self.players = players
        self.info = info
        self.path = f"/tables/{info['id']}"
        self.table: int = info["id"]

    async def roles_of(self, player: Guest) -> list[int]:
        view = (await self.master.get(f"{self.path}/view"))["view"]
        info = await player.get(self.path)
        return [int(role) for role, each in view["roles"].items() if each["seat"] == info["my_seat"]]

    async def play(self, guest: Guest, action: Json, request: str) -> Json:
        return await guest.post(f"{self.path}/play", {"action": action, "request_id": request})

    async def refused(self, guest: Guest, action: Json, request: str) -> Json:
        return await guest.refused("POST", f"{self.path}/play", {"action": action, "request_id": request})


async def mastered_game(
    house: House, *, variant: str = "lagune", players: int = 2, terms: Json = None, **options: Json
) -> Mastered:
    """A game that has begun; `terms` besides that it has a master, `options` of the game."""
    master = await house.member()
    people = [await house.member() for _ in range(players)]
    chosen = Terms(**{"mastered": True, **(terms or {})})
    made = await house.tables.creating.create(
        TablePlan("diplomacy", variant, options, master.id, terms=chosen)
    )
    for each in people:
        await house.tables.sitting.join(made.id, each.id, Way(by=master.id))
    await house.tables.creating.start(made.id, master.id)
    return Mastered(master, people, await master.get(f"/tables/{made.id}"))
