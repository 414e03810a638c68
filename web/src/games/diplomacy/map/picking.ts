/** Which lit zone somebody meant. */

import type { GameMap } from '../../../house/types';
import { regionOf } from '../model';
import { regionAt, standing, type Spot } from './places';

const ROUND = 16;
/** Directions in which a region is looked for about a finger. */

/** Regions that can be picked, each with those of its coasts that can. */
export function litRegions(map: GameMap, lit: readonly number[]): Map<number, number[]> {
  const found = new Map<number, number[]>();
  for (const zone of lit) {
    const region = regionOf(map, zone);
    const coasts = found.get(region) ?? [];
    if (zone !== region) coasts.push(zone);
    found.set(region, coasts);
  }
  return found;
}

/** The zone of a region that is meant by a point in it: a coast where only coasts are lit, or close to one. */
export function meant(map: GameMap, lit: readonly number[], region: number, point: Spot, close: number): number {
  const coasts = litRegions(map, lit).get(region) ?? [];
  if (!coasts.length) return region;
  const far = (zone: number): number => {
    const place = standing(map, zone);
    return Math.hypot(place.x - point.x, place.y - point.y);
  };
  const nearest = coasts.reduce((best, zone) => (far(zone) < far(best) ? zone : best));
  return lit.includes(region) && far(nearest) > close ? region : nearest;
}

/** The lit region at a point or, within so many units of the map, the nearest one. */
export function litNear(
  outlines: ReadonlyMap<number, SVGGeometryElement>,
  point: Spot,
  reach: number,
): number | null {
  const holds = (x: number, y: number): number | null => {
    const looked = new DOMPoint(x, y);
    for (const [region, outline] of outlines) if (outline.isPointInFill(looked)) return region;
    return null;
  };
  const here = holds(point.x, point.y);
  if (here !== null || !reach) return here;
  for (const part of [0.25, 0.5, 0.75, 1])
    for (let step = 0; step < ROUND; step++) {
      const angle = (step / ROUND) * 2 * Math.PI;
      const found = holds(point.x + Math.cos(angle) * reach * part, point.y + Math.sin(angle) * reach * part);
      if (found !== null) return found;
    }
  return null;
}

/** Lit zones in the order of the keyboard: round what is chosen, clockwise from north; otherwise as one reads. */
export function inOrder(map: GameMap, lit: readonly number[], chosen: readonly number[]): number[] {
  const middle = chosen.length ? standing(map, chosen[0]!) : null;
  const place = (zone: number): Spot => standing(map, zone);
  const rank = middle
    ? (zone: number): number => {
        const { x, y } = place(zone);
        return (Math.atan2(x - middle.x, middle.y - y) + 2 * Math.PI) % (2 * Math.PI);
      }
    : (zone: number): number => Math.floor(place(zone).y / (map.height / 8)) * map.width + place(zone).x;
  return [...lit].sort((a, b) => rank(a) - rank(b));
}

/** Whether the map has such a zone. */
export function isKnown(map: GameMap, zone: number): boolean {
  return regionAt(map, regionOf(map, zone)) !== undefined;
}
