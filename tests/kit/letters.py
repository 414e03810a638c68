"""Every kind of letter by which the house calls somebody, each brought about as it is in life."""

from __future__ import annotations

from tests.kit.mail import House
from tests.kit.playing import play
from tests.kit.rooms import PASSWORD

from tablee.clock import HandClock
from tablee.club import Account
from tablee.club.calling.caller import TOGETHER
from tablee.club.letters import Letter
from tablee.rules.contract import CLOCK, Alarm
from tablee.rules.diplomacy.game import Save, Submit, Vote
from tablee.rules.diplomacy.model import Act, Order
from tablee.rules.diplomacy.variant import load_variant
from tablee.tables import TablePlan
from tablee.tables.terms import PLAIN, Terms
from tablee.tournaments.office import Tournaments
from tablee.tournaments.plan import Plan

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
ZONE = {code: zone for zone, code in enumerate(load_variant("standard").codes)}
FRANCE, ITALY, RUSSIA = 2, 4, 6


class Gallery:
    """One reader, France in a game by dates, and all that he is written."""

    def __init__(self, house: House, clock: HandClock) -> None:
        self.house = house
        self.clock = clock
        self.found: dict[str, Letter] = {}
        """By what each is about: a kind of the catalogue, or what is said within it."""
        self.people: list[Account] = []
        self.reader: Account

    async def fill(
        self,
        language: str = "fr",
        *,
        table: str = "Raspoutine",
        said: str = "Rendez-vous à Trieste ?\nJe viens avec deux armées.",
        terms: Terms = PLAIN,
    ) -> None:
        """Bring every letter about."""
        house = self.house
        options = {"calendar": True, "moves_days": 30, "grace": 24, "sharing": "none"}
        info, self.people = await house.europe(table, **options, terms=terms if terms.mastered else None)
        reader, _ = await house.club.accounts.change(self.people[FRANCE - 1], language=language)
        self.reader = reader
        await self._take("begun", 2 * MINUTE)
        await self._talk(info.id, said)
        await self._dates(info.id)
        await self._invitations(table)
        await self._cup()
        await self._safety()

    async def _take(self, name: str, leap: int) -> None:
        """Let so much time go by at one leap, and keep the letter that has come."""
        self.clock._now += leap
        before = len(await self._his())
        await self.house.club.caller.write_letters()
        came = (await self._his())[before:]
        assert len(came) == 1, f"{name}: {[letter.subject for letter in came]}"
        self.found[name] = came[0]

    async def _his(self) -> list[Letter]:
        return [letter for letter in await self.house.letters() if letter.to == self.reader.email]

    def _until_digest(self) -> int:
        now = self.clock.now()
        return self.house.club.preferences.next_minute(self.reader, now, 18 * 60) - now

    async def _talk(self, table_id: int, said: str) -> None:
        """Press alone, then with a private message in one digest."""
        house = self.house
        info = await house.tables.info(table_id)
        italy, russia = self.people[ITALY - 1], self.people[RUSSIA - 1]
        await house.tables.press.write_all(info, italy, ITALY, [FRANCE], said)
        await self._take("letter", self._until_digest())
        await house.tables.press.declare(info, russia, RUSSIA, said)
        await self._take("declaration", self._until_digest())
        friend = await house.member("Ami")
        await house.club.friends.ask(friend, self.reader)
        await self._take("friend_request", MINUTE)
        await house.club.friends.accept(self.reader, friend)
        channel = f"private:{min(friend.id, self.reader.id)}:{max(friend.id, self.reader.id)}"
        await house.club.messages.say(friend, channel, said)
        await self._take("message", self._until_digest())
        await house.tables.challenges.challenge(friend, self.reader, "chess", "classic")
        await self._take("challenge", TOGETHER)
        about = {"from_id": friend.id, "from": friend.pseudo, "game": "arena", "variant": "standard"}
        await house.club.notices.add(self.reader.id, "rematch", about)
        await self._take("rematch", TOGETHER)
        await house.club.messages.say(friend, channel, said)
        await house.tables.press.declare(info, russia, RUSSIA, said)
        await self._take("digest", self._until_digest())

    async def _dates(self, table_id: int) -> None:
        """A date that comes near and passes, a phase that is resolved, and the end of the game."""
        tables = self.house.tables
        live = await tables.open(table_id)
        for role in (1, 3, 5, 6, 7):
            await play(tables, table_id, role, Submit(role))
        deadline = live.state.deadline  # type: ignore[union-attr]
        await self._take("deadline_near", deadline - DAY - self.clock.now())
        self.clock._now = deadline
        await play(tables, table_id, CLOCK, Alarm("deadline"))
        await self._take("late", MINUTE)
        paris = Order(FRANCE, Act.MOVE, ZONE["par"], 0, ZONE["bur"])
        await play(tables, table_id, FRANCE, Save(FRANCE, (paris,)))
        await play(tables, table_id, FRANCE, Submit(FRANCE, (paris,)))
        await play(tables, table_id, ITALY, Submit(ITALY))
        await self._take("resolved", 10 * MINUTE)
        for seat in range(1, 8):
            await play(tables, table_id, seat, Vote(draw=True))
        await self._take("over", 10 * MINUTE)

    async def _invitations(self, table: str) -> None:
        house = self.house
        host = await house.member("Hote")
        made = await house.tables.creating.create(
            TablePlan("diplomacy", "lagune", {}, host.id, name=table, seats=3)
        )
        await house.tables.sitting.invite(made.id, host.id, self.reader.id)
        await self._take("invited", 10 * MINUTE)
        about = {"table": made.id, "name": made.name, "game": made.game, "variant": made.variant}
        await house.club.notices.add(self.reader.id, "stand_in", about)
        await self._take("stand_in", 10 * MINUTE)
        plan = TablePlan(
            "diplomacy", "lagune", {}, host.id, name=table, seats=3, terms=Terms(mastered=True), people=()
        )
        mastered = await house.tables.creating.create(plan)
        await house.tables.mastering.put_in(mastered.id, host.id, self.reader, None, None)
        await self._take("seated", MINUTE)
        by_days = {"kind": "days", "days": 3}
        plan = TablePlan("chess", "classic", None, self.reader.id, time_control=by_days, name=table)
        chess = await house.tables.creating.create(plan)
        await house.tables.sitting.join(chess.id, host.id)
        await self._take("your_turn", 10 * MINUTE)

    async def _cup(self) -> None:
        office = Tournaments(self.house.tables)
        organiser = await self.house.member("Organisatrice")
        plan = Plan(name="Coupe du lundi", game="chess", variant="classic", format="swiss", rounds=3)
        number = await office.create(organiser, plan)
        await office.announce(organiser, number)
        await office.enter(self.reader, number)
        await self._take("tournament", 10 * MINUTE)

    async def _safety(self) -> None:
        club = self.house.club
        chief, _ = await club.roles.name_super("Cheffe", PASSWORD)
        await club.sessions.open(self.reader, address="192.0.2.7")
        await club.sessions.open(self.reader, address="198.51.100.7")
        await self._take("new_place", MINUTE)
        await club.sessions.act_as(chief, self.reader)
        await self._take("acting", MINUTE)
        await club.notices.add(self.reader.id, "session_stolen", {"label": "Firefox"})
        await self._take("session_stolen", MINUTE)
        await club.accounts.change(self.reader, by=chief.id, first_name="Léa")
        await self._take("changed", MINUTE)
        await club.roles.ban(chief, self.reader, self.clock.now() + DAY)
        await self._take("banned", MINUTE)
        await club.roles.lift_ban(chief, self.reader)
        await self._take("ban_lifted", MINUTE)
        await club.roles.name_administrator(chief, self.reader)
        await self._take("role", MINUTE)


SECURITY = ("new_place", "acting", "session_stolen", "role", "changed", "banned", "ban_lifted")
"""What is said of the safety of an account, which nobody can switch off."""


def kinds_in(gallery: Gallery) -> set[str]:
    """The kinds of the catalogue that a gallery shows."""
    within = {
        "friend_request": "invited", "challenge": "invited", "rematch": "invited", "stand_in": "invited",
        "seated": "begun", **dict.fromkeys(SECURITY, "security"),
    }  # fmt: skip
    return {within.get(name, name) for name in gallery.found} - {"digest"}
