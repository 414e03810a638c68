/** The board on the desk: changed, undone, done again, and kept in this browser. */

import type { BoardDocument } from '../field/board';
import { blank, canBeTurned, isSame, mirrored, painted, read, tileAt, turned, written } from './drawing';

const KEY = 'tablee-robots-draft';
const REMEMBERED = 200;

export class Draft {
  board = $state.raw<BoardDocument>(blank());
  /** False where the browser keeps nothing. */
  isKept = $state(true);
  #past = $state.raw<BoardDocument[]>([]);
  #future = $state.raw<BoardDocument[]>([]);
  #isInStroke = false;

  constructor() {
    this.board = found() ?? blank();
  }

  get canUndo(): boolean {
    return this.#past.length > 0;
  }

  get canRedo(): boolean {
    return this.#future.length > 0;
  }

  get isBlank(): boolean {
    return this.board.boardActiveTiles.length === 0;
  }

  get canBeTurned(): boolean {
    return canBeTurned(this.board);
  }

  tileAt(x: number, y: number): string {
    return tileAt(this.board, x, y);
  }

  /** A stroke of the hand is one step, however many tiles it goes over. */
  paint(x: number, y: number, name: string, isFirst = true): void {
    const next = painted(this.board, x, y, name);
    if (isFirst) this.#isInStroke = false;
    if (isSame(next, this.board)) return;
    if (this.#isInStroke) this.#show(next);
    else this.change(next);
    this.#isInStroke = true;
  }

  turn(): void {
    this.change(turned(this.board));
  }

  mirror(): void {
    this.change(mirrored(this.board));
  }

  /** Another board in its place; what was there can be had back. */
  change(next: BoardDocument): void {
    this.#isInStroke = false;
    if (isSame(next, this.board)) return;
    this.#past = [...this.#past.slice(1 - REMEMBERED), this.board];
    this.#future = [];
    this.#show(next);
  }

  undo(): void {
    const before = this.#past.at(-1);
    if (!before) return;
    this.#past = this.#past.slice(0, -1);
    this.#future = [...this.#future, this.board];
    this.#isInStroke = false;
    this.#show(before);
  }

  redo(): void {
    const next = this.#future.at(-1);
    if (!next) return;
    this.#future = this.#future.slice(0, -1);
    this.#past = [...this.#past, this.board];
    this.#isInStroke = false;
    this.#show(next);
  }

  #show(next: BoardDocument): void {
    this.board = next;
    try {
      localStorage.setItem(KEY, written(next));
      this.isKept = true;
    } catch {
      this.isKept = false;
    }
  }
}

function found(): BoardDocument | null {
  try {
    const text = localStorage.getItem(KEY);
    return text === null ? null : read(text);
  } catch {
    return null;
  }
}
