/** Which boards go together in one race, before the house is asked. */

import { tilesOf, type BoardDocument } from './field/board';

const LAWS = ['loi_r1', 'loi_r2', 'loi_r3'];

/** Whether something read from a file has the form of a board. */
export function isBoard(value: unknown): value is BoardDocument {
  const board = value as Partial<BoardDocument> | null;
  return typeof board === 'object' && board !== null && Array.isArray(board.boardActiveTiles);
}

/** Why a board does not go with others: its laws must be on the same tiles, its action tiles on others. */
function clashOf(board: BoardDocument, others: BoardDocument[]): 'elsewhere' | 'sameAction' | null {
  const own = tilesOf(board);
  for (const tiles of others.map(tilesOf)) {
    if (LAWS.some((law) => own.indexOf(law) !== tiles.indexOf(law))) return 'elsewhere';
    if (own.some((name, number) => name === 'action' && tiles[number] === 'action')) return 'sameAction';
  }
  return null;
}

/** Whether two boards can be swapped in one race: nothing is against it, and there is a tile that does it. */
export function goTogether(board: BoardDocument, other: BoardDocument): boolean {
  const hasAction = [board, other].some((each) => tilesOf(each).includes('action'));
  return hasAction && clashOf(board, [other]) === null;
}
