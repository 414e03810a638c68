"""While the database is gone people are told so, and nothing that was acknowledged is lost."""

from __future__ import annotations

import asyncio

from tests.kit.servers import PostgresServer
from tests.kit.waiting import until
from tests.kit.web import Guest, open_house

MOVE = {"action": {"do": "click", "x": 3, "y": 3}, "request_id": "through-the-storm"}


async def test_a_move_is_refused_with_503_while_the_database_is_gone_and_played_once_after(
    own_postgres: PostgresServer,
) -> None:
    url = own_postgres.create_database()
    async with open_house(url) as house:
        member = await house.member()
        table = (await member.post("/tables", {"game": "mines", "variant": "classic"}, status=201))["id"]
        live = await member.live()
        await live.subscribe("table", table=table)
        await live.take("table")
        await asyncio.to_thread(own_postgres.stop)
        response = await member.ask("POST", f"/tables/{table}/play", MOVE)
        assert (response.status_code, response.json()["error"]["code"]) == (503, "unavailable")
        assert int(response.headers["retry-after"]) > 0
        refused = await live.refusal_of({"type": "play", "table": table, **MOVE})
        assert refused["code"] == "unavailable"
        reading = await house.nobody().ask("GET", "/rankings/mines/classic")
        assert reading.status_code == 503
        await asyncio.to_thread(own_postgres.start)
        await until(lambda: _played(member, table), "the move is taken again")
        again = await member.post(f"/tables/{table}/play", MOVE)
        assert again["duplicate"] is True
        told = [step["facts"] for step in (await member.get(f"/tables/{table}/history"))["steps"]]
        assert sum(fact["is"] == "opened" for facts in told for fact in facts) == 1
        await live.take("update", lambda message: message["facts"][0]["is"] == "opened")


async def _played(member: Guest, table: int) -> bool:
    response = await member.ask("POST", f"/tables/{table}/play", MOVE)
    return bool(response.status_code == 200)
