/** What happened at a table, in sentences of the game's own words. */

import { gamePage } from '../../games';
import { house } from '../../house/house.svelte';
import { seatName } from '../../house/names';
import type { Fact, Told } from '../../house/table.svelte';
import type { ErrorDetail, TableInfo } from '../../house/types';
import { language, type Parts } from '../../words/catalogue.svelte';
import { words } from './words';

export function nameOf(info: TableInfo, seat: unknown): string {
  const there = info.seats.find((each) => each.seat === seat);
  return there ? seatName(info, there) : words('someone');
}

/** Who sat in a seat at a moment: somebody else may sit there now. */
function nameThen(info: TableInfo, seat: unknown, at: number): string {
  const then = info.former.find((each) => each.seat === seat && at < each.until);
  return then ? seatName(info, { name: then.name, robot: null }) : nameOf(info, seat);
}

/** What a seat plays, where the game gives roles: `France`. */
export function rolesOf(info: TableInfo, view: unknown, seat: number): string {
  const roles = view ? (gamePage(info.game).roles?.(view as never)[seat] ?? []) : [];
  return roles.map((role) => house.word(info.game, info.variant, `role.${role}`)).join(', ');
}

/** What the master (0) has done for somebody is told otherwise, where the game has words for it. */
function keyOf(info: TableInfo, fact: Fact): string {
  const [usual, masters] = [`fact.${fact.is}`, `fact.${fact.is}_by_master`];
  return fact.by === 0 && house.word(info.game, info.variant, masters) !== masters ? masters : usual;
}

/** The sentence of a fact of a moment; empty where the game has none for it, or where its board tells it. */
export function sentenceOf(info: TableInfo, fact: Fact, at: number): string {
  if (gamePage(info.game).untold?.includes(fact.is)) return '';
  const key = keyOf(info, fact);
  const parts: Parts = { player: nameThen(info, fact.seat, at) };
  for (const [name, value] of Object.entries(fact)) {
    if (typeof value === 'string' || typeof value === 'number') parts[name] = value;
  }
  if (typeof fact.target === 'number') parts.target = nameThen(info, fact.target, at);
  const role = `role.${String(parts.role)}`;
  const named = house.word(info.game, info.variant, role);
  if (named !== role) parts.role = named;
  const robot = info.seats.find((each) => each.robot && each.name === parts.name);
  if (robot) parts.name = seatName(info, robot);
  const text = house.word(info.game, info.variant, key, { ...parts, ...gamePage(info.game).line?.(fact) });
  return text === key ? '' : text;
}

/** Sentences that were made before: the list of what happened is shown anew at every event. */
const made = new WeakMap<Told, { key: string; sentences: string[] }>();

export function sentencesOf(info: TableInfo, told: Told): string[] {
  const key = `${language()} ${[...info.seats, ...info.former].map((each) => each.name).join(' ')}`;
  const known = made.get(told);
  if (known?.key === key) return known.sentences;
  const sentences = told.facts.map((fact) => sentenceOf(info, fact, told.at)).filter(Boolean);
  made.set(told, { key, sentences });
  return sentences;
}

/** Why a move was refused, in the game's words where it is the game that refuses. */
export function refusalOf(info: TableInfo, error: ErrorDetail): string {
  const key = `illegal.${String(error.parts.reason)}`;
  const own = { ...(error.parts as Parts), ...gamePage(info.game).line?.(error.parts) };
  const text = error.code === 'illegal' ? house.word(info.game, info.variant, key, own) : key;
  return text === key ? error.message || words('refusedUnknown') : text;
}
