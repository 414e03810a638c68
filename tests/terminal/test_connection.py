"""A client finds its way to the server, into a match, and back after every kind of loss."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

import pytest
from tests.kit.waiting import until
from tests.terminal.scripted import Listener, Peer, board, players

from tablee.terminal.minehive.connection import Client, Invitation, Note, Patience, Stage
from tablee.terminal.minehive.messages import MatchLine, Message, Opened, ServerFull

IMPATIENT = Patience(connect=2.0, silence=2.0, first_retry=0.01, longest_retry=0.05, join_again=0.01, joins=5)


class Player:
    """A client and all that it told."""

    def __init__(self, server: Listener, patience: Patience = IMPATIENT) -> None:
        self.told: list[Message] = []
        self.client = Client(server.address, self._hear, patience)

    def _hear(self, messages: Sequence[Message]) -> None:
        self.told += messages

    def has_been_told(self, kind: type[Message]) -> bool:
        return any(isinstance(m, kind) for m in self.told)

    def noted(self, key: str) -> bool:
        return any(isinstance(m, Note) and m.key == key for m in self.told)

    async def reaches(self, stage: Stage) -> None:
        await until(lambda: self.client.stage is stage)


@pytest.fixture
async def player(server: Listener) -> AsyncIterator[Player]:
    player = Player(server)
    yield player
    await player.client.close()


async def in_lobby(player: Player, server: Listener) -> Peer:
    player.client.log_in("Adil", "secret")
    peer = await server.peer()
    await peer.expect("REGI#Adil#secret")
    peer.say("IDOK")
    await peer.expect("LSMA", "LSAV")
    return peer


async def in_match(player: Player, server: Listener, host: Listener) -> Peer:
    lobby = await in_lobby(player, server)
    player.client.join(host.address)
    peer = await host.peer()
    await peer.expect("JOIN#Adil#secret")
    lobby.close()
    peer.say(*board(), *players("Adil#0#0#0#0"))
    await player.reaches(Stage.PLAYING)
    return peer


async def test_a_known_player_enters_the_lobby_and_sees_its_lists(player: Player, server: Listener) -> None:
    peer = await in_lobby(player, server)
    peer.say("LMNB#1", "MATC#127.0.0.1#4321#Partie_1#10#Élise#4", "LANB#1", "AVAI#Adil#0")
    await until(lambda: player.has_been_told(MatchLine))
    assert player.client.stage is Stage.LOBBY


async def test_ruok_is_answered_with_imok_and_an_unknown_type_with_idkc(
    player: Player, server: Listener
) -> None:
    peer = await in_lobby(player, server)
    peer.say("RUOK", "PILE#1")
    peer.say_bytes(b"\xff\xfe#\n")
    heard = [await peer.hear_all() for _ in range(3)]
    assert heard == ["IMOK", "IDKC", "IDKC"]


async def test_a_message_may_come_byte_by_byte(player: Player, server: Listener) -> None:
    player.client.log_in("Adil", "secret")
    peer = await server.peer()
    await peer.hear()
    for byte in b"IDOK\r\n":
        peer.say_bytes(bytes([byte]))
    await player.reaches(Stage.LOBBY)


async def test_a_line_without_end_is_not_kept_and_answered_once(player: Player, server: Listener) -> None:
    peer = await in_lobby(player, server)
    peer.say_bytes(b"X" * 1_000_000 + b"\nRUOK\n")
    assert [await peer.hear_all() for _ in range(2)] == ["IDKC", "IMOK"]


async def test_a_refused_player_may_try_again_on_the_same_connection(
    player: Player, server: Listener
) -> None:
    player.client.log_in("Adil", "wrong")
    peer = await server.peer()
    await peer.expect("REGI#Adil#wrong")
    peer.say("IDNO")
    await until(lambda: player.noted("refused"))
    assert player.client.stage is Stage.OUT
    player.client.log_in("Adil", "secret")
    await peer.expect("REGI#Adil#secret")
    peer.say("IDOK")
    await player.reaches(Stage.LOBBY)


async def test_a_player_in_a_match_is_led_back_to_it(
    player: Player, server: Listener, host: Listener
) -> None:
    player.client.log_in("Adil", "secret")
    peer = await server.peer()
    await peer.hear()
    peer.say(f"IDIG#127.0.0.1#{host.address.port}")
    peer.close()
    match = await host.peer()
    await match.expect("JOIN#Adil#secret")
    match.say(*board(), *players("Adil#0#0#0#0"))
    await player.reaches(Stage.PLAYING)


async def test_who_creates_a_match_joins_it(player: Player, server: Listener, host: Listener) -> None:
    peer = await in_lobby(player, server)
    player.client.create(("Élise",))
    player.client.create(("Élise",))
    await peer.expect("NWMA#Élise")
    peer.say(f"NWOK#127.0.0.1#{host.address.port}")
    await (await host.peer()).expect("JOIN#Adil#secret")
    assert player.client.stage is Stage.JOINING


async def test_a_match_one_did_not_ask_for_is_an_invitation(
    player: Player, server: Listener, host: Listener
) -> None:
    peer = await in_lobby(player, server)
    peer.say(f"NWOK#127.0.0.1#{host.address.port}")
    await until(lambda: player.has_been_told(Invitation))
    assert host.nobody_came()
    assert player.client.stage is Stage.LOBBY


async def test_a_full_server_says_so_and_one_may_ask_again(player: Player, server: Listener) -> None:
    peer = await in_lobby(player, server)
    player.client.create()
    await peer.expect("NWMA")
    peer.say("FULL")
    await until(lambda: player.has_been_told(ServerFull))
    player.client.create(("ALL",))
    await peer.expect("NWMA#ALL")


async def test_a_refused_join_leaves_the_player_in_the_lobby(
    player: Player, server: Listener, host: Listener
) -> None:
    await in_lobby(player, server)
    player.client.join(host.address)
    match = await host.peer()
    await match.hear()
    match.say("JNNO")
    await until(lambda: player.noted("join-refused"))
    assert player.client.stage is Stage.LOBBY


async def test_clicks_go_to_the_match_and_squares_come_back(
    player: Player, server: Listener, host: Listener
) -> None:
    match = await in_match(player, server, host)
    assert player.client.click(3, 10)
    await match.expect("CLIC#3#10")
    match.say("SQRD#3#10#2#2#Adil")
    await until(lambda: player.has_been_told(Opened))


async def test_nothing_is_clicked_outside_a_match(player: Player, server: Listener) -> None:
    await in_lobby(player, server)
    assert not player.client.click(3, 10)


async def test_after_the_end_the_player_is_back_in_the_lobby(
    player: Player, server: Listener, host: Listener
) -> None:
    match = await in_match(player, server, host)
    match.say("SCPC#Adil#1#1#1#0", "ENDC#1")
    match.close()
    peer = await server.peer()
    await peer.expect("REGI#Adil#secret")
    peer.say("IDOK")
    await player.reaches(Stage.LOBBY)


async def test_a_lost_match_is_found_again_by_regi_idig_and_join(
    player: Player, server: Listener, host: Listener
) -> None:
    match = await in_match(player, server, host)
    match.cut()
    peer = await server.peer()
    await peer.expect("REGI#Adil#secret")
    peer.say(f"IDIG#127.0.0.1#{host.address.port}")
    peer.close()
    # The host has not noticed yet that the old connection is dead.
    for _ in range(2):
        match = await host.peer()
        await match.expect("JOIN#Adil#secret")
        match.say("JNNO")
    match = await host.peer()
    await match.expect("JOIN#Adil#secret")
    match.say(*board(), *players("Adil#7#7#3#0"))
    await player.reaches(Stage.PLAYING)


async def test_a_match_whose_host_died_is_found_again_in_the_list(
    player: Player, server: Listener, host: Listener
) -> None:
    match = await in_match(player, server, host)
    match.cut()
    peer = await server.peer()
    await peer.hear()
    peer.say("IDOK")
    await peer.expect("LSMA", "LSAV")
    peer.say("LMNB#0", "LANB#0")
    await peer.expect("LSMA", "LSAV")
    peer.say("LMNB#1", f"MATC#127.0.0.1#{host.address.port}#Partie_1#10#Adil#7", "LANB#0")
    await (await host.peer()).expect("JOIN#Adil#secret")


async def test_a_match_that_is_over_meanwhile_is_not_sought_for_ever(
    player: Player, server: Listener, host: Listener
) -> None:
    match = await in_match(player, server, host)
    match.cut()
    peer = await server.peer()
    await peer.hear()
    peer.say("IDOK")
    for _ in range(IMPATIENT.looks):
        await peer.expect("LSMA", "LSAV")
        peer.say("LMNB#0", "LANB#0")
    await until(lambda: player.noted("match-over-meanwhile"))
    assert player.client.stage is Stage.LOBBY


async def test_who_plays_elsewhere_under_the_same_name_is_not_fought_for_ever(
    player: Player, server: Listener, host: Listener
) -> None:
    player.client.log_in("Adil", "secret")
    peer = await server.peer()
    peer.say(f"IDIG#127.0.0.1#{host.address.port}")
    peer.close()
    for _ in range(IMPATIENT.joins + 1):
        match = await host.peer()
        await match.hear()
        match.say("JNNO")
    await player.reaches(Stage.OUT)


async def test_a_server_that_comes_back_is_found_again(player: Player, server: Listener) -> None:
    peer = await in_lobby(player, server)
    server.stop()
    peer.cut()
    await until(lambda: player.noted("server-unreachable"))
    await server.start(server.address.port)
    peer = await server.peer()
    await peer.expect("REGI#Adil#secret")
    peer.say("IDOK")
    await player.reaches(Stage.LOBBY)


async def test_a_server_that_falls_silent_is_left(server: Listener) -> None:
    player = Player(server, Patience(silence=0.1, first_retry=0.01))
    await in_lobby(player, server)
    await (await server.peer()).expect("REGI#Adil#secret")
    await player.client.close()


async def test_who_was_kicked_comes_back_only_when_he_wants(player: Player, server: Listener) -> None:
    peer = await in_lobby(player, server)
    peer.say("KICK")
    peer.close()
    await player.reaches(Stage.KICKED)
    assert server.nobody_came()
    player.client.come_back()
    await (await server.peer()).expect("REGI#Adil#secret")


async def test_two_clients_of_one_name_do_not_push_each_other_out_for_ever(
    player: Player, server: Listener
) -> None:
    peer = await in_lobby(player, server)
    for _ in range(IMPATIENT.short_stays - 1):
        peer.close()
        peer = await server.peer()
        await peer.hear()
        peer.say("IDOK")
        await peer.expect("LSMA", "LSAV")
    peer.close()
    await player.reaches(Stage.KICKED)
    assert player.noted("pushed-out")


async def test_who_leaves_says_so(player: Player, server: Listener) -> None:
    peer = await in_lobby(player, server)
    await player.client.close()
    await peer.expect("LEAV", "")
    assert player.client.stage is Stage.CLOSED
