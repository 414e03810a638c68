/** How cards, colours, trumps and heroes are called: ours in the language of the page, a club's own as its file writes them. */

import { house } from '../../house/house.svelte';
import type { NamedCard } from './types';
import { words } from './words';

function named(key: string): string | null {
  const found = house.word('arena', null, key);
  return found === key ? null : found;
}

export function cardName(card: string): string {
  return named(`card.${card}`) ?? card;
}

export function colorName(color: string): string {
  return named(`color.${color}`) ?? color.toLowerCase().replaceAll('_', ' ');
}

/** « Reine (bleu) »: a card with its colour. */
export function heldName({ card, color }: NamedCard): string {
  return words('held', { card: cardName(card), color: colorName(color) });
}

/** One that was repeated for each colour has the colour behind its name: `Tower Black`. */
export function trumpName(trump: string): string {
  const whole = named(`trump.${trump}`);
  if (whole) return whole;
  for (let at = trump.lastIndexOf(' '); at > 0; at = trump.lastIndexOf(' ', at - 1)) {
    const base = named(`trump.${trump.slice(0, at)}`);
    if (base) return words('trumpOf', { trump: base, color: colorName(trump.slice(at + 1).toUpperCase().replaceAll(' ', '_')) });
  }
  return trump;
}

/** What an author says of a card or a trump: of ours in the language of the page, of a club's own as it is written. */
export function saying(text: string): string {
  return named(`saying.${text}`) ?? text;
}

/** Whether these are a club's own words, which say what ours cannot know. */
export function isOwnSaying(text: string | undefined): text is string {
  return !!text && named(`saying.${text}`) === null;
}

export function heroName(hero: string): string {
  return (named(`hero.${hero}`) ?? hero).split(' — ')[0]!;
}

export function powerName(hero: string): string {
  return named(`hero.${hero}`)?.split(' — ')[1] ?? hero;
}

export function powerText(hero: string): string {
  return named(`power.${hero}`) ?? '';
}

export function squareName(x: number, y: number): string {
  return `${x},${y}`;
}

/** What the sentence of a fact or a refusal needs beyond its own fields. */
export function line(fact: Record<string, unknown>): Record<string, string> {
  const parts: Record<string, string> = {};
  if (typeof fact.card === 'string') parts.card = cardName(fact.card);
  if (typeof fact.color === 'string') parts.color = colorName(fact.color);
  if (typeof fact.trump === 'string') parts.trump = trumpName(fact.trump);
  if (typeof fact.hero === 'string') parts.hero = heroName(fact.hero);
  if (fact.target !== undefined && fact.target === fact.seat) parts.target = words('self');
  if (fact.x !== undefined && fact.y !== undefined) parts.square = squareName(Number(fact.x), Number(fact.y));
  return parts;
}
