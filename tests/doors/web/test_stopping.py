"""The page behind the link that ends letters: guesses and strangers change nothing."""

from __future__ import annotations

import httpx
import pytest
from tests.kit.http import NO_CERTIFICATES
from tests.kit.web import House

from tablee.club.limits import Bucket


async def test_a_guessed_link_is_refused_and_soon_told_to_wait(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(house.club.limits._rules, "code_try", Bucket(3, 60))
    async with httpx.AsyncClient(base_url=house.url, verify=NO_CERTIFICATES) as http:
        answers = [(await http.get(f"/stop/deviné.{n}")).status_code for n in range(5)]
    assert answers == [404, 404, 404, 429, 429]


async def test_links_that_are_good_count_as_no_guesses(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(house.club.limits._rules, "code_try", Bucket(3, 60))
    lea = await house.member("Léa")
    link = f"/stop/{await house.club.preferences.stop_token(lea.id, 0, 'your_turn')}"
    async with httpx.AsyncClient(base_url=house.url, verify=NO_CERTIFICATES) as http:
        # The mail programs of a whole club may come from one network.
        answers = [(await http.post(link)).status_code for _ in range(5)]
    assert answers == [200] * 5


async def test_a_look_changes_nothing_and_the_button_does(house: House) -> None:
    lea = await house.member("Léa")
    preferences = house.club.preferences
    link = f"{house.url}/stop/{await preferences.stop_token(lea.id, 0, 'your_turn')}"
    http = httpx.AsyncClient(verify=NO_CERTIFICATES)
    shown = await http.get(link)
    assert shown.status_code == 200
    assert "script" not in shown.text
    assert (await preferences.of(lea.id)).mail("your_turn") == "now"
    assert (await http.post(link, data={"List-Unsubscribe": "One-Click"})).status_code == 200
    assert (await preferences.of(lea.id)).mail("your_turn") == "off"
    assert (await http.put(link)).status_code == 405
    await http.aclose()


@pytest.mark.parametrize(
    ("table", "kind", "asked"),
    [
        (0, "your_turn", "Ne plus recevoir ce genre de lettre, à aucune table ?"),
        (7, "your_turn", "Ne plus recevoir ce genre de lettre au sujet de cette table ?"),
        (7, "", "Ne plus recevoir de lettre au sujet de cette table ?"),
        (0, "", "Ne plus recevoir de lettre ?"),
    ],
)
async def test_the_page_says_what_its_button_stops(house: House, table: int, kind: str, asked: str) -> None:
    lea = await house.member("Léa")
    link = f"{house.url}/stop/{await house.club.preferences.stop_token(lea.id, table, kind)}"
    async with httpx.AsyncClient(verify=NO_CERTIFICATES) as http:
        assert f"<p>{asked}</p>" in (await http.get(link)).text
