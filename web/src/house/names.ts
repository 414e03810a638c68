/** How people and robots are called at a table. */

import { house } from './house.svelte';
import { words } from './name_words';
import type { SeatInfo, TableInfo } from './types';

/** A robot by the game's own word for it, with its number where there are several; a person by name. */
export function seatName(info: Pick<TableInfo, 'game' | 'variant'>, seat: Pick<SeatInfo, 'name' | 'robot'>): string {
  if (!seat.robot) return seat.name || words('hidden');
  const key = `robot.${seat.robot}`;
  const name = house.word(info.game, info.variant, key);
  if (name === key) return seat.name;
  const number = /-(\d+)$/.exec(seat.name)?.[1];
  return number ? `${name} ${number}` : name;
}
