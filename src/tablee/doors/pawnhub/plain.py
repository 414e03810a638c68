"""The plain dialect: a line a message, and in the game exactly the document's chapter 6.5."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from tablee.club import BadCredentials, ClubError
from tablee.doors.pawnhub.boards import boards_of
from tablee.doors.pawnhub.connection import Connection
from tablee.doors.pawnhub.game import Game, sentence_of
from tablee.doors.pawnhub.messages import SERVER, one_line
from tablee.doors.pawnhub.refusal import Refusal
from tablee.doors.pawnhub.rulebook import rules_of
from tablee.doors.pawnhub.talk import Said
from tablee.rules.chess import Move
from tablee.rules.chess.model import CameBack, DrawOffered
from tablee.rules.chess.views import (
    ChessView,
    ToldEnded,
    ToldMoved,
    ToldTakenBack,
    ToldWentAway,
)
from tablee.rules.contract import Fact, Illegal, Json
from tablee.store import StoreError
from tablee.tables import NoSuchTable, Over, Restored

if TYPE_CHECKING:
    from tablee.doors.pawnhub.door import PawnhubDoor

RANKED = 100
ALL = "all"
_MOVE = re.compile(r"[a-h][1-8][a-h][1-8][qrbh]?", re.IGNORECASE)
_TOO_LONG = object()
_NO_TEXT = object()


class PlainConnection(Connection):
    """A client that speaks lines."""

    __slots__ = ("_details", "_held_back", "_moving", "_quiet")

    def __init__(self, door: PawnhubDoor) -> None:
        super().__init__(door)
        self._quiet = False
        self._details = False
        """Whether moves in letters and the clocks are told beside what the document has."""
        self._held_back: deque[str] = deque(maxlen=self.bounds.held)
        self._moving = ""
        """The request id of one's own move that is on its way."""

    # --- writing ----------------------------------------------------------------------------------------

    def say(self, *lines: str) -> None:
        """Answers, and the game's own messages."""
        self.write("".join(f"{line}\n" for line in lines).encode())

    def push(self, line: str) -> None:
        """What may come between the game's messages: QUIET keeps it back until the end of the game."""
        if self._quiet and self.session.game is not None:
            self._held_back.append(line)
        else:
            self.say(line)

    def refuse(self, code: str, sentence: str) -> None:
        self.push(f"ERR {code} {one_line(sentence)}")

    # --- reading ----------------------------------------------------------------------------------------

    def split(self) -> bool:
        *whole, rest = self._buffer.split(b"\n")
        pieces = [self._piece(raw) for raw in whole]
        if len(rest) > self.bounds.line + 1:
            pieces.append(_TOO_LONG)
            rest = b""
        if not pieces:
            return False
        self.heard = self.wheel.clock.ticks()
        self._buffer = rest
        self._pending = iter(pieces)
        return True

    def _piece(self, raw: bytes) -> Any:
        if raw.endswith(b"\r"):
            raw = raw[:-1]
        if len(raw) > self.bounds.line:
            return _TOO_LONG
        try:
            return raw.decode()
        except UnicodeDecodeError:
            return _NO_TEXT

    def take(self, piece: Any) -> None:
        if piece is _TOO_LONG:
            self.say(f"ERR toolong a line has {self.bounds.line} bytes at most")
            self.close()
            return
        if piece is _NO_TEXT:
            self._move("")
            return
        words = piece.split(None, 1)
        if not words:
            return
        command = words[0].upper()
        if command in _DOINGS:
            self.understood()
            self.hold(self._obey(command, words[1].strip() if len(words) > 1 else ""))
        else:
            self._move(piece.strip())

    # --- the game ---------------------------------------------------------------------------------------

    def _move(self, text: str) -> None:
        """Whatever is no command is a move; an empty text stands for bytes that are none."""
        game = self.session.game
        if game is None:
            if text:
                self.refuse("unknown", "this is no command: RULES, LOGIN, GUEST, PLAY …")
            else:
                self.refuse("utf8", "a line is text in UTF-8")
            self.misread()
            return
        self.understood()
        if not game.is_my_turn:
            self.refuse("turn", "not your turn")
        elif not _MOVE.fullmatch(text):
            self.say("False")
        else:
            self.pause()
            self._moving = game.move(_completed(game, text.lower()), self._refused_move, self._moved)

    def _refused_move(self, error: Exception) -> None:
        if isinstance(error, Illegal):
            self.say("False")
        elif isinstance(error, NoSuchTable | Restored):
            self.send_away("closed", "the table is no more; come again")
        elif not isinstance(error, Over):  # then he has been told of the end
            self.refuse(*sentence_of(error))
            self.say("False")

    def _moved(self) -> None:
        self._moving = ""
        self.go_on()

    def began(self, game: Game) -> None:
        view = game.view
        self.say(
            f"GAME {game.table_id} {game.variant} {game.opponent}",
            "1" if view.you == "white" else "0",
            *boards_of(view),
            *([] if view.ended else [str(view.ply + 1)]),
        )
        if self._details:
            self.say(*clock_lines(game))

    def happened(self, game: Game, told: list[Fact], view: ChessView, request_id: str | None) -> None:
        lines: list[str] = []
        kinds = {type(fact) for fact in told}
        if ToldMoved in kinds and request_id is not None and request_id == self._moving:
            lines.append("True")
        if self._details and ToldMoved in kinds:
            lines += [f"SAN {view.ply} {view.moves[str(view.ply - 1)][1] or '--'}", *clock_lines(game)]
        if kinds & {ToldMoved, ToldTakenBack, ToldEnded}:
            lines += boards_of(view)
            lines += ["True", result_line(view)] if view.ended else ["False", str(view.ply + 1)]
            self.say(*lines)
        for fact in told:
            match fact:
                case DrawOffered(seat) if seat != game.seat:
                    self.push("OFFER DRAW")
                case ToldWentAway(seat) if seat != game.seat and not view.ended:
                    self.push(f"MSG GAME {SERVER} {game.opponent} has lost the connection")
                case CameBack(seat) if seat != game.seat:
                    self.push(f"MSG GAME {SERVER} {game.opponent} is back")

    def back_in_menu(self) -> None:
        while self._held_back:
            self.say(self._held_back.popleft())

    # --- what the house tells ---------------------------------------------------------------------------

    def said(self, said: Said) -> None:
        channel = {"all": "ALL", "game": "GAME"}.get(said.channel, f"@{said.other}")
        self.push(f"MSG {channel} {said.sender} {one_line(said.text)}")

    def friend(self, name: str, what: str) -> None:
        if what in ("+request", "+friend", "-friend", "+online", "-online"):
            self.push(f"FRIEND {name} {what}")

    def offered(self, name: str, variant: str) -> None:
        self.push(f"OFFER GAME {variant} {name}")

    def refused(self, name: str) -> None:
        self.push(f"OFFER REFUSED {name}")

    def send_away(self, code: str, sentence: str) -> None:
        self.say(f"ERR {code} {one_line(sentence)}")
        self.close()

    # --- commands ---------------------------------------------------------------------------------------

    async def _obey(self, command: str, rest: str) -> None:
        async with self.session.turn:
            if self.session.closed:
                return
            try:
                await _DOINGS[command](self, rest)
            except Refusal as refusal:
                self.refuse(refusal.code, refusal.sentence)
            except (Illegal, ClubError, StoreError) as error:
                self.refuse(*sentence_of(error))

    async def _signup(self, rest: str) -> None:
        name, password = _two(rest, "SIGNUP name password")
        if " " in password:
            raise Refusal("syntax", "a password has no space here")
        await self.session.sign_up(name, password, enter=True)
        self.say("OK")

    async def _login(self, rest: str) -> None:
        name, password = _two(rest, "LOGIN name password")
        try:
            await self.session.log_in(name, password)
        except BadCredentials:
            raise Refusal("password", "the password is wrong") from None
        self.say("OK")
        await self.session.resume()

    async def _guest(self, rest: str) -> None:
        self.say(f"OK {(await self.session.enter_as_guest()).pseudo}")

    async def _logout(self, rest: str) -> None:
        await self.session.log_out()
        self.say("OK")

    async def _play(self, rest: str) -> None:
        await self.session.queue(rest.lower())
        self.say("OK")

    async def _leave(self, rest: str) -> None:
        self.session.must_be_free()
        waited = await self.session.leave_queue()
        self.say("OK")
        if waited:
            await self.session.resume()

    async def _challenge(self, rest: str) -> None:
        name, variant = _two(rest, "CHALLENGE friend variant")
        await self.session.challenge(name, variant.lower())
        self.say("OK")

    async def _accept(self, rest: str) -> None:
        await self.session.accept(_one(rest, "ACCEPT name"))
        self.say("OK")

    async def _refuse(self, rest: str) -> None:
        await self.session.refuse(_one(rest, "REFUSE name"))
        self.say("OK")

    async def _chat(self, rest: str) -> None:
        channel, text = _two(rest, "CHAT ALL text, CHAT GAME text or CHAT @name text")
        if channel.upper() == "ALL":
            await self.session.talk.to_all(text)
        elif channel.upper() == "GAME":
            await self.session.talk.in_game(text)
        elif channel.startswith("@") and len(channel) > 1:
            await self.session.talk.to(channel[1:], text)
        else:
            raise Refusal("syntax", "CHAT ALL text, CHAT GAME text or CHAT @name text")

    async def _friends(self, rest: str) -> None:
        session = self.session
        await session.friends.look()
        lines = [
            f"FRIEND {name} {'online' if friend in session.friends.online else 'offline'}"
            for friend, name in session.friends.names.items()
        ]
        self.say(*lines, "END")

    async def _requests(self, rest: str) -> None:
        circle = await self.session.friends.circle()
        received = [f"REQUEST {name} in" for _, name in circle.received]
        self.say(*received, *(f"REQUEST {name} out" for _, name in circle.sent), "END")

    async def _add(self, rest: str) -> None:
        _ = self.session.member
        await self.session.friends.ask(_one(rest, "ADD name"))
        self.say("OK")

    async def _remove(self, rest: str) -> None:
        session = self.session
        circle = await session.friends.circle()
        name = _one(rest, "REMOVE name")
        ways: list[tuple[list[tuple[Json, str]], Callable[[str], Coroutine[Any, Any, None]]]] = [
            (circle.friends, session.friends.part),
            (circle.received, session.friends.refuse),
            (circle.sent, session.friends.cancel),
        ]
        for ties, way in ways:
            if any(known.casefold() == name.casefold() for _, known in ties):
                await way(name)
                self.say("OK")
                return
        raise Refusal("notfriend", f"{name} is no friend, and nobody has asked")

    async def _stats(self, rest: str) -> None:
        found = await self.session.statistics()
        lines = [f"STAT {s.variant} {s.played} {s.won} {s.lost} {s.drawn} {s.rating}" for s in found]
        self.say(*lines, "END")

    async def _ranking(self, rest: str) -> None:
        variant = rest.lower()
        if variant != ALL:
            self.session.must_know(variant)
        found = await self.session.ranking(None if variant == ALL else variant, RANKED)
        self.say(*(f"RANK {line.rank} {line.pseudo} {line.rating}" for line in found), "END")

    async def _rules(self, rest: str) -> None:
        variant = rest.lower()
        self.session.must_know(variant)
        account = self.session.account
        self.say(*rules_of(variant, "fr" if account is None else account.language), "END")

    async def _resign(self, rest: str) -> None:
        await self._in_game().resign()

    async def _draw(self, rest: str) -> None:
        game = self._in_game()
        game.offer_draw(lambda error: self.refuse(*sentence_of(error)))

    async def _set_quiet(self, rest: str) -> None:
        if rest.lower() not in ("on", "off"):
            raise Refusal("syntax", "QUIET on or QUIET off")
        self._quiet = rest.lower() == "on"
        self.say("OK")
        if not self._quiet:
            self.back_in_menu()

    async def _set_details(self, rest: str) -> None:
        if rest.lower() not in ("on", "off"):
            raise Refusal("syntax", "DETAILS on or DETAILS off")
        self._details = rest.lower() == "on"
        self.say("OK")

    async def _robot(self, rest: str) -> None:
        variant, _, strength = rest.lower().partition(" ")
        info = await self.session.make_robot_table(variant, strength.strip())
        self.say("OK")
        await self.session.sit_down(info)

    def _in_game(self) -> Game:
        if self.session.game is None:
            raise Refusal("nogame", "you are in no game")
        return self.session.game


def _completed(game: Game, text: str) -> str:
    """A pawn that reaches the last row becomes a queen where nothing is said."""
    if len(text) == 4 and text[3] in "18" and not game.legal.allows(Move(text)):
        return f"{text}q"
    return text


def result_line(view: ChessView) -> str:
    """`WHITE`, `BLACK` or `DRAW`, with the reason."""
    winner = {"white": "WHITE", "black": "BLACK"}.get(view.winner or "", "DRAW")
    return f"{winner} {view.ended}"


def clock_lines(game: Game) -> list[str]:
    """`CLOCK white black`: what is left on both clocks, in milliseconds; nothing at a table without."""
    faces, seats = game.chair.clock_faces(), game.view.seats
    left = [faces[seat].left for seat in (seats.white, seats.black) if seat in faces]
    return [f"CLOCK {left[0]} {left[1]}"] if len(left) == 2 and None not in left else []


def _one(rest: str, usage: str) -> str:
    words = rest.split()
    if len(words) != 1:
        raise Refusal("syntax", usage)
    return words[0]


def _two(rest: str, usage: str) -> tuple[str, str]:
    words = rest.split(None, 1)
    if len(words) != 2:
        raise Refusal("syntax", usage)
    return words[0], words[1]


_DOINGS: dict[str, Callable[[PlainConnection, str], Coroutine[Any, Any, None]]] = {
    "SIGNUP": PlainConnection._signup,
    "LOGIN": PlainConnection._login,
    "GUEST": PlainConnection._guest,
    "LOGOUT": PlainConnection._logout,
    "PLAY": PlainConnection._play,
    "LEAVE": PlainConnection._leave,
    "CHALLENGE": PlainConnection._challenge,
    "ACCEPT": PlainConnection._accept,
    "REFUSE": PlainConnection._refuse,
    "CHAT": PlainConnection._chat,
    "FRIENDS": PlainConnection._friends,
    "REQUESTS": PlainConnection._requests,
    "ADD": PlainConnection._add,
    "REMOVE": PlainConnection._remove,
    "STATS": PlainConnection._stats,
    "RANKING": PlainConnection._ranking,
    "RULES": PlainConnection._rules,
    "RESIGN": PlainConnection._resign,
    "DRAW": PlainConnection._draw,
    "QUIET": PlainConnection._set_quiet,
    "DETAILS": PlainConnection._set_details,
    "ROBOT": PlainConnection._robot,
}
