"""The examples of docs/protocols/mail.md are letters, and the answers to them."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.kit.examples import examples
from tests.kit.mail import House

from tablee.clock import HandClock
from tablee.club.letters import NO_BREAK
from tablee.tables import TablePlan

PAGE = Path(__file__).parents[3] / "docs" / "protocols" / "mail.md"


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.mark.parametrize(("game", "lines"), examples(PAGE, "mail"))
async def test_an_example_is_as_the_page_says(house: House, game: str, lines: list[str]) -> None:
    if game == "chess":
        writer, other = await house.member("Blanche"), await house.member("Noe")
        info = await house.tables.creating.create(TablePlan("chess", "classic", None, writer.id))
        await house.tables.sitting.join(info.id, other.id)
    else:
        info, people = await house.europe()
        writer = next(each for each in people if each.pseudo.startswith("France"))
    said = "\n".join(line[2:] for line in lines if line.startswith("<"))
    await house.write(await house.address(info, writer), said)
    (answer,) = await house.posted()
    # The page is written with plain spaces, as catalogues are.
    answered = answer.text.replace(NO_BREAK, " ").splitlines()
    expected = [line[2:] for line in lines if line.startswith(">")]
    assert [line for line in answered if line in expected] == expected
