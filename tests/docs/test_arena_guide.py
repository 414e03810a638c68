"""What the guide to writing an arena shows is so."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tablee.rules.arena.faults import Faults
from tablee.rules.arena.loading import load

GUIDE = (Path(__file__).parent.parent.parent / "docs/ecrire-une-arene.md").read_text(encoding="utf-8")
EXAMPLE = re.findall(r"^```json\n(.*?)^```", GUIDE, re.M | re.S)[0]


def test_the_example_of_the_guide_is_a_game() -> None:
    game = load(EXAMPLE)["mon carrefour"]
    assert (game.board.width, game.board.rows, len(game.trumps)) == (12, 4, 3)


def test_the_fault_of_the_guide_is_told_in_its_words() -> None:
    made = json.loads(EXAMPLE)
    made["mon carrefour"]["board"]["number_arms"] = 3
    made["mon carrefour"]["board"]["inner_circle_colors"] = ["GREEN"]
    made["mon carrefour"]["board"]["arms_colors"][2] = "ORANGE,GREEN"
    with pytest.raises(Faults) as refused:
        load(made)
    told = [fault.said("fr").replace("\u00a0", " ") for fault in refused.value.faults]
    assert told == re.findall(r"^\$\[.*$", GUIDE, re.M)
