"""The hosts' port, with a foreign host that speaks the document's protocol literally."""

from __future__ import annotations

import asyncio
import stat
from pathlib import Path

import pytest
from tests.kit.minehive import PASSWORD, Client, House, Opener
from tests.kit.servers import PostgresServer
from tests.kit.waiting import until

from tablee.clock import HandClock, WallClock
from tablee.doors.minehive.secret import read_secret
from tablee.store import Unavailable


async def logged_in(house: House, match: str = "Invités") -> Client:
    """A foreign host that has said where it is."""
    host = await house.host()
    await host.ask(f"LOGI#{match}#{house.door.secret}", "IDOK")
    assert await host.line() == "RQDT#server"
    host.send(f"SDDT#server#10.0.0.9#4242#{match}#0")
    return host


async def with_account(house: House, *names: str) -> None:
    for name in names:
        await house.club.accounts.create(name, PASSWORD)


# --- LOGI -----------------------------------------------------------------------------------------------


async def test_the_secret_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    first = read_secret(tmp_path / "data")
    assert read_secret(tmp_path / "data") == first
    file = tmp_path / "data" / "minehive-secret"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert len(first) >= 32
    file.write_text("")
    assert len(read_secret(tmp_path / "data")) >= 32


@pytest.mark.parametrize("line", ["LOGI#Invités#wrong", "LOGI#Invités", "LOGI", "LOGI##wrong"])
async def test_a_wrong_secret_is_refused_and_closed(house: House, line: str) -> None:
    host = await house.host()
    await host.ask(line, "IDNO")
    assert await host.closed() == []


@pytest.mark.parametrize(
    "line", ["PLIN#a#b#c", "ENDS#Partie_1", "WHAT", "#", "DOIT#Partie_1#1#a#deco", "x" * 9000]
)
async def test_anything_before_logi_is_refused_and_closed(house: House, line: str) -> None:
    host = await house.host()
    host.send("IMOK")  # the answer to RUOK is not anything
    await host.ask(line, "IDNO")
    assert await host.closed() == []


async def test_binary_junk_before_logi_is_refused_and_closed(house: House) -> None:
    host = await house.host()
    host.send_raw(b"\xff\xfe\n")
    assert await host.closed() == ["IDNO"]


async def test_a_name_that_is_taken_is_refused(house: House) -> None:
    await house.match("Adil")
    await logged_in(house)
    for name in ("Partie_1", "Invités"):
        host = await house.host()
        await host.ask(f"LOGI#{name}#{house.door.secret}", "IDNO")


async def test_a_host_too_many_is_refused_and_counts_for_full(open_house: Opener) -> None:
    house = await open_house(matches=2)
    host = await logged_in(house)
    await house.match("Adil")
    other = await house.host()
    await other.ask(f"LOGI#Autres#{house.door.secret}", "IDNO")
    client = await house.available("Adil")
    await client.ask("NWMA", "FULL")
    host.close()
    await until(lambda: not house.door.hosts.foreign)
    assert (await client.ask("NWMA")).startswith("NWOK")


async def test_unknown_types_after_logi_are_not_understood(house: House) -> None:
    host = await logged_in(house)
    for line in ("WHAT", "LSMA", "LOGI#Invités#x", "DOIT#Invités#1#Adil#deco", "SCPS#Adil#many", "#"):
        await host.ask(line, "IDKS")
    host.send("IDKH", "IMOK", "IDKC")
    await host.ask("WHAT", "IDKS")


# --- PLIN, SCPS, ENDS -----------------------------------------------------------------------------------


async def test_plin_lets_a_player_in_and_closes_his_server_connection(house: House) -> None:
    host = await logged_in(house)
    adil = await house.available("Adil")
    await host.ask(f"PLIN#Invités#Adil#{PASSWORD}", "PLOK#Adil#0")
    assert await adil.closed() == []
    client = await house.client()
    await client.ask(f"REGI#Adil#{PASSWORD}", "IDIG#10.0.0.9#4242")


async def test_plin_refuses_the_unknown_the_wrong_and_those_in_a_match(house: House) -> None:
    host = await logged_in(house)
    await with_account(house, "Aylin")
    await house.player("Tomek", await house.match("Adil"))
    await host.ask("PLIN#Invités#Personne#x", "PLNO#Personne")
    await host.ask("PLIN#Invités#Aylin#wrong", "PLNO#Aylin")
    await host.ask(f"PLIN#Invités#Tomek#{PASSWORD}", "PLNO#Tomek")
    await host.ask(f"PLIN#Autres#Aylin#{PASSWORD}", "PLNO#Aylin")
    await host.ask("PLIN#Invités#Aylin", "PLNO#Aylin")
    await host.ask("PLIN", "PLNO#")
    await host.ask(f"PLIN#Invités#Aylin#{PASSWORD}", "PLOK#Aylin#0")
    await host.ask(f"PLIN#Invités#Aylin#{PASSWORD}", "PLNO#Aylin")


async def test_somebody_in_a_foreign_match_cannot_join_one_of_ours(house: House) -> None:
    host = await logged_in(house)
    address = await house.match("Aylin")
    await with_account(house, "Adil")
    await host.ask(f"PLIN#Invités#Adil#{PASSWORD}", "PLOK#Adil#0")
    client = await Client.open(address)
    await client.line()
    await client.ask(f"JOIN#Adil#{PASSWORD}", "JNNO")


async def test_scps_adds_the_difference_to_what_plok_gave_and_lets_out(house: House) -> None:
    host = await logged_in(house)
    await with_account(house, "Adil", "Aylin")
    await host.ask(f"PLIN#Invités#Adil#{PASSWORD}", "PLOK#Adil#0")
    host.send("SCPS#Adil#120", "SCPS#Adil#999", "SCPS#Aylin#50")
    await host.ask(f"PLIN#Invités#Adil#{PASSWORD}", "PLOK#Adil#120")
    host.send("SCPS#adil#70", "ENDS#Autres", "ENDS#Invités")
    assert await host.closed() == []
    client = await house.available("Adil")
    client.send("LSUS")
    assert await client.lines(2) == ["LUNB#1", "USER#Adil#70"]
    await client.ask("LSMA", "LMNB#0")


async def test_scps_counts_once_while_others_score(house: House) -> None:
    """What was won elsewhere meanwhile is not overwritten: only the difference is added."""
    host = await logged_in(house)
    await with_account(house, "Adil")
    adil = await house.club.accounts.by_pseudo("Adil")
    await host.ask(f"PLIN#Invités#Adil#{PASSWORD}", "PLOK#Adil#0")
    await house.door.present.score(adil.id, 1000)
    host.send("SCPS#Adil#-30", "ENDS#Invités")
    await host.closed()
    assert await house.door.present.points(adil.id) == 970


async def test_players_of_a_foreign_host_that_dies_are_out_at_once(house: House) -> None:
    host = await logged_in(house)
    await with_account(house, "Adil")
    await host.ask(f"PLIN#Invités#Adil#{PASSWORD}", "PLOK#Adil#0")
    host.reset()
    await until(lambda: not house.door.hosts.foreign)
    client = await house.available("Adil")
    await client.ask("LSMA", "LMNB#0")


async def test_a_foreign_host_that_is_silent_is_given_up(house: House, clock: HandClock) -> None:
    host = await logged_in(house)
    await clock.advance(10_100)
    assert set(await host.closed()) <= {"RUOK"}
    assert not house.door.hosts.foreign


# --- RQDT, SDDT -----------------------------------------------------------------------------------------


async def test_the_matches_of_foreign_hosts_are_asked_for_and_listed(house: House) -> None:
    ip, port = await house.match("Aylin")
    host = await logged_in(house)
    client = await house.available("Adil")
    client.send("LSMA")
    assert await host.line() == "RQDT#Adil"
    host.send("SDDT#Adil#10.0.0.9#4242#Invités#37#Tomek#12#Kévin#-20")
    assert await client.lines(3) == [
        "LMNB#2",
        f"MATC#{ip}#{port}#Partie_1#0",
        "MATC#10.0.0.9#4242#Invités#37#Tomek#12#Kévin#-20",
    ]


async def test_a_host_that_does_not_answer_in_time_is_left_out(open_house: Opener) -> None:
    house = await open_house(gather=100)
    await house.match("Aylin")
    silent = await logged_in(house)
    wrong = await logged_in(house, "Autres")
    client = await house.available("Adil")
    client.send("LSMA")
    assert await wrong.line() == "RQDT#Adil"
    wrong.send("SDDT#Adil#10.0.0.9")  # not enough: not understood
    assert await wrong.line() == "IDKS"
    assert (await client.lines(2))[0] == "LMNB#1"
    # It may answer the next time.
    client.send("LSMA")
    assert [await silent.line(), await silent.line()] == ["RQDT#Adil", "RQDT#Adil"]
    silent.send("SDDT#Adil#10.0.0.9#4242#Invités#0")
    assert (await client.lines(3))[0] == "LMNB#2"


async def test_a_player_let_in_before_the_address_is_known_is_sent_there(house: House) -> None:
    host = await house.host()
    await host.ask(f"LOGI#Invités#{house.door.secret}", "IDOK")
    assert await host.line() == "RQDT#server"
    await with_account(house, "Adil")
    host.send(f"PLIN#Invités#Adil#{PASSWORD}")
    assert await host.line() == "RQDT#server"
    host.send("SDDT#server#10.0.0.9#4242#Invités#0")
    assert await host.line() == "PLOK#Adil#0"
    client = await house.client()
    await client.ask(f"REGI#Adil#{PASSWORD}", "IDIG#10.0.0.9#4242")


# --- a whole foreign match ------------------------------------------------------------------------------


async def test_a_foreign_host_written_after_the_document_plays_a_match(house: House) -> None:
    """The example of the document: LOGI, players by PLIN, SCPS for each, ENDS."""
    clients: dict[str, asyncio.StreamWriter] = {}
    done = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"RUOK\n")
        kind, user, password = (await reader.readline()).decode().strip().split("#")
        assert kind == "JOIN"
        clients[user] = writer
        host.send(f"PLIN#Invités#{user}#{password}")
        await done.wait()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    host = await house.host()
    await host.ask(f"LOGI#Invités#{house.door.secret}", "IDOK")
    assert await host.line() == "RQDT#server"
    host.send(f"SDDT#server#127.0.0.1#{port}#Invités#0")

    adil = await house.available("Adil")
    adil.send("LSMA")
    assert await host.line() == "RQDT#Adil"
    host.send(f"SDDT#Adil#127.0.0.1#{port}#Invités#0")
    _, ip, told, *_ = (await adil.lines(2))[1].split("#")
    player = await Client.open((ip, int(told)))
    player.send(f"JOIN#Adil#{PASSWORD}")
    assert await host.line() == "PLOK#Adil#0"
    assert await adil.closed() == []
    clients["Adil"].write(b"JNOK#16\n")
    assert await player.lines(2) == ["RUOK", "JNOK#16"]
    host.send("SCPS#Adil#381", "ENDS#Invités")
    assert await host.closed() == []
    done.set()
    server.close()
    assert await house.door.present.users() == [("Adil", 381)]


# --- while the database is gone -------------------------------------------------------------------------


async def test_points_of_a_foreign_match_wait_for_the_database(
    own_postgres: PostgresServer, open_house: Opener
) -> None:
    house = await open_house(own_postgres.create_database(), clock=WallClock())
    host = await logged_in(house)
    host.answers_pings = True
    await with_account(house, "Adil", "Aylin")
    await host.ask(f"PLIN#Invités#Adil#{PASSWORD}", "PLOK#Adil#0")
    await host.ask(f"PLIN#Invités#Aylin#{PASSWORD}", "PLOK#Aylin#0")
    await asyncio.to_thread(own_postgres.stop)
    host.send("SCPS#Adil#120", "ENDS#Invités")
    await asyncio.sleep(0.5)
    await asyncio.to_thread(own_postgres.start)
    assert await host.closed() == []
    adil, aylin = [await house.club.accounts.by_pseudo(name) for name in ("Adil", "Aylin")]
    assert await house.door.present.points(adil.id) == 120
    for account in (adil, aylin):
        assert await house.door.present.match_of(account.id) is None


async def test_what_may_have_been_scored_already_is_scored_once(house: House) -> None:
    host = await logged_in(house)
    await with_account(house, "Adil")
    adil = await house.club.accounts.by_pseudo("Adil")
    await host.ask(f"PLIN#Invités#Adil#{PASSWORD}", "PLOK#Adil#0")
    for _ in range(3):
        await house.door.present.score_once(adil.id, 70)
    assert await house.door.present.points(adil.id) == 70


async def test_players_of_a_foreign_host_that_dies_while_the_database_is_gone_are_out(
    own_postgres: PostgresServer, open_house: Opener
) -> None:
    house = await open_house(own_postgres.create_database(), clock=WallClock())
    host = await logged_in(house)
    await with_account(house, "Adil")
    await host.ask(f"PLIN#Invités#Adil#{PASSWORD}", "PLOK#Adil#0")
    adil = await house.club.accounts.by_pseudo("Adil")
    await asyncio.to_thread(own_postgres.stop)
    host.reset()
    await until(lambda: not house.door.hosts.foreign)
    await asyncio.to_thread(own_postgres.start)

    async def is_out() -> bool:
        try:
            return await house.door.present.match_of(adil.id) is None
        except Unavailable:
            return False

    await until(is_out)
