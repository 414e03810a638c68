/** Moves as chess players write them in their language: a knight is C in French and N in English. */

import { catalogue, language } from '../../words/catalogue.svelte';

const words = catalogue({
  fr: { hidden: 'un coup caché' },
  en: { hidden: 'a hidden move' },
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
  return { san: fact.san ? notation(String(fact.san)) : words('hidden') };
}
