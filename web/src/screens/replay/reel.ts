/** A game from its first step to its last: pages of steps are fetched when they are looked at, views are kept. */

import { get } from '../../house/api';
import { merged } from '../../house/merge';
import type { Fact, Told } from '../../house/table.svelte';
import type { Steps } from '../../house/types';

const PAGE = 100;

interface Stretch {
  steps: Told[];
  /** The view before the first step, and then after each of them, as far as they were needed. */
  views: unknown[];
  patches: unknown[];
}

export interface Frame {
  step: number;
  view: unknown;
  /** What the step told; null before the first. */
  told: Told | null;
}

export class Reel {
  /** How many steps there are, as far as is known. */
  total = 0;
  #stretches = new Map<number, Promise<Stretch>>();

  constructor(
    readonly table: number,
    readonly invitation: string | null,
    readonly viewpoint: 'seat' | 'spectator',
  ) {}

  /** The game has so many steps by now. */
  grow(total: number): void {
    // The last stretch may have grown since it was fetched.
    if (total !== this.total) this.#stretches.delete(Math.floor(Math.max(0, this.total - 1) / PAGE));
    this.total = total;
  }

  /** The game after a step; step 0 is before the first. Null where nothing was to be seen yet. */
  async at(step: number): Promise<Frame | null> {
    const number = Math.floor(Math.max(0, step - 1) / PAGE);
    const stretch = await this.#stretch(number);
    const within = step - number * PAGE;
    for (let i = stretch.views.length; i <= within && i <= stretch.steps.length; i++) {
      stretch.views.push(merged(stretch.views[i - 1], stretch.patches[i - 1]));
    }
    const view = stretch.views[within];
    if (view === undefined || Object.keys(view as object).length === 0) return null;
    return { step, view, told: within === 0 ? null : stretch.steps[within - 1]! };
  }

  #stretch(number: number): Promise<Stretch> {
    const known = this.#stretches.get(number);
    if (known) return known;
    const asked = this.#fetch(number);
    this.#stretches.set(number, asked);
    // What could not be fetched is asked for again the next time.
    asked.catch(() => this.#stretches.delete(number));
    return asked;
  }

  async #fetch(number: number): Promise<Stretch> {
    const found = await get<Steps>(`/tables/${this.table}/history`, {
      after: number * PAGE, limit: PAGE, as: this.viewpoint, invitation: this.invitation,
    });
    return {
      steps: found.steps.map((step) => ({ version: step.version, at: step.at, facts: step.facts as Fact[] })),
      patches: found.steps.map((step) => step.patch),
      views: [found.view],
    };
  }
}
