"""Push messages: which browsers of one's own take them, and trying one."""

from __future__ import annotations

from typing import Annotated

import msgspec

from tablee.club.calling.devices import Device
from tablee.club.outside import LONGEST_URL
from tablee.club.scopes import Scope

from ..api.ask import Ask
from ..api.registry import Body, Id, Routes, Who
from ..shapes import Shape

routes = Routes("push")

KEY_MOST = 120
"""Characters of a key of a browser in base64url; one has 87, the other 22."""
Key = Annotated[str, msgspec.Meta(max_length=KEY_MOST)]


class DeviceInfo(Shape, frozen=True):
    """A browser that takes push messages; its address is between it and the house."""

    id: int
    label: str
    made_at: int
    reached_at: int | None
    error: str | None
    """Why its push service has not taken the last message."""
    refused: bool
    """Whether nothing more is sent to it, until it asks anew."""
    this: bool
    """Whether it is the one that asks."""


class Push(Shape, frozen=True):
    """What a browser needs to ask for push messages, and those of one's own that have."""

    key: str
    """The house's public key, base64url: `applicationServerKey`."""
    devices: list[DeviceInfo]


class NewDevice(Body, frozen=True):
    """A `PushSubscription` of the browser that one is signed in with."""

    endpoint: Annotated[str, msgspec.Meta(max_length=LONGEST_URL)]
    p256dh: Key
    auth: Key


@routes.get("/push", who=Who.MEMBER, scope=Scope.ACCOUNT)
async def push(ask: Ask) -> Push:
    """The key to ask for push messages with, and one's own devices that take them."""
    push = ask.house.club.push
    found = await push.devices.list(ask.account_id)
    return Push(key=await push.key.public(), devices=[_shown(ask, device) for device in found])


@routes.post("/push/devices", who=Who.MEMBER, scope=Scope.ACCOUNT, status=201)
async def add_device(ask: Ask, body: NewDevice) -> Push:
    """Let the browser that asks take push messages, until one signs out there."""
    given = (body.endpoint, body.p256dh, body.auth)
    await ask.house.club.push.devices.put(ask.account_id, _session(ask), *given)
    return await push(ask)


@routes.delete("/push/devices/{device_id}", who=Who.MEMBER, scope=Scope.ACCOUNT)
async def remove_device(ask: Ask, device_id: Id) -> None:
    """Send nothing more to a device of one's own."""
    await ask.house.club.push.devices.remove(ask.account_id, device_id)


@routes.post("/push/devices/{device_id}/trial", who=Who.MEMBER, scope=Scope.ACCOUNT, refusals=(403,))
async def try_device(ask: Ask, device_id: Id) -> None:
    """Send a push message to a device of one's own at once."""
    club = ask.house.club
    device = await club.push.devices.of(ask.account_id, device_id)
    club.limits.take("push_trial", ask.account_id)
    await club.push.sender.try_out(device)


def _session(ask: Ask) -> int:
    assert ask.identity is not None
    return ask.identity.session.id


def _shown(ask: Ask, device: Device) -> DeviceInfo:
    return DeviceInfo.of(device, this=device.id == _session(ask))
