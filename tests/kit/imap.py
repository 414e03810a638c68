"""A small IMAP server on a free port of the loopback: one mailbox with folders, IDLE and MOVE."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress

USER, PASSWORD = "ordres@club.example", "s3same #1"


class ImapServer:
    """Keeps messages by folder; tests lay some into INBOX and look where they go."""

    def __init__(self, capabilities: str = "IMAP4rev1 IDLE MOVE UIDPLUS") -> None:
        self.capabilities = capabilities
        self.folders: dict[str, dict[int, bytes]] = {"INBOX": {}}
        self.logins = 0
        self.idling = 0
        self._next = 1
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._idle: set[asyncio.StreamWriter] = set()

    async def start(self) -> str:
        """Listen; gives the URL of the mailbox."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=1 << 22)
        port = self._server.sockets[0].getsockname()[1]
        return f"imap://ordres%40club.example:s3same%20%231@127.0.0.1:{port}/INBOX"

    async def stop(self) -> None:
        assert self._server is not None
        self._server.close()
        for writer in self._writers:
            writer.close()

    def receive(self, raw: bytes, *, tell: bool = True) -> None:
        """A message comes; whoever is idle is told unless the server is lazy."""
        self.folders["INBOX"][self._next] = raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
        self._next += 1
        for writer in self._idle if tell else ():
            writer.write(f"* {len(self.folders['INBOX'])} EXISTS\r\n".encode())

    def __getitem__(self, folder: str) -> list[bytes]:
        return list(self.folders.get(folder, {}).values())

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        writer.write(f"* OK [CAPABILITY {self.capabilities}] ready\r\n".encode())
        with suppress(ConnectionError, RuntimeError, asyncio.IncompleteReadError):
            while line := await reader.readline():
                tag, _, command = line.decode().strip().partition(" ")
                if command.upper().startswith("LOGIN") and PASSWORD not in command:
                    writer.write(f"{tag} NO wrong\r\n".encode())
                    continue
                if command.upper() == "IDLE":
                    await self._be_idle(reader, writer)
                elif command.upper() == "LOGOUT":
                    writer.write(f"* BYE\r\n{tag} OK done\r\n".encode())
                    break
                else:
                    writer.write(self._answer(command))
                writer.write(f"{tag} OK done\r\n".encode())
                await writer.drain()
        self._writers.discard(writer)
        writer.close()

    async def _be_idle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"+ idling\r\n")
        self._idle.add(writer)
        self.idling += 1
        try:
            await reader.readline()  # DONE
        finally:
            self._idle.discard(writer)

    def _answer(self, command: str) -> bytes:
        inbox = self.folders["INBOX"]
        words = command.split(" ")
        match [word.upper() for word in words[:2]]:
            case ["LOGIN", *_]:
                self.logins += 1
            case ["CAPABILITY", *_]:
                return f"* CAPABILITY {self.capabilities}\r\n".encode()
            case ["CREATE", *_]:
                self.folders.setdefault(words[1].strip('"'), {})
            case ["SELECT", *_]:
                return f"* {len(inbox)} EXISTS\r\n".encode()
            case ["UID", "SEARCH"]:
                return f"* SEARCH {' '.join(map(str, inbox))}\r\n".encode()
            case ["UID", "FETCH"] if int(words[2]) in inbox:
                raw, place = inbox[int(words[2])], list(inbox).index(int(words[2])) + 1
                if "SIZE" in command:
                    return f"* {place} FETCH (UID {words[2]} RFC822.SIZE {len(raw)})\r\n".encode()
                return f"* {place} FETCH (UID {words[2]} BODY[] {{{len(raw)}}}\r\n".encode() + raw + b")\r\n"
            case ["UID", "MOVE" | "COPY" as how]:
                found = re.search(r'(\d+) "([^"]+)"', command)
                assert found is not None
                self.folders[found[2]][int(found[1])] = inbox[int(found[1])]
                if how == "MOVE":
                    del inbox[int(found[1])]
                    return b"* 1 EXPUNGE\r\n"
            case ["UID", "STORE"]:
                inbox.pop(int(words[2]))
        return b""
