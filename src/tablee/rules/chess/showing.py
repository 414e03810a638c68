"""What people at a chess board may see, hear and do."""

from __future__ import annotations

from random import Random
from typing import cast

import chess
from msgspec import UNSET, UnsetType

from tablee.rules.chess.boards import ClassicBoard, DarkBoard
from tablee.rules.chess.decision import (
    claim,
    legal_move,
    legal_premove,
    may_ask_takeback,
    may_offer_draw,
)
from tablee.rules.chess.model import (
    FORFEIT_AFTER,
    AskTakeback,
    CancelPremove,
    ChessState,
    ClaimDraw,
    DeclineDraw,
    DeclineTakeback,
    Ended,
    Move,
    Moved,
    OfferDraw,
    Premove,
    Premoved,
    PremoveDropped,
    Side,
    TakenBack,
    Variant,
    WentAway,
    color_name,
    position,
)
from tablee.rules.chess.premoves import premoves
from tablee.rules.chess.views import (
    Captured,
    ChessTold,
    ChessView,
    SideSeats,
    Sights,
    ToldEnded,
    ToldMoved,
    ToldTakenBack,
    ToldWentAway,
)
from tablee.rules.contract import MASTER, SPECTATOR, Action, Fact, Json, Seat


def view(variant: str, state: ChessState, seat: Seat) -> ChessView:
    """The game as this seat may know it; docs/chess.md explains every field."""
    board = position(variant, state.position)
    color = state.color_of(seat)
    open_to = _open_to(variant, state, seat)
    return ChessView(
        variant=cast("Variant", variant),
        you=None if color is None else color_name(color),
        seats=SideSeats(state.white, state.black),
        boards=_boards(board, state, seat),
        fen=state.position if open_to else None,
        start=state.start if open_to else None,
        castling=_castling(state, color) if not open_to else _castling_rights(state),
        turn=None if state.ended else color_name(board.turn),
        ply=len(state.plies),
        last=_last(state, seat, open_to),
        check=check_of(board),
        moves={
            str(number): (ply.move, ply.san) if open_to or _is_own(state, seat, number) else ("", "")
            for number, ply in enumerate(state.plies)
        },
        captured=_captured(state, shown=open_to or color is not None),
        premove=state.premoves.get(seat),
        draw_offer=_name(state, state.draw_offer),
        takeback=_name(state, state.takeback),
        claimable=claim(variant, state),
        live=state.live,
        turn_until=state.since + state.turn_limit if _has_turn_limit(state) else None,
        away={away: since + FORFEIT_AFTER for away, since in state.away.items()},
        ended=state.ended,
        winner=_name(state, state.winner),
        sights=_sights(board, state),
    )


def _sights(board: ClassicBoard, state: ChessState) -> Sights | UnsetType:
    """What either side saw at the end of a game of Dark, for all."""
    if not isinstance(board, DarkBoard) or state.ended is None:
        return UNSET
    return Sights(*(board.sight(board.visible(color)) for color in (chess.WHITE, chess.BLACK)))


def _open_to(variant: str, state: ChessState, seat: Seat) -> bool:
    """Whether a seat may know the whole position."""
    return variant != "dark" or state.ended is not None or seat == MASTER


def _boards(board: ClassicBoard, state: ChessState, seat: Seat) -> dict[str, str]:
    """By number of the board the pieces; a side of Dark keeps its own view after the end as well."""
    color = state.color_of(seat)
    placements = state.position.split(" ", 1)[0].split("|")
    if isinstance(board, DarkBoard) and (color is not None or not (state.ended or seat == MASTER)):
        placements = [board.sight(board.seen(color))]
    return {str(number): placement for number, placement in enumerate(placements, 1)}


def _castling_rights(state: ChessState) -> str:
    return state.position.split(" ", 3)[2]


def _castling(state: ChessState, color: chess.Color | None) -> str:
    letters = _castling_rights(state)
    if color is None or letters == "-":
        return "-"
    return "".join(letter for letter in letters if letter.isupper() == color) or "-"


def _is_own(state: ChessState, seat: Seat, number: int) -> bool:
    first = state.start.split(" ", 2)[1] == "w"
    return state.seat_of(first == (number % 2 == 0)) == seat


def _last(state: ChessState, seat: Seat, open_to: bool) -> str | None:
    number = len(state.plies) - 1
    if number < 0 or not (open_to or _is_own(state, seat, number)):
        return None
    return state.plies[number].move


def check_of(board: ClassicBoard) -> str | None:
    """The square of a king that is in check."""
    king = board.king(board.turn)
    return chess.square_name(king) if king is not None and board.is_check() else None


def _captured(state: ChessState, shown: bool) -> Captured:
    taken = [ply.took[0] for ply in state.plies if ply.took] if shown else []
    return Captured(
        white="".join(letter.lower() for letter in taken if letter.isupper()),
        black="".join(letter for letter in taken if letter.islower()),
    )


def _name(state: ChessState, seat: Seat | None) -> Side | None:
    color = None if seat is None else state.color_of(seat)
    return None if color is None else color_name(color)


def _has_turn_limit(state: ChessState) -> bool:
    return state.live and state.turn_limit > 0 and state.ended is None


def tell(variant: str, fact: Fact, seat: Seat) -> ChessTold | None:
    """A fact as this seat may hear it."""
    match fact:
        case Moved():
            return _tell_move(variant, fact, seat)
        case Premoved() | PremoveDropped():
            return fact if fact.seat == seat else None
        case TakenBack():
            return ToldTakenBack(fact.seat, fact.plies)
        case WentAway():
            return ToldWentAway(fact.seat)
        case Ended():
            return ToldEnded(fact.reason, fact.winner)
    assert isinstance(fact, ChessTold), "what is left is told as it is logged"
    return fact


def _tell_move(variant: str, fact: Moved, seat: Seat) -> ToldMoved:
    is_known = variant != "dark" or seat in (fact.seat, MASTER)
    return ToldMoved(
        seat=fact.seat,
        move=fact.move if is_known else "",
        san=fact.san if is_known else "",
        took=fact.took if is_known or seat != SPECTATOR else "",
        premove=fact.premove if seat == fact.seat else UNSET,
        # Logs of older releases have a sight of spectators too, who are shown no board any more.
        sees=UNSET if seat == SPECTATOR else fact.sights.get(seat, UNSET),
    )


class ChessActions:
    """What a player may do: moves by square in his turn, premoves in the other's, and agreements."""

    def __init__(self, variant: str, state: ChessState, seat: Seat) -> None:
        self._variant = variant
        self._state = state
        self._seat = seat
        self._color = None if state.ended else state.color_of(seat)
        self._turn = self._color is not None and state.turn == seat

    def allows(self, action: Action) -> bool:
        if self._color is None:
            return False
        state, seat = self._state, self._seat
        match action:
            case Move(move):
                return self._turn and legal_move(self._variant, state, move) is not None
            case Premove(move):
                return not self._turn and legal_premove(self._variant, state, seat, move) is not None
        return type(action) in _AGREEMENTS and _AGREEMENTS[type(action)] in self._can()

    def sample(self, rng: Random) -> Action | None:
        """A move most often; now and then something to agree upon."""
        if self._color is None:
            return None
        if rng.random() < 0.04:
            agreements = [kind for kind, name in _AGREEMENTS.items() if name in self._can()]
            if agreements:
                return rng.choice(agreements)()
        kind = Move if self._turn else Premove
        moves = self.moves() if self._turn else self._premoves()
        return kind(rng.choice(moves)) if moves else None

    def some_move(self, rng: Random) -> Move:
        """Any move; there is one wherever the game has not ended and it is one's turn."""
        return Move(rng.choice(self.moves()))

    def moves(self) -> list[str]:
        """The moves that may be played now, as texts, in order."""
        if not self._turn:
            return []
        return sorted(move.uci() for move in self._board().generate_legal_moves())

    def describe(self) -> Json:
        """`moves` and `premoves` by square of origin; who arrives on `promotes` must say what it becomes."""
        if self._color is None:
            return {}
        described: dict[str, Json] = {"can": self._can()}
        if self._turn:
            described["moves"] = by_origin(self.moves())
            described["promotes"] = promoting(self.moves())
        else:
            described["premoves"] = by_origin(self._premoves())
            described["promotes"] = promoting(self._premoves())
        return described

    def _board(self) -> ClassicBoard:
        return position(self._variant, self._state.position)

    def _premoves(self) -> list[str]:
        assert self._color is not None
        board, last = self._board(), chess.BB_RANK_8 if self._color else chess.BB_RANK_1
        found = []
        for origin, targets in premoves(board, self._color).items():
            pawn = chess.BB_SQUARES[origin] & board.pawns
            for target in chess.scan_forward(targets):
                letters = "qrbn" if pawn and chess.BB_SQUARES[target] & last else ("",)
                name = chess.square_name(origin) + chess.square_name(target)
                found += [name + letter for letter in letters]
        return sorted(found)

    def _can(self) -> list[str]:
        state, seat = self._state, self._seat
        other = state.opponent(seat)
        possible = {
            "offer_draw": may_offer_draw(state, seat),
            "decline_draw": state.draw_offer == other,
            "claim_draw": self._turn and claim(self._variant, state) is not None,
            "ask_takeback": may_ask_takeback(self._variant, state, seat),
            "decline_takeback": state.takeback == other,
            "cancel_premove": seat in state.premoves,
            "leave": True,
        }
        return [name for name, may in possible.items() if may]


_AGREEMENTS: dict[type[Action], str] = {
    OfferDraw: "offer_draw",
    DeclineDraw: "decline_draw",
    ClaimDraw: "claim_draw",
    AskTakeback: "ask_takeback",
    DeclineTakeback: "decline_takeback",
    CancelPremove: "cancel_premove",
}


def by_origin(moves: list[str]) -> dict[str, list[str]]:
    """Where a piece may go, by the square where it stands."""
    found: dict[str, list[str]] = {}
    for move in moves:
        targets = found.setdefault(move[:2], [])
        if move[2:4] not in targets:
            targets.append(move[2:4])
    return found


def promoting(moves: list[str]) -> dict[str, list[str]]:
    """Those of them that must say what the pawn becomes."""
    return by_origin([move for move in moves if len(move) == 5])
