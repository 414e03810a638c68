"""The WebSocket /api/v1/live on one screen: every message that a client may send, and every one it may get.

Each message is one JSON text with its name in `type`. A client may give `id`; the answer then carries it.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from ..api.errors import ErrorDetail
from ..api.registry import Id
from ..shapes import ChallengeInfo, Friend, Message, Notice, OwnGames, QueueStatus, SpokenShape, TableInfo

Json = Any
Version = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
ShortText = Annotated[str, msgspec.Meta(max_length=200)]
RequestId = Annotated[str, msgspec.Meta(min_length=1, max_length=64, pattern=r"^[\x21-\x7e]+$")]
"""Chosen by the client, new for every move, the same when the same move is sent again."""


# --- what one may listen to -----------------------------------------------------------------------------


class Topic(msgspec.Struct, frozen=True, tag_field="topic", forbid_unknown_fields=True):
    """Something live."""


class TableTopic(Topic, frozen=True, tag="table", rename={"role": "as"}):
    """A table, from the seat one has there or as a spectator; with `since`, only what is newer."""

    table: Id
    role: Literal["seat", "spectator"] | None = None
    since: Version | None = None
    invitation: ShortText | None = None
    epoch: ShortText | None = None  # as `table` gave it: after a restore `since` counts for nothing


class LobbyTopic(Topic, frozen=True, tag="lobby"):
    """The open and running tables that anybody may see."""

    game: ShortText | None = None


class ChatTopic(Topic, frozen=True, tag="chat"):
    """A channel: `global`, `table:12`, or `private` for every private message to and from oneself."""

    channel: ShortText
    invitation: ShortText | None = None


class FriendsTopic(Topic, frozen=True, tag="friends"):
    """Which of one's friends are here."""


class NoticesTopic(Topic, frozen=True, tag="notices"):
    """One's notices."""


class QueueTopic(Topic, frozen=True, tag="queue"):
    """One's place in the queue for an opponent."""


class ChallengesTopic(Topic, frozen=True, tag="challenges"):
    """The challenges and rematches that one has offered and was offered."""


class OwnGamesTopic(Topic, frozen=True, tag="own_games"):
    """One's own games, invitations and what ended since one was here, in the words of a language."""

    language: Literal["fr", "en"] = "fr"


class TurnsTopic(Topic, frozen=True, tag="turns"):
    """One's turns at every table, with what may be done: the stream of a bot."""


class TournamentTopic(Topic, frozen=True, tag="tournament"):
    """A tournament, for whoever may see it: that something in it has changed."""

    tournament: Id


AnyTopic = (
    TableTopic | LobbyTopic | ChatTopic | FriendsTopic | NoticesTopic | QueueTopic | ChallengesTopic
    | OwnGamesTopic | TurnsTopic | TournamentTopic
)  # fmt: skip


# --- client to server -----------------------------------------------------------------------------------


class FromClient(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, kw_only=True):
    id: Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)] | ShortText | None = None


class Hello(FromClient, frozen=True, tag="hello"):
    """Who one is, where neither a header nor a cookie could say it; may be sent again with a new token."""

    token: Annotated[str, msgspec.Meta(max_length=500)]


class Subscribe(FromClient, frozen=True, tag="subscribe"):
    """Listen to a topic; the same topic again begins anew."""

    to: AnyTopic


class Unsubscribe(FromClient, frozen=True, tag="unsubscribe"):
    """Listen no longer."""

    to: AnyTopic


class Play(FromClient, frozen=True, tag="play"):
    """A move. Sent again with the same `request_id` it is answered again, and never played twice."""

    table: Id
    action: msgspec.Raw
    request_id: RequestId
    epoch: ShortText | None = None  # as `table` or `welcome` gave it: after a restore the move is refused


class Say(FromClient, frozen=True, tag="say"):
    """Say something in `global`, `table:12` or `private:7`; with a `request_id` only once."""

    channel: ShortText
    text: Annotated[str, msgspec.Meta(min_length=1, max_length=2000)]
    invitation: ShortText | None = None
    request_id: RequestId | None = None


class Ping(FromClient, frozen=True, tag="ping"):
    """Is anybody there? A page says whether it is `hidden`: then letters come as if it were closed."""

    hidden: bool | None = None


AnyFromClient = Hello | Subscribe | Unsubscribe | Play | Say | Ping


# --- server to client -----------------------------------------------------------------------------------


class FromServer(msgspec.Struct, frozen=True, tag_field="type", kw_only=True, omit_defaults=True):
    """What the house says."""


class Welcome(FromServer, frozen=True, tag="welcome"):
    """The first message, and the answer to `hello`."""

    account: int | None
    pseudo: str | None
    now: int
    house: str  # the version of the program
    name: str  # of the club
    build: str  # of the page that is served here, so that an open one knows when it is out of date
    epoch: str = ""  # of the database: another one after a restore


class Ok(FromServer, frozen=True, tag="ok"):
    """A message with nothing else to answer was obeyed."""

    id: int | str | None = None


class Pong(FromServer, frozen=True, tag="pong"):
    """The answer to `ping`, with the house's clock."""

    now: int
    id: int | str | None = None


class Failed(FromServer, frozen=True, tag="error"):
    """A message was refused; `request_id` is that of the refused move or words."""

    error: ErrorDetail
    id: int | str | None = None
    request_id: str | None = None


class Whole(FromServer, frozen=True, tag="table"):
    """All that this seat may know of a table: at subscription, where `since` is too old, after a restore."""

    table: int
    seat: int | None  # None: a spectator
    version: int
    now: int
    info: TableInfo
    view: Json
    legal: Json
    waiting: list[int]
    clocks: Json = None
    epoch: str = ""  # of the database that this comes from
    abortable: bool = False  # whether the game can still be called off without a mark


class Update(FromServer, frozen=True, tag="update"):
    """What one event told this seat: facts to show, and a JSON merge patch (RFC 7396) of the view."""

    table: int
    version: int
    at: int
    facts: list[Json]
    patch: Json
    legal: Json = None  # only when it changed
    waiting: list[int] | None = None  # only when it changed
    clocks: Json = None  # only where the table has clocks
    abortable: bool = False  # whether the game can still be called off without a mark


class Marked(FromServer, frozen=True, tag="marked"):
    """What one has marked for oneself alone, a flag say: no event, without version, in no history."""

    table: int
    facts: list[Json]
    patch: Json


class TableNews(FromServer, frozen=True, tag="info"):
    """Who sits where, who is here, the status and the result of a table one listens to."""

    info: TableInfo


class TableGone(FromServer, frozen=True, tag="gone"):
    """One may no longer listen to this table."""

    table: int


class Played(FromServer, frozen=True, tag="played"):
    """The move is durable; `version` is the seat's own, with this move in it."""

    table: int
    request_id: str
    version: int
    duplicate: bool
    id: int | str | None = None


class Lobby(FromServer, frozen=True, tag="lobby"):
    """All tables of the lobby, at subscription."""

    tables: list[TableInfo]


class LobbyNews(FromServer, frozen=True, tag="lobby_table"):
    """One table of the lobby is new or has changed."""

    info: TableInfo


class LobbyGone(FromServer, frozen=True, tag="lobby_gone"):
    """One table is in the lobby no longer."""

    table: int


class Said(FromServer, frozen=True, tag="message"):
    """Somebody said something in a channel one listens to."""

    message: Message


class Unsaid(FromServer, frozen=True, tag="message_gone"):
    """A message of a channel one listens to was taken away."""

    channel: str
    message: int


class SpokenNews(FromServer, frozen=True, tag="spoken"):
    """Something was said in a role, at a table one listens to, to all or to a role of one's own."""

    table: int
    spoken: SpokenShape


class Friends(FromServer, frozen=True, tag="friends"):
    """One's friends and requests, at subscription and when they change, with who is here."""

    friends: list[Friend]


class Noticed(FromServer, frozen=True, tag="notice"):
    """The newest notices and how many are unread."""

    notices: list[Notice]
    unread: int


class Queued(FromServer, frozen=True, tag="queue"):
    """One's place in the queue; `table` once an opponent is found."""

    queue: QueueStatus


class Challenged(FromServer, frozen=True, tag="challenges"):
    """One's challenges, at subscription and when they change; `table` of an accepted one is where to go."""

    challenges: list[ChallengeInfo]


class OwnGamesNews(FromServer, frozen=True, tag="own_games"):
    """One's own games, at subscription and when what one may know of them has changed."""

    own: OwnGames


class TournamentNews(FromServer, frozen=True, tag="tournament"):
    """Something that one may see of a tournament has changed: it is asked for anew over HTTP."""

    tournament: int
    status: str
    round: int  # the last that was published; 0 before the first
    open_boards: int  # of all rounds: those without a result


class Turn(FromServer, frozen=True, tag="turn"):
    """It is one's turn: the view, what may be done, and until when."""

    table: int
    seat: int
    version: int
    game: str
    variant: str
    view: Json
    legal: Json
    clocks: Json = None


class Ended(FromServer, frozen=True, tag="ended"):
    """A table at which one plays is over."""

    table: int
    seat: int
    result: Json


class Bye(FromServer, frozen=True, tag="bye"):
    """The house closes this connection; come back after so many milliseconds, with `since`."""

    reason: str
    back_in: int


AnyFromServer = (
    Welcome | Ok | Pong | Failed | Whole | Update | Marked | TableNews | TableGone | Played | Lobby
    | LobbyNews | LobbyGone | Said | Unsaid | SpokenNews | Friends | Noticed | Queued | Challenged
    | OwnGamesNews | TournamentNews | Turn | Ended | Bye
)  # fmt: skip


CLOSE_CODES = {
    1000: "The client closed, or the house closed after `bye`.",
    1008: "The Origin is not ours, and a cookie was used; or far too many pings or pieces of messages.",
    1009: "A message was larger than 64 KiB.",
    1012: "The house is stopping; come back.",
    4001: "The session has ended: refresh or log in again.",
    4003: "Twenty messages in a row were not understood.",
    4008: "The client did not read fast enough; come back with `since`.",
    4029: "Far too many messages, or too many connections from one address; come back later.",
}
"""With what code a connection is closed, and why."""
