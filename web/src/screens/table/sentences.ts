/** What happened at a table, in sentences of the game's own words. */

import { gamePage } from '../../games';
import { house } from '../../house/house.svelte';
import type { Fact, Told } from '../../house/table.svelte';
import type { ErrorDetail, TableInfo } from '../../house/types';
import type { Parts } from '../../words/catalogue.svelte';
import { words } from './words';

export function nameOf(info: TableInfo, seat: unknown): string {
  return info.seats.find((each) => each.seat === seat)?.name ?? words('someone');
}

/** The sentence of a fact; empty where the game has none for it. */
export function sentenceOf(info: TableInfo, fact: Fact): string {
  const key = `fact.${fact.is}`;
  const parts: Parts = { player: nameOf(info, fact.seat) };
  for (const [name, value] of Object.entries(fact)) {
    if (typeof value === 'string' || typeof value === 'number') parts[name] = value;
  }
  const text = house.word(info.game, info.variant, key, { ...parts, ...gamePage(info.game)?.line?.(fact) });
  return text === key ? '' : text;
}

export function sentencesOf(info: TableInfo, told: Told): string[] {
  return told.facts.map((fact) => sentenceOf(info, fact)).filter(Boolean);
}

/** Why a move was refused, in the game's words where it is the game that refuses. */
export function refusalOf(info: TableInfo, error: ErrorDetail): string {
  const key = `illegal.${String(error.parts.reason)}`;
  const own = { ...(error.parts as Parts), ...gamePage(info.game)?.line?.(error.parts) };
  const text = error.code === 'illegal' ? house.word(info.game, info.variant, key, own) : key;
  return text === key ? error.message || words('refusedUnknown') : text;
}
