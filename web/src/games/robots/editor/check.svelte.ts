/** What the house says of the board on the desk, asked again after every change. */

import { post } from '../../../house/api';
import { sentence } from '../../../shell/toasts.svelte';
import { language } from '../../../words/catalogue.svelte';
import { isInside, numberOf, type BoardDocument } from '../field/board';

/** Something wrong with a board, or that would make it better, at its place where it has one. */
export interface Fault {
  code: string;
  x: number | null;
  y: number | null;
  fr: string;
  en: string;
}

export interface Figures {
  way: number;
  legs: number[];
  starts: number;
  active: number;
  conveyors: number;
  lasers: number;
  potholes: number;
  repairs: number;
  repairs_near: number;
  actions: number;
}

interface Checked {
  errors: Fault[];
  advice?: Fault[];
  figures: Figures | null;
  starts: number[];
}

/** A hand that draws is not interrupted: the question waits until it rests. */
const REST = 250;

export class Check {
  errors = $state.raw<Fault[]>([]);
  advice = $state.raw<Fault[]>([]);
  figures = $state.raw<Figures | null>(null);
  /** Tiles by number that a race may start on. */
  starts = $state.raw<number[]>([]);
  /** The board that the answer is about; null before the first. */
  of = $state.raw<BoardDocument | null>(null);
  /** Why the house could not say. */
  trouble = $state('');
  #asked = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  ask(board: BoardDocument): void {
    clearTimeout(this.#timer);
    const asked = ++this.#asked;
    this.#timer = setTimeout(() => void this.#ask(asked, board), this.of ? REST : 0);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#asked += 1;
  }

  async #ask(asked: number, board: BoardDocument): Promise<void> {
    try {
      const { errors, advice, figures, starts } = await post<Checked>('/robots/check', { board });
      if (asked !== this.#asked) return;
      [this.errors, this.advice, this.figures, this.starts] = [errors, advice ?? [], figures, starts];
      [this.of, this.trouble] = [board, ''];
    } catch (error) {
      if (asked === this.#asked) this.trouble = sentence(error);
    }
  }

  /** The tiles with an error, each once. */
  get faulty(): number[] {
    return [...new Set(this.errors.flatMap((fault) => placeOf(fault) ?? []))];
  }

  /** What is wrong with a tile, in the language of the page. */
  note(number: number): string {
    return this.errors.filter((fault) => placeOf(fault) === number).map(told).join(' ');
  }
}

function placeOf({ x, y }: Fault): number | null {
  return x !== null && y !== null && isInside(x, y) ? numberOf(x, y) : null;
}

export function told(fault: Fault): string {
  return language() === 'fr' ? fault.fr : fault.en;
}
