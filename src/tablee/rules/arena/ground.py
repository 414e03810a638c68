"""A description ready to be played: its board, its cards by number, its trumps by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property

import msgspec

from tablee.rules.arena.board import LINE_OR_DIAGONAL, Board, Square, squares_of, types_of
from tablee.rules.arena.description import Description
from tablee.rules.arena.heroes import offered
from tablee.rules.arena.kept import Kept
from tablee.rules.arena.model import Card
from tablee.rules.arena.reach import distances
from tablee.rules.arena.views import NamedCard


class Printed(msgspec.Struct, frozen=True):
    """What a card has printed on it."""

    name: str
    color: str
    steps: int
    types: int
    colors: frozenset[str]
    special_actions: tuple[str, ...]


class Ground:
    """All that follows from a description alone."""

    def __init__(self, description: Description) -> None:
        self.description = description
        self.board = Board(description)
        self.colors = description.colors
        self.printed = tuple(
            Printed(
                card.name,
                color,
                card.steps,
                types_of(card.types),
                frozenset(card.colors[color]),
                card.special_actions,
            )
            for card in description.cards
            for color in description.colors
        )
        self.cards = tuple(NamedCard(each.name, each.color) for each in self.printed)
        """By number, as people know them."""
        self.numbers = {(each.name, each.color): number for number, each in enumerate(self.printed)}
        self.trumps = {trump.name: trump for trump in description.trumps}
        self.heroes = offered(
            {card.name for card in description.cards}, {trump.base for trump in description.trumps}
        )
        self._aims: dict[int, tuple[Square, ...]] = {}
        self._masks: tuple[dict[int, int], dict[str, int]] = ({}, self.board.masks)

    # --- squares ----------------------------------------------------------------------------------------

    def is_aim(self, arm: int, square: int) -> bool:
        """Whether a pawn that started on this arm is home here."""
        return bool(self.board.aims(arm) >> square & 1)

    def aims(self, arm: int) -> tuple[Square, ...]:
        """Where the aims of an arm are."""
        found = self._aims.get(arm)
        if found is None:
            found = self._aims[arm] = tuple(map(self.board.place, squares_of(self.board.aims(arm))))
        return found

    def steps_home(self, arm: int, square: int) -> int:
        """The fewest line or diagonal steps from a square to the aims of an arm, walls kept.

        A square from where no way leads there is further off than any other. All arms have the same shape:
        what holds for the first holds for the others, turned.
        """
        y, x = divmod(square, self.board.W)
        turned = (x - arm * self.board.plan.arms_width) % self.board.W
        return self._steps_of_first_arm[y * self.board.W + turned]

    @cached_property
    def _steps_of_first_arm(self) -> list[int]:
        steps = distances(self.board, LINE_OR_DIAGONAL, self.board.aims(0))
        return [steps.get(square, self.board.squares) for square in range(self.board.squares)]

    def square_at(self, x: int, y: int) -> int | None:
        """The square with these coordinates, if there is one."""
        inside = 0 <= x < self.board.W and 0 <= y < self.board.rows
        return y * self.board.W + x if inside else None

    def place(self, square: int) -> list[int]:
        return list(self.board.place(square))

    def color_at(self, square: int, painted: Mapping[int, int]) -> str:
        """The colour of a square in a game where some were painted."""
        return self.colors[painted[square]] if square in painted else self.board.color_of[square]

    def masks(self, painted: Mapping[int, int]) -> Mapping[str, int]:
        """The squares of each colour in a game where some were painted."""
        if not painted:
            return self.board.masks
        known, masks = self._masks
        if known != painted:
            masks = dict(self.board.masks)
            for square, color in painted.items():
                masks[self.board.color_of[square]] &= ~(1 << square)
                masks[self.colors[color]] |= 1 << square
            self._masks = (dict(painted), masks)
        return masks

    # --- cards ------------------------------------------------------------------------------------------

    def deck_without(self, held: Iterable[Card]) -> list[Card]:
        """A whole deck, in order, but for these cards, counted one by one."""
        times = self.description.number_cards_per_color
        gone = Counter(held)
        return [card for card in range(len(self.printed)) for _ in range(times - gone[card])]

    def named(self, card: Card) -> dict[str, str]:
        """A card as people know it."""
        printed = self.printed[card]
        return {"card": printed.name, "color": printed.color}


def write_description(description: Description) -> str:
    """The text in which a game keeps its description."""
    return msgspec.json.encode(description).decode()


GROUNDS = 400_000
"""Squares of grounds that are kept: games on the largest boards go on, and small ones are all kept."""
grounds: Kept[Ground] = Kept(GROUNDS)


def ground_of(description: str) -> Ground:
    """The ground of a description in the text that a game keeps."""
    return grounds.made(
        description,
        lambda: Ground(msgspec.json.decode(description, type=Description)),
        lambda ground: ground.board.squares,
    )
