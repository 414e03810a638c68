/** A draft as an organiser changes it: everybody stands once, at a board, with a bye, or away. */

export interface Standing {
  boards: number[][];
  byes: number[];
  absent: number[];
}

export type Zone = 'byes' | 'absent' | number;

/** Two people in each other's places; of two without a game, a new board for two. */
export function exchanged(draft: Standing, one: number, other: number, isDuel: boolean): Standing {
  const isFree = (account: number) => !draft.boards.some((board) => board.includes(account));
  if (isDuel && isFree(one) && isFree(other)) return joined(draft, one, other);
  const turned = (account: number) => (account === one ? other : account === other ? one : account);
  return { boards: draft.boards.map((board) => board.map(turned)), byes: draft.byes.map(turned), absent: draft.absent.map(turned) };
}

function joined(draft: Standing, one: number, other: number): Standing {
  const without = (accounts: number[]) => accounts.filter((each) => each !== one && each !== other);
  return { boards: [...draft.boards, [one, other]], byes: without(draft.byes), absent: without(draft.absent) };
}

/** Somebody in another place; whom that leaves alone at a board for two has a bye. */
export function moved(draft: Standing, who: number, to: Zone, isDuel: boolean): Standing {
  const without = (accounts: number[]) => accounts.filter((each) => each !== who);
  let boards = draft.boards.map(without);
  let byes = without(draft.byes);
  let absent = without(draft.absent);
  if (typeof to === 'number') boards = boards.map((board, i) => (i === to ? [...board, who] : board));
  else if (to === 'byes') byes = [...byes, who];
  else absent = [...absent, who];
  if (isDuel) {
    byes = [...byes, ...boards.filter((board) => board.length === 1).flat()];
    boards = boards.filter((board) => board.length === 2);
  }
  return { boards: boards.filter((board) => board.length), byes, absent };
}
