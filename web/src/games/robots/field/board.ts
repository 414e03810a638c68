/** A board in the document's own form, and what its drawing needs of it. */

import { factsOf, NEUTRAL, opposite, readTile, step, tileText, type Azimuth, type Letter } from './tiles';

export interface ActiveTile {
  tileType: string;
  tileLocX: number;
  tileLocY: number;
}

export interface BoardDocument {
  boardIdx: number;
  boardWidth: number;
  boardHeight: number;
  boardActiveTiles: ActiveTile[];
}

/** A robot as the field shows it. */
export interface FieldRobot {
  seat: number;
  /** Its colour as on the wire, `#AARRGGBB`. */
  color: string;
  x: number;
  y: number;
  azimuth: Azimuth;
  name?: string;
  energy?: number;
  /** One's own is ringed. */
  isMine?: boolean;
  /** Off the board, or only where it would be. */
  isFaint?: boolean;
}

/** Where a robot comes by; a point with a register is where that register ends. */
export interface PathPoint {
  x: number;
  y: number;
  register?: number;
}

export interface Spot {
  x: number;
  y: number;
}

/** A beam from its laser to the last tile that it reaches. */
export interface Beam {
  x: number;
  y: number;
  to: Letter;
  /** How many tiles it crosses, its own included. */
  length: number;
  /** Whether a robot stops it. */
  isStopped: boolean;
}

export const SIZE = 12;

export function numberOf(x: number, y: number): number {
  return (y - 1) * SIZE + (x - 1);
}

export function spotOf(number: number): Spot {
  return { x: (number % SIZE) + 1, y: Math.floor(number / SIZE) + 1 };
}

export function isInside(x: number, y: number): boolean {
  return x >= 1 && x <= SIZE && y >= 1 && y <= SIZE;
}

/** The name of the tile on each of the 144 places; of two on one place the last. */
export function tilesOf(board: BoardDocument): string[] {
  const tiles = Array<string>(SIZE * SIZE).fill(NEUTRAL);
  for (const { tileType, tileLocX, tileLocY } of board.boardActiveTiles) {
    if (isInside(tileLocX, tileLocY)) tiles[numberOf(tileLocX, tileLocY)] = readTile(tileType);
  }
  return tiles;
}

/** The board's file from its 144 tiles. */
export function documentOf(tiles: string[], index = 0): BoardDocument {
  const active = tiles.flatMap((name, number) => {
    const { x, y } = spotOf(number);
    return name === NEUTRAL ? [] : [{ tileType: tileText(name), tileLocX: x, tileLocY: y }];
  });
  return { boardIdx: index, boardWidth: SIZE, boardHeight: SIZE, boardActiveTiles: active };
}

/** Whether a wall stands on that side of a tile, its own or its neighbour's, or the board ends there. */
export function isWalled(tiles: string[], x: number, y: number, side: Letter): boolean {
  const [dx, dy] = step(side);
  if (!isInside(x + dx, y + dy)) return true;
  const has = (number: number, wanted: Letter) => factsOf(tiles[number]!)?.walls.includes(wanted) ?? false;
  return has(numberOf(x, y), side) || has(numberOf(x + dx, y + dy), opposite(side));
}

/** Every beam of the board, until a wall or a robot stops it. */
export function beamsOf(tiles: string[], robots: Spot[] = []): Beam[] {
  const taken = new Set(robots.map(({ x, y }) => numberOf(x, y)));
  return tiles.flatMap((name, number) => {
    const facts = factsOf(name);
    if (facts?.kind !== 'laser' || !facts.to) return [];
    const { x, y } = spotOf(number);
    const [dx, dy] = step(facts.to);
    let length = 1;
    const isTaken = () => taken.has(numberOf(x + dx * (length - 1), y + dy * (length - 1)));
    while (!isTaken() && !isWalled(tiles, x + dx * (length - 1), y + dy * (length - 1), facts.to)) length++;
    return [{ x, y, to: facts.to, length, isStopped: isTaken() }];
  });
}

/** `#AARRGGBB` as a stylesheet writes it; the depth of the colour is left out, a robot is never half seen. */
export function paint(color: string): string {
  const found = /^#?(?:[0-9a-f]{2})?([0-9a-f]{6})$/i.exec(color);
  return `#${found?.[1] ?? '808080'}`;
}

/** Whether dark ink is read better on a colour than white. */
export function isLight(color: string): boolean {
  const value = Number.parseInt(paint(color).slice(1), 16);
  const part = (shift: number) => {
    const share = ((value >> shift) & 255) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * part(16) + 0.7152 * part(8) + 0.0722 * part(0) > 0.18;
}
