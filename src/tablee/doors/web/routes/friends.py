"""Friends: asked, accepted, refused, called off, parted with."""

from __future__ import annotations

from typing import Annotated

import msgspec

from tablee.club.scopes import Scope

from ..api.ask import Ask
from ..api.registry import Body, Id, Routes, Who
from ..people.circles import circle_of
from ..shapes import Friend, Shape

routes = Routes("friends")


class FriendList(Shape, frozen=True):
    """Friends and requests, both ways."""

    friends: list[Friend]


@routes.get("/friends", who=Who.MEMBER)
async def friends(ask: Ask) -> FriendList:
    """One's friends, with who is here, and the requests sent and received."""
    return FriendList(friends=await circle_of(ask.house, ask.account_id))


class FriendRequest(Body, frozen=True):
    pseudo: Annotated[str, msgspec.Meta(max_length=200)]


class Asked(Shape, frozen=True):
    """What came of a request: asked, or friends at once if the other had asked already."""

    status: str


@routes.post("/friends", who=Who.MEMBER, scope=Scope.CHAT, refusals=(403, 404))
async def ask_friend(ask: Ask, body: FriendRequest) -> Asked:
    """Ask somebody to be friends."""
    club = ask.house.club
    whom = await club.accounts.by_pseudo(body.pseudo)
    return Asked(status=await club.friends.ask(ask.account, whom))


@routes.post("/friends/{account_id}/accept", who=Who.MEMBER, scope=Scope.CHAT, refusals=(403,))
async def accept_friend(ask: Ask, account_id: Id) -> None:
    """Accept a request that one has received."""
    club = ask.house.club
    await club.friends.accept(ask.account, await club.accounts.by_id(account_id))


@routes.post("/friends/{account_id}/refuse", who=Who.MEMBER, scope=Scope.CHAT, refusals=(403,))
async def refuse_friend(ask: Ask, account_id: Id) -> None:
    """Refuse a request that one has received."""
    club = ask.house.club
    await club.friends.refuse(ask.account, await club.accounts.by_id(account_id))


@routes.post("/friends/{account_id}/cancel", who=Who.MEMBER, scope=Scope.CHAT, refusals=(403,))
async def cancel_friend(ask: Ask, account_id: Id) -> None:
    """Call off a request that one has sent."""
    club = ask.house.club
    await club.friends.cancel(ask.account, await club.accounts.by_id(account_id))


@routes.delete("/friends/{account_id}", who=Who.MEMBER, scope=Scope.CHAT, refusals=(403,))
async def remove_friend(ask: Ask, account_id: Id) -> None:
    """Be friends no longer."""
    club = ask.house.club
    await club.friends.remove(ask.account, await club.accounts.by_id(account_id))
