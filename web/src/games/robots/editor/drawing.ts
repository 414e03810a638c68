/** What can be done to a board that is being drawn: pure, from one document to the next. */

import { isInside, numberOf, SIZE, type ActiveTile, type BoardDocument } from '../field/board';
import { mirroredTile, NEUTRAL, readTile, tileText, turnedTile } from '../field/tiles';

const JUNCTION = 'conv_eNOsE';
/** No file of a board is larger than this by far. */
const LONGEST = 200_000;

type Unreadable = 'noJson' | 'noBoard' | 'noTiles' | 'noPlace' | 'tooLong';

/** A text that is no board at all; a board with faults is read, and its faults are shown. */
export class NotABoard extends Error {
  constructor(
    readonly why: Unreadable,
    readonly at = 0,
  ) {
    super(why);
  }
}

export function blank(): BoardDocument {
  return { boardIdx: 0, boardWidth: SIZE, boardHeight: SIZE, boardActiveTiles: [] };
}

/** What a place has; of several the last. */
export function tileAt(board: BoardDocument, x: number, y: number): string {
  const found = board.boardActiveTiles.findLast((tile) => tile.tileLocX === x && tile.tileLocY === y);
  return found ? readTile(found.tileType) : NEUTRAL;
}

/** The board with this tile in a place; neutral takes away what was there. A law is moved: there is one of each. */
export function painted(board: BoardDocument, x: number, y: number, name: string): BoardDocument {
  const others = board.boardActiveTiles.filter(
    (tile) => !(tile.tileLocX === x && tile.tileLocY === y) && !(name.startsWith('loi_') && readTile(tile.tileType) === name),
  );
  const added: ActiveTile[] = name === NEUTRAL ? [] : [{ tileType: tileText(name), tileLocX: x, tileLocY: y }];
  return { ...board, boardActiveTiles: inOrder([...others, ...added]) };
}

/** The board without what stands outside of it. */
export function trimmed(board: BoardDocument): BoardDocument {
  const inside = board.boardActiveTiles.filter((tile) => isInside(tile.tileLocX, tile.tileLocY));
  return { ...board, boardWidth: SIZE, boardHeight: SIZE, boardActiveTiles: inside };
}

export function hasOutside(board: BoardDocument): boolean {
  return (
    board.boardWidth !== SIZE ||
    board.boardHeight !== SIZE ||
    board.boardActiveTiles.some((tile) => !isInside(tile.tileLocX, tile.tileLocY))
  );
}

function inOrder(tiles: ActiveTile[]): ActiveTile[] {
  return tiles.toSorted((one, other) => numberOf(one.tileLocX, one.tileLocY) - numberOf(other.tileLocX, other.tileLocY));
}

/** A conveyor with two entries exists in one orientation only: a board that has one can be neither turned nor mirrored. */
export function canBeTurned(board: BoardDocument): boolean {
  return board.boardActiveTiles.every((tile) => readTile(tile.tileType) !== JUNCTION);
}

function moved(board: BoardDocument, place: (x: number, y: number) => [number, number], tile: (name: string) => string): BoardDocument {
  const active = board.boardActiveTiles.map(({ tileType, tileLocX, tileLocY }) => {
    const [x, y] = place(tileLocX, tileLocY);
    return { tileType: tileText(tile(readTile(tileType))), tileLocX: x, tileLocY: y };
  });
  return { ...board, boardActiveTiles: inOrder(active) };
}

/** The whole board after a quarter to the right. */
export function turned(board: BoardDocument): BoardDocument {
  return moved(board, (x, y) => [SIZE + 1 - y, x], turnedTile);
}

/** The whole board in a mirror: west is east. */
export function mirrored(board: BoardDocument): BoardDocument {
  return moved(board, (x, y) => [SIZE + 1 - x, y], mirroredTile);
}

export function isSame(one: BoardDocument, other: BoardDocument): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The file of a board: a line for each tile, as a person would write it. */
export function written(board: BoardDocument): string {
  const tiles = board.boardActiveTiles.map((tile) => `    ${JSON.stringify(tile).replaceAll(':', ': ').replaceAll(',"', ', "')}`);
  const { boardIdx, boardWidth, boardHeight } = board;
  const list = tiles.length ? `[\n${tiles.join(',\n')}\n  ]` : '[]';
  return `{\n  "boardIdx": ${boardIdx},\n  "boardWidth": ${boardWidth},\n  "boardHeight": ${boardHeight},\n  "boardActiveTiles": ${list}\n}\n`;
}

/** The board that a text describes, faulty or not. Throws NotABoard where nothing can be drawn of it. */
export function read(text: string): BoardDocument {
  if (text.length > LONGEST) throw new NotABoard('tooLong');
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    throw new NotABoard('noJson');
  }
  if (typeof found !== 'object' || found === null || Array.isArray(found)) throw new NotABoard('noBoard');
  const given = found as Record<string, unknown>;
  if (!Array.isArray(given.boardActiveTiles)) throw new NotABoard('noTiles');
  const tiles = given.boardActiveTiles.map((tile: unknown, i): ActiveTile => {
    const { tileType, tileLocX, tileLocY } = (tile ?? {}) as Record<string, unknown>;
    const isTyped = typeof tileType === 'string' || typeof tileType === 'number';
    if (!isTyped || !Number.isInteger(tileLocX) || !Number.isInteger(tileLocY)) throw new NotABoard('noPlace', i + 1);
    return { tileType: tileText(readTile(tileType)), tileLocX: tileLocX as number, tileLocY: tileLocY as number };
  });
  return {
    boardIdx: 0,
    boardWidth: whole(given.boardWidth),
    boardHeight: whole(given.boardHeight),
    boardActiveTiles: tiles,
  };
}

function whole(value: unknown): number {
  return Number.isInteger(value) && (value as number) >= 0 ? (value as number) : SIZE;
}
