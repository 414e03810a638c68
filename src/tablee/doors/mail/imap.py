"""A rented mailbox: looked into by IMAP, told of new messages by IDLE, by one node at a time."""

from __future__ import annotations

import asyncio
import itertools
import re
import ssl
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from urllib.parse import unquote, urlsplit

import structlog
from aioimaplib import IMAP4, IMAP4_SSL
from aioimaplib.aioimaplib import AioImapException, Response

from tablee.doors.mail.desk import Verdict
from tablee.doors.mail.mime import SIZE_MOST
from tablee.store import Store, Unavailable
from tablee.store.leases import Lease
from tablee.store.units import Hint

log = structlog.get_logger("tablee.doors.mail")

LEASE = 60_000
LOOK_EVERY = 20.0
"""Seconds after which the mailbox is looked into, though nothing was told, and the lease is taken again."""
ANSWER_SECONDS = 20.0
AGAIN_FIRST, AGAIN_MOST = 2.0, 300.0
AT_ONCE = 100
HINT = "mailbox"
"""Between nodes: that one wants the mailbox read, and that it was read for it."""
WANTED, READ = "wanted", "read"
ASKED_AGAIN_SECONDS = 1.0
"""A hint may be lost."""


class BadMailbox(ValueError):
    """An address of a mailbox that is none, or a server that does not do what is asked."""


class Mailbox:
    """Obeys what lies in a folder of the mailbox, and lays it into `Lu` or `Refuse` of ours."""

    def __init__(
        self,
        url: str,
        folder: str,
        store: Store,
        lease: Lease,
        take: Callable[[bytes, Sequence[str], str | None], Awaitable[Verdict]],
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("imap", "imaps") or not parts.hostname or not parts.username:
            raise BadMailbox("a mailbox is imaps://user:password@host[:port][/folder]")
        self._host = parts.hostname
        self._port = parts.port or {"imap": 143, "imaps": 993}[parts.scheme]
        self._tls = parts.scheme == "imaps"
        self._user, self._password = unquote(parts.username), unquote(parts.password or "")
        self._inbox = unquote(parts.path.strip("/")) or "INBOX"
        self._folders = {Verdict.READ: f"{folder}/Lu", Verdict.REFUSED: f"{folder}/Refuse"}
        self._bus, self._node = store.bus, store.node_id
        self._lease = lease
        self._take = take
        self._task: asyncio.Task[None] | None = None
        self._wanted = asyncio.Event()
        self._waiters: list[asyncio.Future[None]] = []
        self._asked: dict[str, asyncio.Future[None]] = {}
        """What this node wants of the one that looks after the mailbox, by number."""
        self._numbers = itertools.count(1)
        self._unsubscribe: Callable[[], None] | None = None
        self._is_open = False
        self._stopping = False
        self._moves = True

    def start(self) -> None:
        self._unsubscribe = self._bus.subscribe(HINT, self._heard)
        self._task = asyncio.create_task(self._run(), name="tablee-mailbox")

    async def stop(self) -> None:
        self._stopping = True
        if self._unsubscribe is not None:
            self._unsubscribe()
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
            self._task = None
            with suppress(Unavailable):
                await self._lease.give_up()

    async def read(self) -> None:
        """Wait until all that lies there now is obeyed, here or by the node that looks after it.

        At once where nobody can look into it. Raises Unavailable.
        """
        if self._is_open:
            await self._obeyed()
        elif await self._lease.is_anothers():
            await self._read_elsewhere()

    def _obeyed(self) -> asyncio.Future[None]:
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiters.append(waiter)
        self._wanted.set()
        return waiter

    async def _read_elsewhere(self) -> None:
        number = str(next(self._numbers))
        answered = self._asked[number] = asyncio.get_running_loop().create_future()
        try:
            while not answered.done():
                self._bus.publish([Hint(HINT, f"{WANTED} {self._node}", number)])
                await asyncio.wait({answered}, timeout=ASKED_AGAIN_SECONDS)
                if not answered.done() and not await self._lease.is_anothers():
                    return  # who looked after it is gone
        finally:
            del self._asked[number]

    def _heard(self, key: int | str, number: int | str) -> None:
        what, _, node = str(key).partition(" ")
        if what == READ and node == str(self._node):
            answered = self._asked.get(str(number))
            if answered is not None and not answered.done():
                answered.set_result(None)
        elif what == WANTED and self._is_open:
            hint = Hint(HINT, f"{READ} {node}", number)
            self._obeyed().add_done_callback(lambda _: self._bus.publish([hint]))

    # --- looking after it -----------------------------------------------------------------------------------

    async def _run(self) -> None:
        pause = AGAIN_FIRST
        while not self._stopping:
            try:
                if await self._lease.take():
                    await self._look_after()
                    pause = AGAIN_FIRST
            except (OSError, TimeoutError, AioImapException, BadMailbox, Unavailable, ssl.SSLError) as error:
                log.warning("mailbox_away", host=self._host, error=str(error)[:200] or type(error).__name__)
                pause = min(2 * pause, AGAIN_MOST)
            except Exception:
                log.exception("mailbox_failed", host=self._host)
                pause = min(2 * pause, AGAIN_MOST)
            if not self._stopping:
                await asyncio.sleep(pause)

    async def _look_after(self) -> None:
        """Stay connected for as long as this node has the lease."""
        client = await self._connected()
        try:
            self._is_open = True
            while await self._lease.take():
                self._wanted.clear()
                waiters, self._waiters = self._waiters, []
                try:
                    await self._read_all(client)
                finally:
                    for waiter in waiters:
                        if not waiter.done():
                            waiter.set_result(None)
                if not self._wanted.is_set():
                    await self._wait(client)
        finally:
            self._is_open = False
            for waiter in self._waiters:
                if not waiter.done():
                    waiter.set_result(None)
            self._waiters.clear()
            # Without a farewell: on a connection that is lost already the library would wait for the answer.
            if client.protocol.transport is not None:
                client.protocol.transport.close()

    async def _connected(self) -> IMAP4:
        kind = IMAP4_SSL if self._tls else IMAP4
        client = kind(host=self._host, port=self._port, timeout=ANSWER_SECONDS)
        await client.wait_hello_from_server()
        _good(await client.login(self._user, self._password), "sign in")
        for folder in self._folders.values():
            await client.create(_quoted(folder))  # it may be there already
            await client.subscribe(_quoted(folder))
        _good(await client.select(_quoted(self._inbox)), "open the folder")
        self._moves = bool(client.has_capability("MOVE"))
        return client

    async def _wait(self, client: IMAP4) -> None:
        """Until the server tells of something, somebody wants it read, or it is time to look."""
        if not client.has_capability("IDLE"):
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wanted.wait(), LOOK_EVERY)
            return
        idle = await client.idle_start(timeout=2 * LOOK_EVERY)
        told = asyncio.ensure_future(client.wait_server_push(timeout=2 * LOOK_EVERY))
        wanted = asyncio.ensure_future(self._wanted.wait())
        try:
            await asyncio.wait({told, wanted}, timeout=LOOK_EVERY, return_when=asyncio.FIRST_COMPLETED)
        finally:
            told.cancel()
            wanted.cancel()
        if client.protocol.transport.is_closing():
            idle.cancel()
            raise OSError("the connection was lost")
        client.idle_done()
        await asyncio.wait_for(idle, ANSWER_SECONDS)

    # --- messages ---------------------------------------------------------------------------------------

    async def _read_all(self, client: IMAP4) -> None:
        found = _good(await client.uid_search("ALL"), "search")
        numbers = (
            [int(word) for word in bytes(found.lines[0]).split() if word.isdigit()] if found.lines else []
        )
        for number in sorted(numbers)[:AT_ONCE]:
            await self._move(client, number, await self._verdict(client, number))
        if len(numbers) > AT_ONCE:
            self._wanted.set()

    async def _verdict(self, client: IMAP4, number: int) -> Verdict:
        size = _good(await client.uid("fetch", str(number), "(RFC822.SIZE)"), "look at a message")
        told = re.search(rb"RFC822\.SIZE (\d+)", b" ".join(bytes(line) for line in size.lines))
        if told is not None and int(told[1]) > SIZE_MOST:
            return Verdict.REFUSED
        fetched = _good(await client.uid("fetch", str(number), "(BODY.PEEK[])"), "fetch a message")
        raw = next((bytes(line) for line in fetched.lines if isinstance(line, bytearray)), None)
        if raw is None:
            return Verdict.REFUSED
        try:
            return await self._take(raw, (), None)
        except Unavailable:
            raise
        except Exception:
            log.exception("mail_not_read")
            return Verdict.REFUSED

    async def _move(self, client: IMAP4, number: int, verdict: Verdict) -> None:
        folder = _quoted(self._folders[verdict])
        if self._moves:
            _good(await client.uid("move", str(number), folder), "move a message")
            return
        _good(await client.uid("copy", str(number), folder), "copy a message")
        _good(await client.uid("store", str(number), r"+FLAGS.SILENT (\Deleted)"), "delete a message")
        _good(await client.expunge(), "delete a message")


def _good(response: Response, what: str) -> Response:
    if response.result != "OK":
        raise BadMailbox(f"the server does not {what}: {str(response.lines[-1:])[:150]}")
    return response


def _quoted(folder: str) -> str:
    return '"' + folder.replace("\\", "").replace('"', "") + '"'
