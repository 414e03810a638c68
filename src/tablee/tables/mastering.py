"""What the master of a game does to its table: change its terms, take it away."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from tablee.club import Account
from tablee.rules.contract import MASTER, Action, Json, Rules, Seat
from tablee.store import Conflict, Duplicate, Hint, Unit, Write
from tablee.tables import rows
from tablee.tables.admission import Way
from tablee.tables.creating import name_key
from tablee.tables.errors import BadOptions, NameTaken, NotHost, Over, Started
from tablee.tables.info import HouseTable, SeatInfo
from tablee.tables.lobby import lobby_hint
from tablee.tables.roles import account_of, holder_of
from tablee.tables.submission import NOTHING, Attachment
from tablee.tables.terms import Terms, terms_row, write_terms

if TYPE_CHECKING:
    from tablee.tables.hall import Tables
    from tablee.tables.loaded import LoadedTable

TRIES = 20
ERASED = "erased"
TERMS = "terms"


class Change(msgspec.Struct, frozen=True):
    """What is to be another; None and what is not named stay."""

    name: str | None = None
    variant: str | None = None
    options: dict[str, Json] = {}
    terms: dict[str, Any] = {}
    rated: bool | None = None


class Mastering:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store

    async def change(self, table_id: int, by: int, wanted: Change) -> None:
        """The host changes his table: all before its game begins, its master later what does not hurt.

        Raises NotHost, Started, Over, BadOptions, NameTaken, Illegal, Conflict.
        """
        info = await self._tables.read_info(table_id)
        if by != info.host_id:
            raise NotHost()
        if info.status not in ("open", "running"):
            raise Over()
        terms = msgspec.structs.replace(info.terms, **wanted.terms)
        self._check_change(info, wanted, terms)
        name = wanted.name or info.name
        if info.status == "open":
            variant = wanted.variant or info.variant
            await self.change_open(
                info,
                name=name,
                variant=variant,
                options={**info.options, **wanted.options},
                terms=terms,
                rated=info.rated if wanted.rated is None else wanted.rated,
            )
            return
        loaded = await self._tables.open(table_id)
        before = None if loaded.state is None else loaded.rules.options_in_force(loaded.state)
        if before is None:
            raise Started()
        chosen = chosen_on(loaded.rules, {**msgspec.to_builtins(before), **wanted.options}, terms)
        action = loaded.rules.changing(chosen) if chosen != before else None
        await self.change_running(
            info, name=name, options=msgspec.to_builtins(chosen), terms=terms, action=action
        )

    def _check_change(self, info: HouseTable, wanted: Change, terms: Terms) -> None:
        fixed = ["mastered"] if info.status == "open" else ["mastered", "anonymous", "manual", "handed_on"]
        for term in fixed:
            if getattr(terms, term) != getattr(info.terms, term):
                raise BadOptions("term_fixed", term=term)
        terms.check(self._tables.rules(info.game, wanted.variant or info.variant).has_master)
        if info.terms.anonymous and not terms.anonymous and info.taken:
            raise BadOptions("anonymity_promised")
        if info.status == "open":
            return
        if info.master_id is None:
            raise Started()
        for term, now, then in (
            ("variant", info.variant, wanted.variant),
            ("rated", info.rated, wanted.rated),
        ):
            if then is not None and then != now:
                raise BadOptions("term_fixed", term=term)

    async def deal(self, table_id: int, by: int, roles: Mapping[int, int]) -> None:
        """The master says who plays what, by seat; raises NotHost, Started, BadOptions."""
        info = await self._tables.read_info(table_id)
        if by != info.master_id:
            raise NotHost()
        if info.status != "open":
            raise Started() if info.status == "running" else Over()
        if not info.terms.manual:
            raise BadOptions("not_manual")
        rules = self._tables.rules(info.game, info.variant)
        one_each = rules.one_role_each(msgspec.convert(info.options, rules.options_type))
        deal: dict[int, int] = {}
        for role, seat in sorted(roles.items()):
            taken = info.at(seat)
            twice = one_each and list(roles.values()).count(seat) > 1
            if taken is None or not 1 <= role <= rules.roles or twice:
                raise BadOptions("bad_deal_of_master", role=role, seat=seat)
            deal[role] = taken.account_id if taken.robot is None else -seat
        await self.set_terms(table_id, lambda terms: msgspec.structs.replace(terms, deal=deal))

    async def put_in(
        self, table_id: int, by: int, account: Account, seat: Seat | None, role: int | None
    ) -> SeatInfo:
        """The master puts somebody in, or in a running game in somebody's place; he gets a notice.

        Raises NotHost, Over, Full, SeatTaken, NotSeated, BadOptions, Illegal.
        """
        info = await self._tables.read_info(table_id)
        if by != info.master_id:
            raise NotHost()
        if account.is_robot:
            raise BadOptions("no_such_robot", strength="")
        if info.status == "open":
            if role is not None and not info.terms.manual:
                raise BadOptions("not_manual")
            taken = await self._tables.sitting.join(table_id, account.id, Way(by=by), seat=seat)
            if role is not None:
                kept = {each: place for each, place in info.dealt.items() if each != role}
                await self.deal(table_id, by, {**kept, role: taken.seat})
        elif info.status == "running":
            meant = await self._seat_of(info, seat, role)
            before = info.at(meant)
            if before is not None and before.account_id == account.id and before.left_at is None:
                return before
            taken = await self._tables.replacing.replace(table_id, meant, account.id, Way(by=by))
        else:
            raise Over()
        about = {"table": table_id, "game": info.name}
        await self._tables.club.notices.add(account.id, "seated", about)
        return taken

    async def attached_to(self, loaded: LoadedTable, seat: Seat, action: Action) -> Attachment:
        """What goes with an action: a player in whose place the master acts gets a notice."""
        if seat != MASTER or loaded.state is None:
            return NOTHING
        role = loaded.rules.acts_for(loaded.state, action)
        account_id = account_of(loaded, role) if role else None
        if account_id is None:
            return NOTHING
        notices = self._tables.club.notices
        about = {"table": loaded.info.id, "game": loaded.info.name, "role": role}
        return Attachment(
            writes=await notices.add_writes(account_id, "orders_corrected", about),
            hints=[notices.hint(account_id)],
        )

    async def _seat_of(self, info: HouseTable, seat: Seat | None, role: int | None) -> Seat:
        if seat is not None:
            return seat
        holder = holder_of(await self._tables.open(info.id), role or 0)
        if holder is None or holder < 1:
            raise BadOptions("role_without_player", role=role or 0)
        return holder

    async def change_open(
        self, info: HouseTable, *, name: str, variant: str, options: Json, terms: Terms, rated: bool
    ) -> None:
        """Change a table whose game has not begun; raises BadOptions, NameTaken, Started, Conflict."""
        same = variant == info.variant
        rules = (self._tables.rules if same else self._tables.offered)(info.game, variant)
        chosen = chosen_on(rules, options, terms)
        bounds = rules.seats(chosen)
        if len(info.taken) > bounds.most:
            raise BadOptions("full")
        change = _change(info, name, terms, msgspec.to_builtins(chosen)) | {
            "b_was_options": _text(info.options),
            "b_variant": variant,
            "b_rated": rated,
            "b_seats_least": bounds.least,
            "b_seats_most": bounds.most,
        }
        try:
            await self._commit([Write(rows.CHANGE_OPEN, change, expect=1)], info, name)
        except Conflict:
            now_is = await self._tables.read_info(info.id)
            raise Started() if now_is.status != "open" else Conflict("the table has changed") from None
        self._tables.forget_variant(info.id)

    async def change_running(
        self, info: HouseTable, *, name: str, options: Json, terms: Terms, action: Action | None
    ) -> None:
        """Change a table whose game runs and play what its master does, both or neither.

        Raises Illegal, NameTaken, Over, Conflict.
        """
        write = Write(rows.CHANGE_RUNNING, _change(info, name, terms, options), expect=1)
        if action is not None and await self._play(info, action, write, name):
            return
        try:
            await self._commit([write], info, name)
        except Conflict:
            # The last move may just have ended the game; then there is nothing left to change.
            if (await self._tables.read_info(info.id)).status == "running":
                raise

    async def _play(self, info: HouseTable, action: Action, write: Write, name: str) -> bool:
        """Play as MASTER what is written with the event; answers whether there was one."""
        loaded = await self._tables.open(info.id)
        attached = Attachment(writes=[write], hints=[lobby_hint(info.id, TERMS)])
        try:
            outcome = await self._tables.submit(loaded, MASTER, action, attached=attached)
        except Duplicate:
            raise NameTaken(name=name) from None
        if outcome.happened is None:
            return False
        loaded.update_info(await self._tables.read_info(info.id))
        return True

    async def set_terms(self, table_id: int, change: Any) -> HouseTable:
        """Replace the terms by what `change` makes of them; raises Over, Conflict when too many want to."""
        for _ in range(TRIES):
            info = await self._tables.read_info(table_id)
            if info.status not in ("open", "running"):
                raise Over()
            terms = change(info.terms)
            write = {"b_id": info.id, "b_was_terms": write_terms(info.terms) or "", **_bound(terms)}
            try:
                await self._commit([Write(rows.SET_TERMS, write, expect=1)], info, info.name)
            except Conflict:
                continue
            return await self._tables.read_info(table_id)
        raise Conflict(f"table {table_id} is too busy")

    async def erase(self, table_id: int) -> None:
        """Take a table away with everything that was written about it."""
        talk = {"b_channels": [f"{kind}:{table_id}" for kind in ("table", "press", "letters")]}
        await self._store.commit(
            Unit(
                writes=[
                    *(Write(query, {"b_id": table_id}) for query in rows.ERASE),
                    *(Write(query, talk) for query in rows.ERASE_TALK),
                    Write(rows.ERASE_READING, {"b_pattern": f"letters:{table_id}:%"}),
                    Write(rows.ERASE_TABLE, {"b_id": table_id}),
                ],
                hints=[lobby_hint(table_id, ERASED)],
            )
        )
        self._tables.drop_erased(table_id)

    async def _commit(self, writes: list[Write], info: HouseTable, name: str) -> None:
        hint: Hint = lobby_hint(info.id, TERMS)
        try:
            await self._store.commit(Unit(writes=writes, hints=[hint]))
        except Duplicate:
            raise NameTaken(name=name) from None
        loaded = self._tables.loaded.get(info.id)
        if loaded is not None:
            loaded.update_info(await self._tables.read_info(info.id))


def _change(info: HouseTable, name: str, terms: Terms, options: Json) -> dict[str, Any]:
    return {
        "b_id": info.id,
        "b_was_terms": write_terms(info.terms) or "",
        **_bound(terms),
        "b_options": _text(options),
        "b_name": name,
        # A plain table may be called as it likes.
        "b_name_key": name_key(info.game, name) if info.terms.mastered else None,
    }


def _bound(terms: Terms) -> dict[str, Any]:
    return {f"b_{column}": value for column, value in terms_row(terms).items()}


def chosen_on(rules: Rules[Any], options: Json, terms: Terms) -> Any:
    """The options of a table on these terms; raises BadOptions."""
    try:
        chosen = msgspec.convert(options, rules.options_type)
    except msgspec.ValidationError as error:
        raise BadOptions(reason=str(error)) from None
    return rules.hurried(chosen) if terms.fast else chosen


def _text(options: Json) -> str:
    return msgspec.json.encode(options).decode()
