"""What the largest inputs cost: every route that reckons is in docs/costs.md, and leaves nothing behind."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from bench.largest_inputs import API, QUESTIONS, Question, Talk, cost_of, peak, resident
from tests.kit.process import House
from tests.kit.waiting import wait_until

from tablee.doors.afjd.calls import GAMES, PLAYERS, SOLVER, USERS
from tablee.doors.web.routes import ALL

PAGE = Path(__file__).parents[2] / "docs" / "costs.md"
MEASURED_APART = {"GET /tables/{table_id}/analysis", "GET /tables/{table_id}/seasons/{number}"}
"""They are about games that were played, and nobody brings an input along."""
BESIDE_THE_LOOP = re.compile(r"workshop|executor|to_thread|worked_out")
HASHED = 19 * 1024 * 1024 / 1e6
"""Megabytes that one password needs while it is hashed."""
KEPT = 1.0
"""Megabytes a call: what allocators keep in reserve comes in steps, what is kept for good in every call."""


def in_table() -> set[str]:
    """The routes of the page's table, as its first column has them."""
    return set(re.findall(r"^\| `([A-Z]+ /[^`]*)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE))


def reckoning() -> set[str]:
    """Every route that gives work to somebody else than the event loop, or makes tables."""
    found = {"POST /tables"}
    for route in ALL:
        if BESIDE_THE_LOOP.search(inspect.getsource(route.handler)):
            found.add(f"{route.method} {route.path}")
    for service in (USERS, PLAYERS, GAMES, SOLVER):
        for call in service.routes:
            if BESIDE_THE_LOOP.search(inspect.getsource(call.handler)):
                found.add(f"{call.method} /afjd/{service.group}{call.path}")
    return found


def test_every_route_that_reckons_is_in_the_table() -> None:
    assert sorted(reckoning() - in_table()) == []


def test_every_route_of_the_table_is_measured_by_the_script() -> None:
    assert in_table() - MEASURED_APART == {question.name for question in QUESTIONS}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    house = House(tmp_path_factory.mktemp("costs") / "data", "--open-solver", "--no-demo")
    try:
        house.start()
        yield house
    finally:
        house.close()


@pytest.mark.parametrize(
    "question", [each for each in QUESTIONS if not each.is_member], ids=lambda each: each.name
)
def test_the_largest_input_of_a_stranger_asked_again_and_again_leaves_nothing_behind(
    question: Question, house: House
) -> None:
    cost = cost_of(question, house, calls=12, warm=8)
    assert set(cost.answers) <= {200, 201}
    assert cost.kept < KEPT


def test_twelve_of_the_largest_boards_at_once_take_little_more_than_one(house: House) -> None:
    (question,) = (each for each in QUESTIONS if each.name == "POST /arena/reach" and not each.is_member)
    before = resident(house.pid)

    def ask(number: int) -> int:
        return Talk(house, False).ask("POST", f"{API}/arena/reach", question.body(number))[0]

    with ThreadPoolExecutor(12) as threads:
        assert set(threads.map(ask, range(12))) == {200}
    assert peak(house.pid) - before < 60


def test_the_memory_that_passwords_need_goes_back(tmp_path: Path) -> None:
    """19 MiB for each that is hashed, on as many processors as there are."""
    house = House(tmp_path / "data", "--no-demo")
    try:
        house.start()
        before = resident(house.pid)

        def sign_up(number: int) -> int:
            member = {"pseudo": f"Membre-{number}", "password": f"mot de passe {number}"}
            return Talk(house, False).ask("POST", f"{API}/accounts", member)[0]

        with ThreadPoolExecutor(4) as threads:
            assert set(threads.map(sign_up, range(24))) == {201}
        wait_until(lambda: resident(house.pid) - before < HASHED, "the memory is given back")
    finally:
        house.close()
