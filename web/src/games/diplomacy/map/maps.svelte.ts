/** The maps of the variants, each asked for once. */

import { get } from '../../../house/api';
import type { GameMap } from '../../../house/types';

const asked = new Map<string, Promise<GameMap>>();

/** The map of a variant, drawn or laid out by the house; a failure is not remembered. */
export function loadMap(variant: string): Promise<GameMap> {
  let found = asked.get(variant);
  if (!found) {
    found = get<GameMap>(`/games/diplomacy/${encodeURIComponent(variant)}/map`);
    asked.set(variant, found);
    found.catch(() => asked.delete(variant));
  }
  return found;
}
