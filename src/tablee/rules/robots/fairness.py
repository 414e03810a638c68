"""Whether the order of play is fair: the share of first places by seat over many races, and its picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import msgspec

from tablee.rules.robots.race import Race

CRITICAL: Final = {1: 3.84, 2: 5.99, 3: 7.81, 4: 9.49, 5: 11.07, 6: 12.59, 7: 14.07}
"""What chance alone passes once in twenty times, by degrees of freedom (tables of the χ² distribution)."""

WIDTH: Final = 640
HEIGHT: Final = 380
LEFT: Final = 60
BOTTOM: Final = 300
TOP: Final = 40


class Shares(msgspec.Struct, frozen=True):
    """First places by seat; who shares one has a part of it."""

    races: int
    firsts: dict[int, float]
    chi_square: float
    critical: float

    @property
    def is_fair(self) -> bool:
        """Whether chance alone explains the differences."""
        return self.chi_square <= self.critical

    @property
    def expected(self) -> float:
        return self.races / len(self.firsts)

    @property
    def margin(self) -> float:
        """Nineteen of twenty fair seats are this close to the expected share."""
        fair = 1 / len(self.firsts)
        return 1.96 * math.sqrt(fair * (1 - fair) / self.races)


def shares_of(races: Sequence[Race]) -> Shares:
    """Who came first, over races with the same number of seats."""
    seats = sorted(races[0].ranks)
    firsts = dict.fromkeys(seats, 0.0)
    for race in races:
        winners = [seat for seat, rank in race.ranks.items() if rank == 1]
        for seat in winners:
            firsts[seat] += 1 / len(winners)
    expected = len(races) / len(seats)
    return Shares(
        races=len(races),
        firsts=firsts,
        chi_square=sum((count - expected) ** 2 / expected for count in firsts.values()),
        critical=CRITICAL[len(seats) - 1],
    )


def draw_shares(shares: Shares) -> str:
    """The shares as a bar a seat, with the fair share and how far chance alone strays from it, as SVG."""
    fair = 1 / len(shares.firsts)
    top = 0.05 * math.ceil(20 * max(2 * fair, 1.2 * max(shares.firsts.values()) / shares.races))

    def height(share: float) -> float:
        return BOTTOM - (BOTTOM - TOP) * share / top

    high, low = height(fair + shares.margin), height(max(0.0, fair - shares.margin))
    right = WIDTH - 20
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        'font-family="system-ui, sans-serif" font-size="14" fill="#20262e">',
        f"<title>Parts des premières places par siège, sur {shares.races} courses</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<rect x="{LEFT}" y="{high:.1f}" width="{right - LEFT}" height="{low - high:.1f}" fill="#dbe9fb"/>',
    ]
    for step in range(round(top / 0.05) + 1):
        y = height(0.05 * step)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{right}" stroke="#cdd3d9"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 5:.1f}" text-anchor="end">{5 * step} %</text>')
    slot = (right - LEFT) / len(shares.firsts)
    for place, (seat, count) in enumerate(shares.firsts.items()):
        share = count / shares.races
        x, y = LEFT + slot * (place + 0.2), height(share)
        middle = x + 0.3 * slot
        parts.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{0.6 * slot:.1f}" height="{BOTTOM - y:.1f}" '
            'fill="#0072b2"/>'
        )
        parts.append(
            f'<text x="{middle:.1f}" y="{BOTTOM - 8}" text-anchor="middle" fill="#fff">'
            f"{100 * share:.1f}</text>"
        )
        parts.append(f'<text x="{middle:.1f}" y="{BOTTOM + 20}" text-anchor="middle">{seat:02}</text>')
    parts.append(
        f'<path d="M{LEFT} {height(fair):.1f}H{right}" stroke="#d55e00" stroke-width="2" '
        'stroke-dasharray="7 4"/>'
    )
    legend = (
        f"Part des premières places par robot, {shares.races} courses.",
        f"En pointillé la part juste, {100 * fair:.1f} % ; "
        "en bleu pâle, ce que le hasard seul donne 19 fois sur 20.",
    )
    parts.extend(
        f'<text x="{LEFT}" y="{BOTTOM + 45 + 18 * line}" font-size="12">{text}</text>'
        for line, text in enumerate(legend)
    )
    return "\n".join([*parts, "</svg>\n"])
