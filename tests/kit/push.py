"""A push service of our own on the loopback, which reads what came as the browser would."""

from __future__ import annotations

import asyncio
import json
import secrets
import ssl
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, NamedTuple

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tablee.club import base64url

Json = Any


class Browser:
    """The keys of a browser that takes push messages, and the reading of what came for it."""

    def __init__(self, service: PushService) -> None:
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.secret = secrets.token_bytes(16)
        self.name = secrets.token_hex(16)
        self.endpoint = f"{service.url}/push/{self.name}"
        service.browsers[self.name] = self

    @property
    def public(self) -> bytes:
        return self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    @property
    def subscription(self) -> dict[str, str]:
        """What the page tells the house."""
        keys = {"p256dh": base64url.shown(self.public), "auth": base64url.shown(self.secret)}
        return {"endpoint": self.endpoint, **keys}

    def read(self, body: bytes) -> bytes:
        """What was sealed for this browser (RFC 8291, from the reader's side)."""
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        sender, record = body[21 : 21 + length], body[21 + length :]
        assert len(record) <= size
        point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        shared = self.private.exchange(ec.ECDH(), point)
        secret = _hkdf(shared, self.secret, b"WebPush: info\0" + self.public + sender, 32)
        key = _hkdf(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
        nonce = _hkdf(secret, salt, b"Content-Encoding: nonce\0", 12)
        plain = AESGCM(key).decrypt(nonce, record, None).rstrip(b"\0")
        assert plain.endswith(b"\x02")
        return plain[:-1]


class Message(NamedTuple):
    """One push message as it came, and as the browser reads it."""

    browser: Browser
    headers: dict[str, str]
    shown: Json
    size: int

    @property
    def claims(self) -> Json:
        """What the sender says of himself; raises InvalidSignature where his key did not sign it."""
        said = self.headers["authorization"]
        assert said.startswith("vapid t=")
        token, _, key = said.removeprefix("vapid t=").partition(", k=")
        text, _, signature = token.rpartition(".")
        raw = base64url.read(signature)
        r, s = int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big")
        public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), base64url.read(key))
        public.verify(encode_dss_signature(r, s), text.encode(), ec.ECDSA(hashes.SHA256()))
        return json.loads(base64url.read(text.partition(".")[2]))


class PushService:
    """Takes messages for its browsers. `answers` are the next statuses, then 201; 0 never answers."""

    def __init__(self) -> None:
        self.browsers: dict[str, Browser] = {}
        self.messages: list[Message] = []
        self.asked = 0
        self.answers: list[int] = []
        self.more_headers = ""
        self.url = ""
        self.machine = ""
        """As `--outside-allow` names it."""
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()

    async def start(self, tls: ssl.SSLContext | None = None) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=tls)
        port = self._server.sockets[0].getsockname()[1]
        self.machine = f"127.0.0.1:{port}"
        self.url = f"{'https' if tls else 'http'}://{self.machine}"

    async def stop(self) -> None:
        assert self._server is not None
        self._server.close()
        for writer in self._open:
            writer.close()
        await self._server.wait_closed()

    def shown_to(self, browser: Browser) -> list[Json]:
        return [message.shown for message in self.messages if message.browser is browser]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            first, *lines = head.strip().split("\r\n")
            headers = {
                name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)
            }
            body = await reader.readexactly(int(headers["content-length"]))
            self.asked += 1
            status = self.answers.pop(0) if self.answers else 201
            if status == 0:
                await reader.read()  # until whoever asked has had enough
                return
            browser = self.browsers.get(first.split()[1].rpartition("/")[2])
            if browser is None:
                status = 404
            elif status < 300:
                shown = json.loads(browser.read(body))
                self.messages.append(Message(browser, headers, shown, len(body)))
            answer = f"HTTP/1.1 {status} X\r\n{self.more_headers}Content-Length: 2\r\n\r\nno"
            writer.write(answer.encode())
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # whoever asked has gone
        finally:
            self._open.discard(writer)
            writer.close()


@asynccontextmanager
async def push_service(tls: ssl.SSLContext | None = None) -> AsyncIterator[PushService]:
    service = PushService()
    await service.start(tls)
    try:
        yield service
    finally:
        await service.stop()


@contextmanager
def push_service_aside() -> Iterator[PushService]:
    """The same in a loop and a thread of its own, where the test has no loop that goes on."""
    service, loop = PushService(), asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="push service")
    thread.start()
    asyncio.run_coroutine_threadsafe(service.start(), loop).result()
    try:
        yield service
    finally:
        asyncio.run_coroutine_threadsafe(service.stop(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def _hkdf(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)
