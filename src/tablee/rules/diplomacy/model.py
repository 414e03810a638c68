"""What the engine speaks of: units, orders, situations, verdicts, and the two records of choices.

Numbers are the document's (chapter E.2): roles, zones and centres from 1, an army is 1, a fleet 2, orders are
of type 1 to 9. Records that are made by the thousand are named tuples; they compare and hash by value.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum, StrEnum
from typing import Literal, NamedTuple

from msgspec import Struct


class Kind(IntEnum):
    """Of a unit, as the document numbers them."""

    ARMY = 1
    FLEET = 2


class Terrain(IntEnum):
    """Of a region, as the document numbers them."""

    COAST = 1
    LAND = 2
    SEA = 3


class Act(IntEnum):
    """What an order orders, as the document numbers it."""

    MOVE = 1
    SUPPORT_MOVE = 2
    SUPPORT_HOLD = 3
    HOLD = 4
    CONVOY = 5
    RETREAT = 6
    DISBAND = 7
    BUILD = 8
    REMOVE = 9


class Season(IntEnum):
    """`advancement % 5`."""

    SPRING_MOVES = 0
    SUMMER_RETREATS = 1
    AUTUMN_MOVES = 2
    WINTER_RETREATS = 3
    ADJUSTMENTS = 4


class Unit(NamedTuple):
    role: int
    kind: int
    zone: int
    """A fleet on one of several coasts stands in the coast's zone, everything else in a region."""


class Dislodged(NamedTuple):
    """A unit that must retreat."""

    role: int
    kind: int
    zone: int
    origin: int = 0
    """The region that the attack came from, closed for the retreat; 0 closes nothing."""


class Order(NamedTuple):
    """One order; what it does not need is 0."""

    role: int
    act: int
    zone: int
    """Where the ordered unit stands, is dislodged, or is to be built."""
    passive: int = 0
    """Where the supported or convoyed unit stands."""
    destination: int = 0
    via_convoy: bool | Literal[0, 1] = False
    """As a view writes it too, so that what was shown can be sent back as it is."""
    kind: int = 0
    """Of the unit to build; elsewhere 0, or what the giver believes to stand there."""


class Situation(Struct, frozen=True):
    """A whole position: what the document calls a situation."""

    ownerships: Mapping[int, int] = {}
    """Role by centre number."""
    units: tuple[Unit, ...] = ()
    dislodged: tuple[Dislodged, ...] = ()
    fake_units: tuple[Unit, ...] = ()
    """Units that orders to build speak of."""
    forbiddens: tuple[int, ...] = ()
    """Regions closed for retreats by a stand-off."""


class Outcome(StrEnum):
    SUCCEEDS = "succeeds"
    """Also: a hold, and a support that was given, whether or not it helped."""
    BOUNCES = "bounces"
    """A move or a retreat that met its equal."""
    CUT = "cut"
    VOID = "void"
    """A support or convoy of what was not ordered; an adjustment that is not owed."""
    DISRUPTED = "disrupted"
    """A convoy whose fleet was dislodged."""
    NO_CONVOY = "no-convoy"
    """A move without a chain of convoys, or whose chains were all disrupted."""
    ILLEGAL = "illegal"
    """The unit holds, or is disbanded in a retreat phase."""


class Reason(NamedTuple):
    """Why an order is not legal: a key of `words.toml` under `reason`, and the parts of its sentence."""

    code: str
    parts: Mapping[str, int]
    """Numbers by name: `zone`, `destination`, `passive` are zones, `role`, `owner` roles, `kind` a kind."""


class Verdict(NamedTuple):
    """What became of an order."""

    order: Order
    outcome: Outcome
    dislodged: bool = False
    paradox: bool = False
    """Decided by Szykman's rule."""
    by_default: bool = False
    """Nobody gave this order: the unit had none."""
    disbanded: bool = False
    """The ordered unit is off the board after the phase."""
    reason: Reason | None = None
    """Where the order is illegal."""


class Explanation(Struct, frozen=True):
    """Why a verdict is so: a key of `words.toml` under `why`, and the parts of its sentence."""

    verdict: Verdict
    code: str
    numbers: Mapping[str, int] = {}
    """Strengths by name: `attack`, `hold`, `defend`, `prevent`."""
    orders: Mapping[str, tuple[Order, ...]] = {}
    """Orders by name: `against`, `by`, `supports`."""


class Choices(Struct, frozen=True):
    """Where two houses can both be right."""

    name: Literal["DATC", "AFJD"]
    removals: Literal["owned", "home"]
    """Civil disorder removes what is farthest from the centres owned, or from home (DATC 4.D.8)."""
    convoyed_origin: Literal["open", "closed"]
    """Whether the origin of a convoyed attacker is closed for the retreat (DATC 4.A.5)."""
    wrong_coast: Literal["void", "ignored"]
    """What a wrong coast in a support makes of it (DATC 6.B.9)."""


DATC = Choices("DATC", removals="owned", convoyed_origin="open", wrong_coast="void")
AFJD = Choices("AFJD", removals="home", convoyed_origin="closed", wrong_coast="ignored")


class Resolution(Struct, frozen=True):
    """What a phase came to."""

    situation: Situation
    """After the phase; a dislodged unit is in `dislodged` only."""
    verdicts: tuple[Verdict, ...]
    """In the order of the orders given, those by default after them."""
    destroyed: tuple[Unit, ...] = ()
    """Dislodged units with no retreat, and units that civil disorder or elimination took."""
