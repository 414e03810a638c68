/** The cartouche on one's desk: composed, undone, tried out by the house, sent. */

import { OutOfReach, post, Refusal } from '../../house/api';
import { added, emptied, EMPTY, isBlank, load, passed, picked, placed, swapped, trimmed, type Draft } from './cartouche';
import type { Register } from './model';
import type { RobotsView } from './types';
import { filmed, posesOf, type Scene } from './timeline';

interface Drive {
  registers: { stage: string }[][];
  swap: [number, number] | null;
}

const WAIT = 120;

export class Composer {
  draft = $state.raw<Draft>(EMPTY);
  /** Where the robot would go if everybody else stood still; empty while it is not known. */
  plan = $state.raw<Scene[]>([]);
  /** The house could not say where it goes. */
  isPlanless = $state(false);
  isFull = $state(false);
  #past = $state.raw<Draft[]>([]);
  #key = '';
  #asked = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  get canUndo(): boolean {
    return this.#past.length > 0;
  }

  get load(): number {
    return load(this.draft.registers);
  }

  get isBlank(): boolean {
    return isBlank(this.draft.registers);
  }

  get cartouche(): Register[] {
    return trimmed(this.draft.registers);
  }

  /** A round begins (or the page was loaded anew): what was composed for it is found again. */
  open(table: number, round: number): void {
    const key = `tablee-cartouche-${table}`;
    this.#key = key;
    this.#past = [];
    this.isFull = false;
    const kept = read(key);
    this.draft = kept?.round === round ? kept.draft : EMPTY;
    this.#round = round;
  }

  #round = 0;

  add(code: string): void {
    const next = added(this.draft, code);
    this.isFull = next === null;
    if (next) this.#change(next);
  }

  put(at: number, code: string): void {
    this.#change(placed(this.draft, at, code));
  }

  pick(at: number): void {
    this.draft = picked(this.draft, at);
    this.isFull = false;
  }

  empty(at: number): void {
    this.#change(emptied(this.draft, at));
  }

  swap(from: number, to: number): void {
    if (from !== to) this.#change(swapped(this.draft, from, to));
  }

  pass(): void {
    this.draft = passed(this.draft);
  }

  clear(): void {
    this.#change(EMPTY);
  }

  /** A cartouche that somebody else has composed; it can be undone. */
  take(cartouche: Register[]): void {
    this.#change({ ...EMPTY, registers: EMPTY.registers.map((_, i) => cartouche[i] ?? []) });
  }

  undo(): void {
    const before = this.#past.at(-1);
    if (!before) return;
    this.#past = this.#past.slice(0, -1);
    this.draft = before;
    this.isFull = false;
    this.#keep();
  }

  #change(next: Draft): void {
    this.#past = [...this.#past, this.draft];
    this.draft = next;
    this.isFull = false;
    this.#keep();
  }

  #keep(): void {
    if (this.#key) sessionStorage.setItem(this.#key, JSON.stringify({ round: this.#round, draft: this.draft }));
  }

  /** Ask the house where a cartouche leads; the last question counts. */
  try(view: RobotsView, seat: number, cartouche: Register[]): void {
    clearTimeout(this.#timer);
    const asked = ++this.#asked;
    if (isBlank(cartouche)) {
      this.plan = [];
      this.isPlanless = false;
      return;
    }
    this.#timer = setTimeout(() => void this.#drive(asked, view, seat, cartouche), WAIT);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#asked += 1;
  }

  async #drive(asked: number, view: RobotsView, seat: number, cartouche: Register[]): Promise<void> {
    const robots = Object.fromEntries(
      Object.entries(view.robots)
        .filter(([, robot]) => robot.status === 'racing' || robot.status === 'left')
        .map(([of, { x, y, azimuth, energy, laws, start }]) => [of, { x, y, azimuth, energy, laws, start }]),
    );
    try {
      const found = await post<Drive>('/robots/drive', {
        boards: view.boards, board: view.board, round: view.round, robots, cartouches: { [seat]: cartouche },
      });
      if (asked !== this.#asked) return;
      const played = found.registers.map((steps, i) => ({ round: view.round, register: i + 1, steps: steps as never }));
      this.plan = filmed(posesOf(view.robots), played, view.board, found.swap);
      this.isPlanless = false;
    } catch (error) {
      if (!(error instanceof Refusal) && !(error instanceof OutOfReach)) throw error;
      if (asked !== this.#asked) return;
      this.plan = [];
      this.isPlanless = true;
    }
  }
}

function read(key: string): { round: number; draft: Draft } | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? 'null') as { round: number; draft: Draft } | null;
    return Array.isArray(kept?.draft.registers) && kept.draft.registers.length === EMPTY.registers.length ? kept : null;
  } catch {
    return null;
  }
}
