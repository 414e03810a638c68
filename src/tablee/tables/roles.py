"""Who speaks for which role of a game: its players by what was dealt, its master for role 0."""

from __future__ import annotations

from tablee.rules.contract import MASTER, Seat
from tablee.tables.loaded import LoadedTable


def roles_at(loaded: LoadedTable, account_id: int) -> tuple[int, ...]:
    """The roles of somebody in a game that has some: 0 first, where he is its master."""
    own: tuple[int, ...] = (MASTER,) if loaded.info.master_id == account_id else ()
    sitting = loaded.info.seat_of(account_id)
    return own if sitting is None else own + roles_in(loaded, sitting.seat)


def roles_in(loaded: LoadedTable, seat: Seat) -> tuple[int, ...]:
    """The roles that are played from a seat, in a game that has some."""
    return tuple(role for role, holder in enumerate(holders(loaded), 1) if holder == seat)


def holders(loaded: LoadedTable) -> tuple[Seat, ...]:
    """Who plays each role, from role 1 on; nobody before the game has begun."""
    return () if loaded.state is None else loaded.rules.holders(loaded.state)


def holder_of(loaded: LoadedTable, role: int) -> Seat | None:
    """The seat from which a role is played, MASTER where no player does; None where there is no such role."""
    return holders(loaded)[role - 1] if is_dealt(loaded, role) else None


def account_of(loaded: LoadedTable, role: int) -> int | None:
    """The person who has a role now; None where it is a robot's, nobody's, or there is no such role."""
    if role == MASTER:
        return loaded.info.master_id
    seat = holder_of(loaded, role)
    taken = None if seat is None else loaded.info.at(seat)
    if taken is None or taken.robot is not None or taken.left_at is not None:
        return None
    return taken.account_id


def is_role(loaded: LoadedTable, role: int) -> bool:
    """Whether somebody can be written to under this number."""
    return loaded.info.master_id is not None if role == MASTER else is_dealt(loaded, role)


def is_dealt(loaded: LoadedTable, role: int) -> bool:
    return 0 < role <= len(holders(loaded))


def speakers(loaded: LoadedTable) -> dict[int, int]:
    """Everybody who has a role, the master with 0, by account: each with his first role."""
    found: dict[int, int] = {}
    for role in range(len(holders(loaded)) + 1):
        account_id = account_of(loaded, role)
        if account_id is not None:
            found.setdefault(account_id, role)
    return found
