/** What the house says of the text on the desk: all faults at once, or the games that are in it. */

import { post } from '../../../house/api';
import type { ArenaFault, ArenaGame, CheckedArena } from '../../../house/types';
import { sentence } from '../../../shell/toasts.svelte';

/** A hand that writes is not interrupted: the question waits until it rests. */
const REST = 350;

export class Check {
  faults = $state.raw<ArenaFault[]>([]);
  /** What is left aside, though nothing forbids it. */
  warnings = $state.raw<ArenaFault[]>([]);
  /** The games of the last text without faults. */
  games = $state.raw<ArenaGame[]>([]);
  /** The text that the answer is about; null before the first. */
  of = $state.raw<string | null>(null);
  /** Why the house could not say. */
  trouble = $state('');
  #asked = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  ask(text: string): void {
    clearTimeout(this.#timer);
    const asked = ++this.#asked;
    this.#timer = setTimeout(() => void this.#ask(asked, text), this.of === null ? 0 : REST);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#asked += 1;
  }

  async #ask(asked: number, text: string): Promise<void> {
    try {
      const { faults, warnings, games } = await post<CheckedArena>('/arena/check', { text });
      if (asked !== this.#asked) return;
      [this.faults, this.warnings] = [faults, warnings];
      if (games.length) this.games = games;
      [this.of, this.trouble] = [text, ''];
    } catch (error) {
      if (asked === this.#asked) this.trouble = sentence(error);
    }
  }
}
