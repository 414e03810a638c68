/** Chess, as the page shows it. */

import { catalogue } from '../../words/catalogue.svelte';
import type { GamePage } from '../page';
import { line } from './notation';
import { signs } from './names';

const words = catalogue({
  fr: {
    study: 'Étudier une partie d’échecs',
  },
  en: {
    study: 'Study a game of chess',
  },
});

export const manifest: GamePage = {
  picture: () => import('./Picture.svelte'),
  board: () => import('./Board.svelte'),
  before: () => import('./Before.svelte'),
  rules: () => import('./Rules.svelte'),
  presets: () => import('./presets'),
  routes: [{ name: 'chess-study', pattern: '/chess/study', load: () => import('./ImportScreen.svelte') }],
  sandbox: { path: '/chess/study', name: () => words('study') },
  // A robot is patient: who is called away finds the game as it was.
  atOnce: { variant: 'classic', options: { sides: 'random', pace: 'days' }, robots: ['beginner'], time: { kind: 'none' } },
  // Whoever waits, at whatever door, waits in one queue.
  together: {},
  usualTime: { kind: 'budget', seconds: 2700, increment: 0 },
  line,
  canTakeOver: false,
  showsClocks: true,
  soundsMoves: true,
  endsOnBoard: true,
  signs,
};
