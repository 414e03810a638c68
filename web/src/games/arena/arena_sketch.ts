/** The standard arena's squares for pictures of the game, in the measures of its drawing. */

import { STANDARD } from './cards/palette';

/** Rows over the first eight columns, from the middle outward. */
const ROWS = ['YYKKKKYY', 'BBRRRRBB', 'BKRYBKRY', 'KYBRKYBR', 'KYBRKYBR', 'BKRYBKRY', 'BRKYBRKY', 'RBYKRBYK', 'RBYKRBYK'];
const LETTERS: Record<string, string> = { K: 'BLACK', B: 'BLUE', R: 'RED', Y: 'YELLOW' };
const RINGS: [number, number][] = [[184, 276], [279, 368], [372, 466]];
const CENTER = 985;
const ARMS = 8;
const WIDTH = 4;

interface SketchSquare {
  key: string;
  d: string;
  paint: string;
  /** The turn of its arm, in degrees. */
  turn: number;
}

function at(degrees: number, radius: number): string {
  const angle = (degrees * Math.PI) / 180;
  return `${(CENTER + radius * Math.sin(angle)).toFixed(1)},${(CENTER + radius * Math.cos(angle)).toFixed(1)}`;
}

function shape(column: number, y: number): string {
  const first = -22.5 + 11.25 * column + 0.25;
  const last = first + 10.75;
  const ring = RINGS[y];
  if (ring) {
    const [inner, outer] = ring;
    return `M${at(first, inner)}L${at(first, outer)}A${outer},${outer} 0 0 0 ${at(last, outer)}L${at(last, inner)}A${inner},${inner} 0 0 1 ${at(first, inner)}Z`;
  }
  const left = CENTER - 177 + 90 * column;
  if (y === RINGS.length) return `M${at(first, 471)}L${left},${CENTER + 530}h89L${at(last, 471)}A471,471 0 0 1 ${at(first, 471)}Z`;
  return `M${left},${CENTER + 531 + 89 * (y - 4)}h89v88h-89z`;
}

export const SQUARES: SketchSquare[] = Array.from({ length: ARMS }, (_, arm) =>
  ROWS.flatMap((row, y) =>
    Array.from({ length: WIDTH }, (_, column) => ({
      key: `${arm * WIDTH + column},${y}`,
      d: shape(column, y),
      paint: STANDARD.paints[LETTERS[row[(arm * WIDTH + column) % row.length]!]!]!,
      turn: (-360 * arm) / ARMS,
    })),
  ),
).flat();

/** The middle of a square, as the drawing has it. */
export function middleOf(x: number, y: number): [number, number] {
  const [arm, column] = [Math.floor(x / WIDTH), x % WIDTH];
  const turn = (2 * Math.PI * arm) / ARMS;
  const ring = RINGS[y];
  const degrees = -22.5 + 11.25 * (column + 0.5);
  const straight: [number, number] = ring
    ? [((ring[0] + ring[1]) / 2) * Math.sin((degrees * Math.PI) / 180), ((ring[0] + ring[1]) / 2) * Math.cos((degrees * Math.PI) / 180)]
    : [-132 + 90 * column, y === RINGS.length ? 500 : 575 + 89 * (y - 4)];
  const [dx, dy] = straight;
  return [CENTER + dx * Math.cos(turn) + dy * Math.sin(turn), CENTER - dx * Math.sin(turn) + dy * Math.cos(turn)];
}
