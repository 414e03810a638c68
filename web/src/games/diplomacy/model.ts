/** Diplomacy as the house tells it: numbers are those of the AFJD document (roles, zones, centres from 1). */

import type { GameMap } from '../../house/types';

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

/** `[role, act, zone, passive, destination, via convoy, kind]`; what an order does not need is 0. */
export type Order = [number, number, number, number, number, number, number];

/** A position, as the services write it; the keys are numbers as texts. */
export interface Situation {
  ownerships: Record<string, number>;
  /** By role: `[kind, zone]`. */
  units: Record<string, [number, number][]>;
  /** By role: `[kind, zone, origin of the attack or 0]`. */
  dislodged_ones: Record<string, [number, number, number][]>;
  fake_units: Record<string, [number, number][]>;
  forbiddens: number[];
}

export type Outcome = 'succeeds' | 'bounces' | 'cut' | 'void' | 'disrupted' | 'no-convoy' | 'illegal';
export type Mark = 'dislodged' | 'paradox' | 'by_default' | 'disbanded';

/** What became of an order. */
export interface Verdict {
  order: Order;
  outcome: Outcome;
  marks: Mark[];
  reason: { code: string; parts: Record<string, number> } | null;
}

/** A phase that was resolved. */
export interface Played {
  advancement: number;
  before: Situation;
  verdicts: Verdict[];
  /** `[role, kind, zone]` of units that went off the board without an order to. */
  destroyed: [number, number, number][];
}

export interface RoleView {
  seat: number;
  centres: number;
  units: number;
  /** Whether orders are waited for. */
  owes: boolean;
  /** Whether they are final; null where that is nobody else's business. */
  in: boolean | null;
}

/** The view of a seat. */
export interface DiplomacyView {
  variant: string;
  advancement: number;
  year: number;
  season: number;
  situation: Situation;
  victory: number;
  cycles: number;
  choices: 'DATC' | 'AFJD';
  deadline: number | null;
  /** The master has stopped the clock. */
  paused?: boolean;
  /** While it is stopped: the milliseconds that this phase has left, null where it has no deadline. */
  left?: number | null;
  /** Whether the last adjudication can be taken back. */
  may_undo?: boolean;
  overdue: boolean;
  late: number[];
  disorder: number[];
  roles: Record<string, RoleView>;
  you: number | null;
  /** Sealed orders of one's own roles (the master: of all). */
  orders: Record<string, Order[]>;
  /** Those of them whose sealed orders are the master's. */
  corrected?: number[];
  votes: number[];
  gone: number[];
  last: Played | null;
  earlier: Played[];
  ended: string | null;
  winner: number | null;
}

/** What a seat may do. */
export interface DiplomacyLegal {
  /** By role: legal orders by the zone of the unit or the region to build in; `most` counts adjustments. */
  submit?: Record<string, { most: number | null; orders: Record<string, Order[]> }>;
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
  situation: Situation;
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
export function unitsByRegion(map: GameMap, situation: Situation, dislodged = false): Map<number, StandingUnit> {
  const table: Record<string, number[][]> = dislodged ? situation.dislodged_ones : situation.units;
  const found = new Map<number, StandingUnit>();
  for (const [role, units] of Object.entries(table))
    for (const [kind, zone] of units) found.set(regionOf(map, zone!), { role: Number(role), kind: kind!, zone: zone! });
  return found;
}

/** The position with the units that are ordered to be built. */
export function withBuilds(situation: Situation, drawn: readonly Drawn[]): Situation {
  const builds = drawn.filter(({ order }) => order[1] === Act.build);
  if (!builds.length) return situation;
  const units = { ...situation.units };
  for (const { order: [role, , zone, , , , kind] } of builds) units[role] = [...(units[role] ?? []), [kind, zone]];
  return { ...situation, units };
}
