"""The clients' port, message by message."""

from __future__ import annotations

import asyncio

import pytest
from tests.kit.minehive import PASSWORD, Client, House, Opener
from tests.kit.waiting import until

from tablee.clock import HandClock

# --- REGI -----------------------------------------------------------------------------------------------


async def test_an_unknown_name_is_registered(house: House) -> None:
    client = await house.client()
    await client.ask("REGI#Adil#secret", "IDOK")
    assert (await house.club.accounts.by_pseudo("adil")).pseudo == "Adil"


async def test_a_wrong_password_is_refused_and_one_may_try_again(house: House) -> None:
    await (await house.available("Adil")).leave()
    client = await house.client()
    await client.ask("REGI#Adil#wrong", "IDNO")
    await client.ask(f"REGI#ADIL#{PASSWORD}", "IDOK")
    await client.ask("LSAV", "LANB#1")
    assert await client.line() == "AVAI#Adil#0"


@pytest.mark.parametrize(
    "line",
    [
        "REGI",
        "REGI#",
        "REGI#Adil",
        "REGI#Adil#",
        "REGI##secret",
        "REGI#ALL#secret",
        "REGI#aLL#secret",
        "REGI#Server#secret",
        "REGI#deux mots#secret",
        "REGI#" + "a" * 31 + "#secret",
        "REGI#Adil#" + "a" * 129,
        "REGI#Adil#se\tcret",
        "REGI#Ad!l#secret",
    ],
)
async def test_a_parameter_that_is_missing_or_not_allowed_is_refused(house: House, line: str) -> None:
    client = await house.client()
    await client.ask(line, "IDNO")
    assert await house.door.present.users() == []


async def test_a_name_made_on_the_page_comes_in_here(house: House) -> None:
    await house.club.accounts.create("Éloïse", "motdepasse", email="eloise@example.org")
    client = await house.client()
    await client.ask("REGI#éloïse#motdepasse", "IDOK")


async def test_a_name_made_here_can_log_in_on_the_page(house: House) -> None:
    await (await house.client()).ask("REGI#Adil#secret", "IDOK")
    assert (await house.club.accounts.sign_in("Adil", "secret")).pseudo == "Adil"


@pytest.mark.parametrize("line", ["LSMA", "LSAV", "LSUS", "NWMA", "NWMA#ALL", "CLIC#1#2", "JOIN#a#b"])
async def test_anything_but_regi_first_is_not_understood(house: House, line: str) -> None:
    client = await house.client()
    await client.ask(line, "IDKS")
    await client.ask("REGI#Adil#a", "IDOK")


async def test_regi_once_identified_is_not_understood(house: House) -> None:
    client = await house.available("Adil")
    await client.ask(f"REGI#Adil#{PASSWORD}", "IDKS")
    await client.ask("REGI#Aylin#x", "IDKS")


async def test_a_second_connection_of_the_same_name_closes_the_first(house: House) -> None:
    first = await house.available("Adil")
    second = await house.available("adil")
    assert await first.closed() == []
    await second.ask("LSAV", "LANB#1")
    assert await second.line() == "AVAI#Adil#0"


async def test_many_names_come_in_at_once_and_each_only_once(house: House) -> None:
    clients = [await house.client() for _ in range(20)]
    for place, client in enumerate(clients):
        client.send(f"REGI#Joueur{place % 10}#{PASSWORD}")
    answers = [await client.line() for client in clients]
    assert answers.count("IDOK") >= 10
    await until(lambda: len(house.door.clients) == 10)
    assert len(await house.door.present.available()) == 10


async def test_a_full_house_refuses_strangers_but_not_those_already_counted(open_house: Opener) -> None:
    house = await open_house(players=3)
    address = await house.match("Adil")
    adil = await house.player("Adil", address)
    aylin, tomek = await house.available("Aylin"), await house.available("Tomek")
    stranger = await house.client()
    for line in ("REGI#Kevin#a", "LSMA", "REGI", "WHAT"):
        await stranger.ask(line, "IDNO")
    assert await house.club.accounts.by_pseudos(["Kevin"]) == {}
    again = await house.client()
    await again.ask(f"REGI#Tomek#{PASSWORD}", "IDOK")
    assert await tomek.closed() == []
    playing = await house.client()
    assert (await playing.ask(f"REGI#Adil#{PASSWORD}")).startswith("IDIG#")
    await aylin.leave()
    await until(lambda: len(house.door.present.here) == 1)
    await stranger.ask("REGI#Kevin#a", "IDOK")
    adil.close()


async def test_whoever_leaves_a_full_house_may_do_so(open_house: Opener) -> None:
    house = await open_house(players=1)
    await house.available("Adil")
    stranger = await house.client()
    stranger.send("LEAV")
    assert await stranger.closed() == []


async def test_somebody_in_a_match_is_sent_to_it_and_closed(house: House) -> None:
    ip, port = await house.match("Adil")
    adil = await house.player("Adil", (ip, port))
    client = await house.client()
    await client.ask(f"REGI#Adil#{PASSWORD}", f"IDIG#{ip}#{port}")
    assert await client.closed() == []
    adil.close()  # not connected any more, but still in his match
    again = await house.client()
    await again.ask(f"REGI#Adil#{PASSWORD}", f"IDIG#{ip}#{port}")
    wrong = await house.client()
    await wrong.ask("REGI#Adil#wrong", "IDNO")


async def test_five_wrong_passwords_in_a_minute_shut_an_address_out(house: House, clock: HandClock) -> None:
    await (await house.available("Adil")).leave()
    address = await house.match("Aylin")
    client = await house.client()
    client.answers_pings = True
    for _ in range(3):
        await client.ask("REGI#Adil#wrong", "IDNO")
    player = await Client.open(address)
    await player.line()
    for _ in range(2):
        await player.ask("JOIN#Adil#wrong", "JNNO")
    works = house.club.passwords.works
    await client.ask(f"REGI#Adil#{PASSWORD}", "IDNO")
    await client.ask("REGI#Nouveau#x", "IDNO")
    await player.ask(f"JOIN#Adil#{PASSWORD}", "JNNO")
    assert house.club.passwords.works == works
    await clock.advance(60_000)
    late = await house.client()
    await late.ask(f"REGI#Adil#{PASSWORD}", "IDOK")


async def test_unknown_names_at_a_match_are_no_failed_tries(house: House) -> None:
    address = await house.match("Adil")
    player = await Client.open(address)
    await player.line()
    for n in range(8):
        await player.ask(f"JOIN#Personne{n}#x", "JNNO")
    await player.ask(f"JOIN#Adil#{PASSWORD}", "JNOK#16")


async def test_wrong_passwords_sent_at_once_are_counted_one_by_one(house: House) -> None:
    await (await house.available("Adil")).leave()
    works = house.club.passwords.works
    clients = [await house.client() for _ in range(30)]
    for client in clients:
        client.send("REGI#Adil#wrong")
    assert [await client.line() for client in clients] == ["IDNO"] * 30
    assert house.club.passwords.works - works == 5


# --- lists ----------------------------------------------------------------------------------------------


async def test_the_available_are_listed_with_their_points(house: House) -> None:
    adil, *_others = [await house.available(name) for name in ("Adil", "Zoé", "bernard")]
    adil.send("LSAV")
    assert await adil.lines(4) == ["LANB#3", "AVAI#Adil#0", "AVAI#bernard#0", "AVAI#Zoé#0"]


async def test_whoever_leaves_or_is_lost_is_no_longer_available(house: House) -> None:
    adil, aylin, tomek = [await house.available(name) for name in ("Adil", "Aylin", "Tomek")]
    await aylin.leave()
    tomek.reset()
    await until(lambda: len(house.door.clients) == 1)
    adil.send("LSAV")
    assert await adil.lines(2) == ["LANB#1", "AVAI#Adil#0"]
    adil.send("LSUS")
    assert await adil.lines(4) == ["LUNB#3", "USER#Adil#0", "USER#Aylin#0", "USER#Tomek#0"]


async def test_users_are_those_who_came_in_here_or_played_mines(house: House) -> None:
    await house.club.accounts.create("Page", PASSWORD)
    adil = await house.available("Adil")
    adil.send("LSUS")
    assert await adil.lines(2) == ["LUNB#1", "USER#Adil#0"]


async def test_matches_are_listed_with_all_who_joined(house: House) -> None:
    ip, port = await house.match("Adil")
    await house.match("Aylin")
    adil = await house.player("Adil", (ip, port))
    tomek = await house.player("Tomek", (ip, port))
    tomek.close()
    assert (await adil.lines_until("DECO"))[-1] == "DECO#Tomek"
    adil.send("CLIC#0#0")
    opened = [(await adil.line()).split("#")]
    client = await house.available("Kévin")
    lines = await _ask_matches(client)
    assert lines[0] == "LMNB#2"
    _, *first = lines[1].split("#")
    assert first[:3] == [ip, str(port), "Partie_1"]
    assert first[4::2] == ["Adil", "Tomek"]
    assert first[7] == "0"
    live = await house.live("Partie_1")
    assert int(first[3]) == 100 * live.state.opened // 480
    assert int(first[5]) == live.state.player(1).points
    assert opened[0][0] == "SQRD"
    assert lines[2].split("#")[3:] == ["Partie_2", "0"]


async def _ask_matches(client: Client) -> list[str]:
    first = await client.ask("LSMA")
    return [first, *await client.lines(int(first.split("#")[1]))]


# --- NWMA -----------------------------------------------------------------------------------------------


async def test_guests_who_are_available_are_invited_and_others_passed_over(house: House) -> None:
    adil, aylin, tomek = [await house.available(name) for name in ("Adil", "Aylin", "Tomek")]
    answer = await adil.ask("NWMA#aylin#Personne#Adil#AYLIN#Aylin")
    assert answer.startswith("NWOK#127.0.0.1#")
    assert await aylin.line() == answer
    for client in (adil, aylin, tomek):
        await client.ask("LSAV", "LANB#3")
        await client.lines(3)


@pytest.mark.parametrize("everybody", ["ALL", "all"])
async def test_all_invites_everybody_who_is_available_once(house: House, everybody: str) -> None:
    clients = [await house.available(name) for name in ("Adil", "Aylin", "Tomek")]
    answer = await clients[0].ask(f"NWMA#{everybody}#Aylin")
    for client in clients[1:]:
        assert await client.line() == answer
    for client in clients:
        await client.ask("LSMA", "LMNB#1")


async def test_with_as_many_matches_as_may_be_the_answer_is_full(open_house: Opener) -> None:
    house = await open_house(matches=3, matches_each=5)
    client = await house.available("Adil")
    client.send(*["NWMA"] * 5)
    answers = await client.lines(5)
    assert [answer.split("#")[0] for answer in answers] == ["NWOK"] * 3 + ["FULL"] * 2


async def test_one_player_keeps_two_of_the_matches_and_leaves_the_others_theirs(
    house: House, clock: HandClock
) -> None:
    adil, aylin = await house.available("Adil"), await house.available("Aylin")
    adil.send(*["NWMA"] * 12)
    answers = [answer.split("#")[0] for answer in await adil.lines(12)]
    assert answers == ["NWOK"] * 2 + ["NWNO"] * 10
    assert (await aylin.ask("NWMA")).startswith("NWOK#")
    await clock.advance(61_000)  # nobody has joined: the matches end, and he may make others
    await until(lambda: _has_no_match(house))
    again = await house.available("Adil")
    assert (await again.ask("NWMA")).startswith("NWOK#")


async def _has_no_match(house: House) -> bool:
    return not await house.door.present.matches()


async def test_matches_asked_for_at_once_are_never_too_many(open_house: Opener) -> None:
    house = await open_house(matches=4)
    clients = [await house.available(f"Joueur{n}") for n in range(8)]
    for client in clients:
        client.send("NWMA")
    answers = [(await client.line()).split("#")[0] for client in clients]
    assert sorted(answers) == ["FULL"] * 4 + ["NWOK"] * 4


async def test_without_a_free_port_there_is_no_new_match(open_house: Opener) -> None:
    busy = await asyncio.start_server(lambda r, w: None, "127.0.0.1", 0)
    port = busy.sockets[0].getsockname()[1]
    house = await open_house(match_ports=(port, port))
    client = await house.available("Adil")
    await client.ask("NWMA", "NWNO")
    busy.close()
    await busy.wait_closed()
    await client.ask("NWMA", f"NWOK#127.0.0.1#{port}")
    await client.ask("NWMA", "NWNO")


async def test_clients_are_sent_to_the_public_host(open_house: Opener) -> None:
    house = await open_house(public_host="jeux.example.org")
    client = await house.available("Adil")
    assert (await client.ask("NWMA")).startswith("NWOK#jeux.example.org#")
    assert (await _ask_matches(client))[1].startswith("MATC#jeux.example.org#")


async def test_matches_are_counted_on_for_ever(open_house: Opener, clock: HandClock) -> None:
    house = await open_house()
    await house.match("Adil")
    await house.close()
    house = await open_house()
    await house.match("Adil")
    client = await house.available("Adil")
    assert [line.split("#")[3] for line in (await _ask_matches(client))[1:]] == ["Partie_1", "Partie_2"]


async def test_a_match_that_nobody_ever_joined_ends_after_a_minute(house: House, clock: HandClock) -> None:
    ip, port = await house.match("Adil")
    visitor = await Client.open((ip, port))
    visitor.answers_pings = True
    reading = asyncio.ensure_future(visitor.closed())
    for _ in range(13):
        await clock.advance(5_000)
        await asyncio.sleep(0.05)
    assert await reading == []
    client = await house.available("Adil")
    await client.ask("LSMA", "LMNB#0")
    with pytest.raises(OSError, match=r"refused|Connect"):
        await Client.open((ip, port))


# --- LEAV and the end -----------------------------------------------------------------------------------


async def test_leav_is_allowed_before_regi(house: House) -> None:
    client = await house.client()
    client.send("LEAV", "REGI#Adil#a")
    assert await client.closed() == []
    assert await house.door.present.users() == []


async def test_a_server_that_ends_sends_its_clients_away(open_house: Opener) -> None:
    house = await open_house()
    client = await house.available("Adil")
    stranger = await house.client()
    await house.close()
    assert await client.closed() == ["KICK"]
    assert await stranger.closed() == ["KICK"]


async def test_a_match_that_nobody_ever_joined_is_void_after_an_hour_and_lets_go_of_its_port(
    house: House, clock: HandClock
) -> None:
    creator = await house.club.accounts.create("Colin", PASSWORD)
    hosting = await house.door.new_match(creator)
    for minutes in (50, 16):
        await clock.advance(minutes * 60_000)
        await house.tables.sweeping.sweep()
    await until(lambda: hosting.chair.is_over)
    assert hosting.chair.info.is_void
    await until(lambda: hosting.chair.info.id not in house.door._hostings)
    await until(lambda: _is_refused(hosting.port))


async def _is_refused(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except ConnectionRefusedError:
        return True
    writer.close()
    return False
