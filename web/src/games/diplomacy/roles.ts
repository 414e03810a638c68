/** Roles of a game as people call them: the powers of its map, and its master (0). */

import type { GameMap, TableInfo } from '../../house/types';
import { language } from '../../words/catalogue.svelte';
import { words } from './role_words';
import type { DiplomacyView } from './types';

export const MASTER = 0;

export function roleName(map: GameMap, role: number): string {
  if (role === MASTER) return words('master');
  const power = map.powers.find((each) => each.role === role);
  return power ? power[language()] : words('role', { n: role });
}

/** The roles that a seat plays; the master's seat has the master's. */
export function rolesOf(view: DiplomacyView, seat: number | null): number[] {
  if (seat === null) return [];
  if (seat === MASTER) return [MASTER];
  return allRoles(view).filter((role) => view.roles[role]!.seat === seat);
}

export function allRoles(view: DiplomacyView): number[] {
  return Object.keys(view.roles).map(Number).sort((one, other) => one - other);
}

/** Who plays a role, where that may be known; empty where not, or where nobody does. */
export function playerOf(info: TableInfo, view: DiplomacyView, role: number): string {
  return info.seats.find((each) => each.seat === view.roles[role]?.seat)?.name ?? '';
}
