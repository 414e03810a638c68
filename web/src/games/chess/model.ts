/** A game of chess as the house shows it to a seat; docs/chess.md explains every field. */

export type Side = 'white' | 'black';
export type Variant = 'classic' | 'alice' | 'dark' | 'horde';

/** What is null in the house may be missing here: a patch with null takes a field away. */
export interface ChessView {
  variant: Variant;
  you?: Side | null;
  seats: Record<Side, number>;
  boards: Record<string, string>;
  fen?: string | null;
  start?: string | null;
  turn?: Side | null;
  ply: number;
  last?: string | null;
  check?: string | null;
  moves: Record<string, [string, string]>;
  captured: Record<Side, string>;
  premove?: string | null;
  draw_offer?: Side | null;
  takeback?: Side | null;
  claimable?: string | null;
  live: boolean;
  turn_until?: number | null;
  away: Record<string, number>;
  ended?: string | null;
  winner?: Side | null;
}

export interface ChessLegal {
  can?: string[];
  moves?: Record<string, string[]>;
  premoves?: Record<string, string[]>;
  promotes?: Record<string, string[]>;
}

/** A position that was or is on the boards. */
export interface Frame {
  ply: number;
  boards: Record<string, string>;
  fen: string | null;
  last: string | null;
  check: string | null;
  captured: Record<Side, string>;
}

export function frameOf(view: ChessView): Frame {
  return {
    ply: view.ply,
    boards: view.boards,
    fen: view.fen ?? null,
    last: view.last ?? null,
    check: view.check ?? null,
    captured: view.captured,
  };
}

export function other(side: Side): Side {
  return side === 'white' ? 'black' : 'white';
}

export function sideOf(letter: string): Side {
  return letter === letter.toUpperCase() ? 'white' : 'black';
}
