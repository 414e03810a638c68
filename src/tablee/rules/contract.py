"""What a game is: the one contract that every game of the house fulfils.

A game is a decider. `decide` turns an action into facts or refuses it, `evolve` turns facts into a state,
`view`, `legal` and `tell` are the only ways out to the people at the table. Nothing here knows a clock, a
network or a database: time comes in as `at`, chance as `rng`, and the outcome of both is in the facts.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any, ClassVar, Generic, Literal, NamedTuple, Protocol, TypeVar

import msgspec

from tablee.rules.conditions import Condition as Condition  # part of what a game is
from tablee.rules.conditions import plain_conditions
from tablee.rules.dictation import NotRead as NotRead
from tablee.rules.dictation import Written as Written
from tablee.rules.dictation import not_read, read_plainly
from tablee.rules.filming import Beat as Beat
from tablee.rules.plain_picture import plain_picture
from tablee.rules.scoring import Scoring as Scoring
from tablee.rules.scoring import Term as Term
from tablee.rules.scoring import points_of as points_of
from tablee.rules.scoring import shared_places as shared_places

Instant = int
"""Milliseconds since 1970-01-01T00:00Z."""

Seat = int
"""1…n for the players, or one of the three below."""

MASTER: Seat = 0
CLOCK: Seat = -1
SPECTATOR: Seat = -2

BY_LOT = "lot"
"""In the place of a side: whichever chance gives."""

Json = Any
"""What `msgspec.to_builtins` gives: dict, list, str, int, float, bool or None."""


class Illegal(ValueError):
    """An action that the rules refuse. `code` names the sentence in the game's words, `parts` fill it in."""

    def __init__(self, code: str, **parts: Json) -> None:
        super().__init__(code if not parts else f"{code} {parts}")
        self.code = code
        self.parts = parts
        self.rules: Rules[Any] | None = None
        """Whose words say it: set by the table at which it was refused."""

    def sentence(self, language: str) -> str:
        """Why, for a person; the bare code where no table has said whose rules these are."""
        words = {} if self.rules is None else self.rules.words(language)
        return words.get(f"illegal.{self.code}", self.code).format(**self.parts)


class NoSuchEnd(ValueError):
    """An end that no game can come to, as people have entered it: all that is wrong with it.

    Each fault is a code, after `fault.` in the game's words, and what fills in its sentence; a `role` is
    said by its name.
    """

    def __init__(self, faults: Sequence[tuple[str, Mapping[str, Json]]]) -> None:
        super().__init__(", ".join(code for code, _ in faults))
        self.faults = faults

    def said(self, words: Mapping[str, str]) -> list[str]:
        """A sentence for each fault."""
        found = []
        for code, parts in self.faults:
            filled = dict(parts)
            if "role" in filled:
                filled["role"] = words.get(f"role.{filled['role']}", filled["role"])
            found.append(words[f"fault.{code}"].format(**filled))
        return found


@contextmanager
def refused_by(rules: Rules[Any]) -> Iterator[None]:
    """What is Illegal in here is said in the words of these rules."""
    try:
        yield
    except Illegal as refusal:
        refusal.rules = rules
        raise


def _tag(name: str) -> str:
    """`TimeGivenBack` is `time_given_back` in the log and on the wire."""
    return "".join("_" + c.lower() if c.isupper() else c for c in name).lstrip("_")


class Action(msgspec.Struct, frozen=True, tag_field="do", tag=_tag):
    """What somebody wants to do."""


class Fact(msgspec.Struct, frozen=True, tag_field="is", tag=_tag):
    """What has happened, small enough to animate."""


class State(msgspec.Struct, frozen=True):
    """All that is true at a table. Never changed, only replaced."""


class View(msgspec.Struct, frozen=True):
    """All that a seat may know. The host encodes it, and makes the merge patch from one to the next."""

    @property
    def unwritten(self) -> msgspec.Struct | None:
        """What the same seat may know besides, as a door with a protocol of its own needs it; in no JSON."""
        return None


# --- Actions that belong to every table; a game may refuse each of them ---------------------------------


class Join(Action, frozen=True):
    """Somebody takes the free seat that he plays this as. `total` is his account's points in this variant."""

    name: str
    total: int = 0
    robot: bool = False


class Leave(Action, frozen=True):
    """The seat is given up for good (resigning, where the game has it)."""


class Replace(Action, frozen=True):
    """Somebody else, or a robot, goes on in this seat.

    With a `role`, in a game in which one plays several, this seat takes over that one role of another.
    """

    name: str
    total: int = 0
    robot: bool = False
    role: int = 0


class Away(Action, frozen=True):
    """The last connection of this seat is gone. Where presence means nothing, no facts follow."""


class Back(Action, frozen=True):
    """This seat is connected again."""


class Alarm(Action, frozen=True):
    """Played by CLOCK: an alarm that `Rules.alarms` announced is due."""

    name: str


class Timeout(Action, frozen=True):
    """Played by CLOCK: the player clock of this seat, which belongs to the table, has run out."""

    seat: Seat


class TimeGivenBack(Action, frozen=True):
    """Played by CLOCK: what the game measures by the clock moves by so much, its dates stay.

    No node ran for so long, or the clock of the house was set: back where it is negative.
    """

    milliseconds: int


class Postpone(Action, frozen=True):
    """Played by CLOCK: what is owed by a date is owed later, for the sake of these seats.

    Only where `Rules.postpones`. A game moves a date once a phase for absences, and once a game for a seat
    that wants a day more (`extension`).
    """

    seats: tuple[Seat, ...]
    after: Instant
    """The new date is the first on which the game would let something end after this."""
    why: Literal["absence", "extension"]
    named: bool = True
    """Whether the others may know for whose sake, and why."""


TableAction = Join | Leave | Replace | Away | Back | Alarm | Timeout | TimeGivenBack


class Result(msgspec.Struct, frozen=True):
    """How a game ended. Rank 1 is best, equal ranks are shared; `scores` where the game counts points.

    Scores are added to the players' points whatever `rated` says: that is about the rating alone.
    """

    ranks: dict[Seat, int]
    reason: str
    scores: dict[Seat, int] = {}
    rated: bool = True
    tally: Json | msgspec.UnsetType = msgspec.UNSET
    """What the game's scorings reckon with: the JSON of its `tally_type`, where it has one."""

    def tied(self, rank: int) -> int:
        """How many have this rank."""
        return sum(each == rank for each in self.ranks.values())


class Seats(msgspec.Struct, frozen=True):
    """How many players a table takes to start with, and at most.

    Where `least` is 0 the game begins with nobody: `setup` makes the board alone, and every player, the
    first among them, comes in by `Join` while it runs.
    """

    least: int
    most: int


class Actions(Protocol):
    """What a seat may do now: described, not listed."""

    def allows(self, action: Action) -> bool: ...

    def sample(self, rng: Random) -> Action | None:
        """Some action that is allowed, or None if there is none."""
        ...

    def describe(self) -> Json:
        """The same for the page, as JSON."""
        ...


class Robot(Protocol):
    """A player who is a program. It sees what its seat sees, and nothing else."""

    def choose(self, view: Any, legal: Actions, rng: Random) -> Action | None:
        """An action that `legal` allows; None to wait. `view` is of the game's `view_type`."""
        ...


class Chronicle(Protocol):
    """A game as a seat was told it: it takes that in order, and knows what the game wants to tell."""

    def take(self, told: Fact, at: Instant) -> None: ...


class Occasion(msgspec.Struct, frozen=True):
    """Where and when a game was played, and by whom: what a file of it says beside the game."""

    name: str
    site: str
    began: str
    """As `2026-11-18T20:30:00`, in UTC."""
    players: dict[Seat, str]
    time_control: Json
    ratings: dict[Seat, int] = {}
    """Before the game, of those for whom it was rated."""
    left: dict[int, int] = {}
    """By phase, what who played it had left on his clock then, in milliseconds."""
    review: Any = None
    """What `review` has found, where somebody has asked for it."""


class Resumption(NamedTuple):
    """How a game goes on at a table of its own from where another has got to."""

    options: Any
    facts: list[Fact]
    """The first facts of the new table, which need nothing else to be replayed."""


class Glance(msgspec.Struct, frozen=True, omit_defaults=True):
    """A game in a few words, for somebody with many: what he plays, where it stands, what he has given."""

    plays: str = ""
    """What the seat plays, by name: "Italy", "White"; empty where all seats are alike."""
    moment: str = ""
    """Where the game has got to: "spring 1902, moves", "move 23"."""
    given: int = 0
    """Of what the seat owes now, so much is given."""
    of: int = 0
    """So much is owed; 0 where there is nothing to be counted."""
    is_in: bool = False
    """Whether the game would go on with what is given."""
    is_final: bool = False
    """Whether the seat has said that this is all."""
    until: Instant | None = None
    """By when this is over, where the game keeps that time itself."""


class Owed(NamedTuple):
    """What some roles must do by a date that the game has set."""

    by: Instant
    roles: tuple[int, ...]


class Late(NamedTuple):
    """Roles that have missed a date which the game had set, and until when they are still waited for."""

    roles: tuple[int, ...]
    until: Instant | None
    """None where the game waits for them without an end."""


def sentences(rules: Rules[Any], told: Json, names: Mapping[Seat, str], language: str) -> Iterator[str]:
    """The game's sentence for a fact that was told, and one for each of the steps that it is made of.

    Its fields fill it in, by the game's own words where it has some (`card.Knight`, `role.2`); `player`, or
    `robot` in a step, is the name of its seat, and so is the `target`.
    """

    def name(of: Json) -> str:
        return names.get(of["seat"], f"№ {of['seat']}") if "seat" in of else ""

    words, said = rules.words(language), rules.spoken(told, language)
    parts = {
        "player": name(said),
        **{field: words.get(f"{field}.{said[field]}", said[field]) for field in said},
    }
    if said.get("target") in names:
        parts["target"] = names[said["target"]]
    yield words[f"fact.{said['is']}"].format(**parts)
    for step in said.get("steps", ()):
        yield words[f"step.{step['code']}"].format(**{"robot": name(step), **step})


S = TypeVar("S", bound=State)


class Rules(ABC, Generic[S]):
    """One variant of one game. Instances keep nothing between calls."""

    name: ClassVar[str]
    """The game: "mines"."""
    variant: str
    """The variant within the game: "classic"."""
    version: ClassVar[int] = 1
    """Raised when states of older snapshots no longer fit; the log is readable for ever."""

    options_type: ClassVar[type[msgspec.Struct]]
    """What a table of this game may choose; its JSON Schema makes the form of the page."""
    state_type: type[S]
    action_type: ClassVar[Any]
    """Union of every Action that `decide` knows, those of the table among them."""
    fact_type: ClassVar[Any]
    """Union of every Fact of every released version."""
    view_type: ClassVar[type[View]]
    """What `view` gives."""
    told_type: ClassVar[Any]
    """Union of every Fact that `tell` gives. One that says less or more than what is logged has its tag."""
    misses: ClassVar[tuple[type[Fact], ...]] = ()
    """Facts by which `decide` refuses an action and yet remembers that it was tried."""
    told_to_all: ClassVar[tuple[type[Fact], ...]] = ()
    """Facts of which `tell` says something to every seat in every state: versions count them unasked."""
    private: ClassVar[tuple[type[Fact], ...]] = ()
    """Facts by which a seat marks something for itself alone: kept beside the log, not in it.

    A game that has some says by `marks` and `marked` what they amount to.
    """
    robots: Mapping[str, Robot] = {}
    """Robot players by name of strength."""
    has_clocks: ClassVar[bool] = True
    """Whether a table of this game may have player clocks; without, `Timeout` is never played."""
    usual_clocks: ClassVar[tuple[Json, ...]] = ()
    """Time controls that the house proposes for this game, as JSON; a table that names none has the first."""
    has_master: ClassVar[bool] = False
    """Whether a table of this game may have a master, who has no seat and acts as MASTER."""
    robots_yield: ClassVar[bool] = False
    """Whether somebody may take over the seat of a robot in a running game, with all that it knows."""
    sides: ClassVar[tuple[str, ...]] = ()
    """What the seats play, in their order, where somebody may wish for it: "white", "black"."""
    roles: int = 0
    """How many roles are dealt, numbered from 1, where one does not simply play one's seat."""
    resigns: ClassVar[bool] = False
    """Whether who leaves a running game has resigned it, so that nobody goes on in his seat."""
    postpones: ClassVar[bool] = False
    """Whether the game sets dates and knows `Postpone`, by which the house moves them."""
    guarded: ClassVar[tuple[type[Action], ...]] = ()
    """Actions of a master for which an administrator may ask for a code."""
    formats: ClassVar[tuple[str, ...]] = ()
    """Kinds of file that `export` writes, as their names end: "pgn"."""
    is_analysed: ClassVar[bool] = False
    """Whether `analyse` looks at a finished game again."""
    scorings: Mapping[str, Scoring] = {}
    """Ways to make points for a tournament of how a game ended, the usual one first.

    Each has a name in the words (`scoring.NAME`), and so has every term (`term.NAME`).
    """
    tally_type: ClassVar[type[msgspec.Struct] | None] = None
    """What the scorings reckon with; one that no game can end with raises ValueError when it is made."""
    is_laid_open: bool = False
    """Whether nothing stays hidden once a game is over: who looks back then sees what MASTER saw."""
    resumes: ClassVar[bool] = False
    """Whether `resumed` lets a new table go on from a step of a finished game."""
    keeps_secrets: ClassVar[bool] = False
    """Whether what players held stays theirs when the game is over: each goes on in his own seat only."""
    file_most: ClassVar[int] = 0
    """Characters of a file in which a club describes variants of its own; 0 where there are no such files."""

    @abstractmethod
    def seats(self, options: Any) -> Seats: ...

    @abstractmethod
    def setup(self, options: Any, seats: Sequence[Seat], at: Instant, rng: Random) -> list[Fact]:
        """The first facts: the deal, the mines, the roles. Raises Illegal if the options do not fit."""

    def paced(self, options: Any, by_days: bool) -> Any:
        """The options of a table whose players have days for a move, or have not."""
        return options

    def by_days(self, options: Any) -> bool:
        """Whether players with these options look in once a day or less, whatever the table's own clock."""
        return False

    def again(self, options: Any, state: S) -> Any:
        """The options of a rematch in the same seats: colours change, where the game has them."""
        return options

    def with_first_as(self, options: Any, side: str) -> Any:
        """The options by which the first seat plays one of `sides`, or what the lot gives it (`BY_LOT`)."""
        return options

    def first_plays(self, options: Any) -> str | None:
        """The side of the first seat by these options, or `BY_LOT`; None in a game without sides."""
        return None

    def side(self, state: S, seat: Seat) -> str | None:
        """What a seat plays ("white"), where players are counted by that and not by their seat."""
        return None

    def is_abortable(self, state: S) -> bool:
        """Whether the game has hardly begun, and can be called off as if it had never been played.

        Every seat knows it. Where all come and go at any time there is nothing to call off.
        """
        return False

    def setup_is_slow(self, options: Any) -> bool:
        """Whether `setup` thinks for longer than an event loop may stand still."""
        return False

    # Why: docs/decisions.md#no-facts-no-event
    @abstractmethod
    def decide(self, state: S, seat: Seat, action: Action, at: Instant, rng: Random) -> list[Fact]:
        """The facts that follow from an action, none if nothing changes. Raises Illegal; changes nothing."""

    # Why: docs/decisions.md#states-are-replaced
    @abstractmethod
    def evolve(self, state: S | None, fact: Fact) -> S:
        """The state after a fact (None before the first). Never fails on facts that `decide` has given."""

    @abstractmethod
    def legal(self, state: S, seat: Seat) -> Actions: ...

    @abstractmethod
    def view(self, state: S, seat: Seat) -> View:
        """All that this seat may know, as the game's `view_type`."""

    # Why: docs/decisions.md#a-view-changes-only-by-what-is-told
    @abstractmethod
    def tell(self, before: S | None, fact: Fact, after: S, seat: Seat) -> Fact | None:
        """One fact as this seat may know it, one of `told_type`; None = not at all."""

    def alarms(self, state: S) -> dict[str, Instant]:
        """What will be due, and when."""
        return {}

    @abstractmethod
    def waiting(self, state: S) -> frozenset[Seat]:
        """Whose turn it is; several at once is normal, none when the game is over."""

    def asked(self, state: S) -> frozenset[Seat]:
        """Who has something to answer while it is another's turn, an offer say; robots do it at once."""
        return frozenset()

    @abstractmethod
    def result(self, state: S) -> Result | None: ...

    def shuffle_hidden(self, state: S, seat: Seat, rng: Random) -> S:
        """Another state, as random as can be, that this seat cannot tell apart from `state`.

        The conformance kit shows both to the seat and demands the same bytes. What the end of a game lays
        open must be the same in both states of an ended game. A game without secrets keeps this default.
        """
        return state

    def marks(self, state: S, seat: Seat) -> Json:
        """All that a seat has marked for itself, as JSON and bounded: what private facts have come to."""
        return None

    def marked(self, state: S, seat: Seat, marks: Json) -> S:
        """The state with these marks of a seat in the place of its own; what no longer fits is dropped."""
        return state

    def upgrade(self, fact: dict[str, Any]) -> dict[str, Any]:
        """Bring the JSON of a fact of an older release up to date, before it is decoded."""
        return fact

    def kin(self, variant: str) -> Rules[S] | None:
        """Rules that go on with the games of a variant which the house no longer has; None where none can."""
        return None

    def punctual(self, before: S, fact: Fact) -> dict[Seat, bool]:
        """Who owed something by a date that this fact closes, and whether it was there in time."""
        return {}

    # Why: docs/decisions.md#dates-are-passed-in
    def dated(self, calendar: Any) -> Rules[S]:
        """The same rules with the calendar of the house (`rules.calendar`); most games know no dates."""
        return self

    def spoken(self, fields: Mapping[str, Json], language: str) -> dict[str, Json]:
        """The fields of an action or of a fact as its sentence wants them: with names of squares, say."""
        return dict(fields)

    def words(self, language: str) -> Mapping[str, str]:
        """Sentences for people, by key, with `{field}` where a value goes. Languages are "fr" and "en".

        `name`; `name.VARIANT` and, in one sentence, `about.VARIANT`; `option.width`, `option.width.help` and
        the names of values `option.choices.DATC`; `robot.exact`, `action.click`, `fact.opened`,
        `illegal.late`, `result.cleared`; `role.1` where there are roles, `figure` where beats have figures.
        """
        raise NotImplementedError

    def judged(self, given: Json) -> Result:
        """How a game ended that was played elsewhere, seat n having played role n: from its tally.

        Only where there is a `tally_type`. Raises NoSuchEnd.
        """
        raise NotImplementedError

    # --- roles, and a master who cares for them -----------------------------------------------------------

    def holders(self, state: S) -> tuple[Seat, ...]:
        """Who plays each role, from role 1 on; MASTER where no player does."""
        return ()

    def one_role_each(self, options: Any) -> bool:
        """Whether nobody may be dealt two roles."""
        return False

    def dealt(self, options: Any, seats: Sequence[Seat]) -> Any:
        """The options with the roles as a master has dealt them, 0 for one that nobody has.

        None where so few are dealt that the game cannot begin.
        """
        return None

    def hurried(self, options: Any) -> Any:
        """The options of a table at which all play at once, whatever dates they set."""
        return options

    def options_in_force(self, state: S) -> Any:
        """The options by which a running game goes on, where its master may change them; else None."""
        return None

    def changing(self, options: Any) -> Action:
        """What MASTER plays so that a running game goes on by these options; see `options_in_force`."""
        raise NotImplementedError

    def acts_for(self, state: S, action: Action) -> int:
        """The role for which MASTER acts in its player's place, who gets a notice of it; 0 for none."""
        return 0

    # --- a game played by text: orders in letters ---------------------------------------------------------

    def read(self, view: Any, legal: Actions, role: int, text: str, language: str) -> Action | None:
        """The action that somebody means by a line of text; None for a line that asks for nothing.

        `role` is the one that he speaks for, 0 for all that he has. Whether it may be played is asked later.
        Raises NotRead. A game without a notation reads the plain form of its actions (`rules.dictation`).
        """
        action: Action = read_plainly(self.action_type, self.words(language), text, language)
        return action

    def finishing(self, view: Any, role: int, final: bool, language: str) -> list[Action]:
        """What says that all that was given is final, or no longer so; raises NotRead where nothing can."""
        raise not_read("not_yet", language)

    def written(self, view: Any, role: int, language: str) -> Written:
        """What somebody has given for his role (0: all of his) and still owes, in lines of text."""
        return Written()

    def phase(self, state: S) -> int:
        """A number that changes when what is asked of the players does: an answer to the one before is late.

        Every seat knows it. 0 where a game has no such thing.
        """
        return 0

    # --- a game told to others: in letters, in files, season by season ------------------------------------

    def news(self, told: Sequence[Fact], view: Any, names: Mapping[Seat, str], language: str) -> list[str]:
        """What a letter says of an event to a seat: from what it was told of it, and its view then.

        `names` are those of the players whom the seat may know.
        """
        return [said for fact in told for said in sentences(self, msgspec.to_builtins(fact), names, language)]

    def glance(self, view: Any, language: str) -> Glance:
        """The game in a few words, from what its seat may see and nothing else."""
        return Glance()

    def latest(self, told: Sequence[Fact], view: Any, names: Mapping[Seat, str], language: str) -> str:
        """The last thing that happened, in one sentence, of what a seat was told by an event; empty for none.

        `view` and `names` are as for `news`.
        """
        for fact in reversed(told):
            if news := self.news([fact], view, names, language):
                return news[-1]
        return ""

    def conditions(self, options: Any, language: str) -> list[Condition]:
        """What one should know of these options before sitting down: all of them, unless a game says less."""
        return plain_conditions(self.words(language), options, language)

    def owed(self, state: S) -> Owed | None:
        """What is to be done by a date, of which letters remind."""
        return None

    def late(self, state: S) -> Late | None:
        """Who has missed what was `owed`: said to him and to the master, nobody else need know."""
        return None

    def absentees(self, state: S) -> frozenset[Seat]:
        """Whose players have missed so many dates in a row that others may ask somebody to stand in."""
        return frozenset()

    def beat(self, told: Sequence[Fact], view: Callable[[], Any], language: str) -> Beat:
        """What an event is in the film of the game: from what a seat was told of it, and its view then.

        A view may cost something: it is asked for where it is needed.
        """
        return Beat()

    def picture(self, view: Any) -> str | None:
        """The position as an SVG that stands alone, from a view; None where there is nothing to be drawn.

        A view with lists of texts of equal length has boards, which are drawn letter by letter.
        """
        return plain_picture(view)

    def chronicle(self) -> Chronicle | None:
        """An empty chronicle of a game, where the game has one."""
        return None

    def export(self, view: Any, kind: str, occasion: Occasion) -> str | None:
        """A game as a file of one of its `formats`, from a view; None while that hides what it must tell."""
        raise NotImplementedError

    def resumed(
        self, options: Any, facts: Sequence[Fact], people: Mapping[Seat, Join], at: Instant
    ) -> Resumption:
        """A game that goes on where these facts of another have led, with these people; see `resumes`.

        It knows no haste: no clock runs and nothing is owed by a date. What was on its way is asked again.
        """
        raise NotImplementedError

    def analyse(self, view: Any, step: int, tried: Sequence[str]) -> Any:
        """A finished game after so many steps and what is tried from there; see `is_analysed`.

        Raises ValueError where that cannot be played. It may think for a while.
        """
        raise NotImplementedError

    def review_steps(self, view: Any) -> int:
        """How many positions `review` looks at."""
        raise NotImplementedError

    def review(self, view: Any, tell: Callable[[int], None]) -> Any:
        """A whole finished game judged step by step; `tell` hears how many are done. It thinks for long."""
        raise NotImplementedError

    def may_be_rated(self, options: Any) -> bool:
        """Whether a game with these options can say who is stronger."""
        return True

    def described(self, text: str, stem: str) -> tuple[list[Rules[S]], list[str]]:
        """The variants that a club's file describes, and sentences on what in it is left aside.

        One that has no name in the file has the `stem` of the file's. Raises ValueError, a line a fault.
        """
        raise NotImplementedError
