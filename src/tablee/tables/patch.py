"""The difference between two views as a JSON merge patch (RFC 7396), and how to apply one."""

from __future__ import annotations

from typing import Any

import msgspec

from tablee.rules.contract import Json


class Same:
    """What `difference` answers when nothing differs: None would mean "delete"."""


SAME = Same()


def merge_patch(before: Any, after: Any) -> Json:
    """The patch that makes the JSON of `after` of that of `before`; `{}` if they are equal.

    Objects are compared key by key, anything else is replaced whole. A null inside an object of a view means
    the same as the key's absence, since a merge patch cannot tell them apart. Views are compared as they
    are: only what has changed in them is made JSON.
    """
    found = _difference(before, after)
    return {} if found is SAME else found


def plain(shown: Any) -> Json:
    """A view, a told fact or a part of them as JSON has it."""
    return msgspec.to_builtins(shown, str_keys=True)


def _difference(before: Any, after: Any) -> Json | Same:
    if before is after:
        return SAME
    kind = type(after)
    if isinstance(after, msgspec.Struct):
        if kind is type(before) and not kind.__struct_config__.omit_defaults:
            return _field_by_field(before, after)
        after, kind = plain(after), dict
    if isinstance(before, msgspec.Struct):
        before = plain(before)
    if isinstance(before, dict) and isinstance(after, dict):
        return _key_by_key(before, after)
    return SAME if type(before) is kind and before == after else plain(after)


def _key_by_key(before: dict[Any, Any], after: dict[Any, Any]) -> Json | Same:
    patch: dict[str, Any] = {}
    for key, value in after.items():
        if key not in before:
            # What is new is still a patch to whoever applies it, so nulls in it would vanish anyway.
            if value is not None:
                patch[str(key)] = plain(value)
            continue
        earlier = before[key]
        # Most of a view is as it was: what can be seen here needs no call.
        kind = type(value)
        if earlier is value or (kind is str and earlier == value):
            continue
        if kind is not dict and kind is type(earlier) and earlier == value:
            continue
        found = _difference(earlier, value)
        if found is not SAME:
            patch[str(key)] = found
    for key, value in before.items():
        if key not in after and value is not None:
            patch[str(key)] = None
    return patch or SAME


def _field_by_field(before: msgspec.Struct, after: msgspec.Struct) -> Json | Same:
    patch: dict[str, Any] = {}
    gone: dict[str, Any] = {}
    for name, key in zip(after.__struct_fields__, after.__struct_encode_fields__, strict=True):
        earlier, value = getattr(before, name), getattr(after, name)
        kind = type(value)
        if earlier is value or (kind is not dict and kind is type(earlier) and earlier == value):
            continue
        if value is msgspec.UNSET:
            if earlier is not None:
                gone[key] = None
        elif earlier is msgspec.UNSET:
            if value is not None:
                patch[key] = plain(value)
        else:
            found = _difference(earlier, value)
            if found is not SAME:
                patch[key] = found
    return {**patch, **gone} or SAME


def apply_patch(target: Json, patch: Json) -> Json:
    """`target` with a merge patch applied; the target itself is left as it was."""
    if not isinstance(patch, dict):
        return patch
    changed = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            changed.pop(key, None)
        else:
            changed[key] = apply_patch(changed.get(key), value)
    return changed
