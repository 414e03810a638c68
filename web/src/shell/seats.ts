/** How the page shows seats. */

/** The class that gives a seat its colour and its sign; there are ten of them, and then they begin again. */
export function seatClass(seat: number): string {
  return `seat-${((seat - 1) % 10) + 1}`;
}
