/** The colours of an arena as cards show them: a paint, and the motif that the board has too, for who sees no colours. */

import { motif } from '../field/motifs';

export interface Palette {
  /** In the order of the description. */
  colors: string[];
  /** As the house paints them. */
  paints: Record<string, string>;
}

const UNKNOWN = '#8b8b8b';

export function paintOf(palette: Palette, color: string): string {
  return palette.paints[color] ?? UNKNOWN;
}

/** Lines on a tile of 30. */
export function motifOf(palette: Palette, color: string): string {
  return motif(Math.max(0, palette.colors.indexOf(color)));
}

/** Black or white, whichever is better read on a paint. */
export function inkOn(paint: string): string {
  const [r, g, b] = [1, 3, 5].map((at) => (parseInt(paint.slice(at, at + 2), 16) / 255) ** 2.2) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.3 ? '#1d1a22' : '#ffffff';
}

/** The standard arena's, for pictures that belong to no game. */
export const STANDARD: Palette = {
  colors: ['BLACK', 'BLUE', 'RED', 'YELLOW'],
  paints: { BLACK: '#4d4d59', BLUE: '#3f7fc4', RED: '#c8463f', YELLOW: '#f0cf4a' },
};
