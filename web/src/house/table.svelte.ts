/** A table one plays or watches at: the view of one's seat kept up to date, and moves on their way. */

import { live } from './live.svelte';
import { merged } from './merge';
import type { AnyFromServer, ErrorDetail, Marked, TableInfo, TableNews, TableTopic, Update, Whole } from './types';

export type Fact = { is: string; [field: string]: unknown };
/** `left` is null while it is not his turn, where each turn has a time of its own. */
export type ClockFace = { left: number | null; until?: number | null };

/** A move that the house has not yet answered; the board shows it as such. */
export interface PendingMove {
  id: string;
  action: Record<string, unknown>;
}

/** What one event told this seat, for the list of what happened and for animation. */
export interface Told {
  version: number;
  at: number;
  facts: Fact[];
}

const KEPT = 200;
/** As long as a screen takes to be painted. */
const FRAME = 16;

export class Table<V = unknown, L = unknown> {
  info = $state.raw<TableInfo | null>(null);
  view = $state.raw<V | null>(null);
  legal = $state.raw<L | null>(null);
  seat = $state<number | null>(null);
  waiting = $state.raw<number[]>([]);
  clocks = $state.raw<Record<string, ClockFace> | null>(null);
  /** Whether the game has hardly begun, and can be called off without a mark. */
  abortable = $state(false);
  pending = $state.raw<PendingMove[]>([]);
  told = $state.raw<Told[]>([]);
  /** What was told together last: to animate and to announce. */
  news = $state.raw<Told[]>([]);
  /** The last refusal of a move, until the next move. */
  refusal = $state.raw<ErrorDetail | null>(null);
  /** Why the table cannot be shown, if it cannot. */
  trouble = $state.raw<ErrorDetail | null>(null);

  /** The version with which the whole view last came: what happened before it is to be fetched. */
  wholeAt = $state<number | null>(null);

  #version: number | null = null;
  /** Of the database that the view comes from: after a restore, a move by what was seen before it is refused. */
  #epoch: string | null = null;
  #waiting: (Update | Marked | TableNews)[] = [];
  #frame: ReturnType<typeof setTimeout> | undefined;
  #stop: () => void;
  #hearers = new Set<(told: Told) => void>();
  /** Who waits for the whole view. */
  #came: (() => void)[] = [];

  constructor(
    readonly id: number,
    readonly invitation: string | null = null,
    readonly as: 'spectator' | null = null,
  ) {
    this.#stop = live.listen({
      topic: () => this.#topic(),
      hear: (message) => this.#hear(message),
      refused: (error) => (this.trouble = error),
    });
  }

  close(): void {
    this.#stop();
  }

  /** Begin anew, for instance after one has sat down: the seat's view is another one. Ends when it is there. */
  again(): Promise<void> {
    this.#stop();
    this.#version = null;
    this.told = [];
    this.#stop = live.listen({
      topic: () => this.#topic(),
      hear: (message) => this.#hear(message),
      refused: (error) => (this.trouble = error),
    });
    return new Promise((came) => this.#came.push(came));
  }

  /** Called for each event as it comes; gives back the function that ends it. */
  onTold(hear: (told: Told) => void): () => void {
    this.#hearers.add(hear);
    return () => this.#hearers.delete(hear);
  }

  /** Play a move; true if it was played. A refusal is kept in `refusal`. */
  async play(action: Record<string, unknown>): Promise<boolean> {
    this.refusal = null;
    const { id, outcome } = live.play(this.id, action, this.#epoch);
    this.pending = [...this.pending, { id, action }];
    const settled = await outcome;
    // What the move did has come before its answer: it is shown before the move is no longer on its way.
    if (this.#waiting.length) this.#show();
    this.pending = this.pending.filter((move) => move.id !== id);
    if ('refused' in settled) {
      this.refusal = settled.refused;
      return false;
    }
    return true;
  }

  get isWaitedFor(): boolean {
    return this.seat !== null && this.waiting.includes(this.seat);
  }

  #topic(): TableTopic {
    const topic: TableTopic = { topic: 'table', table: this.id };
    if (this.as) topic.as = this.as;
    if (this.invitation) topic.invitation = this.invitation;
    if (this.#version !== null) topic.since = this.#version;
    if (this.#epoch !== null) topic.epoch = this.#epoch;
    return topic;
  }

  #hear(message: AnyFromServer): void {
    switch (message.type) {
      case 'table':
        if (message.table === this.id) this.#whole(message);
        return;
      case 'update':
      case 'marked':
        if (message.table === this.id) this.#updated(message);
        return;
      case 'info':
        if (message.info.id === this.id) this.#updated(message);
        return;
      case 'gone':
        if (message.table === this.id) this.again();
        return;
    }
  }

  #mine(info: TableInfo): Partial<TableInfo> {
    return info.my_seat === undefined ? { my_seat: null } : {};
  }

  #whole(message: Whole): void {
    this.trouble = null;
    const epoch = message.epoch ?? null;
    if (epoch !== this.#epoch) {
      // What was told before a restore may never have been.
      this.#epoch = epoch;
      this.#waiting = [];
      this.told = [];
    }
    this.info = { ...message.info, ...this.#mine(message.info) };
    this.seat = message.seat ?? null;
    this.view = (message.view ?? null) as V | null;
    this.legal = (message.legal ?? null) as L | null;
    this.waiting = message.waiting ?? [];
    this.clocks = (message.clocks ?? null) as Record<string, ClockFace> | null;
    this.abortable = message.abortable ?? false;
    this.#version = this.wholeAt = message.version;
    for (const came of this.#came.splice(0)) came();
  }

  /** The first change is shown at once; what comes within the same frame is shown together with the next, in order. */
  #updated(message: Update | Marked | TableNews): void {
    this.#waiting.push(message);
    if (this.#frame === undefined) this.#showInFrames();
  }

  #showInFrames(): void {
    this.#show();
    this.#frame = setTimeout(() => {
      this.#frame = undefined;
      if (this.#waiting.length) this.#showInFrames();
    }, FRAME);
  }

  #show(): void {
    const news: Told[] = [];
    let view: unknown = this.view;
    for (const message of this.#waiting.splice(0)) {
      if (message.type === 'info') {
        this.info = { ...message.info, ...this.#mine(message.info) };
        continue;
      }
      if (message.type === 'marked') {
        view = merged(view, message.patch);
        continue;
      }
      if (this.#version !== null && message.version <= this.#version) continue;
      this.#version = message.version;
      view = merged(view, message.patch);
      if (message.legal !== undefined && message.legal !== null) this.legal = message.legal as L;
      if (message.waiting) this.waiting = message.waiting;
      if (message.clocks) this.clocks = message.clocks as Record<string, ClockFace>;
      this.abortable = message.abortable ?? false;
      news.push({ version: message.version, at: message.at, facts: message.facts as Fact[] });
    }
    this.view = view as V;
    if (!news.length) return;
    this.told = [...this.told, ...news].slice(-KEPT);
    this.news = news;
    for (const told of news) for (const hear of this.#hearers) hear(told);
  }
}
