"""The difference between two views as a JSON merge patch (RFC 7396)."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec.structs import astuple

from tablee.rules.contract import Json, View


def merge_patch(before: View | None, after: View) -> dict[str, Any]:
    """The patch that makes the JSON of `after` of that of `before`; empty if they are equal.

    Objects are compared key by key, anything else is replaced whole. A null inside an object of a view means
    the same as the key's absence, since a merge patch cannot tell them apart. What has changed stands in the
    patch as the view has it: whoever sends the patch encodes it.
    """
    if before is None:
        return {key: value for key, value in plain(after).items() if value is not None}
    found = _difference(before, after)
    return {} if found is SAME else found


def plain(shown: Any) -> Json:
    """A view, a told fact, a patch or a part of them as JSON has it."""
    return msgspec.to_builtins(shown, str_keys=True)


class _Same:
    """What a comparison answers when nothing differs: None would mean "delete"."""


SAME: Final = _Same()
ABSENT: Final = object()


def _difference(before: Any, after: Any) -> Any:
    kind = type(after)
    if isinstance(after, msgspec.Struct):
        config = after.__struct_config__
        if config.array_like:
            return SAME if kind is type(before) and before == after else after
        if kind is type(before) and not config.omit_defaults:
            return _field_by_field(before, after)
        after = plain(after)
    if isinstance(before, msgspec.Struct):
        before = plain(before)
    if isinstance(before, dict) and isinstance(after, dict):
        return _key_by_key(before, after)
    return SAME if type(before) is kind and before == after else after


# Most of a view is as it was: in both loops, what can be seen there needs no call.


def _key_by_key(before: dict[Any, Any], after: dict[Any, Any]) -> dict[str, Any] | _Same:
    patch: dict[str, Any] = {}
    news = 0
    for key, value in after.items():
        earlier = before.get(key, ABSENT)
        if earlier is value:
            continue
        kind = type(value)
        if kind is str:
            if earlier == value:
                continue
        elif kind is not dict and kind is type(earlier) and earlier == value:
            continue
        if earlier is ABSENT:
            news += 1
            # What is new is still a patch to whoever applies it, so nulls in it would vanish anyway.
            if value is not None:
                patch[str(key)] = value
        elif kind is str:
            patch[str(key)] = value
        else:
            found = _difference(earlier, value)
            if found is not SAME:
                patch[str(key)] = found
    if len(before) != len(after) - news:
        for key, value in before.items():
            if key not in after and value is not None:
                patch[str(key)] = None
    return patch or SAME


def _field_by_field(before: msgspec.Struct, after: msgspec.Struct) -> dict[str, Any] | _Same:
    patch: dict[str, Any] = {}
    gone: dict[str, Any] = {}
    for key, earlier, value in zip(
        after.__struct_encode_fields__, astuple(before), astuple(after), strict=True
    ):
        if earlier is value:
            continue
        kind = type(value)
        if kind is dict:
            found = _key_by_key(earlier, value) if type(earlier) is dict else _difference(earlier, value)
            if found is not SAME:
                patch[key] = found
        elif kind is type(earlier) and earlier == value:
            continue
        elif value is msgspec.UNSET:
            if earlier is not None:
                gone[key] = None
        elif earlier is msgspec.UNSET:
            if value is not None:
                patch[key] = value
        else:
            found = _difference(earlier, value)
            if found is not SAME:
                patch[key] = found
    return {**patch, **gone} or SAME
