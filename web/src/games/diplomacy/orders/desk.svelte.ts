/** Where somebody writes the orders of his roles: each change is saved at once; a master's corrections when he says so. */

import { get, remove } from '../../../house/api';
import type { GameMap } from '../../../house/types';
import { toasts } from '../../../shell/toasts.svelte';
import type { DiplomacyLegal, Drawn } from '../model';
import type { DiplomacyView, Order } from '../types';
import { MASTER } from '../roles';
import { Draft, sameOrder, sameOrders } from './draft.svelte';
import { received, submitted } from './sending';
import { Trial } from './trial.svelte';
import { words } from './words';

export type Play = (action: Record<string, unknown>) => Promise<boolean>;
/** `changed` is what the house does not have yet, on the way to it or in a master's hand. */
export type State = 'empty' | 'saved' | 'changed' | 'final';

/** A draft of the house, from when orders were not saved as they were written. */
interface OldDraft {
  advancement: number;
  orders: Order[];
  text: string;
  at: number | null;
}

/** What this browser remembers itself, and whether the house has the orders too. */
interface KeptHere {
  advancement: number;
  orders: Order[];
  text: string;
  isSent: boolean;
}

const PAUSE = 250;

export class Desk {
  /** One's own roles, those that owe orders first. */
  roles = $state.raw<number[]>([]);
  role = $state<number | null>(null);
  drafts = $state.raw<Record<number, Draft>>({});
  /** What was typed and is no order yet, by role. */
  texts = $state<Record<number, string>>({});
  /** Orders that were drafted and never saved, by role: they count for nothing until they are taken. */
  suggestions = $state.raw<Record<number, Order[]>>({});
  saving = $state<'no' | 'saving' | 'saved' | 'mine' | 'refused'>('no');
  trial = $state.raw<Trial | null>(null);
  view = $state.raw<DiplomacyView>() as DiplomacyView;
  legal = $state.raw<DiplomacyLegal | null>(null);

  #position = '';
  /** What is on its way to the house; one after the other. */
  #sent: Promise<unknown> = Promise.resolve();
  #timers = new Map<number, ReturnType<typeof setTimeout>>();
  #flying = new Map<number, number>();

  constructor(
    readonly map: GameMap,
    readonly table: number,
    readonly play: () => Play | null,
  ) {}

  readonly draft: Draft | null = $derived(this.role === null ? null : (this.drafts[this.role] ?? null));
  readonly mayOrder: boolean = $derived(this.role !== null && this.legal?.submit?.[this.role] !== undefined);
  /** What the map shows and changes: the trial while there is one. */
  readonly shown: Draft | null = $derived(this.trial?.draft ?? (this.mayOrder ? this.draft : null));
  readonly sealed: Order[] | null = $derived(this.role === null ? null : (this.view.orders[this.role] ?? null));
  /** Whether these are the orders of others, which the master corrects. */
  readonly isMaster: boolean = $derived(this.legal?.adjudicate !== undefined);
  readonly isCorrected: boolean = $derived(this.role !== null && (this.view.corrected?.includes(this.role) ?? false));
  readonly isFinal: boolean = $derived(this.role !== null && this.#isFinal(this.role));
  readonly mayReconsider: boolean = $derived(this.role !== null && this.legal?.reconsider?.[this.role] !== undefined);

  readonly state: State = $derived.by(() => {
    if (this.isFinal && !this.mayOrder) return 'final';
    const orders = this.draft?.orders ?? [];
    if (!sameOrders(orders, this.sealed ?? [])) return 'changed';
    if (!this.sealed) return 'empty';
    return this.isFinal ? 'final' : 'saved';
  });

  /** Whether the deadline has passed without this role, and nobody has said yet that its orders are all there. */
  readonly isLate: boolean = $derived(
    this.role !== null && this.view.late.includes(this.role) && (!this.sealed || (this.view.writing ?? []).includes(this.role)),
  );

  /** The orders of all one's roles, as they are written. */
  readonly drawn: Drawn[] = $derived(this.roles.flatMap((role) => this.drafts[role]?.drawn ?? []));

  /** What a master has written and not given, and the other way round. */
  readonly differences: { added: Order[]; gone: Order[] } = $derived.by(() => {
    const orders = this.draft?.orders ?? [];
    const sealed = this.sealed ?? [];
    return {
      added: orders.filter((order) => !sealed.some((other) => sameOrder(order, other))),
      gone: sealed.filter((order) => !orders.some((other) => sameOrder(order, other))),
    };
  });

  /** Units that want an order before all is well, over every role: for the mark on the tab. */
  readonly undone: number = $derived(
    this.roles.filter((role) => this.legal?.submit?.[role] && !this.view.orders[role] && this.#isToGive(role)).length,
  );

  /** Exactly the removals owed must be given. */
  readonly removalsOwed: number = $derived.by(() => {
    const draft = this.draft;
    if (!draft?.isAdjustments || this.role === null || !draft.regions.length || draft.isBuild(draft.regions[0]!)) return 0;
    return draft.room(this.role) === 0 ? 0 : (draft.legal.most[this.role] ?? 0);
  });

  /** A master gives the orders of a role that has no player; he only corrects the others. */
  #isToGive(role: number): boolean {
    return !this.isMaster || this.view.roles[role]?.seat === MASTER;
  }

  #isFinal(role: number): boolean {
    return this.view.roles[role]?.owes === true && this.view.roles[role].in === true;
  }

  /** The table has changed: a new phase or position has new drafts, everything else keeps them. */
  follow(view: DiplomacyView, legal: DiplomacyLegal | null): void {
    const before = (this.view as DiplomacyView | undefined)?.orders ?? {};
    this.view = view;
    this.legal = legal;
    const open = Object.keys(legal?.submit ?? {}).map(Number);
    const own = Object.entries(view.roles)
      .filter(([, role]) => view.you !== null && role.seat === view.you)
      .map(([role]) => Number(role));
    const sealed = Object.keys(view.orders).map(Number);
    const roles = [...new Set([...open, ...sealed, ...own])];
    const position = JSON.stringify([view.advancement, view.situation]);
    const isNew = position !== this.#position;
    this.#position = position;
    if (isNew) {
      this.trial = null;
      this.#forget();
    }
    const drafts = isNew ? {} : { ...this.drafts };
    for (const role of roles) {
      const had = drafts[role];
      const submit = legal?.submit?.[role];
      if (had && (submit !== undefined) === had.regions.length > 0) {
        this.#followSealed(role, had, before[role] ?? []);
        continue;
      }
      drafts[role] = this.#made(role, had?.orders ?? null);
    }
    this.drafts = drafts;
    this.roles = roles.sort((one, other) => Number(open.includes(other)) - Number(open.includes(one)) || one - other);
    if (this.role === null || !roles.includes(this.role) || (isNew && !open.includes(this.role))) this.role = this.roles[0] ?? null;
  }

  /** Orders were sealed by somebody else, the master or oneself elsewhere: who is not writing just now follows. */
  #followSealed(role: number, draft: Draft, before: Order[]): void {
    const sealed = this.view.orders[role] ?? [];
    if (sameOrders(draft.orders, sealed)) return;
    const mayOrder = this.legal?.submit?.[role] !== undefined;
    if (mayOrder && (this.#isOnItsWay(role) || !sameOrders(draft.orders, before))) return;
    draft.fill(sealed, mayOrder);
    this.#dropHere(role);
  }

  #made(role: number, had: Order[] | null): Draft {
    const submit = this.legal?.submit?.[role];
    const { situation, advancement } = this.view;
    const most = submit?.most ?? null;
    const legal = { orders: submit?.orders ?? {}, most: most === null ? {} : { [role]: most } };
    const draft = new Draft(this.map, situation, advancement, legal, role, () => this.#changed(role));
    const sealed = this.view.orders[role];
    if (!submit) {
      draft.fill(sealed ?? [], false);
      return draft;
    }
    const here = this.#keptHere(role);
    const unsent = here && !here.isSent ? here.orders : null;
    draft.fill(had ?? unsent ?? sealed ?? []);
    this.texts[role] = here?.text ?? '';
    if (had) return draft;
    if (unsent) queueMicrotask(() => this.#changed(role));
    void this.#suggest(role, draft);
    return draft;
  }

  // --- keeping ---------------------------------------------------------------------------------------

  #key(role: number): string {
    return `tablee-orders-${this.table}-${role}`;
  }

  #keptHere(role: number): KeptHere | null {
    try {
      const kept = JSON.parse(localStorage.getItem(this.#key(role)) ?? 'null') as KeptHere | null;
      return kept?.advancement === this.view.advancement && Array.isArray(kept.orders) ? kept : null;
    } catch {
      return null;
    }
  }

  #keepHere(role: number, kept: KeptHere): void {
    try {
      localStorage.setItem(this.#key(role), JSON.stringify(kept));
    } catch {
      // A browser that keeps nothing: the house does.
    }
  }

  #dropHere(role: number): void {
    clearTimeout(this.#timers.get(role));
    this.#timers.delete(role);
    localStorage.removeItem(this.#key(role));
    this.saving = 'no';
  }

  /** A draft that the house has of before: it is offered, not taken. */
  async #suggest(role: number, draft: Draft): Promise<void> {
    if (!this.#isOwn(role)) return;
    try {
      const old = await get<OldDraft>(`/tables/${this.table}/drafts/${role}`);
      if (!old.at || old.advancement !== draft.advancement || this.drafts[role] !== draft) return;
      const orders = old.orders.map(received).filter((order) => draft.isLegal(order));
      if (old.text && !this.texts[role]) this.texts[role] = old.text;
      if (orders.length && !sameOrders(orders, draft.orders)) this.suggestions = { ...this.suggestions, [role]: orders };
    } catch {
      // There is none, or the house is out of reach.
    }
  }

  /** What was drafted becomes what is saved, or is thrown away. */
  settleSuggestion(role: number, isTaken: boolean): void {
    const orders = this.suggestions[role];
    const rest = { ...this.suggestions };
    delete rest[role];
    this.suggestions = rest;
    if (isTaken && orders && this.drafts[role]) {
      this.drafts[role].fill(orders);
      this.#changed(role);
    }
    void remove(`/tables/${this.table}/drafts/${role}`).catch(() => {});
  }

  /** Who plays a role saves as he writes; a master's corrections stay in his browser until he gives them. */
  #isOwn(role: number): boolean {
    return this.view.you !== null && this.view.roles[role]?.seat === this.view.you;
  }

  #isOnItsWay(role: number): boolean {
    return this.#timers.has(role) || (this.#flying.get(role) ?? 0) > 0;
  }

  type(role: number, text: string): void {
    if (this.texts[role] === text) return;
    this.texts[role] = text;
    const draft = this.drafts[role];
    if (draft) this.#keepHere(role, this.#kept(role, draft, !this.#isOnItsWay(role) && this.#isOwn(role)));
  }

  #changed(role: number): void {
    const draft = this.drafts[role];
    if (!draft) return;
    this.#keepHere(role, this.#kept(role, draft, false));
    if (!this.#isOwn(role)) {
      this.saving = 'mine';
      return;
    }
    this.saving = 'saving';
    clearTimeout(this.#timers.get(role));
    this.#timers.set(role, setTimeout(() => this.#save(role, draft), PAUSE));
  }

  #kept(role: number, draft: Draft, isSent: boolean): KeptHere {
    return { advancement: draft.advancement, orders: draft.orders, text: this.texts[role] ?? '', isSent };
  }

  #save(role: number, draft: Draft): void {
    clearTimeout(this.#timers.get(role));
    this.#timers.delete(role);
    // What was written for a phase that is over need not be kept any longer.
    if (this.drafts[role] !== draft) return;
    const action = { do: 'save', role, orders: submitted(draft.orders), meant_for: draft.advancement };
    void this.#give(role, action).then((isDone) => {
      if (this.drafts[role] !== draft || this.#isOnItsWay(role)) return;
      this.saving = isDone ? 'saved' : 'refused';
      if (isDone) this.#keepHere(role, this.#kept(role, draft, true));
    });
  }

  /** Play something about a role after all that is on its way. */
  #give(role: number, action: Record<string, unknown>): Promise<boolean> {
    this.#flying.set(role, (this.#flying.get(role) ?? 0) + 1);
    const played = this.#sent.then(() => this.play()?.(action) ?? false);
    this.#sent = played.catch(() => {});
    return played.finally(() => this.#flying.set(role, (this.#flying.get(role) ?? 1) - 1));
  }

  /** What was to be kept of a phase that is over has nowhere to go. */
  #forget(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.suggestions = {};
    this.saving = 'no';
  }

  /** Leave nothing behind: what waits to be sent is sent now. */
  close(): void {
    for (const role of [...this.#timers.keys()]) {
      const draft = this.drafts[role];
      if (draft) this.#save(role, draft);
    }
  }

  // --- giving ----------------------------------------------------------------------------------------

  /** These are all the orders: units without one have the default. */
  async submit(final: boolean): Promise<boolean> {
    const draft = this.draft;
    if (!this.play() || !draft || this.role === null) return false;
    // The orders themselves go now: what waited to be saved is in them.
    const role = this.role;
    clearTimeout(this.#timers.get(role));
    this.#timers.delete(role);
    const action = { do: 'submit', role, orders: submitted(draft.orders), final, meant_for: draft.advancement };
    const isDone = await this.#give(role, action);
    if (isDone && this.drafts[role] === draft) {
      this.#dropHere(role);
      this.saving = this.#isOwn(role) ? 'saved' : 'no';
    }
    if (isDone) toasts.say(words(!this.#isToGive(role) ? 'correctionDone' : final ? 'finalDone' : 'allDone'));
    return isDone;
  }

  /** These orders are no longer final: they stay saved, and may be changed. */
  async reconsider(): Promise<void> {
    if (this.role === null) return;
    const isDone = await this.#give(this.role, { do: 'reconsider', role: this.role, meant_for: this.view.advancement });
    if (isDone) toasts.say(words('reconsiderDone'));
  }

  takeSealed(): void {
    if (!this.draft || this.role === null) return;
    this.draft.fill(this.sealed ?? []);
    this.#dropHere(this.role);
  }

  vote(draw: boolean): Promise<boolean> {
    return this.play()?.({ do: 'vote', draw }) ?? Promise.resolve(false);
  }

  // --- trying ----------------------------------------------------------------------------------------

  /** Try these orders against supposed ones; nothing of it reaches the real ones. */
  async tryOut(): Promise<void> {
    const orders = this.roles.flatMap((role) => this.drafts[role]?.orders ?? []);
    await toasts.attempt(async () => {
      this.trial = await Trial.of(this.map, this.view, orders, this.roles);
    });
  }

  /** Make the trial's orders of one's own roles the draft. */
  takeTrial(): void {
    const trial = this.trial;
    if (!trial) return;
    for (const role of this.roles) {
      if (!this.legal?.submit?.[role]) continue;
      this.drafts[role]?.fill(trial.draft.orders.filter((order) => order[0] === role));
      this.#changed(role);
    }
    this.trial = null;
    toasts.say(words('whatIfTaken'));
  }
}
