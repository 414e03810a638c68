/** How long a round lasts on the screen. */

import type { Told } from '../../house/table.svelte';

/** A scene lasts so long at the usual speed; a long round is told faster, so that it does not eat the time to think. */
const SLOWEST = 600;
const FASTEST = 170;
const ROUND = 14_000;

export function lastsScene(scenes: number): number {
  return Math.min(SLOWEST, Math.max(FASTEST, ROUND / Math.max(1, scenes)));
}

/** In a replay: as long as the film of the round that was played in a step. */
export function roundLasts(told: Told): number {
  const groups = told.facts.flatMap((fact) =>
    fact.is === 'register_played' ? [new Set((fact.steps as { group: number }[]).map((step) => step.group)).size] : [],
  );
  const scenes = groups.reduce((sum, each) => sum + each, 0);
  return scenes ? lastsScene(scenes) * (scenes + 2) : 0;
}
