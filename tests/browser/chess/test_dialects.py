"""Somebody in the page and somebody at either port of Pawn Hub meet in the queue and play to the end."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, expect
from tests.browser.chess.boards import click_move, ends_with, shows
from tests.kit.browsing import MOVING, Visit
from tests.kit.process import Address, House
from tests.kit.waiting import PATIENCE

from tablee.doors.pawnhub.messages import FRAME, framed


class Wire:
    """A connection of either dialect, read until what one waits for has come."""

    def __init__(self, address: Address) -> None:
        self._socket = socket.create_connection(address, timeout=PATIENCE)
        self._stream = self._socket.makefile("rb")

    def send(self, data: bytes) -> None:
        self._socket.sendall(data)

    def line(self) -> str:
        return self._stream.readline().decode().rstrip("\r\n")

    def payload(self) -> str:
        return self._stream.read(FRAME).decode().rstrip("|")

    def close(self) -> None:
        self._stream.close()
        self._socket.close()


@contextmanager
def connected(address: Address) -> Iterator[Wire]:
    wire = Wire(address)
    try:
        yield wire
    finally:
        wire.close()


def wait_in_the_page(visit: Visit) -> Page:
    """Somebody who looks for an opponent at chess, in the lobby."""
    page = visit("/lobby", **MOVING)
    form = page.locator("form", has=page.get_by_role("heading", name="Me trouver un adversaire"))
    form.get_by_label("Jeu").select_option("chess")
    form.get_by_role("button", name="Attendre un adversaire").click()
    expect(page.get_by_role("button", name="Ne plus attendre")).to_be_visible()
    return page


def test_the_page_meets_the_plain_dialect(house: House, visit: Visit) -> None:
    page = wait_in_the_page(visit)
    with connected(house.address("pawnhub_plain")) as wire:
        wire.send(b"GUEST\nPLAY classic\n")
        assert wire.line().startswith("OK ")
        assert wire.line() == "OK"
        assert wire.line().startswith("GAME ")
        assert wire.line() == "0"
        expect(page.locator("cg-board")).to_be_visible()
        assert "!" in wire.line()
        assert wire.line() == "1"
        for ply, (mine, theirs) in enumerate((("f2f3", "E7E5"), ("g2g4", "D8H4"))):
            click_move(page, mine)
            assert "!" in wire.line()
            assert wire.line() == "False"
            assert wire.line() == str(2 * ply + 2)
            wire.send(f"{theirs}\n".encode())
            assert wire.line() == "True"
            assert "!" in wire.line()
            assert wire.line() == str(ply == 1)
            if ply == 0:
                assert wire.line() == "3"
                shows(page, 2, "e5")
        assert wire.line().startswith("BLACK")
    shows(page, 4, "Dh4#")
    ends_with(page, "Échec et mat")


def test_the_page_meets_the_framed_dialect(house: House, visit: Visit) -> None:
    page = wait_in_the_page(visit)
    with connected(house.address("pawnhub")) as wire:

        def until(wanted: str) -> None:
            while wire.payload() != wanted:
                pass

        wire.send(framed(["4~0"]))
        until("30~Xblack")
        expect(page.locator("cg-board")).to_be_visible()
        for mine, theirs in (("f2f3", "E7E5"), ("g2g4", "D8H4")):
            click_move(page, mine)
            until("30~Agimme")
            wire.send(framed([f"30~Mb{theirs}"]))
            until("30~Lwaw")
            expect(page.locator("[data-ply]").last).to_have_text(re.compile("e5|Dh4#"))
        until("30~Ublack")
    ends_with(page, "Échec et mat")
