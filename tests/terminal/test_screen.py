"""The client on a terminal of 80 by 24: what a player types, clicks and sees."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from tests.kit.waiting import PATIENCE, until
from tests.terminal.scripted import Listener, Peer, board, players
from textual.pilot import Pilot
from textual.widgets import DataTable, Input, Static

from tablee.terminal.minehive.board import LEFT, TOP, BoardView
from tablee.terminal.minehive.connection import Patience, Stage
from tablee.terminal.minehive.model import Square
from tablee.terminal.minehive.rooms import Entrance, LobbyRoom, Ranking, Results
from tablee.terminal.minehive.screen import MatchRoom, MinehiveApp
from tablee.terminal.minehive.words import Words

CLIENT = Patience(
    connect=PATIENCE,
    silence=PATIENCE,
    first_retry=0.01,
    longest_retry=0.05,
    join_again=0.01,
    look_again=PATIENCE,
)
"""A client that comes back at once, and is not hurried by a busy machine: it asks for lists once."""


class Terminal:
    """A client running on a terminal that does not exist, and the server's side of it."""

    def __init__(self, app: MinehiveApp, pilot: Pilot[None], server: Listener, host: Listener) -> None:
        self.app = app
        self.pilot = pilot
        self.server = server
        self.host = host

    async def sees(self, text: str) -> None:
        """Wait until a text is on the screen."""
        async with asyncio.timeout(PATIENCE):
            while text not in self.screen():
                await self.pilot.pause(0.01)

    def screen(self) -> str:
        """All the characters on the terminal."""
        lines = self.app.screen._compositor.render_strips()
        return "\n".join(strip.text for strip in lines)

    async def reaches(self, room: type[object]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not (isinstance(self.app.screen, room) and self.app.screen.is_mounted):
                await self.pilot.pause(0.01)
        await self.pilot.pause()

    async def enter_lobby(self) -> Peer:
        await self.reaches(Entrance)
        self.app.screen.query_one("#name", Input).value = "Adil"
        self.app.screen.query_one("#password", Input).value = "secret"
        await self.pilot.click("#log-in")
        peer = await self.server.peer()
        await peer.expect("REGI#Adil#secret")
        peer.say("IDOK")
        await peer.expect("LSMA", "LSAV")
        await self.reaches(LobbyRoom)
        return peer

    async def enter_match(self) -> Peer:
        lobby = await self.enter_lobby()
        await self.pilot.press("n")
        await lobby.expect("NWMA")
        lobby.say(f"NWOK#127.0.0.1#{self.host.address.port}")
        return await self.welcome()

    async def welcome(self) -> Peer:
        """Let the client in at the host."""
        peer = await self.host.peer()
        await peer.expect("JOIN#Adil#secret")
        peer.say(*board(), *players("Adil#0#100#0#0", "Élise#0#0#0#0"))
        await self.reaches(MatchRoom)
        await self.sees("Élise")
        await until(lambda: isinstance(self.app.focused, BoardView), "the board to hear the keys")
        return peer


@asynccontextmanager
async def terminal(server: Listener, host: Listener, language: str = "fr") -> AsyncIterator[Terminal]:
    app = MinehiveApp(server.address, Words(language), patience=CLIENT)
    async with app.run_test(size=(80, 24)) as pilot:
        yield Terminal(app, pilot, server, host)
        await app.client.close()


async def test_the_entrance_speaks_french_and_english_on_request(server: Listener, host: Listener) -> None:
    async with terminal(server, host) as here:
        await here.sees("Mot de passe")
    async with terminal(server, host, "en") as here:
        await here.sees("Password")


async def test_a_name_with_a_separator_is_refused_before_it_is_sent(server: Listener, host: Listener) -> None:
    async with terminal(server, host) as here:
        await here.reaches(Entrance)
        here.app.screen.query_one("#name", Input).value = "a#b"
        await here.pilot.press("enter")
        await here.pilot.pause()
        await here.pilot.press("p", "enter")
        await here.sees("ne peuvent être vides")
        assert server.nobody_came()


async def test_a_wrong_password_is_said_and_asked_again(server: Listener, host: Listener) -> None:
    async with terminal(server, host) as here:
        await here.reaches(Entrance)
        await here.pilot.press(*"Adil", "enter")
        await here.pilot.pause()
        await here.pilot.press(*"wrong", "enter")
        peer = await server.peer()
        await peer.expect("REGI#Adil#wrong")
        peer.say("IDNO")
        await here.sees("Refusé")
        assert isinstance(here.app.screen, Entrance)
        await here.pilot.press(*["backspace"] * 5, *"secret", "enter")
        await peer.expect("REGI#Adil#secret")


async def test_the_lobby_lists_matches_and_players_and_enter_joins(server: Listener, host: Listener) -> None:
    async with terminal(server, host) as here:
        peer = await here.enter_lobby()
        match = f"MATC#127.0.0.1#{host.address.port}#Partie_7#12#Kévin#34"
        peer.say("LMNB#1", match, "LANB#2", "AVAI#Adil#0", "AVAI#Élise#250")
        for text in ("Partie_7", "12 %", "Kévin 34", "Élise", "250"):
            await here.sees(text)
        await here.pilot.press("enter")
        await here.welcome()


async def test_chosen_players_are_invited_to_a_new_match(server: Listener, host: Listener) -> None:
    async with terminal(server, host) as here:
        peer = await here.enter_lobby()
        peer.say("LMNB#0", "LANB#3", "AVAI#Élise#250", "AVAI#Kévin#100", "AVAI#Adil#0")
        await here.sees("Kévin")
        await here.pilot.press("tab", "space", "down", "down", "space", "n")
        await peer.expect("NWMA#Élise")


async def test_everybody_is_invited_with_one_key(server: Listener, host: Listener) -> None:
    async with terminal(server, host) as here:
        peer = await here.enter_lobby()
        await here.pilot.press("t")
        await peer.expect("NWMA#ALL")


async def test_an_invitation_is_shown_and_accepted(server: Listener, host: Listener) -> None:
    async with terminal(server, host) as here:
        peer = await here.enter_lobby()
        peer.say(f"NWOK#127.0.0.1#{host.address.port}")
        await here.sees("On vous invite")
        await here.pilot.press("i")
        await here.welcome()


async def test_the_ranking_opens_over_the_lobby(server: Listener, host: Listener) -> None:
    async with terminal(server, host) as here:
        peer = await here.enter_lobby()
        await here.pilot.press("c")
        await peer.expect("LSUS")
        peer.say("LUNB#2", "USER#Adil#5", "USER#Somaya#900")
        await here.reaches(Ranking)
        await here.sees("Somaya")
        assert here.app.screen.query_one(DataTable).get_row_at(0)[0] == "1"
        await here.pilot.press("escape")
        await here.reaches(LobbyRoom)


async def test_k4_typed_is_column_three_row_ten(server: Listener, host: Listener) -> None:
    async with terminal(server, host) as here:
        match = await here.enter_match()
        await here.pilot.press("k", "4", "enter")
        await match.expect("CLIC#3#10")
        await here.sees("…")
        match.say("SQRD#3#10#2#4#Adil")
        await here.sees("Adil ouvre K4 : 2, 4 points.")
        await here.pilot.press("p", "3", "0", "enter")
        await match.expect("CLIC#29#15")


async def test_arrows_aim_and_space_opens(server: Listener, host: Listener) -> None:
    async with terminal(server, host) as here:
        match = await here.enter_match()
        await here.pilot.press("home", "pageup", "right", "down", "space")
        await match.expect("CLIC#1#1")
        await here.pilot.press("left", "left", "left", "up", "up", "enter")
        await match.expect("CLIC#0#0")


async def test_the_mouse_opens_and_marks(server: Listener, host: Listener) -> None:
    async with terminal(server, host) as here:
        match = await here.enter_match()
        assert await here.pilot.click(BoardView, offset=(LEFT + 2 * 3 + 1, TOP + 10))
        await match.expect("CLIC#3#10")
        assert await here.pilot.click(BoardView, offset=(LEFT + 2 * 29, TOP), button=3)
        await here.sees("⚑")
        assert here.app.match.marks == {Square(29, 0)}
        await here.pilot.press("a", "3", "0", "enter")
        await here.sees("porte votre marque")


async def test_an_open_square_is_not_sent_again(server: Listener, host: Listener) -> None:
    async with terminal(server, host) as here:
        match = await here.enter_match()
        match.say("SQRD#3#10#2#4#Élise")
        await here.sees("Élise ouvre K4")
        await here.pilot.press("k", "4", "enter")
        await here.sees("K4 est déjà ouverte.")


async def test_scores_follow_every_line(server: Listener, host: Listener) -> None:
    async with terminal(server, host) as here:
        match = await here.enter_match()
        await here.sees("×2")
        match.say("SQRD#3#10#2#4#Adil", "SQRD#0#0#-1#-20#Élise", "AFKP#Élise")
        await here.sees("Élise saute sur une mine en A1 : -20 points.")
        await here.sees("◐Élise")
        await here.sees("×1")
        await here.sees("98 mines")
        match.say("CONN#Kévin#0#0#0#0")
        await here.sees("Kévin entre dans la partie.")


async def test_the_whole_board_fits_eighty_by_twenty_four(server: Listener, host: Listener) -> None:
    async with terminal(server, host) as here:
        match = await here.enter_match()
        lines = [f"SQRD#{x}#{y}#{(x + y) % 9}#2#Adil" for x in range(30) for y in range(16)]
        match.say(*lines)
        await here.sees("100 %")
        rows = here.screen().split("\n")
        assert len(rows) == 24
        for y, letter in enumerate("ABCDEFGHIJKLMNOP"):
            row = next(r for r in rows if r.startswith(f"{letter} "))
            shown = row[LEFT : LEFT + 60][1::2]
            assert shown == "".join(str((x + y) % 9 or " ") for x in range(30))


async def test_a_lost_match_is_said_and_found_again(server: Listener, host: Listener) -> None:
    async with terminal(server, host) as here:
        match = await here.enter_match()
        await here.pilot.press("a", "1", "x")
        match.cut()
        peer = await server.peer()
        await here.sees("La connexion à la partie est perdue.")
        await here.pilot.press("k", "4", "enter")
        await here.sees("le clic n'est pas envoyé")
        peer.say(f"IDIG#127.0.0.1#{host.address.port}")
        peer.close()
        match = await here.welcome()
        assert here.app.match.marks == {Square(0, 0)}
        await here.pilot.press("k", "4", "enter")
        await match.expect("CLIC#3#10")


async def test_the_end_shows_the_results_and_leads_to_the_lobby(server: Listener, host: Listener) -> None:
    async with terminal(server, host) as here:
        match = await here.enter_match()
        match.say("SCPC#Adil#54#154#2#0#BestMinesweeper", "SCPC#Élise#-70#-70#0#2#MostBlownUp", "ENDC#2")
        match.close()
        await here.reaches(Results)
        for text in ("La partie est finie.", "Meilleur démineur", "Le plus de mines sautées", "154"):
            await here.sees(text)
        peer = await server.peer()
        await peer.expect("REGI#Adil#secret")
        peer.say("IDOK")
        await peer.expect("LSMA", "LSAV")
        assert isinstance(here.app.screen, Results)
        await here.pilot.press("enter")
        await here.reaches(LobbyRoom)
        await here.pilot.press("n")
        await peer.expect("NWMA")


async def test_who_was_sent_away_comes_back_with_enter(server: Listener, host: Listener) -> None:
    async with terminal(server, host) as here:
        peer = await here.enter_lobby()
        peer.say("KICK")
        peer.close()
        await here.sees("Appuyez sur Entrée")
        await here.pilot.press("enter")
        await (await server.peer()).expect("REGI#Adil#secret")


@pytest.mark.parametrize(("key", "leaves"), [("n", False), ("o", True)])
async def test_leaving_a_match_is_asked_first(
    server: Listener, host: Listener, key: str, leaves: bool
) -> None:
    async with terminal(server, host) as here:
        await here.enter_match()
        await here.pilot.press("q")
        await here.sees("Quitter ?")
        await here.pilot.press(key)
        await here.pilot.pause()
        assert (here.app.client.stage is Stage.CLOSED) is leaves


async def test_what_the_server_names_is_shown_as_it_is(server: Listener, host: Listener) -> None:
    async with terminal(server, host) as here:
        match = await here.enter_match()
        match.say("CONN#[b]x[/b]#0#0#0#0")
        await here.sees("[b]x[/b] entre dans la partie.")
        assert "[b]x[/b]" in str(here.app.screen.query_one("#side", Static).render())
