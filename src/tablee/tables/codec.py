"""Actions, facts and snapshots of one variant as the JSON that the log keeps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from tablee.rules.contract import Action, Fact, Json, Result, Rules, Seat, State, TableAction
from tablee.tables.clocks import Clocks


class Sitting(msgspec.Struct, frozen=True):
    """Who takes a seat as the game starts."""

    seat: Seat
    name: str
    robot: bool = False


# Why: docs/decisions.md#a-log-is-complete-in-itself
class Start(Action, frozen=True):
    """The first action of every table, played by MASTER: with which options, and who sits where."""

    options: Json
    seats: list[Sitting]


# Why: docs/decisions.md#a-game-can-be-void
class Void(Action, frozen=True):
    """The last action of a game that the house ends: nobody has won or lost, and nothing counts it.

    It belongs to the table and not to the game, whose position stays as it was.
    """

    reason: str
    by: int | None = None
    """Who has called off a game that had hardly begun, as an account; None where the house ends it."""

    @property
    def result(self) -> Result:
        """How such a game has ended, for everybody alike."""
        return Result(ranks={}, reason=self.reason, rated=False)


class Counts(msgspec.Struct):
    """How much each seat has been told: `all` events told everyone something, `seats` counts the others."""

    all: int = 0
    seats: dict[Seat, int] = {}

    def of(self, seat: Seat) -> int:
        return self.all + self.seats.get(seat, 0)

    def copy(self) -> Counts:
        return Counts(self.all, dict(self.seats))


class _Snapshot(msgspec.Struct):
    state: msgspec.Raw
    clocks: Clocks
    counts: Counts
    at: int


class _Lag(msgspec.Struct):
    lag: int = 0


class _Tagged(msgspec.Struct):
    do: str


_encoder = msgspec.json.Encoder()
_lags = msgspec.json.Decoder(_Lag)
_tags = msgspec.json.Decoder(_Tagged)


def tag_of(action: type[Action]) -> str:
    """How the log calls an action."""
    return str(action.__struct_config__.tag)


def tag_in(text: str) -> str:
    """What kind of action the log has there; nothing else of it is read."""
    return _tags.decode(text).do


class Codec:
    """Encoders and decoders of one variant, made once."""

    def __init__(self, rules: Rules[Any]) -> None:
        self._rules = rules
        self._facts = msgspec.json.Decoder(list[rules.fact_type])  # type: ignore[name-defined]
        self._fact = rules.fact_type
        self._action = msgspec.json.Decoder(rules.action_type)
        self._start = msgspec.json.Decoder(Start)
        self._state = msgspec.json.Decoder(rules.state_type)
        self._upgrades = type(rules).upgrade is not Rules.upgrade

    def encode_action(self, action: Action, lag: int = 0) -> str:
        """The action as the log keeps it, with the lag that its clock was spared."""
        text = _encoder.encode(action).decode()
        return f'{text[:-1]},"lag":{lag}}}' if lag else text

    @staticmethod
    def lag(text: str) -> int:
        """The lag of an action in the log."""
        return _lags.decode(text).lag

    def encode_facts(self, facts: Sequence[Fact]) -> str:
        return _encoder.encode(facts).decode()

    def action(self, text: str, seq: int) -> Action:
        """The action of the event `seq`; the first one is always `Start`."""
        if seq == 1:
            return self._start.decode(text)
        try:
            action: Action = self._action.decode(text)
        except msgspec.ValidationError:
            # The table's own actions are logged even where a game does not list them among its own.
            return _own.decode(text)
        return action

    def read_action(self, text: bytes | str | msgspec.Raw) -> Action:
        """An action that somebody sent as JSON; raises msgspec.DecodeError with a sentence."""
        action: Action = self._action.decode(text)
        return action

    def facts(self, text: str) -> list[Fact]:
        """The facts of an event, those of older releases brought up to date."""
        if self._upgrades:
            upgrade = self._rules.upgrade
            return [msgspec.convert(upgrade(fact), self._fact) for fact in msgspec.json.decode(text)]
        facts: list[Fact] = self._facts.decode(text)
        return facts

    def encode_snapshot(self, state: State, clocks: Clocks, counts: Counts, at: int) -> str:
        raw = msgspec.Raw(_encoder.encode(state))
        return _encoder.encode(_Snapshot(raw, clocks, counts, at)).decode()

    def snapshot(self, text: str) -> tuple[State, Clocks, Counts, int]:
        """State, clocks, counts, time of the last event; raises msgspec.MsgspecError if it does not fit."""
        read = _snapshots.decode(text)
        return self._state.decode(read.state), read.clocks, read.counts, read.at


_snapshots = msgspec.json.Decoder(_Snapshot)
_own: msgspec.json.Decoder[TableAction | Void] = msgspec.json.Decoder(TableAction | Void)
