/** Where things are on a map. */

import type { GameMap, MapRegion } from '../../../house/types';
import type { SituationView } from '../types';
import type { Spot } from '../../../shell/drawing/camera.svelte';
import { language } from '../../../words/catalogue.svelte';

export type { Spot };

interface Known {
  regions: Map<number, MapRegion>;
  stand: Map<number, Spot>;
  beside: Map<number, Spot>;
  /** The region of each centre, from centre 1. */
  centres: number[];
}

const known = new WeakMap<GameMap, Known>();

function lookup(map: GameMap): Known {
  let found = known.get(map);
  if (!found) {
    const standing = [...map.regions, ...map.coasts];
    found = {
      regions: new Map(map.regions.map((region) => [region.zone, region])),
      stand: new Map(standing.map(({ zone, unit: [x, y] }) => [zone, { x, y }])),
      beside: new Map(standing.map(({ zone, dislodged: [x, y] }) => [zone, { x, y }])),
      centres: map.regions.filter((region) => region.centre).map((region) => region.zone),
    };
    known.set(map, found);
  }
  return found;
}

const NOWHERE: Spot = { x: 0, y: 0 };

/** Where a unit stands in a zone. */
export function standing(map: GameMap, zone: number): Spot {
  return lookup(map).stand.get(zone) ?? NOWHERE;
}

/** Where a dislodged unit is drawn, beside the one that took its place. */
export function besides(map: GameMap, zone: number): Spot {
  return lookup(map).beside.get(zone) ?? NOWHERE;
}

export function regionAt(map: GameMap, region: number): MapRegion | undefined {
  return lookup(map).regions.get(region);
}

const BESIDE = 34;

/** Whether the mark of a centre is so close to the place of the unit that it makes room for it. */
export function isMarkBeside({ centre, unit }: MapRegion): boolean {
  return centre !== null && Math.hypot(centre[0] - unit[0], centre[1] - unit[1]) < BESIDE;
}

/** The region of a centre, by the number of the centre. */
function centreRegion(map: GameMap, centre: number): number | undefined {
  return lookup(map).centres[centre - 1];
}

/** Who owns the centre of each region. */
export function ownersByRegion(map: GameMap, situation: SituationView): Map<number, number> {
  const owners = new Map<number, number>();
  for (const [centre, role] of Object.entries(situation.ownerships)) {
    const region = centreRegion(map, Number(centre));
    if (region !== undefined && role) owners.set(region, role);
  }
  return owners;
}

/** What a zone is called: « Espagne », and « Espagne (côte nord) » by its code where it is one of several coasts. */
export function zoneName(map: GameMap, zone: number): string {
  const spoken = language();
  const region = regionAt(map, zone);
  if (region) return region[spoken].text;
  const coast = map.coasts.find((each) => each.zone === zone);
  const of = coast && regionAt(map, coast.region);
  return coast && of ? `${of[spoken].text} (${coastName(coast.code)})` : String(zone);
}

const COASTS: Record<string, { fr: string; en: string }> = {
  nc: { fr: 'côte nord', en: 'north coast' },
  sc: { fr: 'côte sud', en: 'south coast' },
  ec: { fr: 'côte est', en: 'east coast' },
  wc: { fr: 'côte ouest', en: 'west coast' },
};

/** The side of a coast, from the end of its code. */
function coastName(code: string): string {
  return COASTS[code.slice(-2)]?.[language()] ?? code;
}

/** A power's name in the language of the page. */
export function powerName(map: GameMap, role: number): string {
  return map.powers.find((power) => power.role === role)?.[language()] ?? String(role);
}
