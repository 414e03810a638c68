"""Actions and options a little or wholly different from given ones, in search of what a game lets pass."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec

from tablee.rules.contract import Action, Json, Rules, TableAction

_TABLE_ACTIONS = TableAction.__args__


def is_of_the_table(action: Action) -> bool:
    """Whether an action belongs to every table and not to the game alone."""
    return isinstance(action, _TABLE_ACTIONS)


def mutant(rules: Rules[Any], action: Action, rng: Random) -> Action | None:
    """The action with something changed, or None where that is no action of the game any more."""
    form = msgspec.to_builtins(action)
    names = list(form)
    if len(names) > 1:
        name = rng.choice([name for name in names if name != "do"])
        form[name] = _changed(form[name], rng)
    try:
        changed: Action = msgspec.convert(form, rules.action_type)
    except msgspec.ValidationError:
        return None
    return None if is_of_the_table(changed) else changed


def _changed(value: Json, rng: Random) -> Json:
    match value:
        case bool():
            return not value
        case int():
            return rng.choice([value + 1, value - 1, -value - 1, value * 2 + 1, 10**9])
        case str():
            return rng.choice(["", value + "x", value[::-1], "\x00", "é" * 40])
        case list():
            return _changed_list(value, rng)
        case dict() if value:
            name = rng.choice(list(value))
            return {**value, name: _changed(value[name], rng)}
    return value


def _changed_list(value: list[Json], rng: Random) -> list[Json]:
    if not value:
        return value
    index = rng.randrange(len(value))
    kind = rng.randrange(3)
    if kind == 0:
        return value[:index] + value[index + 1 :]
    if kind == 1:
        return [*value, value[index]]
    return [*value[:index], _changed(value[index], rng), *value[index + 1 :]]


def random_options(rules: Rules[Any], rng: Random) -> Any:
    """The default options half of the time, else some that their type allows; small numbers more often."""
    default = rules.options_type()
    if rng.random() < 0.5:
        return default
    chosen: dict[str, Any] = {}
    info = msgspec.inspect.type_info(rules.options_type)
    assert isinstance(info, msgspec.inspect.StructType)
    for each in info.fields:
        kind = each.type
        if isinstance(kind, msgspec.inspect.BoolType):
            chosen[each.name] = rng.random() < 0.5
        elif isinstance(kind, msgspec.inspect.IntType) and kind.ge is not None and kind.le is not None:
            most = min(kind.le, kind.ge + 20) if rng.random() < 0.8 else kind.le
            chosen[each.name] = rng.randint(kind.ge, most)
        elif isinstance(kind, msgspec.inspect.LiteralType):
            chosen[each.name] = rng.choice(list(kind.values))
    options = msgspec.structs.replace(default, **chosen)
    return default if rules.setup_is_slow(options) and rng.random() < 0.8 else options
