"""What follows from an action in a game of chess, or why it is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import chess

from tablee.rules.chess.boards import BadMove, ClassicBoard, DarkBoard, read_move
from tablee.rules.chess.model import (
    FORFEIT_AFTER,
    AskTakeback,
    CameBack,
    CancelPremove,
    ChessState,
    ClaimDraw,
    ClockMoved,
    DeclineDraw,
    DeclineTakeback,
    DrawDeclined,
    DrawOffered,
    Ended,
    Move,
    Moved,
    OfferDraw,
    Premove,
    Premoved,
    PremoveDropped,
    Reason,
    TakebackAsked,
    TakebackDeclined,
    TakenBack,
    WentAway,
    position,
)
from tablee.rules.chess.premoves import is_premove
from tablee.rules.contract import (
    CLOCK,
    Action,
    Alarm,
    Away,
    Back,
    Fact,
    Illegal,
    Instant,
    Join,
    Leave,
    Replace,
    Seat,
    TimeGivenBack,
    Timeout,
)

FIVEFOLD_AT_THE_EARLIEST = 8
"""Positions before one that can have come up four times already, always with the same side to move."""


def decide(variant: str, state: ChessState, seat: Seat, action: Action, at: Instant) -> list[Fact]:
    """The facts that follow from an action. Raises Illegal."""
    try:
        decision = _DECISIONS[type(action)]
    except KeyError:
        raise Illegal("unknown_action") from None
    return decision(variant, state, seat, action, at)


def alarms(state: ChessState) -> dict[str, Instant]:
    """The end of the turn, of everybody's absence, and a premove that can be played."""
    if state.ended:
        return {}
    due = {}
    if state.live:
        due = {f"absent:{seat}": since + FORFEIT_AFTER for seat, since in state.away.items()}
        if state.turn_limit:
            due["turn"] = state.since + state.turn_limit
    if state.turn in state.premoves:
        due["premove"] = state.since
    return due


def claim(variant: str, state: ChessState) -> Reason | None:
    """The draw that whoever is to move may claim. Dark knows no claims: they would tell of the hidden."""
    if variant == "dark" or state.ended:
        return None
    if state.keys.count(state.keys[-1]) >= 3:
        return "threefold"
    return "fifty" if position(variant, state.position).halfmove_clock >= 100 else None


def may_offer_draw(state: ChessState, seat: Seat) -> bool:
    """One offer for each move of one's own; the opponent's offer may always be taken up."""
    if state.draw_offer is not None:
        return state.draw_offer != seat
    return seat not in state.offered_at or len(state.plies) >= state.offered_at[seat] + 2


def may_ask_takeback(variant: str, state: ChessState, seat: Seat) -> bool:
    """Where one has moved, and has not asked since; what the opponent asks may always be granted."""
    if variant == "dark":
        return False
    if state.takeback is not None:
        return state.takeback != seat
    fresh = seat not in state.asked_at or len(state.plies) >= state.asked_at[seat] + 2
    return fresh and len(state.plies) >= plies_back(state, seat)


def plies_back(state: ChessState, seat: Seat) -> int:
    """How many half-moves must go for a player's last move to be undone."""
    return 2 if state.turn == seat else 1


def legal_move(variant: str, state: ChessState, text: str) -> chess.Move | None:
    """The move that a text says, if it may be played now."""
    try:
        move = read_move(text)
    except BadMove:
        return None
    return move if position(variant, state.position).may_play(move) else None


def legal_premove(variant: str, state: ChessState, seat: Seat, text: str) -> chess.Move | None:
    color = state.color_of(seat)
    try:
        move = read_move(text)
    except BadMove:
        return None
    if color is None or not is_premove(position(variant, state.position), color, move):
        return None
    return move


# --- moves ----------------------------------------------------------------------------------------------


def _move(variant: str, state: ChessState, seat: Seat, action: Move, at: Instant) -> list[Fact]:
    _playing(state, seat)
    if state.turn != seat:
        raise Illegal("not_your_turn")
    move = legal_move(variant, state, action.move)
    if move is None:
        raise Illegal("illegal_move", move=_quoted(action.move))
    here: list[Fact] = [CameBack(seat)] if seat in state.away else []
    return here + _played(variant, state, seat, move, at, premove=False)


def _played(
    variant: str, state: ChessState, seat: Seat, move: chess.Move, at: Instant, premove: bool
) -> list[Fact]:
    """The move, and the end of the game where it brings it."""
    board = position(variant, state.position).copy(stack=False)
    took = _taken(board, move)
    lasting = not board.is_irreversible(move)
    san = board.san_and_push(move)
    sights = sights_of(board, state) if isinstance(board, DarkBoard) else {}
    facts: list[Fact] = [Moved(seat, move.uci(), san, at, took, premove, sights)]
    ending: Reason | None = board.ending()
    if ending is not None:
        color = board.winner()
        facts.append(Ended(ending, None if color is None else state.seat_of(color), at))
    elif lasting and len(state.keys) >= FIVEFOLD_AT_THE_EARLIEST and state.keys.count(board.key()) >= 4:
        facts.append(Ended("fivefold", None, at))
    elif board.halfmove_clock >= 150:
        facts.append(Ended("seventy_five", None, at))
    return facts


def _taken(board: ClassicBoard, move: chess.Move) -> str:
    square = move.to_square
    if board.is_en_passant(move):
        square += -8 if board.turn else 8
    elif not board.occupied_co[not board.turn] & chess.BB_SQUARES[square]:
        return ""
    piece = board.piece_at(square)
    return piece.symbol() + chess.square_name(square) if piece else ""


def sights_of(board: DarkBoard, state: ChessState) -> dict[Seat, str]:
    """The board as each player sees it."""
    return {state.seat_of(color): board.sight(board.visible(color)) for color in chess.COLORS}


def _premove(variant: str, state: ChessState, seat: Seat, action: Premove, at: Instant) -> list[Fact]:
    _playing(state, seat)
    if state.turn == seat:
        raise Illegal("your_turn")
    move = legal_premove(variant, state, seat, action.move)
    if move is None:
        raise Illegal("illegal_move", move=_quoted(action.move))
    return [Premoved(seat, move.uci())]


def _cancel_premove(
    variant: str, state: ChessState, seat: Seat, action: CancelPremove, at: Instant
) -> list[Fact]:
    _playing(state, seat)
    if seat not in state.premoves:
        raise Illegal("no_premove")
    return [PremoveDropped(seat, state.premoves[seat], cancelled=True)]


# --- agreements -----------------------------------------------------------------------------------------


def _offer_draw(variant: str, state: ChessState, seat: Seat, action: OfferDraw, at: Instant) -> list[Fact]:
    _playing(state, seat)
    if not may_offer_draw(state, seat):
        raise Illegal("offered_already")
    if state.draw_offer is not None:
        return [Ended("agreement", None, at)]
    return [DrawOffered(seat)]


def _decline_draw(
    variant: str, state: ChessState, seat: Seat, action: DeclineDraw, at: Instant
) -> list[Fact]:
    _playing(state, seat)
    if state.draw_offer != state.opponent(seat):
        raise Illegal("no_offer")
    return [DrawDeclined(seat)]


def _claim_draw(variant: str, state: ChessState, seat: Seat, action: ClaimDraw, at: Instant) -> list[Fact]:
    _playing(state, seat)
    if variant == "dark":
        raise Illegal("no_claims")
    if state.turn != seat:
        raise Illegal("not_your_turn")
    reason = claim(variant, state)
    if reason is None:
        raise Illegal("nothing_to_claim")
    return [Ended(reason, None, at)]


def _ask_takeback(
    variant: str, state: ChessState, seat: Seat, action: AskTakeback, at: Instant
) -> list[Fact]:
    _playing(state, seat)
    if variant == "dark":
        raise Illegal("no_takeback")
    if not may_ask_takeback(variant, state, seat):
        raise Illegal("asked_already" if seat in state.asked_at else "nothing_to_take_back")
    if state.takeback is not None:
        return [TakenBack(state.takeback, plies_back(state, state.takeback), at)]
    return [TakebackAsked(seat)]


def _decline_takeback(
    variant: str, state: ChessState, seat: Seat, action: DeclineTakeback, at: Instant
) -> list[Fact]:
    _playing(state, seat)
    if state.takeback != state.opponent(seat):
        raise Illegal("no_takeback_asked")
    return [TakebackDeclined(seat)]


# --- seats ----------------------------------------------------------------------------------------------


def _playing(state: ChessState, seat: Seat) -> None:
    if state.color_of(seat) is None:
        raise Illegal("not_playing")
    if state.ended:
        raise Illegal("over")


def _leave(variant: str, state: ChessState, seat: Seat, action: Leave, at: Instant) -> list[Fact]:
    _playing(state, seat)
    return [Ended("resigned", state.opponent(seat), at)]


def _away(variant: str, state: ChessState, seat: Seat, action: Away, at: Instant) -> list[Fact]:
    if state.color_of(seat) is None or state.ended or not state.live or seat in state.away:
        return []
    return [WentAway(seat, at)]


def _back(variant: str, state: ChessState, seat: Seat, action: Back, at: Instant) -> list[Fact]:
    return [CameBack(seat)] if seat in state.away and not state.ended else []


def _seats_are_fixed(variant: str, state: ChessState, seat: Seat, action: Action, at: Instant) -> list[Fact]:
    raise Illegal("seats_are_fixed")


# --- time -----------------------------------------------------------------------------------------------


def _alarm(variant: str, state: ChessState, seat: Seat, action: Alarm, at: Instant) -> list[Fact]:
    if seat != CLOCK:
        raise Illegal("clock_only")
    if at < alarms(state).get(action.name, at + 1):
        return []
    if action.name == "premove":
        text = state.premoves[state.turn]
        move = legal_move(variant, state, text)
        if move is None:
            return [PremoveDropped(state.turn, text)]
        return _played(variant, state, state.turn, move, at, premove=True)
    if action.name == "turn":
        return [_out_of_time(variant, state, state.turn, "turn_time", at)]
    return [Ended("absent", state.opponent(int(action.name.removeprefix("absent:"))), at)]


def _timeout(variant: str, state: ChessState, seat: Seat, action: Timeout, at: Instant) -> list[Fact]:
    if seat != CLOCK:
        raise Illegal("clock_only")
    if state.ended or state.color_of(action.seat) is None:
        return []
    return [_out_of_time(variant, state, action.seat, "time", at)]


def _out_of_time(variant: str, state: ChessState, seat: Seat, reason: Reason, at: Instant) -> Ended:
    """Whose time is up loses, unless the opponent could never have won."""
    winner = state.opponent(seat)
    color = state.color_of(winner)
    assert color is not None
    if position(variant, state.position).can_win(color):
        return Ended(reason, winner, at)
    return Ended("time_without_material", None, at)


def _time_given_back(
    variant: str, state: ChessState, seat: Seat, action: TimeGivenBack, at: Instant
) -> list[Fact]:
    if seat != CLOCK:
        raise Illegal("clock_only")
    measured = state.live and not state.ended
    return [ClockMoved(action.milliseconds)] if measured and action.milliseconds else []


def _quoted(text: str) -> str:
    """What somebody has sent, short enough to be said back."""
    return "".join(letter for letter in text if letter.isprintable())[:8]


_DECISIONS: dict[type[Action], Callable[[str, ChessState, Seat, Any, Instant], list[Fact]]] = {
    Move: _move,
    Premove: _premove,
    CancelPremove: _cancel_premove,
    OfferDraw: _offer_draw,
    DeclineDraw: _decline_draw,
    ClaimDraw: _claim_draw,
    AskTakeback: _ask_takeback,
    DeclineTakeback: _decline_takeback,
    Join: _seats_are_fixed,
    Replace: _seats_are_fixed,
    Leave: _leave,
    Away: _away,
    Back: _back,
    Alarm: _alarm,
    Timeout: _timeout,
    TimeGivenBack: _time_given_back,
}
