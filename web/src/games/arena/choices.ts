/** What one has in hand at the board, a card, a trump, a power or a push, and what a square or a player then means. */

import type { Lit } from './field/model';
import { colorAt, described, isSameCard, keyOf, placeOf, type ArenaLegal, type Place, type PlayableCard } from './model';
import type { ArenaView, NamedCard } from './types';
import { colorName, squareName } from './names';
import { words } from './words';

export type Choice =
  | { of: 'card'; index: number; held: NamedCard }
  | { of: 'trump'; trump: string }
  | { of: 'power'; color: string | null }
  | { of: 'victim'; seat: number }
  | { of: 'pass' };

export type Action = Record<string, unknown>;

export function playable(legal: ArenaLegal | null, held: NamedCard): PlayableCard | undefined {
  return legal?.play?.find((each) => isSameCard(each, held));
}

/** Whether a choice still means something, now that the house has said something new. */
export function isStillOpen(choice: Choice, view: ArenaView, legal: ArenaLegal | null): boolean {
  switch (choice.of) {
    case 'card': {
      const now = view.hand?.[choice.index];
      return now !== undefined && isSameCard(now, choice.held) && playable(legal, now) !== undefined;
    }
    case 'trump':
      return legal?.play_trump?.some((each) => each.trump === choice.trump) ?? false;
    case 'power':
      return legal?.use_power !== undefined;
    case 'victim':
      return String(choice.seat) in (legal?.push?.targets ?? {});
    case 'pass':
      return legal?.pass === true;
  }
}

/** Who may be chosen now. */
export function targetsOf(choice: Choice | null, legal: ArenaLegal | null): number[] {
  if (legal?.push) return Object.keys(legal.push.targets).map(Number);
  if (choice?.of === 'trump') return legal?.play_trump?.find((each) => each.trump === choice.trump)?.targets ?? [];
  if (choice?.of === 'power') return legal?.use_power?.targets ?? [];
  return [];
}

/** The squares that may be chosen now, each with what it means. */
export function litOf(choice: Choice | null, view: ArenaView, legal: ArenaLegal | null, nameOf: (seat: number) => string): Lit[] {
  const description = described(view.description);
  const said = (x: number, y: number) => `${squareName(x, y)}, ${colorName(colorAt(description, view.painted, x, y))}`;
  if (legal?.push) {
    return pushSquares(choice, legal.push.targets).map(([seat, [x, y]]) => ({
      x, y, kind: 'push' as const, label: words('pushTo', { name: nameOf(seat), square: said(x, y) }),
    }));
  }
  if (choice?.of === 'card') {
    return Object.entries(playable(legal, choice.held)?.reach ?? {}).map(([key, way]) => {
      const [x, y] = placeOf(key);
      return { x, y, kind: 'reach' as const, label: `${words('go', { square: said(x, y) })}, ${words('way', { n: way.length })}` };
    });
  }
  if (choice?.of === 'power' && choice.color) return paintable(choice.color, view, legal);
  return [];
}

function paintable(color: string, view: ArenaView, legal: ArenaLegal | null): Lit[] {
  const description = described(view.description);
  const { circle_rows, arm_rows, number_arms, arms_width } = description.board;
  const fixed = new Set((legal?.use_power?.not_on ?? []).map(([x, y]) => keyOf(x, y)));
  const found: Lit[] = [];
  for (let y = 0; y < circle_rows.length + arm_rows.length; y++) {
    for (let x = 0; x < number_arms * arms_width; x++) {
      if (fixed.has(keyOf(x, y)) || colorAt(description, view.painted, x, y) === color) continue;
      found.push({ x, y, kind: 'paint', label: words('paintHere', { square: squareName(x, y), color: colorName(color) }) });
    }
  }
  return found;
}

/** Without a pawn chosen, a square counts where only one pawn could be pushed there. */
function pushSquares(choice: Choice | null, targets: Record<string, Place[]>): [number, Place][] {
  const seats = Object.keys(targets).map(Number);
  const victim = choice?.of === 'victim' ? choice.seat : seats.length === 1 ? seats[0]! : null;
  const all = seats.flatMap((seat) => targets[seat]!.map((place): [number, Place] => [seat, place]));
  if (victim !== null) return all.filter(([seat]) => seat === victim);
  const times = new Map<string, number>();
  for (const [, [x, y]] of all) times.set(keyOf(x, y), (times.get(keyOf(x, y)) ?? 0) + 1);
  return all.filter(([, [x, y]]) => times.get(keyOf(x, y)) === 1);
}

/** The way that would be gone to a square, from where the pawn stands. */
export function wayTo(choice: Choice | null, view: ArenaView, legal: ArenaLegal | null, square: Place | null): Place[] {
  if (!square) return [];
  if (legal?.push) {
    const found = pushSquares(choice, legal.push.targets).find(([, [x, y]]) => x === square[0] && y === square[1]);
    const from = found && view.players[found[0]]?.pawn;
    return from ? [from, square] : [];
  }
  if (choice?.of !== 'card' || view.you == null) return [];
  const way = playable(legal, choice.held)?.reach[keyOf(...square)];
  const from = view.players[view.you]?.pawn;
  return way && from ? [from, ...way] : [];
}

/** What a touched square does, or null where it does nothing. */
export function actionOn(choice: Choice | null, legal: ArenaLegal | null, [x, y]: Place): Action | null {
  if (legal?.push) {
    const found = pushSquares(choice, legal.push.targets).find(([, place]) => place[0] === x && place[1] === y);
    return found ? { do: 'push', target: found[0], x, y } : null;
  }
  if (choice?.of === 'card') {
    const isReached = playable(legal, choice.held)?.reach[keyOf(x, y)] !== undefined;
    return isReached ? { do: 'play', ...choice.held, x, y } : null;
  }
  if (choice?.of === 'power' && choice.color) return { do: 'use_power', x, y, color: choice.color };
  return null;
}

/** What a chosen player does, for a trump or a power that asks for one. */
export function actionAt(choice: Choice | null, seat: number): Action | null {
  if (choice?.of === 'trump') return { do: 'play_trump', trump: choice.trump, target: seat };
  if (choice?.of === 'power') return { do: 'use_power', target: seat };
  return null;
}
