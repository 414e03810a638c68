"""The clients' port, message by message."""

from __future__ import annotations

from tests.doors.minehive.house import House


async def test_an_unknown_name_is_registered(house: House) -> None:
    client = await house.client()
    await client.ask("REGI#Adil#secret", "IDOK")
    assert (await house.club.accounts.by_pseudo("adil")).pseudo == "Adil"


async def test_a_match_is_made_joined_and_clicked(house: House) -> None:
    address = await house.match("Adil")
    adil = await house.player("Adil", address)
    assert adil.welcome[-1] == "IGPL#Adil#0#0#0#0"
    adil.send("CLIC#3#10")
    first = (await adil.line()).split("#")
    assert first[:3] == ["SQRD", "3", "10"]
