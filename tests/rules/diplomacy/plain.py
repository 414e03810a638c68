"""A second adjudicator, written from the DATC's text in the plainest way, slow, to compare the engine with.

It shares nothing with the engine: places are words (`SPA/SC`), orders are small tuples of words, and the
rules are yes-or-no questions about a *complete* answer sheet ("this move succeeds", "this support is given",
"this convoy arrives"). A sheet is right when every answer on it agrees with the rule that gives it. What is
the same on every sheet is certain; where several sheets or none are left, DATC 5.E and Szykman's rule decide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple


class Piece(NamedTuple):
    """A unit: whose, `A` or `F`, and where (`STP/SC`)."""

    power: str
    kind: str
    place: str


class Order(NamedTuple):
    """`what` is H, -, S, C, R, D or B; `of` is the place of a supported or convoyed unit."""

    power: str
    kind: str
    place: str
    what: str
    of: str = ""
    to: str = ""
    via: bool = False


def region(place: str) -> str:
    return place.split("/")[0]


@dataclass(frozen=True)
class Board:
    """Who is next to whom. Fleets stand on coasts where a region has several, armies never do."""

    kinds: Mapping[str, str]
    """`sea`, `coast` or `land` of each region."""
    by_land: Mapping[str, frozenset[str]]
    by_sea: Mapping[str, frozenset[str]]

    def reaches(self, kind: str, place: str, to: str) -> bool:
        """Whether a unit goes there in one step, to any coast of it."""
        near = self.by_land if kind == "A" else self.by_sea
        return any(region(each) == region(to) for each in near.get(place, ()))

    def coasts(self, kind: str, place: str, to: str) -> list[str]:
        """The very places within a region that a unit can step to."""
        near = self.by_land if kind == "A" else self.by_sea
        return sorted(each for each in near.get(place, ()) if region(each) == region(to))

    def touches(self, sea: str, land: str) -> bool:
        return any(region(each) == land for each in self.by_sea[sea])


# --- Which orders are orders at all ---------------------------------------------------------------------


def routes(board: Board, fleets: set[str], start: str, end: str) -> Iterator[list[str]]:
    """The ways from coast to coast over these seas on which no fleet could be left out."""

    def further(way: list[str]) -> Iterator[list[str]]:
        if board.touches(way[-1], end):
            yield way
            return
        for sea in sorted(fleets):
            shortcut = any(sea in board.by_sea[passed] for passed in way[:-1])
            onward = sea not in way and sea in board.by_sea[way[-1]]
            if onward and not shortcut and not board.touches(sea, start):
                yield from further([*way, sea])

    if start != end and board.kinds[start] == "coast" and board.kinds[end] == "coast":
        for sea in sorted(fleets):
            if board.touches(sea, start):
                yield from further([sea])


class Movement:
    """One movement phase: the pieces, the orders that count, and the questions about them."""

    def __init__(self, board: Board, pieces: list[Piece], orders: list[Order]) -> None:
        self.board = board
        self.at = {region(piece.place): piece for piece in pieces}
        self.seas = {
            here for here, piece in self.at.items() if board.kinds[here] == "sea" and piece.kind == "F"
        }
        self.given: dict[str, Order] = {}
        self.illegal: set[str] = set()
        for order in orders:
            here = region(order.place)
            piece = self.at.get(here)
            if piece and piece.power == order.power and piece.kind == order.kind:
                self.given[here] = order._replace(place=piece.place)
        for here, piece in self.at.items():
            order = self.given.get(here, Order(piece.power, piece.kind, piece.place, "H"))
            self.given[here] = self.named(order)
        lawful = {here: self.is_lawful(order) for here, order in self.given.items()}
        for here, fine in lawful.items():
            if not fine:
                self.illegal.add(here)
                order = self.given[here]
                self.given[here] = Order(order.power, order.kind, order.place, "H")
        self.void = {
            here for here, order in self.given.items() if order.what in "SC" and not self.matches(order)
        }
        self.by_convoy = {
            here for here, order in self.given.items() if order.what == "-" and self.sails(order)
        }
        self.answers: dict[str, bool] = {}
        self.paradox: set[str] = set()

    def named(self, order: Order) -> Order:
        """A fleet's only coast is meant where none is said; an army has none (DATC 4.B.2, 4.B.6)."""
        if order.what == "-" and order.kind == "A":
            return order._replace(to=region(order.to))
        if order.what == "-" and "/" not in order.to:
            coasts = self.board.coasts("F", order.place, order.to)
            if len(coasts) == 1:
                return order._replace(to=coasts[0])
        return order

    def is_lawful(self, order: Order) -> bool:
        board, here = self.board, region(order.place)
        if order.what == "H":
            return True
        if order.what == "-":
            if region(order.to) == here:
                return False
            if order.kind == "F":
                return not order.via and order.to in board.by_sea[order.place]
            if not order.via and order.to in board.by_land[order.place]:
                return True
            return any(True for _ in routes(board, self.seas, here, order.to))
        friend = self.at.get(region(order.of))
        if friend is None or region(order.of) == here:
            return False
        if order.what == "S" and not order.to:
            return board.reaches(order.kind, order.place, order.of)
        if order.what == "S":
            if region(order.to) in (here, region(order.of)) or not board.reaches(
                order.kind, order.place, order.to
            ):
                return False
            return self.could_go(friend, order.to, self.seas - {order.place})
        if order.what == "C":
            ways = routes(board, self.seas, region(order.of), region(order.to))
            return here in self.seas and friend.kind == "A" and any(order.place in way for way in ways)
        return False

    def could_go(self, piece: Piece, to: str, seas: set[str]) -> bool:
        if piece.kind == "F":
            coasts = self.board.coasts("F", piece.place, to)
            return to in coasts if "/" in to else bool(coasts)
        if self.board.reaches("A", piece.place, to):
            return True
        return any(True for _ in routes(self.board, seas, piece.place, region(to)))

    def matches(self, order: Order) -> bool:
        """Whether a support or a convoy is of what its unit was told to do (4.B.4: no coast means any)."""
        other = self.given[region(order.of)]
        if not order.to:
            return other.what != "-"
        if other.what != "-" or region(other.to) != region(order.to):
            return False
        return order.what == "C" or other.kind == "A" or "/" not in order.to or other.to == order.to

    def sails(self, order: Order) -> bool:
        """DATC 4.A.3: by convoy if it must, if it says so, or if a fleet of its own means it."""
        here = region(order.place)
        if (
            order.via
            or order.to not in (self.board.by_land if order.kind == "A" else self.board.by_sea)[order.place]
        ):
            return True
        convoying = self.convoying(here)
        own = any(self.at[sea].power == order.power for sea in convoying)
        return own and any(True for _ in routes(self.board, convoying, here, order.to))

    def convoying(self, here: str) -> set[str]:
        return {
            sea
            for sea, order in self.given.items()
            if order.what == "C" and region(order.of) == here and sea not in self.void
        }

    # --- The questions (DATC 5.B), each about a complete answer sheet -----------------------------------

    def moves_to(self, place: str) -> list[str]:
        return [here for here, order in self.given.items() if order.what == "-" and region(order.to) == place]

    def supports(self, here: str, sheet: Sheet, but_of: str = "") -> int:
        """How many supports of the unit's order are given."""
        return sum(
            1
            for place, order in self.given.items()
            if order.what == "S"
            and region(order.of) == here
            and place not in self.void
            and order.power != but_of
            and sheet("support", place)
        )

    def rival(self, here: str) -> str | None:
        """The unit that goes head to head against this one, both over land."""
        there = region(self.given[here].to)
        other = self.given.get(there)
        if other and other.what == "-" and region(other.to) == here and not {here, there} & self.by_convoy:
            return there
        return None

    def arrives(self, here: str, sheet: Sheet) -> bool:
        return here not in self.by_convoy or sheet("convoy", here)

    def attack(self, here: str, sheet: Sheet) -> int:
        order = self.given[here]
        if not self.arrives(here, sheet):
            return 0
        there = region(order.to)
        other = self.given.get(there)
        if other is None or (other.what == "-" and self.rival(here) is None and sheet("move", there)):
            return 1 + self.supports(here, sheet)
        if other.power == order.power:
            return 0
        return 1 + self.supports(here, sheet, but_of=other.power)

    def hold(self, place: str, sheet: Sheet) -> int:
        order = self.given.get(place)
        if order is None:
            return 0
        if order.what == "-":
            return 0 if sheet("move", place) else 1
        return 1 + self.supports(place, sheet)

    def prevent(self, here: str, sheet: Sheet) -> int:
        if not self.arrives(here, sheet):
            return 0
        rival = self.rival(here)
        if rival is not None and sheet("move", rival):
            return 0
        return 1 + self.supports(here, sheet)

    def dislodged_by(self, place: str, sheet: Sheet) -> str | None:
        comers = [here for here in self.moves_to(place) if sheet("move", here)]
        if not comers or (self.given[place].what == "-" and sheet("move", place)):
            return None
        return comers[0]

    def ask(self, question: str, here: str, sheet: Sheet) -> bool:
        """The answer that the rules give, if the rest of the sheet is right."""
        order = self.given[here]
        if question == "move":
            there = region(order.to)
            strength = self.attack(here, sheet)
            rival = self.rival(here)
            against = 1 + self.supports(rival, sheet) if rival is not None else self.hold(there, sheet)
            if strength <= against:
                return False
            return all(
                strength > self.prevent(other, sheet) for other in self.moves_to(there) if other != here
            )
        if question == "support":
            target = region(order.to or order.of)
            for attacker in self.moves_to(here):
                foreign = self.given[attacker].power != order.power
                if foreign and attacker != target and self.arrives(attacker, sheet):
                    return False
            return self.dislodged_by(here, sheet) is None
        safe = {sea for sea in self.convoying(here) if self.dislodged_by(sea, sheet) is None}
        return any(True for _ in routes(self.board, safe, here, region(order.to)))

    # --- The right sheet --------------------------------------------------------------------------------

    def solve(self) -> None:
        """Fill in the answers. What no sheet decides goes by DATC 5.E."""
        open_ones = self.questions()
        while open_ones:
            if not self.settle(open_ones):
                self.settle_core(self.smallest_core(open_ones))
            open_ones = {each for each in open_ones if name(*each) not in self.answers}

    def questions(self) -> set[tuple[str, str]]:
        every = {("convoy", here) for here in self.by_convoy}
        every |= {("move", here) for here, order in self.given.items() if order.what == "-"}
        every |= {
            ("support", h) for h, order in self.given.items() if order.what == "S" and h not in self.void
        }
        return every

    def outcomes(self, question: tuple[str, str], known: dict[str, bool]) -> tuple[set[bool], set[str]]:
        """What the answer can be, whatever the unknown ones are, and which of those it asks for."""
        try:
            return {self.ask(*question, Sheet(known))}, set()
        except Unknown as unknown:
            asked = unknown.args[0]
        found: set[bool] = set()
        wanted: set[str] = {asked}
        for guess in (False, True):
            answers, more = self.outcomes(question, {**known, asked: guess})
            found |= answers
            wanted |= more
        return found, wanted

    def settle(self, open_ones: set[tuple[str, str]]) -> bool:
        """Write down every answer that is the same whatever is still unknown; whether there was one."""
        some = False
        for each in sorted(open_ones):
            found, _ = self.outcomes(each, self.answers)
            if len(found) == 1:
                self.answers[name(*each)] = found.pop()
                some = True
        return some

    def smallest_core(self, open_ones: set[tuple[str, str]]) -> list[tuple[str, str]]:
        """Questions that hang on one another and on no others."""
        asks = {each: self.outcomes(each, self.answers)[1] for each in open_ones}
        named = {name(*each): each for each in open_ones}
        cores = []
        for each in sorted(open_ones):
            core: set[tuple[str, str]] = set()
            waiting = [each]
            while waiting:
                one = waiting.pop()
                if one not in core:
                    core.add(one)
                    waiting += [named[other] for other in asks[one]]
            cores.append(sorted(core))
        return min(cores, key=len)

    def settle_core(self, core: list[tuple[str, str]]) -> None:
        sheets = list(self.right_sheets(core, self.answers))
        convoys = [here for question, here in core if question == "convoy"]
        if len(sheets) == 1:
            self.answers = sheets[0]
        elif convoys:  # Szykman: these armies are as if they had not been told to move (4.A.2 d)
            for here in convoys:
                self.answers[name("convoy", here)] = False
                self.paradox.add(here)
        else:  # units that go round in a circle all move (6.C.1)
            self.answers = max(sheets, key=lambda sheet: sum(sheet.values()))

    def right_sheets(self, core: list[tuple[str, str]], known: dict[str, bool]) -> Iterator[dict[str, bool]]:
        """Every sheet for the core on which each answer agrees with its rule."""
        unknown = [each for each in core if name(*each) not in known]
        for each in core:
            if name(*each) in known:
                found, _ = self.outcomes(each, known)
                if known[name(*each)] not in found:
                    return
        if not unknown:
            yield known
            return
        for guess in (False, True):
            yield from self.right_sheets(core, {**known, name(*unknown[0]): guess})


class Unknown(Exception):
    """A question was asked whose answer is not on the sheet yet."""


def name(question: str, here: str) -> str:
    return f"{question} {here}"


class Sheet:
    """Answers so far; asking for another raises Unknown."""

    def __init__(self, answers: Mapping[str, bool]) -> None:
        self.answers = answers

    def __call__(self, question: str, here: str) -> bool:
        try:
            return self.answers[name(question, here)]
        except KeyError:
            raise Unknown(name(question, here)) from None


# --- What comes of it -----------------------------------------------------------------------------------


@dataclass
class Outcome:
    """After the moves: the words of the DATC for each unit, and who stands where."""

    verdicts: dict[str, str] = field(default_factory=dict)
    after: set[Piece] = field(default_factory=set)
    dislodged: dict[Piece, str] = field(default_factory=dict)
    """With the region that the attack came from, empty where that closes nothing."""
    attackers: dict[Piece, str] = field(default_factory=dict)
    contested: set[str] = field(default_factory=set)
    retreats: dict[Piece, list[str]] = field(default_factory=dict)
    paradox: set[str] = field(default_factory=set)


def adjudicate(board: Board, pieces: list[Piece], orders: list[Order]) -> Outcome:
    """A movement phase, with the DATC's choices."""
    phase = Movement(board, pieces, orders)
    phase.solve()
    sheet = Sheet(phase.answers)
    outcome = Outcome(paradox=phase.paradox)
    for here, piece in phase.at.items():
        order = phase.given[here]
        attacker = phase.dislodged_by(here, sheet)
        outcome.verdicts[here] = _verdict(phase, here, sheet, attacker)
        if attacker is not None:
            outcome.attackers[piece] = attacker
            outcome.dislodged[piece] = "" if attacker in phase.by_convoy else attacker
        elif order.what == "-" and sheet("move", here):
            outcome.after.add(piece._replace(place=order.to))
        else:
            outcome.after.add(piece)
    full = {region(piece.place) for piece in outcome.after}
    for here, order in phase.given.items():
        stayed = order.what == "-" and not sheet("move", here)
        if stayed and phase.prevent(here, sheet) > 0 and region(order.to) not in full:
            outcome.contested.add(region(order.to))
    for piece, origin in outcome.dislodged.items():
        near = (board.by_land if piece.kind == "A" else board.by_sea)[piece.place]
        closed = full | outcome.contested | {origin}
        outcome.retreats[piece] = sorted(place for place in near if region(place) not in closed)
    return outcome


def _verdict(phase: Movement, here: str, sheet: Sheet, attacker: str | None) -> str:
    order = phase.given[here]
    out = attacker is not None
    if here in phase.illegal:
        word = "illegal-holds"
    elif here in phase.void:
        word = "void"
    elif order.what == "H":
        return "dislodged" if out else "hold"
    elif order.what == "-":
        word = "success" if sheet("move", here) else "bounce" if phase.arrives(here, sheet) else "no-convoy"
    elif order.what == "S":
        word = "success" if sheet("support", here) else "cut"
    else:
        word = "disrupted" if out or region(order.of) in phase.paradox else "success"
    return f"{word}+dislodged" if out else word


def retreat(options: Mapping[Piece, list[str]], orders: list[Order]) -> tuple[set[Piece], dict[Piece, str]]:
    """Who stands where after his retreat, and the word for each dislodged unit; two at one place are lost."""
    wanted: dict[Piece, str] = {}
    for piece, open_places in options.items():
        for order in orders:
            own = (order.power, order.kind, region(order.place)) == (
                piece.power,
                piece.kind,
                region(piece.place),
            )
            if own and order.what == "R":
                places = [
                    p for p in open_places if p == order.to or ("/" not in order.to and region(p) == order.to)
                ]
                if len(places) == 1:
                    wanted[piece] = places[0]
    regions = [region(place) for place in wanted.values()]
    words: dict[Piece, str] = {}
    after: set[Piece] = set()
    for piece in options:
        if piece not in wanted:
            words[piece] = "illegal, disbanded"
        elif regions.count(region(wanted[piece])) > 1:
            words[piece] = "bounce, disbanded"
        else:
            words[piece] = "success"
            after.add(piece._replace(place=wanted[piece]))
    return after, words


def distances(board: Board, owned: set[str]) -> dict[str, int]:
    """Steps from each region to the nearest of these centres, over land and sea alike (DATC 4.D.8)."""
    near: dict[str, set[str]] = {each: set() for each in board.kinds}
    for steps in (board.by_land, board.by_sea):
        for place, others in steps.items():
            near[region(place)] |= {region(other) for other in others}
    far = dict.fromkeys(owned, 0)
    edge = set(owned)
    while edge:
        edge = {other for place in edge for other in near[place] if other not in far}
        far |= dict.fromkeys(edge, 1 + max(far.values(), default=0))
    return far


def adjust(
    board: Board,
    home: Mapping[str, set[str]],
    owned: Mapping[str, set[str]],
    pieces: list[Piece],
    orders: list[Order],
    rank: Callable[[str], object] = str,
) -> tuple[set[Piece], list[str]]:
    """Builds and removals of every power; a word for each order."""
    after = set(pieces)
    words = []
    due = {
        p: len(owned.get(p, ())) - sum(each.power == p for each in pieces)
        for p in {*owned, *(e.power for e in pieces)}
    }
    for order in orders:
        here = region(order.place)
        piece = Piece(order.power, order.kind, order.place)
        word = "void"
        if order.what == "B" and due.get(order.power, 0) > 0:
            places = (
                [here]
                if order.kind == "A"
                else sorted(p for p in board.by_sea if region(p) == here and board.by_sea[p])
            )
            free = here in home[order.power] & owned[order.power] and all(
                region(e.place) != here for e in after
            )
            afloat = order.kind == "A" or board.kinds[here] == "coast"
            if free and afloat and order.place in places:
                after.add(piece)
                due[order.power] -= 1
                word = "success"
        elif order.what == "D" and due.get(order.power, 0) < 0 and piece in after:
            after.remove(piece)
            due[order.power] += 1
            word = "success"
        words.append(word)
    for power, owed in due.items():
        far = distances(board, owned.get(power, set()))
        for _ in range(-owed):
            mine = [each for each in after if each.power == power]
            after.remove(
                min(mine, key=lambda p: (-far.get(region(p.place), 99), p.kind != "F", rank(region(p.place))))
            )
    return after, words
