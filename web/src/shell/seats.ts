/** How the page shows seats: by a colour and a sign of their number, or by those that a game gives them. */

import { getContext, setContext } from 'svelte';

/** How a game shows one of its seats everywhere at a table. */
export interface SeatLook {
  colour: string;
  /** What is read on it: a letter, a number. */
  text?: string;
  /** Round like a piece, else square. */
  isRound?: boolean;
  /** So light that it is written on in dark ink. */
  isLight?: boolean;
}

const LOOKS = Symbol('looks of seats');
type Looks = () => Record<number, SeatLook>;

/** The class that gives a seat its colour and its sign; there are ten of them, and then they begin again. */
export function seatClass(seat: number): string {
  return `seat-${((seat - 1) % 10) + 1}`;
}

/** The colour of a seat, where it is not given by a class. */
export function seatColour(seat: number): string {
  return `var(--seat-${((seat - 1) % 10) + 1})`;
}

/** From here on down, seats look as the game says. */
export function giveLooks(looks: Looks): void {
  setContext(LOOKS, looks);
}

export function lookOf(): Looks {
  return getContext<Looks | undefined>(LOOKS) ?? (() => ({}));
}
