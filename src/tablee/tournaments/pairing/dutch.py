"""Swiss pairings by the Dutch rules of FIDE, as they were until January 2026: py4swiss makes them.

It has no build for Linux on ARM and for Intel Macs; there the house's own pairing serves.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from tablee.tournaments.pairing.history import History, NoPairing, Round
from tablee.tournaments.pairing.house import pair_house

MOST = 300
"""Active players; beyond them the house's own pairing serves."""


@cache
def _py4swiss() -> Any | None:
    """Its engine and the forms it reads; None where it is not installed."""
    try:
        return (
            import_module("py4swiss.engines").DutchEngine,
            import_module("py4swiss.engines.common").PairingError,
            import_module("py4swiss.trf"),
            import_module("py4swiss.trf.results"),
            import_module("py4swiss.trf.sections"),
            import_module("py4swiss.trf.codes"),
        )
    except ImportError:
        return None


def is_here() -> bool:
    """Whether this machine can pair by the Dutch rules."""
    return _py4swiss() is not None


def pair_dutch(history: History) -> Round:
    """The next round. Raises NoPairing where the rules allow none, or this machine cannot make it."""
    found = _py4swiss()
    if found is None:
        raise NoPairing("py4swiss is not installed on this machine: take the pairing “house”.")
    engine, impossible, trf, results, sections, codes = found
    present = history.present
    if len(present) > MOST:
        raise NoPairing(f"{len(present)} players are more than {MOST}: take the pairing “house”.")
    if history.round == 1 and not history.apart:
        return pair_house(history)  # the same by both, and a second quicker for two hundred
    if len(present) < 2:
        raise NoPairing("Fewer than two players are there.")
    numbers = {
        player.no: place for place, player in enumerate(sorted(history.players, key=lambda p: p.no), 1)
    }
    back = {place: no for no, place in numbers.items()}
    report = trf.ParsedTrf(
        player_sections=[
            sections.PlayerSection(
                code=codes.PlayerCode.PLAYER,
                starting_number=numbers[player.no],
                points_times_ten=int(10 * player.points),
                rank=numbers[player.no],
                results=[
                    results.RoundResult(
                        id=numbers.get(game.opponent, 0),
                        color=results.ColorToken(game.colour),
                        result=results.ResultToken(game.mark),
                    )
                    for game in player.results
                ],
            )
            for player in sorted(history.players, key=lambda p: p.no)
        ],
        x_section=sections.XSection(
            number_of_rounds=history.rounds,
            zeroed_ids={numbers[int(no)] for no in history.absent},
            forbidden_pairs={
                (numbers[one], numbers[other])
                for one, other in history.apart
                if one in numbers and other in numbers
            },
        ),
    )
    try:
        pairs = engine.generate_pairings(report)
    except impossible:
        raise NoPairing("No round keeps the Dutch rules with those who are there.") from None
    bye = next((back[pair.white] for pair in pairs if pair.black == 0), None)
    return Round([(back[pair.white], back[pair.black]) for pair in pairs if pair.black], bye)
