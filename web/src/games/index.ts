/** The games that this page can show. A game is one entry here and one folder beside it. */

import type { Component } from 'svelte';
import type { PendingMove, Told } from '../house/table.svelte';
import type { TableInfo } from '../house/types';
import { squareName } from './mines/names';

/** A table ready to choose, by a name that people know. */
export interface Preset {
  name: () => string;
  text: () => string;
  variant: string;
  options: Record<string, number | boolean | string>;
}

/** What a board is given, at a table as in a replay. It holds no rules: the view and what is legal say all. */
export interface BoardProps {
  /** The view of the seat, as the game's `showing` makes it. */
  view: never;
  /** What may be done, as the game describes it; null for who only looks on. */
  legal: never;
  seat: number | null;
  info: TableInfo;
  /** Moves on their way to the house, shown as such. */
  pending: PendingMove[];
  /** Play a move; null where nothing can be played (watching, replaying, over). */
  play: ((action: Record<string, unknown>) => Promise<boolean>) | null;
  /** What happened together last, to animate and to announce. */
  news: Told[];
  /** The instant that a replay shows; null or absent where it is now. */
  at?: number | null;
}

export interface GamePage {
  /** The picture of the game, drawn by us. */
  picture: () => Promise<{ default: Component<any> }>;
  board: () => Promise<{ default: Component<any> }>;
  /** The rules for players, with pictures, in the language of the page. */
  rules: () => Promise<{ default: Component<any> }>;
  /** What a fact's or a refusal's sentence needs beyond its own fields, for people: squares by their names. */
  line?: (fact: Record<string, unknown>) => Record<string, string | number>;
  /** Points by seat, where the game counts them while it goes on. */
  scores?: (view: never) => Record<number, number>;
  /** False where everybody plays at any time, so that nobody is waited for. */
  hasTurns?: boolean;
  /** False where a seat that was left is only for who left it. */
  canTakeOver?: boolean;
  /** The robot to play against at once, and the table to do it at. */
  atOnce: { variant: string; options: Record<string, unknown>; robots: string[] };
  /** Tables ready to choose when one opens one's own. */
  presets?: () => Promise<{ presets: Preset[] }>;
}

const pages: Record<string, GamePage> = {
  mines: {
    picture: () => import('./mines/Picture.svelte'),
    board: () => import('./mines/Board.svelte'),
    rules: () => import('./mines/Rules.svelte'),
    atOnce: { variant: 'classic', options: {}, robots: ['novice'] },
    presets: () => import('./mines/presets'),
    line: (fact): Record<string, string> =>
      'x' in fact && 'y' in fact ? { square: squareName(Number(fact.x), Number(fact.y)) } : {},
    scores: (view: { players: Record<string, { points: number }> }) =>
      Object.fromEntries(Object.entries(view.players).map(([seat, player]) => [Number(seat), player.points])),
    hasTurns: false,
    canTakeOver: false,
  },
};

export function isPlayableHere(game: string): boolean {
  return game in pages;
}

export function gamePage(game: string): GamePage | undefined {
  return pages[game];
}
