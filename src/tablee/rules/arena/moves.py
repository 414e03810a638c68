"""What a player may do with a card: how far it goes, on which colours, and whom he may push after it."""

from __future__ import annotations

from tablee.rules.arena.board import LINE_OR_DIAGONAL, squares_of
from tablee.rules.arena.description import ASSASSINATION
from tablee.rules.arena.effects import change_of_moves, lost_colors
from tablee.rules.arena.ground import Ground
from tablee.rules.arena.heroes import GAREZ, KNIGHT, QUEEN, ULYA, WARRIOR
from tablee.rules.arena.model import MOVES, ArenaState, Card, Player
from tablee.rules.arena.reach import path, reach
from tablee.rules.contract import Seat

DOMINATION = 3
"""Steps of Ulya's Queens."""


def moves_left(ground: Ground, state: ArenaState) -> int:
    """How many moves the player whose turn it is still has."""
    first = MOVES - 1 if state.short else MOVES
    return max(1, first + change_of_moves(ground, state.current)) - state.used


def steps_of(ground: Ground, player: Player, card: Card) -> int:
    """Up to how many steps a card goes for this player."""
    printed = ground.printed[card]
    if printed.name == QUEEN and player.has_power_of(ULYA):
        return max(DOMINATION, printed.steps)
    return printed.steps


def allowed(ground: Ground, state: ArenaState, player: Player, card: Card) -> int:
    """The squares that a card may step on for this player: powers first, then what acts on him."""
    printed = ground.printed[card]
    rides = printed.name == KNIGHT and player.has_power_of(GAREZ)
    colors = frozenset(ground.colors) if rides else printed.colors
    masks = ground.masks(state.painted)
    found = 0
    for color in colors - lost_colors(ground, player):
        found |= masks[color]
    return found


def occupied_for(state: ArenaState, seat: Seat) -> int:
    """The squares with a pawn that this seat sees, its own among them."""
    found = 0
    for player in state.players:
        if player.on_board and player.seen_by(seat):
            found |= 1 << player.pawn
    return found


def landings(ground: Ground, state: ArenaState, player: Player, card: Card) -> int:
    """The squares where a card may take this player's pawn now."""
    return reach(
        ground.board,
        player.pawn,
        steps_of(ground, player, card),
        ground.printed[card].types,
        allowed(ground, state, player, card),
        occupied_for(state, player.seat),
    )


def way(ground: Ground, state: ArenaState, player: Player, card: Card, square: int) -> list[int]:
    """The squares that the pawn steps on when a card takes it there, the last one among them."""
    steps, types = steps_of(ground, player, card), ground.printed[card].types
    return path(
        ground.board, player.pawn, square, steps, types, allowed(ground, state, player, card)
    )[1:]  # fmt: skip


def gauge_of(ground: Ground, player: Player, card: Card, square: int) -> int:
    """What a move adds to the gauge: the least steps of the card's own types, colours and pawns ignored."""
    everywhere = (1 << ground.board.squares) - 1
    types, most = ground.printed[card].types, steps_of(ground, player, card)
    for steps in range(1, most):
        if reach(ground.board, player.pawn, steps, types, everywhere) >> square & 1:
            return steps
    return most


def may_strike(ground: Ground, player: Player, card: Card) -> bool:
    """Whether an Assassination may follow this card."""
    printed = ground.printed[card]
    return ASSASSINATION in printed.special_actions or (printed.name == WARRIOR and player.blade > 0)


def pushes(ground: Ground, state: ArenaState, player: Player, color: str) -> dict[Seat, int]:
    """Whom the player may push, and to which squares of this colour, whatever acts on him."""
    taken = occupied_for(state, player.seat)
    of_color = ground.masks(state.painted)[color]
    found = {}
    for other in state.players:
        if other.seat != player.seat and other.playing and other.mist == 0:
            squares = reach(ground.board, other.pawn, 1, LINE_OR_DIAGONAL, of_color, taken)
            if squares:
                found[other.seat] = squares
    return found


def places(ground: Ground, mask: int) -> list[list[int]]:
    """Squares as people know them."""
    return [ground.place(square) for square in squares_of(mask)]
