"""What the stronger robot does with a turn: the moves it plans, whom it pushes, which trump it plays."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from tablee.rules.arena.board import squares_of
from tablee.rules.arena.effects import effects_at_work, kind_of, lost_colors, put_on
from tablee.rules.arena.ground import Ground, ground_of
from tablee.rules.arena.heroes import (
    ARLINE,
    HEROES,
    KHARLIASS,
    LUNI,
    MIRINDREL,
    WARRIOR,
    usable_power,
)
from tablee.rules.arena.model import (
    HAND,
    Active,
    ArenaState,
    Card,
    Discard,
    Pass,
    Play,
    Player,
    PlayTrump,
    Push,
    SkipPush,
    UsePower,
)
from tablee.rules.arena.moves import allowed, landings, may_strike, occupied_for, pushes, steps_of
from tablee.rules.arena.outlook import outlook_of
from tablee.rules.arena.reach import reach
from tablee.rules.arena.trumps import cost_of, may_be_targeted, targets
from tablee.rules.contract import Action, Seat

BRANCHES = 14
"""First moves whose second moves are looked at."""
SQUARES = 4
"""Squares of which Terraforming considers a change."""
A_MOVE = 1.0
WORTH = 0.07
"""A trump is worth playing when it gains so many moves for a point of the gauge."""
IDLE_WORTH = 0.03
"""The same when the gauge is nearly full."""
FULL = 30
COPIES = {"Ulya": 3, "Garez": 2, "Razbrak": 1}
"""Powers that are worth a Metamorphosis, the best with the highest number."""


class Plan(NamedTuple):
    """What is to be done first, and how many moves the pawn then needs on average."""

    left: float
    action: Action


class Strategist:
    """One turn of one player, as far as he sees."""

    def __init__(self, state: ArenaState, player: Player, moves: int) -> None:
        self.state = state
        self.player = player
        self.moves = moves
        self.ground = ground_of(state.description)
        self.outlook = outlook_of(self.ground, player)
        self._gains: dict[str, float] = {}

    def action(self) -> Action:
        """The best that can be done now."""
        if self.state.strike is not None:
            return self._push()
        plan = self.plan(self.player)
        return self._trump(plan) or self._power(plan) or plan.action

    # --- moves ------------------------------------------------------------------------------------------

    def plan(self, player: Player) -> Plan:
        """The first of one or two moves after which the pawn is best off."""
        ground, state = self.ground, self.state
        hand = tuple(sorted(player.hand))
        here = self.outlook.moves[player.pawn]
        if here == 0 or not hand:
            return Plan(here, Pass())
        taken = occupied_for(state, player.seat) & ~(1 << player.pawn)
        squares = {card: allowed(ground, state, player, card) for card in set(hand)}
        steps = {card: steps_of(ground, player, card) for card in set(hand)}
        gains = {card: self._strike_gain(player, card) for card in set(hand)}
        firsts: list[tuple[float, Card, int]] = []
        for card in sorted(set(hand)):
            found = reach(
                ground.board, player.pawn, steps[card], ground.printed[card].types, squares[card], taken
            )
            firsts += [(self.outlook.moves[s] - gains[card], card, s) for s in squares_of(found)]
        firsts.sort()
        best = self._waste(player.pawn, hand)
        for _, card, square in firsts[:BRANCHES]:
            rest = _without(hand, card)
            left = self._after(square, rest, self.moves - 1, squares, steps, gains, taken) - gains[card]
            if left < best.left - 1e-9:
                x, y = ground.place(square)
                best = Plan(left, Play(**ground.named(card), x=x, y=y))
        return best

    def _after(
        self,
        square: int,
        rest: tuple[Card, ...],
        moves: int,
        squares: dict[Card, int],
        steps: dict[Card, int],
        gains: dict[Card, float],
        taken: int,
    ) -> float:
        """How the pawn is off on a square with these cards and so many moves left in the turn."""
        outlook, ground = self.outlook, self.ground
        if outlook.moves[square] == 0:
            return 0.0
        if moves <= 0 or not rest:
            return outlook.with_hand(square, rest, HAND - len(rest))
        best = self._waste(square, rest).left
        for card in set(rest):
            kept = _without(rest, card)
            found = reach(
                ground.board, square, steps[card], ground.printed[card].types, squares[card], taken
            )  # fmt: skip
            for end in squares_of(found):
                if outlook.moves[end] < outlook.moves[square] + 1:
                    left = outlook.with_hand(end, kept, HAND - len(kept)) - gains[card]
                    best = min(best, left)
        return best - (moves - 1) * 0.8

    def _waste(self, square: int, hand: tuple[Card, ...]) -> Plan:
        """The card that is missed least is put away."""
        outlook = self.outlook
        best = outlook.best[square] if outlook.best else {}
        far = outlook.moves[square]
        worst = max(hand, key=lambda card: (best.get(card, far), -self.ground.printed[card].steps))
        kept = _without(hand, worst)
        return Plan(
            outlook.with_hand(square, kept, HAND - len(kept)), Discard(**self.ground.named(worst))
        )  # fmt: skip

    # --- Assassination ----------------------------------------------------------------------------------

    def _push_gain(self, other: Player, square: int) -> float:
        """What a push costs another, more the nearer he is to the end."""
        before, after = (outlook_of(self.ground, other).moves[s] for s in (other.pawn, square))
        urgent = 3.0 if before == 0 and after > 0 else 1.0
        share = 1.0 if len(self.state.players) == 2 else 0.6
        return (after - before) * urgent * share

    def _best_push(self, color: str) -> tuple[float, Push] | None:
        found = pushes(self.ground, self.state, self.player, color)
        best: tuple[float, Push] | None = None
        for seat, squares in found.items():
            other = self.state.player(seat)
            assert other is not None
            for square in squares_of(squares):
                gain = self._push_gain(other, square)
                if best is None or gain > best[0]:
                    best = (gain, Push(seat, *self.ground.place(square)))
        return best

    def _push(self) -> Action:
        assert self.state.strike is not None
        best = self._best_push(self.ground.colors[self.state.strike])
        return best[1] if best is not None and best[0] > 0 else SkipPush()

    def _strike_gain(self, player: Player, card: Card) -> float:
        """What the push after a card is worth."""
        if not may_strike(self.ground, player, card):
            return 0.0
        color = self.ground.printed[card].color
        if color not in self._gains:
            best = self._best_push(color)
            self._gains[color] = max(0.0, best[0]) if best is not None else 0.0
        return self._gains[color]

    # --- trumps -----------------------------------------------------------------------------------------

    def _trump(self, plan: Plan) -> Action | None:
        """The trump that gains most, where it is worth its cost."""
        best: tuple[float, PlayTrump] | None = None
        for name in self.player.trumps:
            trump = self.ground.trumps[name]
            cost = cost_of(self.player, trump)
            wanted = self._wanted(cost)
            for seat in targets(self.ground, self.state, self.player, name):
                gain = self._trump_gain(name, seat, plan)
                if gain > wanted and (best is None or gain - wanted > best[0]):
                    aimed = seat if trump.must_target_player else None
                    best = (gain - wanted, PlayTrump(name, aimed))
        return None if best is None else best[1]

    def _wanted(self, cost: int) -> float:
        """What must be gained for so much of the gauge."""
        return cost * (IDLE_WORTH if self.player.gauge >= FULL else WORTH)

    def _trump_gain(self, name: str, seat: Seat, plan: Plan) -> float:
        """By how many moves a trump brings this player forward, or holds another back."""
        ground, trump = self.ground, self.ground.trumps[name]
        kind = kind_of(trump)
        target = self.state.player(seat)
        assert target is not None
        struck = put_on(ground, target, Active(name, trump.duration, self.player.seat))
        if seat == self.player.seat:
            if plan.left <= 0:
                return 0.0
            gain = A_MOVE * kind.moves(trump.effect) + _moves_gained(ground, target, struck)
            if lost_colors(ground, struck) != lost_colors(ground, target):
                gain += plan.left - self.plan(struck).left
            return gain
        before = outlook_of(ground, target).moves[target.pawn]
        if before == 0:
            return 0.0
        lost = -A_MOVE * kind.moves(trump.effect) * trump.duration - _moves_gained(ground, target, struck)
        if lost_colors(ground, struck) != lost_colors(ground, target):
            lost += trump.duration * self._hindrance(target, struck)
        mine = self.outlook.moves[self.player.pawn]
        share = 1.0 if len(self.state.players) == 2 else 0.6 if before < mine + 2 else 0.2
        return lost * share

    def _hindrance(self, target: Player, struck: Player) -> float:
        """What a turn of another loses by colours that his cards lose."""
        outlook, ground = outlook_of(self.ground, target), self.ground
        if not outlook.best:
            return 0.5
        here = outlook.moves[target.pawn]
        lost = 0.0
        best = outlook.best[target.pawn]
        useful = sorted(best, key=lambda card: best[card])[: 2 * HAND]
        for card in useful:
            gained = here - best[card]
            if gained <= 0:
                continue
            found = landings(ground, self.state, struck, card)
            after = min((outlook.moves[square] for square in squares_of(found)), default=here)
            lost += max(0.0, min(here, after) - best[card])
        return 2 * lost / max(1, len(useful))

    # --- powers -----------------------------------------------------------------------------------------

    def _power(self, plan: Plan) -> Action | None:
        """An active power, where there is something to gain by it and it can be paid for."""
        power = usable_power(self.player)
        if power is None or self.state.trumped or self.player.gauge < power[1]:
            return None
        hero, cost = power
        rich = cost == 0 or self.player.gauge >= FULL
        if hero.name == ARLINE:
            return UsePower() if rich or plan.left <= 0 else None
        if hero.name == LUNI:
            armed = any(self.ground.printed[card].name == WARRIOR for card in self.player.hand)
            return UsePower() if armed and self._blade_gain() > 1 else None
        if hero.name == KHARLIASS:
            return self._metamorphosis()
        return self._terraforming(plan) if hero.name == MIRINDREL else None

    def _blade_gain(self) -> float:
        warriors = {
            self.ground.printed[card].color
            for card in self.player.hand
            if self.ground.printed[card].name == WARRIOR
            and landings(self.ground, self.state, self.player, card)
        }
        found = (self._best_push(color) for color in sorted(warriors))
        return max((best[0] for best in found if best is not None), default=0.0)

    def _metamorphosis(self) -> Action | None:
        heroes = {seat: self._hero_of(seat) for seat in may_be_targeted(self.state, self.player)}
        worth = {seat: COPIES[hero] for seat, hero in heroes.items() if hero in COPIES}
        return UsePower(target=max(worth, key=lambda seat: (worth[seat], seat))) if worth else None

    def _hero_of(self, seat: Seat) -> str | None:
        player = self.state.player(seat)
        return None if player is None else player.hero

    def _terraforming(self, plan: Plan) -> Action | None:
        """The square ahead that in another colour would bring the pawn furthest."""
        ground, state, player = self.ground, self.state, self.player
        aims = 0
        for each in state.players:
            aims |= ground.board.aims(each.arm)
        lost = lost_colors(ground, player)
        ahead: set[tuple[float, int, str]] = set()
        for card in sorted(set(player.hand)):
            printed = ground.printed[card]
            near = ground.board.near[printed.types][player.pawn] & ~aims & ~occupied_for(state, player.seat)
            for square in squares_of(near & ~allowed(ground, state, player, card)):
                if printed.color not in lost:
                    ahead.add((self.outlook.moves[square], square, printed.color))
        best: tuple[float, UsePower] | None = None
        for _, square, color in sorted(ahead)[:SQUARES]:
            painted = replace(state, painted={**state.painted, square: ground.colors.index(color)})
            gain = plan.left - Strategist(painted, player, self.moves).plan(player).left
            if gain > self._wanted(HEROES[MIRINDREL].cost) and (best is None or gain > best[0]):
                x, y = ground.place(square)
                best = (gain, UsePower(x=x, y=y, color=color))
        return None if best is None else best[1]


def _moves_gained(ground: Ground, before: Player, after: Player) -> float:
    """What a player gains in moves when effects that were on him last longer or less long."""
    if len(after.effects) > len(before.effects):
        return 0.0
    turns = [
        sum(each.left * kind_of(trump).moves(trump.effect) for each, trump in effects_at_work(ground, player))
        for player in (before, after)
    ]
    return A_MOVE * (turns[1] - turns[0])


def _without(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]
