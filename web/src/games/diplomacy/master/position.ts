/** Changes of a position, one at a time; each gives back a new one and leaves the old as it was. */

import type { GameMap } from '../../../house/types';
import { ARMY, FLEET, regionOf } from '../model';
import type { SituationView } from '../types';

export const PHASES = 5;

export interface Fault {
  /** More units than centres; a dislodged unit that nobody has dislodged. */
  kind: 'extra' | 'alone';
  role: number;
  zone: number;
  units: number;
  centres: number;
}

type Table<U extends number[]> = Record<string, U[]>;

/** The regions that have a centre, from centre 1. */
export function centreZones(map: GameMap): number[] {
  return map.regions.filter((region) => region.centre).map((region) => region.zone);
}

export const isRetreats = (advancement: number) => [1, 3].includes(advancement % PHASES);

/** Where a unit of this kind may stand: a fleet on one of several coasts stands on the coast. */
export function zonesFor(map: GameMap, kind: number): number[] {
  if (kind === ARMY) return map.regions.filter((each) => each.kind !== 'sea').map((each) => each.zone);
  const split = new Set(map.coasts.map((coast) => coast.region));
  const plain = map.regions.filter((each) => each.kind !== 'land' && !split.has(each.zone));
  return [...plain.map((each) => each.zone), ...map.coasts.map((coast) => coast.zone)];
}

function without<U extends number[]>(map: GameMap, table: Table<U>, region: number): Table<U> {
  const kept = Object.entries(table).map(([role, units]): [string, U[]] => [
    role,
    units.filter((unit) => regionOf(map, unit[1]!) !== region),
  ]);
  return Object.fromEntries(kept.filter(([, units]) => units.length));
}

/** A unit stands there, in place of any other. */
export function placed(map: GameMap, now: SituationView, role: number, kind: number, zone: number): SituationView {
  const units = without(map, now.units, regionOf(map, zone));
  return { ...now, units: { ...units, [role]: [...(units[role] ?? []), [kind, zone]] } };
}

/** A unit was dislodged from there and must retreat. */
export function dislodged(map: GameMap, now: SituationView, role: number, kind: number, zone: number, origin = 0): SituationView {
  const ones = without(map, now.dislodged_ones, regionOf(map, zone));
  return { ...now, dislodged_ones: { ...ones, [role]: [...(ones[role] ?? []), [kind, zone, origin]] } };
}

export function cleared(map: GameMap, now: SituationView, zone: number, only: 'units' | 'dislodged_ones' | null = null): SituationView {
  const region = regionOf(map, zone);
  return {
    ...now,
    units: only === 'dislodged_ones' ? now.units : without(map, now.units, region),
    dislodged_ones: only === 'units' ? now.dislodged_ones : without(map, now.dislodged_ones, region),
  };
}

/** A centre is somebody's, or with role 0 nobody's. */
export function owned(map: GameMap, now: SituationView, role: number, region: number): SituationView {
  const centre = centreZones(map).indexOf(region) + 1;
  if (!centre) return now;
  const { [centre]: _, ...others } = now.ownerships;
  return { ...now, ownerships: role ? { ...others, [centre]: role } : others };
}

export function forbidden(now: SituationView, region: number): SituationView {
  const isClosed = now.forbiddens.includes(region);
  const others = now.forbiddens.filter((each) => each !== region);
  return { ...now, forbiddens: isClosed ? others : [...others, region].sort((one, other) => one - other) };
}

/** What only phases of retreats have is left out of the others. */
export function fitting(now: SituationView, advancement: number): SituationView {
  return isRetreats(advancement) ? now : { ...now, dislodged_ones: {}, forbiddens: [] };
}

export function count(now: SituationView, role: number): { units: number; centres: number } {
  return {
    units: (now.units[role]?.length ?? 0) + (now.dislodged_ones[role]?.length ?? 0),
    centres: Object.values(now.ownerships).filter((each) => each === role).length,
  };
}

/** What is worth a second look: more units than centres after a balance, dislodged ones that nobody dislodged. */
export function faults(map: GameMap, now: SituationView, advancement: number): Fault[] {
  const found: Fault[] = [];
  for (const { role } of map.powers) {
    const { units, centres } = count(now, role);
    if (advancement % PHASES < 2 && units > centres) found.push({ kind: 'extra', role, zone: 0, units, centres });
  }
  const standing = new Set(Object.values(now.units).flat().map(([, zone]) => regionOf(map, zone)));
  for (const [role, ones] of Object.entries(now.dislodged_ones)) {
    for (const [, zone] of ones) {
      if (!standing.has(regionOf(map, zone))) found.push({ kind: 'alone', role: Number(role), zone, units: 0, centres: 0 });
    }
  }
  return found;
}

/** The position as the action of the master carries it. */
export function toSend(now: SituationView): Record<string, unknown> {
  const flat = (table: Record<string, number[][]>) =>
    Object.entries(table).flatMap(([role, units]) => units.map((unit) => [Number(role), ...unit]));
  return {
    ownerships: now.ownerships,
    units: flat(now.units),
    dislodged: flat(now.dislodged_ones),
    fake_units: [],
    forbiddens: now.forbiddens,
  };
}

export const KINDS = [ARMY, FLEET] as const;
