/** A game of chess as the page reads it. */

import type { ChessView } from './types';

export type Side = NonNullable<ChessView['you']>;
export type Variant = ChessView['variant'];

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
