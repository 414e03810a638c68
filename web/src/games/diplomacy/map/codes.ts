/** Where the codes of regions are written on a small map: clear of pieces, marks, arrows' heads and one another. */

import type { GameMap, MapRegion } from '../../../house/types';
import { Act, regionOf, unitsByRegion, type Drawn } from '../model';
import type { SituationView } from '../types';
import { besides, isMarkBeside, standing, type Spot } from './places';

/** Half the width and half the height of something. */
type Half = [number, number];

interface Thing {
  at: Spot;
  half: Half;
}

interface Code extends Thing {
  region: MapRegion;
  /** Where it might be written, the place on the drawing first. */
  choices: Spot[];
  /** Pieces, marks and heads of arrows that it could run into. */
  near: Thing[];
}

export const CODE_SIZE = 15;
/** The letters of seas lean, and are wider. */
const [CODE, SEA_CODE]: [Half, Half] = [[17.5, 6.5], [20, 6.5]];
const TOKEN: Half = [16, 10.5];
/** A unit that holds or is held has a ring. */
const RINGED: Half = [21, 15.5];
const MARK: Half = [6.5, 6.5];
/** The head of an arrow, where somebody goes. */
const HEAD: Half = [10, 10];
const GAP = 1.5;
const PASSES = 3;
/** What it costs to be hidden, to stand where another region is meant, and to be far from one's place. */
const [HIDDEN, ASTRAY, AWAY] = [6, 1.2, 0.25];
const AROUND = [-1, -0.5, 0, 0.5, 1];

/** By region, for pieces and letters drawn so many times their size. */
export function codePlaces(
  map: GameMap, situation: SituationView, drawn: readonly Drawn[], piece: number, letter: number,
): Map<number, Spot> {
  const held = new Set(drawn.flatMap(({ order: [, act, zone, passive] }) =>
    act === Act.hold ? [regionOf(map, zone)] : act === Act.supportHold ? [regionOf(map, passive)] : [],
  ));
  const token = (zone: number): Half => scaled(held.has(regionOf(map, zone)) ? RINGED : TOKEN, piece);
  const heads = drawn.flatMap(({ order: [, act, , , to] }): Thing[] =>
    act === Act.move || act === Act.retreat ? [{ at: standing(map, to), half: scaled(HEAD, piece) }] : [],
  );
  const things = [...obstacles(map, situation, piece, token), ...heads];
  const taken = unitsByRegion(map, situation);
  const codes = map.regions.map((region): Code => {
    const half = scaled(region.kind === 'sea' ? SEA_CODE : CODE, letter);
    const at = spot(region.label);
    const unit = taken.get(region.zone);
    const choices = choicesFor(at, unit ? { at: standing(map, unit.zone), half: token(unit.zone) } : null, half);
    const reach = half[0] * 5;
    return { region, at, half, choices, near: things.filter((thing) => distance(thing.at, at) < reach) };
  });
  const close = codes.map((code) => codes.filter((other) => other !== code && distance(other.at, code.at) < code.half[0] * 9));
  for (let pass = 0; pass < PASSES; pass += 1) {
    codes.forEach((code, index) => {
      code.at = cheapest(code.choices, (choice) => cost(map, code, close[index]!, choice));
    });
  }
  return new Map(codes.map(({ region, at }) => [region.zone, at]));
}

function obstacles(map: GameMap, situation: SituationView, piece: number, token: (zone: number) => Half): Thing[] {
  const all = (units: Record<string, number[][]>, place: (map: GameMap, zone: number) => Spot): Thing[] =>
    Object.values(units).flatMap((own) => own.map(([, zone]) => ({ at: place(map, zone!), half: token(zone!) })));
  const taken = unitsByRegion(map, situation);
  const marks = map.regions.flatMap((region): Thing[] => {
    const { centre, unit: [x, y] } = region;
    if (!centre) return [];
    const push = taken.has(region.zone) && isMarkBeside(region) ? piece : 1;
    return [{ at: { x: x + (centre[0] - x) * push, y: y + (centre[1] - y) * push }, half: scaled(MARK, piece) }];
  });
  return [...all(situation.units, standing), ...all(situation.dislodged_ones, besides), ...marks];
}

/** On the drawing, round the unit, and a little beside the place on the drawing. */
function choicesFor(label: Spot, unit: Thing | null, [w, h]: Half): Spot[] {
  const found = [label];
  for (const side of AROUND) {
    for (const over of [-1, 1]) {
      if (unit) found.push({ x: unit.at.x + side * w, y: unit.at.y + over * (unit.half[1] + h + GAP) });
      found.push({ x: label.x + side * w, y: label.y + over * 1.6 * h }, { x: label.x + over * 1.5 * w, y: label.y + side * 2 * h });
    }
  }
  if (unit) for (const over of [-1, 1]) found.push({ x: unit.at.x + over * (unit.half[0] + w + GAP), y: unit.at.y });
  return found;
}

function cost(map: GameMap, code: Code, others: Code[], at: Spot): number {
  const [w, h] = code.half;
  let hidden = 0;
  for (const thing of code.near) hidden += shared(at, code.half, thing);
  for (const other of others) hidden += shared(at, code.half, other);
  const isCut = at.x < w || at.y < h || at.x > map.width - w || at.y > map.height - h;
  const isAstray = others.some((other) => nearest(other.region, at) < nearest(code.region, at));
  return (
    (HIDDEN * hidden) / (4 * w * h) +
    (isCut ? HIDDEN : 0) +
    (isAstray ? ASTRAY : 0) +
    (AWAY * distance(at, spot(code.region.label))) / w
  );
}

/** How far it is to what tells the region: its name on the drawing, or the place of its unit. */
function nearest({ label, unit }: MapRegion, at: Spot): number {
  return Math.min(distance(spot(label), at), distance(spot(unit), at));
}

/** The area that two things have in common. */
function shared(at: Spot, [w, h]: Half, other: Thing): number {
  const wide = w + other.half[0] - Math.abs(at.x - other.at.x);
  const high = h + other.half[1] - Math.abs(at.y - other.at.y);
  return wide > 0 && high > 0 ? wide * high : 0;
}

function cheapest(choices: Spot[], price: (choice: Spot) => number): Spot {
  let [best, least] = [choices[0]!, Infinity];
  for (const choice of choices) {
    const now = price(choice);
    if (now < least) [best, least] = [choice, now];
  }
  return best;
}

function scaled([w, h]: Half, factor: number): Half {
  return [w * factor, h * factor];
}

function spot([x, y]: [number, number]): Spot {
  return { x, y };
}

function distance(one: Spot, other: Spot): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}
