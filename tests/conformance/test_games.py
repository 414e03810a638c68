"""Every game of the house, and one of the tests' own, passes the kit."""

from __future__ import annotations

import pytest
from tests.conformance.kit import GameCase, assert_conforms
from tests.conformance.pocket import PocketOptions, PocketRules

from tablee.rules import GAMES
from tablee.rules.arena import ArenaOptions, ArenaRules, description_names
from tablee.rules.chess import VARIANTS, ChessOptions, ChessRules
from tablee.rules.chess.robot import STRENGTHS, ChessRobot
from tablee.rules.conformance import examine, fuzz
from tablee.rules.diplomacy.game import DiplomacyOptions
from tablee.rules.diplomacy.rules import DiplomacyRules
from tablee.rules.diplomacy.variant import variant_names
from tablee.rules.mines import ClassicOptions, CustomMinesRules, CustomOptions, MinesRules
from tablee.rules.robots import PracticeOptions, PracticeRules, RaceOptions, RaceRules

BRIEF = dict.fromkeys(STRENGTHS, ChessRobot(depth=2, nodes=60, guesses=2))
"""The robots of chess, each with little time to think: the kit asks them hundreds of times."""

CASES = [
    GameCase(PocketRules(), games=60),
    GameCase(PocketRules(), PocketOptions(hand=5), games=25),
    GameCase(MinesRules(), ClassicOptions(seats=3), games=1),
    GameCase(CustomMinesRules(), CustomOptions(width=8, height=8, mines=10), games=12),
    GameCase(CustomMinesRules(), CustomOptions(width=6, height=5, mines=6, flags=False, seats=1), games=25),
    GameCase(CustomMinesRules(), CustomOptions(width=5, height=5, mines=24, chording=False), games=25),
    GameCase(DiplomacyRules(), DiplomacyOptions(cycles=2), games=2),
    GameCase(DiplomacyRules(), DiplomacyOptions(cycles=1, show_in=True, minutes=1), games=2),
    GameCase(DiplomacyRules(), DiplomacyOptions(cycles=2, adjudication="master", choices="AFJD"), games=2),
    GameCase(DiplomacyRules(), DiplomacyOptions(cycles=2, calendar=True, disorder_moves=False), games=2),
    *(GameCase(ChessRules(name, BRIEF), ChessOptions(turn_minutes=0), games=1) for name in VARIANTS),
    GameCase(ChessRules("dark", BRIEF), games=4),
    GameCase(ChessRules("classic", BRIEF), ChessOptions(sides="random", pace="days"), games=1),
    *(GameCase(DiplomacyRules(name), DiplomacyOptions(cycles=4), games=4) for name in variant_names()[1:]),
    GameCase(RaceRules(), RaceOptions(seats=2, rounds=20), games=10),
    GameCase(RaceRules(), RaceOptions(seats=8, rounds=6, boards=("gare",)), games=6),
    GameCase(RaceRules(), RaceOptions(seats=4, rounds=15, boards=("usine", "entrepot")), games=8),
    GameCase(
        RaceRules(), RaceOptions(seats=3, rounds=10, cartouche_seconds=0, boards=("fonderie",)), games=8
    ),
    GameCase(PracticeRules(), PracticeOptions(rounds=30), games=10, secret=False),
    GameCase(PracticeRules(), PracticeOptions(rounds=10, cartouche_seconds=60), games=5, secret=False),
    *(GameCase(ArenaRules(name), ArenaOptions(rounds=8), games=3) for name in description_names()),
    GameCase(ArenaRules(), ArenaOptions(heroes=True, rounds=25), games=4),
    GameCase(ArenaRules(), ArenaOptions(heroes=True, choose_heroes=True, rounds=6), games=4),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_game_keeps_every_promise_of_the_contract(case: GameCase) -> None:
    assert_conforms(case)


def test_every_variant_of_the_house_is_among_the_cases() -> None:
    assert set(GAMES) <= {(case.rules.name, case.rules.variant) for case in CASES}


def test_an_examination_can_be_repeated_from_its_seed() -> None:
    assert examine(PocketRules(), 7) == examine(PocketRules(), 7)


def test_random_games_of_the_pocket_game_meet_every_fact() -> None:
    met: set[str] = set()
    for seed in range(40):
        met |= examine(PocketRules(), seed).facts.keys()
    assert met == {"dealt", "played", "drew", "rolled", "skipped", "resigned"}


def test_random_games_of_mines_meet_every_fact() -> None:
    missing = {str(fact.__struct_config__.tag) for fact in MinesRules.fact_type.__args__}
    options = CustomOptions(width=6, height=6, mines=9, seats=3)
    for seed in range(400):
        missing -= examine(CustomMinesRules(), seed, options, robot_share=0.0).facts.keys()
        if not missing:
            break
    assert missing == set()


def test_random_games_of_diplomacy_meet_every_fact_that_play_brings_about() -> None:
    missing = {str(fact.__struct_config__.tag) for fact in DiplomacyRules.fact_type.__args__}
    missing -= {"taken_over", "role_taken", "respite"}  # brought about by the house, not by play
    rules = DiplomacyRules(variant_names()[-1])
    for seed in range(200):
        options = DiplomacyOptions(
            cycles=3,
            minutes=1,
            adjudication="master" if seed % 2 else "final",
            calendar=seed % 3 == 0,
            moves_days=0,
            grace=seed % 7,
            robots_stand_in=seed % 2 == 0,
        )
        missing -= examine(rules, seed, options, robot_share=0.0).facts.keys()
        if not missing:
            break
    assert missing == set()


def test_random_games_of_robots_meet_every_fact_that_play_brings_about() -> None:
    missing = {str(fact.__struct_config__.tag) for fact in RaceRules.fact_type.__args__}
    missing -= {"taken_over"}  # brought about by the house, not by play
    for seed in range(200):
        options = RaceOptions(seats=2 + seed % 7, rounds=12, boards=("usine", "entrepot"))
        missing -= examine(RaceRules(), seed, options, robot_share=0.0).facts.keys()
        if not missing:
            break
    assert missing == set()


def test_fuzzing_goes_on_while_there_is_time() -> None:
    budget = iter([True, True, False])
    reports: list[object] = []
    assert fuzz(PocketRules(), 1, lambda: next(budget), reports.append) == 3
    assert len(reports) == 3
