"""What consoles are told of a race, frame by frame, and what their replies may say."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablee.doors.dr2d import frames, telling
from tablee.doors.dr2d.uids import Player, PlayerUids
from tablee.rules.contract import SPECTATOR, Action
from tablee.rules.robots import RaceRules
from tablee.rules.robots.model import Place, Program, RaceOptions, RobotsState

RULES = RaceRules()


def race(seats: tuple[int, ...] = (2, 5)) -> RobotsState:
    """A race in which all robots stand where they were proposed to."""
    options = RaceOptions(seats=8, boards=("usine", "entrepot"))
    state: RobotsState | None = None
    for fact in RULES.setup(options, seats, 0, Random(1)):
        state = RULES.evolve(state, fact)
    assert state is not None
    for seat, spot in dict(state.proposed).items():
        state = played(state, seat, Place(spot.x, spot.y, spot.azimuth))
    return state


def played(state: RobotsState, seat: int, action: Action) -> RobotsState:
    for fact in RULES.decide(state, seat, action, 0, Random(1)):
        state = RULES.evolve(state, fact)
    return state


def test_robots_are_numbered_without_gaps_whatever_their_seats() -> None:
    view = RULES.view(race((2, 5)), SPECTATOR)
    assert json.loads(bytes(telling.completed(view, (2, 5)))) == {"completed": ["01", "02"]}
    told = dict(telling.movements(view, []))
    assert msgspec.json.decode(told["RoundRobotMovement"]) == {"mcnd01": [], "mcnd02": []}


def test_a_console_that_comes_late_is_told_of_the_board_the_status_and_who_is_there() -> None:
    state = race()
    for seat in (2, 5):
        state = played(state, seat, Program(()))
    robots = tuple(msgspec.structs.replace(robot, status="finished") for robot in state.robots[:1])
    state = msgspec.structs.replace(state, board=1, robots=(*robots, *state.robots[1:]))
    told = {call.seq: call.args_in for call in telling.briefing(RULES.view(state, SPECTATOR), 1)}
    assert list(told) == [
        "InitStatusOfCompetitors",
        "InitLocateArtefacts",
        "QuestStart",
        "RoundBoardAction",
        "RoundStatusOfCompetitors",
        "QuestAchieved",
    ]
    assert json.loads(bytes(told["RoundBoardAction"])) == {"action": {"name": "BoardSwap", "args": "0=>1"}}
    assert json.loads(bytes(told["QuestAchieved"])) == {"completed": ["01"]}


def test_tiles_are_declared_in_full() -> None:
    for index, board in enumerate(telling.boards(RULES.view(race(), SPECTATOR))):
        declared = msgspec.json.decode(board, type=frames.DeclaredBoard).board
        assert declared.boardIdx == index
        assert {tile.tileType[8:] for tile in declared.boardActiveTiles} >= {"loi_r1", "loi_r2", "loi_r3"}


@pytest.mark.parametrize(
    ("colour", "text"),
    [
        ((255, 30, 144, 255), "#FF1E90FF"),
        (("ff", "1E", "90", "F"), "#FF1E900F"),
        ((0, "0", "00", 7), "#00000007"),
    ],
)
def test_a_colour_is_hexadecimal_text_or_numbers(colour: tuple[int | str, ...], text: str) -> None:
    assert telling.color_text(frames.RepliedColour(*colour)) == text


def refusal(read: Callable[[], object]) -> str | None:
    """The code of the service message by which a console would be told, None if there is nothing to tell."""
    try:
        read()
    except frames.BadFrame as error:
        said: str = json.loads(frames.service_text(error.code, str(error)))["ShortMessageService"]["msgCode"]
        return said
    return None


@given(st.text(max_size=200))
def test_any_text_is_a_frame_or_refused_with_a_code(text: str) -> None:
    assert refusal(lambda: frames.read_frame(text)) in (None, "BadJson", "BadFrame")


@given(
    st.sampled_from(sorted(frames.SEQUENCES)),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["avatar", "cartouche", "locX", "name", "A"]), inner, max_size=3
            )
        ),
        max_leaves=10,
    ),
)
def test_any_arguments_are_read_or_refused_with_a_code(seq: str, args: object) -> None:
    raw = msgspec.Raw(json.dumps(args).encode())
    assert refusal(lambda: frames.read_arguments(seq, raw)) in (None, "BadJson", "BadArguments")


@pytest.mark.parametrize(
    ("colour", "text"),
    [
        ('{"A":FF,"R":1E,"G":90,"B":FF}', "#FF1E90FF"),
        ('{"A":90,"R":1E,"G":90,"B":90}', "#901E9090"),  # `1E` alone is no JSON
        ('{ "A" : 00 , "R" : 10 , "G" : 20 , "B" : 30 }', "#00102030"),
        ('{"A":ff,"R":"1E","G":a,"B":0}', "#FF1E0A00"),
        ('{"A":10,"R":20,"G":90,"B":99}', "#0A145A63"),  # JSON as it stands: integers
        ('{"A":255,"R":30,"G":144,"B":255}', "#FF1E90FF"),
    ],
)
def test_a_colour_without_quotes_is_hexadecimal_where_it_is_no_json(colour: str, text: str) -> None:
    args = f'{{"avatar":{{"name":"R2","argbBackColor":{colour}}}}}'
    reply = frames.read_frame(f'{{"stgyReply":{{"seq":"InitPlayerFeatures","token":"t","argsRef":{args}}}}}')
    assert reply is not None
    features = frames.read_arguments("InitPlayerFeatures", reply.argsRef)
    assert telling.color_text(features.avatar.argbBackColor) == text


def test_what_stands_in_a_name_is_not_taken_for_a_colour() -> None:
    name = '"argbBackColor": {"A":FF}'
    reply = frames.read_frame(
        json.dumps({"stgyReply": {"seq": "x", "token": "t", "argsRef": {"name": name}}})
    )
    assert reply is not None
    assert json.loads(bytes(reply.argsRef)) == {"name": name}


def test_a_player_uid_is_read_by_the_house_that_made_it_and_by_no_other() -> None:
    uids, player = PlayerUids("a key"), Player(7, 2, 99)
    assert uids.read(uids.of(player)) == player
    assert PlayerUids("another key").read(uids.of(player)) is None
    assert len(uids.of(player)) > 20


@given(st.text(max_size=60))
def test_no_text_is_a_player_uid_by_chance(text: str) -> None:
    assert PlayerUids("a key").read(text) is None
