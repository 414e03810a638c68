"""Friends, messages, blocks, notices and the queue, between people on real sockets."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import delete
from tests.kit.waiting import until
from tests.kit.web import Guest, House, open_house

from tablee.clock import HandClock
from tablee.store import Query
from tablee.store.schema import presence


async def _friends(one: Guest, other: Guest) -> None:
    await one.post("/friends", {"pseudo": other.pseudo})
    await other.post(f"/friends/{one.id}/accept", status=204)


async def test_two_accounts_become_friends_and_see_each_other_come_and_go(any_house: House) -> None:
    anne, bruno = await any_house.member("Anne"), await any_house.member("Bruno")
    live = await anne.live()
    await live.subscribe("friends")
    assert (await live.take("friends"))["friends"] == []
    assert (await anne.post("/friends", {"pseudo": "bruno"}))["status"] == "asked"
    sent = await live.take("friends", lambda message: bool(message["friends"]))
    assert sent["friends"][0]["status"] == "asked_by_me"
    received = (await bruno.get("/friends"))["friends"]
    assert [(each["person"]["pseudo"], each["status"]) for each in received] == [("Anne", "asked_by_them")]
    await bruno.post(f"/friends/{anne.id}/accept", status=204)
    accepted = await live.take("friends", lambda m: m["friends"][0]["status"] == "friends")
    assert accepted["friends"][0]["here"] is False
    his = await bruno.live()
    await live.take("friends", lambda message: message["friends"][0]["here"])
    await his.close()
    await live.take("friends", lambda message: not message["friends"][0]["here"])
    await anne.delete(f"/friends/{bruno.id}")
    assert (await bruno.get("/friends"))["friends"] == []


async def test_who_was_taken_for_gone_with_his_node_is_noted_again(house: House) -> None:
    anne, bruno = await house.member(), await house.member()
    await _friends(anne, bruno)
    await anne.live()

    async def here() -> bool:
        return bool((await bruno.get("/friends"))["friends"][0]["here"])

    await until(here, "Anne is here")
    await house.store.change(Query(delete(presence)))
    assert not await here()
    house.club.online.enter_again()
    await until(here, "Anne is here again")


async def test_a_request_may_be_refused_or_called_off(house: House) -> None:
    anne, bruno = await house.member(), await house.member()
    await anne.post("/friends", {"pseudo": bruno.pseudo})
    await bruno.post(f"/friends/{anne.id}/refuse", status=204)
    await anne.post("/friends", {"pseudo": bruno.pseudo})
    await anne.post(f"/friends/{bruno.id}/cancel", status=204)
    assert (await bruno.refused("POST", f"/friends/{anne.id}/accept"))["code"] == "friend_request_none"
    assert (await anne.refused("POST", "/friends", {"pseudo": "Personne"}))["code"] == "account_unknown"
    assert (await anne.refused("POST", "/friends", {"pseudo": anne.pseudo}))["code"] == "not_yourself"


async def test_private_messages_arrive_live_and_are_counted_until_read(any_house: House) -> None:
    anne, bruno = await any_house.member(), await any_house.member()
    live = await bruno.live()
    await live.subscribe("chat", channel="private")
    said = await anne.post(f"/channels/private:{bruno.id}/messages", {"text": "Bonjour !"}, status=201)
    assert said["channel"] == f"private:{bruno.id}"
    heard = (await live.take("message"))["message"]
    assert heard["text"] == "Bonjour !"
    assert heard["channel"] == f"private:{anne.id}"
    assert heard["author"]["pseudo"] == anne.pseudo
    listed = await bruno.get("/conversations")
    assert listed["unread"] == 1
    assert listed["conversations"][0]["person"]["id"] == anne.id
    await bruno.put(f"/channels/private:{anne.id}/read", {"message": heard["id"]}, status=204)
    assert (await bruno.get("/conversations"))["unread"] == 0
    await live.send({"type": "say", "id": 5, "channel": f"private:{anne.id}", "text": "Salut"})
    await live.take("ok", lambda message: message["id"] == 5)
    texts = [each["text"] for each in (await anne.get(f"/channels/private:{bruno.id}/messages"))["messages"]]
    assert texts == ["Salut", "Bonjour !"]


async def test_nobody_reads_the_letters_of_two_others(house: House) -> None:
    anne, bruno, carla = await house.member(), await house.member(), await house.member()
    live = await carla.live()
    await live.subscribe("chat", channel="private")
    await anne.post(f"/channels/private:{bruno.id}/messages", {"text": "secret"}, status=201)
    low, high = sorted((anne.id, bruno.id))
    for channel in (f"private:{low}:{high}", f"private@{anne.id}", "private", "all", "table:", "private:0"):
        await carla.get(f"/channels/{channel}/messages", status=404)
    assert (await carla.get(f"/channels/private:{anne.id}/messages"))["messages"] == []
    refused = await live.refusal_of(
        {"type": "subscribe", "to": {"topic": "chat", "channel": f"private@{anne.id}"}}
    )
    assert refused["code"] == "not_found"
    assert "secret" not in str(await live.settled())
    await house.nobody().get(f"/channels/private:{anne.id}/messages", status=401)


async def test_who_is_blocked_is_not_heard(house: House) -> None:
    anne, bruno = await house.member(), await house.member()
    await _friends(anne, bruno)
    live = await anne.live()
    await live.subscribe("chat", channel="global")
    await live.subscribe("chat", channel="private")
    await anne.put(f"/blocks/{bruno.id}", status=204)
    assert [each["id"] for each in (await anne.get("/blocks"))["people"]] == [bruno.id]
    assert (await anne.get("/friends"))["friends"] == []
    await bruno.post("/channels/global/messages", {"text": "écoute-moi"}, status=201)
    refused = await bruno.refused("POST", f"/channels/private:{anne.id}/messages", {"text": "réponds"})
    assert refused["code"] == "blocked"
    assert (await bruno.refused("POST", "/friends", {"pseudo": anne.pseudo}))["code"] == "blocked"
    carla = await house.member()
    await carla.post("/channels/global/messages", {"text": "bonsoir"}, status=201)
    assert (await live.take("message"))["message"]["text"] == "bonsoir"
    seen = (await anne.get("/channels/global/messages"))["messages"]
    assert [each["text"] for each in seen] == ["bonsoir"]
    await anne.delete(f"/blocks/{bruno.id}")
    assert len((await anne.get("/channels/global/messages"))["messages"]) == 2


async def test_visitors_chat_at_tables_and_only_there(house: House) -> None:
    visitor, member = await house.visitor(), await house.member()
    table = (await visitor.post("/tables", {"game": "mines", "variant": "classic"}, status=201))["id"]
    live = await member.live()
    await live.subscribe("chat", channel=f"table:{table}")
    await visitor.post(f"/channels/table:{table}/messages", {"text": "on joue ?"}, status=201)
    assert (await live.take("message"))["message"]["text"] == "on joue ?"
    assert (await visitor.refused("POST", "/channels/global/messages", {"text": "hé"}))[
        "code"
    ] == "members_only"
    await house.nobody().post(f"/channels/table:{table}/messages", {"text": "x"}, status=401)


async def test_messages_are_paged_newest_first(house: House) -> None:
    anne = await house.member()
    for number in range(7):
        await anne.post("/channels/global/messages", {"text": f"n° {number}"}, status=201)
    page = (await anne.get("/channels/global/messages", limit=3))["messages"]
    assert [each["text"] for each in page] == ["n° 6", "n° 5", "n° 4"]
    older = (await anne.get("/channels/global/messages", limit=3, before=page[-1]["id"]))["messages"]
    assert [each["text"] for each in older] == ["n° 3", "n° 2", "n° 1"]


async def test_notices_are_listed_read_and_only_ones_own(house: House) -> None:
    anne, bruno = await house.member(), await house.member()
    await bruno.post("/friends", {"pseudo": anne.pseudo})
    found = await anne.get("/notices")
    assert found["unread"] == {"friend_request": 1}
    assert found["notices"][0]["about"] == {"from": bruno.pseudo}
    await bruno.post(f"/notices/{found['notices'][0]['id']}/read", status=204)
    assert (await anne.get("/notices"))["unread"] == {"friend_request": 1}
    await anne.post(f"/notices/{found['notices'][0]['id']}/read", status=204)
    assert (await anne.get("/notices"))["unread"] == {}
    await anne.post("/notices/read", status=204)


async def test_two_who_wait_for_the_same_are_put_together(any_house: House) -> None:
    anne, bruno = await any_house.member(), await any_house.member()
    live = await anne.live()
    await live.subscribe("queue")
    assert (await live.take("queue"))["queue"]["waiting"] is False
    wish = {"game": "mines", "variant": "classic"}
    waiting = await anne.put("/queue", wish)
    assert waiting["waiting"] is True
    await bruno.put("/queue", wish)
    found = await live.take("queue", lambda message: not message["queue"]["waiting"])
    assert found["queue"]["table"] is not None, "out of the queue means at the table"
    table = await anne.get(f"/tables/{found['queue']['table']}")
    assert {seat["account"] for seat in table["seats"]} == {anne.id, bruno.id}
    assert (await bruno.get("/queue"))["table"] == table["id"]


async def test_who_leaves_the_queue_waits_no_longer(house: House) -> None:
    anne = await house.member()
    await anne.put("/queue", {"game": "mines", "variant": "classic"})
    await anne.delete("/queue")
    assert (await anne.get("/queue"))["waiting"] is False
    assert (await anne.refused("PUT", "/queue", {"game": "mines", "variant": "ludo"}))[
        "code"
    ] == "no_such_game"


async def test_who_closes_the_page_waits_no_longer_and_who_loads_it_anew_does(tmp_path: Path) -> None:
    clock = HandClock(1_700_000_000_000)
    async with open_house(f"sqlite:///{tmp_path / 'tablee.sqlite'}", clock=clock) as house:
        anne, bruno, bot = await house.member(), await house.member(), await house.member()
        hub, wish = house.door.house.live, {"game": "mines", "variant": "classic", "players": 9}
        lives = [await guest.live() for guest in (anne, bruno)]
        for guest in (anne, bruno, bot):
            await guest.put("/queue", wish)
        for live in lives:
            await live.close()
        await until(lambda: hub.count() == 0, "both pages are gone")
        await clock.advance(9_000)
        await bruno.live()
        assert (await anne.get("/queue"))["waiting"]
        await clock.advance(1_000)

        async def anne_is_out() -> bool:
            return not (await anne.get("/queue"))["waiting"]

        await until(anne_is_out, "nobody is put together with a page that is closed")
        for guest in (bruno, bot):  # a program without a page waits as long as it likes
            assert (await guest.get("/queue"))["waiting"]


async def test_who_closes_the_page_leaves_the_queue_though_the_database_is_slow_to_note_it(
    tmp_path: Path,
) -> None:
    clock, path = HandClock(1_700_000_000_000), tmp_path / "tablee.sqlite"
    async with open_house(f"sqlite:///{path}", clock=clock) as house:
        anne = await house.member()
        live = await anne.live()
        await anne.put("/queue", {"game": "mines", "variant": "classic", "players": 9})
        with closing(sqlite3.connect(path, isolation_level=None)) as somebody:
            somebody.execute("BEGIN IMMEDIATE")  # nothing can be written meanwhile
            await live.close()
            await until(lambda: house.door.house.live.count() == 0, "the page is gone")
            await clock.advance(10_000)
            assert (await anne.get("/queue"))["waiting"]
            somebody.execute("ROLLBACK")

        async def anne_is_out() -> bool:
            return not (await anne.get("/queue"))["waiting"]

        await until(anne_is_out, "nobody is put together with a page that is closed")


async def test_profile_and_ranking_show_what_was_played(house: House) -> None:
    anne, bruno = await house.member("Anne"), await house.member("Bruno")
    options = {"width": 5, "height": 5, "mines": 1}
    body = {"game": "mines", "variant": "custom", "options": options}
    table = (await anne.post("/tables", body, status=201))["id"]
    await bruno.post(f"/tables/{table}/join", {})
    for number in range(25):
        await anne.ask(
            "POST",
            f"/tables/{table}/play",
            {"action": {"do": "click", "x": number % 5, "y": number // 5}, "request_id": f"c{number}"},
        )
    results = await bruno.get(f"/tables/{table}/results")
    assert results["status"] == "over"
    assert [outcome["name"] for outcome in results["outcomes"]] == ["Anne", "Bruno"]
    assert results["outcomes"][0]["rating_after"] > results["outcomes"][0]["rating_before"]
    profile = await house.nobody().get("/players/anne")
    assert profile["standings"][0]["won"] == 1
    assert "email" not in profile
    shown = profile["standings"][0]
    assert (shown["rated"], shown["provisional"]) == (1, True)
    assert results["outcomes"][0]["margin_after"] == shown["margin"] < results["outcomes"][0]["margin_before"]
    ranking = await house.nobody().get("/rankings/mines/custom")
    assert (ranking["lines"], ranking["total"]) == ([], 0)  # it begins with five rated games
    ranking = await house.nobody().get("/rankings/mines/custom", by="points")
    assert [line["pseudo"] for line in ranking["lines"]] == ["Anne", "Bruno"]
    assert ranking["lines"][0]["rank"] == 1
    second = await house.nobody().get("/rankings/mines/custom", offset=1, limit=1, by="points")
    assert ([line["pseudo"] for line in second["lines"]], second["offset"], second["total"]) == (
        ["Bruno"],
        1,
        2,
    )
    assert second["mine"] is None
    mine = (await bruno.get("/rankings/mines/custom", limit=1, by="points"))["mine"]
    assert (mine["pseudo"], mine["rank"]) == ("Bruno", 2)
    assert (await (await house.member()).get("/rankings/mines/custom"))["mine"] is None
    games = (await house.nobody().get("/players/Bruno/games"))["games"]
    assert games[0]["table"] == table
    assert games[0]["opponents"] == [{"name": "Anne", "robot": None, "rank": 1}]
    chart = await house.nobody().get("/players/Anne/statistics/mines/custom")
    assert chart["ratings"][0]["table"] == table
    found = (await house.nobody().get("/players", search="an"))["players"]
    assert [each["pseudo"] for each in found] == ["Anne"]
    notices = await bruno.get("/notices")
    assert notices["notices"][0]["kind"] == "game_over"


async def test_many_messages_at_once_arrive_in_order_at_every_listener(house: House) -> None:
    speakers = [await house.member() for _ in range(3)]
    ears = []
    for speaker in speakers:
        live = await speaker.live()
        await live.subscribe("chat", channel="global")
        ears.append(live)
    await asyncio.gather(
        *(
            speaker.post("/channels/global/messages", {"text": f"{speaker.pseudo} {n}"}, status=201)
            for speaker in speakers
            for n in range(10)
        )
    )
    orders = [[(await live.take("message"))["message"]["id"] for _ in range(30)] for live in ears]
    assert orders[0] == orders[1] == orders[2]


async def test_who_came_by_the_link_of_a_private_table_reads_and_speaks_there(any_house: House) -> None:
    host, guest = await any_house.member(), await any_house.visitor()
    body = {"game": "mines", "variant": "classic", "access": "private"}
    table = await host.post("/tables", body, status=201)
    path, link = f"/channels/table:{table['id']}/messages", f"?invitation={table['invitation']}"
    await host.post(path, {"text": "Entrez !"}, status=201)
    assert [m["text"] for m in (await guest.get(path + link))["messages"]] == ["Entrez !"]
    assert (await guest.post(path + link, {"text": "Merci."}, status=201))["text"] == "Merci."
    live = await guest.live()
    channel = f"table:{table['id']}"
    await live.subscribe("chat", channel=channel, invitation=table["invitation"])
    say = {"type": "say", "id": 3, "channel": channel, "text": "Belle partie"}
    await live.send({**say, "invitation": table["invitation"]})
    heard = await live.take("message")
    assert (heard["message"]["text"], heard["message"]["author"]["id"]) == ("Belle partie", guest.id)
    newest = (await any_house.nobody().get(path + link))["messages"][0]
    read = f"/channels/{channel}/read"
    await guest.put(read + link, {"message": newest["id"]}, status=204)


async def test_without_its_link_a_private_table_s_channel_is_as_unknown_as_any(house: House) -> None:
    host, guest = await house.member(), await house.visitor()
    body = {"game": "mines", "variant": "classic", "access": "private"}
    table = await host.post("/tables", body, status=201)
    live = await guest.live()
    for number, link in (
        (table["id"], ""),
        (table["id"], "?invitation=guessed"),
        (999_999, f"?invitation={table['invitation']}"),
    ):
        path = f"/channels/table:{number}/messages{link}"
        told = [await guest.refused("GET", path), await guest.refused("POST", path, {"text": "là ?"})]
        topic = {"topic": "chat", "channel": f"table:{number}"}
        say = {"type": "say", "channel": f"table:{number}", "text": "là ?"}
        secret = {"invitation": link.removeprefix("?invitation=")} if link else {}
        await live.send({"type": "subscribe", "to": {**topic, **secret}})
        told.append((await live.take("error"))["error"])
        await live.send({**say, **secret})
        told.append((await live.take("error"))["error"])
        assert {each["code"] for each in told} == {"no_such_table"}
    assert (await host.get(f"/channels/table:{table['id']}/messages"))["messages"] == []


async def test_a_conversation_shows_its_last_message(house: House) -> None:
    anne, bruno = await house.member(), await house.member()
    await anne.post(f"/channels/private:{bruno.id}/messages", {"text": "Une partie ?"}, status=201)
    await bruno.post(f"/channels/private:{anne.id}/messages", {"text": "Demain."}, status=201)
    (talk,) = (await anne.get("/conversations"))["conversations"]
    assert talk["last"]["text"] == "Demain."
    assert talk["last"]["author"]["id"] == bruno.id
    assert talk["last"]["id"] == talk["last_message"]
    assert talk["last"]["channel"] == talk["channel"] == f"private:{bruno.id}"


async def test_a_profile_shows_the_day_of_the_last_visit_unless_one_keeps_it(house: House) -> None:
    anne = await house.member()
    shown = await house.nobody().get(f"/players/{anne.pseudo}")
    day = 86_400_000
    assert shown["seen_at"] % day == 0
    assert 0 <= house.door.house.clock.now() - shown["seen_at"] < 2 * day
    await anne.patch("/account", {"settings": {"hide_seen": True}})
    assert (await house.nobody().get(f"/players/{anne.pseudo}"))["seen_at"] is None
