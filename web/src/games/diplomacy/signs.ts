/** The colour and the letter of the power that a seat plays, for wherever its player is named. */

import type { SeatLook } from '../../shell/seats';
import { coloursOf } from './map/colours';
import { mapNow } from './map/maps.svelte';
import { allRoles } from './roles';
import type { DiplomacyView } from './types';

export function signs(view: DiplomacyView): Record<number, SeatLook> {
  const powers = mapNow(view.variant)?.powers ?? [];
  const looks: Record<number, SeatLook> = {};
  // Who plays several powers has the sign of the first.
  for (const role of allRoles(view).reverse()) {
    const power = powers.find((each) => each.role === role);
    if (!power) continue;
    const { own, isPale } = coloursOf(power);
    looks[view.roles[role]!.seat] = { colour: own, text: power.letter, isRound: true, isLight: isPale };
  }
  return looks;
}
