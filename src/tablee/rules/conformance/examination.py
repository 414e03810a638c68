"""One random game, with every promise of the contract checked at every event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec

from tablee.rules.calendar import DAY
from tablee.rules.conformance.breach import Breach, breach, encoded, plain
from tablee.rules.conformance.film import check_beat, check_resumption
from tablee.rules.conformance.mutations import is_of_the_table, mutant, random_options
from tablee.rules.conformance.secrecy import Attempt, check_event, check_news, check_twin, told_to
from tablee.rules.conformance.words import demand
from tablee.rules.contract import (
    CLOCK,
    MASTER,
    SPECTATOR,
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
    Postpone,
    Rules,
    Seat,
    TimeGivenBack,
    View,
)
from tablee.rules.words import LANGUAGES

START: Instant = 1_700_000_000_000
RESUMED = 0.02
"""The share of events from which a game is played on, to see whether it can be."""
UNASKED = 0.05
"""The share of actions that are those of somebody who is not awaited: late, back, or before his turn."""
GLANCE_MOST = 300
"""Characters of one thing that is said in a few words: all the roles of one who plays alone, say."""


class Report(msgspec.Struct):
    """What an examination has seen."""

    game: str
    variant: str
    seed: int
    events: int = 0
    refusals: int = 0
    twins: int = 0
    """States that differed from their twin: with none of these, the check for leaks has seen nothing."""
    robot_answers: int = 0
    ended: str | None = None
    facts: dict[str, int] = {}


def examine(
    rules: Rules[Any], seed: int, options: Any = None, most_events: int = 20_000, robot_share: float = 0.05
) -> Report:
    """Play one random game through every check. Raises Breach, with the seed that shows it again."""
    examination = Examination(rules, seed, options, robot_share)
    try:
        return examination.run(most_events)
    except Breach as found:
        raise Breach(
            found.check, f"{found.sentence} (seed {seed}, event {examination.report.events})"
        ) from None


class Examination:
    """A game in progress under the eyes of the kit."""

    def __init__(self, rules: Rules[Any], seed: int, options: Any = None, robot_share: float = 0.05) -> None:
        self.rules = rules
        self.rng = Random(seed)
        self.report = Report(rules.name, rules.variant, seed)
        self.options = random_options(rules, self.rng) if options is None else options
        self.robot_share = robot_share
        self.at = START
        self.state: Any = None
        self.log: list[str] = []
        self.facts: list[Fact] = []
        self.seen: Counter[str] = Counter()
        self.names: dict[Seat, str] = {}
        self.most = 0

    def run(self, most_events: int) -> Report:
        """The whole game. Raises Breach."""
        self.begin()
        while self.rules.result(self.state) is None:
            if self.report.events >= most_events:
                breach("random play ends", f"it has not after {most_events} events.")
            self.step()
        self.finish()
        return self.report

    # --- the course of the game -------------------------------------------------------------------------

    def begin(self) -> None:
        """Set up, twice, and take the first facts."""
        rules = self.rules
        for named in ("view_type", "told_type"):
            if not hasattr(rules, named):
                breach("views and told facts are typed", f"the game has no `{named}`.")
        while True:
            room = rules.seats(self.options)
            seats = tuple(range(1, self.rng.randint(room.least, room.most) + 1)) if room.least else ()
            seed = self.rng.getrandbits(32)
            try:
                facts = rules.setup(self.options, seats, self.at, Random(seed))
            except Illegal as refusal:
                demand(rules, f"illegal.{refusal.code}", refusal.parts)
                self.options = random_options(rules, self.rng)
                continue
            break
        if rules.setup(self.options, seats, self.at, Random(seed)) != facts:
            breach("same facts from the same seed", "two setups with one seed gave different facts.")
        if not facts:
            breach("setup", "it gave no fact, so there is no state to begin with.")
        self.check_conditions()
        self.most = room.most
        self.names = {seat: f"Joueur{seat}" for seat in seats}
        self.take(facts, None)

    def step(self) -> None:
        """One event, of a kind chosen at random, and all that may be checked about it."""
        self.at += int(self.rng.choice([0, 10, 300, 2_000, 2_000, 9_000]) * self.rng.random())
        alarms = self.rules.alarms(self.state)
        if alarms and self.rng.random() < (0.02 if self.rules.waiting(self.state) else 0.1):
            self.at = max(self.at, min(alarms.values()))
        due = [name for name, when in alarms.items() if when <= self.at]
        if due:
            self.ring(self.rng.choice(due))
            return
        kind = self.rng.random()
        if kind < 0.06:
            self.table_action()
        elif kind < 0.10:
            self.check_early_alarm()
        else:
            self.game_action()
        if self.rng.random() < 0.3:
            self.check_refusals()
        if self.rng.random() < 0.1:
            self.check_round_trip(self.state, self.rules.state_type, "state")

    def game_action(self) -> None:
        """Somebody does what the legal actions of his seat allow."""
        rules, rng = self.rules, self.rng
        waiting = sorted(rules.waiting(self.state))
        if not waiting:
            self.table_action()
            return
        is_asked = rng.random() >= UNASKED
        seat = rng.choice(waiting if is_asked else sorted(self.names) or waiting)
        legal = rules.legal(self.state, seat)
        action = legal.sample(Random(rng.getrandbits(32)))
        if action is None:
            return
        if rules.robots and seat in waiting and rng.random() < self.robot_share:
            action = self.robot_action(seat) or action
        if not legal.allows(action):
            breach("sampled actions are legal", f"seat {seat} was given {action}, which is not allowed.")
        attempt = Attempt(seat, action, self.at, rng.getrandbits(32))
        facts = self.decide(attempt)
        if isinstance(facts, Illegal):
            breach("legal actions are accepted", f"{action} of seat {seat} is allowed, yet refused: {facts}.")
        if any(isinstance(fact, rules.misses) for fact in facts):
            breach(
                "legal actions are accepted", f"{action} of seat {seat} is allowed, yet it misses: {facts}."
            )
        self.take(facts, attempt)

    def postponement(self, seat: Seat) -> Postpone:
        """A date moves for the sake of a seat, by a day or behind an absence, named or not."""
        owed = self.rules.owed(self.state)
        by, chosen = self.at if owed is None else owed.by, self.rng.random() < 0.5
        after = by + self.rng.randrange(1, 10 * DAY)
        return Postpone((seat,), after, "absence" if chosen else "extension", self.rng.random() < 0.5)

    def robot_action(self, seat: Seat) -> Action | None:
        strength = self.rng.choice(sorted(self.rules.robots))
        legal = self.rules.legal(self.state, seat)
        view = self.read_again(self.rules.view(self.state, seat))
        action = self.rules.robots[strength].choose(view, legal, Random(self.rng.getrandbits(32)))
        if action is None:
            breach("robots answer", f"robot “{strength}” does nothing in seat {seat}, though it is its turn.")
        if not legal.allows(action):
            breach(
                "robots answer", f"robot “{strength}” in seat {seat} chose {action}, which is not allowed."
            )
        self.report.robot_answers += 1
        return action

    def table_action(self) -> None:
        """Somebody comes or goes, or time is given back; the game may refuse."""
        rng = self.rng
        seat = rng.randint(1, self.most)
        kind = rng.random()
        action: Action
        if kind < 0.15:
            seat, action = CLOCK, TimeGivenBack(rng.choice([0, 1, 60_000]))
        elif self.rules.postpones and kind < 0.3:
            seat, action = CLOCK, self.postponement(seat)
        elif seat not in self.names:
            action = Join(f"Joueur{seat}", total=rng.randint(-100, 1000), robot=rng.random() < 0.2)
        elif kind < 0.5:
            action = Away()
        elif kind < 0.85:
            action = Back()
        elif kind < 0.93:
            action = Join(self.names[seat])
        else:
            action = Leave()
        attempt = Attempt(seat, action, self.at, rng.getrandbits(32))
        facts = self.decide(attempt)
        if isinstance(facts, Illegal):
            return
        if isinstance(action, Join):
            self.names[seat] = action.name
        self.take(facts, attempt)

    def ring(self, name: str) -> None:
        """An alarm that is due is played, and must not be due again at the same instant."""
        when = self.rules.alarms(self.state)[name]
        attempt = Attempt(CLOCK, Alarm(name), self.at, self.rng.getrandbits(32))
        facts = self.decide(attempt)
        if isinstance(facts, Illegal):
            breach("alarms ring once", f"the alarm “{name}” is due, yet refused: {facts}.")
        self.take(facts, attempt)
        if self.rules.alarms(self.state).get(name) == when:
            breach("alarms ring once", f"the alarm “{name}” has rung and is still due.")

    def take(self, facts: list[Fact], attempt: Attempt | None) -> None:
        """The facts become part of the game: evolved, told, logged."""
        rules, before = self.rules, self.state
        if before is not None and not facts:
            return
        observers = [*range(1, self.most + 1), SPECTATOR]
        watcher = self.rng.choice(observers)
        state = before
        for fact in facts:
            state = self.evolve(state, fact)
        if before is not None and attempt is not None:
            check_event(rules, before, self.twin(before, watcher), attempt, facts, watcher)
        for seat in observers:
            self.check_telling(before, facts, state, seat)
        if before is not None and (told := told_to(rules, before, facts, watcher)[0]):
            check_news(rules, told, rules.view(state, watcher), watcher)
        for seat in (watcher, MASTER):
            self.check_view(rules.view(state, seat))
        told = told_to(rules, before, facts, watcher)[0]
        self.check_glance(told, rules.view(state, watcher))
        if told:
            check_beat(rules, told, rules.view(state, watcher))
        self.state = state
        self.facts += facts
        if rules.resumes and self.names and rules.result(state) is None and self.rng.random() < RESUMED:
            check_resumption(rules, self.options, self.facts, self.names, state, self.at, self.rng)
        self.log.append(msgspec.json.encode(facts).decode())
        self.report.events += 1
        for fact in facts:
            self.seen[str(fact.__struct_config__.tag)] += 1
        if before is None or self.rng.random() < 0.2:
            self.twin(state, watcher)

    def finish(self) -> None:
        """At the end nothing more is expected of anybody, and the log tells the same story."""
        rules, state = self.rules, self.state
        result = rules.result(state)
        assert result is not None
        demand(rules, f"result.{result.reason}")
        self.check_round_trip(result, type(result), "result")
        if rules.waiting(state) or rules.alarms(state):
            breach("the end is the end", "somebody is still waited for, or an alarm is still set.")
        for seat in [*range(1, self.most + 1), SPECTATOR]:
            if rules.legal(state, seat).sample(self.rng) is not None:
                breach("the end is the end", f"seat {seat} may still do something.")
            self.twin(state, seat)
        self.check_replay()
        self.report.ended = result.reason
        self.report.facts = dict(sorted(self.seen.items()))

    # --- the checks -------------------------------------------------------------------------------------

    def decide(self, attempt: Attempt) -> list[Fact] | Illegal:
        """`decide`, twice: the same answer, nothing changed, everything fit for the log."""
        rules, before = self.rules, encoded(self.state)
        self.check_round_trip(attempt.action, rules.action_type, "action")
        parts = {**rules.spoken(plain(attempt.action), "en"), "player": "?"}
        demand(rules, f"action.{attempt.action.__struct_config__.tag}", parts)
        answers = [self._decided(attempt) for _ in range(2)]
        if encoded(self.state) != before:
            breach("decide changes nothing", f"the state is another after {attempt.action} was decided.")
        first, second = answers
        if isinstance(first, Illegal) and isinstance(second, Illegal):
            self.report.refusals += 1
            if (first.code, first.parts) != (second.code, second.parts):
                breach("same facts from the same seed", f"{attempt.action} was refused for two reasons.")
            demand(rules, f"illegal.{first.code}", first.parts)
            return first
        if isinstance(first, Illegal) or isinstance(second, Illegal) or first != second:
            breach("same facts from the same seed", f"{attempt.action} gave {first}, then {second}.")
        for fact in first:
            self.check_round_trip(fact, rules.fact_type, "fact")
        return first

    def _decided(self, attempt: Attempt) -> list[Fact] | Illegal:
        seat, action, at, seed = attempt
        try:
            return self.rules.decide(self.state, seat, action, at, Random(seed))
        except Illegal as refusal:
            return refusal

    def evolve(self, state: Any, fact: Fact) -> Any:
        """`evolve`, twice: the same state, the one before untouched."""
        before = encoded(state)
        after = self.rules.evolve(state, fact)
        if self.rules.evolve(state, fact) != after:
            breach("evolve decides nothing", f"{fact} made two different states of the same one.")
        if encoded(state) != before:
            breach("evolve changes nothing", f"the state before {fact} is another after it.")
        return after

    def check_telling(self, before: Any, facts: list[Fact], after: Any, seat: Seat) -> None:
        """What is told can be read and counted: who is told nothing sees nothing change."""
        rules = self.rules
        told, _ = told_to(rules, before, facts, seat)
        for heard in told:
            if not isinstance(heard, Fact) or not isinstance(heard, rules.told_type):
                breach("views and told facts are typed", f"seat {seat} is told {heard!r}, no `told_type`.")
            self.check_round_trip(heard, rules.told_type, "told fact")
            said = plain(heard)
            demand(rules, f"fact.{said['is']}", {**rules.spoken(said, "en"), "player": self._name(said)})
        silent = [f for f in facts if isinstance(f, rules.told_to_all)]
        if len(told) < len(silent):
            breach("told to all", f"one of {silent} is not told to seat {seat}.")
        if before is not None and not told:
            seen_before, seen_after = encoded(rules.view(before, seat)), encoded(rules.view(after, seat))
            legal_before, legal_after = rules.legal(before, seat), rules.legal(after, seat)
            if seen_before != seen_after or encoded(legal_before.describe()) != encoded(
                legal_after.describe()
            ):
                breach(
                    "views change by what is told", f"seat {seat} is told nothing of {facts}, yet sees it."
                )

    def check_view(self, view: Any) -> None:
        """A view is what the game says that it is, and JSON keeps all of it."""
        kind = self.rules.view_type
        if type(view) is not kind:
            breach("views and told facts are typed", f"{type(view).__name__} is not {kind.__name__}.")
        self.check_round_trip(view, kind, "view")

    def check_glance(self, told: list[Fact], view: View) -> None:
        """A few words are few, and nobody has given more than he owes."""
        for language in LANGUAGES:
            seen = self.rules.glance(view, language)
            latest = self.rules.latest(told, view, self.names, language)
            if not 0 <= seen.given <= seen.of or (seen.is_final and not seen.is_in):
                breach("a glance adds up", f"{seen} says more than there is.")
            if max(map(len, (seen.plays, seen.moment, latest))) > GLANCE_MOST:
                breach("a glance is short", f"{seen} and “{latest}” are no few words.")

    def check_conditions(self) -> None:
        """What one reads before sitting down has words in every language."""
        for language in LANGUAGES:
            for line in self.rules.conditions(self.options, language):
                if not (line.name and line.text) or line.name.startswith("option."):
                    breach("words", f"the condition {line} says nothing in “{language}”.")

    def read_again(self, view: View) -> View:
        """The view as somebody has it who was sent its bytes."""
        return msgspec.json.decode(encoded(view), type=self.rules.view_type)

    def _name(self, heard: Json) -> str:
        return self.names.get(heard.get("seat", 0), "?")

    def twin(self, state: Any, seat: Seat) -> Any:
        """Another state that this seat cannot tell apart, checked to look the same."""
        twin = self.rules.shuffle_hidden(state, seat, Random(self.rng.getrandbits(32)))
        if twin != state:
            self.report.twins += 1
            check_twin(self.rules, state, twin, seat, self.rng.getrandbits(32))
        return twin

    def check_refusals(self) -> None:
        """What is not allowed is refused: changed actions, and actions of others."""
        rules, rng = self.rules, self.rng
        players = sorted(rules.waiting(self.state))
        if not players:
            return
        seat = rng.choice(players)
        action = rules.legal(self.state, seat).sample(Random(rng.getrandbits(32)))
        if action is None:
            return
        other = rng.choice([*range(1, self.most + 2), SPECTATOR])
        tries: list[tuple[Seat, Action | None]] = [(seat, mutant(rules, action, rng)) for _ in range(3)]
        for who, tried in [*tries, (other, action)]:
            if tried is None or is_of_the_table(tried):
                continue
            attempt = Attempt(who, tried, self.at, rng.getrandbits(32))
            facts = self.decide(attempt)
            allowed = rules.legal(self.state, who).allows(tried)
            refused = isinstance(facts, Illegal) or any(isinstance(fact, rules.misses) for fact in facts)
            if allowed == refused:
                breach(
                    "what is not allowed is refused",
                    f"{tried} of seat {who} is {'allowed' if allowed else 'not allowed'}, "
                    f"yet {'refused' if refused else 'accepted'}: {facts}.",
                )
            if not isinstance(facts, Illegal):
                self.take(facts, attempt)
            elif 1 <= who <= self.most:
                check_event(rules, self.state, self.twin(self.state, who), attempt, facts, who)
            if rules.result(self.state) is not None:
                return

    def check_early_alarm(self) -> None:
        """An alarm before its time, or one that nobody set, changes nothing."""
        early = [name for name, when in self.rules.alarms(self.state).items() if when > self.at]
        name = self.rng.choice([*early, "no-such-alarm"])
        facts = self.decide(Attempt(CLOCK, Alarm(name), self.at, 0))
        if not isinstance(facts, Illegal) and facts:
            breach("alarms ring in time", f"the alarm “{name}” is not due, yet it gave {facts}.")

    def check_round_trip(self, value: Any, kind: Any, what: str) -> None:
        try:
            again = msgspec.json.decode(msgspec.json.encode(value), type=kind)
        except (msgspec.MsgspecError, TypeError) as problem:
            breach("JSON round trip", f"the {what} {value} cannot be written and read again: {problem}.")
        if again != value:
            breach("JSON round trip", f"the {what} {value} came back as {again}.")

    def check_replay(self) -> None:
        """The log alone, read from JSON and brought up to date, leads to the same state."""
        state: Any = None
        for line in self.log:
            for form in msgspec.json.decode(line):
                fact = msgspec.convert(self.rules.upgrade(form), self.rules.fact_type, str_keys=True)
                state = self.rules.evolve(state, fact)
        if state != self.state or encoded(state) != encoded(self.state):
            breach("replay equals live", "the state rebuilt from the log is not the one that was played.")


def fuzz(
    rules: Rules[Any],
    seed: int,
    more: Callable[[], bool],
    done: Callable[[Report], None],
    most_events: int = 20_000,
) -> int:
    """Examine random games, seed after seed, while `more` says so. Raises Breach at the first that fails."""
    games = 0
    while games == 0 or more():
        done(examine(rules, seed + games, most_events=most_events))
        games += 1
    return games
