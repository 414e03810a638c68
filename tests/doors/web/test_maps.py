"""Maps of Diplomacy over the web."""

from __future__ import annotations

import msgspec
import pytest
from tests.kit.web import House

from tablee.atlas.form import GameMap, game_map
from tablee.rules.diplomacy.variant import variant_names


@pytest.mark.parametrize("variant", variant_names())
async def test_anybody_gets_the_map_of_a_variant(house: House, variant: str) -> None:
    told = await house.nobody().get(f"/games/diplomacy/{variant}/map")
    assert msgspec.convert(told, GameMap) == game_map(variant)


async def test_there_is_no_map_of_what_is_no_variant(house: House) -> None:
    nobody = house.nobody()
    for name in ("nowhere", "..%2Fstandard", "classic"):
        assert (await nobody.http.get(f"/api/v1/games/diplomacy/{name}/map")).status_code == 404
    assert (await nobody.http.get("/api/v1/games/mines/classic/map")).status_code == 404
