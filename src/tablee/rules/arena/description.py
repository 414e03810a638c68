"""A game of Arena of Titans as its description makes it, with every spelling resolved."""

from __future__ import annotations

import msgspec

LINE, DIAGONAL, KNIGHT = "line", "diagonal", "knight"
MOVEMENTS = (LINE, DIAGONAL, KNIGHT)
ASSASSINATION = "assassination"
SPECIAL_ACTIONS = (ASSASSINATION,)
ALL = "ALL"
"""Stands for every colour; no square has it."""
HAND = 5
"""Cards that a player holds: a deck has at least as many."""


class Fill(msgspec.Struct, frozen=True):
    """The rectangle that the straight rows of an arm are drawn with."""

    width: float
    height: float


class Svg(msgspec.Struct, frozen=True):
    """How one arm is drawn; the others are the same, turned about the centre."""

    rotation_center: tuple[float, float]
    fill_origin: tuple[float, float]
    fill: Fill
    lines: tuple[tuple[str, ...], ...]
    """Path data of the squares of each row before the straight ones."""


class Plan(msgspec.Struct, frozen=True):
    """The board: a row is a run of colours that is repeated all the way round."""

    number_arms: int
    arms_width: int
    arms_length: int
    """How many of the arm rows are drawn with `fill`: the last ones."""
    circle_rows: tuple[tuple[str, ...], ...]
    """From the innermost."""
    arm_rows: tuple[tuple[str, ...], ...]
    svg: Svg | None = None

    @property
    def width(self) -> int:
        """Columns all the way round."""
        return self.number_arms * self.arms_width

    @property
    def rows(self) -> int:
        return len(self.circle_rows) + len(self.arm_rows)


class Card(msgspec.Struct, frozen=True):
    """A movement card; a deck has it once or more in every colour."""

    name: str
    steps: int
    types: tuple[str, ...]
    colors: dict[str, tuple[str, ...]]
    """The colours that it may step on, by its own."""
    special_actions: tuple[str, ...] = ()
    description: str = ""
    """What its author says of it to players."""


class ModifyNumberMoves(msgspec.Struct, frozen=True, tag_field="type", tag="ModifyNumberMoves"):
    """More or fewer moves in a turn."""

    delta_moves: int


class RemoveColor(msgspec.Struct, frozen=True, tag_field="type", tag="RemoveColor"):
    """The target's cards lose these colours."""

    colors: tuple[str, ...]


class RemoveEffects(msgspec.Struct, frozen=True, tag_field="type", tag="RemoveEffects"):
    """Effects of these trumps, named as before repetition, lose some of their duration."""

    effects: tuple[str, ...]


class ModifyTrumpDurations(msgspec.Struct, frozen=True, tag_field="type", tag="ModifyTrumpDurations"):
    """Effects that are on the target last so many turns more or fewer."""

    delta_duration: int
    trump_names: tuple[str, ...] = ()
    """Of these trumps, named as before repetition; of all where there are none."""


Effect = ModifyNumberMoves | RemoveColor | RemoveEffects | ModifyTrumpDurations


class Trump(msgspec.Struct, frozen=True):
    """A trump card; one that is repeated for each colour is here once a colour."""

    name: str
    base: str
    """Its name in the file, before it was repeated."""
    description: str
    cost: int
    effect: Effect
    duration: int = 1
    must_target_player: bool = False
    weight: int = 1


class Description(msgspec.Struct, frozen=True):
    """Everything that makes a game."""

    number_players: int
    colors: tuple[str, ...]
    """Without `ALL`."""
    board: Plan
    number_cards_per_color: int
    cards: tuple[Card, ...]
    trumps: tuple[Trump, ...]
