"""The boards count what the tables say, and what a plain second generator finds."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from tests.rules.chess import plain

from tablee.rules.chess.boards import BOARDS, VARIANTS
from tablee.rules.chess.perft import perft, perft_played_out

TABLES = Path(__file__).parent / "perft"
PUBLISHED_FROM = 5_000
"""Counts of classic chess from this size on are published and need no second witness: they are `long`."""
FAR_FROM = 30_000
"""So are counts of the other variants from this size on, for the seconds that a plain generator takes."""
PUBLISHED = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": [20, 400, 8_902, 197_281],
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1": [48, 2_039, 97_862],
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": [14, 191, 2_812, 43_238],
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": [6, 264, 9_467],
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8": [44, 1_486, 62_379],
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10": [46, 2_079, 89_890],
}
"""By position, from depth 1 on: the Chess Programming Wiki, "Perft Results"."""


class Case(NamedTuple):
    variant: str
    name: str
    fen: str
    counts: dict[int, int]

    def __str__(self) -> str:
        return f"{self.variant}: {self.name}"


def read_table(variant: str) -> list[Case]:
    """The positions of a variant's table."""
    cases = []
    for block in (TABLES / f"{variant}.txt").read_text().split("\n\n"):
        lines = [line.partition(" ") for line in block.splitlines() if line and not line.startswith("#")]
        if lines:
            named = {key: value for key, _, value in lines}
            counts = {int(key): int(value) for key, value in named.items() if key.isdigit()}
            cases.append(Case(variant, named["name"], named["fen"], counts))
    return cases


CASES = [case for variant in VARIANTS for case in read_table(variant)]


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_table_has_the_start_to_depth_four_and_ten_positions_more(variant: str) -> None:
    table = read_table(variant)
    assert table[0].fen == BOARDS[variant].starting_fen
    assert set(table[0].counts) == {1, 2, 3, 4}
    assert len(table) > 10
    assert all(case.counts for case in table)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_board_counts_what_the_table_says(case: Case) -> None:
    board = BOARDS[case.variant](case.fen)
    assert board.faults() == []
    before = board.fen()
    assert {depth: perft(board, depth) for depth in case.counts} == case.counts
    assert board.fen() == before


def test_the_table_of_classic_chess_has_the_published_figures() -> None:
    table = {case.fen: list(case.counts.values()) for case in read_table("classic")}
    assert {fen: table[fen] for fen in PUBLISHED} == PUBLISHED


def _again(far: bool) -> list[Case]:
    """The cases with those of their counts that are, or are not, left to the long tests."""

    def is_far(case: Case, count: int) -> bool:
        return count >= (PUBLISHED_FROM if case.variant == "classic" else FAR_FROM)

    kept = [
        case._replace(counts={d: n for d, n in case.counts.items() if is_far(case, n) == far})
        for case in CASES
    ]
    return [case for case in kept if case.counts]


@pytest.mark.parametrize("case", _again(far=False), ids=str)
def test_a_plain_generator_counts_the_same(case: Case) -> None:
    position = plain.read(case.variant, case.fen)
    assert {depth: plain.count(position, depth) for depth in case.counts} == case.counts


@pytest.mark.long
@pytest.mark.parametrize("case", _again(far=True), ids=str)
def test_a_plain_generator_counts_the_same_far_ahead(case: Case) -> None:
    position = plain.read(case.variant, case.fen)
    assert {depth: plain.count(position, depth) for depth in case.counts} == case.counts


@pytest.mark.parametrize("variant", VARIANTS)
def test_playing_the_last_move_out_counts_the_same(variant: str) -> None:
    assert perft_played_out(BOARDS[variant](), 3) == perft(BOARDS[variant](), 3)


@pytest.mark.parametrize("variant", VARIANTS)
def test_both_generators_find_the_same_moves_all_through_random_games(variant: str) -> None:
    rng = Random(5)
    for _ in range(4):
        board = BOARDS[variant]()
        for _ in range(70):
            moves = sorted(move.uci() for move in board.generate_legal_moves())
            position = plain.read(variant, board.fen())
            found = sorted(
                plain.name_of(start) + plain.name_of(where) + letter
                for start, where, letter in plain.legal(position)
            )
            assert moves == found, board.fen()
            if not moves:
                break
            board.push_uci(rng.choice(moves))
