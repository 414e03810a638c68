/** Alice: how a piece goes to its square on one board and appears on the other. */

import type { Frame } from './model';
import { boardWith, readPlacement, writePlacement } from './squares';

interface Crossing {
  from: string;
  to: string;
  /** The board that was left, and the one that was reached. */
  left: string;
  reached: string;
  letter: string;
}

/** The last move of a position as a change of board. */
export function crossingOf(frame: Frame): Crossing | null {
  if (!frame.last) return null;
  const [from, to] = [frame.last.slice(0, 2), frame.last.slice(2, 4)];
  const reached = boardWith(frame.boards, to);
  if (!reached) return null;
  const letter = readPlacement(frame.boards[reached]!).get(to)!;
  return { from, to, left: reached === '1' ? '2' : '1', reached, letter };
}

/** Half of a move: the piece has come to its square and has not changed board yet. */
export function halfway(before: Frame, crossing: Crossing): Record<string, string> | null {
  const placement = before.boards[crossing.left];
  if (placement === undefined) return null;
  const pieces = readPlacement(placement);
  const letter = pieces.get(crossing.from);
  if (!letter) return null;
  pieces.delete(crossing.from);
  pieces.set(crossing.to, letter);
  return { ...before.boards, [crossing.left]: writePlacement(pieces) };
}
