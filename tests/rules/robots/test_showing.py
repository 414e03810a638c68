"""What is shown and told of a race: documented field by field, and in words for every step."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest
from tests.rules.robots.races import Race

from tablee.rules.contract import MASTER, SPECTATOR, Fact
from tablee.rules.robots import PracticeOptions, PracticeRules, RaceOptions, RaceRules
from tablee.rules.robots.codes import CODES
from tablee.rules.robots.model import Programmed, RegisterPlayed, Wished
from tablee.rules.robots.robot import STRENGTHS
from tablee.rules.robots.turn import Step
from tablee.rules.robots.views import OwnView, RobotsView, RobotView, ToldProgrammed, ToldWished
from tablee.rules.words import LANGUAGES

PAGE = Path(__file__).parents[3] / "docs/robots.md"
NEVER_SENT = {"None", "Light_On", "Light_Off", "Damage_Press"} | {code for code in CODES if "45" in code}


def section(title: str) -> str:
    found = re.search(rf"^### {title}$(.*?)(?=^###|\Z)", PAGE.read_text(), re.M | re.S)
    assert found is not None
    return found[1]


def names(type_: type[msgspec.Struct]) -> tuple[str, ...]:
    """Of the fields, as JSON has them."""
    return type_.__struct_encode_fields__


def documented(text: str) -> set[str]:
    """What a section names as code, each word of it."""
    return {word for code in re.findall(r"`([^`]+)`", text) for word in re.findall(r"\w+", code)}


def raced(seed: int, *seats: int) -> Race:
    """A race of pilots, to its end."""
    race, rng = (
        Race(*seats, options=RaceOptions(seats=8, rounds=25, boards=("usine", "entrepot"))),
        Random(seed),
    )
    while race.state.ended is None:
        seat = race.state.awaited[0]
        view = msgspec.json.decode(msgspec.json.encode(race.view(seat)), type=RobotsView)
        action = STRENGTHS["pilot"].choose(view, race.rules.legal(race.state, seat), rng)
        assert action is not None
        race.do(seat, action)
    return race


@pytest.fixture(scope="module")
def race() -> Race:
    return raced(1, 1, 2, 3)


def test_every_field_of_the_view_is_documented_and_no_other(race: Race) -> None:
    fields = {*names(RobotsView), *names(RobotView), *names(OwnView)}
    cells = {
        name
        for line in section("The view").splitlines()
        if line.startswith("| `")
        for name in re.findall(r"`(\w+)`", line.split("|")[1])
    }
    assert cells == fields
    for seat in (1, SPECTATOR, MASTER):
        assert list(msgspec.to_builtins(race.view(seat), str_keys=True)) == list(names(RobotsView))
    assert race.view(SPECTATOR).you is None


def test_every_fact_is_documented_with_its_fields() -> None:
    rows = {}
    for line in section("Facts").splitlines():
        if line.startswith("| `"):
            _, names, fields, _ = line.split("|")
            rows.update(dict.fromkeys(re.findall(r"`(\w+)`", names), documented(fields)))
    for fact in RaceRules.fact_type.__args__:
        tag = fact.__struct_config__.tag
        assert tag in rows
        assert {field.name for field in msgspec.structs.fields(fact)} - {"at"} <= rows[tag], tag


def test_every_option_is_documented() -> None:
    known = documented(section("Options"))
    for rules in (RaceRules(), PracticeRules()):
        assert {field.name for field in msgspec.structs.fields(rules.options_type)} <= known


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_that_can_happen_has_a_sentence(language: str) -> None:
    words = RaceRules().words(language)
    sentences = {key.removeprefix("step."): text for key, text in words.items() if key.startswith("step.")}
    assert sentences.keys() == CODES.keys() - NEVER_SENT
    for sentence in sentences.values():
        parts = {name for _, name, _, _ in string.Formatter().parse(sentence) if name}
        assert "robot" in parts
        assert parts <= {"robot", "x", "y", "energy"}


def steps(told: Iterable[Fact]) -> Iterator[Step]:
    for fact in told:
        if isinstance(fact, RegisterPlayed):
            yield from fact.steps


def test_what_is_told_of_a_race_leads_every_robot_to_where_the_view_shows_it(race: Race) -> None:
    told = [race.rules.tell(None, fact, race.state, SPECTATOR) for fact in race.facts]
    last = {step.seat: step for step in steps(told)}
    view = race.view(SPECTATOR)
    for seat, robot in view.robots.items():
        step = last[seat]
        assert (step.x, step.y, step.azimuth, step.energy) == (robot.x, robot.y, robot.azimuth, robot.energy)
    assert {step.code for step in steps(told)} <= CODES.keys() - NEVER_SENT
    assert view.ranks == race.state.ranks


def test_nobody_hears_the_wish_or_the_cartouche_of_another(race: Race) -> None:
    for fact in race.facts:
        for seat in (1, 2, 3, SPECTATOR):
            told = race.rules.tell(None, fact, race.state, seat)
            if isinstance(told, ToldWished | ToldProgrammed) and told.seat != seat:
                assert msgspec.to_builtins(told).keys() == {"is", "seat"}
            assert not isinstance(told, Wished | Programmed)


def test_a_race_in_seats_with_gaps_is_the_same_race() -> None:
    """Seats are numbered as they sit: the same chance makes the same race of 1, 2, 3 and of 2, 5, 8."""
    close, apart = raced(7, 1, 2, 3), raced(7, 2, 5, 8)
    seats = {1: 2, 2: 5, 3: 8}
    assert apart.state.ranks == {seats[seat]: rank for seat, rank in close.state.ranks.items()}
    assert [(robot.x, robot.y) for robot in close.state.robots] == [
        (robot.x, robot.y) for robot in apart.state.robots
    ]


def test_the_view_of_who_practises_alone_is_the_same_but_for_the_time() -> None:
    race = Race(1, options=PracticeOptions()).placed()
    assert race.view(1).until is None
    assert race.view(1).order == ((1,),) * 5
