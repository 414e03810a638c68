/** Diplomacy as the house tells it: numbers are those of the AFJD document (roles, zones, centres from 1). */

import type { GameMap } from '../../house/types';
import type { Order, SituationView } from './types';

export const ARMY = 1;
export const FLEET = 2;

/** What an order orders. */
export const Act = {
  move: 1,
  supportMove: 2,
  supportHold: 3,
  hold: 4,
  convoy: 5,
  retreat: 6,
  disband: 7,
  build: 8,
  remove: 9,
} as const;

/** `advancement % 5`. */
export const Phase = { spring: 0, summerRetreats: 1, autumn: 2, winterRetreats: 3, adjustments: 4 } as const;

/** What a seat may do. */
export interface DiplomacyLegal {
  /** By role: legal orders by the zone of the unit or the region to build in; `most` counts adjustments. */
  submit?: Record<string, { most: number | null; orders: Record<string, Order[]> }>;
  /** By role: final orders that may be taken back. */
  reconsider?: Record<string, object>;
  vote?: { draw: boolean };
  [masterly: string]: unknown;
}

/** An order drawn on the map. */
export interface Drawn {
  order: Order;
  /** Of the unit that is ordered; a build names its own. */
  kind?: number;
  /** Being written, ordered, carried out, or not; `assumed` is somebody else's, supposed in a preview. */
  look: 'writing' | 'ordered' | 'done' | 'failed' | 'assumed';
}

/** What the map is given. It knows no rules: it draws, and says which zone was picked. */
export interface MapProps {
  map: GameMap;
  situation: SituationView;
  drawn?: Drawn[];
  /** Zones that may be picked now; others do not answer. */
  lit?: readonly number[];
  /** Zones that are chosen: the unit being ordered, its partner. */
  chosen?: readonly number[];
  /** Zones to draw attention to, for instance the line of the report under the pointer. */
  marked?: readonly number[];
  /** Called with the region, or the special coast where that is lit and was meant. */
  pick?: ((zone: number) => void) | null;
  names?: 'full' | 'codes';
  /** Lit zones answer without being shown as lit: where all of them may be picked, as in an editor. */
  quiet?: boolean;
  /** A zone to bring into sight when it changes. */
  seek?: number | null;
  /** Called with the region that was clicked where nothing is to be picked. */
  look?: ((region: number) => void) | null;
  /** Where units have come from, by the zone where they stand: they glide from there. */
  origins?: Readonly<Record<number, number>>;
}

/** Where a fleet on one of several coasts is, as a region. */
export function regionOf(map: GameMap, zone: number): number {
  return map.coasts.find((coast) => coast.zone === zone)?.region ?? zone;
}

export interface StandingUnit {
  role: number;
  kind: number;
  zone: number;
}

/** Units that stand, or in a phase of retreats the dislodged ones, by region. */
export function unitsByRegion(map: GameMap, situation: SituationView, dislodged = false): Map<number, StandingUnit> {
  const table: Record<string, number[][]> = dislodged ? situation.dislodged_ones : situation.units;
  const found = new Map<number, StandingUnit>();
  for (const [role, units] of Object.entries(table))
    for (const [kind, zone] of units) found.set(regionOf(map, zone!), { role: Number(role), kind: kind!, zone: zone! });
  return found;
}

/** The position with the units that are ordered to be built. */
export function withBuilds(situation: SituationView, drawn: readonly Drawn[]): SituationView {
  const builds = drawn.filter(({ order }) => order[1] === Act.build);
  if (!builds.length) return situation;
  const units = { ...situation.units };
  for (const { order: [role, , zone, , , , kind] } of builds) units[role] = [...(units[role] ?? []), [kind, zone]];
  return { ...situation, units };
}
