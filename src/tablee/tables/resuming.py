"""Any step of a finished game as the beginning of a new one: unrated, without a clock, with robots."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablee.rules.contract import Seat
from tablee.tables.creating import TablePlan
from tablee.tables.errors import NotResumed, SeatNotThere
from tablee.tables.info import HouseTable

if TYPE_CHECKING:
    from tablee.tables.hall import Tables


# Why: docs/decisions.md#a-game-goes-on-by-its-facts
class Resuming:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def resume(
        self,
        info: HouseTable,
        viewpoint: Seat,
        step: int,
        account_id: int,
        seat: Seat,
        robot: str | None = None,
    ) -> HouseTable:
        """A table of somebody's own at which a finished game goes on from a step, he in this seat.

        Steps are counted as `viewpoint` was told them. In the other seats sit robots: of this strength, or as
        strong as those that sat there.

        Raises NotResumed, SeatNotThere, NoSuchGame, NoSuchRobot, TooManyTables.
        """
        rules = self._tables.offered(info.game, info.variant)
        if not rules.resumes or not rules.robots:
            raise NotResumed()
        if info.status != "over":
            raise NotResumed("not_over_yet")
        sat = {taken.seat: taken for taken in info.seats}
        if seat not in sat:
            raise SeatNotThere(seat=seat)
        if rules.keeps_secrets and sat[seat].account_id != account_id:
            raise NotResumed("others_secrets")
        found = await self._tables.history.facts_until(info, viewpoint, step)
        if found is None or rules.result(found[1]) is not None:
            raise NotResumed("nothing_left_to_play")
        options = msgspec.convert(info.options, rules.options_type)
        usual = next(iter(rules.robots))
        strengths = {each: robot or taken.robot or usual for each, taken in sorted(sat.items())}
        plan = TablePlan(
            info.game,
            info.variant,
            options,
            account_id,
            access="private",
            rated=False,
            seats=info.seats_most,
            name=info.name,
        )
        return await self._tables.creating.go_on(
            plan,
            {**strengths, seat: account_id},
            lambda people, at: rules.resumed(options, found[0], people, at),
        )
