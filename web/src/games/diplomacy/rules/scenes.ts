/** The positions that the rules show, written as players write them. */

import type { GameMap } from '../../../house/types';
import { Act, ARMY, FLEET, type Drawn } from '../model';
import type { Order, SituationView } from '../types';

export interface Scene {
  situation: SituationView;
  drawn: Drawn[];
  around: number[];
}

const ACTS: Record<string, number> = { X: Act.remove, '-': Act.move, S: Act.supportMove, C: Act.convoy, R: Act.retreat, A: Act.disband, H: Act.hold };

/** Units as « 2 A par », orders as « 2 par - bur », with « ! » before one that fails; centres as « 2 par ». */
export function scene(map: GameMap, units: string[], orders: string[], around: string[], more: { out?: string[]; centres?: string[] } = {}): Scene {
  const zone = (code: string): number => [...map.regions, ...map.coasts].find((each) => each.code === code)?.zone ?? 0;
  const situation: SituationView = { ownerships: {}, units: {}, dislodged_ones: {}, fake_units: {}, forbiddens: [] };
  for (const text of units) {
    const [role, kind, code] = text.split(' ') as [string, string, string];
    (situation.units[role] ??= []).push([kind === 'F' ? FLEET : ARMY, zone(code)]);
  }
  for (const text of more.out ?? []) {
    const [role, kind, code] = text.split(' ') as [string, string, string];
    (situation.dislodged_ones[role] ??= []).push([kind === 'F' ? FLEET : ARMY, zone(code), 0]);
  }
  const owned = map.regions.filter((region) => region.centre);
  for (const text of more.centres ?? []) {
    const [role, ...codes] = text.split(' ') as [string, ...string[]];
    for (const code of codes) situation.ownerships[owned.findIndex((region) => region.code === code) + 1] = Number(role);
  }
  return { situation, drawn: orders.map((text) => order(text, zone)), around: around.map(zone) };
}

function order(text: string, zone: (code: string) => number): Drawn {
  const isFailed = text.startsWith('!');
  const parts = text.replace('!', '').split(' ');
  const [role, actor, sign, first, , second] = parts as [string, string, string, string?, string?, string?];
  const look = isFailed ? 'failed' : 'done';
  if (sign === '+')
    return { look, order: [Number(role), Act.build, zone(actor), 0, 0, 0, first === 'F' ? FLEET : ARMY] };
  const isHeld = sign === 'S' && second === undefined;
  const act = isHeld ? Act.supportHold : ACTS[sign]!;
  const isHelp = sign === 'S' || sign === 'C';
  const passive = isHelp ? zone(first!) : 0;
  const destination = isHelp ? (second ? zone(second) : 0) : first ? zone(first) : 0;
  const written: Order = [Number(role), act, zone(actor), passive, destination, 0, 0];
  return { look, order: written };
}
