/** Other moves tried after the end: the house says what may be played, and what it would play itself. */

import type { Analysis } from '../../house/types';

export class Study {
  /** The position that is studied; null where none is. */
  found = $state.raw<Analysis | null>(null);
  isAsking = $state(false);
  /** The half-move of the game from which one tries, and what was tried. */
  ply = $state(0);
  tried = $state.raw<string[]>([]);
  #asked = 0;

  constructor(readonly ask: (ply: number, tried: string[]) => Promise<Analysis>) {}

  /** Study a position; of several questions only the last one is answered. */
  async show(ply: number, tried: string[] = []): Promise<void> {
    const number = ++this.#asked;
    this.isAsking = true;
    try {
      const found = await this.ask(ply, tried);
      if (number !== this.#asked) return;
      this.ply = ply;
      this.tried = tried;
      this.found = found;
    } finally {
      if (number === this.#asked) this.isAsking = false;
    }
  }

  close(): void {
    this.#asked++;
    this.isAsking = false;
    this.found = null;
    this.tried = [];
  }
}
