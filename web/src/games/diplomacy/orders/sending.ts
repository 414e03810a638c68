/** Orders on their way to the house, and texts that it reads. */

import { post } from '../../../house/api';
import { language } from '../../../words/catalogue.svelte';
import { regionOf } from '../model';
import type { Order } from '../types';
import type { Draft } from './draft.svelte';

interface ReadLine {
  text: string;
  order: Order | null;
  fault: string | null;
}

/** As an action takes them: whether by convoy is yes or no there. */
export function submitted(orders: readonly Order[]): unknown[] {
  return orders.map((order) => order.map((number, at) => (at === 5 ? Boolean(number) : number)));
}

/** Numbers only, as the page keeps them. */
export function received(order: readonly unknown[]): Order {
  return order.map(Number) as Order;
}

export interface Reading {
  read: number;
  faults: string[];
  /** What could not be read, to be mended. */
  left: string;
}

/** What a text says in this position; a fault is told at its unit where it has one. */
export async function readInto(draft: Draft, text: string): Promise<Reading> {
  const answer = await post<{ lines: ReadLine[] }>(`/games/diplomacy/${draft.map.variant}/reading`, {
    advancement: draft.advancement,
    situation: draft.situation,
    role: draft.role,
    text,
    language: language(),
  });
  const faults: string[] = [];
  const left: string[] = [];
  let read = 0;
  for (const line of answer.lines) {
    const order = line.order ? received(line.order) : null;
    if (order && !line.fault) {
      draft.set(order);
      read++;
      continue;
    }
    const fault = line.fault ?? line.text;
    const region = order ? regionOf(draft.map, order[2]) : null;
    if (region !== null && draft.legalOf(region).length) draft.fault(region, fault);
    faults.push(fault);
    left.push(line.text);
  }
  return { read, faults, left: left.join('\n') };
}
