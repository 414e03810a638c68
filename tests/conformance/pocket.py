"""A tiny card game of the tests' own: turns, hidden hands, a hidden deck, a die, a clock.

Each in turn plays a card, worth its points if it is higher than the one below it, and draws the next of the
deck; or rolls the die once and scores that. Who has no card left passes; with all hands empty it is over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from tablee.rules.contract import (
    CLOCK,
    MASTER,
    Action,
    Alarm,
    Away,
    Back,
    Fact,
    Illegal,
    Instant,
    Join,
    Json,
    Leave,
    Replace,
    Result,
    Rules,
    Seat,
    Seats,
    State,
    TimeGivenBack,
    Timeout,
    View,
)
from tablee.rules.words import parse_words

PATIENCE = 60_000


class PocketOptions(msgspec.Struct, frozen=True):
    hand: Annotated[int, Meta(ge=1, le=5)] = 3


class Play(Action, frozen=True):
    card: int


class Roll(Action, frozen=True):
    pass


class Dealt(Fact, frozen=True):
    hands: dict[Seat, tuple[int, ...]]
    deck: tuple[int, ...]
    at: Instant


class Played(Fact, frozen=True):
    seat: Seat
    card: int
    points: int
    at: Instant


class Drew(Fact, frozen=True):
    seat: Seat
    card: int


class Rolled(Fact, frozen=True):
    seat: Seat
    eyes: int
    at: Instant


class Skipped(Fact, frozen=True):
    seat: Seat
    at: Instant


class Resigned(Fact, frozen=True):
    seat: Seat


class Hand(msgspec.Struct, frozen=True):
    seat: Seat
    cards: tuple[int, ...]
    points: int = 0
    rolled: bool = False


class PocketState(State, frozen=True):
    hands: tuple[Hand, ...]
    deck: tuple[int, ...]
    pile: tuple[int, ...]
    turn: Seat
    since: Instant
    resigned: Seat | None = None

    def hand(self, seat: Seat) -> Hand | None:
        return next((hand for hand in self.hands if hand.seat == seat), None)

    @property
    def over(self) -> bool:
        return self.resigned is not None or not any(hand.cards for hand in self.hands)


class PlayerView(msgspec.Struct, frozen=True):
    cards: int
    points: int
    rolled: bool


class PocketView(View, frozen=True):
    turn: Seat | None
    pile: tuple[int, ...]
    deck: int
    hand: tuple[int, ...]
    players: dict[Seat, PlayerView]
    resigned: Seat | None
    hands: dict[Seat, tuple[int, ...]] | UnsetType = UNSET


class ToldPlayed(Fact, frozen=True, tag="played"):
    seat: Seat
    card: int
    points: int


class ToldDrew(Fact, frozen=True, tag="drew"):
    """Which card it was, the others are not told."""

    seat: Seat
    card: int | UnsetType = UNSET


class ToldRolled(Fact, frozen=True, tag="rolled"):
    seat: Seat
    eyes: int


class ToldSkipped(Fact, frozen=True, tag="skipped"):
    seat: Seat


class PocketActions:
    """A card of one's own hand, or the die, in one's turn."""

    def __init__(self, state: PocketState, seat: Seat) -> None:
        hand = state.hand(seat) if state.turn == seat and not state.over else None
        self.cards = hand.cards if hand else ()
        self.may_roll = hand is not None and not hand.rolled

    def allows(self, action: Action) -> bool:
        match action:
            case Play(card):
                return card in self.cards
            case Roll():
                return self.may_roll
        return False

    def sample(self, rng: Random) -> Action | None:
        choices: list[Action] = [Play(card) for card in self.cards]
        if self.may_roll:
            choices.append(Roll())
        return rng.choice(choices) if choices else None

    def describe(self) -> Json:
        return {"play": list(self.cards), "roll": self.may_roll}


class LowestCard:
    """A robot that plays its lowest card."""

    def choose(self, view: PocketView, legal: Any, rng: Random) -> Action | None:
        return Play(min(view.hand))


class PocketRules(Rules[PocketState]):
    name = "pocket"
    variant = "standard"
    options_type = PocketOptions
    state_type = PocketState
    action_type = (
        Play | Roll | Join | Leave | Replace | Away | Back | Alarm | Timeout | TimeGivenBack
    )  # fmt: skip
    fact_type = Dealt | Played | Drew | Rolled | Skipped | Resigned
    view_type: ClassVar[type[View]] = PocketView
    told_type = ToldPlayed | ToldDrew | ToldRolled | ToldSkipped | Resigned
    told_to_all = (Played, Drew, Rolled, Skipped, Resigned)
    robots: Mapping[str, Any] = {"lowest": LowestCard()}

    def seats(self, options: PocketOptions) -> Seats:
        return Seats(2, 4)

    def setup(self, options: PocketOptions, seats: Sequence[Seat], at: Instant, rng: Random) -> list[Fact]:
        cards = list(range(1, 25))
        rng.shuffle(cards)
        size = options.hand
        hands = {seat: tuple(sorted(cards[i * size : (i + 1) * size])) for i, seat in enumerate(seats)}
        return [Dealt(hands, tuple(cards[len(seats) * size :]), at)]

    def decide(self, state: PocketState, seat: Seat, action: Action, at: Instant, rng: Random) -> list[Fact]:
        if isinstance(action, Away | Back | TimeGivenBack):
            return []
        if isinstance(action, Alarm):
            due = self.alarms(state).get(action.name)
            return [Skipped(state.turn, at)] if due is not None and at >= due and seat == CLOCK else []
        if state.over:
            raise Illegal("over")
        hand = state.hand(seat)
        if isinstance(action, Leave) and hand is not None:
            return [Resigned(seat)]
        if not isinstance(action, Play | Roll):
            raise Illegal("seats_are_fixed")
        if hand is None or state.turn != seat:
            raise Illegal("not_your_turn", turn=state.turn)
        if isinstance(action, Roll):
            if hand.rolled:
                raise Illegal("rolled_already")
            return [Rolled(seat, rng.randint(1, 6), at)]
        if action.card not in hand.cards:
            raise Illegal("no_such_card", card=action.card)
        points = action.card if not state.pile or action.card > state.pile[-1] else 0
        played = Played(seat, action.card, points, at)
        return [played, Drew(seat, state.deck[0])] if state.deck else [played]

    def evolve(self, state: PocketState | None, fact: Fact) -> PocketState:
        if isinstance(fact, Dealt):
            hands = tuple(Hand(seat, cards) for seat, cards in fact.hands.items())
            return PocketState(hands, fact.deck, (), hands[0].seat, fact.at)
        assert state is not None
        match fact:
            case Played(seat, card, points, at):
                state = _with_hand(state, seat, lambda h: _without(h, card, points))
                return _next(replace(state, pile=(*state.pile, card)), at)
            case Drew(seat, card):
                state = _with_hand(state, seat, lambda h: replace(h, cards=tuple(sorted((*h.cards, card)))))
                return replace(state, deck=state.deck[1:])
            case Rolled(seat, eyes, at):
                gained = _with_hand(state, seat, lambda h: replace(h, points=h.points + eyes, rolled=True))
                return _next(gained, at)
            case Skipped(_, at):
                return _next(state, at)
            case Resigned(seat):
                return replace(state, resigned=seat)
        raise TypeError(fact)

    def legal(self, state: PocketState, seat: Seat) -> PocketActions:
        return PocketActions(state, seat)

    def view(self, state: PocketState, seat: Seat) -> PocketView:
        hand = state.hand(seat)
        return PocketView(
            turn=None if state.over else state.turn,
            pile=state.pile,
            deck=len(state.deck),
            hand=hand.cards if hand else (),
            players={h.seat: PlayerView(len(h.cards), h.points, h.rolled) for h in state.hands},
            resigned=state.resigned,
            hands={h.seat: h.cards for h in state.hands} if seat == MASTER else UNSET,
        )

    def tell(self, before: PocketState | None, fact: Fact, after: PocketState, seat: Seat) -> Fact | None:
        match fact:
            case Played(who, card, points):
                return ToldPlayed(who, card, points)
            case Drew(who, card):
                return ToldDrew(who, card if who == seat else UNSET)
            case Rolled(who, eyes):
                return ToldRolled(who, eyes)
            case Skipped(who):
                return ToldSkipped(who)
            case Resigned():
                return fact
        return None

    def alarms(self, state: PocketState) -> dict[str, Instant]:
        return {} if state.over else {"hurry": state.since + PATIENCE}

    def waiting(self, state: PocketState) -> frozenset[Seat]:
        return frozenset() if state.over else frozenset({state.turn})

    def result(self, state: PocketState) -> Result | None:
        if not state.over:
            return None
        scores = {h.seat: -1 if h.seat == state.resigned else h.points for h in state.hands}
        ranks = {seat: 1 + sum(o > score for o in scores.values()) for seat, score in scores.items()}
        return Result(ranks, "resigned" if state.resigned is not None else "played_out", scores)

    def shuffle_hidden(self, state: PocketState, seat: Seat, rng: Random) -> PocketState:
        pool = [*state.deck, *(card for h in state.hands if h.seat != seat for card in h.cards)]
        rng.shuffle(pool)
        hands = []
        for hand in state.hands:
            if hand.seat != seat:
                drawn = tuple(sorted(pool.pop() for _ in hand.cards))
                hand = replace(hand, cards=drawn)
            hands.append(hand)
        return replace(state, hands=tuple(hands), deck=tuple(pool))

    def words(self, language: str) -> Mapping[str, str]:
        return WORDS[language]


def _with_hand(state: PocketState, seat: Seat, change: Any) -> PocketState:
    return replace(state, hands=tuple(change(h) if h.seat == seat else h for h in state.hands))


def _without(hand: Hand, card: int, points: int) -> Hand:
    return replace(
        hand, cards=tuple(c for c in hand.cards if c != card), points=hand.points + points, rolled=False
    )


def _next(state: PocketState, at: Instant) -> PocketState:
    """The turn goes to the next who has a card; a played card is not yet replaced by the drawn one."""
    order = [hand.seat for hand in state.hands]
    place = order.index(state.turn)
    for seat in order[place + 1 :] + order[: place + 1]:
        hand = state.hand(seat)
        if hand is not None and (hand.cards or seat == state.turn):
            return replace(state, turn=seat, since=at)
    return state


WORDS = parse_words(
    """
[fr]
name = "Poche"
"name.standard" = "Poche"
"about.standard" = "Des cartes et un dé."
[fr.action]
play = "Jouer {card}"
roll = "Lancer le dé"
join = "Rejoindre"
leave = "Abandonner"
replace = "Remplacer"
away = "Partir"
back = "Revenir"
alarm = "Échéance"
timeout = "Temps écoulé"
time_given_back = "Rendre le temps"
[fr.fact]
dealt = "Les cartes sont données."
played = "{player} joue {card} : {points}."
drew = "{player} pioche."
rolled = "{player} lance {eyes}."
skipped = "{player} passe."
resigned = "{player} abandonne."
[fr.illegal]
over = "C’est fini."
seats_are_fixed = "Les places sont prises."
not_your_turn = "C’est au tour de {turn}."
rolled_already = "Vous avez déjà lancé le dé."
no_such_card = "Vous n’avez pas le {card}."
[fr.option]
hand = "Cartes en main"
"hand.help" = "Autant pour chacun."
[fr.result]
resigned = "Abandon"
played_out = "Plus de cartes"
[fr.robot]
lowest = "La plus basse"
[en]
name = "Pocket"
"name.standard" = "Pocket"
"about.standard" = "Some cards and a die."
[en.action]
play = "Play {card}"
roll = "Roll the die"
join = "Join"
leave = "Resign"
replace = "Replace"
away = "Go"
back = "Come back"
alarm = "Alarm"
timeout = "Time is up"
time_given_back = "Give time back"
[en.fact]
dealt = "The cards are dealt."
played = "{player} plays {card}: {points}."
drew = "{player} draws."
rolled = "{player} rolls {eyes}."
skipped = "{player} passes."
resigned = "{player} resigns."
[en.illegal]
over = "It is over."
seats_are_fixed = "The seats are taken."
not_your_turn = "It is the turn of {turn}."
rolled_already = "You have rolled the die already."
no_such_card = "You do not have the {card}."
[en.option]
hand = "Cards in hand"
"hand.help" = "As many for each."
[en.result]
resigned = "Resigned"
played_out = "No cards left"
[en.robot]
lowest = "The lowest"
""",
    "pocket",
)
