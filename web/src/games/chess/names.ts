/** Pieces and sides by their names. */

import type { Side } from './model';
import { ROLES } from './pieces';
import { words } from './words';

export function pieceName(letter: string): string {
  return words(ROLES[letter.toLowerCase()] as 'pawn' | 'knight' | 'bishop' | 'rook' | 'queen' | 'king');
}

export function sideName(side: Side): string {
  return words(side);
}
