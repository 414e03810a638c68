// Written by `make types` from the house's own types (doors/web/typescript.py). Do not edit.

/** The pieces stand. */
export interface Began {
  is: "began";
  fen: string;
  white: number;
  black: number;
  live: boolean;
  turn_limit: number;
  at: number;
}

export interface CameBack {
  is: "came_back";
  seat: number;
}

/** The pieces that each side has lost, as letters in the order of their loss. */
export interface Captured {
  white: string;
  black: string;
}

/** The game as a seat may know it; docs/chess.md explains every field. */
export interface ChessView {
  variant: "alice" | "classic" | "dark" | "horde";
  you?: "black" | "white" | null;
  seats: SideSeats;
  boards: Record<string, string>;
  fen?: string | null;
  start?: string | null;
  castling: string;
  turn?: "black" | "white" | null;
  ply: number;
  last?: string | null;
  check?: string | null;
  moves: Record<string, [string, string]>;
  captured: Captured;
  premove?: string | null;
  draw_offer?: "black" | "white" | null;
  takeback?: "black" | "white" | null;
  claimable?: string | null;
  live: boolean;
  turn_until?: number | null;
  away: Record<string, number>;
  ended?: "absent" | "agreement" | "fifty" | "fivefold" | "horde_taken" | "king_taken" | "mate" | "material" | "resigned" | "seventy_five" | "stalemate" | "threefold" | "time" | "time_without_material" | "turn_time" | null;
  winner?: "black" | "white" | null;
  sights?: Sights;
}

/** Time during which no node ran is given back. */
export interface ClockMoved {
  is: "clock_moved";
  milliseconds: number;
}

export interface DrawDeclined {
  is: "draw_declined";
  seat: number;
}

export interface DrawOffered {
  is: "draw_offered";
  seat: number;
}

/** It was taken back, or could not be played. */
export interface PremoveDropped {
  is: "premove_dropped";
  seat: number;
  move: string;
  cancelled: boolean;
}

export interface Premoved {
  is: "premoved";
  seat: number;
  move: string;
}

/** Who plays which side. */
export interface SideSeats {
  white: number;
  black: number;
}

/** The board as each side of Dark sees it, `?` for what it does not see. */
export interface Sights {
  white: string;
  black: string;
}

export interface TakebackAsked {
  is: "takeback_asked";
  seat: number;
}

export interface TakebackDeclined {
  is: "takeback_declined";
  seat: number;
}

export interface ToldEnded {
  is: "ended";
  reason: "absent" | "agreement" | "fifty" | "fivefold" | "horde_taken" | "king_taken" | "mate" | "material" | "resigned" | "seventy_five" | "stalemate" | "threefold" | "time" | "time_without_material" | "turn_time";
  winner?: number | null;
}

/** A move; in Dark, what the seat may not know of it is empty. */
export interface ToldMoved {
  is: "moved";
  seat: number;
  move: string;
  san: string;
  took: string;
  premove?: boolean;
  sees?: string;
}

/** So many half-moves are undone, as `seat` had asked. */
export interface ToldTakenBack {
  is: "taken_back";
  seat: number;
  plies: number;
}

export interface ToldWentAway {
  is: "went_away";
  seat: number;
}

export type ChessTold = Began | ToldMoved | Premoved | PremoveDropped | DrawOffered | DrawDeclined | TakebackAsked | TakebackDeclined | ToldTakenBack | ToldWentAway | CameBack | ClockMoved | ToldEnded;
