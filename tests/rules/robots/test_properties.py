"""What holds on every board, with any robots and any programs."""

from __future__ import annotations

import re
from itertools import groupby
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.rules.robots.slow import SlowRound
from tests.rules.robots.symmetry import SYMMETRIES, Symmetry

from tablee.rules.robots.board import NOWHERE, WIDTH, Beam, Board, compile_board, lights, number_of, place_of
from tablee.rules.robots.cartouche import Cartouche, Register
from tablee.rules.robots.codes import DISPLACEMENTS, ROTATIONS, STANDBY
from tablee.rules.robots.directions import AZIMUTHS, FLANKS, QUARTERS, STEPS
from tablee.rules.robots.floor import Floor, Mecha, Step, placed
from tablee.rules.robots.frames import frames
from tablee.rules.robots.tiles import TILES
from tablee.rules.robots.turn import Played, play_round, run_register

WINDOW = 5
"""Tiles and robots lie in a corner of so many tiles a side, so that they meet."""

SYMMETRICAL = [name for name in TILES if name not in ("presse", "conv_eNOsE")]
KINDS = [
    [name for name in SYMMETRICAL if name.startswith(kind)]
    for kind in (
        "neutre",
        "conv_",
        "mur_",
        "murLaser_",
        "pous_",
        "pt_",
        "nid2poule",
        "loi_",
        "clef_",
        "action",
    )
]
"""Every kind as often as another: there are fifteen walls and one pothole."""
assert sorted(name for kind in KINDS for name in kind) == sorted(SYMMETRICAL)

TILE = st.one_of(*(st.sampled_from(kind) for kind in [*KINDS, *KINDS[:2]]))
ANY_TILE = st.one_of(TILE, st.just("conv_eNOsE"))
REGISTER: st.SearchStrategy[Register] = st.one_of(
    st.tuples(st.sampled_from(sorted(DISPLACEMENTS))),
    st.tuples(st.sampled_from(sorted(ROTATIONS)), st.sampled_from(sorted(DISPLACEMENTS))),
    st.tuples(st.sampled_from(sorted(ROTATIONS))),
    st.just((STANDBY,)),
    st.just(()),
)
CARTOUCHE: st.SearchStrategy[Cartouche] = st.one_of(
    st.lists(REGISTER, max_size=5).map(tuple), st.just(((STANDBY,),) * 5)
)


class Race(msgspec.Struct, frozen=True):
    """A situation, and the programs of some rounds."""

    boards: tuple[Board, ...]
    mechas: tuple[Mecha, ...]
    first: int
    cartouches: tuple[dict[int, Cartouche], ...]


@st.composite
def boards(draw: st.DrawFn, tile: st.SearchStrategy[str]) -> Board:
    drawn = draw(st.lists(tile, min_size=WINDOW**2, max_size=WINDOW**2))
    names = ["neutre"] * WIDTH**2
    for number, name in enumerate(drawn):
        names[number_of(number % WINDOW + 1, number // WINDOW + 1)] = name
    return Board(tuple(names))


@st.composite
def races(draw: st.DrawFn, tile: st.SearchStrategy[str] = ANY_TILE, most_rounds: int = 3) -> Race:
    count = draw(st.integers(1, 8))
    spots = st.integers(0, WINDOW**2 - 1)
    places = draw(st.lists(spots, min_size=count, max_size=count, unique=True))
    starts = draw(st.lists(spots, min_size=count, max_size=count, unique=True))
    mechas = []
    for seat, (place, start) in enumerate(zip(places, starts, strict=True), start=1):
        azimuth, first = draw(st.sampled_from(AZIMUTHS)), draw(st.sampled_from(AZIMUTHS))
        begun = (start % WINDOW + 1, start // WINDOW + 1, first)
        energy, laws = draw(st.integers(1, 7)), draw(st.integers(0, 2))
        mechas.append(
            Mecha(seat, place % WINDOW + 1, place // WINDOW + 1, azimuth, energy, laws, "racing", begun)
        )
    seats = list(range(1, count + 1))
    rounds = draw(st.integers(1, most_rounds))
    programs = [{seat: draw(CARTOUCHE) for seat in seats} for _ in range(rounds)]
    some = draw(st.lists(boards(tile), min_size=1, max_size=2))
    return Race(tuple(some), tuple(mechas), draw(st.integers(1, 9)), tuple(programs))


def played(race: Race) -> list[tuple[Board, tuple[Mecha, ...], Played]]:
    """The rounds of a race: the board of each, the robots before it, and how it went."""
    current, mechas = 0, race.mechas
    told = []
    for number, cartouches in enumerate(race.cartouches, start=race.first):
        after = play_round(race.boards, current, mechas, cartouches, number)
        told.append((race.boards[current], mechas, after))
        mechas = after.mechas
        if after.swap:
            assert after.swap[0] == current
            current = after.swap[1]
    return told


@given(races())
@settings(max_examples=300)
def test_a_round_is_what_the_plain_telling_of_the_rules_makes_it(race: Race) -> None:
    for number, (board, before, after) in enumerate(played(race), start=race.first):
        tiles = {place_of(number): name for number, name in enumerate(board.names) if name != "neutre"}
        expected = SlowRound(tiles, before).play(race.cartouches[number - race.first], number)
        assert after.mechas == expected


@pytest.mark.parametrize("seed", range(6))
def test_long_races_of_eight_go_as_the_plain_telling_of_the_rules_makes_them(seed: int) -> None:
    rng = Random(seed)
    names = tuple(rng.choice(rng.choice([*KINDS, ["conv_eNOsE"]])) for _ in range(WIDTH**2))
    tiles = {place_of(number): name for number, name in enumerate(names)}
    board = Board(names)
    mechas = tuple(
        placed(seat, *place_of(number), rng.choice(AZIMUTHS))
        for seat, number in enumerate(rng.sample(range(WIDTH**2), 8), start=1)
    )
    moves: list[Register] = [(code,) for code in (*ROTATIONS, *DISPLACEMENTS, *DISPLACEMENTS, STANDBY)]
    moves += [(first, second) for first in ROTATIONS for second in DISPLACEMENTS]
    for number in range(1, 41):
        cartouches = {
            seat: tuple(rng.choices(moves, k=5)) if rng.random() < 0.9 else ((STANDBY,),) * 5
            for seat in range(1, 9)
        }
        after = play_round([board], 0, mechas, cartouches, number)
        assert after.mechas == SlowRound(tiles, mechas).play(cartouches, number)
        mechas = after.mechas


@given(races())
@settings(max_examples=200)
def test_robots_share_no_tile_cross_no_wall_and_keep_their_energy_in_bounds(race: Race) -> None:
    for board, before, after in played(race):
        now = {mecha.seat: mecha for mecha in before}
        for steps in after.registers:
            assert [step.group for step in steps] == sorted(step.group for step in steps)
            assert not steps or steps[0].group == 1 or steps[0].stage == "end"
            for _, together in groupby(steps, key=lambda step: step.group):
                standing = {(m.x, m.y) for m in now.values() if m.status == "racing"}
                for step in together:
                    check(board, now[step.seat], step)
                    check_flank(board, now[step.seat], step, standing)
                    now[step.seat] = follow(now[step.seat], step)
                racing = [(m.x, m.y) for m in now.values() if m.status == "racing"]
                assert len(set(racing)) == len(racing)
        for mecha in after.mechas:
            told = now[mecha.seat]
            assert (told.x, told.y, told.azimuth, told.energy, told.laws, told.status) == (
                (mecha.x, mecha.y, mecha.azimuth, mecha.energy, mecha.laws, mecha.status)
            )
            assert (mecha.status == "frozen") == (mecha.frozen_in > 0)
            assert (mecha.status == "finished") == (mecha.rank > 0) == (mecha.laws == 3)
            assert mecha.status == "frozen" or mecha.energy > 0 or mecha.status == "finished"


def check(board: Board, before: Mecha, step: Step) -> None:
    """A step is possible where the robot is, and does only what its code says."""
    assert 0 <= step.energy <= 7
    here, there = number_of(before.x, before.y), number_of(step.x, step.y)
    if step.code == "Enrichment_WakeUp":
        assert (before.status, step.energy, step.azimuth) == ("frozen", 4, before.start[2])
        return
    assert before.status == "racing" or step.code == "Enrichment_Victory"
    if step.code == "Enrichment_Frozen":
        assert (step.energy, before.energy) == (0, 0)
        assert (step.x, step.y, step.azimuth) == before.start
        return
    moves = step.code.startswith(("Move_Ahead", "Move_Back", "Hustle_Pusher", "Conveyor_MakeMove"))
    if moves:
        assert 1 <= step.x <= WIDTH
        assert 1 <= step.y <= WIDTH
        way = (step.x - before.x, step.y - before.y)
        assert board.way[here * 4 + STEPS.index(way)] == there
    else:
        assert here == there
    turned = (QUARTERS[step.azimuth] - QUARTERS[before.azimuth]) % 4
    assert turned == {**ROTATIONS, "Conveyor_Turn90Right": 1, "Conveyor_Turn90Left": 3}.get(step.code, 0)
    gained = step.energy - before.energy
    if step.code.startswith("Damage"):
        assert gained == (-1 if before.energy else 0)
    elif step.stage == "end":
        assert 1 <= gained <= 2
    else:
        assert gained == 0
    assert (step.beam is not None) == step.code.startswith("Damage_Laser")


def check_flank(board: Board, before: Mecha, step: Step, standing: set[tuple[int, int]]) -> None:
    """The side of the robot in a code is the one that was struck, hit, met, or moved toward."""
    found = re.fullmatch(r"(Hustle_Mcnd|Hustle_Pusher|Damage_Laser|Conveyor_MakeMove)(.*)", step.code)
    if found:
        deed, flank = found.groups()
        side = (QUARTERS[before.azimuth] + FLANKS.index(flank)) % 4
        dx, dy = STEPS[side]
        moved = (step.x - before.x, step.y - before.y)
        match deed:
            case "Hustle_Mcnd":
                assert (step.x + dx, step.y + dy) in standing
            case "Hustle_Pusher":
                assert moved == (-dx, -dy)
            case "Conveyor_MakeMove":
                assert moved == (dx, dy)
            case "Damage_Laser":
                assert step.beam is not None
                laser_x, laser_y = step.beam
                tile = board.tile(laser_x, laser_y)
                assert tile.startswith("murLaser_" + "NESO"[side])
                far = abs(laser_x - step.x) + abs(laser_y - step.y)
                assert (step.x + far * dx, step.y + far * dy) == step.beam
    elif step.code in DISPLACEMENTS:
        assert step.azimuth == before.azimuth
        way = STEPS[(QUARTERS[step.azimuth] + DISPLACEMENTS[step.code]) % 4]
        assert (step.x - before.x, step.y - before.y) == way
    elif step.code == "Hustle_Wall":
        here = number_of(step.x, step.y)
        nose = QUARTERS[step.azimuth]
        assert NOWHERE in (board.way[here * 4 + nose], board.way[here * 4 + (nose + 2) % 4])


def follow(mecha: Mecha, step: Step) -> Mecha:
    """The robot after a step, by what the step tells."""
    status, laws = mecha.status, mecha.laws
    if step.code.startswith("Enrichment_Law"):
        laws += 1
    elif step.code == "Enrichment_QuestAchieved":
        status = "finished"
    elif step.code == "Enrichment_Frozen":
        status = "frozen"
    elif step.code == "Enrichment_WakeUp":
        status = "racing"
    return msgspec.structs.replace(
        mecha, x=step.x, y=step.y, azimuth=step.azimuth, energy=step.energy, status=status, laws=laws
    )


@given(races(), st.randoms(use_true_random=False))
@settings(max_examples=150)
def test_the_result_does_not_depend_on_the_order_in_which_simultaneous_steps_are_computed(
    race: Race, rng: Random
) -> None:
    mixed = msgspec.structs.replace(
        race,
        boards=tuple(shuffled(board, rng) for board in race.boards),
        mechas=tuple(rng.sample(race.mechas, len(race.mechas))),
    )
    for (_, _, one), (_, _, other) in zip(played(race), played(mixed), strict=True):
        assert sorted(other.mechas, key=lambda mecha: mecha.seat) == list(one.mechas)
        assert other.swap == one.swap
        for steps, mixed_steps in zip(one.registers, other.registers, strict=True):
            assert told_apart(mixed_steps) == told_apart(steps)


def shuffled(board: Board, rng: Random) -> Board:
    """The same board, its lasers computed in another order."""
    other = Board(board.names)
    other.beams = tuple(rng.sample(board.beams, len(board.beams)))
    other.lit = lights(other.beams)
    return other


def told_apart(steps: tuple[Step, ...]) -> list[tuple[int, int, str, int, int, str]]:
    """Steps without the order of those that happen at once (in which several beams count energy down)."""
    return sorted((s.group, s.seat, s.code, s.x, s.y, s.azimuth) for s in steps)


@given(races(TILE), st.sampled_from(SYMMETRIES[1:]))
@settings(max_examples=200)
def test_a_board_turned_or_mirrored_gives_the_same_turned_or_mirrored(race: Race, symmetry: Symmetry) -> None:
    turned = Race(
        tuple(map(symmetry.board, race.boards)),
        symmetry.mechas(race.mechas),
        race.first,
        tuple(
            {seat: symmetry.cartouche(cartouche) for seat, cartouche in cartouches.items()}
            for cartouches in race.cartouches
        ),
    )
    for (_, _, one), (_, _, other) in zip(played(race), played(turned), strict=True):
        steps = [step for register in one.registers for step in register]
        if any(step.code == "Enrichment_WakeUp" for step in steps):
            break  # of equally near tiles the one with the smallest number: the numbers turn too
        assert other.mechas == symmetry.mechas(one.mechas)
        assert other.swap == one.swap
        codes = sorted((s.seat, s.group, symmetry.code(s.code)) for s in steps)
        assert codes == sorted((s.seat, s.group, s.code) for r in other.registers for s in r)


def run(floor: Floor, race: Race, register: int) -> None:
    """One register of the first round of a race."""
    now = {seat: given[register - 1] for seat, given in race.cartouches[0].items() if len(given) >= register}
    run_register(floor, now, race.first, register, len(race.mechas))


@given(races())
@settings(max_examples=50)
def test_a_floor_that_tells_nothing_moves_the_robots_the_same(race: Race) -> None:
    loud, quiet = Floor(race.boards[0], race.mechas), Floor(race.boards[0], race.mechas, telling=False)
    for register in range(1, 6):
        run(loud, race, register)
        run(quiet, race, register)
        assert loud.now() == quiet.now()
        for floor in (loud, quiet):
            standing = {floor.at[index]: index for index in floor.racing}
            assert {tile: index for tile, index in enumerate(floor.taken) if index >= 0} == standing
    assert not quiet.steps


@given(races())
@settings(max_examples=100)
def test_a_copy_of_a_floor_is_played_on_without_the_other(race: Race) -> None:
    floor = Floor(race.boards[0], race.mechas, telling=False)
    spare = floor.copy()
    for register in range(1, 6):
        run(floor, race, register)
    end = floor.now()
    assert spare.now() == race.mechas
    for register in range(1, 6):
        run(spare, race, register)
    assert spare.now() == end
    assert floor.now() == end
    assert (spare.taken, spare.racing) == (floor.taken, floor.racing)


@given(races())
@settings(max_examples=50)
def test_every_step_is_in_one_frame_and_every_robot_in_all(race: Race) -> None:
    seats = [mecha.seat for mecha in race.mechas]
    for _, _, after in played(race):
        for steps in after.registers:
            told = frames(steps, seats)
            assert all(list(movements) == seats for movements in told)
            assert sum(len(codes) for movements in told for codes in movements.values()) == len(steps)


@given(races(most_rounds=1))
@settings(max_examples=50)
def test_a_round_goes_through_json_and_back(race: Race) -> None:
    for _, _, after in played(race):
        assert msgspec.json.decode(msgspec.json.encode(after), type=Played) == after


@given(boards(ANY_TILE))
@settings(max_examples=50)
def test_a_board_goes_through_its_document_and_back(board: Board) -> None:
    assert compile_board(board.document(3)).names == board.names


def test_the_shuffled_board_is_not_the_same_by_chance() -> None:
    names = ["neutre"] * WIDTH**2
    names[0] = names[1] = names[2] = "murLaser_NS"
    board = Board(tuple(names))
    assert {shuffled(board, Random(seed)).beams[0] for seed in range(20)} == set(board.beams)
    assert isinstance(board.beams[0], Beam)


@pytest.mark.parametrize("symmetry", SYMMETRIES, ids=str)
def test_a_symmetry_keeps_every_tile_a_tile_and_is_undone_by_another(symmetry: Symmetry) -> None:
    assert sorted(map(symmetry.tile, SYMMETRICAL)) == sorted(SYMMETRICAL)
    back = symmetry if symmetry.mirrored else Symmetry(False, -symmetry.quarters % 4)
    assert [back.tile(symmetry.tile(name)) for name in SYMMETRICAL] == SYMMETRICAL
    assert back.place(*symmetry.place(3, 11)) == (3, 11)
