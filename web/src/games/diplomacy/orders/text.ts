/** Orders in the classic notation, French or English, and the list that typing narrows. */

import type { GameMap } from '../../../house/types';
import type { Language } from '../../../words/catalogue.svelte';
import { Act, ARMY, Phase, regionOf, unitsByRegion, type StandingUnit } from '../model';
import type { Order, SituationView } from '../types';

const SIGNS = {
  fr: { hold: 'T', disband: 'A', via: 'par convoi' },
  en: { hold: 'H', disband: 'D', via: 'via convoy' },
} as const;
const SHORES: Record<string, { fr: string; en: string }> = {
  n: { fr: 'côte nord', en: 'north coast' },
  s: { fr: 'côte sud', en: 'south coast' },
  e: { fr: 'côte est', en: 'east coast' },
  w: { fr: 'côte ouest', en: 'west coast' },
};
/** What people type for what an order does, beside the sign itself. */
const VERBS: Record<number, string[]> = {
  [Act.move]: ['-', 'VERS', 'ATTAQUE', 'TO'],
  [Act.supportMove]: ['S', 'SOUTIENT', 'SUPPORTS'],
  [Act.supportHold]: ['S', 'SOUTIENT', 'SUPPORTS'],
  [Act.hold]: ['T', 'TIENT', 'TENIR', 'H', 'HOLDS'],
  [Act.convoy]: ['C', 'CONVOIE', 'CONVOYS'],
  [Act.retreat]: ['R', 'RETRAITE', 'RETREATS'],
  [Act.disband]: ['A', 'DISPERSE', 'D', 'DISBANDS'],
  [Act.build]: ['+', 'CONSTRUIT', 'BUILD'],
  [Act.remove]: ['-', 'SUPPRIME', 'REMOVE'],
};

export function isRetreats(advancement: number): boolean {
  const phase = advancement % 5;
  return phase === Phase.summerRetreats || phase === Phase.winterRetreats;
}

function letter(kind: number | undefined): string {
  return kind ? (kind === ARMY ? 'A' : 'F') : '';
}

/** Capitals without accents, every dash and arrow a hyphen of its own. */
export function tokens(text: string): string[] {
  const plain = text
    .replace(/->|=>|[→–—−‑]/g, '-')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toUpperCase();
  return plain.match(/[A-Z0-9]+|[-+]/g) ?? [];
}

/** How orders of one position are written. */
export class Notation {
  readonly units: Map<number, StandingUnit>;
  readonly #codes = new Map<number, string>();
  readonly #names = new Map<number, string>();
  readonly #spellings = new Map<number, string[]>();

  constructor(
    readonly map: GameMap,
    situation: SituationView,
    advancement: number,
    readonly language: Language,
  ) {
    this.units = unitsByRegion(map, situation, isRetreats(advancement));
    for (const region of map.regions) {
      this.#codes.set(region.zone, region.code.toUpperCase());
      this.#names.set(region.zone, region[language].text);
      this.#spellings.set(region.zone, [region.code, region.fr.text, region.en.text].flatMap(tokens));
    }
    for (const coast of map.coasts) {
      const [code, shore] = coast.code.split('/') as [string, string];
      const said = SHORES[shore[0]!]?.[language] ?? shore;
      this.#codes.set(coast.zone, `${code.toUpperCase()} ${shore}`);
      this.#names.set(coast.zone, `${this.#names.get(coast.region)} (${said})`);
      this.#spellings.set(coast.zone, [...this.#spellings.get(coast.region)!, ...tokens(`${shore} ${said}`)]);
    }
  }

  /** `PAR`, `SPA nc`. */
  code(zone: number): string {
    return this.#codes.get(zone) ?? String(zone);
  }

  /** Paris, Espagne (côte nord). */
  name(zone: number): string {
    return this.#names.get(zone) ?? String(zone);
  }

  /** Of a coast alone: côte nord. */
  shore(zone: number): string {
    return /\((.+)\)$/.exec(this.name(zone))?.[1] ?? this.name(zone);
  }

  power(role: number): string {
    return this.map.powers.find((power) => power.role === role)?.[this.language] ?? String(role);
  }

  unitAt(zone: number): StandingUnit | undefined {
    return this.units.get(regionOf(this.map, zone));
  }

  /** `A PAR`. */
  unit(zone: number): string {
    const unit = this.unitAt(zone);
    return `${letter(unit?.kind)} ${this.code(unit?.zone ?? zone)}`.trim();
  }

  write(order: Order): string {
    const [role, act, zone, passive, destination, via, kind] = order;
    const signs = SIGNS[this.language];
    if (act === Act.build) return `+ ${letter(kind)} ${this.code(zone)}`;
    const own = `${letter(this.unitAt(zone)?.kind ?? kind)} ${this.code(zone)}`.trim();
    const target = this.code(destination);
    if (act === Act.move) return via ? `${own} - ${target} ${signs.via}` : `${own} - ${target}`;
    if (act === Act.hold) return `${own} ${signs.hold}`;
    if (act === Act.retreat) return `${own} R ${target}`;
    if (act === Act.disband) return `${own} ${signs.disband}`;
    if (act === Act.remove) return `- ${own}`;
    const friend = this.unitAt(passive);
    const other = friend ? `${letter(friend.kind)} ${this.code(passive)}` : this.code(passive);
    if (act === Act.supportHold) return `${own} S ${other}`;
    const power = friend && friend.role !== role ? this.map.powers.find((each) => each.role === friend.role) : undefined;
    const whose = power ? `${this.language === 'fr' ? power.adjective_fr : power.adjective_en} ` : '';
    return `${own} ${act === Act.convoy ? 'C' : 'S'} ${whose}${other} - ${target}`;
  }

  /** What may be typed for each word of an order, in the order of its words. */
  slots(order: Order): string[][] {
    const [role, act, zone, passive, destination, via, kind] = order;
    const places = (place: number): string[] => this.#spellings.get(place) ?? [];
    const verb = VERBS[act] ?? [];
    const own = [letter(act === Act.build ? kind : this.unitAt(zone)?.kind)];
    if (act === Act.build || act === Act.remove) return [verb, own, places(zone)];
    const found = [own, places(zone), verb];
    if (passive) {
      const friend = this.unitAt(passive);
      const power = friend && friend.role !== role ? this.map.powers.find((each) => each.role === friend.role) : undefined;
      if (power) found.push([power.fr, power.en, power.adjective_fr, power.adjective_en].flatMap(tokens));
      found.push([letter(friend?.kind)], places(passive));
      if (destination) found.push(['-', 'VERS', 'TO']);
    }
    if (destination) found.push(places(destination));
    if (via) found.push(['PAR', 'VIA', 'BY'], ['CONVOI', 'CONVOY']);
    return found;
  }
}

interface Completion {
  text: string;
  order: Order;
}

/** The orders that begin as is typed, or have the typed words in this order; the nearest first. */
export function complete(notation: Notation, orders: Iterable<Order>, typed: string, most = 8): Completion[] {
  const wanted = tokens(typed);
  if (!wanted.length) return [];
  const found: { completion: Completion; skipped: number; left: number }[] = [];
  for (const order of orders) {
    const fit = fits(notation.slots(order), wanted);
    if (fit) found.push({ completion: { text: notation.write(order), order }, ...fit });
  }
  found.sort((one, other) => one.skipped - other.skipped || one.left - other.left);
  return found.slice(0, most).map((each) => each.completion);
}

/** Whether typed words are beginnings of the words of an order: how many were skipped, how many are left. */
function fits(slots: string[][], wanted: string[]): { skipped: number; left: number } | null {
  let at = 0;
  let skipped = 0;
  let used = false;
  for (const word of wanted) {
    let next = at;
    // A name of several words is typed in several: the same place may answer again.
    while (next < slots.length && !slots[next]!.some((spelling) => spelling && spelling.startsWith(word))) next++;
    if (next === slots.length) return null;
    const begun = used ? at + 1 : at;
    skipped += Math.max(0, next - begun) * 2;
    // The same word twice is rather the next place that begins so.
    at = next;
    used = true;
    if (slots[next]!.length === 1 || word.length < 2 || slots[next]!.includes(word)) {
      at = next + 1;
      used = false;
    }
  }
  return { skipped, left: slots.length - (used ? at + 1 : at) };
}
