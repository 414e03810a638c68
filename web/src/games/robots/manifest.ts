/** The race of robots, as the page shows it. */

import { catalogue } from '../../words/catalogue.svelte';
import type { GamePage } from '../page';
import { signs } from './signs';

const words = catalogue({
  fr: {
    workshop: 'Atelier des plateaux',
  },
  en: {
    workshop: 'Board workshop',
  },
});

export const manifest: GamePage = {
  picture: () => import('./Picture.svelte'),
  board: () => import('./Board.svelte'),
  film: () => import('./FilmBoard.svelte'),
  rules: () => import('./Rules.svelte'),
  // A robot is patient: who is new here reads and tries as long as he likes.
  atOnce: { variant: 'race', options: { cartouche_seconds: 0, localization_seconds: 0 }, robots: ['apprentice'] },
  // Whoever waits, at whatever door, waits in one queue.
  together: {},
  routes: [{ name: 'robots-editor', pattern: '/robots/editor', load: () => import('./editor/EditorScreen.svelte') }],
  sandbox: { path: '/robots/editor', name: () => words('workshop') },
  presets: () => import('./presets'),
  options: () => import('./Options.svelte'),
  before: () => import('./Before.svelte'),
  hasOwnPace: true,
  isWide: true,
  endsOnBoard: true,
  signs,
  untold: ['register_played'],
  scores: (view: { robots: Record<string, { laws: number }> }) =>
    Object.fromEntries(Object.entries(view.robots).map(([seat, robot]) => [Number(seat), robot.laws])),
};
