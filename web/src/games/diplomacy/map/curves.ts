/** Bent lines between two places: where they leave a piece, where they arrive, and parts of them. */

import type { Spot } from './places';

export interface Curve {
  from: Spot;
  bend: Spot;
  to: Spot;
}

const BENT = 0.11;
const MOST_BENT = 30;

const n = (value: number): string => String(Math.round(value * 10) / 10);
export const at = ({ x, y }: Spot): string => `${n(x)} ${n(y)}`;

/** A line that bends a little to its right, so that one there and one back lie side by side. */
export function curve(from: Spot, to: Spot): Curve {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const bent = Math.min(length * BENT, MOST_BENT) * 2;
  const bend = { x: (from.x + to.x) / 2 - (dy / length) * bent, y: (from.y + to.y) / 2 + (dx / length) * bent };
  return { from, bend, to };
}

export function straight(from: Spot, to: Spot): Curve {
  return { from, bend: between(from, to, 0.5), to };
}

export function between(a: Spot, b: Spot, part: number): Spot {
  return { x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part };
}

export function pointOf({ from, bend, to }: Curve, part: number): Spot {
  return between(between(from, bend, part), between(bend, to, part), part);
}

/** The direction of the line at a point of it, of length 1. */
export function heading({ from, bend, to }: Curve, part: number): Spot {
  const [a, b] = [between(from, bend, part), between(bend, to, part)];
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  return { x: (b.x - a.x) / length, y: (b.y - a.y) / length };
}

/** The part of a line between two points of it. */
export function piece(line: Curve, first: number, last: number): Curve {
  const late: Curve = {
    from: pointOf(line, first),
    bend: between(line.bend, line.to, first),
    to: line.to,
  };
  const part = first >= 1 ? 1 : (last - first) / (1 - first);
  return { from: late.from, bend: between(late.from, late.bend, part), to: pointOf(late, part) };
}

export function path({ from, bend, to }: Curve): string {
  return `M${at(from)}Q${at(bend)} ${at(to)}`;
}

const STEPS = 60;

/** Where a line has left an oval about its beginning; where it has not, its middle. */
export function leaves(line: Curve, wide: number, high: number): number {
  for (let step = 0; step < STEPS / 2; step++) {
    const { x, y } = pointOf(line, step / STEPS);
    if (((x - line.from.x) / wide) ** 2 + ((y - line.from.y) / high) ** 2 >= 1) return step / STEPS;
  }
  return 0.45;
}

/** Where a line comes to an oval about its end. */
export function arrives(line: Curve, wide: number, high: number): number {
  return 1 - leaves({ from: line.to, bend: line.bend, to: line.from }, wide, high);
}

/** The point of a line that is nearest to a place, not quite at its ends. */
export function nearest(line: Curve, place: Spot): number {
  let [best, least] = [0.5, Infinity];
  for (let step = 4; step <= STEPS - 4; step++) {
    const { x, y } = pointOf(line, step / STEPS);
    const far = Math.hypot(x - place.x, y - place.y);
    if (far < least) [best, least] = [step / STEPS, far];
  }
  return best;
}

/** A line in waves along another. */
export function waves(line: Curve, length: number, height: number): string {
  const long = Math.hypot(line.to.x - line.from.x, line.to.y - line.from.y);
  const count = Math.max(2, Math.round(long / length));
  let drawn = `M${at(line.from)}`;
  for (let index = 0; index < count; index++) {
    const middle = pointOf(line, (index + 0.5) / count);
    const ahead = heading(line, (index + 0.5) / count);
    const side = (index % 2 ? 1 : -1) * height;
    drawn += `Q${at({ x: middle.x - ahead.y * side, y: middle.y + ahead.x * side })} ${at(pointOf(line, (index + 1) / count))}`;
  }
  return drawn;
}
