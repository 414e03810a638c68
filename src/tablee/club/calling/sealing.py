"""Push messages that only one browser can read (RFC 8291, RFC 8188), signed by the house (RFC 8292).

What `cryptography` brings is loaded when the first device appears, beside the event loop: most houses start
without it, and nobody waits for it.
"""

from __future__ import annotations

import asyncio
import secrets
import struct
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from tablee.clock import Instant
from tablee.club import base64url
from tablee.store import Store
from tablee.store.keys import shared_key

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey, EllipticCurvePublicKey

POINT = 65
"""Bytes of a public key: a point of the curve P-256, uncompressed."""
SECRET = 16
RECORD = 4096
"""The one record of a message, which no push service lets be larger."""
HEADER = 16 + 4 + 1 + POINT
TAG = 16
STEP = 256
"""Messages are filled up to a multiple of so many bytes: their length tells the push service little."""
PLAIN_MOST = (RECORD - HEADER - TAG) // STEP * STEP - 1
SIGNED_FOR = 12 * 3_600_000
"""A signature is good for so long; push services allow a day."""


class BrowserKeys(msgspec.Struct, frozen=True):
    """What a browser gives for messages to itself: a point of the curve P-256, and a secret."""

    p256dh: bytes
    auth: bytes

    @staticmethod
    def read(p256dh: str, auth: str) -> BrowserKeys:
        """From base64url. Raises ValueError for what is no point of the curve, or no such secret."""
        keys = BrowserKeys(base64url.read(p256dh), base64url.read(auth))
        if len(keys.p256dh) != POINT or len(keys.auth) != SECRET:
            raise ValueError("the keys of a browser have 65 and 16 bytes")
        _point(keys.p256dh)
        return keys


# Why: docs/decisions.md#push-is-sealed-by-the-house-itself
def seal(
    plain: bytes,
    keys: BrowserKeys,
    *,
    step: int = STEP,
    salt: bytes = b"",
    own: EllipticCurvePrivateKey | None = None,
) -> bytes:
    """The body of a push message. Salt and key are new for every message, unless a test gives them."""
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    if len(plain) > PLAIN_MOST:
        raise ValueError(f"a push message has at most {PLAIN_MOST} bytes")
    salt = salt or secrets.token_bytes(16)
    own = own or _made()
    public = _bytes(own)
    shared = own.exchange(ec.ECDH(), _point(keys.p256dh))
    secret = _derived(shared, keys.auth, b"WebPush: info\0" + keys.p256dh + public, 32)
    key = _derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(secret, salt, b"Content-Encoding: nonce\0", 12)
    header = salt + struct.pack("!IB", RECORD, POINT) + public
    record = plain + b"\x02"
    return header + AESGCM(key).encrypt(nonce, record + bytes(-len(record) % step), None)


class PushKey:
    """The key by which push services know the house, the same on all nodes and for ever.

    A browser takes messages only from whom it was asked by, so that another key would silence every device.
    """

    def __init__(self, store: Store, contact: str) -> None:
        self._store = store
        self._contact = contact
        self._own: EllipticCurvePrivateKey | None = None

    async def public(self) -> str:
        """The public key, base64url: what a browser asks for messages with."""
        return base64url.shown(_bytes(await self._key()))

    async def signature(self, endpoint: str, now: Instant) -> str:
        """The header by which a push service knows who sends, good there and nowhere else."""
        own, parts = await self._key(), urlsplit(endpoint)
        claims = {
            "aud": f"{parts.scheme}://{parts.netloc}",
            "exp": (now + SIGNED_FOR) // 1000,
            "sub": self._contact,
        }
        said = ".".join(
            base64url.shown(msgspec.json.encode(part)) for part in ({"typ": "JWT", "alg": "ES256"}, claims)
        )
        token = f"{said}.{base64url.shown(_signed(own, said.encode()))}"
        return f"vapid t={token}, k={await self.public()}"

    async def _key(self) -> EllipticCurvePrivateKey:
        if self._own is None:
            await asyncio.to_thread(_load)
            from cryptography.hazmat.primitives.asymmetric import ec

            made = _made().private_numbers().private_value
            kept = await shared_key(self._store, "push", base64url.shown(made.to_bytes(32, "big")))
            self._own = ec.derive_private_key(int.from_bytes(base64url.read(kept), "big"), ec.SECP256R1())
        return self._own


def _load() -> None:
    """Have all of `cryptography` that is used here in memory."""
    seal(b"", BrowserKeys(_bytes(own := _made()), bytes(SECRET)))
    _signed(own, b"")


def _made() -> EllipticCurvePrivateKey:
    from cryptography.hazmat.primitives.asymmetric import ec

    return ec.generate_private_key(ec.SECP256R1())


def _signed(own: EllipticCurvePrivateKey, said: bytes) -> bytes:
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

    r, s = decode_dss_signature(own.sign(said, ec.ECDSA(hashes.SHA256())))
    return r.to_bytes(32, "big") + s.to_bytes(32, "big")


def _point(content: bytes) -> EllipticCurvePublicKey:
    from cryptography.hazmat.primitives.asymmetric import ec

    return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), content)


def _bytes(own: EllipticCurvePrivateKey) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return own.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)
