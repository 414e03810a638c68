"""A house beside which the sixth game is installed."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser
from tests.browser.conftest import complaints as complaints
from tests.browser.conftest import visit as visit
from tests.kit.browsing import open_browser
from tests.kit.process import House
from tests.kit.servers import free_port
from tests.sixth_game.installed import dist_info, install


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A real server process that finds the game by its entry point, and a broken package beside it."""
    folder = tmp_path_factory.mktemp("club")
    packages = folder / "packages"
    path = install(packages)
    (packages / "game_of_woe.py").write_text("raise OSError('no board')")
    dist_info(packages, "game-of-woe", {"woe": "game_of_woe:RULES"})
    with pytest.MonkeyPatch.context() as patched:
        patched.setitem(os.environ, "PYTHONPATH", path)
        house = House(folder / "data", "--log-format", "json", "--port", str(free_port()))
        try:
            house.start()
            yield house
        finally:
            house.close()
