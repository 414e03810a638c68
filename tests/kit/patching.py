"""A client's half of a merge patch (RFC 7396)."""

from __future__ import annotations

from tablee.rules.contract import Json


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
