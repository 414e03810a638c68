/** How a board ended. */

import type { BoardEnd } from './tournament.svelte';

/** Of a board for two, a mark for each: what an organiser has said, or who came before the other. */
export function marksOf(end: BoardEnd): string[] {
  if (end.marks?.length) return end.marks;
  const [one = 1, other = 1] = end.ranks ?? [];
  return one === other ? ['=', '='] : one < other ? ['1', '0'] : ['0', '1'];
}
