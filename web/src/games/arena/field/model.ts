/** A board as the field draws it: the house's picture, and where everything in it is. */

import type { ArenaPicture, DrawnSquare } from '../../../house/types';

export type { ArenaPicture };

export interface FieldPawn {
  seat: number;
  x: number;
  y: number;
  /** Whose it is, in words. */
  name: string;
  isMine: boolean;
  /** Seen by few: under the mist, or gone. */
  isFaint?: boolean;
  /** Can be chosen. */
  isTarget?: boolean;
}

/** A square that can be chosen, and for what. */
export interface Lit {
  x: number;
  y: number;
  kind: 'reach' | 'push' | 'paint' | 'aim';
  label?: string;
}

/** The way that a pawn has just come: from where it stood to where it stands. */
export interface LastMove {
  seat: number;
  path: [number, number][];
}

export interface Point {
  x: number;
  y: number;
}

/** Room for the wall of the arena about the board. */
const AROUND = 1.09;
/** Beyond so many squares the ground is drawn colour by colour, not square by square. */
export const MANY = 2_000;

/** A picture with its geometry, turned so that one arm is at the bottom. */
export class Geometry {
  readonly width: number;
  readonly rows: number;
  readonly arms: number;
  /** The side of the square that the whole drawing fits in. */
  readonly size: number;
  readonly left: number;
  readonly top: number;
  readonly middle: Point;
  /** Degrees by which all is turned. */
  readonly turned: number;
  /** The room that a usual square has: everything small is measured by it. */
  readonly unit: number;
  readonly #spots: Point[];
  readonly #shapes: string[];

  constructor(
    readonly picture: ArenaPicture,
    rotation = 0,
  ) {
    const [left = 0, top = 0, size = 1] = picture.view_box.split(' ').map(Number);
    this.middle = { x: left + size / 2, y: top + size / 2 };
    this.size = size * AROUND;
    [this.left, this.top] = [this.middle.x - this.size / 2, this.middle.y - this.size / 2];
    this.width = picture.width;
    this.rows = picture.colors.length / picture.width;
    this.arms = picture.turns.length;
    this.turned = (360 * rotation) / this.arms;
    const angle = (this.turned * Math.PI) / 180;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    this.#spots = picture.centers.map(([x, y]) => {
      const [dx, dy] = [x - this.middle.x, y - this.middle.y];
      return { x: this.middle.x + dx * cos - dy * sin, y: this.middle.y + dx * sin + dy * cos };
    });
    this.#shapes = [];
    for (const each of picture.elements) this.#shapes[each.y * picture.arms_width + each.column] = pathOf(each);
    this.unit = this.room(0, this.rows - 1);
  }

  get viewBox(): string {
    return `${this.left} ${this.top} ${this.size} ${this.size}`;
  }

  get isLarge(): boolean {
    return this.picture.colors.length > MANY;
  }

  number(x: number, y: number): number {
    return y * this.width + x;
  }

  /** The middle of a square. */
  spot(x: number, y: number): Point {
    return this.#spots[this.number(x, y)] ?? this.middle;
  }

  color(x: number, y: number): string {
    return this.picture.colors[this.number(x, y)] ?? '';
  }

  /** The outline of a square of the first arm; `transform` brings it to its place. */
  shape(x: number, y: number): string {
    return this.#shapes[y * this.picture.arms_width + (x % this.picture.arms_width)] ?? '';
  }

  transform(x: number): string {
    return `${this.turn} ${this.picture.turns[Math.floor(x / this.picture.arms_width)]}`;
  }

  get turn(): string {
    return `rotate(${this.turned} ${this.middle.x} ${this.middle.y})`;
  }

  /** How far it is from a square to the nearest of its neighbours. */
  room(x: number, y: number): number {
    const at = this.spot(x, y);
    const around: [number, number][] = [[(x + 1) % this.width, y], [(x + this.width - 1) % this.width, y]];
    if (y > 0) around.push([x, y - 1]);
    if (y < this.rows - 1) around.push([x, y + 1]);
    return Math.min(...around.map(([ax, ay]) => apart(at, this.spot(ax, ay))));
  }

  /** How far the first row is from the centre, on its inner side. */
  get hollow(): number {
    const first = apart(this.spot(0, 0), this.middle);
    const second = this.rows > 1 ? apart(this.spot(0, 1), this.middle) : first + this.unit;
    return Math.max(0, first - (second - first) / 2);
  }

  /** The square at a point, if there is one. */
  at(point: Point): { x: number; y: number } | null {
    let [best, least] = [-1, Infinity];
    for (let square = 0; square < this.#spots.length; square++) {
      const spot = this.#spots[square]!;
      const far = (spot.x - point.x) ** 2 + (spot.y - point.y) ** 2;
      if (far < least) [best, least] = [square, far];
    }
    if (best < 0) return null;
    const [x, y] = [best % this.width, Math.floor(best / this.width)];
    return Math.sqrt(least) <= Math.max(this.room(x, y), this.unit) * 0.75 ? { x, y } : null;
  }
}

export function apart(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

function pathOf({ tag, attributes }: DrawnSquare): string {
  if (tag === 'path') return attributes.d ?? '';
  const { x, y, width, height } = attributes;
  return `M${x} ${y}h${width}v${height}h-${width}Z`;
}
