"""The DATC's cases, from `datc.json`, as situations and orders."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from tablee.rules.diplomacy.model import Act, Dislodged, Kind, Order, Situation, Unit
from tablee.rules.diplomacy.variant import load_variant

STANDARD = load_variant("standard")
CASES: list[dict[str, Any]] = json.loads((Path(__file__).parent / "datc.json").read_text("utf-8"))
ADVANCEMENT = {"movement": 0, "retreat": 1, "adjustment": 4}

ZONES = {code.upper(): zone for zone, code in enumerate(STANDARD.codes) if zone}
ROLES = {power.letter: role for role, power in enumerate(STANDARD.powers)}
KINDS = {"A": int(Kind.ARMY), "F": int(Kind.FLEET)}
SHAPES = {
    r"(?P<k>[AF]) (?P<zone>\S+) - (?P<to>\S+)(?P<via> VIA)?": Act.MOVE,
    r"(?P<k>[AF]) (?P<zone>\S+) S (?P<pk>[AF]) (?P<who>\S+) - (?P<to>\S+)": Act.SUPPORT_MOVE,
    r"(?P<k>[AF]) (?P<zone>\S+) S (?P<pk>[AF]) (?P<who>\S+)": Act.SUPPORT_HOLD,
    r"(?P<k>[AF]) (?P<zone>\S+) H": Act.HOLD,
    r"(?P<k>[AF]) (?P<zone>\S+) C (?P<pk>[AF]) (?P<who>\S+) - (?P<to>\S+)": Act.CONVOY,
    r"(?P<k>[AF]) (?P<zone>\S+) R (?P<to>\S+)": Act.RETREAT,
    r"(?P<k>[AF]) (?P<zone>\S+) B": Act.BUILD,
    r"(?P<k>[AF]) (?P<zone>\S+) D": Act.REMOVE,
}


def unit(text: str) -> Unit:
    letter, kind, code = text.split()
    return Unit(ROLES[letter], KINDS[kind], ZONES[code])


def order(text: str) -> Order:
    """An order; a coast given for an army that moves is dropped, as by the parser (DATC 4.B.6)."""
    letter, rest = text.split(" ", 1)
    for shape, act in SHAPES.items():
        if found := re.fullmatch(shape, rest):
            parts = found.groupdict()
            moves = parts.get("pk") or parts["k"]
            to = ZONES[parts["to"]] if parts.get("to") else 0
            if moves == "A" and act != Act.BUILD and to:
                to = STANDARD.region_of[to]
            who = ZONES[parts["who"]] if parts.get("who") else 0
            kind = KINDS[parts["k"]]
            return Order(ROLES[letter], act, ZONES[parts["zone"]], who, to, bool(parts.get("via")), kind)
    raise ValueError(f"{text!r} is no order")


def situation(case: dict[str, Any]) -> Situation:
    owners = {
        STANDARD.centre_of[ZONES[code]]: ROLES[letter]
        for letter, codes in case.get("centres", {}).items()
        for code in codes
    }
    retreating = [(unit(one["unit"]), ZONES[one["from"]]) for one in case.get("retreating", ())]
    return Situation(
        ownerships=owners,
        units=tuple(unit(text) for text in case["units"]),
        dislodged=tuple(Dislodged(*stood, origin) for stood, origin in retreating),
        forbiddens=tuple(ZONES[code] for code in case.get("closed", ()) if case["phase"] == "retreat"),
    )


def write(one: Unit | Dislodged) -> str:
    return f"{STANDARD.powers[one.role].letter} {' AF'[one.kind]} {STANDARD.codes[one.zone].upper()}"
