/** The arena as the page reads it: the description it is played by, and what may be done. */

import type { ArenaView, NamedCard } from './types';

export type Place = [number, number];
export type Step = 'line' | 'diagonal' | 'knight';

export interface CardKind {
  name: string;
  steps: number;
  types: Step[];
  /** The colours that it may step on, by its own. */
  colors: Record<string, string[]>;
  special_actions: string[];
  /** What its author says of it; absent in games that began before it was kept. */
  description?: string;
}

export type Effect =
  | { type: 'ModifyNumberMoves'; delta_moves: number }
  | { type: 'RemoveColor'; colors: string[] }
  | { type: 'RemoveEffects'; effects: string[] }
  | { type: 'ModifyTrumpDurations'; delta_duration: number; trump_names: string[] };

export interface Trump {
  name: string;
  /** Its name in the file, before it was repeated for each colour. */
  base: string;
  description: string;
  cost: number;
  effect: Effect;
  duration: number;
  must_target_player: boolean;
}

export interface Description {
  number_players: number;
  colors: string[];
  board: {
    number_arms: number;
    arms_width: number;
    circle_rows: string[][];
    arm_rows: string[][];
  };
  cards: CardKind[];
  trumps: Trump[];
}

export interface PlayableCard extends NamedCard {
  /** By landing square, `x,y`, a shortest way there. */
  reach: Record<string, Place[]>;
}

interface PlayableTrump {
  trump: string;
  cost: number;
  targets: number[];
}

interface UsablePower {
  hero: string;
  cost: number;
  targets?: number[];
  not_on?: Place[];
  colors?: string[];
}

export interface ArenaLegal {
  leave?: boolean;
  take_over?: boolean;
  pass?: boolean;
  play?: PlayableCard[];
  discard?: NamedCard[];
  play_trump?: PlayableTrump[];
  use_power?: UsablePower;
  push?: { color: string; targets: Record<string, Place[]> };
  skip_push?: boolean;
  choose_hero?: string[];
}

export const MOST_GAUGE = 40;

const NOTHING = { pawn: null, steps_home: null, hero: null, copy: null, rank: null };

/** The view with every field: a change from the house leaves out what is null. */
export function completed(view: ArenaView): ArenaView {
  const players = Object.fromEntries(Object.entries(view.players).map(([seat, player]) => [seat, { ...NOTHING, ...player }]));
  return { ...view, you: view.you ?? null, turn: view.turn ?? null, strike: view.strike ?? null, ended: view.ended ?? null, players };
}

const read = new Map<string, Description>();

/** The description that a game is played by; it is long, and read once. */
export function described(text: string): Description {
  let known = read.get(text);
  if (!known) {
    known = JSON.parse(text) as Description;
    read.clear();
    read.set(text, known);
  }
  return known;
}

export function keyOf(x: number, y: number): string {
  return `${x},${y}`;
}

export function placeOf(key: string): Place {
  return key.split(',').map(Number) as Place;
}

export function isSameCard(one: NamedCard, other: NamedCard): boolean {
  return one.card === other.card && one.color === other.color;
}

export function rowsOf({ board }: Description): string[][] {
  return [...board.circle_rows, ...board.arm_rows];
}

export function columnsOf({ board }: Description): number {
  return board.number_arms * board.arms_width;
}

/** The colour of a square as it is now: rows are repeated all the way round, and some squares were painted. */
export function colorAt(description: Description, painted: Record<string, string>, x: number, y: number): string {
  const row = rowsOf(description)[y]!;
  return painted[keyOf(x, y)] ?? row[x % row.length]!;
}
