"""One's deadlines in a calendar and what happened in a feed: by a key of one's own, and nobody else's."""

from __future__ import annotations

from datetime import UTC, datetime
from hashlib import sha256
from random import Random
from typing import Any
from xml.etree import ElementTree

import httpx
import icalendar
import msgspec
import pytest
from tests.kit.web import Guest, House

from tablee.club.limits import Bucket
from tablee.doors.web.following import atom, ical
from tablee.tables.following import Deadline, Happening

Json = Any
ATOM = "{http://www.w3.org/2005/Atom}"
HOUR, DAY = 3_600_000, 86_400_000


async def key_of(guest: Guest) -> Json:
    """The paths of somebody's calendar and feed."""
    return await guest.post("/account/follow-key", status=201)


async def read(house: House, path: str, **headers: str) -> httpx.Response:
    """What a program without cookies or tokens gets."""
    return await house.nobody().http.get(path, headers=headers)


async def events(house: House, path: str) -> list[Any]:
    answer = await read(house, path)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
    return list(icalendar.Calendar.from_ical(answer.content).walk("VEVENT"))


async def by_days(house: House, first: Guest, second: Guest, **choices: Json) -> int:
    """A game of chess by days; the first has white."""
    control = {"kind": "days", "days": 3}
    table = await first.post(
        "/tables",
        {"game": "chess", "variant": "classic", "time_control": control, **choices},
        status=201,
    )
    await second.post(f"/tables/{table['id']}/join", {"invitation": table["invitation"]})
    return int(table["id"])


async def to_move(house: House, table: int, *guests: Guest) -> list[Guest]:
    """Those for whom the game waits, then the others."""
    live = await house.tables.open(table)
    [seat] = live.waiting()
    return sorted(guests, key=lambda guest: live.info.place_of(guest.id) != seat)


async def move(house: House, guest: Guest, table: int) -> None:
    live = await house.tables.open(table)
    action = live.legal(live.info.place_of(guest.id)).sample(Random(1))
    assert action is not None
    said = msgspec.to_builtins(action)
    await guest.post(f"/tables/{table}/play", {"action": said, "request_id": f"{live.seq}"})


async def test_a_deadline_is_in_the_calendar_until_it_is_met(house: House) -> None:
    house.club.home = "https://jeux.exemple.fr"
    lea, tom = await house.member("Léa"), await house.member("Tom")
    table = await by_days(house, lea, tom, name="Chez Léa; ici, là")
    first, second = await to_move(house, table, lea, tom)
    calendars = {guest: (await key_of(guest))["calendar"] for guest in (first, second)}
    [event] = await events(house, calendars[first])
    live = await house.tables.open(table)
    by = live.clocks.until[live.info.place_of(first.id)]
    assert event["UID"] == f"table-{table}@jeux.exemple.fr"
    assert event["SUMMARY"].replace("\u00a0", " ") == "Date limite : Chez Léa; ici, là (Échecs)"
    assert event["DTSTART"].dt == datetime.fromtimestamp(by // 1000, UTC)
    assert event["URL"] == f"https://jeux.exemple.fr/tables/{table}"
    assert "VALARM" not in str(event)
    assert await events(house, calendars[second]) == []
    await move(house, first, table)
    assert await events(house, calendars[first]) == [], "who has played owes nothing"
    [mine] = await events(house, calendars[second])
    assert mine["UID"] == event["UID"]
    await house.tables.sitting.leave(table, second.id)
    assert await events(house, calendars[second]) == [], "a game that is over has no deadline"


async def test_a_calendar_is_written_as_the_standard_says() -> None:
    title = "Date limite : " + "é, ü; \\ \r\nBEGIN:VALARM " * 20
    text = ical.calendar("Tablée", "https://jeux.exemple.fr", [Deadline(7, title, DAY, HOUR, 3)])
    assert text.endswith("END:VCALENDAR\r\n")
    lines = text.encode().split(b"\r\n")
    assert all(len(line) <= 75 for line in lines)
    assert not any(b"\n" in line or b"\r" in line for line in lines)
    for line in lines:
        line.decode()  # no character is cut in two
    read_again = icalendar.Calendar.from_ical(text)
    [event] = read_again.walk("VEVENT")
    assert event["SUMMARY"] == " ".join(title.split())
    assert read_again.walk("VALARM") == []
    assert b"REFRESH-INTERVAL;VALUE=DURATION:PT15M" in lines
    assert b"X-PUBLISHED-TTL:PT15M" in lines
    assert b"DTSTART:19700102T000000Z" in lines
    assert event["SEQUENCE"] == 3


async def test_a_feed_tells_what_happened_at_ones_tables(house: House) -> None:
    house.club.home = "https://jeux.exemple.fr"
    lea, tom = await house.member("Léa"), await house.member("Tom")
    table = await by_days(house, lea, tom, name="Chez <Léa> & Tom")
    first, second = await to_move(house, table, lea, tom)
    path = (await key_of(second))["feed"]
    await move(house, first, table)
    answer = await read(house, path)
    assert answer.headers["content-type"] == "application/atom+xml; charset=utf-8"
    root = ElementTree.fromstring(answer.content)
    assert root.tag == f"{ATOM}feed"
    for element in ("id", "title", "updated", "author", "link"):
        assert root.find(f"{ATOM}{element}") is not None, element
    own = [each for each in root.findall(f"{ATOM}link") if each.get("rel") == "self"]
    assert own[0].get("href") == f"https://jeux.exemple.fr{path}"
    entries = root.findall(f"{ATOM}entry")
    for entry in entries:
        for element in ("id", "title", "updated", "content", "link"):
            assert entry.find(f"{ATOM}{element}") is not None, element
        moment = entry.findtext(f"{ATOM}updated") or ""
        assert datetime.fromisoformat(moment).tzinfo is not None
        assert (entry.findtext(f"{ATOM}id") or "").startswith("urn:uuid:")
    titles = [entry.findtext(f"{ATOM}title") for entry in entries]
    assert "Chez <Léa> & Tom – La partie a avancé" in titles
    assert any(title and "La partie a commencé" in title for title in titles)
    ids = [entry.findtext(f"{ATOM}id") for entry in entries]
    assert len(set(ids)) == len(ids)
    again = ElementTree.fromstring((await read(house, path)).content)
    assert [entry.findtext(f"{ATOM}id") for entry in again.findall(f"{ATOM}entry")] == ids


async def test_a_feed_can_say_whatever_somebody_has_written() -> None:
    wild = "<b>\x00\x0b\ud800 & \"'\ufffe ]]>"
    text = atom.feed(
        atom.About("urn:x", wild, wild, "https://x", 'https://x/"&', "fr", HOUR),
        [Happening("urn:y", DAY, wild, [wild, "deux"], "/tables/1")],
    )
    root = ElementTree.fromstring(text.encode())
    assert root.findtext(f"{ATOM}title") == "<b> & \"' ]]>"
    assert (root.findtext(f"{ATOM}entry/{ATOM}content") or "").endswith("deux")
    assert root.findtext(f"{ATOM}updated") == "1970-01-02T00:00:00Z"


async def test_who_has_the_newest_is_told_so(house: House) -> None:
    lea, tom = await house.member(), await house.member()
    table = await by_days(house, lea, tom)
    first, second = await to_move(house, table, lea, tom)
    paths = await key_of(second)
    for path in (paths["calendar"], paths["feed"]):
        answer = await read(house, path)
        assert answer.headers["cache-control"].startswith("private")
        assert answer.headers["x-robots-tag"] == "noindex"
        tag = answer.headers["etag"]
        for known in (tag, f'W/{tag}, "x"', "*"):
            same = await read(house, path, **{"If-None-Match": known})
            assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", tag)
        head = await house.nobody().http.head(path)
        assert (head.status_code, head.content) == (200, b"")
    await move(house, first, table)
    for path in (paths["calendar"], paths["feed"]):
        assert (await read(house, path)).status_code == 200


async def test_a_key_is_shown_once_renewed_and_revoked(house: House) -> None:
    lea = await house.member()
    assert await lea.get("/account/follow-key") == {"made_at": None}
    first = await key_of(lea)
    assert set(first) == {"made_at", "calendar", "feed"}
    assert await lea.get("/account/follow-key") == {"made_at": first["made_at"]}
    assert (await read(house, first["calendar"])).status_code == 200
    second = await key_of(lea)
    assert (await read(house, first["calendar"])).status_code == 404
    assert (await read(house, second["feed"])).status_code == 200
    await lea.delete("/account/follow-key")
    for path in (second["calendar"], second["feed"]):
        answer = await read(house, path)
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "follow_key_unknown")


async def test_the_key_of_who_is_banned_or_gone_opens_nothing(house: House) -> None:
    chief, banned, leaver = await house.administrator(), await house.member(), await house.member()
    paths = {guest: (await key_of(guest))["calendar"] for guest in (banned, leaver)}
    await chief.put(f"/admin/accounts/{banned.id}/ban", {}, status=204)
    await chief.delete(f"/admin/accounts/{leaver.id}")
    for path in paths.values():
        assert (await read(house, path)).status_code == 404
    await chief.delete(f"/admin/accounts/{banned.id}/ban")
    assert (await read(house, paths[banned])).status_code == 200


async def test_guessed_keys_are_unknown_and_soon_told_to_wait(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    lea = await house.member()
    mine = (await key_of(lea))["calendar"]
    monkeypatch.setitem(house.club.limits._rules, "follow_key", Bucket(3, 60))
    for _ in range(5):
        assert (await read(house, mine)).status_code == 200, "a key that is right counts as no guess"
    guesses = ["a" * 26, mine[:-5].rpartition("/")[2].upper(), "é", "%00", "a" * 199]
    answers = [(await read(house, f"/api/v1/me/calendar/{guess}.ics")).status_code for guess in guesses]
    assert answers == [404, 404, 404, 429, 429] or answers == [404, 404, 404, 404, 429]
    assert (await read(house, mine)).status_code == 429, "who guesses does not learn which was right"


async def test_a_program_that_asks_all_the_time_is_told_to_wait(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(house.club.limits._rules, "follow", Bucket(2, 60))
    path = (await key_of(await house.member()))["feed"]
    assert [(await read(house, path)).status_code for _ in range(3)] == [200, 200, 429]


async def test_a_key_gives_nothing_but_ones_own_and_cannot_play(house: House) -> None:
    lea, tom, mia = [await house.member() for _ in range(3)]
    await by_days(house, lea, tom, access="private", name="Entre nous")
    paths = await key_of(mia)
    for path in (paths["calendar"], paths["feed"]):
        assert "Entre nous" not in (await read(house, path)).text
    key = paths["calendar"].rpartition("/")[2].removesuffix(".ics")
    assert (await house.nobody(Authorization=f"Bearer {key}").ask("GET", "/account")).status_code == 401
    assert key not in (await lea.ask("GET", "/account/follow-key")).text


async def test_the_tag_of_a_feed_cannot_be_reckoned_from_what_it_shows(house: House) -> None:
    """The numbers of the events are in it: by trying, one would learn how much happened in between."""
    lea, tom = await house.member("Léa"), await house.member("Tom")
    table = await by_days(house, lea, tom)
    first, second = await to_move(house, table, lea, tom)
    await move(house, first, table)
    path = (await key_of(second))["feed"]
    account = await house.club.accounts.by_id(second.id)
    calls = [(call.key, call.at) for call in await house.tables.following.recent(account)]
    assert calls
    reckoned = sha256(f"{account.language} {house.club.home} {calls}".encode()).hexdigest()
    assert (await read(house, path)).headers["etag"].strip('"') != reckoned[:32]
