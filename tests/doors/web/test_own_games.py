"""One's own games at the web door: what waits first, what is given, what is unread, what ended meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from tests.doors.web.mastered import Mastered, mastered_game
from tests.kit.playing import play
from tests.kit.waiting import until
from tests.kit.web import WEB_PLENTY, Guest, House, open_house

from tablee.clock import HandClock
from tablee.club.limits import Bucket
from tablee.club.visits import AWAY_FOR
from tablee.doors.web.house import WebSettings
from tablee.doors.web.live.gathering import Gathering
from tablee.rules.contract import MASTER
from tablee.rules.diplomacy.game import DiplomacyState, Save, Submit
from tablee.rules.diplomacy.model import Act, Order
from tablee.tables import own_games

Json = Any
DAY = 86_400_000
DATED: dict[str, Any] = {"calendar": True, "sharing": "none"}


async def chess(host: Guest, other: Guest | None, days: float = 3, **table: Json) -> int:
    """A game by days, in which the host has White; without an opponent it has not begun."""
    body = {"game": "chess", "variant": "classic", "time_control": {"kind": "days", "days": days}, **table}
    made = await host.post("/tables", body, status=201)
    if other is not None:
        await other.post(f"/tables/{made['id']}/join", {})
    return int(made["id"])


async def move(guest: Guest, table: int, text: str) -> None:
    body = {"action": {"do": "move", "move": text}, "request_id": f"m-{text}"}
    await guest.post(f"/tables/{table}/play", body)


async def own(guest: Guest, language: str = "fr") -> Json:
    return await guest.get("/account/games", language=language)


async def game_of(guest: Guest, table: int, language: str = "fr") -> Json:
    return next(each for each in (await own(guest, language))["games"] if each["table"] == table)


async def dated_game(house: House, **terms: bool) -> Mastered:
    return await mastered_game(house, players=3, terms=terms, **DATED)


async def orders_of(house: House, game: Mastered, player: Guest) -> tuple[int, int, list[Order]]:
    """The seat and the role of a player, and a hold for each of his units."""
    state = (await house.tables.open(game.table)).state
    assert isinstance(state, DiplomacyState)
    [role] = await game.roles_of(player)
    holds = [Order(role, Act.HOLD, unit.zone) for unit in state.situation.units if unit.role == role]
    return state.holder(role), role, holds


# --- which games, and in what order ---------------------------------------------------------------------


async def test_the_game_that_waits_for_one_soonest_comes_first(any_house: House) -> None:
    me, other = await any_house.member("Alix"), await any_house.member("Bastien")
    late = await chess(me, other, days=5, name="Cinq jours")
    theirs = await chess(other, me, days=1, name="Un jour, à Bastien")
    soon = await chess(me, other, days=2, name="Deux jours")
    waiting_for_players = await chess(me, None, name="Pas commencée")
    answer = await own(me)
    assert [each["table"] for each in answer["games"]] == [soon, late, theirs, waiting_for_players]
    assert answer["waiting"] == 2
    assert [each["waits"] for each in answer["games"]] == [True, True, False, False]
    first, _, third, last = answer["games"]
    assert (first["plays"], first["moment"], first["by_days"]) == ("Blancs", "coup 1", True)
    assert (third["plays"], third["waiting"], third["others"]) == ("Noirs", ["Bastien"], 0)
    assert first["until"] < answer["games"][1]["until"]
    assert (last["status"], last["people"], last["seats"], last["until"]) == ("open", 1, 2, None)


async def test_a_move_is_told_in_the_words_of_the_reader(house: House) -> None:
    me, other = await house.member("Alix"), await house.member("Bastien")
    table = await chess(me, other)
    await move(me, table, "g1f3")
    french, english = await game_of(other, table), await game_of(other, table, "en")
    assert (french["plays"], french["moment"], french["latest"]) == ("Noirs", "coup 1", "Alix joue Cf3.")
    assert (english["plays"], english["moment"], english["latest"]) == ("Black", "move 1", "Alix plays Nf3.")
    assert french["waits"]
    assert not (await game_of(me, table))["waits"]


async def test_where_all_come_and_go_nobody_is_waited_for(house: House) -> None:
    me = await house.visitor()
    table = (await me.post("/tables", {"game": "mines", "variant": "classic"}, status=201))["id"]
    shown = await game_of(me, table)
    assert (shown["waits"], shown["waiting"], shown["by_days"]) == (False, [], False)
    assert shown["moment"] == "déminé à 0 %"
    await me.post(f"/tables/{table}/leave")
    assert (await own(me))["games"] == []


async def test_more_games_than_the_list_takes_are_said(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    me, other = await house.member(), await house.member()
    for _ in range(3):
        await chess(me, other)
    assert not (await own(me))["more"]
    monkeypatch.setattr(own_games, "GAMES_MOST", 2)
    answer = await own(me)
    assert (len(answer["games"]), answer["more"]) == (2, True)


async def test_a_table_at_which_nothing_has_happened_is_not_read_again(house: House) -> None:
    me, other = await house.member(), await house.member()
    table, still = await chess(me, other), await chess(me, other)
    before = await own(me)
    for loaded in list(house.tables.loaded.values()):
        house.tables.drop(loaded)
    assert await own(me) == before
    assert not house.tables.loaded
    await move(me, table, "e2e4")
    house.tables.drop(house.tables.loaded[table])
    assert (await game_of(me, table))["waits"] is False
    assert still not in house.tables.loaded


# --- what is given ---------------------------------------------------------------------------------------


async def test_orders_are_counted_as_they_are_given(house: House) -> None:
    game = await dated_game(house)
    player = game.players[0]
    seat, role, holds = await orders_of(house, game, player)
    shown = await game_of(player, game.table)
    assert (shown["given"], shown["owed"], shown["given_in"], shown["waits"]) == (0, len(holds), False, True)
    assert shown["moment"] == "Printemps 1501, mouvements"
    assert shown["plays"] == house.tables.rules("diplomacy", "lagune").words("fr")[f"role.{role}"]
    assert shown["until"] is not None
    await play(house.tables, game.table, seat, Save(role, tuple(holds[:1])))
    shown = await game_of(player, game.table)
    assert (shown["given"], shown["given_in"], shown["final"], shown["waits"]) == (1, True, False, True)
    await play(house.tables, game.table, seat, Save(role, tuple(holds)))
    shown = await game_of(player, game.table)
    assert (shown["given"], shown["final"], shown["waits"]) == (len(holds), False, False)
    await play(house.tables, game.table, seat, Submit(role, tuple(holds), final=True))
    assert (await game_of(player, game.table))["final"]


async def test_what_others_save_changes_no_byte_of_what_one_is_shown(any_house: House) -> None:
    game = await dated_game(any_house, anonymous=True)
    player, other, third = game.players
    before = (await player.ask("GET", "/account/games")).content
    assert other.pseudo.encode() not in before
    assert third.pseudo.encode() not in before
    seat, role, holds = await orders_of(any_house, game, other)
    await play(any_house.tables, game.table, seat, Save(role, tuple(holds)))
    await play(any_house.tables, game.table, seat, Submit(role, tuple(holds), final=True))
    assert (await player.ask("GET", "/account/games")).content == before


async def test_who_is_waited_for_is_called_by_what_he_plays(house: House) -> None:
    game = await dated_game(house, anonymous=True)
    player = game.players[0]
    roles = {role for each in game.players[1:] for role in await game.roles_of(each)}
    names = house.tables.rules("diplomacy", "lagune").words("fr")
    shown = await game_of(player, game.table)
    assert set(shown["waiting"]) == {names[f"role.{role}"] for role in roles}


async def test_a_master_is_waited_for_when_nobody_else_is(house: House) -> None:
    game = await mastered_game(house, players=3, adjudication="master", show_in=True, sharing="none")
    shown = await game_of(game.master, game.table)
    assert (shown["master"], shown["waits"], shown["plays"]) == (True, False, "")
    for player in game.players:
        seat, role, holds = await orders_of(house, game, player)
        await play(house.tables, game.table, seat, Submit(role, tuple(holds), final=True))
    assert (await own(game.master))["waiting"] == 1
    await play(house.tables, game.table, MASTER, {"do": "adjudicate"})
    shown = await game_of(game.master, game.table)
    assert shown["waits"] is False
    assert shown["latest"] == "La phase «\u00a0Mouvements printemps 1501\u00a0» est résolue."


# --- what is said ----------------------------------------------------------------------------------------


async def test_press_and_letters_that_are_unread_are_counted(any_house: House) -> None:
    game = await dated_game(any_house)
    player, other, third = game.players
    [role], [from_role], [third_role] = [await game.roles_of(each) for each in game.players]
    await other.post(f"{game.path}/press", {"role": from_role, "text": "À tous."}, status=201)
    letter = {"role": from_role, "to": role, "text": "À vous."}
    sent = await other.post(f"{game.path}/letters", letter, status=201)
    await other.post(f"{game.path}/letters", {**letter, "to": third_role}, status=201)
    assert (await game_of(player, game.table))["unread"] == 2
    assert (await game_of(third, game.table))["unread"] == 2
    assert (await game_of(other, game.table))["unread"] == 0
    assert (await game_of(game.master, game.table))["unread"] == 1
    read = {"role": role, "other": from_role, "message": sent["spoken"][0]["id"]}
    await player.put(f"{game.path}/letters/read", read, status=204)
    assert (await game_of(player, game.table))["unread"] == 1


async def test_who_takes_over_a_role_counts_the_letters_of_his_own_time(house: House) -> None:
    game = await dated_game(house)
    leaver, other, _ = game.players
    [role], [from_role] = await game.roles_of(leaver), await game.roles_of(other)
    letter = {"role": from_role, "to": role, "text": "Avant lui."}
    await other.post(f"{game.path}/letters", letter, status=201)
    seat = (await leaver.get(game.path))["my_seat"]
    successor = await house.member()
    await leaver.post(f"{game.path}/leave")
    await game.master.post(f"{game.path}/seats", {"pseudo": successor.pseudo, "seat": seat})
    assert (await game_of(successor, game.table))["unread"] == 0
    await other.post(f"{game.path}/letters", {**letter, "text": "À lui."}, status=201)
    assert (await game_of(successor, game.table))["unread"] == 1


# --- what one is asked for -------------------------------------------------------------------------------


async def test_an_invitation_is_there_until_it_is_answered(any_house: House) -> None:
    host, guest = await any_house.member("Hôtesse"), await any_house.member()
    tables = [await chess(host, None, access="invited", name=name) for name in ("Oui", "Non")]
    for table in tables:
        await host.post(f"/tables/{table}/invite", {"pseudo": guest.pseudo}, status=204)
    found = (await own(guest))["invitations"]
    assert [(each["name"], each["by"], each["seat"]) for each in found] == [
        ("Non", "Hôtesse", None),
        ("Oui", "Hôtesse", None),
    ]
    await guest.post(f"/tables/{tables[0]}/join", {})
    await guest.post(f"/tables/{tables[1]}/decline", status=204)
    answer = await own(guest)
    assert answer["invitations"] == []
    assert [each["table"] for each in answer["games"]] == [tables[0]]
    notices = (await guest.get("/notices"))["notices"]
    assert {each["about"]["name"]: each["read"] for each in notices} == {"Oui": False, "Non": True}
    # Whoever said no is outside again.
    await guest.refused("GET", f"/tables/{tables[1]}")


async def test_who_declines_what_he_was_not_offered_learns_nothing(house: House) -> None:
    host, guest, stranger = await house.member(), await house.member(), await house.member()
    table = await chess(host, None, access="invited")
    await host.post(f"/tables/{table}/invite", {"pseudo": guest.pseudo}, status=204)
    for number in (table, 424_242):
        refusal = await stranger.refused("POST", f"/tables/{number}/decline")
        assert (refusal["code"], refusal["parts"]) == ("no_such_table", {"table": number})
    assert len((await own(guest))["invitations"]) == 1


async def test_a_full_table_invites_nobody_any_more(house: House) -> None:
    host, guest, faster = await house.member(), await house.member(), await house.member()
    table = await chess(host, None)
    await host.post(f"/tables/{table}/invite", {"pseudo": guest.pseudo}, status=204)
    await faster.post(f"/tables/{table}/join", {})
    assert (await own(guest))["invitations"] == []


async def test_a_challenge_is_among_what_one_is_asked_for(house: House) -> None:
    one, other = await house.member(), await house.member()
    await one.post("/friends", {"pseudo": other.pseudo})
    await other.post(f"/friends/{one.id}/accept", status=204)
    body = {"game": "chess", "variant": "classic", "pseudo": other.pseudo}
    made = await one.post("/challenges", body, status=201)
    assert [each["id"] for each in (await own(other))["challenges"]] == [made["id"]]
    assert (await own(one))["challenges"] == []
    await other.post(f"/challenges/{made['id']}/refuse", status=204)
    assert (await own(other))["challenges"] == []


# --- what ended meanwhile --------------------------------------------------------------------------------


@pytest.fixture
async def slow_house(tmp_path: Path) -> AsyncIterator[tuple[House, HandClock]]:
    """A house in which time passes when the test says so."""
    clock = HandClock(1_700_000_000_000)
    async with open_house(f"sqlite:///{tmp_path / 'tablee.sqlite'}", clock=clock) as house:
        yield house, clock


async def pass_time(clock: HandClock, *guests: Guest) -> None:
    """More time than a visit outlasts; whoever is there gets a new token."""
    await clock.advance(AWAY_FOR + 1)
    for guest in guests:
        guest.became(await guest.post("/session/refresh", {"refresh": guest.refresh}))


async def test_what_ended_is_shown_until_the_visit_after(slow_house: tuple[House, HandClock]) -> None:
    house, clock = slow_house
    me, other = await house.member(), await house.member()
    live = await me.live()

    async def look() -> None:
        await live.send({"type": "ping", "hidden": False})
        await live.take("pong")

    await look()
    await pass_time(clock, me, other)
    table = await chess(me, other, name="Finie en votre absence")
    await other.post(f"/tables/{table}/leave")
    await clock.advance(1_000)
    await look()
    for _ in range(2):  # loaded anew, it is the same visit
        (shown,) = (await own(me))["finished"]
        assert (shown["table"], shown["rank"], shown["players"]) == (table, 1, 2)
        assert shown["reason"] == "resigned"
        assert shown["rating_after"] > shown["rating_before"]
        await clock.advance(60_000)
        await look()
    await pass_time(clock, me)
    assert (await own(me))["finished"] == []


async def test_a_page_that_nobody_sees_is_no_visit(slow_house: tuple[House, HandClock]) -> None:
    house, clock = slow_house
    me = await house.member()
    live = await me.live()
    first = (await own(me))["since"]
    await live.send({"type": "ping", "hidden": True})
    await live.take("pong")
    await pass_time(clock, me)
    assert (await own(me))["since"] == first
    await live.send({"type": "ping", "hidden": False})
    await live.take("pong")
    seen = clock.now()
    await pass_time(clock, me)
    assert (await own(me))["since"] == seen


# --- live ------------------------------------------------------------------------------------------------


async def test_one_is_told_when_a_game_of_ones_own_has_moved(any_house: House) -> None:
    me, other = await any_house.member(), await any_house.member("Bastien")
    table = await chess(other, me)
    live = await me.live()
    await live.subscribe("own_games", language="fr")
    first = (await live.take("own_games"))["own"]
    assert (first["waiting"], first["games"][0]["waits"]) == (0, False)
    await move(other, table, "e2e4")
    moved = (await live.take("own_games", lambda message: message["own"]["waiting"] == 1))["own"]
    assert moved["games"][0]["latest"] == "Bastien joue e4."
    second = await chess(me, None, name="Une autre")
    await live.take("own_games", lambda message: len(message["own"]["games"]) == 2)
    await other.post(f"/tables/{second}/join", {})
    await live.take("own_games", lambda message: message["own"]["waiting"] == 2)


async def test_an_invitation_and_a_letter_are_told_at_once(house: House) -> None:
    game = await dated_game(house)
    player, other, _ = game.players
    live = await player.live()
    await live.subscribe("own_games")
    [role], [from_role] = await game.roles_of(player), await game.roles_of(other)
    letter = {"role": from_role, "to": role, "text": "À vous."}
    await other.post(f"{game.path}/letters", letter, status=201)
    await live.take("own_games", lambda message: message["own"]["games"][0]["unread"] == 1)
    table = await chess(other, None)
    await other.post(f"/tables/{table}/invite", {"pseudo": player.pseudo}, status=204)
    await live.take("own_games", lambda message: len(message["own"]["invitations"]) == 1)


async def test_all_pages_of_one_person_are_told_by_one_reading() -> None:
    read: list[str] = []
    is_read, may_answer = asyncio.Event(), asyncio.Event()

    async def look(whose: str) -> int:
        read.append(whose)
        is_read.set()
        await may_answer.wait()
        return len(read)

    async with asyncio.TaskGroup() as group:
        gathering = Gathering(group.create_task, look)
        first = [group.create_task(gathering.of("Alix")) for _ in range(3)]
        await is_read.wait()
        later = group.create_task(gathering.of("Alix"))
        await until(lambda: len(read) == 2)
        may_answer.set()
    assert read == ["Alix", "Alix"]
    assert [task.result() for task in (*first, later)] == [2, 2, 2, 2]


async def test_nobody_in_particular_has_no_games(house: House) -> None:
    nobody = house.nobody()
    assert (await nobody.refused("GET", "/account/games"))["code"] == "not_identified"
    live = await nobody.live()
    refusal = await live.refusal_of({"type": "subscribe", "to": {"topic": "own_games"}})
    assert refusal["code"] == "not_identified"


async def test_a_move_at_another_node_is_told_here(postgres_url: str) -> None:
    async with open_house(postgres_url) as here, open_house(postgres_url) as there:
        me, other = await here.member(), await there.member()
        table = await chess(other, me)
        live = await me.live()
        await live.subscribe("own_games")
        await live.take("own_games", lambda message: len(message["own"]["games"]) == 1)
        await move(other, table, "e2e4")
        await live.take("own_games", lambda message: message["own"]["waiting"] == 1)


# --- before one sits down --------------------------------------------------------------------------------


async def conditions(guest: Guest, table: int, language: str = "fr") -> dict[str, str]:
    answer = await guest.get(f"/tables/{table}/conditions", language=language)
    return {line["name"]: line["text"] for line in answer["lines"]}


async def test_the_terms_of_diplomacy_by_days_are_read_before_one_sits_down(house: House) -> None:
    host, reader = await house.member(), house.nobody()
    options = {
        "calendar": True, "moves_days": 3, "retreats_days": 1, "adjustments_days": 2, "grace": 12,
        "weekends": False, "hour": "21:30", "disorder_moves": False, "robots_stand_in": True, "cycles": 7,
    }  # fmt: skip
    body = {"game": "diplomacy", "variant": "standard", "options": options}
    table = (await host.post("/tables", body, status=201))["id"]
    assert await conditions(reader, table) == {
        "Rythme": "mouvements : 3 jours, retraites : 1 jour, ajustements : 2 jours, à 21 h 30, "
        "jamais en fin de semaine",
        "Délai de grâce": "12 heures après la date limite",
        "Désordre civil": "après la grâce, aux retraites, constructions, suppressions ; "
        "ailleurs la partie attend",
        "Un robot remplace les absents": "oui",
        "Victoire": "18 centres à la fin d’un automne",
        "Années de jeu": "7 au plus",
        "École d’arbitrage": "Internationale (DATC)",
    }
    english = await conditions(reader, table, "en")
    assert english["Pace"].startswith("moves: 3 days, retreats: 1 day")


async def test_the_terms_of_chess_and_of_mines_are_few(house: House) -> None:
    host = await house.member()
    by_days = await chess(host, None)
    assert await conditions(host, by_days) == {
        "Rythme": "par correspondance : chacun va et vient",
        "Les Blancs": "À qui ouvre la table",
    }
    options = {"width": 9, "height": 8, "mines": 7, "no_guess": True}
    body = {"game": "mines", "variant": "custom", "options": options}
    mines = (await host.post("/tables", body, status=201))["id"]
    said = await conditions(host, mines)
    assert (said["Plateau"], said["Sans hasard"]) == ("9 × 8 cases, 7 mines", "oui")


async def test_the_terms_of_a_private_table_are_for_who_has_its_link(house: House) -> None:
    host, stranger = await house.member(), await house.member()
    made = await host.post(
        "/tables", {"game": "mines", "variant": "classic", "access": "private"}, status=201
    )
    path = f"/tables/{made['id']}/conditions"
    assert (await stranger.refused("GET", path))["code"] == "no_such_table"
    assert (await stranger.get(path, invitation=made["invitation"]))["table"] == made["id"]


async def test_nobody_has_his_games_read_without_end(tmp_path: Path) -> None:
    """A reading of three hundred games takes long, by the route as by the topic."""
    settings = WebSettings(limits={**WEB_PLENTY, "web_own_games": Bucket(3, DAY)})
    async with open_house(f"sqlite:///{tmp_path}/house.db", settings=settings) as house:
        lea, tom = await house.member(), await house.member()
        answers = [await lea.ask("GET", "/account/games") for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        live = await lea.live()
        refused = await live.refusal_of({"type": "subscribe", "to": {"topic": "own_games"}})
        assert refused["code"] == "too_many"
        assert await own(tom)
