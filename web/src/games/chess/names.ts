/** Pieces and sides by their names. */

import type { SeatLook } from '../../shell/seats';
import type { Side } from './model';
import { ROLES } from './pieces';
import { words } from './words';

export function pieceName(letter: string): string {
  return words(ROLES[letter.toLowerCase()] as 'pawn' | 'knight' | 'bishop' | 'rook' | 'queen' | 'king');
}

export function sideName(side: Side): string {
  return words(side);
}

const DISCS: Record<Side, SeatLook> = {
  white: { colour: 'var(--chess-white)', isRound: true },
  black: { colour: 'var(--chess-black)', isRound: true },
};

/** Who plays White has a white disc wherever his name stands. */
export function signs(view: { seats: Record<Side, number> }): Record<number, SeatLook> {
  return { [view.seats.white]: DISCS.white, [view.seats.black]: DISCS.black };
}
