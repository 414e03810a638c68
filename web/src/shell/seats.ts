/** How the page shows seats and who sits in them. */

import type { SeatInfo } from '../house/types';

/** The class that gives a seat its colour and its sign; there are ten of them, and then they begin again. */
export function seatClass(seat: number): string {
  return `seat-${((seat - 1) % 10) + 1}`;
}

/** A robot, a visitor or a member: names that begin so are kept for visitors by the house. */
export function seatKind(seat: Pick<SeatInfo, 'name' | 'robot'>): 'robot' | 'visitor' | 'member' {
  if (seat.robot) return 'robot';
  return /^visiteur-/i.test(seat.name) ? 'visitor' : 'member';
}
