/** The boards of one's own, by name: kept in this browser. */

import type { BoardDocument } from '../field/board';
import { read, written } from './drawing';

interface OwnBoard {
  name: string;
  board: BoardDocument;
}

const KEY = 'tablee-robots-boards';
export const NAME_LENGTH = 40;
export const SHELF_MOST = 50;

class Shelf {
  boards = $state.raw<OwnBoard[]>(found());

  has(name: string): boolean {
    return this.boards.some((own) => own.name === name);
  }

  get isFull(): boolean {
    return this.boards.length >= SHELF_MOST;
  }

  /** Keep a board under a name, in place of one that had it. False where the browser keeps nothing. */
  keep(name: string, board: BoardDocument): boolean {
    const others = this.boards.filter((own) => own.name !== name);
    return this.#put([...others, { name, board }].toSorted((one, other) => one.name.localeCompare(other.name)));
  }

  remove(name: string): void {
    this.#put(this.boards.filter((own) => own.name !== name));
  }

  #put(boards: OwnBoard[]): boolean {
    try {
      localStorage.setItem(KEY, JSON.stringify(boards.map(({ name, board }) => ({ name, board: written(board) }))));
    } catch {
      return false;
    }
    this.boards = boards;
    return true;
  }
}

function found(): OwnBoard[] {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '[]') as { name: string; board: string }[];
    return kept.map(({ name, board }) => ({ name: String(name), board: read(board) }));
  } catch {
    return [];
  }
}

export const shelf = new Shelf();
