"""What a connection may listen to, and how each of these begins."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Protocol

import msgspec
from msgspec.structs import replace

from tablee.club.scopes import Scope
from tablee.rules.contract import SPECTATOR
from tablee.tournaments.boards import standing
from tablee.tournaments.errors import NoSuchTournament
from tablee.tournaments.office import shown_to
from tablee.tournaments.rights import organises

from ..api.errors import Refusal
from ..people.circles import circle_of
from ..shapes import notice_shape
from ..tables.challenging import challenges_of
from ..tables.queueing import queue_status
from ..tables.visibility import must_see
from ..talk.channels import house_channel
from .messages import (
    AnyTopic,
    Challenged,
    ChallengesTopic,
    ChatTopic,
    Friends,
    FriendsTopic,
    FromServer,
    LobbyTopic,
    Noticed,
    NoticesTopic,
    Ok,
    OwnGamesNews,
    OwnGamesTopic,
    Queued,
    QueueTopic,
    Say,
    TableTopic,
    TournamentNews,
    TournamentTopic,
    TurnsTopic,
)
from .playing import looking_on, seated
from .turns import Turns
from .watches import Interest

if TYPE_CHECKING:
    from tablee.club.people import Account

    from ..house import House
    from .connection import Connection

NOTICES_SHOWN = 20
GAMES_PAUSE = 1.0
"""Seconds between two looks at one's own games: a game in which much happens is not told twice over."""
TOURNAMENT_PAUSE = 1.0
"""The same of a tournament, in which many games end at once."""
_encode = msgspec.json.Encoder().encode


class Subscription(Protocol):
    """Something that is listened to until it is closed."""

    def close(self) -> None: ...


def key(topic: AnyTopic) -> str:
    """What makes two topics the same subscription."""
    match topic:
        case TableTopic(table=table, role=role):
            return f"table:{table}:{'spectator' if role == 'spectator' else 'seat'}"
        case ChatTopic(channel=channel):
            return f"chat:{channel}"
        case LobbyTopic(game=game):
            return f"lobby:{game or ''}"
        case TournamentTopic(tournament=tournament):
            return f"tournament:{tournament}"
        case _:
            return type(topic).__name__


async def subscribe(connection: Connection, topic: AnyTopic, id: int | str | None) -> Subscription:
    """Begin to listen: first `ok`, then all there is now, then every change."""
    match topic:
        case TableTopic():
            return await _table(connection, topic, id)
        case LobbyTopic():
            connection.send(Ok(id=id))
            return await connection.house.live.lobby.look(connection, topic.game)
        case ChatTopic():
            return await _chat(connection, topic, id)
        case FriendsTopic():
            return _friends(connection, id)
        case NoticesTopic():
            return _watched(connection, id, "notices", _notices)
        case QueueTopic():
            return _watched(connection, id, "queue", _queue)
        case ChallengesTopic():
            return _watched(connection, id, "challenges", _challenges)
        case OwnGamesTopic():
            return _own_games(connection, topic.language, id)
        case TournamentTopic():
            return await _tournament(connection, topic.tournament, id)
        case TurnsTopic():
            connection.require(Scope.PLAY)
            connection.send(Ok(id=id))
            return _TurnsHeard(connection)


async def say(connection: Connection, message: Say) -> None:
    """Say something in a channel."""
    house = connection.house
    account_id = connection.account_id
    assert connection.identity is not None
    channel = await house_channel(
        house, message.channel, account_id, connection.is_administrator, message.invitation
    )
    await house.club.messages.say(connection.identity.account, channel, message.text, message.request_id)


# --- tables ---------------------------------------------------------------------------------------------


async def _table(connection: Connection, topic: TableTopic, id: int | str | None) -> Subscription:
    house = connection.house
    account_id = None if connection.identity is None else connection.identity.account.id
    await must_see(house, topic.table, account_id, topic.invitation, connection.is_administrator)
    feed = await house.live.feed(topic.table)
    if topic.role == "seat":
        chair = await seated(house, topic.table, connection.account_id, connection.is_administrator)
    elif topic.role is None and account_id is not None:
        chair = await house.tables.chair_of(topic.table, account_id)
    else:
        chair = await looking_on(house, topic.table, account_id)
    connection.send(Ok(id=id))
    is_restored = topic.epoch is not None and topic.epoch != house.epoch
    listening = feed.listen(connection, chair, None if is_restored else topic.since, topic.invitation)
    # A token that only reads does not make its seat present: that may mean something to the game.
    identity = connection.identity
    if chair.seat != SPECTATOR and identity is not None and identity.may(Scope.PLAY):
        chair.stay()
        connection.keeps(chair)
    return listening


# --- chat -----------------------------------------------------------------------------------------------


async def _chat(connection: Connection, topic: ChatTopic, id: int | str | None) -> Subscription:
    house = connection.house
    account_id = None if connection.identity is None else connection.identity.account.id
    if topic.channel == "private":
        channel = f"private@{connection.account_id}"
    elif topic.channel.startswith("private:"):
        # One subscription for all of them: nobody wants to miss a message from somebody new.
        raise Refusal("not_found")
    else:
        channel = await house_channel(
            house, topic.channel, account_id, connection.is_administrator, topic.invitation
        )
    ear = await house.live.chatter.listen(channel, connection, topic.invitation)
    connection.send(Ok(id=id))
    return ear


# --- what is read anew when it changes --------------------------------------------------------------------


# Why: docs/decisions.md#sent-only-when-it-changed
class _Changes:
    """One thing as a connection was last told of it: the same text is not sent twice.

    Its moment would tell what the text does not say: that a friend came who keeps that to himself.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._last = b""

    def send(self, message: FromServer) -> None:
        text = _encode(message)
        if text != self._last:
            self._last = text
            self._connection.send_text(text.decode())


def _friends(connection: Connection, id: int | str | None) -> Subscription:
    house = connection.house
    account_id = connection.account_id
    changes = _Changes(connection)

    async def read() -> None:
        friends = await circle_of(house, account_id)
        interest = frozenset[Interest](
            ("account", each.person.id) for each in friends if each.status == "friends"
        )
        is_wider = not interest <= watch.interest
        house.live.watches.set_interest(watch, interest)
        if is_wider:
            # Whoever came before one began to listen for him is seen only by looking once more.
            friends = await circle_of(house, account_id)
        changes.send(Friends(friends=friends))

    watch = house.live.watches.add("friends", account_id, read)
    connection.send(Ok(id=id))
    watch.poke()
    return watch


def _watched(
    connection: Connection,
    id: int | str | None,
    what: str,
    ask: Callable[[House, int], Awaitable[FromServer]],
) -> Subscription:
    """What concerns somebody, asked for and told anew whenever it may have changed."""
    house = connection.house
    account_id = connection.account_id
    changes = _Changes(connection)

    async def read() -> None:
        changes.send(await ask(house, account_id))

    watch = house.live.watches.add(what, account_id, read)
    connection.send(Ok(id=id))
    watch.poke()
    return watch


async def _notices(house: House, account_id: int) -> Noticed:
    notices = await house.club.notices.list(account_id, limit=NOTICES_SHOWN)
    unread = await house.club.notices.unread(account_id)
    return Noticed(notices=[notice_shape(n) for n in notices], unread=sum(unread.values()))


async def _queue(house: House, account_id: int) -> Queued:
    return Queued(queue=await queue_status(house, account_id))


async def _challenges(house: House, account_id: int) -> Challenged:
    return Challenged(challenges=await challenges_of(house, account_id))


def _own_games(connection: Connection, language: str, id: int | str | None) -> Subscription:
    """One's own games; told anew when a table of one's own has moved, as far as one may know that."""
    house, watches = connection.house, connection.house.live.watches
    account_id = connection.account_id
    house.limits.take("web_own_games", account_id)
    changes = _Changes(connection)

    async def read() -> None:
        own = await house.live.own_games.of((account_id, language))
        mine = {game.table for game in own.games} | {offered.table for offered in own.invitations}
        tables = frozenset[Interest](("table", table) for table in mine)
        is_wider = not tables <= watch.interest
        watches.set_interest(watch, tables)
        changes.send(OwnGamesNews(own=own))
        if is_wider:
            watch.poke()  # what moved before one began to listen for it is seen only by looking once more

    watch = watches.add("own_games", account_id, read, pause=GAMES_PAUSE)
    connection.send(Ok(id=id))
    watch.poke()
    return watch


async def _tournament(connection: Connection, number: int, id: int | str | None) -> Subscription:
    """A tournament: told at subscription, and again when what one may see of it has changed.

    Raises NoSuchTournament.
    """
    house = connection.house
    last: object = None

    def reader() -> Account | None:
        return None if connection.identity is None else connection.identity.account

    async def read() -> None:
        nonlocal last
        state, boards = await house.live.tournaments.of(number)
        try:
            seen = shown_to(state, reader())
        except NoSuchTournament:
            return  # he organises this draft no longer
        # That organisers draft a round is nobody else's, not even the moment of it.
        now = (seen if organises(state, reader()) else replace(seen, seq=0, stuck=""), boards)
        if now != last:
            last = now
            open_boards = sum(board.result is None for board in standing(state, boards))
            connection.send(
                TournamentNews(
                    tournament=number,
                    status=seen.status,
                    round=len(seen.published),
                    open_boards=open_boards,
                )
            )

    await house.tournaments.seen(number, reader())
    watch = house.live.watches.add("tournament", number, read, pause=TOURNAMENT_PAUSE)
    connection.send(Ok(id=id))
    watch.poke()
    return watch


class _TurnsHeard:
    """The turns of an account over a WebSocket, each sent when the ones before are on their way."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._turns = Turns(connection.house, connection.account_id)
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def _run(self) -> None:
        while (message := await self._turns.next()) is not None:
            self._connection.send(message)
            await self._connection.drained()

    def close(self) -> None:
        self._turns.close()
        self._task.cancel()
