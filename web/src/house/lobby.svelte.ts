/** The open and running tables of the house, as they change. */

import { live } from './live.svelte';
import type { TableInfo } from './types';

export class LobbyTables {
  /** In the order of the house; null until it has told. */
  tables = $state.raw<TableInfo[] | null>(null);

  /** Keep the list true until the function that is given back is called. */
  start(): () => void {
    return live.listen({
      topic: () => ({ topic: 'lobby' }),
      hear: (message) => {
        if (message.type === 'lobby') this.tables = message.tables;
        else if (message.type === 'lobby_table') this.#put(message.info);
        else if (message.type === 'lobby_gone') this.#take(message.table);
      },
    });
  }

  #put(info: TableInfo): void {
    const others = (this.tables ?? []).filter((table) => table.id !== info.id);
    this.tables = [...others, info].sort((one, other) => groupOf(one) - groupOf(other) || other.id - one.id);
  }

  #take(id: number): void {
    this.tables = (this.tables ?? []).filter((table) => table.id !== id);
  }
}

/** Whether this account has a seat there that it has not given up. */
export function sitsAt(info: TableInfo, account: number | undefined): boolean {
  return account !== undefined && info.seats.some((seat) => seat.account === account && !seat.left);
}

export function freeSeats(info: TableInfo): number {
  return Math.max(0, info.seats_most - info.seats.length);
}

/** Who is not there yet can sit down: before the game, or in it where it begins with nobody. */
export function canJoin(info: TableInfo): boolean {
  if (freeSeats(info) === 0) return false;
  return info.status === 'open' || (info.status === 'running' && info.seats_least === 0);
}

/** The places of a table in the lobby, in their order. */
export const JOINABLE = 0;
export const PEOPLE = 1;
export const ROBOTS = 2;

/** Where the lobby lists a table: what can be joined first, then games with people, then robots alone. */
export function groupOf(info: TableInfo): number {
  if (canJoin(info)) return JOINABLE;
  return info.seats.some((seat) => !seat.robot && !seat.left) ? PEOPLE : ROBOTS;
}

/** How a time control is told apart; its fields are those of the kind. */
export type TimeControl =
  | { kind: 'none' }
  | { kind: 'move'; seconds: number }
  | { kind: 'budget'; seconds: number; increment?: number; turn?: number | null }
  | { kind: 'days'; days: number; weekends?: boolean; zone?: string; grace?: number };
