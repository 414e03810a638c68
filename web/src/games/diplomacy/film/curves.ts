/** How the powers look in the curves under a film. */

import type { CurveLook } from '../../page';
import { coloursOf } from '../map/colours';
import { loadMap } from '../map/maps.svelte';
import { powerName } from '../map/places';

export async function curvesOf(variant: string): Promise<Record<number, CurveLook>> {
  const map = await loadMap(variant);
  return Object.fromEntries(
    map.powers.map((power) => [
      power.role,
      { name: powerName(map, power.role), colour: coloursOf(power).deep, letter: power.letter },
    ]),
  );
}
