/** The pictures of the pieces, drawn by us, by the letters of a FEN. */

const files = import.meta.glob<string>('./pieces/*.svg', { eager: true, query: '?url', import: 'default' });
export const ROLES: Record<string, string> = { p: 'pawn', n: 'knight', b: 'bishop', r: 'rook', q: 'queen', k: 'king' };

export function pictureOf(letter: string): string {
  const side = letter === letter.toUpperCase() ? 'white' : 'black';
  return files[`./pieces/${side}-${ROLES[letter.toLowerCase()]}.svg`] ?? '';
}
