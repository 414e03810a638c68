/** « Et si… »: one's orders against supposed ones, resolved by the house and kept nowhere. */

import { post } from '../../../house/api';
import { sentence } from '../../../shell/toasts.svelte';
import type { GameMap } from '../../../house/types';
import { language } from '../../../words/catalogue.svelte';
import type { Drawn } from '../model';
import type { DiplomacyView, Order, PlayedView, SituationView, VerdictView } from '../types';
import { Draft, type LegalSet } from './draft.svelte';
import { received } from './sending';

interface Resolved {
  played: PlayedView;
  explanations: (string | null)[];
  situation: SituationView;
}

const PAUSE = 150;

export interface Line {
  order: Order;
  text: string;
  isDone: boolean;
  isByDefault: boolean;
  why: string;
}

export class Trial {
  draft = $state.raw<Draft>() as Draft;
  result = $state.raw<Resolved | null>(null);
  trouble = $state('');
  isBusy = $state(false);

  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;

  private constructor(
    readonly map: GameMap,
    readonly view: DiplomacyView,
    readonly own: readonly Order[],
    readonly roles: readonly number[],
    legal: LegalSet,
  ) {
    this.draft = new Draft(map, view.situation, view.advancement, legal, null, () => this.#changed());
    this.draft.fill(own);
    void this.#resolve();
  }

  static async of(map: GameMap, view: DiplomacyView, own: readonly Order[], roles: readonly number[]): Promise<Trial> {
    const legal = await post<LegalSet>(`/games/diplomacy/${map.variant}/legal`, {
      advancement: view.advancement,
      situation: view.situation,
      role: null,
    });
    const orders = Object.fromEntries(
      Object.entries(legal.orders).map(([zone, found]) => [zone, found.map(received)]),
    );
    return new Trial(map, view, own, roles, { orders, most: legal.most ?? {} });
  }

  /** As at the beginning: one's own orders, nothing supposed. */
  again(): void {
    this.draft.fill(this.own);
    this.#changed();
  }

  #changed(): void {
    this.isBusy = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#resolve(), PAUSE);
  }

  async #resolve(): Promise<void> {
    const asked = ++this.#asked;
    this.isBusy = true;
    try {
      const result = await post<Resolved>(`/games/diplomacy/${this.map.variant}/resolution`, {
        advancement: this.view.advancement,
        situation: this.view.situation,
        orders: this.draft.orders,
        choices: this.view.choices,
        language: language(),
      });
      if (asked !== this.#asked) return;
      this.result = result;
      this.trouble = '';
    } catch (error) {
      if (asked === this.#asked) this.trouble = sentence(error);
    }
    if (asked === this.#asked) this.isBusy = false;
  }

  /** Every order that was given, one's own first, and what became of it; holds by default only where they fall. */
  readonly lines: Line[] = $derived.by(() => {
    const result = this.result;
    if (!result) return [];
    return result.played.verdicts
      .map((verdict, at) => ({ verdict, why: result.explanations[at] ?? '' }))
      .filter(({ verdict }) => !verdict.marks.includes('by_default') || verdict.marks.includes('dislodged'))
      .map(({ verdict, why }) => ({
        order: received(verdict.order),
        text: this.draft.notation.write(verdict.order),
        isDone: isDone(verdict),
        isByDefault: verdict.marks.includes('by_default'),
        why,
      }))
      .sort((one, other) => Number(this.#isOwn(other.order)) - Number(this.#isOwn(one.order)) || one.order[0] - other.order[0]);
  });

  #isOwn(order: Order): boolean {
    return this.roles.includes(order[0]);
  }

  readonly drawn: Drawn[] = $derived.by(() => {
    if (!this.result || this.isBusy)
      return this.draft.orders.map((order) => this.draft.draw(order, this.#isOwn(order) ? 'ordered' : 'assumed'));
    return this.lines.map(({ order, isDone: done }) => this.draft.draw(order, done ? 'done' : 'failed'));
  });
}

function isDone(verdict: VerdictView): boolean {
  return verdict.outcome === 'succeeds' && !verdict.marks.includes('dislodged');
}
