"""The round a second time, as plainly as the rules tell it: places as pairs, tile names read as words.

It shares nothing with the rules but the records of robots; the properties compare the two.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from tablee.rules.robots.floor import Mecha

Place = tuple[int, int]

WAYS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "O": (-1, 0)}
NOSES = {"North": "N", "East": "E", "South": "S", "West": "O"}
BEHIND = {"N": "S", "S": "N", "E": "O", "O": "E"}
RIGHT = {"N": "E", "E": "S", "S": "O", "O": "N"}
LEFT = {after: before for before, after in RIGHT.items()}
PUSHERS = {"pous_proue": "N", "pous_poupe": "S", "pous_babord": "O", "pous_tribord": "E"}
LETTERS = {letter: nose for nose, letter in NOSES.items()}


class SlowRobot:
    """A robot that is moved about."""

    def __init__(self, mecha: Mecha) -> None:
        self.mecha = mecha
        self.seat = mecha.seat
        self.place: Place = (mecha.x, mecha.y)
        self.nose = NOSES[mecha.azimuth]
        self.energy = mecha.energy
        self.laws = mecha.laws
        self.status = mecha.status
        self.frozen_in = mecha.frozen_in
        self.rank = mecha.rank
        self.arrived = mecha.arrived
        self.standbys = 0
        self.lost = False

    def result(self) -> Mecha:
        x, y = self.place
        return msgspec.structs.replace(
            self.mecha,
            x=x,
            y=y,
            azimuth=LETTERS[self.nose],
            energy=self.energy,
            laws=self.laws,
            status=self.status,
            frozen_in=self.frozen_in,
            rank=self.rank,
            arrived=self.arrived,
        )

    def fall(self, tile: str) -> bool:
        if tile == "nid2poule":
            self.energy = max(0, self.energy - 1)
            return True
        return False


class SlowRound:
    """A round on one board, by tile names at places."""

    def __init__(self, tiles: Mapping[Place, str], mechas: Sequence[Mecha]) -> None:
        self.tiles = tiles
        self.robots = [SlowRobot(mecha) for mecha in sorted(mechas, key=lambda mecha: mecha.seat)]

    def tile(self, place: Place) -> str:
        return self.tiles.get(place, "neutre")

    def walls(self, place: Place) -> str:
        kind, _, sides = self.tile(place).partition("_")
        return {"mur": sides, "murLaser": sides[:1]}.get(kind, "")

    def next(self, place: Place, way: str) -> Place | None:
        """The next place, None behind a wall or the edge."""
        there = place[0] + WAYS[way][0], place[1] + WAYS[way][1]
        if not (1 <= there[0] <= 12 and 1 <= there[1] <= 12):
            return None
        if way in self.walls(place) or BEHIND[way] in self.walls(there):
            return None
        return there

    def racing(self) -> list[SlowRobot]:
        return [robot for robot in self.robots if robot.status == "racing"]

    def on(self, place: Place | None) -> SlowRobot | None:
        return next((robot for robot in self.racing() if robot.place == place), None)

    def play(self, cartouches: Mapping[int, tuple[tuple[str, ...], ...]], round: int) -> tuple[Mecha, ...]:
        for register in range(1, 6):
            self.register(cartouches, round, register)
        self.end(round)
        return tuple(robot.result() for robot in self.robots)

    def register(
        self, cartouches: Mapping[int, tuple[tuple[str, ...], ...]], round: int, register: int
    ) -> None:
        for robot in self.robots:
            robot.lost = False
        number = (round - 1 + register - 1) % len(self.robots)
        for robot in self.robots[number:] + self.robots[:number]:
            given = cartouches.get(robot.seat, ())
            codes = given[register - 1] if len(given) >= register else ()
            if robot.status == "racing" and not robot.lost:
                for code in codes:
                    self.do(robot, code)
        self.conveyors()
        for robot in self.racing():
            robot.nose = {"pt_babord": LEFT, "pt_tribord": RIGHT}.get(
                self.tile(robot.place), {robot.nose: robot.nose}
            )[robot.nose]
        self.pushers()
        self.lasers()
        self.consequences(round, register)

    def do(self, robot: SlowRobot, code: str) -> None:
        if code == "Enrichment_Standby":
            robot.standbys += 1
        elif code == "Move_Ahead":
            self.shove(robot, robot.nose, first=True)
        elif code == "Move_Back":
            self.shove(robot, BEHIND[robot.nose], first=True)
        else:
            table = {"Move_90Right": RIGHT, "Move_90Left": LEFT}.get(code, BEHIND)
            robot.nose = table[robot.nose]

    def shove(self, robot: SlowRobot, way: str, first: bool = False) -> bool:
        """Move a robot and, before it, who is in its way; false where a wall forbids it."""
        there = self.next(robot.place, way)
        if there is None:
            return False
        other = self.on(there)
        if other is not None and not self.shove(other, way):
            return False
        robot.place = there
        if robot.fall(self.tile(there)) and not first:
            robot.lost = True
        return True

    def together(self, wanted: dict[int, Place]) -> dict[int, Place]:
        """Who moves where, by seat, of those whom tiles want to move."""
        places = {robot.seat: robot.place for robot in self.racing()}
        while True:
            staying = set()
            for seat, there in wanted.items():
                for other, place in places.items():
                    if other == seat:
                        continue
                    shares = wanted.get(other) == there
                    swaps = place == there and wanted.get(other) == places[seat]
                    blocked = place == there and other not in wanted
                    if shares or swaps or blocked:
                        staying.add(seat)
            if not staying:
                return wanted
            wanted = {seat: there for seat, there in wanted.items() if seat not in staying}

    def conveyors(self) -> None:
        wanted: dict[int, Place] = {}
        ways: dict[int, str] = {}
        for robot in self.racing():
            tile = self.tile(robot.place)
            if tile.startswith("conv_"):
                ways[robot.seat] = tile[-1]
                there = self.next(robot.place, tile[-1])
                if there is not None:
                    wanted[robot.seat] = there
        moved = self.together(wanted)
        for robot in self.racing():
            if robot.seat in moved:
                robot.place = moved[robot.seat]
                tile, way = self.tile(robot.place), ways[robot.seat]
                if tile.startswith("conv_"):
                    entries, exit = tile.removeprefix("conv_e").split("s")
                    if BEHIND[way] in entries and exit != way:
                        robot.nose = (RIGHT if RIGHT[way] == exit else LEFT)[robot.nose]
                robot.fall(tile)

    def pushers(self) -> None:
        wanted: dict[int, Place] = {}
        for robot in self.racing():
            way = PUSHERS.get(self.tile(robot.place))
            there = self.next(robot.place, way) if way else None
            if there is not None:
                wanted[robot.seat] = there
        moved = self.together(wanted)
        for robot in self.racing():
            if robot.seat in moved:
                robot.place = moved[robot.seat]
                robot.fall(self.tile(robot.place))

    def lasers(self) -> None:
        hits = []
        for place, tile in self.tiles.items():
            if tile.startswith("murLaser_"):
                lit: Place | None = place
                while lit is not None and self.on(lit) is None:
                    lit = self.next(lit, tile[-1])
                robot = self.on(lit)
                if robot is not None:
                    hits.append(robot)
        for robot in hits:
            robot.energy = max(0, robot.energy - 1)

    def consequences(self, round: int, register: int) -> None:
        before = sum(robot.status == "finished" for robot in self.robots)
        for robot in self.racing():
            if self.tile(robot.place) == f"loi_r{robot.laws + 1}":
                robot.laws += 1
            if robot.laws == 3:
                robot.status, robot.rank, robot.arrived = "finished", before + 1, (round, register)
            elif robot.energy == 0:
                robot.status, robot.frozen_in = "frozen", round
                x, y, azimuth = robot.mecha.start
                robot.place, robot.nose = (x, y), NOSES[azimuth]

    def end(self, round: int) -> None:
        for robot in self.racing():
            tile = self.tile(robot.place)
            gain = {"clef_1rep": 1, "clef_2rep": 2}.get(tile, 0) + (2 if robot.standbys == 5 else 0)
            robot.energy = min(7, robot.energy + gain)
        for robot in self.robots:
            if robot.status == "frozen" and robot.frozen_in < round:
                robot.place = self.free_near(robot.place)
                robot.status, robot.energy, robot.frozen_in = "racing", 4, 0

    def free_near(self, start: Place) -> Place:
        distance = {start: 0}
        queue = [start]
        for place in queue:
            for way in WAYS:
                there = self.next(place, way)
                if there is not None and there not in distance:
                    distance[there] = distance[place] + 1
                    queue.append(there)
        everywhere = [(x, y) for y in range(1, 13) for x in range(1, 13)]
        free = [place for place in everywhere if self.on(place) is None]
        return min(free, key=lambda place: (distance.get(place, 1000), place[1], place[0]))
