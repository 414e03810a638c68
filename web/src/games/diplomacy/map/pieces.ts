/** The shapes of the pieces and of the patterns, in units of the map about their own middle. */

export const ARMY_TOKEN = 'M-13-9.5H13Q15-9.5 15-7.5V7.5Q15 9.5 13 9.5H-13Q-15 9.5-15 7.5V-7.5Q-15-9.5-13-9.5Z';
export const FLEET_TOKEN = 'M-15.5-7.5Q0-11 15.5-7.5L12.3 5.3Q11 9.5 6 9.5H-6Q-11 9.5-12.3 5.3Z';
export const CANNON =
  'M-12.5.2L-1.5-5.6L-.2-2.6L-6 .3A3.9 3.9 0 1 1-9.9 2.3L-11.6 2.6ZM-6.1 2.6A1.2 1.2 0 1 0-6.1 5A1.2 1.2 0 1 0-6.1 2.6Z';
export const SHIP = 'M-6.2-6.5V1.2H-10.6Q-7.4-1.8-6.2-6.5ZM-5-6.5Q-.8-3-1.2 1.2H-5ZM-11.4 2.6H.2L-1.8 6H-9.6Z';

/** Tiles of 12 by 12: lines to stroke, or dots to fill. */
export const PATTERNS: Record<string, { lines?: string; dots?: [number, number, number][]; width?: number }> = {
  diagonal: { lines: 'M-3 3L3-3M0 12L12 0M9 15L15 9', width: 1.3 },
  dots: { dots: [[3, 3, 1.5], [9, 9, 1.5]] },
  horizontal: { lines: 'M0 3H12M0 9H12', width: 1.1 },
  crossed: { lines: 'M0 0L12 12M12 0L0 12', width: 0.9 },
  vertical: { lines: 'M3 0V12M9 0V12', width: 1.1 },
  rising: { lines: 'M-3 9L3 15M0 0L12 12M9-3L15 3', width: 1.3 },
  waves: { lines: 'M0 4Q3 1 6 4T12 4M0 10Q3 7 6 10T12 10', width: 1.1 },
  rings: { lines: 'M3 6A3 3 0 1 1 9 6A3 3 0 1 1 3 6', width: 1.1 },
  bricks: { lines: 'M0 1H12M0 7H12M3 1V7M9 7V13M9-5V1', width: 1 },
};

/** Red, green and blue of `#rrggbb`. */
export function partsOf(colour: string): number[] {
  return [1, 3, 5].map((start) => parseInt(colour.slice(start, start + 2), 16));
}

/** A colour that white can be read on. */
export function darkened(colour: string): string {
  const parts = partsOf(colour);
  const light = (parts[0]! * 299 + parts[1]! * 587 + parts[2]! * 114) / 1000;
  const part = light ? Math.min(1, 112 / light) : 1;
  return '#' + parts.map((value) => Math.round(value * part).toString(16).padStart(2, '0')).join('');
}
