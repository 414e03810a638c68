"""Which moves succeed: the DATC's equations with partial information, asked until all is decided (5.E)."""

from __future__ import annotations

from tablee.rules.diplomacy.convoys import joined
from tablee.rules.diplomacy.equations import judge_path, judge_support, move_judge
from tablee.rules.diplomacy.field import UNKNOWN, Field
from tablee.rules.diplomacy.knots import untie
from tablee.rules.diplomacy.variant import members


def settle(field: Field) -> None:
    """Fill in `won`, `given` and `path` of every order on the field."""
    into, path, won, given, dest = field.into, field.path, field.won, field.given, field.dest
    role_at, target = field.ground.role_at, field.target

    uncertain: list[int] = []
    """Armies whose chain of convoys may be broken."""
    for army, fleets in field.convoys.items():
        if field.by_convoy[army] and path[army]:
            safe = fleets
            for fleet in members(fleets):
                if into[fleet]:
                    safe &= ~(1 << fleet)
            if safe != fleets and not joined(field.variant, safe, army, dest[army]):
                path[army] = UNKNOWN
                uncertain.append(army)

    doubtful: list[int] = []
    """Supporters of whom it is not clear at once whether they are cut."""
    for region in field.supporting:
        attackers = into[region]
        if attackers is None:
            given[region] = 1
            continue
        state = 1
        role, source = role_at[region], target[region]
        for attacker in attackers:
            if role_at[attacker] != role and path[attacker]:
                if attacker != source and path[attacker] > 0:
                    state = 0
                    break
                state = UNKNOWN
        given[region] = state
        if state < 0:
            doubtful.append(region)

    open_moves: list[int] = []
    for region in field.movers:
        if path[region] == 1:
            goal = dest[region]
            if not role_at[goal] and len(into[goal]) == 1:  # type: ignore[arg-type]
                won[region] = 1
                continue
        elif not path[region]:
            continue
        won[region] = UNKNOWN
        open_moves.append(region)
    if not open_moves:
        return

    judge = move_judge(field)
    while True:
        for region in open_moves:
            if won[region] < 0:
                verdict = judge(region)
                while verdict >= 0:
                    won[region] = verdict
                    # Who comes behind a unit mostly waits for it: a column is decided from its head.
                    behind = into[region]
                    if behind is None or won[behind[0]] >= 0:
                        break
                    region = behind[0]
                    verdict = judge(region)
        waiting = [region for region in open_moves if won[region] < 0]
        if not waiting and not doubtful and not uncertain:
            return
        progress = len(waiting) < len(open_moves)
        open_moves = waiting
        if doubtful:
            for region in doubtful:
                given[region] = judge_support(field, region)
            still = [region for region in doubtful if given[region] < 0]
            progress = progress or len(still) < len(doubtful)
            doubtful = still
        if uncertain:
            for region in uncertain:
                path[region] = judge_path(field, region)
            still = [region for region in uncertain if path[region] < 0]
            progress = progress or len(still) < len(uncertain)
            uncertain = still
        if not open_moves and not doubtful and not uncertain:
            return
        if not progress:
            untie(field, open_moves, doubtful, uncertain)
            open_moves = [region for region in open_moves if won[region] < 0]
            doubtful = [region for region in doubtful if given[region] < 0]
            uncertain = [region for region in uncertain if path[region] < 0]
