"""What a game of chess is after a fact."""

from __future__ import annotations

from collections.abc import Mapping

import chess
from msgspec.structs import replace

from tablee.rules.chess.boards import BOARDS, ClassicBoard, key_of
from tablee.rules.chess.model import (
    Began,
    CameBack,
    ChessState,
    ClockMoved,
    DrawDeclined,
    DrawOffered,
    Ended,
    Moved,
    Ply,
    Premoved,
    PremoveDropped,
    TakebackAsked,
    TakebackDeclined,
    TakenBack,
    WentAway,
    keep,
    position,
)
from tablee.rules.contract import Fact, Seat


def evolve(variant: str, state: ChessState | None, fact: Fact) -> ChessState:
    """The state after a fact."""
    if isinstance(fact, Began):
        key = BOARDS[variant](fact.fen).key()
        return ChessState(
            fact.white, fact.black, fact.live, fact.turn_limit, fact.fen, fact.fen, fact.at, keys=(key,)
        )
    assert state is not None
    match fact:
        case Moved():
            return _moved(variant, state, fact)
        case Premoved(seat, move):
            return replace(state, premoves={**state.premoves, seat: move})
        case PremoveDropped(seat):
            return replace(state, premoves=_without(state.premoves, seat))
        case DrawOffered(seat):
            offered = {**state.offered_at, seat: len(state.plies)}
            return replace(state, draw_offer=seat, offered_at=offered)
        case DrawDeclined():
            return replace(state, draw_offer=None)
        case TakebackAsked(seat):
            return replace(state, takeback=seat, asked_at={**state.asked_at, seat: len(state.plies)})
        case TakebackDeclined():
            return replace(state, takeback=None)
        case TakenBack(_, plies, at):
            return replace(_taken_back(variant, state, plies), since=at)
        case WentAway(seat, at):
            return replace(state, away={**state.away, seat: at})
        case CameBack(seat):
            return replace(state, away=_without(state.away, seat))
        case ClockMoved(milliseconds):
            away = {seat: when + milliseconds for seat, when in state.away.items()}
            return replace(state, since=state.since + milliseconds, away=away)
        case Ended(reason, winner):
            return replace(
                state, ended=reason, winner=winner, premoves={}, draw_offer=None, takeback=None, away={}
            )
    raise TypeError(fact)


def _moved(variant: str, state: ChessState, fact: Moved) -> ChessState:
    board = position(variant, state.position).copy(stack=False)
    fen, keys = _pushed(board, chess.Move.from_uci(fact.move), state.keys)
    keep(variant, fen, board)
    return replace(
        state,
        position=fen,
        plies=(*state.plies, Ply(fact.move, fact.san, fact.took)),
        keys=keys,
        since=fact.at,
        premoves=_without(state.premoves, fact.seat),
        draw_offer=state.draw_offer if state.draw_offer == fact.seat else None,
        takeback=None,
    )


def _pushed(board: ClassicBoard, move: chess.Move, keys: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """Play a move; the FEN then, and the positions that may come up again, with the new one."""
    if board.piece_at(move.from_square) is None:
        # Only a state that was made up (`shuffle_hidden`) can lack the piece: then the turn passes.
        move = chess.Move.null()
    lasting = not move or not board.is_irreversible(move)
    board.push(move)
    fen = board.fen()
    key = key_of(fen)
    return fen, (*keys, key) if lasting else (key,)


def _taken_back(variant: str, state: ChessState, plies: int) -> ChessState:
    kept = state.plies[: len(state.plies) - plies]
    board = BOARDS[variant](state.start)
    fen = state.start
    keys: tuple[str, ...] = (board.key(),)
    for ply in kept:
        fen, keys = _pushed(board, chess.Move.from_uci(ply.move), keys)
    return replace(
        state,
        position=fen,
        plies=kept,
        keys=keys,
        premoves={},
        draw_offer=None,
        offered_at={},
        takeback=None,
        asked_at={},
    )


def _without(mapping: dict[Seat, int] | dict[Seat, str], seat: Seat) -> Mapping[Seat, object]:
    if seat not in mapping:
        return mapping
    return {other: value for other, value in mapping.items() if other != seat}
