/** The maps of the variants, each asked for once. */

import { SvelteMap } from 'svelte/reactivity';
import { get } from '../../../house/api';
import type { GameMap } from '../../../house/types';

const asked = new Map<string, Promise<GameMap>>();
const loaded = new SvelteMap<string, GameMap>();

/** The map of a variant, drawn or laid out by the house; a failure is not remembered. */
export function loadMap(variant: string): Promise<GameMap> {
  let found = asked.get(variant);
  if (!found) {
    found = get<GameMap>(`/games/diplomacy/${encodeURIComponent(variant)}/map`);
    asked.set(variant, found);
    found.then(
      (map) => loaded.set(variant, map),
      () => asked.delete(variant),
    );
  }
  return found;
}

/** A map that has been loaded; undefined until then, and seen when it comes. */
export function mapNow(variant: string): GameMap | undefined {
  return loaded.get(variant);
}
