"""The kit can fail: each promise, broken on purpose, is found under its own name."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Literal

import msgspec
import pytest
from msgspec.structs import asdict, replace
from tests.conformance.pocket import (
    Drew,
    Play,
    Played,
    PocketActions,
    PocketOptions,
    PocketRules,
    PocketState,
    PocketView,
    Resigned,
    Roll,
    Rolled,
    Skipped,
    ToldDrew,
    ToldRolled,
)

from tablee.rules.conformance import Breach, check_words, examine
from tablee.rules.contract import (
    CLOCK,
    Action,
    Alarm,
    Beat,
    Condition,
    Fact,
    Glance,
    Illegal,
    Instant,
    Join,
    Result,
    Resumption,
    Seat,
    State,
)


def breach_of(rules: PocketRules, games: int = 60) -> str:
    """The promise that a game is found to break."""
    with pytest.raises(Breach) as caught:
        examine_many(rules, games)
    return caught.value.check


def examine_many(rules: PocketRules, games: int = 60) -> None:
    for seed in range(games):
        examine(rules, seed, most_events=300, robot_share=0.3)


class PeekingView(PocketView, frozen=True):
    """With cards of the deck."""

    next: tuple[int, ...] = ()


def peeking(view: PocketView, cards: tuple[int, ...]) -> PeekingView:
    return PeekingView(**asdict(view), next=cards)


class LeakyView(PocketRules):
    """Shows how the deck lies."""

    view_type = PeekingView

    def view(self, state: PocketState, seat: Seat) -> PeekingView:
        return peeking(super().view(state, seat), state.deck[:1])


class Besides(msgspec.Struct, frozen=True):
    """What a view says besides its JSON."""

    cards: tuple[int, ...]


class TellingView(PocketView, frozen=True, dict=True):
    """A view that says something besides its JSON."""

    @property
    def unwritten(self) -> Besides:
        found: Besides = self.__dict__["unwritten"]
        return found


class LeakyBesides(PocketRules):
    """Shows doors how the deck lies, though not in the JSON of its view."""

    view_type = TellingView

    def view(self, state: PocketState, seat: Seat) -> TellingView:
        shown = TellingView(**asdict(super().view(state, seat)))
        shown.__dict__["unwritten"] = Besides(state.deck[:1])
        return shown


class LeakyEnd(PocketRules):
    """Shows at the end how the deck lies, which its twins say is hidden for ever."""

    view_type = PeekingView

    def view(self, state: PocketState, seat: Seat) -> PeekingView:
        return peeking(super().view(state, seat), state.deck if state.over else ())


class OpenEnd(LeakyEnd):
    """Shows the same, and its twins know."""

    def shuffle_hidden(self, state: PocketState, seat: Seat, rng: Random) -> PocketState:
        return state if state.over else super().shuffle_hidden(state, seat, rng)


class LeakyTell(PocketRules):
    """Says what somebody else drew."""

    def tell(self, before: PocketState | None, fact: Fact, after: PocketState, seat: Seat) -> Fact | None:
        told = super().tell(before, fact, after, seat)
        return ToldDrew(fact.seat, fact.card) if isinstance(fact, Drew) else told


class TellOfTheState(PocketRules):
    """Mixes what is hidden in the state into a harmless fact."""

    def tell(self, before: PocketState | None, fact: Fact, after: PocketState, seat: Seat) -> Fact | None:
        told = super().tell(before, fact, after, seat)
        if isinstance(told, ToldRolled):
            return replace(told, eyes=told.eyes + sum(after.deck[:1]))
        return told


class LeakyLetters(PocketRules):
    """Remembers how the deck lay when it last showed something, and says so in letters."""

    deck: tuple[int, ...] = ()

    def view(self, state: PocketState, seat: Seat) -> PocketView:
        self.deck = state.deck
        return super().view(state, seat)

    def news(
        self, told: Sequence[Fact], view: PocketView, names: Mapping[Seat, str], language: str
    ) -> list[str]:
        return [*super().news(told, view, names, language), f"{self.deck}"]


class SilentLetters(PocketRules):
    """Has nothing to say, and says it."""

    def news(
        self, told: Sequence[Fact], view: PocketView, names: Mapping[Seat, str], language: str
    ) -> list[str]:
        return [" "]


class SpeechlessLetters(PocketRules):
    """Cannot say anything about what was told."""

    def news(
        self, told: Sequence[Fact], view: PocketView, names: Mapping[Seat, str], language: str
    ) -> list[str]:
        return [names[99]]


class LeakyLegal(PocketRules):
    """Lets one play only what beats the hidden next card."""

    def legal(self, state: PocketState, seat: Seat) -> PocketActions:
        actions = super().legal(state, seat)
        if state.deck and len(actions.cards) > 1:
            actions.cards = tuple(sorted(actions.cards, key=lambda card: card < state.deck[0]))
        return actions


class LeakyRefusal(PocketRules):
    """Names, while it refuses, a card that nobody may know."""

    def decide(self, state: PocketState, seat: Seat, action: Action, at: Instant, rng: Random) -> list[Fact]:
        try:
            return super().decide(state, seat, action, at, rng)
        except Illegal as refusal:
            if refusal.code == "no_such_card" and state.deck:
                raise Illegal("no_such_card", card=state.deck[0]) from None
            raise


class LeakyTurn(PocketRules):
    """Waits for everybody when the hidden next card is even."""

    def waiting(self, state: PocketState) -> frozenset[Seat]:
        waiting = super().waiting(state)
        odd = bool(state.deck) and state.deck[0] % 2 == 1
        return waiting if odd or not waiting else waiting | {state.hands[0].seat, state.hands[1].seat}


class ChanceInEvolve(PocketRules):
    """Throws the die while it evolves."""

    def evolve(self, state: PocketState | None, fact: Fact) -> PocketState:
        if isinstance(fact, Rolled):
            fact = replace(fact, eyes=random.randint(1, 1000))
        return super().evolve(state, fact)


class ChanceOfItsOwn(PocketRules):
    """Throws the die without the random source that was passed in."""

    def decide(self, state: PocketState, seat: Seat, action: Action, at: Instant, rng: Random) -> list[Fact]:
        return super().decide(state, seat, action, at, Random())


class MutableState(State, frozen=True):
    moves: list[int]
    inner: PocketState


class DecideThatMutates(PocketRules):
    """Keeps a tally inside the state while it decides."""

    state_type = MutableState  # type: ignore[assignment]

    def decide(self, state: Any, seat: Seat, action: Action, at: Instant, rng: Random) -> list[Fact]:
        state.moves.append(seat)
        return super().decide(state.inner, seat, action, at, rng)

    def evolve(self, state: Any, fact: Fact) -> Any:
        return MutableState([], super().evolve(state.inner if state else None, fact))

    def legal(self, state: Any, seat: Seat) -> PocketActions:
        return super().legal(state.inner, seat)

    def view(self, state: Any, seat: Seat) -> PocketView:
        return super().view(state.inner, seat)

    def alarms(self, state: Any) -> dict[str, Instant]:
        return super().alarms(state.inner)

    def waiting(self, state: Any) -> frozenset[Seat]:
        return super().waiting(state.inner)

    def result(self, state: Any) -> Result | None:
        return super().result(state.inner)

    def shuffle_hidden(self, state: Any, seat: Seat, rng: Random) -> Any:
        return MutableState(state.moves, super().shuffle_hidden(state.inner, seat, rng))


class EvolveThatMutates(DecideThatMutates):
    """Writes into the state that was."""

    def decide(self, state: Any, seat: Seat, action: Action, at: Instant, rng: Random) -> list[Fact]:
        return PocketRules.decide(self, state.inner, seat, action, at, rng)

    def evolve(self, state: Any, fact: Fact) -> Any:
        if state is not None:
            state.moves.append(1)
        return super().evolve(state, fact)


class RefusesWhatIsLegal(PocketRules):
    def decide(self, state: PocketState, seat: Seat, action: Action, at: Instant, rng: Random) -> list[Fact]:
        if isinstance(action, Roll):
            raise Illegal("rolled_already")
        return super().decide(state, seat, action, at, rng)


class AcceptsAnyCard(PocketRules):
    """Takes a card that is not in the hand for a pass."""

    def decide(self, state: PocketState, seat: Seat, action: Action, at: Instant, rng: Random) -> list[Fact]:
        try:
            return super().decide(state, seat, action, at, rng)
        except Illegal as refusal:
            if refusal.code == "no_such_card":
                return [Skipped(seat, at)]
            raise


class AcceptsAnybody(PocketRules):
    """Never looks whose turn it is."""

    def decide(self, state: PocketState, seat: Seat, action: Action, at: Instant, rng: Random) -> list[Fact]:
        if isinstance(action, Roll) and not state.over:
            return [Rolled(seat, 1, at)]
        return super().decide(state, seat, action, at, rng)


class NeverEnds(PocketRules):
    """Deals a new card for every one that is played."""

    def decide(self, state: PocketState, seat: Seat, action: Action, at: Instant, rng: Random) -> list[Fact]:
        facts = super().decide(state, seat, action, at, rng)
        return [fact for fact in facts if not isinstance(fact, Played)] or facts

    def evolve(self, state: PocketState | None, fact: Fact) -> PocketState:
        after = super().evolve(state, fact)
        if isinstance(fact, Drew):
            seats = [hand.seat for hand in after.hands]
            following = seats[(seats.index(after.turn) + 1) % len(seats)]
            return replace(after, deck=(*after.deck, fact.card + 24), turn=following)
        return after


class StillWaits(PocketRules):
    def alarms(self, state: PocketState) -> dict[str, Instant]:
        return {"hurry": state.since + 10**12}


class RingsForEver(PocketRules):
    def decide(self, state: PocketState, seat: Seat, action: Action, at: Instant, rng: Random) -> list[Fact]:
        return [] if isinstance(action, Alarm) else super().decide(state, seat, action, at, rng)


class RingsTooEarly(PocketRules):
    def decide(self, state: PocketState, seat: Seat, action: Action, at: Instant, rng: Random) -> list[Fact]:
        if isinstance(action, Alarm) and seat == CLOCK and not state.over:
            return [Skipped(state.turn, at)]
        return super().decide(state, seat, action, at, rng)


class ForgetsInTheLog(PocketRules):
    """Reads old facts wrongly."""

    def upgrade(self, fact: dict[str, Any]) -> dict[str, Any]:
        return {**fact, "points": 0} if fact["is"] == "played" else fact


class Unwritable(PocketRules):
    """Has a state that JSON does not give back."""

    def evolve(self, state: PocketState | None, fact: Fact) -> PocketState:
        after = super().evolve(state, fact)
        return replace(after, pile=list(after.pile))


class ChangesInSilence(PocketRules):
    """Tells the others nothing of a played card that everybody sees."""

    told_to_all = ()  # type: ignore[assignment]

    def tell(self, before: PocketState | None, fact: Fact, after: PocketState, seat: Seat) -> Fact | None:
        if isinstance(fact, Played | Drew) and fact.seat != seat:
            return None
        return super().tell(before, fact, after, seat)


class PromisesToTell(PocketRules):
    """Says that every draw is told to all, and tells it to one."""

    def tell(self, before: PocketState | None, fact: Fact, after: PocketState, seat: Seat) -> Fact | None:
        if isinstance(fact, Drew) and fact.seat != seat:
            return None
        return super().tell(before, fact, after, seat)


class LeakyMoment(PocketRules):
    """Lets everybody hear of a roll only where the hidden deck is of one kind."""

    def decide(self, state: PocketState, seat: Seat, action: Action, at: Instant, rng: Random) -> list[Fact]:
        facts = super().decide(state, seat, action, at, rng)
        return [] if isinstance(action, Roll) and state.deck and state.deck[0] % 2 else facts

    def evolve(self, state: PocketState | None, fact: Fact) -> PocketState:
        if isinstance(fact, Rolled) and state is not None:
            return state
        return super().evolve(state, fact)


class ViewOfAnotherType(PocketRules):
    """Says that its views are others than they are."""

    view_type = PeekingView


class ViewAsJson(PocketRules):
    """Gives JSON where the host expects a view."""

    def view(self, state: PocketState, seat: Seat) -> Any:
        return msgspec.to_builtins(super().view(state, seat), str_keys=True)


class ViewThatIsNotRead(PocketRules):
    """Has a view that JSON does not give back."""

    def view(self, state: PocketState, seat: Seat) -> PocketView:
        return replace(super().view(state, seat), pile=list(state.pile))


class TellsAsJson(PocketRules):
    def tell(self, before: PocketState | None, fact: Fact, after: PocketState, seat: Seat) -> Any:
        told = super().tell(before, fact, after, seat)
        return None if told is None else msgspec.to_builtins(told)


class TellsWhatIsLogged(PocketRules):
    """Tells a fact with its instant, which is none of those that it says it tells."""

    def tell(self, before: PocketState | None, fact: Fact, after: PocketState, seat: Seat) -> Fact | None:
        return fact if isinstance(fact, Rolled) else super().tell(before, fact, after, seat)


class Mindful(PocketRules):
    """Keeps the state in mind when it is asked for a view."""

    def view(self, state: PocketState, seat: Seat) -> PocketView:
        self.deck = state.deck
        return super().view(state, seat)


class LeakyGlance(Mindful):
    """Says at a glance what its view does not."""

    def glance(self, view: PocketView, language: str) -> Glance:
        return Glance(moment=str(self.deck[:1]))


class GivesTooMuch(PocketRules):
    """Says that more was given than is owed."""

    def glance(self, view: PocketView, language: str) -> Glance:
        return Glance(given=2, of=1)


class Talkative(PocketRules):
    """Says in many words what happened last."""

    def latest(self, told: Sequence[Fact], view: PocketView, names: Mapping[Seat, str], language: str) -> str:
        return "et puis " * 100


class LeakyFilm(Mindful):
    """Lets stand out in the film what lies in the deck."""

    def beat(self, told: Sequence[Fact], view: Callable[[], PocketView], language: str) -> Beat:
        view()
        return Beat(accent=str(self.deck[:1]))


class LeakyPicture(Mindful):
    """Draws the deck."""

    def picture(self, view: PocketView) -> str:
        return f"<svg>{self.deck}</svg>"


class LongMark(PocketRules):
    """Has a mark that no line has room for."""

    def beat(self, told: Sequence[Fact], view: Callable[[], PocketView], language: str) -> Beat:
        return Beat(mark="la manche " * 20)


class CountsWithoutAName(PocketRules):
    """Counts something in its film, and has no word for it."""

    def beat(self, told: Sequence[Fact], view: Callable[[], PocketView], language: str) -> Beat:
        return Beat(figures={1: 1})


class ResumesAtTheEnd(PocketRules):
    """Goes on from where it is, and all have given up."""

    resumes = True

    def resumed(
        self, options: PocketOptions, facts: Sequence[Fact], people: Mapping[Seat, Join], at: int
    ) -> Resumption:
        return Resumption(options, [*facts, *(Resigned(seat) for seat in people)])


class ConditionWithoutWords(PocketRules):
    """Has a condition that says nothing."""

    def conditions(self, options: Any, language: str) -> list[Condition]:
        return [Condition("Main", "")]


class Untyped(PocketRules):
    """Does not say what its views are."""

    def __getattribute__(self, name: str) -> Any:
        if name == "view_type":
            raise AttributeError(name)
        return super().__getattribute__(name)


class CheatingRobot(PocketRules):
    class Cheat:
        def choose(self, view: PocketView, legal: Any, rng: Random) -> Action | None:
            return Play(99)

    robots: Mapping[str, Any] = {"lowest": Cheat()}


class SleepingRobot(PocketRules):
    class Sleeper:
        def choose(self, view: PocketView, legal: Any, rng: Random) -> Action | None:
            return None

    robots: Mapping[str, Any] = {"lowest": Sleeper()}


@pytest.mark.parametrize(
    ("rules", "promise"),
    [
        (LeakyEnd(), "leak in view"),
        (LeakyView(), "leak in view"),
        (LeakyBesides(), "leak in view"),
        (LeakyTell(), "leak in tell"),
        (TellOfTheState(), "leak in tell"),
        (LeakyMoment(), "leak in moment"),
        (LeakyLetters(), "leak in letters"),
        (SilentLetters(), "letters"),
        (SpeechlessLetters(), "letters"),
        (LeakyLegal(), "leak in legal"),
        (LeakyRefusal(), "leak in refusal"),
        (LeakyTurn(), "leak in turn"),
        (ChanceInEvolve(), "evolve decides nothing"),
        (ChanceOfItsOwn(), "same facts from the same seed"),
        (DecideThatMutates(), "decide changes nothing"),
        (EvolveThatMutates(), "evolve changes nothing"),
        (RefusesWhatIsLegal(), "legal actions are accepted"),
        (AcceptsAnyCard(), "what is not allowed is refused"),
        (AcceptsAnybody(), "what is not allowed is refused"),
        (NeverEnds(), "random play ends"),
        (StillWaits(), "the end is the end"),
        (RingsForEver(), "alarms ring once"),
        (RingsTooEarly(), "alarms ring in time"),
        (ForgetsInTheLog(), "replay equals live"),
        (Unwritable(), "JSON round trip"),
        (ChangesInSilence(), "views change by what is told"),
        (PromisesToTell(), "told to all"),
        (ViewOfAnotherType(), "views and told facts are typed"),
        (ViewAsJson(), "views and told facts are typed"),
        (ViewThatIsNotRead(), "JSON round trip"),
        (TellsAsJson(), "views and told facts are typed"),
        (TellsWhatIsLogged(), "views and told facts are typed"),
        (Untyped(), "views and told facts are typed"),
        (LeakyGlance(), "leak in glance"),
        (GivesTooMuch(), "a glance adds up"),
        (Talkative(), "a glance is short"),
        (LeakyFilm(), "leak in the film"),
        (LeakyPicture(), "leak in the picture"),
        (LongMark(), "a film is told in few words"),
        (CountsWithoutAName(), "words"),
        (ResumesAtTheEnd(), "a game goes on"),
        (ConditionWithoutWords(), "words"),
        (CheatingRobot(), "robots answer"),
        (SleepingRobot(), "robots answer"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, PocketRules) else "",
)
def test_a_broken_promise_is_found(rules: PocketRules, promise: str) -> None:
    assert breach_of(rules) == promise


def test_the_end_of_a_game_may_show_what_was_hidden() -> None:
    examine_many(OpenEnd())


class Speechless(PocketRules):
    def __init__(self, *missing: str) -> None:
        self.missing = missing

    def words(self, language: str) -> Mapping[str, str]:
        return {key: text for key, text in super().words(language).items() if key not in self.missing}


@pytest.mark.parametrize(
    "key",
    [
        "name",
        "name.standard",
        "about.standard",
        "action.play",
        "fact.drew",
        "option.hand",
        "option.hand.help",
        "robot.lowest",
    ],
)
def test_words_that_are_missing_are_found(key: str) -> None:
    with pytest.raises(Breach, match=f"“{key}”"):
        check_words(Speechless(key))


def test_every_value_of_an_option_needs_a_name() -> None:
    class Suit(msgspec.Struct):
        hand: Literal["short", "long"] = "short"

    class Suited(PocketRules):
        options_type = Suit  # type: ignore[assignment]

    with pytest.raises(Breach, match=r"“option\.hand\.short”"):
        check_words(Suited())


@pytest.mark.parametrize("key", ["illegal.not_your_turn", "result.played_out"])
def test_words_for_what_comes_up_in_play_are_found_missing_there(key: str) -> None:
    with pytest.raises(Breach, match=key):
        examine_many(Speechless(key))


def test_words_that_ask_for_what_nobody_says_are_found() -> None:
    class Babbling(PocketRules):
        def words(self, language: str) -> Mapping[str, str]:
            return {**super().words(language), "fact.played": "{somebody} plays."}

    with pytest.raises(Breach, match="somebody"):
        examine(Babbling(), 1)


def test_a_breach_names_the_seed_that_shows_it_again() -> None:
    with pytest.raises(Breach, match="seed 3, event"):
        examine(LeakyView(), 3)
