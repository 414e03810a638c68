"""The tournaments of the house: the one way in for doors."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from tablee.club.people import Account
from tablee.tables import Tables
from tablee.tournaments import rows
from tablee.tournaments.acts import TournamentState
from tablee.tournaments.adopting import Adopting
from tablee.tournaments.championship.office import Championships
from tablee.tournaments.entering import Entering
from tablee.tournaments.errors import NoSuchTournament
from tablee.tournaments.logbook import Logbook, public_fact
from tablee.tournaments.matches import Matches
from tablee.tournaments.planning import Planning
from tablee.tournaments.prizes import Prizes
from tablee.tournaments.publishing import Publishing
from tablee.tournaments.results import Results
from tablee.tournaments.rights import organises
from tablee.tournaments.running import Running
from tablee.tournaments.standings import Line
from tablee.tournaments.substituting import Substituting
from tablee.tournaments.timekeeping import Timekeeping


class Tournaments:
    """All of them, as this node sees them, and what members and organisers do there."""

    def __init__(self, tables: Tables) -> None:
        self._book = book = Logbook(tables)
        planning, entering, running = Planning(book), Entering(book), Running(book)
        self.matches = Matches(book)
        self.championships = Championships(book)
        self.adopting, self.prizes = Adopting(book), Prizes(book)
        publishing, results = Publishing(book), Results(book, self.matches)
        self.state, self.boards, self.lines = book.state, book.boards, book.lines
        self.create, self.change, self.announce = planning.create, planning.change, planning.announce
        self.name_organiser, self.dismiss_organiser = planning.name_organiser, planning.dismiss_organiser
        self.enter, self.leave, self.go_away = entering.enter, entering.leave, entering.go_away
        self.open_check_in, self.check_in = entering.open_check_in, entering.check_in
        self.begin, self.cancel, self.end = running.begin, running.cancel, running.end
        self.pair, self.move, self.warnings = publishing.pair, publishing.move, publishing.warnings
        self.publish, self.undo = publishing.publish, publishing.undo
        self.substitute = Substituting(book).substitute
        self.set_result, self.penalise = results.set_result, entering.penalise
        self.timekeeping = Timekeeping(book, entering, running, publishing)
        tables.endings.also = results.game_ended

    async def seen(self, tournament_id: int, reader: Account | None) -> TournamentState:
        """The same for somebody: a draft is its organisers' alone. Raises NoSuchTournament."""
        return shown_to(await self._book.state(tournament_id), reader)

    async def standings(self, tournament_id: int) -> list[Line]:
        """Who stands where after the rounds so far; raises NoSuchTournament."""
        state, boards = await self._book.state(tournament_id), await self._book.boards(tournament_id)
        return self._book.lines(state, boards)

    async def log(
        self, tournament_id: int, for_organisers: bool
    ) -> list[tuple[int, int, int | None, list[Any]]]:
        """The log as it is read: drafts, and what of a plan is secret, are for organisers."""
        found = []
        for row in await self._book.store.rows(rows.ACTS, b_id=tournament_id, b_after=0):
            said = msgspec.json.decode(row.facts)
            if not for_organisers:
                said = [public_fact(fact) for fact in said if fact["is"] != "drafted"]
            if said:
                found.append((row.seq, row.at, row.account_id, said))
        return found

    async def drafts_of(self, organiser: Account) -> list[tuple[int, TournamentState]]:
        """What an organiser has not announced yet, the newest first."""
        found = [(row.id, await self._book.state(row.id)) for row in await self._book.store.rows(rows.DRAFTS)]
        return [(number, state) for number, state in found if organiser.id in state.organisers]

    async def listed(self, before: int, most: int) -> list[tuple[int, TournamentState]]:
        """The newest that were announced, with numbers below `before`."""
        found = await self._book.store.rows(rows.LISTED, b_before=before, b_most=most)
        return [(row.id, await self._book.state(row.id)) for row in found]


def shown_to(state: TournamentState, reader: Account | None) -> TournamentState:
    """What somebody may see of it: a draft is its organisers' alone. Raises NoSuchTournament."""
    if organises(state, reader):
        return state
    if state.status == "draft":
        raise NoSuchTournament()
    return replace(state, draft=None, draft_version=0)
