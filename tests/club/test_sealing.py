"""Push messages are sealed as RFC 8291 says, and signed as RFC 8292 says."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from tests.kit.push import Browser, Message, PushService

from tablee.clock import HandClock
from tablee.club import base64url
from tablee.club.calling.sealing import PLAIN_MOST, RECORD, STEP, BrowserKeys, PushKey, seal
from tablee.store import Store

# The example of RFC 8291, appendix A.
PLAIN = b"When I grow up, I want to be a watermelon"
OWN = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
P256DH = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
SEALED = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w"
    "EqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def test_the_example_of_the_rfc_is_sealed_to_the_same_bytes() -> None:
    own = ec.derive_private_key(int.from_bytes(base64url.read(OWN), "big"), ec.SECP256R1())
    keys = BrowserKeys.read(P256DH, AUTH)
    assert base64url.shown(seal(PLAIN, keys, step=1, salt=base64url.read(SALT), own=own)) == SEALED


def test_a_browser_reads_what_was_sealed_for_it_and_no_two_messages_are_alike() -> None:
    browser = Browser(PushService())
    keys = BrowserKeys(browser.public, browser.secret)
    sealed = [seal(PLAIN, keys) for _ in range(2)]
    assert [browser.read(body) for body in sealed] == [PLAIN, PLAIN]
    assert sealed[0] != sealed[1]
    assert sealed[0][:16] != sealed[1][:16]


def test_messages_of_nearly_the_same_length_are_of_the_same_length_when_sealed() -> None:
    browser = Browser(PushService())
    keys = BrowserKeys(browser.public, browser.secret)
    lengths = {len(seal(b"x" * length, keys)) for length in (1, 100, STEP - 1)}
    assert len(lengths) == 1
    assert len(seal(b"x" * STEP, keys)) == lengths.pop() + STEP
    assert len(seal(b"x" * PLAIN_MOST, keys)) <= RECORD
    with pytest.raises(ValueError, match="at most"):
        seal(b"x" * (PLAIN_MOST + 1), keys)


@pytest.mark.parametrize(
    ("p256dh", "auth"),
    [
        ("", ""),
        (P256DH, ""),
        ("", AUTH),
        (P256DH[:-4], AUTH),
        (P256DH, AUTH + "AAAA"),
        (base64url.shown(b"\x04" + b"\x01" * 64), AUTH),  # no point of the curve
        (base64url.shown(b"\x04" + b"\x00" * 64), AUTH),  # nor is the origin
        (base64url.shown(b"\x00" * 65), AUTH),
        (base64url.shown(b"\x02" + base64url.read(P256DH)[1:33]), AUTH),  # compressed
        ("é" * 87, AUTH),
        (P256DH.replace("_", "\n"), AUTH),
        (P256DH, "=" * 22),
    ],
)
def test_keys_that_are_none_are_refused(p256dh: str, auth: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - whatever is wrong with them
        BrowserKeys.read(p256dh, auth)


async def test_a_signature_says_who_sends_to_which_service_and_until_when(
    store: Store, clock: HandClock
) -> None:
    key = PushKey(store, "mailto:club@exemple.fr")
    header = await key.signature("https://push.example.org:8443/send/abc?x=1", clock.now())
    message = Message(Browser(PushService()), {"authorization": header}, None, 0)
    assert message.claims == {
        "aud": "https://push.example.org:8443",
        "exp": clock.now() // 1000 + 12 * 3600,
        "sub": "mailto:club@exemple.fr",
    }
    assert header.endswith(f", k={await key.public()}")
    again = PushKey(store, "mailto:club@exemple.fr")
    assert await again.public() == await key.public(), "all nodes have the same key, for ever"
    assert len(base64url.read(await key.public())) == 65


def test_a_house_starts_without_loading_what_seals_messages() -> None:
    script = (
        "import sys, json, tablee.app; print(json.dumps([m for m in sys.modules if m == 'cryptography']))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == []


FIRST_DEVICE = """
import asyncio, json, sys, tempfile, threading
from tablee.club.calling.sealing import BrowserKeys, PushKey, seal
from tablee.store import open_store

found = []

def watch(event, given):
    if event == "import" and given[0].startswith("cryptography"):
        found.append((given[0], threading.current_thread() is threading.main_thread()))

async def main(folder):
    store = await open_store(f"sqlite:///{folder}/club.db")
    key = PushKey(store, "mailto:a@example.org")
    sys.addaudithook(watch)
    await key.signature("https://push.example/1", 0)
    seal(b"hello", BrowserKeys.read(*sys.argv[1:]))
    await store.close()

with tempfile.TemporaryDirectory() as folder:
    asyncio.run(main(folder))
in_loop = sorted({name for name, is_loop in found if is_loop})
print(json.dumps({"loaded": bool(found), "in_the_loop": in_loop}))
"""


def test_what_sealing_needs_is_not_loaded_in_the_loop() -> None:
    told = subprocess.check_output([sys.executable, "-c", FIRST_DEVICE, P256DH, AUTH], text=True)
    assert json.loads(told) == {"loaded": True, "in_the_loop": []}
