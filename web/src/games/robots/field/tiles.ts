/** The tiles of the document's first annex: what each is, and which way it looks. */

/** A side of a tile, by the document's letters: north, east, south, west. */
export type Letter = 'N' | 'E' | 'S' | 'O';
export type Azimuth = 'North' | 'East' | 'South' | 'West';

export type Kind =
  | 'neutral' | 'belt' | 'bend' | 'junction' | 'turntable' | 'wall' | 'laser' | 'pusher'
  | 'action' | 'pothole' | 'press' | 'repair' | 'law';

interface TileFacts {
  name: string;
  code: number;
  kind: Kind;
  /** Sides on which it has a wall. */
  walls: Letter[];
  /** Where a belt takes from, the side a laser or a pusher stands on. */
  from: Letter[];
  /** Where a belt leads, a laser fires, a pusher pushes. */
  to: Letter | null;
  /** Quarters to the right by which it turns; -1 is to the left. */
  turn: number;
  /** The number of a law, the energy of a repair. */
  worth: number;
}

export const LETTERS: Letter[] = ['N', 'E', 'S', 'O'];
export const AZIMUTHS: Azimuth[] = ['North', 'East', 'South', 'West'];
const STEPS: Record<Letter, [number, number]> = { N: [0, -1], E: [1, 0], S: [0, 1], O: [-1, 0] };

/** One tile further toward a side: what is added to x and to y. */
export function step(side: Letter): [number, number] {
  return STEPS[side];
}

/** A side turned by quarters to the right. */
function quarterOf(side: Letter, quarters: number): Letter {
  return LETTERS[(LETTERS.indexOf(side) + quarters + 8) % 4]!;
}

export function opposite(side: Letter): Letter {
  return quarterOf(side, 2);
}

const bit = (side: Letter): number => 1 << LETTERS.indexOf(side);
const nibble = (sides: Letter[]): number => sides.reduce((sum, side) => sum + bit(side), 0);
const letters = (text: string): Letter[] => [...text] as Letter[];

function tile(name: string, code: number, kind: Kind, more: Partial<TileFacts> = {}): TileFacts {
  return { name, code, kind, walls: [], from: [], to: null, turn: 0, worth: 0, ...more };
}

function belt(from: string, to: Letter): TileFacts {
  const entries = letters(from);
  const code = nibble(entries) * 16 + bit(to);
  if (entries.length > 1) return tile(`conv_e${from}s${to}`, code, 'junction', { from: entries, to });
  // Heading away from its entry: a belt that leads to the right of that turns to the right.
  const turns = (LETTERS.indexOf(to) - LETTERS.indexOf(opposite(entries[0]!)) + 5) % 4 - 1;
  return tile(`conv_e${from}s${to}`, code, turns ? 'bend' : 'belt', { from: entries, to, turn: turns });
}

function wall(sides: string): TileFacts {
  return tile(`mur_${sides}`, 0x0100 + nibble(letters(sides)) * 16, 'wall', { walls: letters(sides) });
}

function laser(from: Letter): TileFacts {
  const to = opposite(from);
  return tile(`murLaser_${from}${to}`, 0x0200 + bit(from) * 16 + bit(to), 'laser', { walls: [from], from: [from], to });
}

function pusher(name: string, to: Letter): TileFacts {
  const from = opposite(to);
  return tile(`pous_${name}`, 0x0400 + bit(from) * 16 + bit(to), 'pusher', { from: [from], to });
}

const ALL: TileFacts[] = [
  tile('neutre', 0, 'neutral'),
  ...([['N', 'S'], ['E', 'O'], ['S', 'N'], ['O', 'E']] as [string, Letter][]).map(([from, to]) => belt(from, to)),
  belt('NO', 'E'),
  ...(
    [['O', 'S'], ['O', 'N'], ['S', 'O'], ['S', 'E'], ['E', 'N'], ['E', 'S'], ['N', 'E'], ['N', 'O']] as [string, Letter][]
  ).map(([from, to]) => belt(from, to)),
  tile('pt_babord', 0x00f0, 'turntable', { turn: -1 }),
  tile('pt_tribord', 0x000f, 'turntable', { turn: 1 }),
  ...['N', 'E', 'S', 'O', 'NE', 'NO', 'SE', 'SO', 'NS', 'EO', 'NEO', 'NES', 'NSO', 'ESO', 'NESO'].map(wall),
  ...(['N', 'E', 'S', 'O'] as Letter[]).map(laser),
  pusher('babord', 'O'),
  pusher('poupe', 'S'),
  pusher('proue', 'N'),
  pusher('tribord', 'E'),
  tile('action', 0x0800, 'action'),
  tile('nid2poule', 0x1001, 'pothole'),
  tile('presse', 0x1002, 'press'),
  tile('clef_1rep', 0x2001, 'repair', { worth: 1 }),
  tile('clef_2rep', 0x2002, 'repair', { worth: 2 }),
  tile('loi_r1', 0x8001, 'law', { worth: 1 }),
  tile('loi_r2', 0x8010, 'law', { worth: 2 }),
  tile('loi_r3', 0x8100, 'law', { worth: 3 }),
];

export const TILES: ReadonlyMap<string, TileFacts> = new Map(ALL.map((facts) => [facts.name, facts]));
const BY_CODE: ReadonlyMap<number, TileFacts> = new Map(ALL.map((facts) => [facts.code, facts]));
/** Two belts and a bend share no number, but `mur_NS0` is spelled with a zero in the document. */
const SPELLED: Record<string, string> = { mur_NS0: 'mur_NSO' };

export const NEUTRAL = 'neutre';

/** What a tile is by its name; an unknown one is drawn as such. */
export function factsOf(name: string): TileFacts | undefined {
  return TILES.get(name);
}

/** As it stands in a board's file: `0x0214, murLaser_NS`. */
export function tileText(name: string): string {
  const facts = TILES.get(name);
  return facts ? `0x${facts.code.toString(16).toUpperCase().padStart(4, '0')}, ${name}` : name;
}

/** The name in what a file says: the whole text, the number alone or the name alone; the text itself if unknown. */
export function readTile(value: unknown): string {
  if (typeof value === 'number') return BY_CODE.get(value)?.name ?? String(value);
  const text = String(value).trim();
  const name = text.includes(',') ? text.slice(text.indexOf(',') + 1).trim() : text;
  const plain = SPELLED[name] ?? name;
  if (TILES.has(plain)) return plain;
  return (/^0x[0-9a-f]+$|^\d+$/i.test(text) ? BY_CODE.get(Number(text))?.name : undefined) ?? text;
}

const BY_SHAPE: ReadonlyMap<string, string> = new Map(ALL.map((facts) => [shape(facts), facts.name]));

function shape({ kind, walls, from, to, turn, worth }: TileFacts): string {
  const sorted = (sides: Letter[]) => LETTERS.filter((side) => sides.includes(side)).join('');
  return [kind, sorted(walls), sorted(from), to, turn, worth].join('/');
}

function changed(name: string, side: (old: Letter) => Letter, turn: (old: number) => number): string {
  const facts = TILES.get(name);
  if (!facts) return name;
  const { walls, from, to } = facts;
  const wanted = { ...facts, walls: walls.map(side), from: from.map(side), to: to && side(to), turn: turn(facts.turn) };
  return BY_SHAPE.get(shape(wanted)) ?? name;
}

/** The tile after a quarter to the right; `conv_eNOsE` has one orientation only and stays. */
export function turnedTile(name: string, quarters = 1): string {
  return changed(name, (side) => quarterOf(side, quarters), (turn) => turn);
}

/** The tile in a mirror that swaps west and east. */
export function mirroredTile(name: string): string {
  return changed(name, (side) => (side === 'E' ? 'O' : side === 'O' ? 'E' : side), (turn) => -turn);
}
