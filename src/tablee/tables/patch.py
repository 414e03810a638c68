"""The difference between two views as a JSON merge patch (RFC 7396), and how to apply one."""

from __future__ import annotations

from typing import Any

from tablee.rules.contract import Json


class Same:
    """What `difference` answers when nothing differs: None would mean "delete"."""


SAME = Same()


def merge_patch(before: Json, after: Json) -> Json:
    """The patch that makes `after` of `before`; `{}` if they are equal.

    Objects are compared key by key, anything else is replaced whole. A null inside an object of a view means
    the same as the key's absence, since a merge patch cannot tell them apart.
    """
    found = _difference(before, after)
    return {} if found is SAME else found


def _difference(before: Json, after: Json) -> Json | Same:
    if before is after:
        return SAME
    if isinstance(before, dict) and isinstance(after, dict):
        patch: dict[str, Any] = {}
        for key, value in after.items():
            if key not in before:
                # What is new is still a patch to whoever applies it, so nulls in it would vanish anyway.
                if value is not None:
                    patch[key] = value
                continue
            earlier = before[key]
            # Most of a view is as it was: what can be seen here needs no call.
            if earlier is value or (type(value) is str and earlier == value):
                continue
            found = _difference(earlier, value)
            if found is not SAME:
                patch[key] = found
        for key, value in before.items():
            if key not in after and value is not None:
                patch[key] = None
        return patch or SAME
    return SAME if type(before) is type(after) and before == after else after


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
