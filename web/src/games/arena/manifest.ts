/** The arena, as the page shows it. */

import { catalogue } from '../../words/catalogue.svelte';
import type { GamePage } from '../page';
import { line } from './names';

const words = catalogue({
  fr: {
    workshop: 'Atelier des arènes',
  },
  en: {
    workshop: 'Arena workshop',
  },
});

export const manifest: GamePage = {
  picture: () => import('./Picture.svelte'),
  board: () => import('./Board.svelte'),
  before: () => import('./Before.svelte'),
  rules: () => import('./Rules.svelte'),
  routes: [{ name: 'arena-editor', pattern: '/arena/editor', load: () => import('./editor/EditorScreen.svelte') }],
  sandbox: { path: '/arena/editor', name: () => words('workshop') },
  presets: () => import('./presets'),
  options: () => import('./Options.svelte'),
  // A robot is patient: who is new here reads and tries as long as he likes.
  atOnce: { variant: 'standard', options: {}, robots: Array<string>(3).fill('greedy'), seats: 4, time: { kind: 'none' } },
  // Whoever waits, at whatever door, waits in one queue.
  together: {},
  usualTime: { kind: 'move', seconds: 90 },
  line,
  isWide: true,
  endsOnBoard: true,
  showsClocks: true,
  // Every turn ends so: the next one's beginning says it.
  untold: ['turn_ended', 'refilled'],
};
