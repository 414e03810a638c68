"""A whole game from sign-up to a solo: by the REST calls alone, and half of the players in the web API."""

from __future__ import annotations

import random
from typing import Any

import pytest
from sqlalchemy import select
from tests.kit.afjd import STANDARD, ZONE, Game, House, Person, checked

from tablee.rules.diplomacy.adjustments import owed
from tablee.rules.diplomacy.forms import read_situation, write_situation
from tablee.rules.diplomacy.legal import legal_orders
from tablee.rules.diplomacy.model import Act, Order, Situation
from tablee.rules.diplomacy.phases import active_roles
from tablee.store import Query
from tablee.store.schema import event

Json = Any
WINNER = 2
PAR, MAR, BUR, MUN = (ZONE[code] for code in ("par", "mar", "bur", "mun"))
OPENING: dict[int, dict[int, tuple[Order, ...]]] = {
    0: {3: (Order(3, Act.MOVE, MUN, 0, BUR),)},
    2: {2: (Order(2, Act.MOVE, PAR, 0, BUR), Order(2, Act.SUPPORT_MOVE, MAR, PAR, BUR))},
}
"""In the first year the winner dislodges a neighbour; whoever is not named holds."""


class Web:
    """A player of the services who plays by the page's API."""

    def __init__(self, house: House, person: Person) -> None:
        self.house = house
        self.person = person
        self.headers: dict[str, str] = {}
        self.requests = 0

    async def sign_in(self) -> None:
        body = {"name": self.person.pseudo, "password": self.person.pseudo}
        signed = await self.house.http.post(f"{self.house.url}/api/v1/session", json=body)
        self.headers = {"Authorization": f"Bearer {signed.json()['access']}"}

    async def view(self, game: Game) -> Json:
        answer = await self.house.http.get(
            f"{self.house.url}/api/v1/tables/{game.id}/view", headers=self.headers
        )
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def submit(self, game: Game, role: int, orders: list[Order]) -> None:
        self.requests += 1
        action = {"do": "submit", "role": role, "orders": [list(order) for order in orders]}
        answer = await self.house.http.post(
            f"{self.house.url}/api/v1/tables/{game.id}/play",
            json={"action": action, "request_id": f"{self.person.pseudo}-{self.requests}"},
            headers=self.headers,
        )
        assert answer.status_code == 200, answer.text


def form(order: Order, units: dict[int, int]) -> Json:
    """An order as the dictionary of the document's E.4.3."""
    kind = order.kind or units.get(STANDARD.region_of[order.zone], 1)
    found: dict[str, Json] = {
        "order_type": int(order.act),
        "active_unit": {"type_unit": kind, "role": order.role, "zone": order.zone},
    }
    if order.passive:
        found["passive_unit"] = {"type_unit": 1, "role": order.role, "zone": order.passive}
    if order.destination:
        found["destination_zone"] = order.destination
    if order.via_convoy:
        found["via_convoy"] = True
    return found


def chosen(situation: Situation, advancement: int, role: int, rng: random.Random) -> list[Order]:
    """Orders that leave the winner the field: others stand still, retreat and build where they can."""
    legal = legal_orders(STANDARD, advancement % 5, situation, role)
    if advancement % 5 == 4:
        number = abs(owed(STANDARD, situation)[role])
        return [
            rng.choice(list(orders)) for orders in rng.sample(list(legal.values()), min(number, len(legal)))
        ]
    if advancement % 5 in (1, 3):
        return [next((o for o in orders if o.act == Act.RETREAT), orders[0]) for orders in legal.values()]
    if advancement in OPENING:
        said = OPENING[advancement].get(role, ())
        there = {STANDARD.region_of[order.zone] for order in said}
        rest = [
            next(order for order in orders if order.act == Act.HOLD)
            for zone, orders in legal.items()
            if STANDARD.region_of[zone] not in there
        ]
        return [*said, *rest]
    return marching(situation, legal, role, rng)


def marching(situation: Situation, legal: Any, role: int, rng: random.Random) -> list[Order]:
    """The winner goes for the next centre that is not his; the others wander about between the centres."""
    own = {STANDARD.region_of[unit.zone] for unit in situation.units if unit.role == role}
    centres = STANDARD.centres[1:]
    owned = {STANDARD.centres[centre] for centre, owner in situation.ownerships.items() if owner == WINNER}
    away = STANDARD.distances([region for region in centres if region not in owned])
    taken: set[int] = set()
    given: list[Order] = []
    for orders in legal.values():
        stay = next(order for order in orders if order.act == Act.HOLD)
        here = STANDARD.region_of[stay.zone]
        moves = [
            order
            for order in orders
            if order.act == Act.MOVE
            and not order.via_convoy
            and STANDARD.region_of[order.destination] not in taken | own
        ]
        if role == WINNER:
            moves.sort(key=lambda order: (away[STANDARD.region_of[order.destination]], order.destination))
            order = moves[0] if moves and here not in set(centres) - owned else stay
        else:
            moves = [order for order in moves if STANDARD.region_of[order.destination] not in centres]
            order = rng.choice(moves) if moves else stay
        taken.add(STANDARD.region_of[order.destination or order.zone])
        given.append(order)
    return given


@pytest.mark.parametrize("in_the_page", [(), (1, 3, 5, 7)], ids=["by REST alone", "half of them in the page"])
async def test_a_whole_game_from_sign_up_to_a_solo(house: House, in_the_page: tuple[int, ...]) -> None:
    rng = random.Random(6)
    master = await house.person("Arbitre")
    game = await house.game(master, "Grande", manual=1, victory_centers=18, speed_moves=2)
    people = [await house.person(f"Puissance{role}") for role in range(1, 8)]
    for role, person in enumerate(people, 1):
        await master.post("/allocations", game_id=game.id, player_id=person.id, role_id=role)
        game.people.append(person)
    await game.start()
    web = {role: Web(house, game.player[role]) for role in in_the_page}
    for each in web.values():
        await each.sign_in()
    seen: set[str] = set()
    replaced = False
    for _ in range(120):
        shown = await game.informations()
        if shown["current_state"] == 2:
            break
        advancement = shown["current_advancement"]
        position = await game.position()
        situation = read_situation(STANDARD, position)
        roles = active_roles(STANDARD, advancement, situation)
        kinds = {STANDARD.region_of[unit.zone]: unit.kind for unit in situation.units}
        kinds |= {STANDARD.region_of[unit.zone]: unit.kind for unit in situation.dislodged}
        late = 0
        if advancement == 2 and 5 in roles:
            late = 5
        if advancement >= 5 and not replaced:
            newcomer = await house.person("Releve")
            await master.post("/allocations", game_id=game.id, player_id=newcomer.id, role_id=6)
            game.player[6] = newcomer
            web.pop(6, None)
            replaced = True
            seen.add("replacement")
        for role in roles:
            orders = chosen(situation, advancement, role, rng)
            seen |= {Act(order.act).name for order in orders}
            if role == late:
                continue
            if role in web:
                await web[role].submit(game, role, orders)
            else:
                given = [form(order, kinds) for order in orders]
                await game.player[role].post(f"/game-orders/{game.id}", role_id=role, orders=given)
        if late:
            refused = await master.ask("POST", f"/game-adjudications/{game.id}")
            assert refused.status_code == 400
            assert str(late) in refused.json()["msg"]
            await master.post(f"/game-civil-disorders/{game.id}", role_id=late)
            seen.add("civil disorder")
        if advancement == 5 and 4 in roles:
            legal = legal_orders(STANDARD, advancement % 5, situation, 4)
            correction = [form(orders[-1], kinds) for orders in legal.values()]
            await master.post(f"/game-orders/{game.id}", role_id=4, orders=correction)
            assert (await game.player[4].get(f"/game-corrections/{game.id}", role_id=4))["corrections_list"]
            seen.add("correction")
        if advancement == 0:
            await game.player[2].post(
                f"/game-messages/{game.id}", role_id=2, dest_role_id=4, content="Paix ?"
            )
            await game.player[4].post(f"/game-declarations/{game.id}", role_id=4, content="Paix !")
            heard = await game.player[4].get(f"/game-messages/{game.id}", role_id=4)
            assert heard["messages_list"][0][3] == "Paix ?"
        await master.post(f"/game-adjudications/{game.id}")
    shown = await game.informations()
    assert shown["current_state"] == 2
    history = (await house.get(f"/game-histories/{game.id}"))["history"]
    await _replays(house, game, [entry[0] for entry in history])
    assert {
        "MOVE",
        "HOLD",
        "BUILD",
        "REMOVE",
        "RETREAT",
        "replacement",
        "civil disorder",
        "correction",
    } <= seen
    info = await house.tables.info(game.id)
    assert info.result is not None
    assert info.result.reason == "solo"
    centres = (await game.position())["ownerships"].values()
    assert list(centres).count(WINNER) >= 18
    if in_the_page:
        assert (await web[1].view(game))["view"]["ended"] == "solo"


async def _replays(house: House, game: Game, advancements: list[int]) -> None:
    """The history replays to the same position: by its seasons in the solver, and by the log."""
    stands = {role: units for role, units in write_situation(STANDARD.start())["units"].items() if units}
    season: Json = None
    for advancement in advancements:
        season = await house.get(f"/game-histories/{game.id}/{advancement}")
        left = {unit[0]: unit for unit in _placed(stands)}
        # A phase that was passed over may only have taken units away, of a power without a centre.
        assert {unit[0]: unit for unit in _placed(season["position"]["units"])}.items() <= left.items()
        built: dict[str, list[list[int]]] = {}
        for _, kind, zone, role, _, _ in season["fake_units"]:
            built.setdefault(str(role), []).append([kind, zone])
        given = {
            "variant": "standard",
            "advancement": advancement,
            "situation": {**season["position"], "fake_units": built},
            "orders": [row[1:] for row in season["orders"]],
        }
        solved = await house.ask("POST", "/solve", "solver", secret=True, **given)
        answer = checked(solved, 201)
        for part in ("ownerships", "units", "dislodged_ones", "forbiddens"):
            assert answer["situation_result"][part] == season["result"][part], (advancement, part)
        stands = season["result"]["units"]
    assert stands == (await game.position())["units"]
    rules, codec = house.tables.rules("diplomacy", "standard"), house.tables.codec("diplomacy", "standard")
    rows = await house.store.rows(
        Query(select(event.c.facts).where(event.c.table_id == game.id).order_by(event.c.seq))
    )
    state: Any = None
    for row in rows:
        for fact in codec.facts(row.facts):
            state = rules.evolve(state, fact)
    assert state == (await house.tables.open(game.id)).state


def _placed(units: Json) -> list[tuple[int, int, int]]:
    """Units as (zone, kind, role)."""
    return [(zone, kind, int(role)) for role, found in units.items() for kind, zone in found]
