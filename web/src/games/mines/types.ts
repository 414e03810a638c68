// Written by `make types` from the house's own types (doors/web/typescript.py). Do not edit.

/** Nobody was active for 60 s: what was won is lost, what was lost stays lost. */
export interface Abandoned {
  is: "abandoned";
  scores: Record<string, number>;
}

/** Time while nobody kept the house does not count. */
export interface ClockMoved {
  is: "clock_moved";
  milliseconds: number;
}

/** Every safe square is open. `scores` are the points of the match with the bonuses in them. */
export interface Finished {
  is: "finished";
  best: number[];
  worst: number[];
  scores: Record<string, number>;
}

/** The board and the players as a seat may know them. */
export interface MinesView {
  width: number;
  height: number;
  mines: number;
  safe_left: number;
  completion: number;
  multiplier: number;
  start?: [number, number] | null;
  chording: boolean;
  flags: boolean;
  seats: number;
  you?: number | null;
  rows: Record<string, string>;
  openers: Record<string, string>;
  players: Record<string, PlayerView>;
  begun_at?: number | null;
  ended_at?: number | null;
  ended?: "abandoned" | "cleared" | null;
  best: number[];
  worst: number[];
  bbbv?: number | null;
  truth?: Record<string, string>;
}

/** Somebody who ever joined. */
export interface PlayerView {
  name: string;
  points: number;
  total: number;
  safe: number;
  mines: number;
  present: boolean;
  active: boolean;
  robot: boolean;
}

export interface ToldCameBack {
  is: "came_back";
  seat: number;
}

export interface ToldFellAsleep {
  is: "fell_asleep";
  seat: number;
}

/** To this seat alone. */
export interface ToldFlagged {
  is: "flagged";
  seat: number;
  x: number;
  y: number;
}

export interface ToldJoined {
  is: "joined";
  seat: number;
  name: string;
  total: number;
  robot: boolean;
}

export interface ToldLeft {
  is: "left";
  seat: number;
}

/** To this seat alone. */
export interface ToldMissed {
  is: "missed";
  seat: number;
  reason: "late" | "out_of_range";
  x: number;
  y: number;
}

/** One click, with the points that it brought in all. */
export interface ToldOpened {
  is: "opened";
  seat: number;
  squares: [number, number, number, number][];
  points: number;
}

export interface ToldReturned {
  is: "returned";
  seat: number;
}

/** To this seat alone. */
export interface ToldUnflagged {
  is: "unflagged";
  seat: number;
  x: number;
  y: number;
}

export interface ToldWentAway {
  is: "went_away";
  seat: number;
}

export type MinesTold = ToldJoined | ToldWentAway | ToldLeft | ToldCameBack | ToldFellAsleep | ToldReturned | ToldOpened | ToldMissed | ToldFlagged | ToldUnflagged | ClockMoved | Finished | Abandoned;
