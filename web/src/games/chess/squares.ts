/** Placements as text, square by square: letters of pieces, `?` where nothing can be seen. */

export const FILES = 'abcdefgh';
export const SQUARES = [...'87654321'].flatMap((rank) => [...FILES].map((file) => file + rank));

/** What stands on each square that is not empty, `?` for one that is not seen. */
export function readPlacement(placement: string): Map<string, string> {
  const found = new Map<string, string>();
  placement.split('/').forEach((row, down) => {
    let file = 0;
    for (const letter of row) {
      if (letter >= '1' && letter <= '8') file += Number(letter);
      else found.set(`${FILES[file++]}${8 - down}`, letter);
    }
  });
  return found;
}

export function writePlacement(pieces: ReadonlyMap<string, string>): string {
  const rows = [...'87654321'].map((rank) => [...FILES].map((file) => pieces.get(file + rank) ?? '1').join(''));
  return rows.join('/').replace(/1+/g, (empty) => String(empty.length));
}

/** The number of the board on which a square is taken: with two boards, at most one of them. */
export function boardWith(boards: Record<string, string>, square: string): string | null {
  for (const [number, placement] of Object.entries(boards)) {
    const piece = readPlacement(placement).get(square);
    if (piece && piece !== '?') return number;
  }
  return null;
}

/** All pieces by their square; which board they stand on does not matter, no square is taken twice. */
export function allPieces(boards: Record<string, string>): Map<string, string> {
  const found = new Map<string, string>();
  for (const placement of Object.values(boards)) {
    for (const [square, letter] of readPlacement(placement)) if (letter !== '?') found.set(square, letter);
  }
  return found;
}
