"""Who speaks for which role of a game: its players by what was dealt, its master for role 0."""

from __future__ import annotations

from tablee.rules.contract import MASTER, Seat
from tablee.rules.diplomacy.game import DiplomacyState
from tablee.tables.live import LiveTable


def roles_at(live: LiveTable, account_id: int) -> tuple[int, ...]:
    """The roles of somebody in a game that has some: 0 first, where he is its master."""
    own: tuple[int, ...] = (MASTER,) if live.info.master_id == account_id else ()
    sitting, state = live.info.seat_of(account_id), live.state
    if sitting is not None and isinstance(state, DiplomacyState):
        own += state.roles_of(sitting.seat)
    return own


def roles_in(live: LiveTable, seat: Seat) -> tuple[int, ...]:
    """The roles that are played from a seat, in a game that has some."""
    return live.state.roles_of(seat) if isinstance(live.state, DiplomacyState) else ()


def account_of(live: LiveTable, role: int) -> int | None:
    """The person who has a role now; None where it is a robot's, nobody's, or there is no such role."""
    if role == MASTER:
        return live.info.master_id
    state = live.state
    if not isinstance(state, DiplomacyState):
        return None
    taken = live.info.at(state.holder(role))
    if taken is None or taken.robot is not None or taken.left_at is not None:
        return None
    return taken.account_id


def is_role(live: LiveTable, role: int) -> bool:
    """Whether somebody can be written to under this number."""
    if role == MASTER:
        return live.info.master_id is not None
    return isinstance(live.state, DiplomacyState) and 0 < role <= len(live.state.holders)


def speakers(live: LiveTable) -> dict[int, int]:
    """Everybody who has a role, the master with 0, by account: each with his first role."""
    found: dict[int, int] = {}
    state = live.state
    roles = len(state.holders) if isinstance(state, DiplomacyState) else 0
    for role in range(roles + 1):
        account_id = account_of(live, role)
        if account_id is not None:
            found.setdefault(account_id, role)
    return found
