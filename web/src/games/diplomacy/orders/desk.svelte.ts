/** Where somebody writes the orders of his roles: drafts that are kept, what the house has sealed, a trial. */

import { get, put, Refusal } from '../../../house/api';
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
export type State = 'empty' | 'draft' | 'validated' | 'changed' | 'final';

interface Kept {
  advancement: number;
  orders: Order[];
  text: string;
  /** When the house got it; null where it has none. */
  at?: number | null;
}

/** What this browser remembers itself, and whether the house has it too. */
interface KeptHere extends Kept {
  isSent: boolean;
}

const PAUSE = 500;

export class Desk {
  /** One's own roles, those that owe orders first. */
  roles = $state.raw<number[]>([]);
  role = $state<number | null>(null);
  drafts = $state.raw<Record<number, Draft>>({});
  /** What was typed and is no order yet, by role. */
  texts = $state<Record<number, string>>({});
  saving = $state<'no' | 'saving' | 'saved' | 'mine' | 'here'>('no');
  trial = $state.raw<Trial | null>(null);
  view = $state.raw<DiplomacyView>() as DiplomacyView;
  legal = $state.raw<DiplomacyLegal | null>(null);

  #position = '';
  /** The draft that is on its way to the house. */
  #sent: Promise<unknown> = Promise.resolve();
  #timers = new Map<number, ReturnType<typeof setTimeout>>();

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

  readonly state: State = $derived.by(() => {
    if (this.isFinal && !this.mayOrder) return 'final';
    const orders = this.draft?.orders ?? [];
    if (this.sealed) {
      if (!sameOrders(orders, this.sealed)) return 'changed';
      return this.isFinal ? 'final' : 'validated';
    }
    return orders.length ? 'draft' : 'empty';
  });

  /** The orders of all one's roles, as they are written. */
  readonly drawn: Drawn[] = $derived(this.roles.flatMap((role) => this.drafts[role]?.drawn ?? []));

  /** What is in the draft and not sealed, and the other way round. */
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

  /** Orders were sealed by somebody else, the master or oneself elsewhere: a draft that was as before follows. */
  #followSealed(role: number, draft: Draft, before: Order[]): void {
    const sealed = this.view.orders[role];
    if (!sealed || sameOrders(draft.orders, sealed)) return;
    const mayOrder = this.legal?.submit?.[role] !== undefined;
    if (mayOrder && !sameOrders(draft.orders, before)) return;
    draft.fill(sealed, mayOrder);
    if (!mayOrder) return;
    if (this.#isOwn(role)) this.#changed(role);
    else this.#dropHere(role);
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
    if (had) draft.fill(had);
    else if (here) draft.fill(here.orders);
    else if (sealed) draft.fill(sealed);
    this.texts[role] = here?.text ?? '';
    if (!had) void this.#fetch(role, draft, here);
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
    localStorage.removeItem(this.#key(role));
    this.saving = 'no';
  }

  /** The draft that the house has, unless this browser has a newer one that was never sent. */
  async #fetch(role: number, draft: Draft, here: KeptHere | null): Promise<void> {
    if (here && !here.isSent) {
      this.#changed(role);
      return;
    }
    if (!this.#isOwn(role)) return;
    const before = draft.orders;
    try {
      const kept = await get<Kept>(`/tables/${this.table}/drafts/${role}`);
      if (!kept.at || kept.advancement !== draft.advancement) return;
      if (this.drafts[role] !== draft || draft.orders !== before) return;
      draft.fill(kept.orders.map(received));
      this.texts[role] = kept.text ?? '';
    } catch {
      // There is none, or the house is out of reach: what is here stays.
    }
  }

  /** The house keeps drafts for who plays a role; a master's corrections stay in his browser. */
  #isOwn(role: number): boolean {
    return this.view.you !== null && this.view.roles[role]?.seat === this.view.you;
  }

  type(role: number, text: string): void {
    if (this.texts[role] === text) return;
    this.texts[role] = text;
    this.#changed(role);
  }

  #changed(role: number): void {
    const draft = this.drafts[role];
    if (!draft) return;
    this.saving = 'saving';
    this.#keepHere(role, { ...this.#kept(role, draft), isSent: false });
    clearTimeout(this.#timers.get(role));
    this.#timers.set(role, setTimeout(() => void this.#send(role, draft), PAUSE));
  }

  #kept(role: number, draft: Draft): Kept {
    return { advancement: draft.advancement, orders: draft.orders, text: this.texts[role] ?? '' };
  }

  async #send(role: number, draft: Draft): Promise<void> {
    // What was written for a phase that is over need not be kept any longer.
    if (this.drafts[role] !== draft) return;
    if (!this.#isOwn(role)) {
      this.saving = 'mine';
      return;
    }
    const kept = this.#kept(role, draft);
    try {
      const sent = put(`/tables/${this.table}/drafts/${role}`, kept);
      this.#sent = sent.catch(() => {});
      await sent;
      if (this.drafts[role] === draft) this.#keepHere(role, { ...kept, isSent: true });
      this.saving = 'saved';
    } catch (error) {
      this.saving = 'here';
      if (error instanceof Refusal) return;
      this.#timers.set(role, setTimeout(() => void this.#send(role, draft), PAUSE * 20));
    }
  }

  /** What was to be kept of a phase that is over has nowhere to go. */
  #forget(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.saving = 'no';
  }

  /** Leave nothing behind: what waits to be sent is sent now. */
  close(): void {
    for (const [role, timer] of this.#timers) {
      clearTimeout(timer);
      const draft = this.drafts[role];
      if (draft && this.saving === 'saving') void this.#send(role, draft);
    }
  }

  // --- giving ----------------------------------------------------------------------------------------

  async submit(final: boolean): Promise<boolean> {
    const play = this.play();
    const draft = this.draft;
    if (!play || !draft || this.role === null) return false;
    // The house has the orders themselves then: a draft that came after them would be of a phase that is over.
    const [role, wasWaiting] = [this.role, this.#timers.has(this.role) && this.saving === 'saving'];
    clearTimeout(this.#timers.get(role));
    await this.#sent;
    const action = { do: 'submit', role, orders: submitted(draft.orders), final, meant_for: draft.advancement };
    const isDone = await play(action);
    if (isDone && !this.#isOwn(role)) this.#dropHere(role);
    else if (wasWaiting && this.drafts[role] === draft) {
      if (isDone && final) this.saving = 'saved';
      else this.#changed(role);
    }
    if (isDone) toasts.say(words(!this.#isToGive(role) ? 'correctionDone' : final ? 'finalDone' : 'validated'));
    return isDone;
  }

  takeSealed(): void {
    if (!this.draft || !this.sealed || this.role === null) return;
    this.draft.fill(this.sealed);
    this.#changed(this.role);
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
