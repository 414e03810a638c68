/** What one tries in the sandbox: phases in a row, each with its position, its orders and what came of them. */

import { post } from '../../../house/api';
import type { GameMap, Resolved } from '../../../house/types';
import { sentence } from '../../../shell/toasts.svelte';
import { language } from '../../../words/catalogue.svelte';
import type { Order, PlayedView, SituationView } from '../types';
import { Draft, type LegalSet } from '../orders/draft.svelte';
import type { Season } from '../seasons/book.svelte';
import type { Choices, Problem } from './link';

interface Step {
  advancement: number;
  situation: SituationView;
  orders: Order[];
  result: Resolved | null;
}

export type Part = 'position' | 'orders' | 'result';

export class Bench {
  #steps = $state.raw<Step[]>([]);
  #at = $state(0);
  choices = $state<Choices>('DATC');
  part = $state<Part>('orders');
  draft = $state.raw<Draft | null>(null);
  /** Why the orders cannot be written: the position is none, or the house does not answer. */
  trouble = $state('');
  isBusy = $state(false);
  /** Whether anything was changed since the bench was set up. */
  isTouched = $state(false);
  #asked = 0;

  constructor(
    readonly map: GameMap,
    /** The year of the first phase. */
    readonly firstYear: number,
    private readonly start: Problem,
  ) {
    this.choices = start.choices;
    this.#steps = [{ ...start, result: null }];
    void this.#open();
  }

  readonly step: Step = $derived.by(() => this.#steps[this.#at]!);
  readonly isFirst: boolean = $derived(this.#at === 0);
  readonly isLast: boolean = $derived(this.#at === this.#steps.length - 1);
  readonly count: number = $derived(this.#steps.length);
  readonly place: number = $derived(this.#at + 1);

  yearOf(advancement: number): number {
    return this.firstYear + Math.floor(advancement / 5);
  }

  /** All of it, for a link. */
  readonly problem: Problem = $derived.by(() => ({
    variant: this.map.variant,
    choices: this.choices,
    advancement: this.step.advancement,
    situation: this.step.situation,
    orders: this.step.orders,
  }));

  /** What came of the phase, in the form in which seasons are shown. */
  readonly season: Season | null = $derived.by(() => {
    const { result, advancement } = this.step;
    if (!result) return null;
    return {
      ...(result.played as PlayedView),
      number: this.#at + 1,
      kind: 'adjudicated',
      year: this.yearOf(advancement),
      season: advancement % 5,
      name: '',
      at: 0,
      taken_back: false,
      after: result.after as SituationView,
      explanations: result.explanations,
      report: result.report,
      lines: result.lines,
    };
  });

  // --- changes -----------------------------------------------------------------------------------------

  /** Another position or phase; what came of it before, and after it, is no longer true. */
  setPosition(situation: SituationView, advancement: number): void {
    this.#replace({ situation, advancement, orders: [], result: null });
    this.draft = null;
    this.#asked++;
  }

  setChoices(choices: Choices): void {
    this.choices = choices;
    this.#replace({ ...this.step, result: null });
    if (this.part === 'result') void this.resolve();
  }

  #replace(step: Step): void {
    this.isTouched = true;
    this.#steps = [...this.#steps.slice(0, this.#at), step];
  }

  show(part: Part): void {
    if (part === 'result' && !this.step.result) return;
    this.part = part;
    if (part === 'orders' && !this.draft) void this.#open();
  }

  /** Legal orders of the position as it is now, and those that were written before among them. */
  async #open(): Promise<void> {
    const asked = ++this.#asked;
    const { situation, advancement, orders } = this.step;
    this.trouble = '';
    try {
      const legal = await post<LegalSet>(`/games/diplomacy/${this.map.variant}/legal`, { situation, advancement, role: null });
      if (asked !== this.#asked) return;
      const draft = new Draft(this.map, situation, advancement, legal, null, () => this.#written());
      draft.fill(orders);
      this.draft = draft;
    } catch (error) {
      if (asked === this.#asked) this.trouble = sentence(error);
    }
  }

  #written(): void {
    if (this.draft) this.#replace({ ...this.step, orders: this.draft.orders, result: null });
  }

  async resolve(): Promise<boolean> {
    const step = this.step;
    const orders = this.draft?.orders ?? step.orders;
    this.isBusy = true;
    this.trouble = '';
    try {
      const result = await post<Resolved>(`/games/diplomacy/${this.map.variant}/resolution`, {
        advancement: step.advancement,
        situation: step.situation,
        orders,
        choices: this.choices,
        language: language(),
      });
      if (this.step !== step) return false;
      this.#steps = this.#steps.map((each) => (each === step ? { ...step, orders, result } : each));
      this.part = 'result';
      return true;
    } catch (error) {
      this.trouble = sentence(error);
      return false;
    } finally {
      this.isBusy = false;
    }
  }

  /** On to the next phase in which somebody has something to order. */
  goOn(): void {
    const { result } = this.step;
    if (!result) return;
    if (this.isLast) {
      const next = { advancement: result.advancement, situation: result.situation as SituationView, orders: [], result: null };
      this.#steps = [...this.#steps, next];
    }
    this.go(1);
  }

  go(by: number): void {
    const to = this.#at + by;
    if (to < 0 || to >= this.#steps.length) return;
    this.isTouched = true;
    this.#at = to;
    this.draft = null;
    this.part = this.step.result ? 'result' : 'orders';
    void this.#open();
  }

  /** As it was opened. */
  reset(): void {
    this.choices = this.start.choices;
    this.#steps = [{ ...this.start, result: null }];
    this.#at = 0;
    this.draft = null;
    this.part = 'orders';
    this.isTouched = true;
    void this.#open();
  }

  /** An empty board, in the same phase. */
  clear(): void {
    this.setPosition({ ownerships: {}, units: {}, dislodged_ones: {}, fake_units: {}, forbiddens: [] }, this.step.advancement);
  }
}
