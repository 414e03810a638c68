"""Does the engine of Diplomacy agree with a plain adjudicator, and where does the PyPI package not?

`python -m bench.diplomacy_differential [--quick] [--phases N] [--peer PYTHON]`; the package is looked for in
PYTHON, else it is installed into a temporary environment of its own; without it that part is left out.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
import venv
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

from msgspec.structs import replace
from tests.rules.diplomacy.knots import convoyed_crowd
from tests.rules.diplomacy.phases_at_random import Phase, differences, mixed_cases, random_phase

from tablee.rules.diplomacy.model import DATC, Act, Order, Outcome, Resolution
from tablee.rules.diplomacy.names import names_of
from tablee.rules.diplomacy.phases import resolve
from tablee.rules.diplomacy.retreats import retreat_options
from tablee.rules.diplomacy.variant import load_variant, variant_names
from tablee.rules.diplomacy.writing import write_order

STANDARD = load_variant("standard")
PEER = Path(__file__).parent / "diplomacy_peer.py"
PEER_SEAS = {"mid": "MAO", "gol": "LYO", "nat": "NAO", "nrg": "NWG", "tyn": "TYS"}
CODES = [PEER_SEAS.get(code, code.upper()) for code in STANDARD.codes]
POWERS = [power.name_en.upper() for power in STANDARD.powers]
SHOWN = 2
"""How many phases of each kind of disagreement are printed."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.diplomacy_differential", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few phases, to see that it works")
    parser.add_argument("--phases", type=int, default=0, help="phases of each kind (default 5000, quick 200)")
    parser.add_argument("--peer", default="", help="a Python that has the package diplomacy")
    asked = parser.parse_args()
    phases = asked.phases or (200 if asked.quick else 5000)
    agreed = against_plain(phases)
    with tempfile.TemporaryDirectory() as room:
        python = asked.peer or installed(Path(room))
        if python:
            against_package(python, phases)
    return 0 if agreed else 1


def some_phases(count: int) -> Iterator[tuple[str, Phase]]:
    """Crowds, mixtures of the DATC's cases and crowds of convoys, each with a name to make it again."""
    for seed in range(-(-count // 3)):
        yield f"crowd {seed}", random_phase(STANDARD, Random(seed))
        yield f"cases {seed}", mixed_cases(Random(seed))
        yield f"convoys {seed}", convoyed_crowd(STANDARD, Random(seed))


# --- The plain adjudicator ------------------------------------------------------------------------------


def against_plain(count: int) -> bool:
    """The same phases through both; every variant of the house. Prints, and says whether all agree."""
    met: Counter[str] = Counter()
    wrong = 0
    begun = time.monotonic()
    total = 0
    todo = [(STANDARD, name, phase) for name, phase in some_phases(count)]
    for variant in map(load_variant, variant_names()[1:]):
        todo += [
            (variant, f"{variant.name} {seed}", random_phase(variant, Random(seed)))
            for seed in range(count // 5)
        ]
    for variant, name, phase in todo:
        total += 1
        found = resolve(variant, 0, *phase)
        for verdict in found.verdicts:
            met[verdict.outcome.value] += 1
            met["dislodged"] += verdict.dislodged
            met["paradox"] += verdict.paradox
        for what, engine, other in differences(variant, phase, found):
            wrong += 1
            print(f"  {name}: {what}: the engine has {engine}, the plain adjudicator {other}")
    spent = time.monotonic() - begun
    print(f"  plain adjudicator: {total} phases, {wrong} disagreements ({spent:.0f} s)")
    print("  met: " + ", ".join(f"{number} {word}" for word, number in met.most_common()))
    return not wrong


# --- The package ----------------------------------------------------------------------------------------


def installed(room: Path) -> str:
    """A Python with the package, made in this directory; empty where it cannot be had."""
    venv.create(room, with_pip=True)
    python = str(room / "bin" / "python")
    done = subprocess.run(
        [python, "-m", "pip", "install", "-q", "diplomacy"], capture_output=True, check=False
    )
    if done.returncode:
        print("  the package diplomacy cannot be installed here: that comparison is left out")
        return ""
    return python


def against_package(python: str, count: int) -> None:
    """Count, by kind, the phases that the package resolves otherwise."""
    kinds: dict[str, list[tuple[str, Phase, str]]] = defaultdict(list)
    total = 0
    peer = subprocess.Popen([python, str(PEER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert peer.stdin is not None
    assert peer.stdout is not None
    with peer:
        for name, phase in some_phases(count):
            total += 1
            peer.stdin.write(json.dumps(spoken(phase)) + "\n")
            peer.stdin.flush()
            answer = json.loads(peer.stdout.readline())
            found = resolve(STANDARD, 0, *phase)
            disagreement = compared(found, answer)
            if disagreement:
                kinds[kind_of(phase, found, answer)].append((name, phase, disagreement))
        peer.stdin.close()
    wrong = sum(map(len, kinds.values()))
    print(f"  package diplomacy: {total} phases, {wrong} resolved otherwise")
    for kind, examples in sorted(kinds.items(), key=lambda item: -len(item[1])):
        print(f"    {len(examples):5} {kind}")
        for name, phase, disagreement in sorted(examples, key=lambda each: len(each[1][1]))[:SHOWN]:
            print(f"          {name}: {disagreement}")
            names = names_of(STANDARD, "en")
            said = (f"{POWERS[o.role]} {write_order(STANDARD, names, o, phase[0], 'en')}" for o in phase[1])
            print("            " + "; ".join(said))


def spoken(phase: Phase) -> dict[str, Any]:
    """A phase in the package's words."""
    situation, orders = phase
    units: dict[str, list[str]] = defaultdict(list)
    given: dict[str, list[str]] = defaultdict(list)
    stands = {unit.zone: f"{' AF'[unit.kind]} {CODES[unit.zone]}" for unit in situation.units}
    for unit in situation.units:
        units[POWERS[unit.role]].append(stands[unit.zone])
    for order in orders:
        text = stands[order.zone]
        if order.act == Act.MOVE:
            text += f" - {CODES[order.destination]}" + (" VIA" if order.via_convoy else "")
        elif order.act == Act.HOLD:
            text += " H"
        else:
            text += f" {'C' if order.act == Act.CONVOY else 'S'} {stands[order.passive]}"
            text += f" - {CODES[order.destination]}" if order.destination else ""
        given[POWERS[order.role]].append(text)
    return {"units": units, "orders": given}


def compared(found: Resolution, answer: dict[str, Any]) -> str:
    """Where the two results differ; empty where they do not."""
    ours = _standing(found)
    theirs = set(answer["units"])
    if ours != theirs:
        return f"we have {sorted(ours - theirs)}, they have {sorted(theirs - ours)}"
    retreats = _retreating(found)
    others = {unit: options for unit, options in answer["retreats"].items() if options}
    if retreats != others:
        mine = {unit: options for unit, options in retreats.items() if others.get(unit) != options}
        return (
            f"retreats: we have {mine}, they have { ({unit: others.get(unit) for unit in mine} or others) }"
        )
    return ""


def kind_of(phase: Phase, found: Resolution, answer: dict[str, Any]) -> str:
    """Why the package resolves a phase otherwise: the change of the rules that gives its very result."""
    ours = _standing(found)
    if ours == set(answer["units"]):
        return _kind_of_retreats(found, answer)
    for kinds in (*((kind,) for kind in CHANGES), *combinations(CHANGES, 2)):
        for changed in _changed(phase, kinds):
            choices = IGNORES_COASTS if COASTS in kinds else DATC
            if _standing(resolve(STANDARD, 0, *changed, choices)) == set(answer["units"]):
                return " + ".join(kinds)
    return OWN_SUPPORT if _wins_by_own_support(phase, answer) else "not explained by any of these"


def _kind_of_retreats(found: Resolution, answer: dict[str, Any]) -> str:
    occupied = {unit.split()[2].partition("/")[0] for unit in _standing(found)}
    contested = {CODES[region] for region in found.situation.forbiddens}
    for closed, kind in (
        (occupied, "retreats: it offers places where somebody stands"),
        (occupied | contested, "retreats: it offers places where there was a stand-off"),
    ):
        free = {
            unit: [place for place in places if place.partition("/")[0] not in closed]
            for unit, places in answer["retreats"].items()
        }
        if {unit: places for unit, places in free.items() if places} == _retreating(found):
            return kind
    return "retreats: other places"


OVER_LAND = "convoy: an army that means to sail goes over land when its convoy fails (DATC 4.A.3, 6.G.8)"
COASTS = "coasts: a support that names the wrong one counts (DATC 6.B.9)"
HEAD_ON = "head to head: a support that cannot help to dislodge does not help to defend either"
STOPPED = "convoy: taken to be broken or paradoxical, though the attack on the fleet fails"
OWN_SUPPORT = (
    "own unit: a convoyed attack dislodges a unit by the support of that unit's own power (DATC 6.D.12)"
)
CHANGES = (OVER_LAND, COASTS, HEAD_ON, STOPPED)
IGNORES_COASTS = replace(DATC, wrong_coast="ignored")


def _standing(found: Resolution) -> set[str]:
    return {f"{POWERS[unit.role]} {' AF'[unit.kind]} {CODES[unit.zone]}" for unit in found.situation.units}


def _retreating(found: Resolution) -> dict[str, list[str]]:
    after = found.situation
    return {
        f"{POWERS[unit.role]} {' AF'[unit.kind]} {CODES[unit.zone]}": sorted(
            CODES[zone] for zone in retreat_options(STANDARD, after, unit)
        )
        for unit in after.dislodged
    }


def _changed(phase: Phase, kinds: tuple[str, ...]) -> Iterator[Phase]:
    """The phase as it would be with these of the package's ways, each in every way that it can be meant."""
    changed = [phase]
    for kind in kinds:
        if kind == OVER_LAND:
            changed = [_over_land(each) for each in changed]
        elif kind == HEAD_ON:
            changed = [_without_idle_defence(each) for each in changed]
        elif kind == STOPPED:
            changed = [one for each in changed for one in _with_one_stopped(each)]
    yield from changed


def _over_land(phase: Phase) -> Phase:
    """Armies that mean to sail and cannot march, where they can."""
    situation, orders = phase
    lost = {
        verdict.order
        for verdict in resolve(STANDARD, 0, *phase).verdicts
        if verdict.outcome in (Outcome.NO_CONVOY, Outcome.ILLEGAL)
        and verdict.order.destination in STANDARD.army_next[verdict.order.zone]
    }
    sailors = {(order.zone, order.destination) for order in lost}
    return situation, [
        order._replace(via_convoy=False)
        if order in lost
        else _holding(order)
        if order.act == Act.CONVOY and (order.passive, order.destination) in sailors
        else order
        for order in orders
    ]


def _without_idle_defence(phase: Phase) -> Phase:
    """Supports of a move against one's own unit count for nothing at all."""
    situation, orders = phase
    owner = {STANDARD.region_of[unit.zone]: unit.role for unit in situation.units}
    return situation, [
        _holding(order)
        if order.act == Act.SUPPORT_MOVE and owner.get(STANDARD.region_of[order.destination]) == order.role
        else order
        for order in orders
    ]


def _with_one_stopped(phase: Phase) -> Iterator[Phase]:
    """One after the other, the armies that sail stay where they are; then all of them."""
    situation, orders = phase
    sailing = _sailing(orders)
    for stopped in (*((order,) for order in sailing), sailing):
        yield situation, [_holding(order) if order in stopped else order for order in orders]


def _wins_by_own_support(phase: Phase, answer: dict[str, Any]) -> bool:
    """Whether an army that sails stands, by the package, where it needed its victim's own power to help."""
    situation, orders = phase
    owner = {STANDARD.region_of[unit.zone]: unit.role for unit in situation.units}
    return any(
        order.act == Act.SUPPORT_MOVE
        and (order.passive, order.destination) == (sails.zone, sails.destination)
        and owner.get(sails.destination) == order.role
        and f"{POWERS[sails.role]} A {CODES[sails.destination]}" in answer["units"]
        for sails in _sailing(orders)
        for order in orders
    )


def _sailing(orders: list[Order]) -> list[Order]:
    carried = {(order.passive, order.destination) for order in orders if order.act == Act.CONVOY}
    return [order for order in orders if order.act == Act.MOVE and (order.zone, order.destination) in carried]


def _holding(order: Order) -> Order:
    return Order(order.role, Act.HOLD, order.zone)


if __name__ == "__main__":
    sys.exit(main())
