/** A position with its orders in the part of an address behind the `#`: `standard.1.…`, read back with every check. */

// Why: docs/decisions.md#the-link-is-the-sandbox

import type { GameMap } from '../../../house/types';
import { Act } from '../model';
import type { Order, SituationView } from '../types';

export type Choices = 'DATC' | 'AFJD';

/** What a link carries. */
export interface Problem {
  variant: string;
  choices: Choices;
  advancement: number;
  situation: SituationView;
  orders: Order[];
}

/** What a link cannot be read for: cut short or changed, or of a later page. */
export class BadLink extends Error {
  constructor(readonly why: 'broken' | 'newer') {
    super(why);
  }
}

const VERSION = '1';
const LONGEST = 20_000;
const LATEST = 10_000;
const MOST = 400;

export function write(problem: Problem): string {
  const { situation } = problem;
  const out: number[] = [];
  const number = (value: number): void => {
    for (; value >= 128; value >>>= 7) out.push((value & 127) | 128);
    out.push(value);
  };
  const list = (rows: number[][]): void => {
    number(rows.length);
    rows.flat().forEach(number);
  };
  number(problem.advancement);
  number(problem.choices === 'AFJD' ? 1 : 0);
  list(Object.entries(situation.ownerships).map(([centre, role]) => [Number(centre), role]));
  list(rowsOf(situation.units));
  list(rowsOf(situation.dislodged_ones));
  list(situation.forbiddens.map((region) => [region]));
  // The act, the convoy and the kind share a number.
  list(
    problem.orders.map(([role, act, zone, passive, destination, via, kind]) => [
      role, act + 16 * Number(via) + 32 * (act === Act.build ? kind : 0), zone, passive, destination,
    ]),
  );
  const sum = checksum(out, problem.variant);
  out.push(sum >> 8, sum & 255);
  const text = btoa(String.fromCharCode(...out)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  return `${problem.variant}.${VERSION}.${text}`;
}

/** The problem in a link; raises BadLink. */
export function read(text: string): Problem {
  const [, variant, version, body] = /^([a-z0-9-]{1,40})\.(\d{1,3})\.([\w-]+)$/.exec(text) ?? [];
  if (!variant || !body || text.length > LONGEST) throw new BadLink('broken');
  if (version !== VERSION) throw new BadLink('newer');
  const bytes = bytesOf(body);
  const sum = checksum(bytes.slice(0, -2), variant);
  if (bytes.length < 2 || bytes.at(-2) !== sum >> 8 || bytes.at(-1) !== (sum & 255)) throw new BadLink('broken');

  let at = 0;
  const number = (most: number): number => {
    let value = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = bytes[at++];
      if (byte === undefined || at > bytes.length - 2) throw new BadLink('broken');
      value |= (byte & 127) << shift;
      if (byte < 128) {
        if (value > most) throw new BadLink('broken');
        return value;
      }
    }
    throw new BadLink('broken');
  };
  const list = (width: number): number[][] =>
    Array.from({ length: number(MOST) }, () => Array.from({ length: width }, () => number(1000)));

  const advancement = number(LATEST);
  const choices: Choices = number(1) ? 'AFJD' : 'DATC';
  const situation: SituationView = {
    ownerships: Object.fromEntries(list(2).map(([centre, role]) => [String(centre), role!])),
    units: byRole(list(3)) as SituationView['units'],
    dislodged_ones: byRole(list(4)) as SituationView['dislodged_ones'],
    fake_units: {},
    forbiddens: list(1).map(([region]) => region!),
  };
  const orders = list(5).map(([role, packed, zone, passive, destination]): Order => {
    return [role!, packed! & 15, zone!, passive!, destination!, packed! & 16 ? 1 : 0, packed! >> 5];
  });
  if (at !== bytes.length - 2) throw new BadLink('broken');
  return { variant, choices, advancement, situation, orders };
}

/** Whether every place and every power that a problem speaks of is on this map. */
export function fits(map: GameMap, { situation, orders }: Problem): boolean {
  const zones = new Set([0, ...map.regions.map((region) => region.zone), ...map.coasts.map((coast) => coast.zone)]);
  const roles = new Set(map.powers.map((power) => power.role));
  const centres = map.regions.filter((region) => region.centre).length;
  const units = [...rowsOf(situation.units), ...rowsOf(situation.dislodged_ones)];
  return (
    units.every(([role, kind, zone, origin]) => roles.has(role!) && (kind === 1 || kind === 2) && zone! > 0 && zones.has(zone!) && zones.has(origin ?? 0)) &&
    Object.entries(situation.ownerships).every(([centre, role]) => Number(centre) >= 1 && Number(centre) <= centres && roles.has(role)) &&
    situation.forbiddens.every((region) => region > 0 && zones.has(region)) &&
    orders.every(([role, act, zone, passive, destination, , kind]) => roles.has(role) && act >= 1 && act <= Act.remove && zone > 0 && kind <= 2 && [zone, passive, destination].every((each) => zones.has(each)))
  );
}

function rowsOf(table: Record<string, number[][]>): number[][] {
  return Object.entries(table).flatMap(([role, units]) => units.map((unit) => [Number(role), ...unit]));
}

function byRole(rows: number[][]): Record<string, number[][]> {
  const found: Record<string, number[][]> = {};
  for (const [role, ...unit] of rows) (found[String(role)] ??= []).push(unit);
  return found;
}

function bytesOf(text: string): number[] {
  try {
    return [...atob(text.replaceAll('-', '+').replaceAll('_', '/'))].map((letter) => letter.charCodeAt(0));
  } catch {
    throw new BadLink('broken');
  }
}

/** Fletcher's, over the name of the variant too: a link that lost a letter is not another position. */
function checksum(bytes: readonly number[], variant: string): number {
  let [one, two] = [1, 0];
  for (const byte of [...bytes, ...[...variant].map((letter) => letter.charCodeAt(0))]) {
    one = (one + byte) % 251;
    two = (two + one) % 251;
  }
  return (two << 8) | one;
}
