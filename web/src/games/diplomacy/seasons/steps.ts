/** A season told bit by bit: which of its verdicts are shown together, and in which order. */

import type { GameMap } from '../../../house/types';
import { Act, regionOf, type Drawn } from '../model';
import type { SituationView, VerdictView } from '../types';

export type Grouping = 'power' | 'conflict' | 'order';

/** Verdicts that are shown together, by their places in the list. */
interface Group {
  verdicts: number[];
  /** Where a conflict is; 0 for what is peaceful, and in other groupings. */
  region: number;
}

/** A unit that was thrown out did not hold, whatever else became of its order. */
export function hasFailed(verdict: VerdictView): boolean {
  const holds = verdict.order[1] === Act.hold;
  return verdict.outcome !== 'succeeds' || (holds && verdict.marks.includes('dislodged'));
}

export function isTrouble(verdict: VerdictView): boolean {
  return hasFailed(verdict) || verdict.marks.some((mark) => mark === 'dislodged' || mark === 'paradox');
}

/** The region that an order is about: where somebody wants to go, or to stay. */
function regionAbout(map: GameMap, verdict: VerdictView): number {
  const [, act, zone, passive, destination] = verdict.order;
  if (act === Act.supportHold) return regionOf(map, passive);
  return regionOf(map, destination || zone);
}

export function groupsOf(map: GameMap, verdicts: VerdictView[], grouping: Grouping): Group[] {
  if (grouping === 'order') return verdicts.map((_, i) => ({ verdicts: [i], region: 0 }));
  const by = new Map<number, number[]>();
  verdicts.forEach((verdict, i) => {
    const key = grouping === 'power' ? verdict.order[0] : regionAbout(map, verdict);
    by.set(key, [...(by.get(key) ?? []), i]);
  });
  if (grouping === 'power')
    return [...by.entries()].sort(([one], [other]) => one - other).map(([, list]) => ({ verdicts: list, region: 0 }));
  return conflictsOf(map, verdicts, by);
}

/** What nobody disputes comes first and together; then each disputed region, causes before what they cause. */
function conflictsOf(map: GameMap, verdicts: VerdictView[], by: Map<number, number[]>): Group[] {
  const isDisputed = (list: number[]) =>
    new Set(list.map((i) => verdicts[i]!.order[0])).size > 1 || list.some((i) => isTrouble(verdicts[i]!));
  const disputed = new Map([...by].filter(([, list]) => isDisputed(list)));
  const peaceful = [...by].filter(([region]) => !disputed.has(region)).flatMap(([, list]) => list);
  const groups: Group[] = peaceful.length ? [{ verdicts: peaceful.sort((a, b) => a - b), region: 0 }] : [];
  const told = new Set<number>();
  const tell = (region: number) => {
    const list = disputed.get(region);
    if (!list || told.has(region)) return;
    told.add(region);
    // An attack on a unit that takes part here may have cut it: that is shown before.
    for (const i of list) tell(regionOf(map, verdicts[i]!.order[2]));
    groups.push({ verdicts: list, region });
  };
  for (const region of disputed.keys()) tell(region);
  return groups;
}

/** The kinds of the units that stand, or are dislodged, by region. */
function kindsBefore(map: GameMap, before: SituationView): { standing: Map<number, number>; dislodged: Map<number, number> } {
  const kinds = (table: Record<string, number[][]>) =>
    new Map(Object.values(table).flat().map(([kind, zone]) => [regionOf(map, zone!), kind!]));
  return { standing: kinds(before.units), dislodged: kinds(before.dislodged_ones) };
}

/** Verdicts as arrows for the map. */
export function drawnOf(map: GameMap, before: SituationView, verdicts: VerdictView[]): Drawn[] {
  const { standing, dislodged } = kindsBefore(map, before);
  return verdicts.map((verdict) => {
    const { order } = verdict;
    const retreats = order[1] === Act.retreat || order[1] === Act.disband;
    const kind = order[6] || (retreats ? dislodged : standing).get(regionOf(map, order[2]));
    return { order, kind, look: hasFailed(verdict) ? 'failed' : 'done' };
  });
}

/** Where each unit that moved has come from: by the zone where it is after. */
export function originsOf(map: GameMap, verdicts: VerdictView[], after: SituationView): Record<number, number> {
  const origins: Record<number, number> = {};
  const standing = Object.values(after.units).flat();
  for (const { order, outcome } of verdicts) {
    const [, act, zone, , destination] = order;
    if (outcome !== 'succeeds' || (act !== Act.move && act !== Act.retreat)) continue;
    const now = standing.find(([, at]) => regionOf(map, at) === regionOf(map, destination));
    if (now) origins[now[1]] = zone;
  }
  return origins;
}
