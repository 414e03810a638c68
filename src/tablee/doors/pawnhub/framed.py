"""The framed dialect of the published Pawn Hub program: frames of 150 bytes, codes, letters."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from tablee.club import ClubError, UnknownAccount
from tablee.club.fields import pseudo_key
from tablee.doors.pawnhub.boards import boards_of
from tablee.doors.pawnhub.connection import Connection
from tablee.doors.pawnhub.game import Game, sentence_of
from tablee.doors.pawnhub.messages import (
    ANSWER,
    ASK,
    CANCEL,
    CHAT,
    FRAME,
    FRAMED_SERVER,
    FRIEND_PUSH,
    FRIENDS,
    GAME,
    LEAVE_QUEUE,
    MODE_OF_VARIANT,
    MODES,
    NOBODY,
    QUEUE,
    QUIT,
    RANKED,
    RANKING,
    RECEIVED,
    RECEIVED_PUSH,
    REMOVE,
    SENT,
    SENT_PUSH,
    SEPARATOR,
    SIGN_IN,
    SIGN_UP,
    STATISTICS,
    STOP_CHAT,
    VARIANT_OF_MODE,
    fields,
    framed,
)
from tablee.doors.pawnhub.refusal import Refusal
from tablee.doors.pawnhub.talk import Said
from tablee.rules.chess import Move, Premove
from tablee.rules.chess.model import PremoveDropped
from tablee.rules.chess.views import (
    ChessView,
    ToldEnded,
    ToldMoved,
    ToldTakenBack,
    ToldWentAway,
)
from tablee.rules.contract import Fact, Illegal
from tablee.store import StoreError
from tablee.tables import NoSuchTable, Over, Restored

if TYPE_CHECKING:
    from tablee.doors.pawnhub.door import PawnhubDoor

ALL = "all"
GIMME, WAW, PLEASE = "30~Agimme", "30~Lwaw", "30~Pplease"
PREMOVED = "30~Dwaw"
_PADDED = re.compile(rb"\A\|+|\|\|+|\|+\Z")
"""Padding ends a payload, and may stand before the next: who pads to 150 letters instead of bytes sends a
byte more for each accent, and his frames drift. One `|` between letters is one of theirs."""
_MOVE = re.compile(r"[a-h][1-8][a-h][1-8]", re.IGNORECASE)
FOR_MEMBERS = frozenset({STATISTICS, FRIENDS, RECEIVED, ANSWER, ASK, REMOVE, SENT, CANCEL})
"""Codes that mean nothing from who has not signed in; of talk he has that of his game."""
_TOO_LONG = object()
_NO_TEXT = object()
_PUSHES = {
    "+friend": (FRIEND_PUSH, "1"),
    "-friend": (FRIEND_PUSH, "0"),
    "+request": (RECEIVED_PUSH, "1"),
    "-request": (RECEIVED_PUSH, "0"),
    "-sent": (SENT_PUSH, "0"),
}


class FramedConnection(Connection):
    """A client that speaks frames."""

    __slots__ = ("_later", "_parts", "_promoting")
    resigns = True

    def __init__(self, door: PawnhubDoor) -> None:
        super().__init__(door)
        self._parts = b""
        """What has come of a payload that goes on in the next frame."""
        self._promoting = ""
        """The move of a pawn that waits for the choice of its new piece."""
        self._later = b""
        """Frames that wait for their moment, behind a segment that has just gone out."""

    def say(self, *payloads: str) -> None:
        data = framed(payloads)
        if self._later:
            self._later += data
        else:
            self.write(data)

    def say_apart(self, *payloads: str) -> None:
        """Say so much that it goes out in several segments, each a moment after the one before.

        The published client reads the beginning of a game into a buffer of fixed size and loses what is more.
        """
        is_first = not self._later
        self._later += framed(payloads)
        if is_first:
            self._send_segment()

    def _send_segment(self) -> None:
        size = self.bounds.segment * FRAME
        segment, self._later = self._later[:size], self._later[size:]
        self.write(segment)
        if self._later:
            asyncio.get_running_loop().call_later(self.bounds.apart / 1000, self._send_segment)

    def close(self) -> None:
        """What waits goes out before the end."""
        waiting, self._later = self._later, b""
        if waiting:
            self.write(waiting)
        super().close()

    # --- reading ----------------------------------------------------------------------------------------

    def split(self) -> bool:
        buffer = self._buffer
        whole = len(buffer) // FRAME * FRAME
        if not whole:
            return False
        self.heard = self.wheel.clock.ticks()
        self._buffer = buffer[whole:]
        pieces: list[Any] = []
        for start in range(0, whole, FRAME):
            first, *others = _PADDED.split(buffer[start : start + FRAME])
            self._parts += first
            if len(self._parts) > self.bounds.payload:
                pieces.append(_TOO_LONG)
                break
            for part in others:
                if self._parts:
                    pieces.append(_decoded(self._parts))
                self._parts = part
        self._pending = iter(pieces)
        return True

    def take(self, piece: Any) -> None:
        if piece is _TOO_LONG or piece is _NO_TEXT:
            self.close()
            return
        code, *rest = piece.split(SEPARATOR)
        if code == GAME and rest:
            self._play(SEPARATOR.join(rest))
        elif code in _DOINGS and (self.session.is_member or code not in FOR_MEMBERS):
            self.understood()
            self.hold(self._obey(code, rest))
        else:
            self.misread()

    async def _obey(self, code: str, rest: list[str]) -> None:
        async with self.session.turn:
            if self.session.closed:
                return
            try:
                await _DOINGS[code](self, rest)
            except (Refusal, Illegal, ClubError):
                self.misread()  # an answer for it, where the dialect has one, was given below
            except StoreError:
                self.send_away("unavailable", "")

    # --- the game ---------------------------------------------------------------------------------------

    def _play(self, text: str) -> None:
        game = self.session.game
        letter, rest = text[:1], text[1:]
        if game is None or letter not in ("M", "P"):
            self.misread()
            return
        self.understood()
        if letter == "P":
            self._promote(game, rest.lower())
            return
        color, move = rest[:1], rest[1:]
        if color != (game.view.you or " ")[0]:
            move = ""
        if move == "/end":
            self.hold(game.resign())
        elif move == "/tim":
            if game.is_my_turn:
                self.door.say_timed_out(game.table_id)
                self.hold(game.resign())
        elif move == "/del":
            game.cancel_premove()
        elif game.is_my_turn:
            self._move(game, move.lower())
        elif _MOVE.fullmatch(move):
            move = move.lower()
            game.premove(move if game.legal.allows(Premove(move)) else f"{move}q")

    def _move(self, game: Game, move: str) -> None:
        self._promoting = ""
        if not _MOVE.fullmatch(move):
            self.say(GIMME)
        elif move[3] in "18" and game.legal.allows(Move(f"{move}q")):
            self._promoting = move
            self.say(PLEASE)
        else:
            self._submit(game, move)

    def _promote(self, game: Game, letter: str) -> None:
        if not self._promoting or not game.is_my_turn:
            return
        if letter in ("q", "r", "b", "h"):
            move, self._promoting = self._promoting, ""
            self._submit(game, move + letter)
        else:
            self.say(PLEASE)

    def _submit(self, game: Game, move: str) -> None:
        self.pause()
        game.move(move, self._refused_move, self.go_on)

    def _refused_move(self, error: Exception) -> None:
        if isinstance(error, NoSuchTable | Restored):
            self.send_away("closed", "")
        elif not isinstance(error, Over):
            self.say(GIMME)

    def began(self, game: Game) -> None:
        view = game.view
        self._promoting = ""
        payloads = [QUEUE, "30~Fgarbage", f"30~G{MODES[MODE_OF_VARIANT[game.variant]]}"]
        payloads += [f"30~X{view.you}", "30~Ustart"]
        if game.variant == "alice":
            payloads.append("30~Ualice")
        payloads += _boards(view)
        payloads += [f"30~T{view.ply}", f"30~C{game.clock}", f"30~T{view.ply + 1}"]
        if view.turn == view.you:
            payloads.append(GIMME)
        self.say_apart(*payloads)

    def happened(self, game: Game, told: list[Fact], view: ChessView, request_id: str | None) -> None:
        payloads: list[str] = []
        kinds = {type(fact) for fact in told}
        is_my_turn = view.turn == view.you
        for fact in told:
            if isinstance(fact, ToldMoved) and fact.seat == game.seat:
                payloads += [PREMOVED, WAW] if fact.premove is True else [WAW]
            elif isinstance(fact, ToldWentAway) and fact.seat != game.seat:
                payloads.append(fields(CHAT, FRAMED_SERVER, game.opponent, f"{game.opponent} is offline"))
        if kinds & {ToldMoved, ToldTakenBack}:
            payloads += _boards(view)
            if not view.ended:
                payloads.append(f"30~T{view.ply + 1}")
        if ToldEnded in kinds:
            payloads.append(self._end(game, view))
        elif is_my_turn and view.premove is None and kinds & {ToldMoved, ToldTakenBack, PremoveDropped}:
            payloads.append(GIMME)
        if payloads:
            self.say(*payloads)

    def _end(self, game: Game, view: ChessView) -> str:
        """The end as the published client prints it: who has given up is told nothing of it."""
        reason, winner = view.ended, view.winner
        if winner is None:
            return "30~Ustalemate"
        if reason not in ("resigned", "absent", "time", "turn_time"):
            return f"30~U{winner}"
        if winner != view.you:
            return WAW
        is_time = reason in ("time", "turn_time") or game.table_id in self.door.timed_out
        return "30~Utimeout" if is_time else "30~Usurrend"

    # --- what the house tells ---------------------------------------------------------------------------

    def said(self, said: Said) -> None:
        self.say(fields(CHAT, said.sender, ALL if said.channel == "all" else self._channel(said), said.text))

    def _channel(self, said: Said) -> str:
        """A talk is called by the other one, whether he is a friend or the opponent."""
        return said.other

    def friend(self, name: str, what: str) -> None:
        if what in _PUSHES:
            code, value = _PUSHES[what]
            self.say(fields(code, name, value))

    def offered(self, name: str, variant: str) -> None:
        """Challenges are not of this dialect: he learns of one as of a word of the server."""
        mode = MODES[MODE_OF_VARIANT[variant]]
        self.say(fields(CHAT, FRAMED_SERVER, name, f"{name} offers a game of {mode}"))

    def refused(self, name: str) -> None:
        self.say(fields(CHAT, FRAMED_SERVER, name, f"{name} does not want to play"))

    def send_away(self, code: str, sentence: str) -> None:
        self.say(fields(QUIT, "Quit"))
        self.close()

    # --- codes ------------------------------------------------------------------------------------------

    async def _quit(self, rest: list[str]) -> None:
        self.send_away("quit", "")

    async def _sign_up(self, rest: list[str]) -> None:
        try:
            name, password = rest
            await self.session.sign_up(name, password, enter=False)
        except (ValueError, Refusal, ClubError):
            self.say(fields(SIGN_UP, 0))
        else:
            self.say(fields(SIGN_UP, 1))

    async def _sign_in(self, rest: list[str]) -> None:
        try:
            name, password = rest
            await self.session.log_in(name, password)
        except (ValueError, UnknownAccount):
            self.say(fields(SIGN_IN, 0))
        except Refusal:
            self.say(fields(SIGN_IN, 3))
        except ClubError:
            self.say(fields(SIGN_IN, 2))
        else:
            self.say(fields(SIGN_IN, 1))

    async def _chat(self, rest: list[str]) -> None:
        if len(rest) < 2:
            self.misread()
            return
        session, target, text = self.session, rest[0], " ".join(rest[1:])
        game = session.game
        try:
            if target == ALL:
                await session.talk.to_all(text)
            elif game is not None and pseudo_key(target) == pseudo_key(game.opponent):
                await session.talk.in_game(text)
            else:
                friend = await session.talk.to(target, text)
                if not await self.door.club.online.shown([friend.id]):
                    self._server_says(target, f"{target} is offline")
        except (Refusal, UnknownAccount) as refusal:
            stranger = isinstance(refusal, UnknownAccount) or refusal.code == "notfriend"
            self._server_says(target, f"{target} is not a friend" if stranger else "sign in first")
        except ClubError as error:
            self._server_says(target, sentence_of(error)[1])

    def _server_says(self, channel: str, text: str) -> None:
        self.say(fields(CHAT, FRAMED_SERVER, channel, text))

    async def _queue(self, rest: list[str]) -> None:
        if self.session.game is not None:
            return  # the published client takes any answer for a message of its game
        variant = VARIANT_OF_MODE.get(_number(rest))
        try:
            if variant is None:
                raise Refusal("variant", "this mode is not played")
            if self.session.account is None:
                await self.session.enter_as_guest()
            await self.session.queue(variant)
        except (Refusal, ClubError):
            self.say(LEAVE_QUEUE)

    async def _leave_queue(self, rest: list[str]) -> None:
        waited = await self.session.leave_queue()
        self.say(LEAVE_QUEUE)
        if waited:
            await self.session.resume()

    async def _statistics(self, rest: list[str]) -> None:
        found = {MODE_OF_VARIANT[s.variant]: s for s in await self.session.statistics()}
        for number, mode in enumerate(MODES):
            standing = found.get(number)
            counts, rating = "0 0 0", 0.0
            if standing is not None:
                counts = f"{standing.won} {standing.lost} {standing.drawn}"
                rating = float(standing.rating)
            self.say(fields(STATISTICS, number, mode, counts, f"{rating:.2f}"))

    async def _ranking(self, rest: list[str]) -> None:
        number = _number(rest)
        if not 0 <= number < len(MODES):
            self.misread()
            return
        variant = VARIANT_OF_MODE.get(number)
        found = [] if variant is None else await self.session.ranking(variant, RANKED)
        lines = [
            fields(RANKING, place, line.pseudo, f"{line.won} {line.lost} {line.drawn}", f"{line.rating:.2f}")
            for place, line in enumerate(found)
        ]
        lines += [f"{RANKING}{SEPARATOR}{place}{SEPARATOR}{NOBODY}" for place in range(len(found), RANKED)]
        self.say(*lines)

    async def _list_friends(self, rest: list[str]) -> None:
        self.say(*(fields(FRIENDS, name) for _, name in (await self.session.friends.circle()).friends))

    async def _list_received(self, rest: list[str]) -> None:
        self.say(*(fields(RECEIVED, name) for _, name in (await self.session.friends.circle()).received))

    async def _list_sent(self, rest: list[str]) -> None:
        self.say(*(fields(SENT, name) for _, name in (await self.session.friends.circle()).sent))

    async def _answer(self, rest: list[str]) -> None:
        if len(rest) != 2 or rest[1] not in ("1", "2"):
            self.misread()
            return
        name, answer = rest
        way = self.session.friends.accept if answer == "1" else self.session.friends.refuse
        self.say(fields(ANSWER, answer, await _done(way(name))))

    async def _ask(self, rest: list[str]) -> None:
        try:
            (name,) = rest
            answer = {"friends": 3, "asked": 4}[await self.session.friends.ask(name)]
        except (ValueError, Refusal, ClubError) as refusal:
            answer = {"friends_already": 1, "friend_asked_already": 2}.get(getattr(refusal, "code", ""), 0)
        self.say(fields(ASK, answer))

    async def _remove(self, rest: list[str]) -> None:
        self.say(fields(REMOVE, await _done(self.session.friends.part(SEPARATOR.join(rest)))))

    async def _cancel(self, rest: list[str]) -> None:
        self.say(fields(CANCEL, await _done(self.session.friends.cancel(SEPARATOR.join(rest)))))

    async def _stop_chat(self, rest: list[str]) -> None:
        self.say(fields(STOP_CHAT, "stopChat"))


async def _done(work: Coroutine[Any, Any, None]) -> int:
    """1 where it was done, 0 where it was refused."""
    try:
        await work
    except (Refusal, ClubError):
        return 0
    return 1


def _boards(view: ChessView) -> list[str]:
    """Each board, and after it the number of the turn that is over."""
    boards, turn = boards_of(view), f"30~T{view.ply}"
    if len(boards) == 1:
        return [f"30~B{boards[0]}", turn]
    return [text for number, board in enumerate(boards, 1) for text in (f"30~B{number}{board}", turn)]


def _number(rest: list[str]) -> int:
    text = rest[0] if rest else ""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else -1


def _decoded(raw: bytes) -> Any:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return _NO_TEXT


_DOINGS: dict[str, Callable[[FramedConnection, list[str]], Coroutine[Any, Any, None]]] = {
    QUIT: FramedConnection._quit,
    SIGN_UP: FramedConnection._sign_up,
    SIGN_IN: FramedConnection._sign_in,
    CHAT: FramedConnection._chat,
    QUEUE: FramedConnection._queue,
    LEAVE_QUEUE: FramedConnection._leave_queue,
    STATISTICS: FramedConnection._statistics,
    RANKING: FramedConnection._ranking,
    FRIENDS: FramedConnection._list_friends,
    RECEIVED: FramedConnection._list_received,
    ANSWER: FramedConnection._answer,
    ASK: FramedConnection._ask,
    REMOVE: FramedConnection._remove,
    SENT: FramedConnection._list_sent,
    CANCEL: FramedConnection._cancel,
    STOP_CHAT: FramedConnection._stop_chat,
}
