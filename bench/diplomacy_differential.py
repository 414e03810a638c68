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
from pathlib import Path
from random import Random
from typing import Any

from tests.rules.diplomacy.knots import convoyed_crowd
from tests.rules.diplomacy.phases_at_random import Phase, differences, mixed_cases, random_phase

from tablee.rules.diplomacy.model import Act, Kind, Order, Outcome, Resolution, Terrain
from tablee.rules.diplomacy.names import names_of
from tablee.rules.diplomacy.notation import write_order
from tablee.rules.diplomacy.phases import resolve
from tablee.rules.diplomacy.retreats import retreat_options
from tablee.rules.diplomacy.variant import load_variant, variant_names

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
    ours = {f"{POWERS[u.role]} {' AF'[u.kind]} {CODES[u.zone]}" for u in found.situation.units}
    theirs = set(answer["units"])
    if ours != theirs:
        return f"we have {sorted(ours - theirs)}, they have {sorted(theirs - ours)}"
    after = found.situation
    retreats = {
        f"{POWERS[unit.role]} {' AF'[unit.kind]} {CODES[unit.zone]}": sorted(
            CODES[zone] for zone in retreat_options(STANDARD, after, unit)
        )
        for unit in after.dislodged
    }
    others = {unit: options for unit, options in answer["retreats"].items() if options}
    if retreats != others:
        mine = {unit: options for unit, options in retreats.items() if others.get(unit) != options}
        return (
            f"retreats: we have {mine}, they have { ({unit: others.get(unit) for unit in mine} or others) }"
        )
    return ""


def kind_of(phase: Phase, found: Resolution, answer: dict[str, Any]) -> str:
    """What sort of phase it is that the package resolves otherwise."""
    ours = {f"{POWERS[u.role]} {' AF'[u.kind]} {CODES[u.zone]}" for u in found.situation.units}
    if ours == set(answer["units"]):
        full = {unit.split()[2].partition("/")[0] for unit in ours}
        offered = {place.partition("/")[0] for places in answer["retreats"].values() for place in places}
        if offered & full:
            return "retreats: it offers places where somebody stands"
        return "retreats: other places, mostly where a convoyed attack came from (DATC 4.A.5)"
    orders = {order.zone: order for order in phase[1]}
    kinds = {unit.zone: unit.kind for unit in phase[0].units}
    moves = [order for order in phase[1] if order.act == Act.MOVE]
    if any(order.via_convoy for order in moves):
        return "convoy: an army that insists on one goes over land when there is none (DATC 4.A.3)"
    if any(v.outcome == Outcome.VOID and _wrong_coast(v.order, orders) for v in found.verdicts):
        return "coasts: a support that names the wrong one counts (DATC 6.B.9)"
    if any(verdict.paradox for verdict in found.verdicts):
        return "paradox: Szykman's rule"
    if any(_may_sail(order, orders, kinds) for order in moves):
        return "convoy: an army whose neighbour it could also reach over land (DATC 4.A.3)"
    if any(order.act == Act.CONVOY for order in phase[1]):
        return "convoy: it is broken, or a paradox seen, where the support against the fleet does not count"
    if any(verdict.outcome == Outcome.ILLEGAL for verdict in found.verdicts):
        return "illegal orders"
    pairs = {(STANDARD.region_of[o.zone], STANDARD.region_of[o.destination]) for o in moves}
    if any((b, a) in pairs for a, b in pairs):
        return "head to head"
    return "other"


def _wrong_coast(support: Order, orders: dict[int, Order]) -> bool:
    """Whether a support goes into the right region by another coast than the unit's own order."""
    given = orders.get(support.passive)
    if given is None or given.act != Act.MOVE or support.act != Act.SUPPORT_MOVE:
        return False
    same = STANDARD.region_of[given.destination] == STANDARD.region_of[support.destination]
    return same and given.destination != support.destination > STANDARD.regions


def _may_sail(order: Order, orders: dict[int, Order], kinds: dict[int, int]) -> bool:
    by_land = kinds[order.zone] == Kind.ARMY and order.destination in STANDARD.army_next[order.zone]
    return by_land and any(
        other.act == Act.CONVOY and other.passive == order.zone and other.destination == order.destination
        for zone, other in orders.items()
        if STANDARD.terrain[zone] == Terrain.SEA
    )


if __name__ == "__main__":
    sys.exit(main())
