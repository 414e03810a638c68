"""Who speaks for which role of a game: its players by what was dealt, its master for role 0."""

from __future__ import annotations

from tablee.rules.contract import MASTER, Seat
from tablee.tables.live import LiveTable


def roles_at(live: LiveTable, account_id: int) -> tuple[int, ...]:
    """The roles of somebody in a game that has some: 0 first, where he is its master."""
    own: tuple[int, ...] = (MASTER,) if live.info.master_id == account_id else ()
    sitting = live.info.seat_of(account_id)
    return own if sitting is None else own + roles_in(live, sitting.seat)


def roles_in(live: LiveTable, seat: Seat) -> tuple[int, ...]:
    """The roles that are played from a seat, in a game that has some."""
    return tuple(role for role, holder in enumerate(holders(live), 1) if holder == seat)


def holders(live: LiveTable) -> tuple[Seat, ...]:
    """Who plays each role, from role 1 on; nobody before the game has begun."""
    return () if live.state is None else live.rules.holders(live.state)


def holder_of(live: LiveTable, role: int) -> Seat | None:
    """The seat from which a role is played, MASTER where no player does; None where there is no such role."""
    return holders(live)[role - 1] if is_dealt(live, role) else None


def account_of(live: LiveTable, role: int) -> int | None:
    """The person who has a role now; None where it is a robot's, nobody's, or there is no such role."""
    if role == MASTER:
        return live.info.master_id
    seat = holder_of(live, role)
    taken = None if seat is None else live.info.at(seat)
    if taken is None or taken.robot is not None or taken.left_at is not None:
        return None
    return taken.account_id


def is_role(live: LiveTable, role: int) -> bool:
    """Whether somebody can be written to under this number."""
    return live.info.master_id is not None if role == MASTER else is_dealt(live, role)


def is_dealt(live: LiveTable, role: int) -> bool:
    return 0 < role <= len(holders(live))


def speakers(live: LiveTable) -> dict[int, int]:
    """Everybody who has a role, the master with 0, by account: each with his first role."""
    found: dict[int, int] = {}
    for role in range(len(holders(live)) + 1):
        account_id = account_of(live, role)
        if account_id is not None:
            found.setdefault(account_id, role)
    return found
