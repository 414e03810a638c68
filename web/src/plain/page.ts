/** The page of a game that brings none: a board made from what its rules answer, and the words of the game. */

import type { GamePage } from '../games/page';
import { house } from '../house/house.svelte';

export function plainPage(game: string): GamePage {
  return {
    picture: () => import('./Picture.svelte'),
    board: () => import('./Board.svelte'),
    rules: () => import('./Rules.svelte'),
    /** The first variant, and as many of its weakest robots as are needed to begin. */
    get atOnce() {
      const first = house.variants.find((each) => each.game === game);
      const strength = first?.robots[0];
      const missing = Math.max(1, (first?.seats_least ?? 1) - 1);
      return { variant: first?.variant ?? '', options: {}, robots: strength ? Array<string>(missing).fill(strength) : [] };
    },
  };
}
