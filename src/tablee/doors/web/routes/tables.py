"""Tables: the lobby, making one, sitting down, leaving, inviting, beginning."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Annotated, Any, Literal

import msgspec

from tablee.club.bounds import DESCRIPTION_MOST, TABLE_NAME_MOST
from tablee.club.limits import network
from tablee.tables import HouseTable, LobbyFilter, NoLink, NotHost, NotSeated, TablePlan, Terms
from tablee.tables.admission import Way
from tablee.tables.mastering import Change

from ..api.ask import Ask
from ..api.errors import Refusal
from ..api.registry import Body, Id, Invitation, Limit, Routes, Who
from ..shapes import Outcome, Shape, TableInfo
from ..tables.outcomes import outcomes_of
from ..tables.shapes import table_shape
from ..tables.visibility import must_see

Json = Any
routes = Routes("tables")

Word = Annotated[str, msgspec.Meta(max_length=60)]


class TableList(Shape, frozen=True):
    """Tables: of the lobby in its order, of one person the newest first."""

    tables: list[TableInfo]


class LobbyQuery(Body, frozen=True):
    game: Word | None = None
    variant: Word | None = None
    door: Word | None = None
    status: Literal["open", "running", "over", "all"] = "all"
    free: bool = False
    before: Id | None = None
    limit: Limit = 50


@routes.get("/tables", who=Who.ANYONE)
async def lobby(ask: Ask, query: LobbyQuery) -> TableList:
    """The lobby: open and running tables (`all`), or finished ones (`over`).

    What can be joined comes first, then games with people, then games of robots alone; each newest first.
    `free` leaves only those with a free seat. Tables for invited people are shown to those who are.
    """
    wanted = LobbyFilter(
        game=query.game,
        variant=query.variant,
        door=query.door,
        status=("open", "running") if query.status == "all" else (query.status,),
        with_free_seat=query.free,
        account_id=ask.account_id_if_any,
        before=query.before,
        limit=query.limit,
    )
    found = await ask.house.tables.lobby.listing(wanted)
    return TableList(tables=[table_shape(ask.house, info, ask.account_id_if_any) for info in found])


class MineQuery(Body, frozen=True):
    status: Literal["open", "running", "over", "now"] = "now"
    before: Id | None = None
    limit: Limit = 50


@routes.get("/account/tables")
async def my_tables(ask: Ask, query: MineQuery) -> TableList:
    """The tables where one sits: now (open and running), or those that are over."""
    status = ("open", "running") if query.status == "now" else (query.status,)
    found = await ask.house.tables.lobby.of_account(
        ask.account_id, status=status, before=query.before, limit=query.limit
    )
    return TableList(tables=[table_shape(ask.house, info, ask.account_id) for info in found])


class NewTerms(Body, frozen=True):
    mastered: bool | None = None
    description: Annotated[str, msgspec.Meta(max_length=DESCRIPTION_MOST)] | None = None
    anonymous: bool | None = None
    silent: bool | None = None
    manual: bool | None = None
    handed_on: bool | None = None
    fast: bool | None = None
    absences: bool | None = None
    extensions: bool | None = None
    access_code: Annotated[int, msgspec.Meta(ge=0, le=999_999_999)] | None = None
    reliability: Annotated[int, msgspec.Meta(ge=0, le=100)] | None = None
    regularity: Annotated[int, msgspec.Meta(ge=0, le=100)] | None = None
    performance: Annotated[int, msgspec.Meta(ge=0, le=10_000)] | None = None

    def given(self) -> dict[str, Any]:
        """Those that are named."""
        return {name: value for name, value in msgspec.structs.asdict(self).items() if value is not None}


class NewTable(Body, frozen=True):
    game: Word
    variant: Word
    options: dict[str, Json] = msgspec.field(default_factory=dict)
    access: Literal["open", "private", "invited"] = "open"
    time_control: dict[str, Json] | None = None
    rated: bool = True
    name: Annotated[str, msgspec.Meta(max_length=TABLE_NAME_MOST)] | None = None
    robots: Annotated[list[Word], msgspec.Meta(max_length=20)] = msgspec.field(default_factory=list)
    seats: Annotated[int, msgspec.Meta(ge=1, le=100)] | None = None
    join: bool = True
    terms: NewTerms = NewTerms()
    side: Word | None = None


@routes.post("/tables", status=201, refusals=(404, 409))
async def create_table(ask: Ask, body: NewTable) -> TableInfo:
    """Make a table and, unless `join` is false, sit down at it; robots are given by their strengths.

    `side` is what the first seat plays, where the game has sides: `white`, `black`, or `lot`.

    With `terms.mastered` one is its master instead: without a seat, to begin the game and to care for it.
    """
    ask.house.limits.take("web_create", ask.account_id)
    tables = ask.house.tables
    terms = Terms(**body.terms.given())
    name = _table_name(body.name)
    plan = TablePlan(
        body.game,
        body.variant,
        body.options,
        ask.account_id,
        access=body.access,
        time_control=body.time_control,
        rated=body.rated,
        door="web",
        name=name,
        robots=body.robots,
        seats=body.seats,
        people=None if body.join else (),
        terms=terms,
        side=body.side,
        unique_name=terms.mastered,
    )
    is_quick = not tables.creating.is_slow(plan)
    async with ask.house.turnstile.turn(network(ask.address)) if is_quick else nullcontext():
        info = await tables.creating.create(plan)
    return await shown_table(ask, info.id)


class TableChange(Body, frozen=True):
    name: Annotated[str, msgspec.Meta(max_length=TABLE_NAME_MOST)] | None = None
    variant: Word | None = None
    options: dict[str, Json] = msgspec.field(default_factory=dict)
    rated: bool | None = None
    terms: NewTerms = NewTerms()


@routes.patch("/tables/{table_id}", refusals=(403, 409))
async def change_table(ask: Ask, table_id: Id, body: TableChange) -> TableInfo:
    """Change what is given: all before the game begins, for the host; later what a master may change.

    A running game keeps its variant, its choices of rules, who knows whom and how roles were dealt.
    """
    await _see(ask, table_id, None)
    wanted = Change(
        name=_table_name(body.name),
        variant=body.variant,
        options=body.options,
        terms=body.terms.given(),
        rated=body.rated,
    )
    await ask.house.tables.mastering.change(table_id, ask.account_id, wanted)
    return await shown_table(ask, table_id)


def _table_name(name: str | None) -> str | None:
    if name is None or not name.strip():
        return None
    if not name.isprintable():
        raise Refusal("invalid", detail="a name has no control characters", at="$.name")
    return name.strip()


class SeeQuery(Body, frozen=True):
    invitation: Invitation | None = None


@routes.get("/tables/{table_id}", who=Who.ANYONE)
async def table(ask: Ask, table_id: Id, query: SeeQuery) -> TableInfo:
    """All about a table but the position; a private one needs its `invitation`, or a seat there."""
    info = await _see(ask, table_id, query.invitation)
    return await shown_table(ask, info.id)


class Joining(Body, frozen=True):
    invitation: Invitation | None = None
    seat: Annotated[int, msgspec.Meta(ge=1, le=1000)] | None = None
    access_code: Annotated[int, msgspec.Meta(ge=0, le=999_999_999)] | None = None


@routes.post("/tables/{table_id}/join", refusals=(403, 409))
async def join_table(ask: Ask, table_id: Id, body: Joining = Joining()) -> TableInfo:  # noqa: B008 - frozen
    """Sit down, in the seat asked for or in any; who sits there already stays."""
    await _see(ask, table_id, body.invitation)
    await ask.house.tables.sitting.join(
        table_id,
        ask.account_id,
        Way(invitation=body.invitation, access_code=body.access_code),
        seat=body.seat,
    )
    return await shown_table(ask, table_id)


@routes.post("/tables/{table_id}/leave", refusals=(403, 409))
async def leave_table(ask: Ask, table_id: Id) -> TableInfo:
    """Give one's seat up for good, which is resigning where the game has it."""
    await _see(ask, table_id, None)
    await ask.house.tables.sitting.leave(table_id, ask.account_id)
    return await shown_table(ask, table_id)


@routes.post("/tables/{table_id}/abort", refusals=(403, 409))
async def abort_game(ask: Ask, table_id: Id) -> TableInfo:
    """Call a game off as long as it is `abortable`: nobody has lost it, and nothing counts it.

    For either of two players; of more, for the host or the master.
    """
    await _see(ask, table_id, None)
    await ask.house.tables.aborting.abort(table_id, ask.account_id)
    return await shown_table(ask, table_id)


@routes.post("/tables/{table_id}/start", refusals=(403, 409))
async def start_table(ask: Ask, table_id: Id) -> TableInfo:
    """Begin the game of an open table; for its host."""
    await _see(ask, table_id, None)
    await ask.house.tables.creating.start(table_id, ask.account_id)
    return await shown_table(ask, table_id)


@routes.post("/tables/{table_id}/close", refusals=(403, 409))
async def close_table(ask: Ask, table_id: Id) -> TableInfo:
    """Clear away a table whose game has not begun; for its host."""
    await _see(ask, table_id, None)
    await ask.house.tables.creating.close(table_id, ask.account_id)
    return await shown_table(ask, table_id)


class Robot(Body, frozen=True):
    strength: Word
    seat: Annotated[int, msgspec.Meta(ge=1, le=1000)] | None = None


@routes.post("/tables/{table_id}/robots", refusals=(403, 409))
async def add_robot(ask: Ask, table_id: Id, body: Robot) -> TableInfo:
    """Let a robot take a free seat; for the host."""
    info = await _see(ask, table_id, None)
    _must_host(ask, info)
    await ask.house.tables.sitting.add_robot(table_id, body.strength, seat=body.seat)
    return await shown_table(ask, table_id)


class Replacement(Body, frozen=True):
    seat: Annotated[int, msgspec.Meta(ge=1, le=1000)]
    robot: Word | None = None
    invitation: Invitation | None = None
    access_code: Annotated[int, msgspec.Meta(ge=0, le=999_999_999)] | None = None


@routes.post("/tables/{table_id}/replace", refusals=(403, 409))
async def replace(ask: Ask, table_id: Id, body: Replacement) -> TableInfo:
    """Go on in a seat that somebody has left, or (with `robot`) let a robot go on in it.

    One must be admitted as for any seat, `access_code` and all; where there is a master, he gives it. A robot
    may be put into one's own seat, which is resigning, and by the host into a seat that was left. Whether
    one may go on for a robot that plays is the game's to say.
    """
    await _see(ask, table_id, body.invitation)
    way = Way(ask.account_id, body.invitation, body.access_code)
    await ask.house.tables.replacing.replace(table_id, body.seat, body.robot or ask.account_id, way)
    return await shown_table(ask, table_id)


class Guest(Body, frozen=True):
    pseudo: Annotated[str, msgspec.Meta(max_length=120)]


@routes.post("/tables/{table_id}/invite", refusals=(403, 409))
async def invite(ask: Ask, table_id: Id, body: Guest) -> None:
    """Invite somebody, who gets a notice; for whoever sits there, or made the table."""
    ask.house.limits.take("web_invite", ask.account_id)
    await _see(ask, table_id, None)
    club = ask.house.club
    guest = await club.accounts.by_pseudo(body.pseudo)
    await club.blocks.refuse_between(ask.account, guest)
    await ask.house.tables.sitting.invite(table_id, ask.account_id, guest.id)


class PutIn(Body, frozen=True):
    pseudo: Annotated[str, msgspec.Meta(max_length=120)]
    seat: Annotated[int, msgspec.Meta(ge=1, le=1000)] | None = None
    role: Annotated[int, msgspec.Meta(ge=1, le=100)] | None = None


@routes.post("/tables/{table_id}/seats", refusals=(403, 409))
async def put_in_seat(ask: Ask, table_id: Id, body: PutIn) -> TableInfo:
    """Put somebody in, or in a running game in the place of who has a `seat` or `role`; for the master."""
    ask.house.limits.take("web_invite", ask.account_id)
    info = await _see(ask, table_id, None)
    if info.master_id != ask.account_id:
        raise NotHost()
    club = ask.house.club
    guest = await club.accounts.by_pseudo(body.pseudo)
    await club.blocks.refuse_between(ask.account, guest)
    await ask.house.tables.mastering.put_in(table_id, ask.account_id, guest, body.seat, body.role)
    return await shown_table(ask, table_id)


class Deal(Body, frozen=True):
    roles: Annotated[dict[str, int], msgspec.Meta(max_length=100)]


@routes.post("/tables/{table_id}/deal", refusals=(403, 409))
async def deal_roles(ask: Ask, table_id: Id, body: Deal) -> TableInfo:
    """Say which seat plays which role, in place of the deal before; for the master of a `manual` game."""
    await _see(ask, table_id, None)
    if not all(role.isascii() and role.isdecimal() and len(role) < 4 for role in body.roles):
        raise Refusal("invalid", detail="roles are numbers", at="$.roles")
    roles = {int(role): seat for role, seat in body.roles.items()}
    await ask.house.tables.mastering.deal(table_id, ask.account_id, roles)
    return await shown_table(ask, table_id)


@routes.delete("/tables/{table_id}/seats/{seat}", refusals=(403, 409))
async def remove_from_seat(ask: Ask, table_id: Id, seat: Id) -> None:
    """Send somebody away before the game begins; later a robot where all come and go, or by the master."""
    await _see(ask, table_id, None)
    await ask.house.tables.sitting.remove(table_id, seat, ask.account_id)


class Link(Shape, frozen=True):
    """The way to a private table: send it to whoever shall come."""

    table: int
    invitation: str
    path: str


@routes.get("/tables/{table_id}/invitation", refusals=(403,))
async def invitation_link(ask: Ask, table_id: Id) -> Link:
    """The link of a table, for whoever sits there or made it; where people come by name there is none."""
    info = await _see(ask, table_id, None)
    if info.host_id != ask.account_id and info.seat_of(ask.account_id) is None:
        raise NotSeated()
    if info.access == "invited":
        raise NoLink()
    return _link(info)


@routes.post("/tables/{table_id}/invitation", refusals=(403, 409))
async def renew_invitation_link(ask: Ask, table_id: Id) -> Link:
    """A new link for a private table, for its host; the old one is dead, and who looked on by it is out."""
    await _see(ask, table_id, None)
    return _link(await ask.house.tables.sitting.renew_link(table_id, ask.account_id))


def _link(info: HouseTable) -> Link:
    return Link(
        table=info.id, invitation=info.invitation, path=f"/tables/{info.id}?invitation={info.invitation}"
    )


class Results(Shape, frozen=True):
    """How a game ended, and what it meant to each player."""

    table: int
    status: str
    result: Json
    outcomes: list[Outcome]


@routes.get("/tables/{table_id}/results", who=Who.ANYONE)
async def results(ask: Ask, table_id: Id, query: SeeQuery) -> Results:
    """The result with ranks, scores and rating changes; null and empty while the game goes on."""
    info = await _see(ask, table_id, query.invitation)
    shape = table_shape(ask.house, info, ask.account_id_if_any)
    return Results(
        table=table_id,
        status=info.status,
        result=shape.result,
        outcomes=await outcomes_of(ask.house.store, info, ask.account_id_if_any),
    )


async def _see(ask: Ask, table_id: int, invitation: str | None) -> HouseTable:
    return await must_see(ask.house, table_id, ask.account_id_if_any, invitation, ask.is_administrator)


async def shown_table(ask: Ask, table_id: int) -> TableInfo:
    """A table as who asks may see it, with who is there."""
    info = await ask.house.tables.info(table_id)
    present = await ask.house.tables.presence.present(table_id)
    return table_shape(ask.house, info, ask.account_id_if_any, present)


def _must_host(ask: Ask, info: HouseTable) -> None:
    if info.host_id != ask.account_id:
        raise NotHost()
