/** Every step of a round in a line of text, in the game's own words. */

import { house } from '../../house/house.svelte';
import { catalogue } from '../../words/catalogue.svelte';
import type { Azimuth } from './field/tiles';
import type { Step } from './types';
import type { Scene } from './timeline';

const words = catalogue({
  fr: {
    standby: '{robot} reste en veille.',
    swapped: 'Le plateau change sous les robots.',
    starts: 'Manche {round} : les robots se mettent en route.',
    North: 'le nord',
    East: 'l’est',
    South: 'le sud',
    West: 'l’ouest',
    place: '[{x}, {y}]',
  },
  en: {
    standby: '{robot} stands by.',
    swapped: 'The board changes under the robots.',
    starts: 'Round {round}: the robots set off.',
    North: 'north',
    East: 'east',
    South: 'south',
    West: 'west',
    place: '[{x}, {y}]',
  },
});

export function azimuthName(azimuth: Azimuth): string {
  return words(azimuth);
}

/** « [4, 5] »: a tile as the game's document writes it. */
export function placeName(x: number, y: number): string {
  return words('place', { x: String(x), y: String(y) });
}

function lineOf({ code, stage, x, y, energy }: Step, robot: string): string {
  // A register of Standby changes nothing yet; what it is worth is told at the end of the round.
  if (code === 'Enrichment_Standby' && stage !== 'end') return words('standby', { robot });
  return house.word('robots', null, `step.${code}`, { robot, x, y, energy });
}

/** What a scene shows, in lines. */
export function linesOf(scene: Scene, nameOf: (seat: number) => string): string[] {
  if (scene.stage === 'start') return [words('starts', { round: scene.round })];
  if (scene.stage === 'swap') return [words('swapped')];
  return scene.steps.map((step) => lineOf(step, nameOf(step.seat)));
}
