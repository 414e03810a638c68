/** An event told bit by bit: each phase that it resolved, conflict by conflict, and the position after it. */

import type { GameMap } from '../../../house/types';
import type { Told } from '../../../house/table.svelte';
import { powerName, zoneName } from '../map/places';
import type { Drawn } from '../model';
import { seasonName, phaseWhat } from '../seasons/calendar';
import { drawnOf, groupsOf, hasFailed, originsOf } from '../seasons/steps';
import { words } from '../seasons/words';
import type { DiplomacyView, PlayedView, SituationView } from '../types';

export interface Scene {
  text: string;
  situation: SituationView;
  drawn: Drawn[];
  /** Zones of the units of this conflict. */
  marked: number[];
  origins: Record<number, number>;
}

/** What an event resolved: the phase that came last, and those of the same moment before it. */
function resolvedBy(told: Told | null, view: DiplomacyView): PlayedView[] {
  const count = told?.facts.filter((fact) => fact.is === 'adjudicated').length ?? 0;
  const known = view.last ? [...(view.earlier ?? []), view.last] : [];
  return count ? known.slice(-count) : [];
}

/** The scenes of an event, and which of them shows all orders of its last phase. */
export function scenesOf(map: GameMap, view: DiplomacyView, told: Told | null): { scenes: Scene[]; rest: number } {
  const still = (text: string): Scene => ({ text, situation: view.situation, drawn: [], marked: [], origins: {} });
  const phases = resolvedBy(told, view);
  if (!phases.length) return { scenes: [still('')], rest: 0 };
  const scenes: Scene[] = [];
  let rest = 0;
  for (const [i, phase] of phases.entries()) {
    const after = phases[i + 1]?.before ?? view.situation;
    const name = `${seasonName(phase.advancement, yearOf(view, phase))}, ${phaseWhat(phase.advancement)}`;
    const all = drawnOf(map, phase.before, phase.verdicts);
    const groups = groupsOf(map, phase.verdicts, 'conflict');
    if (i === 0) scenes.push({ text: `${name} · ${words('stepBefore')}`, situation: phase.before, drawn: [], marked: [], origins: {} });
    const shown = new Set<number>();
    for (const { verdicts, region } of groups) {
      verdicts.forEach((verdict) => shown.add(verdict));
      const roles = [...new Set(verdicts.map((verdict) => phase.verdicts[verdict]!.order[0]))];
      const what = region
        ? words('conflictAt', { place: zoneName(map, region), powers: roles.map((role) => powerName(map, role)).join(', ') })
        : words('peaceful', { n: verdicts.length });
      scenes.push({
        text: `${name} · ${what}`,
        situation: phase.before,
        drawn: all.filter((_, at) => shown.has(at)),
        marked: region ? verdicts.map((verdict) => phase.verdicts[verdict]!.order[2]) : [],
        origins: {},
      });
    }
    const failed = phase.verdicts.filter(hasFailed).length;
    const sum = `${words('allOrders', { n: phase.verdicts.length })} · ${failed ? words('failures', { n: failed }) : words('allDone')}`;
    rest = scenes.length;
    scenes.push({ text: `${name} · ${sum}`, situation: phase.before, drawn: all, marked: [], origins: {} });
    const origins = originsOf(map, phase.verdicts, after);
    scenes.push({ text: `${name} · ${words('stepAfter')}`, situation: after, drawn: [], marked: [], origins });
  }
  return { scenes, rest };
}

/** The phases of a year are five; the view says which year it is now. */
function yearOf(view: DiplomacyView, phase: PlayedView): number {
  return view.year - Math.floor(view.advancement / 5) + Math.floor(phase.advancement / 5);
}
