/** Diplomacy, as the page shows it. */

import { catalogue } from '../../words/catalogue.svelte';
import type { GamePage } from '../page';
import { signs } from './signs';

const words = catalogue({
  fr: {
    sandbox: 'Bac à sable',
  },
  en: {
    sandbox: 'Sandbox',
  },
});

export const manifest: GamePage = {
  picture: () => import('./Picture.svelte'),
  tally: () => import('./Tally.svelte'),
  board: () => import('./Board.svelte'),
  film: () => import('./film/FilmBoard.svelte'),
  curves: async ({ variant }: { variant: string }) => (await import('./film/curves')).curvesOf(variant),
  rules: () => import('./Rules.svelte'),
  routes: [{ name: 'sandbox', pattern: '/sandbox', load: () => import('./sandbox/SandboxScreen.svelte') }],
  sandbox: { path: '/sandbox', name: () => words('sandbox') },
  atOnce: { variant: 'standard', options: {}, robots: Array<string>(6).fill('strategist') },
  presets: () => import('./presets'),
  options: () => import('./Options.svelte'),
  before: () => import('./master/Opening.svelte'),
  hasChat: false,
  hasOwnPace: true,
  // As the French clubs play by correspondence.
  mastered: {
    options: {
      choices: 'AFJD',
      sharing: 'none',
      calendar: true,
      weekends: false,
      disorder_moves: false,
      disorder_builds: false,
    },
  },
  isWide: true,
  endsOnBoard: true,
  signs,
  // Saved with every change: the list of orders shows it.
  untold: ['saved'],
  scores: (view: { roles: Record<string, { seat: number; centres: number }> }) => {
    const centres: Record<number, number> = {};
    for (const { seat, centres: owned } of Object.values(view.roles)) centres[seat] = (centres[seat] ?? 0) + owned;
    return centres;
  },
  roles: (view: { roles: Record<string, { seat: number }> }) => {
    const roles: Record<number, number[]> = {};
    for (const [role, { seat }] of Object.entries(view.roles)) (roles[seat] ??= []).push(Number(role));
    return roles;
  },
};
