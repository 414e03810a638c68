/** The games that this page can show. A game is one entry here and one folder beside it. */

import type { Component } from 'svelte';
import type { Fact, PendingMove, Told } from '../house/table.svelte';
import type { SeatInfo, TableInfo } from '../house/types';

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
  /** The newest thing that happened, to animate and to announce. */
  last: Told | null;
}

export interface GamePage {
  /** The picture of the game, drawn by us. */
  picture: () => Promise<{ default: Component<any> }>;
  board: () => Promise<{ default: Component<any> }>;
  /** The rules for players, with pictures, in the language of the page. */
  rules: () => Promise<{ default: Component<any> }>;
  /** One line for something that happened, beyond the sentence that the game's own words have for it. */
  line?: (fact: Fact, seats: SeatInfo[]) => Record<string, string | number>;
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
  },
};

export function isPlayableHere(game: string): boolean {
  return game in pages;
}

export function gamePage(game: string): GamePage | undefined {
  return pages[game];
}
