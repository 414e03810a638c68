"""The cards of a description: its deck, and what a card of a colour reaches."""

from __future__ import annotations

from collections.abc import Mapping

from tablee.rules.arena.board import Board, types_of
from tablee.rules.arena.description import Card, Description
from tablee.rules.arena.reach import reach


def deck(description: Description) -> list[tuple[str, str]]:
    """Every card of a player's deck, by name and colour."""
    return [
        (card.name, color)
        for card in description.cards
        for color in description.colors
        for _ in range(description.number_cards_per_color)
    ]


def allowed_squares(card: Card, color: str, masks: Mapping[str, int]) -> int:
    """The squares that a card of a colour may step on; `masks` are the squares of each colour."""
    found = 0
    for each in card.colors[color]:
        found |= masks[each]
    return found


def card_reach(board: Board, card: Card, color: str, start: int, masks: Mapping[str, int]) -> int:
    """Where a card of a colour brings a pawn on an empty board."""
    return reach(board, start, card.steps, types_of(card.types), allowed_squares(card, color, masks))
