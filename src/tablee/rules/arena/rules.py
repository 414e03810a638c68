"""Arena of Titans as a game of the house: one variant a description."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from random import Random
from types import MappingProxyType
from typing import Any, ClassVar

import msgspec

from tablee.rules.arena import decision, film, hidden, resuming, showing
from tablee.rules.arena.description import Description
from tablee.rules.arena.evolution import evolve
from tablee.rules.arena.ground import Ground, ground_of, write_description
from tablee.rules.arena.legal import ArenaActions
from tablee.rules.arena.loading import MOST_TEXT, load_ours, read
from tablee.rules.arena.model import (
    HAND,
    ArenaAction,
    ArenaFact,
    ArenaOptions,
    ArenaState,
    Dealt,
    Discarded,
    Ended,
    Finished,
    HeroChosen,
    MistLifted,
    Passed,
    Played,
    PowerUsed,
    Pushed,
    Refilled,
    Resigned,
    Returned,
    StoodIn,
    TrumpPlayed,
    TurnBegan,
    TurnEnded,
)
from tablee.rules.arena.picture import picture
from tablee.rules.arena.robot import STRENGTHS, STRONGEST
from tablee.rules.arena.trumps import deal_trumps
from tablee.rules.arena.views import ArenaTold, ArenaView, ToldRefilled, ToldTurnBegan
from tablee.rules.contract import (
    CLOCK,
    Action,
    Actions,
    Alarm,
    Beat,
    Condition,
    Fact,
    Glance,
    Illegal,
    Instant,
    Join,
    Json,
    Result,
    Resumption,
    Robot,
    Rules,
    Seat,
    Seats,
    sentences,
)
from tablee.rules.words import load_words

_WORDS = load_words("tablee.rules.arena")
_NAMED = ("card", "color", "trump", "hero")
"""Fields of facts that are names of the description, for which there may be words."""
_TURNING = (ToldTurnBegan, TurnEnded, ToldRefilled)


class ArenaRules(Rules[ArenaState]):
    """One description, played. A running game goes by the description that it began with."""

    name = "arena"
    resumes = True
    resigns = True
    keeps_secrets = True
    file_most = MOST_TEXT
    options_type = ArenaOptions
    state_type = ArenaState
    action_type = ArenaAction
    fact_type = ArenaFact
    view_type = ArenaView
    told_type = ArenaTold
    told_to_all: ClassVar[tuple[type[Fact], ...]] = (
        Dealt,
        HeroChosen,
        TurnBegan,
        Played,
        Discarded,
        TrumpPlayed,
        PowerUsed,
        Pushed,
        Passed,
        MistLifted,
        TurnEnded,
        Refilled,
        Finished,
        Resigned,
        StoodIn,
        Returned,
        Ended,
    )
    usual_clocks: ClassVar[tuple[Json, ...]] = (
        {"kind": "move", "seconds": 90},
        {"kind": "move", "seconds": 45},
        {"kind": "move", "seconds": 300},
        {"kind": "days", "days": 2},
        {"kind": "none"},
    )
    robots: Mapping[str, Robot] = STRENGTHS

    def __init__(self, variant: str = "standard", description: Description | None = None) -> None:
        self.variant = variant
        self.description = load_ours(variant) if description is None else description

    def kin(self, variant: str) -> ArenaRules:
        """A running game has its description with it."""
        return GoneArenaRules(variant, self.description)

    def described(self, text: str, stem: str) -> tuple[list[Rules[ArenaState]], list[str]]:
        games, warnings = read(text, stem)
        made: list[Rules[ArenaState]] = [ArenaRules(name, game) for name, game in games.items()]
        return made, [warning.warned() for warning in warnings]

    @cached_property
    def text(self) -> str:
        """The description as games keep it."""
        return write_description(self.description)

    @property
    def ground(self) -> Ground:
        return ground_of(self.text)

    def seats(self, options: ArenaOptions) -> Seats:
        """No two play the same hero, so there are no more players than heroes."""
        most = self.description.number_players
        return Seats(2, min(most, len(self.ground.heroes)) if options.heroes else most)

    def setup(self, options: ArenaOptions, seats: Sequence[Seat], at: Instant, rng: Random) -> list[Fact]:
        ground = self.ground
        order = rng.sample(list(seats), len(seats))
        hands, stocks, trumps = {}, {}, {}
        for seat in order:
            deck = ground.deck_without(())
            rng.shuffle(deck)
            hands[seat], stocks[seat] = tuple(deck[:HAND]), tuple(deck[HAND:])
            trumps[seat] = deal_trumps(self.description.trumps, rng)
        chosen = options.heroes and options.choose_heroes
        heroes: dict[Seat, str] = {}
        if options.heroes and not chosen:
            heroes = dict(zip(order, rng.sample(ground.heroes, len(order)), strict=True))
        offered = ground.heroes if chosen else ()
        dealt = Dealt(self.text, tuple(order), hands, stocks, trumps, heroes, offered, options.rounds)
        return [dealt] if chosen else [dealt, TurnBegan(order[0], 1, at)]

    def decide(self, state: ArenaState, seat: Seat, action: Action, at: Instant, rng: Random) -> list[Fact]:
        if isinstance(action, Alarm) and seat == CLOCK:
            due = self.alarms(state).get(action.name)
            return [] if due is None or at < due else self._stand_in(state, at, rng)
        return decision.decide(state, seat, action, at, rng)

    def _stand_in(self, state: ArenaState, at: Instant, rng: Random) -> list[Fact]:
        """What a robot does for whoever was passed too often, knowing what he knows."""
        seat = state.current.seat
        chosen = STRENGTHS[STRONGEST].choose(self.view(state, seat), self.legal(state, seat), rng)
        assert chosen is not None
        return decision.played_by_robot(state, chosen, at, rng)

    def evolve(self, state: ArenaState | None, fact: Fact) -> ArenaState:
        return evolve(state, fact)

    def legal(self, state: ArenaState, seat: Seat) -> Actions:
        return ArenaActions(state, seat)

    def view(self, state: ArenaState, seat: Seat) -> ArenaView:
        return showing.view(state, seat)

    def tell(self, before: ArenaState | None, fact: Fact, after: ArenaState, seat: Seat) -> Fact | None:
        return showing.tell(before, fact, after, seat)

    def alarms(self, state: ArenaState) -> dict[str, Instant]:
        return decision.alarms(state)

    def waiting(self, state: ArenaState) -> frozenset[Seat]:
        return frozenset() if state.ended else frozenset({state.current.seat})

    def is_abortable(self, state: ArenaState) -> bool:
        """Until everybody has had a turn."""
        return state.ended is None and state.round <= 1

    def result(self, state: ArenaState) -> Result | None:
        if state.ended is None:
            return None
        ranks = {player.seat: player.rank for player in state.players if player.rank is not None}
        return Result(dict(sorted(ranks.items())), state.ended)

    def shuffle_hidden(self, state: ArenaState, seat: Seat, rng: Random) -> ArenaState:
        return hidden.shuffle_hidden(state, seat, rng)

    def spoken(self, fields: Mapping[str, Json], language: str) -> dict[str, Json]:
        """Squares by their two numbers."""
        said: dict[str, Any] = dict(fields)
        if fields.get("x") is not None and fields.get("y") is not None:
            said["square"] = f"{fields['x']},{fields['y']}"
        return said

    def news(
        self, told: Sequence[Fact], view: ArenaView, names: Mapping[Seat, str], language: str
    ) -> list[str]:
        """With cards, colours, trumps and heroes by the names that they have in a language."""
        words = self.words(language)
        said: list[str] = []
        for fact in told:
            fields = msgspec.to_builtins(fact)
            named = {
                kind: words.get(f"{kind}.{fields[kind]}", fields[kind]) for kind in _NAMED if kind in fields
            }
            said += sentences(self, {**fields, **named}, names, language)
        return said

    def latest(self, told: Sequence[Fact], view: ArenaView, names: Mapping[Seat, str], language: str) -> str:
        """What somebody did: whose turn it is now, everybody sees without being told."""
        deeds = [fact for fact in told if not isinstance(fact, _TURNING)]
        return super().latest(deeds, view, names, language)

    def beat(self, told: Sequence[Fact], view: Callable[[], ArenaView], language: str) -> Beat:
        return film.beat(told, view, self.words(language))

    def picture(self, view: ArenaView) -> str:
        return picture(view)

    def resumed(
        self, options: ArenaOptions, facts: Sequence[Fact], people: Mapping[Seat, Join], at: Instant
    ) -> Resumption:
        return resuming.resumed(options, facts, at)

    def glance(self, view: ArenaView, language: str) -> Glance:
        words = self.words(language)
        hero = None if view.you is None else view.players[view.you].hero
        return Glance(
            plays="" if hero is None else words.get(f"hero.{hero}", hero).partition(" — ")[0],
            moment=words["glance.heroes" if view.offered else "glance.round"].format(round=view.round),
        )

    def conditions(self, options: ArenaOptions, language: str) -> list[Condition]:
        words = self.words(language)
        heroes = "none" if not options.heroes else "chosen" if options.choose_heroes else "drawn"
        return [
            Condition(words["option.heroes"], words[f"condition.{heroes}"]),
            Condition(words["option.rounds"], str(options.rounds)),
        ]

    def words(self, language: str) -> Mapping[str, str]:
        words = _WORDS[language]
        if f"name.{self.variant}" in words:
            return words
        # A club's own description has no words here but its name, and what may be said of any.
        own = {"name": words["name.own"], "about": words["about.own"]}
        named = {f"{key}.{self.variant}": text.format(name=self.variant) for key, text in own.items()}
        return MappingProxyType({**words, **named})


class GoneArenaRules(ArenaRules):
    """A description that was taken away: what runs goes on, nothing new begins."""

    def setup(self, options: ArenaOptions, seats: Sequence[Seat], at: Instant, rng: Random) -> list[Fact]:
        raise Illegal("description_gone", name=self.variant)
