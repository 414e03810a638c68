/** What the house shows of a game in the arena: the description it is played by, the view of a seat, and what may be done. */

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

/** A card as people know it. */
export interface Held {
  card: string;
  color: string;
}

/** A trump at work on somebody. */
export interface Acting {
  trump: string;
  left: number;
  by: number;
  firm: boolean;
  acts: boolean;
}

export interface ArenaPlayer {
  arm: number;
  aims: Place[];
  pawn: Place | null;
  steps_home: number | null;
  cards: number;
  stock: number;
  played: Held[];
  unseen: number;
  discarded: number;
  effects: Acting[];
  hero: string | null;
  mist: number;
  blade: boolean;
  copy: string | null;
  copy_left: number;
  rank: number | null;
  resigned: boolean;
  robot: boolean;
}

export interface ArenaView {
  /** The text of the description, JSON in itself. */
  description: string;
  you: number | null;
  order: number[];
  turn: number | null;
  round: number;
  rounds: number;
  moves: number;
  trumped: boolean;
  strike: string | null;
  painted: Record<string, string>;
  offered: string[];
  ended: string | null;
  players: Record<string, ArenaPlayer>;
  hand?: Held[];
  gauge?: number;
  trumps?: { trump: string; cost: number; description?: string }[];
  power?: { hero: string; cost: number } | null;
  put_away?: Held[];
  hidden_plays?: Held[];
}

export interface PlayableCard extends Held {
  /** By landing square, `x,y`, a shortest way there. */
  reach: Record<string, Place[]>;
}

export interface PlayableTrump {
  trump: string;
  cost: number;
  targets: number[];
}

export interface UsablePower {
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
  discard?: Held[];
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

export function isSameCard(one: Held, other: Held): boolean {
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
