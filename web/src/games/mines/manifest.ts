/** Minesweeper, as the page shows it. */

import type { GamePage } from '../page';
import { squareName } from './names';

export const manifest: GamePage = {
  picture: () => import('./Picture.svelte'),
  tabletop: () => import('./Tabletop.svelte'),
  colours: () => import('./Colours.svelte'),
  board: () => import('./Board.svelte'),
  rules: () => import('./Rules.svelte'),
  atOnce: { variant: 'classic', options: {}, robots: ['novice'] },
  presets: () => import('./presets'),
  line: (fact): Record<string, string> =>
    'x' in fact && 'y' in fact ? { square: squareName(Number(fact.x), Number(fact.y)) } : {},
  scores: (view: { players: Record<string, { points: number }> }) =>
    Object.fromEntries(Object.entries(view.players).map(([seat, player]) => [Number(seat), player.points])),
  hasTurns: false,
  canTakeOver: false,
};
