/** Moves as chess players write them in their language: a knight is C in French and N in English. */

import { catalogue, language } from '../../words/catalogue.svelte';

const words = catalogue({
  fr: {
    hidden: 'un coup caché',
    took: 'un coup caché, et prend {lost} en {square}',
    p: 'un pion', n: 'un cavalier', b: 'un fou', r: 'une tour', q: 'la dame', k: 'le roi',
  },
  en: {
    hidden: 'a hidden move',
    took: 'a hidden move, and takes {lost} on {square}',
    p: 'a pawn', n: 'a knight', b: 'a bishop', r: 'a rook', q: 'the queen', k: 'the king',
  },
});

const FRENCH: Record<string, string> = { K: 'R', Q: 'D', R: 'T', B: 'F', N: 'C' };

export function letterOf(piece: string): string {
  const letter = piece.toUpperCase();
  return language() === 'fr' ? (FRENCH[letter] ?? letter) : letter;
}

export function notation(san: string): string {
  return san.replace(/[KQRBN]/g, letterOf);
}

/** What the sentence of a fact needs beyond its fields. */
export function line(fact: Record<string, unknown>): Record<string, string> {
  if (fact.is !== 'moved') return {};
  if (fact.san) return { san: notation(String(fact.san)) };
  // What one has lost, and where, is known to its owner; not to what.
  const took = String(fact.took ?? '');
  if (!took) return { san: words('hidden') };
  return { san: words('took', { lost: words(took[0]!.toLowerCase() as 'p'), square: took.slice(1) }) };
}
