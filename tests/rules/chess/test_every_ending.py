"""Every ending in every variant: how it comes about, or that it does not exist there."""

from __future__ import annotations

import pytest
from tests.rules.chess.games import BLACK, MINUTE, WHITE, Game

from tablee.rules.chess import VARIANTS, ClaimDraw, OfferDraw
from tablee.rules.contract import CLOCK, Away, Illegal, Leave, Timeout

GOES_ON = (None, None)
KNIGHTS = "g1f3 g8f6 f3g1 f6g8 "
QUEEN = "8/8/8/8/8/8/q7/4K1N1 w - - 0 1 -"
QUEEN_WALKS = "g1f3 a2a3 f3g1 a3a2 "
ROOK = "7k/8/8/8/8/8/R7/K7 w - - {} 90"
ROOK_OF_ALICE = "7k/8/8/8/8/8/R7/K7|8/8/8/8/8/8/8/8 w - - {} 90"
ROOK_OF_HORDE = "8/8/8/7q/8/8/R7/K7 w - - {} 90 -"

Outcome = tuple[str | None, int | None] | str
"""The end and its winner, or the code of a refusal."""
Cell = tuple[str | None, str, Outcome]
"""A position (the start where it is None), what is done in it, and what comes of it."""


def for_all(doing: str, outcome: Outcome) -> dict[str, Cell]:
    return dict.fromkeys(VARIANTS, (None, doing, outcome))


ENDINGS: dict[str, dict[str, Cell]] = {
    "mate": {
        "classic": (None, "f2f3 e7e5 g2g4 d8h4", ("mate", BLACK)),
        "alice": (None, "e2e4 d7d5 f1e2 d5e4 e2b5", ("mate", WHITE)),
        "dark": (None, "f2f3 e7e5 g2g4 d8h4", GOES_ON),
        "horde": ("8/8/8/8/8/1q6/2p5/K7 b - - 0 1 -", "c2c1q", ("mate", BLACK)),
    },
    "stalemate": {
        "classic": ("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "g6f7", ("stalemate", None)),
        "alice": ("7k/8/8/8/8/8/8/K7|8/8/8/6Q1/8/8/8/8 w - - 0 1", "g5g6", ("stalemate", None)),
        "dark": ("5brk/4p1pr/4P1Pp/8/7P/8/8/4K3 w - - 0 1", "h4h5", ("stalemate", None)),
        "horde": ("8/8/8/8/p7/P7/8/4K3 w - - 0 1 -", "e1e2", ("stalemate", None)),
    },
    "material": {
        "classic": ("7k/8/8/8/8/8/6p1/6K1 w - - 0 1", "g1g2", ("material", None)),
        "alice": ("7k/8/8/8/8/8/1p6/K7|8/8/8/8/8/8/8/8 w - - 0 1", "a1b2", ("material", None)),
        "dark": ("7k/8/8/8/8/8/6p1/6K1 w - - 0 1", "g1g2", GOES_ON),
        "horde": ("8/8/8/8/8/8/n5q1/6K1 w - - 0 1 -", "g1g2", GOES_ON),
    },
    "threefold": {
        "classic": (None, KNIGHTS * 2 + "claim", ("threefold", None)),
        "alice": (None, KNIGHTS * 2 + "claim", ("threefold", None)),
        "dark": (None, KNIGHTS * 2 + "claim", "no_claims"),
        "horde": (QUEEN, QUEEN_WALKS * 2 + "claim", ("threefold", None)),
    },
    "fifty": {
        "classic": (ROOK.format(99), "a2b2 claim", ("fifty", None)),
        "alice": (ROOK_OF_ALICE.format(99), "a2b2 claim", ("fifty", None)),
        "dark": (ROOK.format(99), "a2b2 claim", "no_claims"),
        "horde": (ROOK_OF_HORDE.format(99), "a2b2 claim", ("fifty", None)),
    },
    "fivefold": {
        "classic": (None, KNIGHTS * 4, ("fivefold", None)),
        "alice": (None, KNIGHTS * 4, ("fivefold", None)),
        "dark": (None, KNIGHTS * 4, ("fivefold", None)),
        "horde": (QUEEN, QUEEN_WALKS * 4, ("fivefold", None)),
    },
    "seventy_five": {
        "classic": (ROOK.format(149), "a2b2", ("seventy_five", None)),
        "alice": (ROOK_OF_ALICE.format(149), "a2b2", ("seventy_five", None)),
        "dark": (ROOK.format(149), "a2b2", ("seventy_five", None)),
        "horde": (ROOK_OF_HORDE.format(149), "a2b2", ("seventy_five", None)),
    },
    "agreement": for_all("e2e3 agree", ("agreement", None)),
    "resigned": for_all("e2e3 resign", ("resigned", WHITE)),
    "time": for_all("clock", ("time", BLACK)),
    "turn_time": for_all("e2e3 linger", ("turn_time", WHITE)),
    "absent": for_all("vanish", ("absent", BLACK)),
    "king_taken": {
        "classic": ("4r2k/8/8/8/8/8/4R3/4K3 w - - 0 1", "e2d2", "illegal_move"),
        "alice": ("4r2k/8/8/8/8/8/4R3/4K3|8/8/8/8/8/8/8/8 w - - 0 1", "e2d2", "illegal_move"),
        "dark": ("4r2k/8/8/8/8/8/4R3/4K3 w - - 0 1", "e2d2 e8e1", ("king_taken", BLACK)),
        "horde": ("4r3/8/8/8/8/8/4R3/4K3 w - - 0 1 -", "e2d2", "illegal_move"),
    },
    "horde_taken": {
        "classic": ("7k/8/8/8/8/8/6p1/R5K1 w - - 0 1", "g1g2", GOES_ON),
        "alice": ("6k1/8/8/8/8/8/1p6/K6R|8/8/8/8/8/8/8/8 w - - 0 1", "a1b2", GOES_ON),
        "dark": ("7k/8/8/8/8/8/6p1/R5K1 w - - 0 1", "g1g2", GOES_ON),
        "horde": ("8/8/8/8/8/8/3p4/4K3 w - - 0 1 -", "e1d2", ("horde_taken", WHITE)),
    },
}
CELLS = [(ending, variant) for ending, cells in ENDINGS.items() for variant in cells]


def do(game: Game, doing: str) -> None:
    """A move, or one of the other things that whoever is to move may do or suffer."""
    seat = game.state.turn
    match doing:
        case "claim":
            game.do(seat, ClaimDraw())
        case "agree":
            game.do(seat, OfferDraw())
            game.do(game.state.opponent(seat), OfferDraw())
        case "resign":
            game.do(seat, Leave())
        case "clock":
            game.do(CLOCK, Timeout(seat))
        case "linger":
            game.at += 10 * MINUTE
            game.ring()
        case "vanish":
            game.do(seat, Away())
            game.at += MINUTE
            game.ring()
        case move:
            game.play(move)


@pytest.mark.parametrize(("ending", "variant"), CELLS)
def test_an_ending_comes_about_where_it_exists_and_nowhere_else(ending: str, variant: str) -> None:
    fen, doings, outcome = ENDINGS[ending][variant]
    game = Game(variant, fen, turn_limit=10 * MINUTE)
    *before, last = doings.split()
    for doing in before:
        do(game, doing)
        assert game.end == GOES_ON, "it ended too early"
    if isinstance(outcome, str):
        with pytest.raises(Illegal, match=outcome):
            do(game, last)
        outcome = GOES_ON
    else:
        do(game, last)
    assert game.end == outcome
    result = game.rules.result(game.state)
    assert (None if result is None else result.reason) == outcome[0]
    for seat in (WHITE, BLACK):
        assert (game.rules.legal(game.state, seat).describe() == {}) == (outcome != GOES_ON)


def test_the_table_has_every_variant_for_every_ending() -> None:
    assert all(set(cells) == set(VARIANTS) for cells in ENDINGS.values())
