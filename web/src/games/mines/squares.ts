/** The board of mines as the page reads it: squares, their names, their neighbours, and how each one looks. */

export { rowName, squareName } from './names';
import { seatClass } from '../../shell/seats';
import type { PendingMove } from '../../house/table.svelte';
import type { Fact } from '../../house/table.svelte';
import type { MinesView } from './types';

export interface MinesLegal {
  click?: { only?: [number, number] };
  flag?: object;
  unflag?: object;
  chord?: object;
}

export interface Square {
  x: number;
  y: number;
}

export type Do = 'open' | 'flag' | 'chord';

export function letter(view: MinesView, x: number, y: number): string {
  return view.rows[y]?.[x] ?? '';
}

export function neighbours(view: MinesView, x: number, y: number): Square[] {
  const near: Square[] = [];
  for (let v = Math.max(0, y - 1); v <= Math.min(view.height - 1, y + 1); v++) {
    for (let u = Math.max(0, x - 1); u <= Math.min(view.width - 1, x + 1); u++) {
      if (u !== x || v !== y) near.push({ x: u, y: v });
    }
  }
  return near;
}

/**
 * The hidden squares around a number whose mines are all flagged or hit; null where they are not.
 * Flags count as the board shows them, also those that are on their way: the house gets them first.
 */
export function chordAt(view: MinesView, pending: PendingMove[], x: number, y: number): Square[] | null {
  const number = Number(letter(view, x, y));
  if (!(number >= 1)) return null;
  const near = neighbours(view, x, y).map((square) => ({ square, seen: letterSoon(view, pending, square) }));
  const known = near.filter(({ seen }) => 'F*'.includes(seen)).length;
  const closed = near.filter(({ seen }) => seen === 'X').map(({ square }) => square);
  return known === number && closed.length ? closed : null;
}

function letterSoon(view: MinesView, pending: PendingMove[], { x, y }: Square): string {
  const last = pending.findLast(({ action }) => action.x === x && action.y === y);
  if (last?.action.do === 'flag') return 'F';
  if (last?.action.do === 'unflag') return 'X';
  return letter(view, x, y);
}

/** What somebody typed: a square, and a letter for what to do there; null where it is neither. */
export function typed(text: string): (Square & { act: Do }) | null {
  const found = /^\s*([a-z]{1,2})\s*(\d{1,2})\s*([a-z]?)\s*$/i.exec(text);
  if (!found) return null;
  const [, row, column, what] = found as unknown as [string, string, string, string];
  const act = ({ '': 'open', o: 'open', f: 'flag', d: 'flag', c: 'chord' } as Record<string, Do>)[what.toLowerCase()];
  const y = [...row.toUpperCase()].reduce((sum, each) => 26 * sum + each.charCodeAt(0) - 64, 0) - 1;
  return act ? { x: Number(column) - 1, y, act } : null;
}

/** Which seat a letter of `openers` stands for; 0 for none or for one beyond the letters. */
export function openerSeat(code: string): number {
  if (code === '.' || code === '+' || code === '') return 0;
  return code <= '9' ? Number(code) : code.charCodeAt(0) - 87;
}

/** Marks of a row, one letter a square: o opening, f flag on its way, u flag going, n new, s the start. */
export function marksByRow(
  view: MinesView, pending: PendingMove[], fresh: ReadonlySet<number>,
): Record<number, string> {
  const marks = new Map<number, string>();
  for (const square of fresh) marks.set(square, 'n');
  if (view.start) marks.set(view.start[1] * view.width + view.start[0], 's');
  for (const { action } of pending) {
    const { x, y } = action as unknown as Square;
    const at = y * view.width + x;
    if (action.do === 'click') marks.set(at, 'o');
    else if (action.do === 'flag') marks.set(at, 'f');
    else if (action.do === 'unflag') marks.set(at, 'u');
    else if (action.do === 'chord') {
      for (const [u, v] of action.squares as [number, number][]) marks.set(v * view.width + u, 'o');
    }
  }
  const rows: Record<number, string[]> = {};
  for (const [at, mark] of marks) {
    const y = Math.floor(at / view.width);
    rows[y] ??= new Array<string>(view.width).fill('.');
    rows[y]![at % view.width] = mark;
  }
  return Object.fromEntries(Object.entries(rows).map(([y, row]) => [y, row.join('')]));
}

/** A square as four letters: what is seen, who opened it, what is there in truth, how it is marked. */
export function composed(row: string, openers: string, truth: string, marks: string): string[] {
  const cells = new Array<string>(row.length);
  for (let x = 0; x < row.length; x++) {
    cells[x] = row[x]! + (openers[x] ?? '.') + (truth[x] ?? '.') + (marks[x] ?? '.');
  }
  return cells;
}

/** What a square is, for its label and its looks. */
export type Kind = 'hidden' | 'flag' | 'right' | 'wrong' | 'mine' | 'hit' | 'open';

export function kind(cell: string): Kind {
  const [seen, , truth] = cell as unknown as [string, string, string];
  if (seen === '*') return 'hit';
  if (seen === 'F') return truth === '.' ? 'flag' : truth === '*' ? 'right' : 'wrong';
  if (seen === 'X') return truth === '*' ? 'mine' : 'hidden';
  return 'open';
}

export function looks(cell: string, showsWho: boolean): string {
  const is = kind(cell);
  let classes = `square ${is}`;
  if (is === 'open' && cell[0] !== '0') classes += ` n${cell[0]}`;
  const mark = cell[3];
  if (mark === 'o') classes += ' opening';
  else if (mark === 'f') classes += ' flag waiting';
  else if (mark === 'u') classes += ' waiting';
  else if (mark === 's') classes += ' start';
  const seat = openerSeat(cell[1]!);
  if (seat && (showsWho || mark === 'n')) classes += ` ${showsWho ? 'owned' : 'new'} ${seatClass(seat)}`;
  return classes;
}

export function digit(cell: string): string {
  const seen = cell[0]!;
  return seen >= '1' && seen <= '8' ? seen : '';
}

interface Tally {
  flags: number;
  hit: number;
  right: number;
  wrong: number;
}

/** Flags and hit mines of the board as one sees it; right and wrong ones once the truth is known. */
export function tally(view: MinesView): Tally {
  const count: Tally = { flags: 0, hit: 0, right: 0, wrong: 0 };
  for (let y = 0; y < view.height; y++) {
    const [row, truth] = [view.rows[y] ?? '', view.truth?.[y]];
    for (let x = 0; x < row.length; x++) {
      if (row[x] === '*') count.hit++;
      else if (row[x] === 'F') {
        count.flags++;
        if (truth) count[truth[x] === '*' ? 'right' : 'wrong']++;
      }
    }
  }
  return count;
}

/** The squares that one event opened, as (x, y, content, points), by seat. */
export function openings(facts: Fact[]): { seat: number; squares: [number, number, number, number][]; points: number }[] {
  return facts
    .filter((fact) => fact.is === 'opened')
    .map((fact) => ({
      seat: fact.seat as number,
      squares: fact.squares as [number, number, number, number][],
      points: fact.points as number,
    }));
}
