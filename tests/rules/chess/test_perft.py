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
MOST = {"classic": 5_000, "alice": 10_000, "dark": 200_000, "horde": 30_000}
"""Counts up to this size are counted again by the plain generator; the larger ones are `long`."""


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


def _again(small: bool) -> list[Case]:
    kept = [
        case._replace(counts={d: n for d, n in case.counts.items() if (n < MOST[case.variant]) == small})
        for case in CASES
    ]
    return [case for case in kept if case.counts]


@pytest.mark.parametrize("case", _again(small=True), ids=str)
def test_a_plain_generator_counts_the_same(case: Case) -> None:
    position = plain.read(case.variant, case.fen)
    assert {depth: plain.count(position, depth) for depth in case.counts} == case.counts


@pytest.mark.long
@pytest.mark.parametrize("case", _again(small=False), ids=str)
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
