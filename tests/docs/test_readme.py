"""What the README prints works as it is printed."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.kit.process import House
from tests.kit.talking import Wire

README = (Path(__file__).parent.parent.parent / "README.md").read_text()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    house = House(tmp_path_factory.mktemp("readme") / "data")
    house.start()
    yield house
    house.close()


def block(beginning: str) -> list[str]:
    """The lines of the code block that begins like this."""
    found = re.search(rf"^```\w*\n({re.escape(beginning)}.*?)^```", README, re.M | re.S)
    assert found is not None, f"the README has no example that begins with {beginning!r}"
    return found[1].splitlines()


def test_the_telnet_session_goes_as_printed(house: House) -> None:
    client = Wire(house.address("minehive"))
    for line in block("$ telnet localhost 5555")[1:]:
        kind = line.partition("#")[0]
        if kind in ("REGI", "NWMA"):
            client.send(line)
        elif kind != "RUOK":
            assert client.line().partition("#")[0] == kind


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl here")
def test_the_visitor_of_the_example_sits_down_and_plays(house: House) -> None:
    script = "\n".join(block("API=http://localhost:8000"))
    script = script.replace("http://localhost:8000", house.ports["http"])
    ended = subprocess.run(["bash", "-e", "-c", script], capture_output=True, text=True, check=True)
    answers = ended.stdout.replace("}{", "}\n{").splitlines()
    played = json.loads(answers[-1])
    # The robot may have opened that very square a moment before.
    assert played.get("version", 0) >= 1 or played["error"]["parts"]["reason"] == "late"
