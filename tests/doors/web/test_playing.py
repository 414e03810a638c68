"""Stories of games played through the web door, over real sockets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.kit.rooms import PASSWORD
from tests.kit.waiting import until
from tests.kit.web import Guest, House, Live, patched

Json = Any
SMALL = {"width": 8, "height": 8, "mines": 8, "seats": 4}


async def mines(guest: Guest, **fields: Json) -> Json:
    """A small table of mines, with its maker seated."""
    body = {"game": "mines", "variant": "custom", "options": SMALL, **fields}
    return await guest.post("/tables", body, status=201)


def _is_answer_to(request: str) -> Callable[[Json], bool]:
    # A robot at the same table may have been faster: then the answer is that the square is open already.
    return lambda message: message["type"] in ("played", "error") and message.get("request_id") == request


async def play_to_the_end(live: Live, table: int, view: Json) -> tuple[Json, int]:
    """Click every square that the view shows hidden until the game ends; gives the view made of patches."""
    version = 0
    clicks = 0
    while not view.get("ended"):
        hidden = [
            (x, int(y)) for y, row in view["rows"].items() for x, letter in enumerate(row) if letter == "X"
        ]
        x, y = hidden[clicks % len(hidden)]
        clicks += 1
        request = f"click-{clicks}"
        await live.send(
            {"type": "play", "table": table, "action": {"do": "click", "x": x, "y": y}, "request_id": request}
        )
        answer = await live.first(_is_answer_to(request))
        updates = [message for message in live.waiting if message["type"] == "update"]
        while updates or (answer["type"] == "played" and version < answer["version"]):
            update = updates.pop(0) if updates else await live.take("update")
            if update in live.waiting:
                live.waiting.remove(update)
            assert version in (0, update["version"] - 1)
            version = update["version"]
            view = patched(view, update["patch"])
    return view, version


async def test_a_visitor_makes_a_table_with_a_robot_and_plays_to_the_end(any_house: House) -> None:
    visitor = await any_house.visitor()
    strength = (await visitor.get("/games/mines/custom"))["robots"][0]
    table = await mines(visitor, robots=[strength])
    assert table["status"] == "running"
    assert table["my_seat"] is not None
    assert len(table["seats"]) == 2
    live = await visitor.live()
    await live.subscribe("table", table=table["id"])
    whole = await live.take("table")
    assert whole["seat"] == table["my_seat"]
    assert "click" in whole["legal"]
    view, _ = await play_to_the_end(live, table["id"], whole["view"])
    assert view["ended"] == "cleared"
    info = await live.take("info", lambda message: message["info"]["status"] == "over")
    assert info["info"]["result"]["reason"] == "cleared"
    seen = await visitor.get(f"/tables/{table['id']}/view")
    assert seen["view"]["rows"] == view["rows"]
    assert seen["view"]["players"] == view["players"]
    results = await visitor.get(f"/tables/{table['id']}/results")
    assert {outcome["seat"] for outcome in results["outcomes"]} == {1, 2}


async def test_two_players_see_the_same_board_and_scores(any_house: House) -> None:
    host, guest = await any_house.member(), await any_house.member()
    table = await mines(host)
    joined = await guest.post(f"/tables/{table['id']}/join", {})
    assert [seat["account"] for seat in joined["seats"]] == [host.id, guest.id]
    lives = [await host.live(), await guest.live()]
    views = []
    for live in lives:
        await live.subscribe("table", table=table["id"])
        views.append((await live.take("table"))["view"])
    await play_to_the_end(lives[0], table["id"], views[0])
    seen = [await each.get(f"/tables/{table['id']}/view") for each in (host, guest)]
    assert seen[0]["view"]["rows"] == seen[1]["view"]["rows"]
    assert seen[0]["view"]["players"] == seen[1]["view"]["players"]
    version = seen[1]["version"]
    last = await lives[1].take("update", lambda message: message["version"] == version)
    assert any(fact["is"] == "finished" for fact in last["facts"])


async def test_who_comes_back_with_since_gets_only_what_he_missed(house: House) -> None:
    player = await house.member()
    table = await mines(player)
    live = await player.live()
    await live.subscribe("table", table=table["id"])
    whole = await live.take("table")
    await live.close()
    for request, (x, y) in enumerate([(0, 0), (7, 7), (0, 7)]):
        await player.ask(
            "POST",
            f"/tables/{table['id']}/play",
            {"action": {"do": "click", "x": x, "y": y}, "request_id": f"click-{request}"},
        )
    now = await player.get(f"/tables/{table['id']}/view")
    again = await player.live()
    await again.subscribe("table", table=table["id"], since=whole["version"])
    view, version = whole["view"], whole["version"]
    while version < now["version"]:
        update = await again.take("update")
        assert update["version"] == version + 1
        version, view = update["version"], patched(view, update["patch"])
    assert view["rows"] == now["view"]["rows"]
    assert not [message for message in await again.settled() if message["type"] == "table"]
    over_http = await player.get(f"/tables/{table['id']}/view", since=whole["version"])
    assert over_http["view"] is None
    assert [update["version"] for update in over_http["updates"]][-1] >= version


async def test_a_since_from_nowhere_gives_the_whole_view(house: House) -> None:
    player = await house.member()
    table = await mines(player)
    live = await player.live()
    await live.subscribe("table", table=table["id"], since=999_999)
    assert (await live.take("table"))["view"]["rows"]


async def test_what_was_seen_in_another_epoch_counts_for_nothing(house: House) -> None:
    player = await house.member()
    table = await mines(player)
    live = await player.live()
    await live.subscribe("table", table=table["id"])
    whole = await live.take("table")
    again = await player.live()
    known = {"table": table["id"], "since": whole["version"]}
    await again.subscribe("table", **known, epoch=whole["epoch"])
    assert not [message for message in await again.settled() if message["type"] == "table"]
    await again.subscribe("table", **known, epoch="another")
    assert (await again.take("table"))["epoch"] == whole["epoch"]
    move = {"action": {"do": "click", "x": 0, "y": 0}, "request_id": "one"}
    answer = await player.ask("POST", f"/tables/{table['id']}/play", {**move, "epoch": "another"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "restored")
    assert not (await player.post(f"/tables/{table['id']}/play", {**move, "epoch": whole["epoch"]}))[
        "duplicate"
    ]


async def test_the_same_request_is_answered_again_and_never_played_twice(any_house: House) -> None:
    player = await any_house.member()
    table = await mines(player)
    move = {"action": {"do": "click", "x": 3, "y": 3}, "request_id": "the-one"}
    first = await player.post(f"/tables/{table['id']}/play", move)
    second = await player.post(f"/tables/{table['id']}/play", move)
    assert not first["duplicate"]
    assert second["duplicate"]
    assert second["version"] == first["version"]
    live = await player.live()
    await live.send({"type": "play", "table": table["id"], "id": 9, **move})
    third = await live.take("played")
    assert third == {
        "type": "played",
        "table": table["id"],
        "request_id": "the-one",
        "version": first["version"],
        "duplicate": True,
        "id": 9,
    }


async def test_a_flag_is_seen_by_nobody_else(house: House) -> None:
    host, guest, watcher = await house.member(), await house.member(), house.nobody()
    table = (await mines(host))["id"]
    await guest.post(f"/tables/{table}/join", {})
    others = [await guest.live(), await watcher.live()]
    for live in others:
        await live.subscribe("table", table=table)
        await live.take("table")
        await live.settled()
    before = [await each.get(f"/tables/{table}/view") for each in (guest, watcher)]
    move = {"action": {"do": "flag", "x": 1, "y": 2}, "request_id": "secret"}
    own_live = await host.live()
    await own_live.subscribe("table", table=table)
    await own_live.take("table")
    await others[0].take("info", lambda m: m["info"]["seats"][0]["here"] and m["info"]["spectators"] == 1)
    for live in others:
        await live.settled()
    assert (await host.post(f"/tables/{table}/play", move))["facts"][0]["is"] == "flagged"
    heard = await own_live.take("marked")
    assert (heard["facts"][0]["is"], heard["patch"]) == ("flagged", {"rows": {"2": "XFXXXXXX"}})
    assert [await live.settled() for live in others] == [[], []]
    after = [await each.get(f"/tables/{table}/view") for each in (guest, watcher)]
    for earlier, later in zip(before, after, strict=True):
        assert {**earlier, "now": 0} == {**later, "now": 0}
    own = await host.get(f"/tables/{table}/view")
    assert own["view"]["rows"]["2"][1] == "F"
    told = await watcher.get(f"/tables/{table}/history")
    assert "flagged" not in str(told)
    assert "flagged" not in str(await host.get(f"/tables/{table}/history"))  # it is no event


async def test_the_number_of_an_event_in_the_log_never_leaves_the_house(house: House) -> None:
    host, guest = await house.member(), await house.member()
    table = (await mines(host))["id"]
    await guest.post(f"/tables/{table}/join", {})
    live = await house.tables.open(table)
    view = await guest.get(f"/tables/{table}/view")
    assert view["version"] < live.seq  # that the mines are laid is told to nobody
    assert "seq" not in str(view)


async def test_a_move_that_the_rules_refuse_says_why_in_the_players_language(house: House) -> None:
    player = await house.member(language="en")
    table = (await mines(player))["id"]
    move = {"action": {"do": "unflag", "x": 1, "y": 1}, "request_id": "no"}
    error = await player.refused("POST", f"/tables/{table}/play", move)
    assert error["code"] == "illegal"
    assert error["parts"]["reason"] == "not_flagged"
    assert error["message"] == "Square B2 does not bear your flag."
    live = await player.live()
    refused = await live.refusal_of({"type": "play", "table": table, **move})
    assert refused == error


async def test_what_tables_do_themselves_is_no_move(house: House) -> None:
    player = await house.member()
    table = (await mines(player))["id"]
    for action in (
        {"do": "join", "name": "Intrus"},
        {"do": "leave"},
        {"do": "replace", "name": "Intrus"},
        {"do": "away"},
        {"do": "alarm", "name": "abandon"},
        {"do": "timeout", "seat": 1},
        {"do": "time_given_back", "milliseconds": 1000},
        {"do": "start"},
        {"do": "nonsense"},
        {},
    ):
        error = await player.refused("POST", f"/tables/{table}/play", {"action": action, "request_id": "x"})
        assert error["code"] == "bad_action", action


async def test_a_history_replays_to_the_same_view_from_any_step(house: House) -> None:
    player = await house.member()
    table = (await mines(player))["id"]
    await player.post(f"/tables/{table}/play", {"action": {"do": "click", "x": 0, "y": 0}, "request_id": "m"})
    for _ in range(3):
        await (await house.member()).post(f"/tables/{table}/join", {})
    now = (await player.get(f"/tables/{table}/view"))["view"]
    whole = await player.get(f"/tables/{table}/history")
    view = whole["view"]
    for step in whole["steps"]:
        view = patched(view, step["patch"])
    assert patched({}, view) == patched({}, now)  # null and absent are the same in a view
    half = await player.get(f"/tables/{table}/history", after=2, limit=1)
    assert len(half["steps"]) == 1
    assert half["steps"][0]["version"] == 3
    assert half["more"]


async def test_a_private_table_is_not_there_for_those_without_its_link(house: House) -> None:
    host, stranger, nobody = await house.member(), await house.member(), house.nobody()
    table = await mines(host, access="private")
    number = table["id"]
    missing = await stranger.refused("GET", "/tables/987654")
    for who in (stranger, nobody):
        for path in (
            f"/tables/{number}",
            f"/tables/{number}/view",
            f"/tables/{number}/history",
            f"/tables/{number}/results",
            f"/channels/table:{number}/messages",
        ):
            error = await who.refused("GET", path)
            assert error["code"] == missing["code"], path
            assert error["parts"].keys() == missing["parts"].keys()
    moves: list[tuple[str, Json]] = [
        ("join", {}),
        ("join", {"invitation": "guessed"}),
        ("play", {"action": {"do": "click", "x": 1, "y": 1}, "request_id": "a"}),
        ("leave", None),
        ("invite", {"pseudo": stranger.pseudo}),
    ]
    for path, body in moves:
        error = await stranger.refused("POST", f"/tables/{number}/{path}", body)
        assert error["code"] == missing["code"], path
    live = await stranger.live()
    refused = await live.refusal_of({"type": "subscribe", "to": {"topic": "table", "table": number}})
    assert refused["code"] == missing["code"]
    assert number not in [each["id"] for each in (await stranger.get("/tables"))["tables"]]
    link = await host.get(f"/tables/{number}/invitation")
    shown = await nobody.get(f"/tables/{number}", invitation=link["invitation"])
    assert shown["invitation"] is None
    await stranger.post(f"/tables/{number}/join", {"invitation": link["invitation"]})
    assert (await stranger.get(f"/tables/{number}"))["my_seat"] == 2


async def test_an_invited_guest_is_told_and_may_sit_down(house: House) -> None:
    host, guest, stranger = await house.member(), await house.member(), await house.member()
    number = (await mines(host, access="invited"))["id"]
    live = await guest.live()
    await live.subscribe("notices")
    await live.take("notice")
    await host.post(f"/tables/{number}/invite", {"pseudo": guest.pseudo}, status=204)
    noticed = await live.take("notice", lambda message: message["unread"] == 1)
    assert noticed["notices"][0]["kind"] == "invitation"
    about = noticed["notices"][0]["about"]
    assert (about["table"], about["by"], about["by_name"]) == (number, host.id, host.pseudo)
    assert number in [each["id"] for each in (await guest.get("/tables"))["tables"]]
    assert number not in [each["id"] for each in (await stranger.get("/tables"))["tables"]]
    await guest.post(f"/tables/{number}/join", {})
    await stranger.post(f"/tables/{number}/join", {}, status=404)


async def test_a_table_by_invitation_has_no_link_and_its_secret_opens_nothing(house: House) -> None:
    host, stranger = await house.member(), await house.member()
    table = await mines(host, access="invited")
    number = table["id"]
    assert table["invitation"] is None
    assert (await host.refused("GET", f"/tables/{number}/invitation"))["code"] == "no_link"
    assert (await host.refused("POST", f"/tables/{number}/invitation"))["code"] == "no_link"
    secret = (await house.tables.info(number)).invitation
    for path in ("", "/view", "/history", "/results"):
        error = await stranger.refused("GET", f"/tables/{number}{path}", invitation=secret)
        assert error["code"] == "no_such_table", path
    join = await stranger.refused("POST", f"/tables/{number}/join", {"invitation": secret})
    assert join["code"] == "no_such_table"
    channel = f"/channels/table:{number}/messages?invitation={secret}"
    await stranger.get(channel, status=404)
    await stranger.post(channel, {"text": "Me voici"}, status=404)
    live = await stranger.live()
    topics: list[Json] = [
        {"topic": "table", "table": number, "invitation": secret},
        {"topic": "chat", "channel": f"table:{number}", "invitation": secret},
    ]
    for topic in topics:
        refused = await live.refusal_of({"type": "subscribe", "to": topic})
        assert refused["code"] == "no_such_table"


async def test_a_link_that_has_leaked_is_renewed_and_who_looked_on_by_it_is_out(house: House) -> None:
    host, friend, stranger = await house.member(), await house.member(), await house.visitor()
    table = await mines(host, access="private")
    number, old = table["id"], table["invitation"]
    await friend.post(f"/tables/{number}/join", {"invitation": old})
    assert (await friend.refused("POST", f"/tables/{number}/invitation"))["code"] == "not_host"
    live, seated = await stranger.live(), await friend.live()
    for one in (live, seated):
        await one.subscribe("table", table=number, invitation=old)
        await one.subscribe("chat", channel=f"table:{number}", invitation=old)
    renewed = await host.post(f"/tables/{number}/invitation")
    assert renewed["invitation"] != old
    assert (await host.get(f"/tables/{number}/invitation")) == renewed
    assert (await live.take("gone"))["table"] == number
    await stranger.get(f"/tables/{number}", status=404, invitation=old)
    await stranger.post(f"/tables/{number}/join", {"invitation": old}, status=404)
    # Who sits there stays, whatever link brought him; who came by the old one hears nothing more.
    await host.post(f"/channels/table:{number}/messages", {"text": "Entre nous"}, status=201)
    assert (await seated.take("message"))["message"]["text"] == "Entre nous"
    assert [each["type"] for each in await live.settled() if each["type"] in ("message", "update")] == []
    await stranger.get(f"/tables/{number}", invitation=renewed["invitation"])


async def test_the_host_sends_a_robot_away_and_nobody_else_does(house: House) -> None:
    host, other = await house.member(), await house.member()
    number = (await mines(host, robots=["novice"]))["id"]
    await other.post(f"/tables/{number}/join", {})
    path = f"/tables/{number}/seats"
    assert (await other.refused("DELETE", f"{path}/2"))["code"] == "not_host"
    assert (await host.refused("DELETE", f"{path}/3"))["code"] == "started"
    assert (await host.refused("DELETE", f"{path}/9"))["code"] == "empty_seat"
    await host.delete(f"{path}/2")
    seats = {each["seat"]: each["left"] for each in (await host.get(f"/tables/{number}"))["seats"]}
    assert seats == {1: False, 2: True, 3: False}


async def test_who_leaves_his_seat_is_no_longer_told_what_is_told_to_it(house: House) -> None:
    host, guest = await house.member(), await house.member()
    number = (await mines(host))["id"]
    await guest.post(f"/tables/{number}/join", {})
    live = await guest.live()
    await live.subscribe("table", table=number)
    await live.take("table")
    left = await guest.post(f"/tables/{number}/leave")
    assert left["my_seat"] is None
    await live.take("gone", lambda message: message["table"] == number)
    await guest.post(
        f"/tables/{number}/play",
        {"action": {"do": "click", "x": 0, "y": 0}, "request_id": "late"},
        status=403,
    )


async def test_presence_is_told_to_who_watches(house: House) -> None:
    host, guest = await house.member(), await house.member()
    number = (await mines(host))["id"]
    await guest.post(f"/tables/{number}/join", {})
    watching = await house.nobody().live()
    await watching.subscribe("table", table=number)
    await watching.take("table")
    here = await guest.live()
    await here.subscribe("table", table=number)
    await watching.take("info", lambda message: message["info"]["seats"][1]["here"])
    await here.close()
    await watching.take("info", lambda message: not message["info"]["seats"][1]["here"])


async def test_everybody_is_told_how_many_look_on(house: House) -> None:
    host, passer_by = await house.visitor(), house.nobody()
    table = (await mines(host))["id"]
    live = await host.live()
    await live.subscribe("table", table=table)
    assert (await live.take("table"))["info"]["spectators"] == 0
    watching = await passer_by.live()
    await watching.subscribe("table", table=table)
    await live.take("info", lambda news: news["info"]["spectators"] == 1)
    await watching.take("info", lambda news: news["info"]["spectators"] == 1)
    await watching.close()
    await live.take("info", lambda news: news["info"]["spectators"] == 0)


async def test_the_lobby_is_live(house: House) -> None:
    watcher, host = house.nobody(), await house.member()
    live = await watcher.live()
    await live.subscribe("lobby", game="mines")
    assert (await live.take("lobby"))["tables"] == []
    number = (await mines(host, name="La table ronde"))["id"]
    news = await live.take("lobby_table", lambda message: bool(message["info"]["seats"]))
    assert news["info"]["name"] == "La table ronde"
    assert news["info"]["invitation"] is None
    await mines(host, access="private")
    playing = await host.live()
    await playing.subscribe("table", table=number)
    await play_to_the_end(playing, number, (await playing.take("table"))["view"])
    await live.take("lobby_gone", lambda message: message["table"] == number)
    response = await watcher.ask("GET", "/tables", status="over")
    assert [each["id"] for each in response.json()["tables"]] == [number]


async def test_a_visitor_keeps_his_game_when_he_signs_up(house: House) -> None:
    visitor = await house.visitor()
    number = (await mines(visitor))["id"]
    signed = await visitor.post("/accounts", {"pseudo": "Fidèle", "password": "un mot de passe"}, status=201)
    assert signed["account"] == visitor.id
    visitor.became(signed)
    assert (await visitor.get("/session"))["kind"] == "member"
    assert (await visitor.get(f"/tables/{number}"))["my_seat"] == 1
    assert [each["id"] for each in (await visitor.get("/account/tables"))["tables"]] == [number]


async def test_options_that_do_not_fit_are_refused_with_a_sentence(house: House) -> None:
    player = await house.member()
    for fields, code in (
        ({"game": "ludo", "variant": "x"}, "no_such_game"),
        ({"game": "mines", "variant": "custom", "options": {"width": 100_000}}, "bad_options"),
        ({"game": "mines", "variant": "custom", "options": {"colour": "red"}}, "bad_options"),
        ({"game": "mines", "variant": "classic", "robots": ["hal"]}, "no_such_robot"),
        ({"game": "mines", "variant": "classic", "time_control": {"kind": "sand"}}, "bad_time_control"),
        ({"game": "mines", "variant": "classic", "name": "a\u202eb"}, "invalid"),
        ({"game": "mines", "variant": "classic", "seat": 3}, "invalid"),
    ):
        error = await player.refused("POST", "/tables", fields)
        assert error["code"] == code, error
        assert error["message"]


async def test_a_robot_that_plays_keeps_its_seat(house: House) -> None:
    host, other = await house.member(), await house.member()
    body = {"game": "mines", "variant": "classic", "robots": ["novice"]}
    table = await host.post("/tables", body, status=201)
    refused = await other.refused("POST", f"/tables/{table['id']}/replace", {"seat": 2})
    assert refused["code"] == "robot_stays"
    assert (await other.get(f"/tables/{table['id']}"))["seats"][1]["robot"] == "novice"


async def test_a_seat_says_whether_a_member_a_visitor_or_a_robot_has_it(house: House) -> None:
    member, visitor = await house.member(), await house.visitor()
    table = await mines(member, robots=["novice"])
    await visitor.post(f"/tables/{table['id']}/join", {})

    async def kinds() -> dict[str, str]:
        shown = await member.get(f"/tables/{table['id']}")
        return {seat["name"]: seat["kind"] for seat in shown["seats"]}

    robot = next(seat["name"] for seat in table["seats"] if seat["robot"])
    assert await kinds() == {member.pseudo: "member", robot: "robot", visitor.pseudo: "visitor"}
    signed = await visitor.post("/accounts", {"pseudo": "Nouvelle", "password": PASSWORD}, status=201)

    async def is_member() -> bool:
        return (await kinds()).get(signed["pseudo"]) == "member"

    await until(is_member, "the table knows the new member")


async def test_a_clock_is_refused_where_the_game_has_none(house: House) -> None:
    member = await house.member(language="en")
    assert (await member.get("/games/mines/classic"))["has_clocks"] is False
    body = {"game": "mines", "variant": "classic", "time_control": {"kind": "move", "seconds": 60}}
    for method, path in (("POST", "/tables"), ("PUT", "/queue")):
        refusal = await member.refused(method, path, body)
        assert (refusal["code"], refusal["message"]) == ("no_clocks", "This game is played without clocks.")
    assert await member.get("/account/tables") == {"tables": []}
