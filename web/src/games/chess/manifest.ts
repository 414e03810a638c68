/** Chess, as the page shows it. */

import { catalogue } from '../../words/catalogue.svelte';
import type { GamePage } from '../page';
import { line } from './notation';

const words = catalogue({
  fr: {
    white: 'les Blancs aux échecs',
  },
  en: {
    white: 'White in chess',
  },
});

export const manifest: GamePage = {
  picture: () => import('./Picture.svelte'),
  board: () => import('./Board.svelte'),
  rules: () => import('./Rules.svelte'),
  presets: () => import('./presets'),
  // A robot is patient: who is called away finds the game as it was.
  atOnce: { variant: 'classic', options: { sides: 'random', pace: 'days' }, robots: ['beginner'] },
  // Whoever waits, at whatever door, waits in one queue.
  together: {},
  usualTime: { kind: 'budget', seconds: 2700, increment: 0 },
  line,
  canTakeOver: false,
  firstSeat: () => words('white'),
  showsClocks: true,
  soundsMoves: true,
  isStop: (told) => told.facts.some((fact) => ['began', 'moved', 'taken_back', 'ended'].includes(fact.is)),
};
