"""The services of a real server: on the prefixes of the main port, and on ports of their own."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.kit.process import House
from tests.kit.waiting import PATIENCE

from tablee.cli import _with_values
from tablee.config import BadSetting, read_settings

SERVICES = ("users", "emails", "players", "games", "solver")


@pytest.fixture
def served(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path / "data", "--afjd-ports", "0", "--no-demo", "--time-zone", "Indian/Reunion")
    try:
        house.start()
        yield house
    finally:
        house.close()


def title(url: str) -> Any:
    with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
        return json.load(answer)["info"]["title"]


def test_every_service_is_on_its_prefix_and_on_its_port(served: House) -> None:
    for name in SERVICES:
        assert title(f"{served.ports['http']}/afjd/{name}/openapi.json") == f"AFJD {name.upper()}"
        assert title(f"{served.ports[f'afjd_{name}']}/openapi.json") == f"AFJD {name.upper()}"
    secret = served.data / "service-secret"
    assert secret.stat().st_mode & 0o777 == 0o600
    first = secret.read_text()
    assert served.stop() == 0
    assert first.strip() not in served.log.read_text()
    served.start()
    assert secret.read_text() == first


def test_the_door_can_be_switched_off(tmp_path: Path) -> None:
    house = House(tmp_path / "data", "--no-afjd", "--no-demo")
    try:
        house.start()
        with pytest.raises(urllib.error.HTTPError) as refusal:
            title(f"{house.ports['http']}/afjd/games/openapi.json")
        assert refusal.value.code == 404
        assert not any(name.startswith("afjd") for name in house.ports)
    finally:
        house.close()


def test_the_ports_are_five_in_a_row_free_ones_or_none() -> None:
    assert read_settings({"afjd_ports": "5001-5005"}, {}).service_ports == (5001, 5002, 5003, 5004, 5005)
    assert read_settings({"afjd_ports": "0"}, {}).service_ports == (0,) * 5
    assert read_settings({}, {}).service_ports == ()
    for wrong in ("5001", "5001-5004", "5005-5001", "x", "65533-65537", "0-4"):
        with pytest.raises(BadSetting, match="afjd_ports"):
            read_settings({"afjd_ports": wrong}, {})
    assert _with_values(["serve", "--afjd-ports", "--no-demo"]) == [
        "serve",
        "--afjd-ports=5001-5005",
        "--no-demo",
    ]
    assert _with_values(["serve", "--afjd-ports"])[-1] == "--afjd-ports=5001-5005"
    assert _with_values(["serve", "--afjd-ports", "0"]) == ["serve", "--afjd-ports", "0"]


@pytest.mark.parametrize(
    ("name", "value"),
    [("time_zone", "Mars/Olympus"), ("public_url", "jeux"), ("grace_hours", "1000"), ("grace_hours", "0")],
)
def test_settings_that_do_not_fit_are_refused_by_name(name: str, value: str) -> None:
    with pytest.raises(BadSetting, match=name):
        read_settings({name: value}, {})
