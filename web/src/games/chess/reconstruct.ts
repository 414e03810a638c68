/**
 * The positions of a finished game of Dark. While it ran nobody was shown them, so the history has none:
 * they follow from the start and the moves, which are told at the end. Dark has no en passant.
 */

// Why: docs/decisions.md#no-rules-in-the-page

import { readPlacement, writePlacement } from './squares';

/** What a move from or to a square takes away of the right to castle. */
const SPENT: Record<string, string> = { a1: 'Q', e1: 'KQ', h1: 'K', a8: 'q', e8: 'kq', h8: 'k' };

function afterMove(fen: string, move: string): string {
  const [placement = '', turn, castling = '-', , quiet, number] = fen.split(' ');
  const pieces = readPlacement(placement);
  const [from, to, becomes] = [move.slice(0, 2), move.slice(2, 4), move.slice(4)];
  const piece = pieces.get(from) ?? '';
  const rests = piece.toLowerCase() !== 'p' && !pieces.has(to);
  pieces.delete(from);
  pieces.set(to, becomes ? (turn === 'w' ? becomes.toUpperCase() : becomes) : piece);
  if (piece.toLowerCase() === 'k' && from[0] === 'e' && (to[0] === 'g' || to[0] === 'c')) {
    const [corner, beside] = to[0] === 'g' ? [`h${to[1]}`, `f${to[1]}`] : [`a${to[1]}`, `d${to[1]}`];
    const rook = pieces.get(corner);
    // A king that steps from e to g or c in one move has castled, and its rook with it.
    if (rook) pieces.set(beside, rook);
    pieces.delete(corner);
  }
  const spent = (SPENT[from] ?? '') + (SPENT[to] ?? '');
  const rights = [...castling].filter((right) => right !== '-' && !spent.includes(right)).join('') || '-';
  const next = turn === 'w' ? 'b' : 'w';
  const moves = Number(number) + (turn === 'b' ? 1 : 0);
  return `${writePlacement(pieces)} ${next} ${rights} - ${rests ? Number(quiet) + 1 : 0} ${moves}`;
}

/** The position before the first move and after each of them. */
export function positions(start: string, moves: string[]): string[] {
  const found = [start];
  for (const move of moves) found.push(afterMove(found.at(-1)!, move));
  return found;
}
