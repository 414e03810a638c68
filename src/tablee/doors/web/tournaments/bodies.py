"""What the calls of tournaments have in common in what they are given."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from ..api.registry import Body, Id

RoundNumber = Annotated[int, Meta(ge=1, le=100, description="A round, from 1.")]
BoardNumber = Annotated[int, Meta(ge=1, le=5_000, description="A board of a round, from 1.")]
Request = Annotated[str, Meta(min_length=1, max_length=100, description="The same again: done once.")]
Reason = Annotated[str, Meta(min_length=1, max_length=300)]
Accounts = Annotated[tuple[Id, ...], Meta(max_length=5_000)]


class Once(Body, frozen=True):
    request_id: Request | None = None


ONCE = Once()


class WithReason(Body, frozen=True):
    reason: Reason
    request_id: Request | None = None
