/** How values of a view are shown: boards of text, signs of seats, names of players, and the game's own words. */

import { house } from '../house/house.svelte';
import type { TableInfo } from '../house/types';
import { nameOf } from '../screens/table/sentences';
import { isObject } from './ways';
import { words } from './words';

/** Fields whose number is a seat, in the facts of every game and in its view. */
const SEATS = new Set(['seat', 'turn', 'winner']);

/** A board in text: lines of one length, as a list or in one string; null where the value is something else. */
export function rowsOf(value: unknown): string[][] | null {
  const lines = typeof value === 'string' ? value.split('\n') : value;
  if (!Array.isArray(lines) || lines.length < 2 || !lines.every((line) => typeof line === 'string')) return null;
  const rows = lines.map((line: string) => [...line]);
  const width = rows[0]!.length;
  return width > 1 && rows.every((row) => row.length === width) ? rows : null;
}

/** The letters that stand for seats on a board: a view says them as `signs`, by seat. */
export function signsOf(view: unknown): Map<string, number> {
  const signs = isObject(view) && isObject(view.signs) ? view.signs : {};
  return new Map(Object.entries(signs).map(([seat, sign]) => [String(sign), Number(seat)]));
}

/** The game's word for a key, or what the key itself says. */
export function labelOf(info: TableInfo, key: string): string {
  const word = house.word(info.game, info.variant, `view.${key}`);
  if (word !== `view.${key}`) return word;
  const text = key.replaceAll('_', ' ');
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

/** A single value in words. */
export function textOf(info: TableInfo, key: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return words('none');
  if (typeof value === 'boolean') return words(value ? 'yes' : 'no');
  if (SEATS.has(key) && typeof value === 'number' && value > 0) return nameOf(info, value);
  const word = `view.${key}.${String(value)}`;
  const said = house.word(info.game, info.variant, word);
  return said === word ? String(value) : said;
}

/** Whether what is told apart by these keys are the seats of the table. */
export function areSeats(info: TableInfo, keys: string[]): boolean {
  return keys.length > 0 && keys.every((key) => info.seats.some((each) => String(each.seat) === key));
}
