"""Nobody learns of Dark what is not his to see: pairs of positions that a side cannot tell apart.

The pairs are made by the plain generator's own idea of sight, not by the game's.
"""

from __future__ import annotations

from random import Random

import chess
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.rules.chess import plain
from tests.rules.chess.games import BLACK, WHITE, Game

from tablee.rules.chess import AskTakeback, ClaimDraw, Move, OfferDraw, Premove
from tablee.rules.chess.boards import DarkBoard
from tablee.rules.chess.pgn import write_pgn
from tablee.rules.chess.robot import STRENGTHS
from tablee.rules.chess.views import Captured, Sights, ToldMoved
from tablee.rules.contract import MASTER, SPECTATOR, Action, Illegal, Leave, Seat, sentences

LETTER = {WHITE: "w", BLACK: "b"}


def fen_of(pieces: dict[plain.Square, plain.Piece], turn: str, rights: str) -> str:
    """A FEN of these pieces."""
    rows = []
    for row in range(7, -1, -1):
        text = ""
        for file in range(8):
            piece = pieces.get((file, row))
            text += "." if piece is None else piece[1].upper() if piece[0] == "w" else piece[1]
        for length in range(8, 0, -1):
            text = text.replace("." * length, str(length))
        rows.append(text)
    return f"{'/'.join(rows)} {turn} {rights or '-'} - 0 1"


def random_position(rng: Random) -> plain.Plain:
    """A position of some random game."""
    game = Game("dark")
    for _ in range(rng.randrange(60)):
        if game.state.ended:
            return random_position(rng)
        game.play(rng.choice(sorted(m.uci() for m in _board(game).legal_moves)))
    if game.state.ended:
        return random_position(rng)
    return plain.read("dark", game.state.position)


def _board(game: Game) -> chess.Board:
    return DarkBoard(game.state.position)


def what_is_seen(position: plain.Plain, colours: str) -> dict[plain.Square, plain.Piece | None]:
    """What stands on the squares that all of these sides see."""
    seen = set.intersection(*(plain.seen_by(position, colour) for colour in colours))
    return {where: position.pieces.get(where) for where in seen}


def twin_of(position: plain.Plain, colours: str, rng: Random) -> plain.Plain:
    """Another position of which these sides see exactly the same."""
    seen = what_is_seen(position, colours)
    for _ in range(12):
        pieces = dict(position.pieces)
        movable = [
            where
            for where, piece in pieces.items()
            if where not in seen and (len(colours) > 1 or piece[0] != colours)
        ]
        if not movable:
            return position
        start = rng.choice(movable)
        colour, kind, board = pieces.pop(start)
        if kind != "k" and rng.random() < 0.3:
            pieces[start] = (colour, rng.choice("pnbrq"), board)
        else:
            free = [(f, r) for f in range(8) for r in range(8) if (f, r) not in pieces]
            pieces[rng.choice(free)] = (colour, kind, board)
        if any(piece[1] == "p" and where[1] in (0, 7) for where, piece in pieces.items()):
            continue
        lost = {(4, 0): "KQ", (4, 7): "kq", (7, 0): "K", (0, 0): "Q", (7, 7): "k", (0, 7): "q"}
        rights = "".join(
            letter
            for letter in position.rights
            if not any(letter in lost.get(where, "") and pieces.get(where) != position.pieces.get(where)
                       for where in lost)
        )  # fmt: skip
        other = position._replace(pieces=pieces, rights=rights)
        if what_is_seen(other, colours) == seen and plain.legal(other):
            position = other
    return position


def game_of(position: plain.Plain) -> Game:
    return Game("dark", fen_of(position.pieces, position.turn, position.rights.replace("-", "")))


def attempted(game: Game, seat: Seat, action: Action) -> tuple[str, bytes, bytes]:
    """What a seat hears when it tries something, and what it sees then."""
    after = game.state
    try:
        facts = game.rules.decide(after, seat, action, game.at, Random(1))
    except Illegal as refusal:
        return "refused", msgspec.json.encode([refusal.code, refusal.parts]), b""
    told = []
    for fact in facts:
        before, after = after, game.rules.evolve(after, fact)
        told.append(game.rules.tell(before, fact, after, seat))
    if after.ended:
        return "ended", b"", b""
    return "accepted", msgspec.json.encode(told), msgspec.json.encode(game.rules.view(after, seat))


def assert_alike(one: Game, two: Game, seat: Seat, action: Action) -> None:
    """The same answer to both; where a move lays a difference open, it is seen as well as told."""
    first, second = attempted(one, seat, action), attempted(two, seat, action)
    assert first[0] == second[0]
    assert (first[1] == second[1]) == (first[2] == second[2])
    if first[0] == "refused":
        assert first == second


def bytes_for(game: Game, seat: Seat) -> bytes:
    legal = game.rules.legal(game.state, seat)
    view = game.view(seat)
    return msgspec.json.encode([view, legal.describe(), write_pgn(view, {}), str(legal.sample(Random(3)))])


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), seat=st.sampled_from([WHITE, BLACK]))
def test_a_side_cannot_tell_apart_what_it_sees_alike(seed: int, seat: Seat) -> None:
    rng = Random(seed)
    position = random_position(rng)
    other = twin_of(position, LETTER[seat], rng)
    one, two = game_of(position), game_of(other)
    assert bytes_for(one, seat) == bytes_for(two, seat)
    squares = [chess.square_name(rng.randrange(64)) for _ in range(60)]
    for start, end in zip(squares[::2], squares[1::2], strict=True):
        for action in (Move(start + end), Premove(start + end)):
            assert_alike(one, two, seat, action)
    for agreement in (ClaimDraw(), AskTakeback(), OfferDraw()):
        assert_alike(one, two, seat, agreement)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_side_sees_what_the_plain_generator_says_in_either_turn(seed: int) -> None:
    position = random_position(Random(seed))
    board = DarkBoard(fen_of(position.pieces, position.turn, position.rights.replace("-", "")))
    for colour in "wb":
        seen = {plain.square(chess.square_name(s)) for s in chess.scan_forward(board.visible(colour == "w"))}
        assert seen == plain.seen_by(position, colour)


@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_robot_plays_alike_where_it_sees_alike(strength: str) -> None:
    different = 0
    for seed in range(8):
        rng = Random(seed)
        position = random_position(rng)
        other = twin_of(position, position.turn, rng)
        different += other != position
        chosen = []
        for game in (game_of(position), game_of(other)):
            seat = game.state.turn
            legal = game.rules.legal(game.state, seat)
            chosen.append(STRENGTHS[strength].choose(game.view(seat), legal, Random(seed)))
        assert isinstance(chosen[0], Move)
        assert chosen[0] == chosen[1]
    assert different >= 4


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_spectators_cannot_tell_any_two_positions_apart(seed: int) -> None:
    rng = Random(seed)
    position, other = random_position(rng), random_position(rng)
    while other.turn != position.turn:  # whose turn it is, everybody may know
        other = random_position(rng)
    assert bytes_for(game_of(position), SPECTATOR) == bytes_for(game_of(other), SPECTATOR)


def test_spectators_see_an_empty_board_and_the_count_of_moves_until_the_end() -> None:
    game = Game("dark").play("e2e4 d7d5 e4d5")
    view = game.view(SPECTATOR)
    assert view.boards == {"1": "/".join(["?" * 8] * 8)}
    assert (view.ply, view.turn, view.sights) == (3, "black", msgspec.UNSET)
    [fact] = game.do(BLACK, Move("d8d5"))
    assert game.rules.tell(None, fact, game.state, SPECTATOR) == ToldMoved(2, "", "", "")
    game.do(BLACK, Leave())
    assert game.view(SPECTATOR).boards == {"1": game.state.position.split()[0]}


def test_the_end_lays_both_sights_beside_the_truth() -> None:
    game = Game("dark").play("e2e4 d7d5")
    seen = [game.view(seat).boards["1"] for seat in (WHITE, BLACK)]
    assert game.view(WHITE).sights is msgspec.UNSET
    game.do(WHITE, Leave())
    for seat in (WHITE, BLACK, SPECTATOR):
        assert game.view(seat).sights == Sights(*seen)


def test_what_one_has_lost_is_said() -> None:
    rules = Game("dark").rules
    told = {"is": "moved", "seat": 1, "move": "", "san": "", "took": "nf6"}
    assert list(sentences(rules, told, {1: "Léa"}, "fr")) == [
        "Léa a joué un coup que vous ne voyez pas, et vous a pris un cavalier en f6."
    ]


def test_the_pairs_are_truly_different_most_of_the_time() -> None:
    different = 0
    for seed in range(20):
        rng = Random(seed)
        position = random_position(rng)
        different += twin_of(position, "w", rng) != position
    assert different >= 15


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**32), seat=st.sampled_from([WHITE, BLACK]))
def test_a_move_of_the_other_side_says_only_what_is_seen_afterwards(seed: int, seat: Seat) -> None:
    """Two different moves of the opponent that leave one's sight alike are told alike."""
    rng = Random(seed)
    position = random_position(rng)
    if position.turn == LETTER[seat]:
        return
    told: dict[bytes, bytes] = {}
    for start, end, letter in plain.legal(position):
        game = game_of(position)
        action = Move(plain.name_of(start) + plain.name_of(end) + letter)
        facts = game.do(game.state.turn, action)
        if game.state.ended:
            continue
        heard = [game.rules.tell(None, fact, game.state, seat) for fact in facts]
        view = msgspec.json.encode([game.view(seat), game.can(seat)])
        assert told.setdefault(view, msgspec.json.encode(heard)) == msgspec.json.encode(heard)


def test_each_side_reads_its_own_moves_only_and_spectators_none_while_it_lasts() -> None:
    game = Game("dark").play("e2e4 d7d5 e4d5")
    assert game.view(WHITE).moves == {"0": ("e2e4", "e4"), "1": ("", ""), "2": ("e4d5", "exd5")}
    assert game.view(BLACK).moves == {"0": ("", ""), "1": ("d7d5", "d5"), "2": ("", "")}
    assert game.view(BLACK).captured == Captured("", "p")
    assert game.view(BLACK).last is None
    assert all(moves == ("", "") for moves in game.view(SPECTATOR).moves.values())
    assert game.view(SPECTATOR).captured == Captured("", "")
    for seat in (WHITE, BLACK, SPECTATOR):
        view = game.view(seat)
        assert (view.fen, view.check, view.claimable) == (None, None, None)
    assert game.view(MASTER).fen == game.state.position
    assert "1. -- d5 2. -- *" in write_pgn(game.view(BLACK), {})


def test_all_is_laid_open_at_the_end_but_a_sides_last_board_is_its_own() -> None:
    game = Game("dark").play("e2e4 d7d5")
    sight = game.view(BLACK).boards
    game.do(WHITE, Leave())
    view = game.view(BLACK)
    assert view.boards == sight
    assert view.fen == game.state.position
    assert view.moves == {"0": ("e2e4", "e4"), "1": ("d7d5", "d5")}
    assert game.view(SPECTATOR).boards == {"1": game.state.position.split()[0]}


@pytest.mark.parametrize("seat", [WHITE, BLACK, SPECTATOR])
def test_no_field_of_a_running_game_names_an_unseen_piece(seat: Seat) -> None:
    game = Game("dark").play("e2e4 e7e5 g1f3 b8c6")
    seen = {} if seat == SPECTATOR else what_is_seen(plain.read("dark", game.state.position), LETTER[seat])
    shown = game.view(seat).boards["1"]
    assert shown.count("?") == 64 - len(seen)
