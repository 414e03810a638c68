"""What browsers ask before they let a page of another origin call the services."""

from __future__ import annotations

from pathlib import Path

from tests.kit.afjd import LIMITS, SERVICES, House, open_house

from tablee.doors.afjd import AfjdSettings

NAMED = "https://diplomatie.exemple.fr"
ASKED = {
    "Access-Control-Request-Method": "PUT",
    "Access-Control-Request-Headers": "accesstoken,servicesecret",
}


async def test_the_named_origin_is_answered_to_the_letter_and_no_other(tmp_path: Path) -> None:
    settings = AfjdSettings(limits=LIMITS, origins=(NAMED,))
    async with open_house(f"sqlite:///{tmp_path / 'tablee.sqlite'}", tmp_path, settings=settings) as house:
        for service in SERVICES:
            url = house.at(service, "/games/Raspoutine")
            preflight = await house.http.options(url, headers={"Origin": NAMED, **ASKED})
            assert preflight.status_code == 200
            assert preflight.headers["access-control-allow-origin"] == NAMED
            allowed = preflight.headers["access-control-allow-headers"].lower()
            assert {"accesstoken", "servicesecret"} <= {name.strip() for name in allowed.split(",")}
            assert "access-control-allow-credentials" not in preflight.headers
            for other in (f"{NAMED}:8443", f"{NAMED}.pirate.fr", "http://diplomatie.exemple.fr", "null"):
                preflight = await house.http.options(url, headers={"Origin": other, **ASKED})
                assert preflight.status_code == 400
                assert "access-control-allow-origin" not in preflight.headers
                plain = await house.http.get(url, headers={"Origin": other})
                assert "access-control-allow-origin" not in plain.headers
            plain = await house.http.get(url, headers={"Origin": NAMED})
            assert plain.headers["access-control-allow-origin"] == NAMED
            assert "Origin" in plain.headers["vary"]
        own = await house.http.get(f"{house.url}/api/v1/tables", headers={"Origin": NAMED})
        assert "access-control-allow-origin" not in own.headers


async def test_no_origin_is_answered_unless_one_is_named(house: House) -> None:
    for headers in ({"Origin": NAMED}, {"Origin": house.url}):
        answer = await house.http.get(house.at("games", "/games"), headers=headers)
        assert "access-control-allow-origin" not in answer.headers
        preflight = await house.http.options(house.at("games", "/games"), headers={**headers, **ASKED})
        assert preflight.status_code == 405
