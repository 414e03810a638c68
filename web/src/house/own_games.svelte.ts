/** One's own games as the house tells them: what waits for one, what one is invited to, what ended meanwhile. */

import { language } from '../words/catalogue.svelte';
import { live } from './live.svelte';
import { session } from './session.svelte';
import type { OwnGames } from './types';

class Kept {
  /** Null until the house has told. */
  own = $state.raw<OwnGames | null>(null);
  #account: number | null = null;

  /** How many games wait for oneself. */
  get waiting(): number {
    return this.own?.waiting ?? 0;
  }

  /** Listen for whoever is signed in, in the language of the page; gives back the function that ends it. */
  start(): () => void {
    const account = session.me?.account ?? null;
    if (account !== this.#account) this.own = null;
    this.#account = account;
    if (account === null) return () => {};
    const spoken = language();
    return live.listen({
      topic: () => ({ topic: 'own_games', language: spoken }),
      hear: (message) => {
        if (message.type === 'own_games') this.own = message.own;
      },
    });
  }
}

export const ownGames = new Kept();
