"""The seasons of a game of Diplomacy over the web, for whoever may see the table."""

from __future__ import annotations

from typing import Any

from tests.kit.web import Guest, House

from tablee.rules.contract import MASTER
from tablee.rules.diplomacy.forms import read_situation
from tablee.rules.diplomacy.game import SetPosition, Undo
from tablee.rules.diplomacy.variant import load_variant

Json = Any
DETROIT = load_variant("detroit")


def sent(orders: Json) -> Json:
    """Orders as an action takes them: whether an army goes by convoy is true or false there."""
    return [[*order[:5], bool(order[5]), order[6]] for order in orders]


class Duel:
    """Two people at the smallest board."""

    def __init__(self, house: House, first: Guest, second: Guest, table: int) -> None:
        self.house, self.players, self.table = house, (first, second), table
        self._moves = 0

    @classmethod
    async def begun(cls, house: House, **options: Json) -> Duel:
        first, second = await house.member(), await house.member()
        body = {"game": "diplomacy", "variant": "detroit", **options}
        table = (await first.post("/tables", body, status=201))["id"]
        link = {}
        if options.get("access") == "private":
            link = {"invitation": (await first.get(f"/tables/{table}/invitation"))["invitation"]}
        await second.post(f"/tables/{table}/join", link)
        if (await first.get(f"/tables/{table}"))["status"] == "open":
            await first.post(f"/tables/{table}/start")
        return cls(house, first, second, table)

    async def phase(self) -> None:
        """Both give the first of their legal orders, or the first move where they may move, and mean it."""
        for player in self.players:
            legal = (await player.get(f"/tables/{self.table}/legal"))["legal"]
            for role, allowed in legal.get("submit", {}).items():
                orders = [
                    next((order for order in found if order[1] == 1), found[0])
                    for found in allowed["orders"].values()
                ]
                if allowed["most"] is not None:
                    orders = orders[: allowed["most"]]
                action = {"do": "submit", "role": int(role), "orders": sent(orders), "final": True}
                self._moves += 1
                await player.post(
                    f"/tables/{self.table}/play", {"action": action, "request_id": f"ordres-{self._moves}"}
                )

    async def seasons(self, **query: Json) -> Json:
        return await self.house.nobody().get(f"/tables/{self.table}/seasons", **query)

    async def season(self, number: int, **query: Json) -> Json:
        return await self.house.nobody().get(f"/tables/{self.table}/seasons/{number}", **query)


async def test_a_game_is_told_season_by_season(house: House) -> None:
    duel = await Duel.begun(house)
    start = (await duel.players[0].get(f"/tables/{duel.table}/view"))["view"]["situation"]
    told = await duel.seasons()
    assert told["seasons"] == []
    assert told["centres"] == [{"year": DETROIT.year_zero, "counts": {"1": 3, "2": 3}}]
    for _ in range(4):
        await duel.phase()
    told = await duel.seasons()
    assert [each["number"] for each in told["seasons"]] == list(range(1, len(told["seasons"]) + 1))
    assert told["seasons"][0]["name"] == f"Mouvements printemps {DETROIT.year_zero + 1}"
    assert [each["year"] for each in told["centres"]][:2] == [DETROIT.year_zero, DETROIT.year_zero + 1]
    before = start
    for info in told["seasons"]:
        season = await duel.season(info["number"])
        assert season["info"] == info
        assert season["played"]["before"] == before
        assert len(season["explanations"]) == len(season["played"]["verdicts"])
        if info["kind"] == "adjudicated":
            assert {line["verdict"] for line in season["lines"]} >= set(range(len(season["explanations"])))
        before = season["after"]
    view = (await duel.players[0].get(f"/tables/{duel.table}/view"))["view"]
    assert view["situation"] == before
    resolved = [each for each in told["seasons"] if each["kind"] == "adjudicated"]
    assert (await duel.season(resolved[-1]["number"]))["played"] == view["last"]


async def test_a_season_is_told_in_the_language_asked_for(house: House) -> None:
    duel = await Duel.begun(house)
    await duel.phase()
    french, english = await duel.season(1), await duel.season(1, language="en")
    assert french["played"] == english["played"]
    assert french["report"].startswith("SOLVEUR : ")
    assert french["explanations"] != english["explanations"]
    assert english["info"]["name"].startswith("Spring moves")


async def test_a_position_that_the_master_has_set_is_a_season_of_its_own(house: House) -> None:
    duel = await Duel.begun(house)
    await duel.phase()
    known = await duel.seasons()
    form = {"ownerships": {"1": 1, "8": 2}, "units": {"1": [[1, 2]], "2": [[1, 15]]}}
    live = await house.tables.open(duel.table)
    await house.tables.submit(live, MASTER, SetPosition(read_situation(DETROIT, form), 2))
    told = await duel.seasons()
    assert told["seasons"][:-1] == known["seasons"]
    last = await duel.season(told["seasons"][-1]["number"])
    assert (last["info"]["kind"], last["info"]["advancement"]) == ("set", 2)
    assert last["after"]["units"] == form["units"]
    assert told["centres"] == [{"year": DETROIT.year_zero, "counts": {"1": 1, "2": 1}}]


async def test_a_season_that_the_master_takes_back_is_marked_and_can_still_be_read(house: House) -> None:
    duel = await Duel.begun(house)
    await duel.phase()
    first = await duel.season(1)
    live = await house.tables.open(duel.table)
    await house.tables.submit(live, MASTER, Undo())
    told = await duel.seasons()
    assert [each["kind"] for each in told["seasons"]][-1] == "undone"
    assert told["seasons"][0]["taken_back"]
    again = await duel.season(1)
    assert again == {**first, "info": {**first["info"], "taken_back": True}}
    await duel.phase()
    told = await duel.seasons()
    stands = [each for each in told["seasons"] if each["kind"] == "adjudicated" and not each["taken_back"]]
    assert [each["advancement"] for each in stands] == [0]


async def test_sealed_orders_are_in_no_season(house: House) -> None:
    duel = await Duel.begun(house)
    first = duel.players[0]
    legal = (await first.get(f"/tables/{duel.table}/legal"))["legal"]["submit"]
    [role] = legal
    orders = [found[-1] for found in legal[role]["orders"].values()]
    action = {"do": "submit", "role": int(role), "orders": sent(orders), "final": True}
    await first.post(f"/tables/{duel.table}/play", {"action": action, "request_id": "sealed"})
    assert (await duel.seasons())["seasons"] == []
    assert (await house.nobody().refused("GET", f"/tables/{duel.table}/seasons/1"))["code"] == "not_found"


async def test_the_seasons_of_a_private_table_are_for_those_who_may_see_it(house: House) -> None:
    duel = await Duel.begun(house, access="private")
    await duel.phase()
    first = duel.players[0]
    stranger = await house.member()
    for path in (f"/tables/{duel.table}/seasons", f"/tables/{duel.table}/seasons/1"):
        assert (await stranger.refused("GET", path))["code"] == "no_such_table"
        assert (await house.nobody().refused("GET", path))["code"] == "no_such_table"
        await first.get(path)
        link = (await first.get(f"/tables/{duel.table}/invitation"))["invitation"]
        await house.nobody().get(path, invitation=link)


async def test_seasons_name_nobody(house: House) -> None:
    duel = await Duel.begun(house)
    await duel.phase()
    told = str(await duel.seasons()) + str(await duel.season(1))
    assert not any(player.pseudo in told for player in duel.players)


async def test_another_game_has_no_seasons(house: House) -> None:
    member = await house.member()
    table = await member.post("/tables", {"game": "mines", "variant": "classic"}, status=201)
    assert (await member.refused("GET", f"/tables/{table['id']}/seasons"))["code"] == "not_found"
    assert (await member.refused("GET", "/tables/999/seasons"))["code"] == "no_such_table"
    for number in ("0", "-1", "x", "9" * 30):
        refusal = await member.refused("GET", f"/tables/{table['id']}/seasons/{number}")
        assert refusal["code"] == "not_found"


async def test_what_was_read_once_is_read_on_from_there(house: House) -> None:
    """A game asked for after each of its seasons tells the same as one that is read at once."""
    duel = await Duel.begun(house)
    for _ in range(6):
        await duel.phase()
        await duel.seasons()
    known = await duel.seasons()
    house.tables.drop_erased(duel.table)
    assert await duel.seasons() == known
