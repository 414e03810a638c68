"""Orders as people write them, in French or in English: `A PAR - BUR`, `F MID C A BRE - SPA`, `+ A PAR`.

`read_orders` understands codes and long names, with or without accents, and the usual spellings of coasts;
what it cannot read it answers with what it understood and what it expected. The way back is in `writing`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from tablee.rules.diplomacy.lexicon import Known, Lexicon, Parsed, lexicon_of, tokens
from tablee.rules.diplomacy.model import Act, Dislodged, Kind, Order, Season, Situation, Unit
from tablee.rules.diplomacy.variant import LAND, SEA, Variant

_LONGEST = 300
_MOST_TEXTS = 50_000
"""How many texts a variant remembers before it forgets them all."""

_KINDS = {"A": 1, "ARMY": 1, "ARMEE": 1, "F": 2, "FLEET": 2, "FLOTTE": 2}
_ARROWS = {"-", ">", "TO", "VERS", "M", "MOVE", "MOVES", "ATTAQUE"}
_HOLDS = {"H", "HOLD", "HOLDS", "T", "TIENT", "TENIR"}
_SUPPORTS = {"S", "SUPPORT", "SUPPORTS", "SOUTIENT", "SOUTIEN"}
_CONVOYS = {"C", "CONVOY", "CONVOYS", "CONVOIE", "CONVOYER"}
_RETREATS = {"R", "RETREAT", "RETREATS", "RETRAITE", "RETRAITER"}
_DISBANDS = {"A", "D", "DISBAND", "DISBANDS", "DISPERSE", "DISPERSER"}
_BUILDS = {"+", "BUILD", "BUILDS", "CONSTRUIT", "CONSTRUIRE"}
_REMOVES = {"-", "REMOVE", "REMOVES", "RETIRE", "RETIRER", "SUPPRIME", "SUPPRIMER"}
_BUILT = {"B", "BUILD", "BUILDS"}
_VIA = (("VIA", "CONVOY"), ("VIA", "CONVOI"), ("BY", "CONVOY"), ("PAR", "CONVOI"), ("VIA",), ("VC",))


_ARMY, _FLEET, _BUILD, _CONVOY = int(Kind.ARMY), int(Kind.FLEET), int(Act.BUILD), int(Act.CONVOY)
_MOVES = frozenset(
    (int(Act.MOVE), int(Act.SUPPORT_MOVE), int(Act.SUPPORT_HOLD), int(Act.HOLD), int(Act.CONVOY))
)
_MOVING = (int(Season.SPRING_MOVES), int(Season.AUTUMN_MOVES))


class NotUnderstood(ValueError):
    """An order that cannot be read: `code` is a key of the words under `notation`, `parts` fill it in.

    `expected` are keys under `expected`: what could have stood where the reading stopped.
    """

    def __init__(self, code: str, text: str, understood: str, found: str, expected: Sequence[str]) -> None:
        self.code, self.text, self.understood, self.found = code, text, understood, found
        self.expected = tuple(expected)
        super().__init__(
            f"“{text}”: understood “{understood}”, then “{found}” instead of {', '.join(expected)}."
        )

    def sentence(self, words: Mapping[str, str]) -> str:
        """The error in the language of these words."""
        expected = ", ".join(words[f"expected.{key}"] for key in self.expected)
        return words[f"notation.{self.code}"].format(
            text=self.text, understood=self.understood, found=self.found, expected=expected
        )


def read_orders(
    variant: Variant,
    text: str,
    role: int = 0,
    situation: Situation | None = None,
    season: int | None = None,
) -> tuple[list[Order], list[NotUnderstood]]:
    """Orders, a line each; a line with a power alone speaks for those below it, `#` begins a remark."""
    board = Standing.of(variant, situation, season)
    orders: list[Order] = []
    faults: list[NotUnderstood] = []
    for said, speaker in said_lines(variant, text.splitlines(), role):
        if speaker is None:
            continue
        try:
            orders.append(board.read(said, speaker))
        except NotUnderstood as fault:
            faults.append(fault)
    return orders, faults


def said_lines(variant: Variant, lines: Iterable[str], role: int = 0) -> Iterator[tuple[str, int | None]]:
    """Each line that says something, with the role that says it; None where it only names a power."""
    lexicon = lexicon_of(variant)
    for line in lines:
        said = line.partition("#")[0].strip()
        if not said:
            continue
        if said not in lexicon.known and len(said) <= _LONGEST:
            alone = lexicon.powers.get(tuple(tokens(said)[0]))
            if alone is not None:
                role = alone
                yield said, None
                continue
        yield said, role


def parse(variant: Variant, text: str) -> Parsed:
    """What a text says, whatever the position. Raises NotUnderstood."""
    lexicon = lexicon_of(variant)
    return (lexicon.known.get(text) or _learned(variant, lexicon, text)).said


def _learned(variant: Variant, lexicon: Lexicon, text: str) -> Known:
    """A text read for the first time. Raises NotUnderstood."""
    said = _Reader(variant, lexicon, text).order()
    role, _, zone, act, _, passive, destination, via, _ = said
    is_simple = act in _MOVES and max(zone, passive, destination) <= variant.regions
    if len(lexicon.known) >= _MOST_TEXTS:
        lexicon.known.clear()
    found = Known(said, is_simple, role, variant.region_of[zone], act, passive, destination, via)
    lexicon.known[text] = found
    return found


# --- From what was said to an order on this board -------------------------------------------------------


class Standing(NamedTuple):
    """Who stands where, as far as the reader of orders knows."""

    variant: Variant
    units: Mapping[int, Unit | Dislodged]
    """By region."""
    season: int | None
    known: Mapping[str, Known]
    """Texts that were read before."""
    is_moving: bool
    """Whether it is a phase of moves, or none is said."""

    @classmethod
    def of(cls, variant: Variant, situation: Situation | None, season: int | None = None) -> Standing:
        """The units that orders of this season are about."""
        known, is_moving = lexicon_of(variant).known, season is None or season % 5 in _MOVING
        if situation is None:
            return cls(variant, {}, season, known, is_moving)
        region_of = variant.region_of
        found: dict[int, Unit | Dislodged] = {region_of[unit.zone]: unit for unit in situation.units}
        if season is None or season % 5 in (Season.SUMMER_RETREATS, Season.WINTER_RETREATS):
            for dislodged in situation.dislodged:
                found[region_of[dislodged.zone]] = dislodged
        return cls(variant, found, season, known, is_moving)

    def read(self, text: str, role: int = 0) -> Order:
        """One order. Who gives it is in the text, or `role`, or whose unit it is. Raises NotUnderstood."""
        variant, units, _, known, is_moving = self
        found = known.get(text) or _learned(variant, lexicon_of(variant), text)
        said, is_simple, named, region, act, passive, destination, via = found
        unit = units.get(region)
        if unit is None or not is_simple or not is_moving:
            return self.order(said, text, role)
        if passive:
            friend = units.get(passive)
            if friend is not None:
                passive = friend[2]
        whose = named or role or unit[0]
        return tuple.__new__(Order, (whose, act, unit[2], passive, destination, via, unit[1]))

    def order(self, said: Parsed, text: str, role: int = 0) -> Order:
        """The order that was meant: coasts that say nothing are dropped. Raises NotUnderstood."""
        region_of = self.variant.region_of
        said_role, kind, zone, act, mover, passive, destination, via, _ = said
        unit = self.units.get(region_of[zone]) if act != _BUILD else None
        if unit is not None:
            zone = unit[2]
            role = said_role or role or unit[0]
            kind = unit[1]  # what stands there is meant, whatever it was called (DATC 4.C.2)
        else:
            zone = region_of[zone] if kind == _ARMY else zone
            role = said_role or role
        if not role:
            raise NotUnderstood("whose", text, text, "", ("power",))
        if not passive:
            mover = kind
        else:
            friend = self.units.get(region_of[passive])
            if friend is not None:
                mover, passive = friend[1], friend[2]
            elif mover == _ARMY:
                passive = region_of[passive]
        if mover == _ARMY or act == _CONVOY:
            destination = region_of[destination]
        if not self.is_moving:
            act = self._act(act)
        return tuple.__new__(Order, (role, act, zone, passive, destination, via, kind))

    def _act(self, act: int) -> int:
        """In a phase of its own, a move is a retreat, and who is disbanded is removed."""
        season = None if self.season is None else self.season % 5
        if act == Act.DISBAND and season == Season.ADJUSTMENTS:
            return Act.REMOVE
        if season in (Season.SUMMER_RETREATS, Season.WINTER_RETREATS):
            return {int(Act.MOVE): Act.RETREAT, int(Act.REMOVE): Act.DISBAND}.get(act, act)
        return act


# --- From words to what they say ------------------------------------------------------------------------


class _Reader:
    """One pass over the words of an order."""

    def __init__(self, variant: Variant, lexicon: Lexicon, text: str) -> None:
        if len(text) > _LONGEST:
            raise NotUnderstood("too_long", text[:40] + "…", "", "", ("order",))
        self.variant, self.lexicon, self.text = variant, lexicon, text
        self.words, self.spans = tokens(text)
        self.at = 0

    def order(self) -> Parsed:
        role = self.power()
        if self.word() in _BUILDS:
            return self.adjustment(role, Act.BUILD)
        if self.word() in _REMOVES:
            return self.adjustment(role, Act.REMOVE)
        kind = self.kind()
        zone = self.place("place" if kind else "unit")
        word = self.word()
        self.at += 1
        if word in _ARROWS:
            destination = self.target(kind)
            return self.end(Parsed(role, kind, zone, Act.MOVE, destination=destination, via=self.via()))
        if word in _HOLDS:
            return self.end(Parsed(role, kind, zone, Act.HOLD))
        if word in _SUPPORTS:
            return self.end(self.help(role, kind, zone, Act.SUPPORT_MOVE))
        if word in _CONVOYS:
            return self.end(self.help(role, kind, zone, Act.CONVOY))
        if word in _RETREATS:
            self.also("-")
            return self.end(Parsed(role, kind, zone, Act.RETREAT, destination=self.place("destination")))
        if word in _DISBANDS:
            return self.end(Parsed(role, kind, zone, Act.DISBAND))
        if word in _BUILT:
            return self.end(self.built(Parsed(role, kind, zone, Act.BUILD)))
        self.at -= 1
        raise self.fault("verb", "verb")

    def adjustment(self, role: int, act: int) -> Parsed:
        self.at += 1
        kind = self.kind()
        said = Parsed(role, kind, self.place("place" if kind else "unit"), act)
        return self.end(self.built(said) if act == Act.BUILD else said)

    def built(self, said: Parsed) -> Parsed:
        """With its kind: inland only an army can be meant, on a coast that is named a fleet (DATC 4.C.3)."""
        if said.kind:
            return said
        variant = self.variant
        if said.zone > variant.regions:
            return said._replace(kind=_FLEET)
        if variant.terrain[said.zone] == LAND:
            return said._replace(kind=_ARMY)
        raise self.fault("kind", "kind")

    def help(self, role: int, kind: int, zone: int, act: int) -> Parsed:
        """The unit that is supported or convoyed, and where it goes."""
        owner = self.power()
        passive_kind = self.kind()
        passive = self.place("place" if passive_kind else "unit")
        if self.word() in _ARROWS:
            self.at += 1
            destination = self.target(passive_kind)
            self.via()  # how the army travels is its own order's business
            return Parsed(role, kind, zone, act, passive_kind, passive, destination, passive_role=owner)
        if act == Act.CONVOY:
            raise self.fault("move_of_convoyed", "arrow")
        if self.word() in _HOLDS:
            self.at += 1
        return Parsed(role, kind, zone, Act.SUPPORT_HOLD, passive_kind, passive, passive_role=owner)

    def target(self, kind: int) -> int:
        """Where a unit goes; the seas that an army is said to pass on its way are ignored (DATC 4.A.6)."""
        self.also(">")
        zone = self.place("destination")
        while kind != _FLEET and self.word() in _ARROWS and self.variant.terrain[zone] == SEA:
            self.at += 1
            self.also(">")
            zone = self.place("destination")
        return zone

    def end(self, said: Parsed) -> Parsed:
        if self.at < len(self.words):
            raise self.fault("more", "end")
        return said

    def word(self) -> str:
        return self.words[self.at] if self.at < len(self.words) else ""

    def also(self, sign: str) -> None:
        if self.word() == sign:
            self.at += 1

    def power(self) -> int:
        """The power that a text or a unit begins with; a colon may follow it."""
        powers, letters = self.lexicon.powers, self.lexicon.letters
        for length in (4, 3, 2, 1):
            said = tuple(self.words[self.at : self.at + length])
            role = powers.get(said)
            after = self.words[self.at + length : self.at + length + 2]
            is_place = said in self.lexicon.places and not (
                after[:1] == [":"] or (len(after) == 2 and after[0] in _KINDS)
            )
            if role is not None and after and not is_place:
                self.at += length
                self.also(":")
                return role
        if self.words[self.at + 1 : self.at + 2] == [":"] and self.word() in letters:
            self.at += 2
            return letters[self.words[self.at - 2]]
        return 0

    def kind(self) -> int:
        kind = _KINDS.get(self.word(), 0)
        if kind:
            self.at += 1
        return kind

    def place(self, expected: str) -> int:
        """A region by its longest name, and the coast behind it. Raises NotUnderstood."""
        best, after = 0, self.at
        said: list[str] = []
        at = self.at
        while at < len(self.words) and len(said) < 6:
            if said and self.words[at] == "-" and self.glued(at):
                at += 1
                continue
            said.append(self.words[at])
            at += 1
            zone = self.lexicon.places.get(tuple(said))
            if zone is not None:
                best, after = zone, at
        if not best:
            raise self.fault("place", expected)
        self.at = after
        return self.coast(best)

    def coast(self, region: int) -> int:
        """The coast named behind a region: `/nc`, `(nc)`, `nc`, `côte nord`."""
        start = self.at
        marked = self.word() in ("/", "(")
        self.at += marked
        for length in (2, 1):
            said = tuple(self.words[self.at : self.at + length])
            code = self.lexicon.coasts.get(said)
            if code is None or (not marked and len(said[0]) == 1):
                continue
            self.at += length
            self.also(")")
            variant = self.variant
            shores: tuple[int, ...] = variant.coasts_of[variant.region_of[region]]
            for zone in shores:
                if variant.coast_codes[variant.coast_type[zone]] == code:
                    return zone
            return region  # a coast that is not there says nothing (DATC 4.B.6)
        if marked:
            raise self.fault("coast", "coast", start)
        self.at = start
        return region

    def glued(self, at: int) -> bool:
        """Whether a hyphen stands between two words without a space."""
        return (
            at + 1 < len(self.words)
            and self.spans[at - 1][1] == self.spans[at][0]
            and self.spans[at][1] == self.spans[at + 1][0]
        )

    def via(self) -> bool:
        for phrase in _VIA:
            if tuple(self.words[self.at : self.at + len(phrase)]) == phrase:
                self.at += len(phrase)
                return True
        return False

    def fault(self, code: str, expected: str, at: int | None = None) -> NotUnderstood:
        at = self.at if at is None else at
        understood = " ".join(self.words[:at])
        found = self.words[at] if at < len(self.words) else ""
        wanted = {
            "verb": ("move", "hold", "support", "convoy", "retreat", "disband"),
            "unit": ("kind", "place", "adjustment") if at == 0 else ("kind", "place"),
        }.get(expected, (expected,))
        return NotUnderstood(code if found else "too_short", self.text.strip(), understood, found, wanted)
