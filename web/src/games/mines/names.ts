/** How squares are called, everywhere: at the edges of the board, in sentences, in what is typed. */

/** `K4` is the eleventh row and the fourth column; after Z comes AA. */
export function squareName(x: number, y: number): string {
  return `${rowName(y)}${x + 1}`;
}

export function rowName(y: number): string {
  return y < 26 ? String.fromCharCode(65 + y) : rowName(Math.floor(y / 26) - 1) + rowName(y % 26);
}
